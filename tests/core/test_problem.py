from __future__ import annotations

import math

import numpy as np
import pytest

import ter
from ter.core.values import read_rows, read_value


def test_a_problem_is_called_on_points_and_rows():
    problem = ter.Problem(lambda x: float(x.sum()), [(0, 1)] * 3, name="sum")
    assert problem([1, 1, 0]) == 2.0 and isinstance(problem([1, 1, 0]), float)
    assert problem(np.eye(3)).tolist() == [1, 1, 1]
    assert (problem.dimension, problem.lower.tolist(), problem.upper.tolist()) == (3, [0] * 3, [1] * 3)


def test_a_vectorized_problem_is_called_on_points_and_rows():
    problem = ter.Problem(lambda X: X.sum(axis=1), [(0, 1)] * 3, vectorized=True)
    assert problem([1, 1, 0]) == 2.0
    assert problem(np.eye(3)).tolist() == [1, 1, 1]


def test_a_problem_leaves_its_argument_alone():
    def fun(x):
        x[:] = 9
        return 1.0

    x = np.zeros(2)
    ter.Problem(fun, [(0, 1)] * 2)(x)
    assert x.tolist() == [0, 0]


@pytest.mark.parametrize("x", [[1, 2], np.zeros((2, 2)), 1.0, np.zeros((1, 1, 3))])
def test_points_of_the_wrong_shape_are_refused(x):
    with pytest.raises(ter.InvalidArgument, match=r"x must have shape \(3,\) or \(n, 3\), got"):
        ter.Problem(lambda x: 0.0, [(0, 1)] * 3)(x)


def test_fun_must_be_callable():
    with pytest.raises(ter.InvalidArgument, match="fun must be callable, got int"):
        ter.Problem(5, [(0, 1)])


@pytest.mark.parametrize("raw", [1, 1.5, np.float32(1.5), np.array(2), np.array([2.0]), np.array([[2.0]]), True])
def test_anything_that_is_one_number_is_read(raw):
    assert read_value(raw).y == float(np.asarray(raw).ravel()[0])


@pytest.mark.parametrize("raw", [None, "abc", "1.5", [], [1, 2], np.zeros(3), np.zeros(0), {}, object(), 1j])
def test_what_is_not_one_number_is_refused(raw):
    with pytest.raises(ter.ObjectiveError, match="the objective must return one number per point, got"):
        read_value(raw)


def test_a_text_is_refused_without_a_second_traceback():
    with pytest.raises(ter.ObjectiveError, match="got str; return a float") as caught:
        read_value("1.5")
    assert caught.value.__cause__ is None and caught.value.__context__ is None


def test_a_whole_number_beyond_the_floats_is_infinite():
    assert read_value(10**400).y == math.inf


def test_values_bring_their_cost():
    assert read_value(ter.Value(np.array([2.0]), cost=3)) == ter.Value(2.0, 3.0)
    assert read_value(2).cost == 0


@pytest.mark.parametrize("cost", [math.nan, -1.0])
def test_a_cost_that_is_negative_or_nan_is_refused(cost):
    with pytest.raises(ter.ObjectiveError, match="cost"):
        read_value(ter.Value(1.0, cost=cost))


@pytest.mark.parametrize("raw", [1.0, [1.0], np.zeros((2, 1)), np.zeros(3)])
def test_rows_need_one_value_per_point(raw):
    with pytest.raises(ter.ObjectiveError, match=r"must return shape \(2,\) for 2 points, got"):
        read_rows(raw, 2)


def test_rows_need_numbers():
    with pytest.raises(ter.ObjectiveError, match="must return 2 numbers for 2 points, got list"):
        read_rows(["a", "b"], 2)
