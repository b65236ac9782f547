"""``ter.check``: right objectives of all kinds pass, and each breach is found and explained."""

from __future__ import annotations

import threading

import numba
import numpy as np
import pytest

import ter
from ter.problems import PROBLEMS
from tests.spies import ENGINES, CompiledSpy, RowsSpy, bowl, spy_on

BOX = ter.box(-5, 5, dimension=8)
WEIGHTS = np.random.default_rng(0).normal(size=(8, 8))


def outcomes(checked: ter.Checked) -> dict[str, str]:
    return {finding.name: finding.outcome for finding in checked.findings}


def broken(checked: ter.Checked) -> dict[str, str]:
    return {finding.name: finding.seen for finding in checked.broken}


class Squares:
    """A sum of squares with moves: right, as long as nobody overrides a method."""

    def __call__(self, x):
        return self.total(x * x)

    def total(self, terms):
        total = 0.0
        for term in terms.tolist():
            total += term
        return total

    def start(self, x):
        return [x, x * x]

    def move(self, base, coordinates, values):
        terms = base[1].copy()
        terms[coordinates] = values**2
        return self.total(terms)

    def commit(self, base, coordinates, values):
        base[0][coordinates] = values
        base[1][coordinates] = values**2


# What passes


@pytest.mark.parametrize("engine", ENGINES)
def test_right_objectives_of_every_kind_pass(engine):
    spy = bowl if engine == "numba" else spy_on(engine, BOX)
    fun = spy.objective if isinstance(spy, CompiledSpy) else spy
    checked = ter.check(fun, BOX, rng=1, vectorized=isinstance(spy, RowsSpy))
    assert checked.ok and bool(checked), checked
    moving = "kept" if "moving" in engine else "skipped"
    compiled = "kept" if engine in ("numba", "compiled", "compiled moving") else "skipped"
    rows = "kept" if compiled == "kept" or engine == "vectorized" else "skipped"
    expected = {"rows": rows, "moves": moving, "commits": moving, "compiled": compiled, "workers": "kept"}
    assert outcomes(checked) == {"values": "kept", "repeats": "kept", "argument": "kept"} | expected
    checked.raise_if_broken()


@numba.njit
def link(z, k, data):
    return (z[0] - data[k]) ** 2 + abs(z[1])


def test_a_block_objective_passes_and_is_compared_with_its_terms_as_python():
    terms = ter.BlockObjective(link, [[i, i + 1] for i in range(7)], np.arange(7.0))
    checked = ter.check(terms, BOX, rng=1)
    assert checked.ok and outcomes(checked)["compiled"] == "kept"


@pytest.mark.slow
@pytest.mark.parametrize("name", PROBLEMS)
def test_every_problem_that_can_be_named_passes(name):
    checked = ter.check(ter.problem(name), rng=1, evaluations=150)
    assert checked.ok, checked


def test_further_arguments_and_given_points_are_tried():
    seen = []

    def shifted(x, shift):
        seen.append(x.copy())
        return float(((x - shift) ** 2).sum())

    assert ter.check(shifted, BOX, args=(0.5,), x0=np.full(8, 0.25), rng=1)
    assert any((x == 0.25).all() for x in seen)


# What it costs


@pytest.mark.parametrize("evaluations", [100, 101, 500, 1234])
@pytest.mark.parametrize("engine", ["python", "vectorized", "moving", "compiled moving"])
def test_no_more_is_spent_than_told(engine, evaluations):
    spy = spy_on(engine, BOX)
    fun = spy.objective if isinstance(spy, CompiledSpy) else spy
    checked = ter.check(fun, BOX, rng=1, vectorized=engine == "vectorized", evaluations=evaluations)
    assert evaluations / 2 < spy.calls <= checked.evaluations <= evaluations
    assert spy.outside == []


def test_the_same_seed_gives_the_same_table():
    tables = [str(ter.check(Squares(), BOX, rng=seed)) for seed in (1, 1)]
    assert tables[0] == tables[1] and "seed 1" in tables[0]


# What is found


class MovesForget(Squares):
    def move(self, base, coordinates, values):
        return super().move(base, coordinates, values) - 1.0


class SeveralAreWrong(Squares):
    def move(self, base, coordinates, values):
        return super().move(base, coordinates[:1], values[:1])


class MovesCommit(Squares):
    def move(self, base, coordinates, values):
        base[1][coordinates] = values**2
        return self.total(base[1])


class SortsCoordinates(Squares):
    def move(self, base, coordinates, values):
        value = super().move(base, coordinates, values)
        coordinates.sort()
        return value


