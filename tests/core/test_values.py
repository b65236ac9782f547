"""What is no real number is refused, whatever NumPy would make of it."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import ter
from ter.core.values import read_costed_rows, read_number, read_rows

MASKED = np.ma.masked
NO_NUMBERS = [
    MASKED,
    np.ma.array(3.0, mask=True),
    np.ma.array([3.0], mask=[True]),
    np.complex128(3 + 4j),
    np.complex64(3),
    np.array([3 + 4j]),
    np.array(np.complex128(1j), dtype=object),
    np.datetime64("2020-01-01"),
    np.datetime64("NaT"),
    np.timedelta64(3, "s"),
    np.array("3.5"),
    ["3.5"],
    np.array((1.0,), dtype=[("a", "f8")]),
    {1.0},
    [MASKED],
    [[MASKED]],
    ([np.ma.array([3.0], mask=[True])],),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("raw", NO_NUMBERS, ids=repr)
def test_what_is_no_real_number_is_refused(raw):
    with pytest.raises(ter.ObjectiveError, match="the objective must return one number per point, got"):
        read_number(raw)
    with pytest.raises(ter.ObjectiveError, match="one number per point"):
        ter.minimize(lambda x: raw, ter.box(-1, 1, dimension=2), budget=5, rng=1)


@pytest.mark.parametrize(
    ("raw", "named"),
    [
        ([1.0, MASKED], "list with a masked value"),
        ([1.0, None], "list with None"),
        ((2.0, 1j), "tuple with complex"),
        (["a", "b"], "list with str"),
        ([1.0, [2.0, 3.0]], "list"),
        (np.array([1.0, None]), "ndarray of object with None"),
    ],
)
def test_what_is_wrong_with_rows_is_named(raw, named):
    with pytest.raises(ter.ObjectiveError, match=f"must return 2 numbers for 2 points, got {named}$"):
        read_rows(raw, 2)


def test_a_masked_value_is_named():
    with pytest.raises(ter.ObjectiveError, match="got a masked value"):
        read_number(MASKED)


@pytest.mark.parametrize(
    ("raw", "number"),
    [
        (np.ma.array(3.0, mask=False), 3.0),
        (Decimal("1.5"), 1.5),
        (Fraction(3, 2), 1.5),
        (np.bool_(True), 1.0),
        (np.float16(2), 2.0),
        (-(10**400), -math.inf),
        (np.array(7, dtype=object), 7.0),
    ],
    ids=repr,
)
def test_real_numbers_are_read_in_any_dress(raw, number):
    assert read_number(raw) == number


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "rows",
    [
        np.ma.array([1.0, 2.0], mask=[False, True]),
        [1.0, MASKED],
        np.array([1.0, 2j]),
        [np.complex128(1), 2.0],
        ["1.0", "2.0"],
        np.array(["2020-01-01", "NaT"], dtype="M8[D]"),
        [None, 1.0],
    ],
    ids=repr,
)
def test_rows_with_one_that_is_no_number_are_refused(rows):
    with pytest.raises(ter.ObjectiveError, match="must return 2 numbers for 2 points, got"):
        read_rows(rows, 2)


def test_rows_of_large_numbers_are_read():
    assert read_rows([10**400, Fraction(1, 2)], 2).tolist() == [math.inf, 0.5]


@pytest.mark.parametrize("cost", [math.nan, [1.0, -1.0], [1.0, math.nan], [1.0], "a", MASKED, None], ids=repr)
def test_costs_of_rows_are_numbers_too(cost):
    with pytest.raises(ter.ObjectiveError, match="the cost of"):
        read_costed_rows(ter.Value([1.0, 2.0], cost=cost), 2)
    box = ter.box(-1, 1, dimension=2)
    with pytest.raises(ter.ObjectiveError, match="the cost of"):
        ter.minimize(
            lambda X: ter.Value(X[:, 0], cost=cost), box, budget=5, rng=1, vectorized=True, x0=np.zeros((2, 2))
        )


@pytest.mark.parametrize("value", [MASKED, np.complex128(1j)], ids=repr)
def test_what_is_told_to_an_optimizer_is_a_real_number(value):
    optimizer = ter.Optimizer(ter.box(-1, 1, dimension=2), budget=5, rng=1)
    batch = optimizer.ask()
    with pytest.raises(ter.InvalidArgument, match="values must be numbers"):
        optimizer.tell(batch.ids, [value] * len(batch.ids))
    with pytest.raises(ter.InvalidArgument, match="costs must be finite numbers"):
        optimizer.tell(batch.ids, [1.0] * len(batch.ids), costs=[value] * len(batch.ids))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("x0", [np.ma.array([0.1, 0.2], mask=[True, False]), [1j, 0.0], np.array([0.5, 0j])], ids=repr)
def test_points_to_start_from_are_real_numbers(x0):
    with pytest.raises(ter.InvalidArgument, match="x0 must hold numbers"):
        ter.minimize(lambda x: 1.0, ter.box(-1, 1, dimension=2), budget=5, rng=1, x0=x0)
