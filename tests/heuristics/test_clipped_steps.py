"""Linear equations."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ter.heuristics import clipped_steps
from tests.from_python import from_python

solve = from_python(clipped_steps.solve)


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 5))
def test_solutions_are_those_of_numpy(seed, n, count):
    rng = np.random.default_rng(seed)
    matrix, sides = rng.standard_normal((n, n)), rng.standard_normal((n, count))
    matrix[0, 0] = 0.0 if n > 1 else 1.0  # the first row cannot be the first pivot
    both = np.hstack([matrix, sides])
    assert solve(both, n, n + count)
    expected = np.linalg.solve(matrix, sides)
    np.testing.assert_allclose(both[:, n:], expected, atol=1e-9 * np.linalg.cond(matrix) * np.abs(expected).max())


def test_equations_without_a_solution_are_told():
    assert not solve(np.array([[1.0, 2.0, 1.0], [2.0, 4.0, 1.0]]), 2, 3)
    assert not solve(np.array([[np.nan, 1.0]]), 1, 2)