@pytest.mark.parametrize("kind", [MovesForget, SeveralAreWrong, MovesCommit])
def test_wrong_moves_are_found(kind):
    assert "moves" in broken(ter.check(kind(), BOX, rng=1))


def test_what_a_move_does_to_its_copy_of_the_coordinates_does_not_matter():
    assert not broken(ter.check(SortsCoordinates(), BOX, rng=1))


@pytest.mark.parametrize("end", [0, 1999])
def test_the_ends_of_a_long_vector_are_tried(end):
    class EndIsWrong(Squares):
        def move(self, base, coordinates, values):
            return super().move(base, coordinates, values) + float(coordinates.tolist() == [end])

    assert "moves" in broken(ter.check(EndIsWrong(), ter.box(-5, 5, dimension=2000), rng=1))


class CommitsForget(Squares):
    def commit(self, base, coordinates, values):
        base[0][coordinates] = values


class OneBaseForAll(Squares):
    """Keeps in itself what belongs into the base: right as long as there is one walk only."""

    def start(self, x):
        self.base = super().start(x)

    def move(self, base, coordinates, values):
        return super().move(self.base, coordinates, values)

    def commit(self, base, coordinates, values):
        super().commit(self.base, coordinates, values)


@pytest.mark.parametrize("kind", [CommitsForget, OneBaseForAll])
def test_wrong_commits_are_found_though_moves_are_right(kind):
    assert set(broken(ter.check(kind(), BOX, rng=1))) == {"commits"}


class Drifting(Squares):
    def start(self, x):
        return [x, self(x)]

    def move(self, base, coordinates, values):
        return base[1] - float((base[0][coordinates] ** 2).sum()) + float((values**2).sum())

    def commit(self, base, coordinates, values):
        base[1] = self.move(base, coordinates, values)
        base[0][coordinates] = values


def test_rounding_is_told_apart_and_may_be_tolerated():
    checked = ter.check(Drifting(), BOX, rng=1)
    assert set(broken(checked)) == {"moves", "commits"}
    assert all("the differences are rounding" in finding.cure for finding in checked.broken)
    assert ter.check(Drifting(), BOX, rng=1, tolerance=1e-9)


def test_rows_that_depend_on_their_block_are_found_and_explained():
    checked = ter.check(lambda X: ((X @ WEIGHTS) ** 2).sum(axis=1), BOX, rng=1, vectorized=True)
    (finding,) = checked.broken
    assert finding.name == "rows" and "block" in finding.seen and "number of workers" in finding.cure
    assert ter.check(lambda X: (np.einsum("ij,jk->ik", X, WEIGHTS) ** 2).sum(axis=1), BOX, rng=1, vectorized=True)


def test_rows_that_know_their_neighbours_are_found():
    def ranked(X):
        return X.sum(axis=1) - X.sum(axis=1).min()

    assert "rows" in broken(ter.check(ranked, BOX, rng=1, vectorized=True))


def test_noise_and_memory_between_calls_are_found():
    rng = np.random.default_rng(1)
    assert "repeats" in broken(ter.check(lambda x: float(x.sum() + rng.normal()), BOX, rng=1))
    last = [0.0]

    def remembers(x):  # the middle of the box is tried first: in the same order, values would be the same again
        before, last[0] = last[0] if x.any() else 0.0, float(x[0])
        return float(x.sum()) + before

    assert "repeats" in broken(ter.check(remembers, BOX, rng=1))


def test_what_cannot_be_sent_to_workers_is_found():
    lock = threading.Lock()

    def locked(x):
        with lock:
            return float(x.sum())

    seen = broken(ter.check(locked, BOX, rng=1))
    assert set(seen) == {"workers"} and "cannot pickle" in seen["workers"]


class LosesItsScale(Squares):
    scale = 1.0

    def __init__(self):
        self.scale = 2.0

    def __call__(self, x):
        return self.scale * super().__call__(x)

    def __getstate__(self):
        return {}

    start = None  # no moves


def test_a_copy_with_other_values_is_found():
    assert set(broken(ter.check(LosesItsScale(), BOX, rng=1))) == {"workers"}


@numba.njit
def writes(x, floats, ints):
    x[0] = 0.0
    return x.sum()


def test_a_compiled_objective_that_writes_to_its_point_is_found():
    assert "argument" in broken(ter.check(ter.CompiledObjective(writes), BOX, rng=1))


@numba.njit
def plus_first(x, floats, ints):
    return x.sum() + floats[0]


@numba.njit
def nothing(x, memory, floats, ints):
    pass


@numba.njit
def one_move(x, memory, floats, ints, coordinates, values):
    point = x.copy()
    point[coordinates] = values
    return point.sum() + floats[0] + floats[1]


