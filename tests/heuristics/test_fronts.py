"""Where a descent creeps along, and which variables are at its front."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ter.heuristics.fronts import creeps, front_of


@given(
    n=st.integers(100, 3_000),
    where=st.floats(0, 1),
    tail=st.floats(0.0, 1e-3),
    size=st.sampled_from([1e-300, 1.0, 1e200]),
)
def test_a_front_holds_the_steepest_slopes_and_as_much_before_as_behind(n, where, tail, size):
    slopes, peak = np.full(n, tail), int(where * (n - 1))
    slopes[peak] = 1.0
    front = front_of(size * slopes)
    width = int(np.sqrt(n))
    assert front.size == width and front[0] >= 0 and front[-1] < n and np.all(np.diff(front) == 1)
    assert peak in front and (abs(front[width // 2] - peak) <= 1 or front[0] == 0 or front[-1] == n - 1)


@given(n=st.integers(2, 55), seed=st.integers(0, 99))
def test_few_variables_have_no_front(n, seed):
    slopes = np.zeros(n)
    slopes[seed % n] = 1.0
    assert front_of(slopes) is None


@pytest.mark.parametrize("slopes", [np.ones(400), np.zeros(400), np.tile([1.0, 0, 0, 0], 100), np.linspace(0, 1, 400)])
def test_slopes_everywhere_are_no_front(slopes):
    assert front_of(slopes) is None


@given(first=st.floats(0.01, 100), ratio=st.floats(0.01, 2.0), offset=st.floats(-1e3, 1e3))
def test_who_gains_the_same_again_creeps_wherever_the_values_are(first, ratio, offset):
    trail = offset + np.array([0.0, -first, -first - ratio * first])
    if abs(ratio - 0.7) > 1e-6:
        assert creeps(trail.tolist(), 1) == (ratio > 0.7)
    assert not creeps(trail[1:].tolist(), 1)
