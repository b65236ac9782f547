"""Ranking agrees with Numba's own argsort, equal values included."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ter._jit import COMPILING, kernel
from ter.heuristics import ranking
from ter.objectives.unchecked import pointer


@kernel
def rank(values, order):
    ranking.rank(pointer(values), pointer(order), values.shape[0])


@numba.njit(cache=False)
def argsort(values):
    return np.argsort(values)


@pytest.mark.skipif(not COMPILING, reason="without its compiler, Numba's argsort is NumPy's")
@settings(deadline=None)
@given(st.lists(st.sampled_from([0.0, 1.0, 2.0, 2.5, -1.0, math.inf]) | st.floats(allow_nan=False), max_size=130))
@pytest.mark.slow
def test_positions_are_those_of_numbas_argsort(values):
    array = np.array(values, dtype=np.float64)
    order = np.empty(array.size, dtype=np.int64)
    rank(array, order)
    assert order.tolist() == argsort(array).tolist()


def test_long_sorted_and_equal_rows_are_ranked():
    for array in (np.arange(5_000.0), -np.arange(5_000.0), np.zeros(5_000), np.repeat([3.0, 1.0], 2_500)):
        order = np.empty(array.size, dtype=np.int64)
        rank(array, order)
        assert (np.diff(array[order]) >= 0).all() and sorted(order) == list(range(array.size))
