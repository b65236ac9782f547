"""Walks in compiled code: one pointer, the arrays of Python."""

from __future__ import annotations

import copy
import math
import pickle
from dataclasses import replace

import numba
import numpy as np
import pytest

import ter
from ter._jit import kernel
from ter.core.ledger import WALK_FIELDS, Books, ObjectiveData, Walk
from ter.engines.walk_type import WALK


def made() -> Walk:
    data = ObjectiveData(np.arange(6), np.linspace(0, 1, 5), np.arange(3), memory=4)
    return Books.open(target=None, patience=7).walk(ter.box(-1, 2, dimension=3), data, np.zeros(3), np.zeros(8))


@kernel
def sizes(walk, out):
    out[0], out[1], out[2], out[3] = walk.functions.size, walk.x.size, walk.y.size, walk.best.size
    out[4], out[5], out[6], out[7] = walk.lower.size, walk.upper.size, walk.floats.size, walk.ints.size
    out[8], out[9], out[10], out[11] = walk.memory.size, walk.coordinate.size, walk.value.size, walk.ledger.size
    out[12], out[13], out[14] = walk.marks.size, walk.curve.size, walk.tape.size


@kernel
def marked(walk):
    for j in range(walk.x.shape[0]):
        walk.x[j] = walk.lower[j] + 2.0 * walk.upper[j]
    walk.curve[1, 0], walk.curve[1, 1] = walk.floats[4], walk.ints[2]
    walk.ledger[-1] = walk.functions[5]
    return walk.marks[0]


def test_compiled_code_sees_all_arrays_of_a_walk_in_their_order():
    walk, out = made(), np.zeros(15, dtype=np.int64)
    assert numba.typeof(walk) == WALK
    sizes(walk, out)
    assert out.tolist() == [getattr(walk, name).size for name in WALK_FIELDS]


def test_what_compiled_code_writes_is_in_the_arrays_of_the_walk():
    walk = made()
    assert marked(walk) == math.inf
    assert walk.x.tolist() == [3.0, 3.0, 3.0] and walk.curve[:2].tolist() == [[0, 0], [1, 2]] and walk.ledger[-1] == 5


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda walk: pickle.loads(pickle.dumps(walk))])
def test_a_copy_of_a_walk_has_arrays_of_its_own(copied):
    walk = made()
    marked(copied(walk))
    assert walk.x.tolist() == [-1.0, -1.0, -1.0] and not walk.curve.any()


def test_a_walk_with_another_point_shares_the_rest():
    walk = made()
    other = replace(walk, x=np.zeros(3))
    marked(other)
    assert other.x.tolist() == [3.0, 3.0, 3.0] and walk.x.tolist() == [-1.0, -1.0, -1.0] and walk.curve.any()


def test_arrays_that_compiled_code_could_not_read_are_refused():
    with pytest.raises(ValueError, match="the arrays of a walk must be contiguous and writable"):
        replace(made(), x=np.zeros(6)[::2])
