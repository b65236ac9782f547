"""The books: compiled kernels against their plain twins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ter.core.ledger import (
    BEST,
    CELLS,
    COUNT,
    CURVE_ROWS,
    CURVE_SIZE,
    IMPROVED_AT,
    LIMIT,
    NONFINITE,
    STOP,
    Books,
    charge,
    halt,
    improve,
    inside,
    settle_rows,
)
from tests.naive.books import NaiveBooks

values = st.floats() | st.sampled_from([math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0])


@given(
    st.lists(hnp.arrays(np.float64, st.integers(0, 40), elements=values), max_size=8),
    st.sampled_from([-math.inf, -1.0, 0.5]),
    st.sampled_from([None, 1, 7, 60]),
)
def test_batches_are_booked_as_the_plain_twin_books_them(batches, target, patience):
    books, naive = Books.open(target=target, patience=patience), NaiveBooks(target, patience)
    for batch in batches:
        first = int(books.ledger[COUNT])
        books.ledger[COUNT] += len(batch)
        mine = batch.copy()
        row = settle_rows(books.ledger, books.marks, books.curve, mine, first)
        assert row == naive.batch(batch)
        assert (np.isfinite(batch) == np.isfinite(mine)).all() and not np.isnan(mine).any()
        assert mine[~np.isfinite(batch)].tolist() == [math.inf] * int((~np.isfinite(batch)).sum())
        assert books.marks[BEST] == naive.best
        assert books.ledger[IMPROVED_AT] == naive.improved_at
        assert books.ledger[NONFINITE] == naive.nonfinite
        assert books.ledger[STOP] == naive.stop
        assert books.curve[: books.ledger[CURVE_SIZE]].tolist() == naive.curve


@given(st.lists(values, max_size=60), st.sampled_from([None, 1, 5]))
def test_single_values_are_charged_as_the_plain_twin_charges_them(sequence, patience):
    books, naive = Books.open(target=-math.inf, patience=patience), NaiveBooks(-math.inf, patience)
    for y in sequence:
        books.ledger[COUNT] += 1
        read = charge(books.ledger, books.marks, y)
        assert read == (y if math.isfinite(y) else math.inf)
        if read < books.marks[BEST]:
            improve(books.ledger, books.marks, books.curve, books.ledger[COUNT], read)
        naive.single(y)
        assert (books.marks[BEST], books.ledger[STOP]) == (naive.best, naive.stop)
        if naive.stop >= 0:
            break


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=300))
def test_the_curve_is_thinned_as_the_plain_twin_thins_it(gaps):
    books, naive = Books.open(target=-math.inf, patience=None), NaiveBooks(-math.inf, None)
    count, y = 0, 0.0
    for gap in gaps:
        count, y = count + gap, y - 1.0
        improve(books.ledger, books.marks, books.curve, count, y)
        naive.improve(count, y)
    curve = books.curve[: books.ledger[CURVE_SIZE]]
    assert curve.tolist() == naive.curve
    assert (np.diff(curve[:, 0]) > 0).all() and (np.diff(curve[:, 1]) < 0).all()
    assert curve[-1].tolist() == [count, y]


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=300), st.integers(100, 999), st.integers(0, 3))
def test_the_curve_is_exact_at_counts_of_three_digits(gaps, digits, zeros):
    books, milestone = Books.open(target=-math.inf, patience=None), digits * 10**zeros
    counts = np.cumsum(gaps)
    for count in counts:
        improve(books.ledger, books.marks, books.curve, count, -float(count))
    curve = books.curve[: books.ledger[CURVE_SIZE]]
    kept = curve[curve[:, 0] <= milestone, 0].max(initial=0)
    assert kept == counts[counts <= milestone].max(initial=0)


@pytest.mark.parametrize("evaluations", [500, 20_000, 200_000])
def test_the_curve_grows_with_the_logarithm_of_the_run(evaluations):
    books = Books.open(target=-math.inf, patience=None)
    for count in range(1, evaluations + 1):
        improve(books.ledger, books.marks, books.curve, count, -float(count))
    size = int(books.ledger[CURVE_SIZE])
    assert size == evaluations if evaluations <= CELLS else size <= CELLS + 900 * math.log10(evaluations / CELLS) + 900
    assert books.curve[size - 1].tolist() == [evaluations, -evaluations]
    assert size <= CURVE_ROWS


def test_a_full_curve_keeps_its_last_row_current():
    books = Books.open(target=-math.inf, patience=None)
    curve = np.zeros((3, 2))
    for k in range(6):
        improve(books.ledger, books.marks, curve, 10**k, -float(k))
    assert curve.tolist() == [[1, 0], [10, -1], [10**5, -5]]


def test_halting_leaves_nothing_of_the_allowance():
    books = Books.open(target=-math.inf, patience=None)
    books.ledger[COUNT], books.ledger[LIMIT] = 5, 100
    halt(books.ledger, 3)
    assert (books.ledger[STOP], books.ledger[LIMIT]) == (3, 5)


def test_stagnation_does_not_replace_an_earlier_reason_to_stop():
    books = Books.open(target=-math.inf, patience=1)
    books.ledger[COUNT], books.marks[BEST] = 5, 0.0
    halt(books.ledger, 4)
    charge(books.ledger, books.marks, 1.0)
    assert books.ledger[STOP] == 4


@given(hnp.arrays(np.float64, (3, 4), elements=st.floats(-2, 2) | st.just(math.nan)))
def test_inside_agrees_with_numpy(rows):
    lower, upper = np.full(4, -1.5), np.full(4, 1.5)
    assert inside(rows, lower, upper) == bool(((rows >= lower) & (rows <= upper)).all())
