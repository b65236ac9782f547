"""The problems of all suites, made once, and what the suites are known to hold."""

from __future__ import annotations

from functools import cache

import numpy as np

import ter
from ter.benchmarks import FUNCTIONS as ROWS
from ter.benchmarks import SUITES as ALL_SUITES
from tests.reference_points import FUNCTIONS

# The suites and the competition that each comes from.
KIND = {name: suite.functions[0].competition for name, suite in ALL_SUITES.items()}
SUITES = tuple(KIND)


def numbers(suite: str) -> range:
    return FUNCTIONS[KIND[suite]]


@cache
def problem(suite: str, n: int, dimension: int | None = None) -> ter.Problem:
    return ter.problem(f"{suite}/f{n}", dimension=dimension)


def problems(suite: str, dimension: int | None = None) -> list[ter.Problem]:
    return [problem(suite, n, dimension) for n in numbers(suite)]


def has_optimum(suite: str, n: int) -> bool:
    return not ROWS[f"{suite}/f{n}"].conflicting


def random_points(made: ter.Problem, rows: int, seed: int = 1) -> np.ndarray:
    """Points uniform in the box."""
    return np.random.default_rng(seed).uniform(made.lower, made.upper, (rows, made.dimension))
