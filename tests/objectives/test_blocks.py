"""Block objectives: the same bits however they are evaluated, exceptions, errors, processes."""

from __future__ import annotations

import json
import math
import os
import pickle
import subprocess
import sys

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.objectives.block_functions import TREE, tree_size
from tests.naive.blocks import block_value
from tests.spies import same_run


@numba.njit
def bumpy(z, k, data):
    """Uses the order of the group, the number of the group and the data, and its argument as space to work in."""
    total = data[k % data.size]
    for j in range(z.size):
        z[j] -= 0.125 * (k % 5)
        total += (j + 1) * z[j] * z[j]
    return total + 0.5 * abs(z[0] * z[-1])


@numba.njit
def fragile(z, k, data):
    """Raises an exception for some values of some groups, and is NaN for others."""
    if k % 3 == 0 and z[0] > data[0]:
        raise ValueError("the simulator broke")
    if k % 3 == 1 and z[0] > data[1]:
        return math.nan
    return (z * z).sum()


DATA = np.array([0.1, -0.7, 1.3])


def chain(dimension, length=2):
    return np.arange(dimension - length + 1)[:, None] + np.arange(length)


def grid(side):
    """A square of pixels: one group for each pixel, one for each pair of neighbours."""
    pixel = np.arange(side * side).reshape(side, side)
    pairs = [pixel[:, :-1], pixel[:, 1:], pixel[:-1], pixel[1:]]
    across = np.stack([pairs[0].ravel(), pairs[1].ravel()], 1)
    down = np.stack([pairs[2].ravel(), pairs[3].ravel()], 1)
    return [*pixel.reshape(-1, 1).tolist(), *across.tolist(), *down.tolist()]


class Walk:
    """Moves and commits, as an engine makes them."""

    def __init__(self, f, x):
        self.f, self.x = f, x.copy()
        self.memory = np.full(f.memory, 1e300)  # what the space to work in holds must not matter
        f.start(self.x, self.memory, *f.data)

    @property
    def tree(self):
        return self.memory[: TREE + tree_size(self.f.groups.count)]

    def moved(self, coordinates, values):
        point = self.x.copy()
        point[coordinates] = values
        return point

    def move(self, coordinates, values):
        x, tree = self.x.tobytes(), self.tree.tobytes()
        try:
            return self.f.move(self.x, self.memory, *self.f.data, coordinates, values)
        finally:
            assert (self.x.tobytes(), self.tree.tobytes()) == (x, tree)

    def commit(self, coordinates, values):
        x = self.x.tobytes()
        self.f.commit(self.x, self.memory, *self.f.data, coordinates, values)
        assert self.x.tobytes() == x
        self.x = self.moved(coordinates, values)


@st.composite
def structures(draw):
    """Random groups over random variables, and one variable that no group has."""
    dimension = draw(st.integers(1, 30))
    group = st.lists(st.integers(0, dimension - 1), min_size=1, max_size=min(dimension, 6), unique=True)
    return draw(st.lists(group, min_size=1, max_size=120)), dimension + 1


def walk_randomly(walk, rng, steps, most):
    dimension = walk.x.size
    for _ in range(steps):
        coordinates = rng.permutation(dimension)[: rng.integers(0, min(most, dimension) + 1)]
        values = rng.normal(size=coordinates.size)
        assert walk.move(coordinates, values) == walk.f(walk.moved(coordinates, values))
        if rng.random() < 0.5:
            walk.commit(coordinates, values)
            assert walk.tree.tobytes() == Walk(walk.f, walk.x).tree.tobytes()


# The same bits


@given(structures(), st.integers(0, 2**32 - 1))
def test_moves_have_the_bits_of_whole_points_on_any_groups(structure, seed):
    groups, dimension = structure
    rng = np.random.default_rng(seed)
    walk = Walk(ter.BlockObjective(bumpy, groups, DATA), rng.normal(size=dimension))
    walk_randomly(walk, rng, steps=12, most=dimension)


@pytest.mark.parametrize("most", [1, 2, 5, 60, 2500])
@pytest.mark.parametrize("groups", [chain(2500), chain(2500, 7), grid(50), [[i] for i in range(2500)]])
def test_moves_have_the_bits_of_whole_points_on_many_groups(groups, most, rng):
    walk = Walk(ter.BlockObjective(bumpy, groups, DATA), rng.normal(size=2500))
    walk_randomly(walk, rng, steps=40 if most < 100 else 8, most=most)


