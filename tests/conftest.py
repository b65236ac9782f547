"""Settings that all tests share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

# Derandomised: a red test is red everywhere, and nothing is written into the checkout.
settings.register_profile(
    "ter",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("few", settings.get_profile("ter"), max_examples=8)
settings.load_profile("ter")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(1)
