"""Compiled objectives: their contract and their errors."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import ter
from tests.objectives import COMPILED, COMPILED_MOVING, bowl, commit, move, spy_on, start, value


def test_start_move_and_commit_come_together():
    for parts in ({"start": start}, {"move": move}, {"start": start, "commit": commit}):
        with pytest.raises(ter.InvalidArgument, match="start, move and commit must be given together"):
            ter.CompiledObjective(value, **parts)


@pytest.mark.parametrize("name", ["value", "start", "move", "commit"])
def test_every_part_must_be_a_numba_function(name):
    parts = {"value": value, "start": start, "move": move, "commit": commit}
    parts[name] = parts[name].py_func
    with pytest.raises(ter.InvalidArgument, match=f"{name} must be a Numba function, got function; use @numba.njit"):
        ter.CompiledObjective(**parts)


def test_a_compiled_objective_is_callable_from_python():
    spy_on("compiled", ter.box(-5, 5, dimension=3))
    assert COMPILED([1, 2, 3]) == bowl(np.array([1.0, 2.0, 3.0]))
    assert COMPILED_MOVING.incremental and not COMPILED.incremental


def test_the_data_are_copies():
    floats = np.ones(2)
    objective = ter.CompiledObjective(value, floats=floats, ints=[3])
    floats[0] = 9
    assert objective.data[0].tolist() == [1, 1] and objective.data[1].dtype == np.int64


def test_a_compiled_objective_can_be_sent_to_a_worker():
    assert COMPILED.kit is COMPILED.kit
    assert "kit" not in pickle.loads(pickle.dumps(COMPILED)).__dict__