def test_moves_have_the_bits_of_whole_points_for_terms_with_fast_math(rng):
    @numba.njit(fastmath=True)
    def term(z, k, data):
        return (np.sin(z) * np.exp(-z * z) / (1.0 + z[0])).sum() + z[0] + z[1] - z[0]

    walk_randomly(Walk(ter.BlockObjective(term, chain(300, 3)), rng.normal(size=300)), rng, steps=40, most=20)


@given(structures(), st.integers(0, 2**32 - 1))
def test_values_have_the_bits_of_the_plain_twin(structure, seed):
    groups, dimension = structure
    X = np.random.default_rng(seed).normal(size=(3, dimension))
    problem = ter.Problem(ter.BlockObjective(bumpy, groups, DATA), ter.box(-9, 9, dimension=dimension))
    expected = [block_value(bumpy.py_func, groups, DATA, x) for x in X]
    assert problem(X).tolist() == [problem(x) for x in X] == expected


def test_each_touched_term_is_evaluated_once():
    @numba.njit
    def counting(z, k, data):
        data[k] += 1.0
        return z.sum()

    f = ter.BlockObjective(counting, [[0, 1, 2], [1, 2], [2, 3], [4]], np.zeros(4))
    walk, counts = Walk(f, np.zeros(6)), f.data[0]
    for coordinates, touched in (([1, 2], [1, 1, 1, 0]), ([2], [1, 1, 1, 0]), ([3, 4], [0, 0, 1, 1]), ([5], [0] * 4)):
        counts[:] = 0
        walk.move(np.array(coordinates), np.ones(len(coordinates)))
        assert counts.tolist() == touched
        walk.commit(np.array(coordinates), np.ones(len(coordinates)))
        assert counts.tolist() == [2 * n for n in touched]


def test_a_coordinate_named_twice_in_a_move_gets_its_last_value():
    walk = Walk(ter.BlockObjective(bumpy, chain(5), DATA), np.ones(5))
    twice, values = np.array([2, 3, 2]), np.array([7.0, 8.0, 9.0])
    assert walk.move(twice, values) == walk.f(np.array([1.0, 1.0, 9.0, 8.0, 1.0]))


@pytest.mark.parametrize("heuristics", [None, ["ls1"], ["cc"]])
@pytest.mark.parametrize("groups", [chain(40), grid(6)])
def test_a_run_is_the_run_of_the_plain_function(groups, heuristics):
    f = ter.BlockObjective(bumpy, groups, DATA)
    box, options = ter.box(-5, 5, dimension=40), {"budget": 6_000, "rng": 3, "heuristics": heuristics}
    assert same_run(ter.minimize(f, box, **options), ter.minimize(lambda x: f(x), box, **options))
    assert f.incremental


# Exceptions


def outcome(f, box, **options):
    try:
        return ter.minimize(f, box, **options)
    except ValueError as error:
        assert str(error) == "the simulator broke"
        return error.ter_result


@pytest.mark.parametrize("on_error", ["raise", "worst"])
@pytest.mark.parametrize("limits", [(4.0, math.inf), (1.0, 3.0), (-4.0, 0.0), (-math.inf, 0.0)])
@pytest.mark.parametrize("heuristics", [None, ["ls1"], ["cc"]])
def test_exceptions_and_nan_change_nothing(limits, on_error, heuristics):
    """Among these runs are some whose first point, and some whose every point raises an exception."""
    f = ter.BlockObjective(fragile, chain(12), limits)
    box = ter.box(-5, 5, dimension=12)
    options = {"budget": 2_500, "rng": 1, "heuristics": heuristics, "on_error": on_error, "max_failures": 300}
    without_moves = ter.CompiledObjective(f.value, *f.data)
    one, other = outcome(f, box, **options), outcome(without_moves, box, **options)
    assert same_run(one, other)
    assert (one.nfail, one.nonfinite) == (other.nfail, other.nonfinite)
    assert [(e.evaluation, str(e.error)) for e in one.failures] == [
        (e.evaluation, str(e.error)) for e in other.failures
    ]


def test_an_exception_comes_out_of_points_and_rows():
    f = ter.BlockObjective(fragile, chain(3), (0.5, 9.0))
    for evaluate in (lambda: f(np.ones(3)), lambda: f.rows(np.ones((2, 3)))):
        with pytest.raises(ValueError, match="the simulator broke"):
            evaluate()


def test_the_memory_survives_exceptions(rng):
    walk = Walk(ter.BlockObjective(fragile, chain(6), (0.5, 9.0)), np.zeros(6))
    one = np.array([0]), np.array([1.0])
    some = np.array([0, 3]), np.array([0.2, 1.0])
    for coordinates, values in (one, some):
        with pytest.raises(ValueError, match="the simulator broke"):
            walk.move(coordinates, values)
        good = rng.uniform(-1, 0.4, size=coordinates.size)
        assert walk.move(coordinates, good) == walk.f(walk.moved(coordinates, good))


