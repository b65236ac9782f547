"""Compiled objectives: their contract and their errors."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace

import numba
import numpy as np
import pytest

import ter
from ter.benchmarks import evaluate
from ter.benchmarks import moves as benchmark_moves
from tests.spies import COMPILED, COMPILED_MOVING, bowl, commit, move, same_run, spy_on, start, value


def test_start_move_and_commit_come_together():
    for parts in ({"start": start}, {"move": move}, {"start": start, "commit": commit}):
        with pytest.raises(ter.InvalidArgument, match="start, move and commit must be given together"):
            ter.CompiledObjective(value, **parts)


@numba.njit
def values(X, floats, ints, out):
    for r in range(out.shape[0]):
        if X[r, 0] > 4.0:
            raise ValueError("too far")
        out[r] = evaluate.value(X[r], floats, ints)


@numba.njit
def moves(x, memory, floats, ints, coordinates, V, out):
    for r in range(out.shape[0]):
        if V[r, 0] > 4.0:
            raise ValueError("too far")
        out[r] = benchmark_moves.move(x, memory, floats, ints, coordinates, V[r])


def test_moves_in_batches_need_single_moves():
    with pytest.raises(ter.InvalidArgument, match="moves must come with start, move and commit"):
        ter.CompiledObjective(value, moves=moves)


@pytest.mark.parametrize("heuristic", ["cc", "gs", "ls1"])
def test_batches_of_the_objectives_own_make_no_difference_even_if_they_raise(heuristic):
    known = ter.problem("lso08/f4", dimension=7).fun
    alone = replace(known, values=None, moves=None)
    together = replace(known, values=values, moves=moves)
    with pytest.raises(ValueError, match="too far"):
        together.rows(np.full((2, 7), 5.0))
    runs = [
        ter.minimize(objective, ter.box(-5, 5, dimension=7), budget=900, rng=1, heuristics=[heuristic])
        for objective in (alone, together, known)
    ]
    assert same_run(runs[0], runs[1]) and same_run(runs[0], runs[2])


@pytest.mark.parametrize("name", ["value", "start", "move", "commit", "values", "moves"])
def test_every_part_must_be_a_numba_function(name):
    parts = {"value": value, "start": start, "move": move, "commit": commit, "values": values, "moves": moves}
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
    assert COMPILED.functions is COMPILED.functions
    assert "functions" not in pickle.loads(pickle.dumps(COMPILED)).__dict__


@pytest.mark.parametrize("engine", ["compiled", "compiled moving"])
def test_rows_have_the_values_of_their_points(engine, rng):
    box = ter.box(-5, 5, dimension=3)
    objective = spy_on(engine, box).objective
    X = rng.uniform(-5, 5, (7, 3))
    problem = ter.Problem(objective, box)
    expected = [bowl(x) for x in X]
    assert problem(X).tolist() == objective.rows(X).tolist() == [problem(x) for x in X] == expected
    assert problem(np.empty((0, 3))).shape == (0,)


def awkward(x):
    """The same point as arrays that are read-only, in steps, of another kind, of bytes in another order."""
    fixed, spread = x.copy(), np.repeat(x, 2, axis=-1)
    fixed.flags.writeable = False
    return [x, fixed, spread[..., ::2], np.asfortranarray(x), x.astype(">f8"), x.astype(np.float32), x.tolist()]


def test_points_of_any_kind_are_accepted():
    box = ter.box(-5, 5, dimension=3)
    spy_on("compiled", box)
    problem = ter.Problem(COMPILED, box)
    point, rows = np.array([1.0, 2.0, -0.5]), np.array([[1.0, 2.0, -0.5], [0.25, 0.0, 4.0]])
    assert [problem(x) for x in awkward(point)] == [bowl(point)] * 7
    assert [problem(X).tolist() for X in awkward(rows)] == [[bowl(x) for x in rows]] * 7
    assert len(value.signatures) == 1  # all of them in the one type that is cached


@pytest.mark.parametrize("x", [[1, 2], np.zeros((2, 2)), 1.0, np.zeros((1, 1, 3))])
def test_points_of_the_wrong_shape_are_refused(x):
    with pytest.raises(ter.InvalidArgument, match=r"x must have shape \(3,\) or \(n, 3\), got"):
        ter.Problem(COMPILED, ter.box(-5, 5, dimension=3))(x)
    with pytest.raises(ter.InvalidArgument, match=r"rows of points must have shape \(n, D\), got \(3,\)"):
        COMPILED.rows(np.zeros(3))


def test_an_exception_comes_out_of_points_and_rows():
    box = ter.box(-5, 5, dimension=3)
    spy = spy_on("compiled", box, raise_below=-1.0)
    problem = ter.Problem(COMPILED, box)
    for x in (np.full(3, -2.0), np.array([[0.0, 0, 0], [-2, 0, 0], [0, 0, 0]])):
        with pytest.raises(ValueError, match="the simulator broke"):
            problem(x)
    assert spy.calls == 3  # nothing after the first exception


RESULTS = {
    "whole": lambda x, floats, ints: x.size,
    "literal": lambda x, floats, ints: 3,
    "truth": lambda x, floats, ints: x[0] < 1.0,
    "single": lambda x, floats, ints: np.float32(x[0]),
}


@pytest.mark.parametrize("called_before", [False, True])
@pytest.mark.parametrize("kind", RESULTS)
def test_any_number_is_a_value(kind, called_before):
    function = numba.njit(RESULTS[kind])
    if called_before:  # then Numba has settled on the type of the result
        function(np.zeros(3), np.empty(0), np.empty(0, dtype=np.int64))
    objective = ter.CompiledObjective(function)
    X = np.array([[0.5, 0, 0], [1.5, 0, 0]])
    assert objective.rows(X).tolist() == [objective(x) for x in X]


def test_functions_with_other_declared_types_are_compiled_again():
    @numba.njit("float64(float64[:], float64[:], int64[:])")
    def declared(x, floats, ints):
        return x[0]

    objective = ter.CompiledObjective(declared)
    assert objective.rows(np.eye(2)).tolist() == [objective([1.0, 0.0]), objective([0.0, 1.0])] == [1, 0]


def test_what_is_no_number_is_refused():
    nothing = ter.CompiledObjective(numba.njit(lambda x, floats, ints: None))
    with pytest.raises(ter.ObjectiveError, match="return one number; Numba refuses it"):
        ter.minimize(nothing, ter.box(-5, 5, dimension=3), budget=10, rng=1)


def test_start_and_commit_must_return_nothing():
    loud = numba.njit(lambda x, memory, floats, ints, coordinates, values: x[0])
    objective = ter.CompiledObjective(value, start=start, move=move, commit=loud)
    with pytest.raises(
        ter.ObjectiveError, match="commit, values and moves must return nothing, got float64 from <lambda>"
    ):
        ter.minimize(objective, ter.box(-5, 5, dimension=3), budget=10, rng=1)


COUNTING = """
import numba
import numpy as np
import ter
from numba.core import event

