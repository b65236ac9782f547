from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import Bounds

import ter
from ter.core.box import Box


@pytest.mark.parametrize(
    "bounds",
    [
        [(0, 1), (0, 2), (0, 3)],
        ((0, 1), (0, 2), (0, 3)),
        np.array([[0, 1], [0, 2], [0, 3]]),
        (np.zeros(3), np.array([1, 2, 3])),
        [np.zeros(3), np.array([1, 2, 3])],
        ([0, 0, 0], [1, 2, 3]),
        Bounds([0, 0, 0], [1, 2, 3]),
        Bounds(0, [1, 2, 3]),
        Box([0, 0, 0], [1, 2, 3]),
        ter.box(0, [1, 2, 3]),
        ter.box([0], [1, 2, 3]),
        ter.Problem(lambda x: 0.0, [(0, 1), (0, 2), (0, 3)]),
    ],
    ids=lambda bounds: type(bounds).__name__,
)
def test_every_spelling_gives_the_same_box(bounds):
    box = Box.read(bounds)
    assert box.lower.tolist() == [0, 0, 0] and box.upper.tolist() == [1, 2, 3]
    assert box.dimension == 3 and box.width.tolist() == [1, 2, 3]
    assert box.lower.dtype == np.float64


def test_two_pairs_are_pairs_and_two_arrays_are_bounds():
    assert Box.read([(0, 1), (2, 3)]).lower.tolist() == [0, 2]
    assert Box.read(([0, 1], [2, 3])).lower.tolist() == [0, 2]
    assert Box.read((np.array([0, 1]), np.array([2, 3]))).lower.tolist() == [0, 1]
    assert Box.read(np.array([[0, 1], [2, 3]])).lower.tolist() == [0, 2]


def test_a_number_counts_for_every_variable():
    box = ter.box(-5, 5, dimension=4)
    assert box.lower.tolist() == [-5] * 4 and box.upper.tolist() == [5] * 4
    assert ter.box(-5, [1, 2], dimension=2).dimension == 2