def test_a_point_with_an_exception_can_be_left():
    walk = Walk(ter.BlockObjective(fragile, chain(6), (0.5, 9.0)), np.ones(6))
    with pytest.raises(ValueError, match="the simulator broke"):
        walk.move(np.array([0]), np.zeros(1))  # the fourth term raises its exception still
    both = np.array([0, 3])
    assert walk.move(both, np.zeros(2)) == walk.f(walk.moved(both, np.zeros(2)))
    walk.commit(both, np.zeros(2))
    assert walk.move(np.array([1]), np.zeros(1)) == walk.f(walk.moved([1], 0.0))
    walk.commit(np.array([3]), np.ones(1))  # and entered
    with pytest.raises(ValueError, match="the simulator broke"):
        walk.move(np.array([1]), np.zeros(1))


# Errors


@pytest.mark.parametrize(
    ("term", "message"),
    [
        (bumpy.py_func, "term must be a Numba function, got function; use @numba.njit"),
        (None, "term must be a Numba function, got NoneType"),
        (numba.njit(lambda z, k: z[0]), r"term must take \(z, k, data\) and return one number; Numba refuses <lambda>"),
        (numba.njit(lambda z, k, data: None), r"term must take \(z, k, data\) and return one number"),
        (numba.njit(lambda z, k, data: z), r"term must take \(z, k, data\) and return one number"),
        (numba.njit(lambda z, k, data: (z[0], 1.0)), r"term must take \(z, k, data\) and return one number"),
    ],
)
def test_what_is_no_term_is_refused(term, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        ter.BlockObjective(term, [[0, 1]])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (np.zeros((2, 3)), r"data must be a one-dimensional array, got shape \(2, 3\); use data.ravel\(\)"),
        (3.0, r"data must be a one-dimensional array, got shape \(\)"),
        ("text", "data must hold numbers, got 'text'"),
        ([[1.0], [2.0, 3.0]], "data must hold numbers, got"),
    ],
)
def test_what_is_no_data_is_refused(data, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        ter.BlockObjective(bumpy, [[0, 1]], data)


def test_groups_are_checked():
    with pytest.raises(ter.InvalidArgument, match="a group must name a coordinate once, got 1 twice"):
        ter.BlockObjective(bumpy, [[1, 1]], DATA)


def test_points_that_do_not_fit_are_refused():
    f = ter.BlockObjective(bumpy, [[0, 1], [7]], DATA)
    short = "x must have at least 8 variables, since a group has coordinate 7, got 5; coordinates count from 0"
    for evaluate in (
        lambda: f(np.zeros(5)),
        lambda: f.rows(np.zeros((2, 5))),
        lambda: ter.Problem(f, ter.box(-1, 1, dimension=5))(np.zeros(5)),
        lambda: ter.minimize(f, ter.box(-1, 1, dimension=5), budget=100, rng=1),
    ):
        with pytest.raises(ter.InvalidArgument, match=short):
            evaluate()
    with pytest.raises(ter.InvalidArgument, match=r"x must have shape \(D,\); use rows\(\) for rows of points, got"):
        f(np.zeros((2, 8)))
    with pytest.raises(ter.InvalidArgument, match=r"x must have shape \(n, D\), got \(8,\)"):
        f.rows(np.zeros(8))


def test_a_run_in_a_box_that_is_too_small_reads_nothing_beyond_its_end():
    f = ter.BlockObjective(bumpy, [[0, 1], [70_000]], DATA)
    parts = {"start": f.start, "move": f.move, "commit": f.commit, "memory": f.memory}
    unchecked = ter.CompiledObjective(f.value, *f.data, **parts)
    result = ter.minimize(
        unchecked, ter.box(-1, 1, dimension=5), budget=1_000, rng=1, on_error="worst", max_failures=50
    )
    assert result.nfail == result.nfev >= 50 and result.status == ter.StopReason.FAILURES


@pytest.mark.parametrize("kind", ["whole", "truth", "single", "declared"])
def test_any_number_is_a_term(kind):
    terms = {
        "whole": numba.njit(lambda z, k, data: k),
        "truth": numba.njit(lambda z, k, data: z[0] > 0.0),
        "single": numba.njit(lambda z, k, data: np.float32(z[0])),
        "declared": numba.njit("float64(float64[:], int64, float64[:])")(lambda z, k, data: z[0]),
    }
    expected = {"whole": 1.0, "truth": 2.0, "single": 0.75, "declared": 0.75}
    assert ter.BlockObjective(terms[kind], [[0], [1]])([0.5, 0.25]) == expected[kind]


def test_variables_beyond_the_groups_do_not_matter(rng):
    f = ter.BlockObjective(bumpy, [[1, 2]], DATA)
    x = rng.normal(size=5)
    walk = Walk(f, x)
    for i in (0, 3, 4):
        assert walk.move(np.array([i]), np.array([9.0])) == f(x) == f(x[:3])
        walk.commit(np.array([i]), np.array([9.0]))


def test_what_was_passed_is_copied():
    data, groups = DATA.copy(), chain(5)
    f = ter.BlockObjective(bumpy, groups, data)
    before = f(np.ones(5))
    data[:], groups[:] = 0, 0
    assert f(np.ones(5)) == before
    assert repr(f) == "BlockObjective(bumpy, 4 groups of at most 2)"


# Processes and sizes


def test_an_objective_travels_without_its_machine_code(rng):
    f = ter.BlockObjective(bumpy, [[0, 1, 2], [2, 4]], DATA)
    sent = pickle.dumps(f)
    assert int(f.data[1][0]).to_bytes(8, "little") not in sent  # the address of the term
    back, x = pickle.loads(sent), rng.normal(size=6)
    assert back(x) == f(x) and back.memory == f.memory
    assert back.groups.members.tolist() == [0, 1, 2, 2, 4]


@pytest.mark.slow
def test_workers_change_nothing():
    f = ter.BlockObjective(bumpy, chain(30), DATA)
    box = ter.box(-5, 5, dimension=30)
    alone, together = (ter.minimize(f, box, budget=2_000, rng=1, workers=workers) for workers in (1, 2))
    assert same_run(alone, together)


def test_memory_is_linear():
    def size(dimension):
        f = ter.BlockObjective(bumpy, chain(dimension), DATA)
        return f.memory + f.data[1].size

    assert size(100_000) / size(1_000) == pytest.approx(100, rel=0.01)
    assert size(100_000) < 12 * 100_000


def test_a_hundred_thousand_variables():
    f = ter.BlockObjective(bumpy, chain(100_000), DATA)
    result = ter.minimize(f, ter.box(-5, 5, dimension=100_000), budget=20_000, rng=1, heuristics=["ls1", "cc"])
    assert result.fun == f(result.x) and result.nfev == 20_000


ALONE = """
import json
import numba
import numpy as np
import ter
from numba.core import event
from numba.core.runtime import rtsys

compiled = []

class Note(event.Listener):
    def on_start(self, event):
        function = event.data["dispatcher"]
        if function.__module__.split(".")[0] in ("ter", "__main__"):
            compiled.append(function.__name__)
    def on_end(self, event):
        pass

event.register("numba:compile", Note())

@numba.njit
def term(z, k, data):
    if z[0] > 4.0:
        raise ValueError("no")
    return (z * z).sum()

@numba.njit(cache=True)
def cached(z, k, data):
    return np.abs(z).sum()

groups = [[k, k + 1] for k in range(9)]
box = ter.box(-5, 5, dimension=10)
for f in (ter.BlockObjective(term, groups), ter.BlockObjective(cached, groups)):
    ter.minimize(f, box, budget=300, rng=1, on_error="worst", heuristics=["ls1"])
    ter.Problem(f, box)(np.zeros((2, 10)))

def held():
    stats = rtsys.get_allocation_stats()
    return stats.alloc - stats.free

f = ter.BlockObjective(term, groups)
x, memory = np.zeros(10), np.zeros(f.memory)
f.start(x, memory, *f.data)
before = held()
for coordinates in (np.array([0]), np.array([0, 5, 7])):
    for _ in range(100):
        try:
            f.move(x, memory, *f.data, coordinates, np.full(coordinates.size, 4.5))
        except ValueError:
            pass
moves = held() - before
for _ in range(100):
    try:
        f(np.full(10, 4.5))
    except ValueError:
        pass
print(json.dumps({"compiled": compiled, "moves": moves, "points": held() - before - moves}))
"""


@pytest.mark.slow
def test_a_second_process_compiles_only_the_term_and_exceptions_leave_no_arrays_behind(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(ALONE)
    environment = os.environ | {"NUMBA_NRT_STATS": "1"}
    first, second = (
        json.loads(subprocess.run([sys.executable, script], env=environment, stdout=-1, text=True, check=True).stdout)
        for _ in range(2)
    )
    assert {"term", "cached"} <= set(first["compiled"])  # the script is new; kernels of the package may not be
    assert second["compiled"] == ["term"]
    assert second["moves"] == 0
    assert second["points"] <= 100  # the variables of one group, since the exception must be the term's own