compiled = []

class Note(event.Listener):
    def on_start(self, event):
        function = event.data["dispatcher"]
        if function.__module__.split(".")[0] in ("ter", "__main__"):
            compiled.append(function.__name__)
    def on_end(self, event):
        pass

event.register("numba:compile", Note())

@numba.njit(cache=True)
def value(x, floats, ints):
    return (x * x).sum()

@numba.njit(cache=True)
def start(x, memory, floats, ints):
    memory[0] = 0.0

@numba.njit(cache=True)
def move(x, memory, floats, ints, coordinates, values):
    point = x.copy()
    point[coordinates] = values
    return value(point, floats, ints)

@numba.njit(cache=True)
def commit(x, memory, floats, ints, coordinates, values):
    memory[0] += 1.0

@numba.njit(cache=True)
def plain(x):
    return np.abs(x).sum()

box = ter.box(-5, 5, dimension=3)
options = {"budget": 200, "rng": 1, "heuristics": ["ls1"]}
for objective in (ter.CompiledObjective(value), ter.CompiledObjective(value, (), (), start, move, commit, memory=1)):
    ter.minimize(objective, box, **options)
    ter.Problem(objective, box)(np.zeros((2, 3)))
print(len(compiled))
del compiled[:]
ter.minimize(plain, box, **options)
print(compiled)
"""


@pytest.mark.slow
def test_a_second_process_compiles_nothing_but_the_dress_of_a_plain_function(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(COUNTING)
    first, second = (
        subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout for _ in range(2)
    )
    assert int(first.splitlines()[0]) >= 4  # the functions of the script at least: it is new
    assert second.splitlines() == ["0", "['value']"]