def test_a_box_is_a_copy_that_nobody_can_change():
    lower, upper = np.zeros(2), np.ones(2)
    box = Box(lower, upper)
    lower[0] = 9
    assert box.lower[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        box.lower[0] = 1


def test_contains_tells_points_and_rows():
    box = Box([0, 0], [1, 2])
    assert box.contains([1, 2]) and box.contains([[0, 0], [1, 2]])
    assert not box.contains([1, 2.1]) and not box.contains([[0, 0], [-1, 0]]) and not box.contains([math.nan, 0])


def test_crossed_bounds_are_refused_and_located():
    with pytest.raises(ter.InvalidArgument, match=r"lower <= upper must hold .* at variable 1; swap them"):
        Box([0, 3], [1, 2])


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("side", ["lower", "upper"])
def test_bounds_must_be_finite(bad, side):
    values = {"lower": [0.0, 0.0], "upper": [1.0, 1.0]}
    values[side][1] = bad
    with pytest.raises(ter.InvalidArgument, match=f"{side} bounds must be finite, got .* at variable 1"):
        Box(**values)


def test_infinite_scipy_bounds_are_refused():
    with pytest.raises(ter.InvalidArgument, match="must be finite"):
        Box.read(Bounds(-np.inf, np.ones(3)))


@pytest.mark.parametrize(
    ("bounds", "side", "given"),
    [
        ([(0, 1), (0, None)], "upper", "None"),
        ([(0, 1), (None, None)], "lower", "None"),
        ([(0, 1), (-np.inf, 1)], "lower", "-inf"),
        ([(0, 1), (0, math.nan)], "upper", "nan"),
        (np.array([(0, 1), (0, np.inf)]), "upper", "inf"),
        ((np.zeros(2), [1, None]), "upper", "None"),
    ],
)
def test_bounds_that_are_missing_or_infinite_are_named_as_they_were_written(bounds, side, given):
    cure = r"name the one in which you would accept an answer, for example \(-1e3, 1e3\)"
    with pytest.raises(
        ter.InvalidArgument, match=f"{side} bounds must be finite, got {given} at variable 1; .* {cure}"
    ):
        Box.read(bounds)


def test_a_missing_bound_of_all_variables_is_named_as_it_was_written():
    with pytest.raises(ter.InvalidArgument, match="upper bounds must be finite, got None at variable 0"):
        ter.box(0, None, dimension=3)


@pytest.mark.parametrize("x0", [np.zeros(5), [0.0] * 5, np.zeros((2, 5))])
@pytest.mark.parametrize("bounds", [Bounds(-1, 2), Bounds([-1], [2]), Bounds(-1, np.full(5, 2))])
def test_scipy_bounds_of_one_number_are_for_every_variable_of_the_start_point(bounds, x0):
    box = Box.read(bounds, x0)
    assert box.lower.tolist() == [-1] * 5 and box.upper.tolist() == [2] * 5


def test_scipy_bounds_of_one_number_alone_are_refused():
    message = r"bounds of one number must come with x0, .* got Bounds\(.* alone; write for example ter.box\(0, 1, dim"
    with pytest.raises(ter.InvalidArgument, match=message):
        Box.read(Bounds(0, 1))
    assert Box.read(Bounds(0, 1), 0.5).dimension == 1


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        (None, "bounds must be given, got None"),
        ([], r"bounds must have shape \(dimension, 2\)"),
        ((0, 1), r"bounds must have shape \(dimension, 2\), got \(2,\)"),
        ([(0, 1, 2)], r"bounds must have shape \(dimension, 2\), got \(1, 3\)"),
        (np.zeros((2, 2, 2)), "bounds must have shape"),
        (5, "bounds must have shape"),
        ("ab", "bounds must be pairs of numbers"),
        ([(0, "x")], "bounds must be pairs of numbers"),
        ([(0, 1), (0,)], "bounds must be pairs of numbers"),
        (zip([0], [1], strict=True), "bounds must be pairs of numbers"),
        ((np.zeros(2), np.ones(3)), "must have the same length, got 2 and 3"),
        (([0, 0, 0], [1, 1]), "must have the same length, got 3 and 2"),
        ((np.zeros((2, 2)), np.ones((2, 2))), "must be a flat array"),
        ((np.array(["a", "b"]), np.ones(2)), "lower bounds must be numbers"),
        ((np.zeros(0), np.ones(0)), "at least one variable"),
        ((np.full(1, -1.5e308), np.full(1, 1.5e308)), "width of the box must be finite"),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow")
def test_what_is_no_box_is_refused(bounds, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        Box.read(bounds)


def test_a_box_that_overflows_is_refused_without_a_warning():
    with pytest.raises(ter.InvalidArgument, match="width of the box must be finite"):
        ter.box(-1.5e308, 1.5e308, dimension=2)


def test_the_dimension_is_needed_when_both_bounds_are_numbers():
    with pytest.raises(ter.InvalidArgument, match="dimension must be given when both bounds are numbers"):
        ter.box(-5, 5)


@pytest.mark.parametrize("dimension", [0, -1, 2.5, math.nan])
def test_the_dimension_must_be_a_whole_number(dimension):
    with pytest.raises(ter.InvalidArgument, match="dimension must be a whole number >= 1, got"):
        ter.box(-5, 5, dimension=dimension)


def test_a_dimension_written_as_a_float_is_read():
    assert ter.box(-5, 5, dimension=1e3).dimension == 1000


def test_the_dimension_must_agree_with_the_bounds():
    with pytest.raises(ter.InvalidArgument, match="dimension must agree with the bounds, got dimension=3 and 2 bounds"):
        ter.box([0, 0], 1, dimension=3)


def test_bounds_of_different_length_are_refused():
    with pytest.raises(ter.InvalidArgument, match="same length, got 2 and 3"):
        ter.box([0, 0], [1, 1, 1])


def test_a_box_prints_its_size_and_the_range_of_its_bounds():
    assert repr(ter.box(-5, 5, dimension=1000)) == "Box(dimension=1000, lower=-5.0, upper=5.0)"
    assert repr(ter.box(np.linspace(0, 1, 300), 2)) == "Box(dimension=300, lower=0.0 to 1.0, upper=2.0)"
