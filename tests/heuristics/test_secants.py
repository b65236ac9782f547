"""What a descent has learnt of the curvature."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ter.heuristics.secants import FEWEST, Secants, inverse_of


@given(seed=st.integers(0, 2**16), remembered=st.integers(1, 6), weights=st.booleans())
def test_the_two_loops_are_the_formula_of_bfgs(seed, remembered, weights):
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((5, 5))
    hessian = root @ root.T + np.eye(5)
    memory = Secants()
    steps = rng.standard_normal((remembered, 5))
    for step in steps:
        memory.remember(step, hessian @ step, most=10)
    last = steps[-1]
    first = rng.uniform(0.1, 10.0, 5) if weights else np.ones(5)
    inverse = np.diag(first) * (last @ hessian @ last) / ((first * (hessian @ last)) @ (hessian @ last))
    for step in steps:
        change = hessian @ step
        r = 1.0 / (step @ change)
        left = np.eye(5) - r * np.outer(step, change)
        inverse = left @ inverse @ left.T + r * np.outer(step, step)
    gradient = rng.standard_normal(5)
    assert memory.newton(gradient, first) == pytest.approx(inverse @ gradient, rel=1e-6, abs=1e-9)
    assert memory.newton(hessian @ last, first) == pytest.approx(
        last, rel=1e-6, abs=1e-9
    )  # the last step is known exactly


def test_steps_along_which_the_slope_falls_are_not_remembered_nor_are_too_many():
    memory = Secants()
    memory.remember(np.ones(2), -np.ones(2), most=3)
    memory.remember(np.ones(2), np.zeros(2), most=3)
    assert memory.steps == []
    for k in range(5):
        memory.remember(np.array([1.0, k]), np.array([1.0, k]), most=3)
    assert [step[1] for step in memory.steps] == [2.0, 3.0, 4.0] and memory.products == [5.0, 10.0, 17.0]


def test_without_secants_the_gradient_is_only_weighted():
    gradient, first = np.array([1.0, -2.0]), np.array([3.0, 0.5])
    assert np.array_equal(Secants().newton(gradient, first), gradient * first)


@given(seed=st.integers(0, 2**16), coupling=st.floats(0.0, 0.3))
def test_the_curvature_along_a_variable_is_that_of_the_diagonal(seed, coupling):
    """Exactly so without interactions; with them, what the others do cancels out on the mean."""
    rng = np.random.default_rng(seed)
    diagonal = 10.0 ** rng.uniform(-3, 3, 40)
    memory = Secants()
    for _ in range(20):
        step = rng.standard_normal(40) / np.sqrt(diagonal)
        other = coupling * np.sqrt(diagonal) * np.roll(np.sqrt(diagonal) * step, 1)
        memory.remember(step, diagonal * step + other, most=50)
    ratio = memory.curvature() / diagonal
    assert ratio == pytest.approx(1.0, abs=1e-9 + 4.0 * coupling)


def test_of_few_secants_no_curvature_is_made():
    memory = Secants()
    for k in range(FEWEST):
        assert memory.curvature().size == 0
        memory.remember(np.array([1.0, k]), np.array([1.0, 2.0 * k]), most=9)
    assert memory.curvature() == pytest.approx([1.0, 2.0])


def test_curvature_that_is_hidden_is_taken_for_the_median():
    assert inverse_of(np.array([1.0, 4.0, 16.0, -5.0, 0.0])) == pytest.approx([1.0, 0.25, 1 / 16, 0.25, 0.25])
    assert inverse_of(np.zeros(3)) is None and inverse_of(np.empty(0)) is None
    assert inverse_of(np.array([1.0, 1e30, 1e-30])) == pytest.approx([1.0, 1e-6, 1e6])