@numba.njit
def many_moves(x, memory, floats, ints, coordinates, V, out):
    for r in range(out.size):
        out[r] = one_move(x, memory, floats, ints, coordinates, V[r]) - floats[1] + floats[2]


@numba.njit
def no_commit(x, memory, floats, ints, coordinates, values):
    pass


@numba.njit
def many_values(X, floats, ints, out):
    for r in range(out.size):
        out[r] = X[r].sum() + floats[0] + floats[3]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "found"),
    [(None, set()), (1, {"moves"}), (2, {"moves", "commits"}), (3, {"rows", "moves", "commits", "compiled"})],
    ids=["none", "move", "moves", "values"],
)
def test_each_function_of_a_compiled_objective_is_tried(wrong, found):
    floats = np.array([1.0, 0.0, 0.0, 0.0])
    if wrong is not None:
        floats[wrong] = 64.0
    objective = ter.CompiledObjective(
        plus_first, floats, start=nothing, move=one_move, commit=no_commit, moves=many_moves, values=many_values
    )
    assert set(broken(ter.check(objective, BOX, rng=1, tolerance=1e-9))) == found


FACTOR = 1.0


@numba.njit
def frozen(x):
    return FACTOR * x.sum()


def test_a_global_that_changed_after_compiling_is_found(monkeypatch):
    assert ter.check(frozen, BOX, rng=1)
    monkeypatch.setitem(globals(), "FACTOR", 3.0)
    assert set(broken(ter.check(frozen, BOX, rng=1))) == {"compiled"}


def test_exceptions_and_what_is_no_number_are_findings():
    def breaks(x):
        if x[0] > 2:
            raise ValueError("no mesh")
        return 1.0

    checked = ter.check(breaks, BOX, rng=1)
    assert "ValueError: no mesh" in broken(checked)["values"]
    assert {finding.outcome for finding in checked.findings[1:]} == {"skipped"}
    assert "must return one number per point, got str" in broken(ter.check(lambda x: "text", BOX, rng=1))["values"]


def test_exceptions_in_moves_are_findings():
    class Breaks(Squares):
        def commit(self, base, coordinates, values):
            raise KeyError("base")

    assert "KeyError: 'base'" in broken(ter.check(Breaks(), BOX, rng=1))["commits"]


# What is only told


def test_values_that_are_not_finite_are_told_and_break_no_rule():
    checked = ter.check(lambda x: float("nan") if x[0] > 0 else float(x.sum()), BOX, rng=1)
    assert checked.ok and "NaN or infinite at" in checked.findings[0].seen


@pytest.mark.parametrize("vectorized", [False, True])
def test_a_python_function_may_write_to_its_point_or_keep_it(vectorized):
    kept = []

    def overwrites(x):
        x[:] = x**2
        return x.sum(axis=-1)

    def keeps(x):
        kept.append(x)
        return x.sum(axis=-1)

    checks = [ter.check(fun, BOX, rng=1, vectorized=vectorized) for fun in (overwrites, keeps)]
    told = [next(f.seen for f in checked.findings if f.name == "argument") for checked in checks]
    assert all(checks) and "written to" in told[0] and "kept" in told[1]


# What it says


def test_the_table_names_the_rule_what_was_seen_and_the_cure():
    checked = ter.check(MovesForget(), BOX, rng=1)
    text = str(checked)
    assert text == repr(checked) and text.startswith("the objective: 2 rules broken\n")
    assert "moves      BROKEN    rule: a move has the value of a full evaluation of the moved point" in text
    assert "seen: 50 of 50 differ; a" in text and "by move" in text and "in full" in text
    assert "cure: make move(base, coordinates, values) the value of x with x[coordinates] = values" in text
    with pytest.raises(ter.ObjectiveError, match=r"the objective must keep the rules, see the table\nthe objective: 2"):
        checked.raise_if_broken()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"evaluations": 99}, "evaluations must be a whole number >= 100, got 99"),
        ({"evaluations": 150.5}, "evaluations must be a whole number >= 100, got 150.5"),
        ({"tolerance": -1.0}, "tolerance must be a number >= 0, got -1.0; 0 asks for the same bits"),
        ({"tolerance": float("nan")}, "tolerance must be a number >= 0, got nan"),
        ({"rng": -1}, "rng must be a non-negative integer"),
        ({"x0": np.full(8, 9.0)}, "x0 must lie in the box"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_evaluated(words, message):
    spy = spy_on("python", BOX)
    with pytest.raises(ter.InvalidArgument, match=message):
        ter.check(spy, BOX, **words)
    assert spy.calls == 0
