"""Pointers: arrays of which only the place in memory is left."""

from __future__ import annotations

import gc

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from ter.objectives.unchecked import as_ints, hold, peek, pointer, poke

SIZE = 1000


@numba.njit
def written(a, i, value):
    p = pointer(a)
    p[i] = value
    return p[i]


@numba.njit
def read_behind(a, n, i):
    return (pointer(a) + n)[i]


@numba.njit
def copied_by_peeking(a, b):
    p, q = pointer(a), pointer(b)
    for i in range(a.shape[0]):
        poke(q, i, peek(p, i))


@numba.njit
def bits(a):
    return as_ints(pointer(a))[0]


@numba.njit
def sum_of_squares(n):
    room = np.empty(n)
    p = pointer(room)
    other = np.ones(n)  # would be given the memory of `room`, were that free by now
    total = 0.0
    for i in range(n):
        p[i] = i
    for i in range(n):
        total += p[i] * p[i] * other[i]
    hold(room)
    return total


@pytest.mark.parametrize(("kind", "value"), [(np.float64, 2.5), (np.int64, -7)])
def test_a_pointer_reads_and_writes_its_array(kind, value):
    array = np.arange(5).astype(kind)
    assert written(array, 3, value) == value
    assert array.tolist() == [0, 1, 2, value, 4]


def test_what_is_written_becomes_a_number_of_the_arrays_kind():
    array = np.zeros(2)
    assert written(array, 1, 3) == 3.0
    assert array.tolist() == [0.0, 3.0]


def test_a_pointer_and_a_number_point_further():
    array = np.arange(10.0)
    assert read_behind(array, 4, 3) == 7.0
    assert read_behind(array[5:], 0, -2) == 3.0  # no index counts from the end


def test_peek_and_poke_take_pointers():
    array, copy = np.arange(4.0), np.zeros(4)
    copied_by_peeking(array, copy)
    assert copy.tolist() == array.tolist()


def test_floats_can_be_read_as_integers():
    assert bits(np.array([1.0])) == 0x3FF0000000000000


def test_held_memory_is_not_given_to_others():
    gc.collect()
    assert sum_of_squares(SIZE) == sum(i * i for i in range(SIZE))


def test_pointers_have_no_items_by_name():
    @numba.njit
    def wrong(a):
        return pointer(a)["first"]

    with pytest.raises(TypingError):
        wrong(np.zeros(1))
