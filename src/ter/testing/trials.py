"""The rules that an objective must keep, each with a trial that looks for a breach."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ter.core.problem import Problem
from ter.engines.engine import Engine
from ter.objectives.compiled import CompiledObjective
from ter.testing.checked import Finding
from ter.testing.subject import Differences, Subject, probed
from ter.testing.twin import python_twin

__all__ = ["TRIALS", "Trial"]

ADD_IN_ORDER = "the differences are rounding: keep the parts and add them up in a fixed order, not to a running total"


class Trial(NamedTuple):
    """A rule and how it is tried."""

    name: str
    rule: str
    cure: str
    run: Callable[[Subject, Trial, float], Finding]
    skipped: Callable[[Problem, Engine], str]  # why an objective cannot break the rule; empty if it can

    def kept(self, seen: str) -> Finding:
        """Return the finding that nothing was found."""
        return Finding(self.name, self.rule, "kept", seen)

    def broken(self, seen: str, cure: str = "") -> Finding:
        """Return the finding that the rule is broken."""
        return Finding(self.name, self.rule, "broken", seen, cure or self.cure)

    def judged(self, pairs: Differences, first: str, second: str, kept: str, rounding: str = "") -> Finding:
        """Return the finding that follows from pairs of values."""
        if not pairs.differing:
            return self.kept(kept)
        return self.broken(pairs.seen(first, second), rounding if pairs.by_rounding else "")


def _values(subject: Subject, trial: Trial, tolerance: float) -> Finding:
    n = subject.left
    subject.values_one_by_one(subject.points(n))
    bad = subject.evaluator.nonfinite
    if not bad:
        return trial.kept(f"finite at all {n} points")
    return trial.kept(f"NaN or infinite at {bad} of {n} points, which count and never become the best")


def _repeats(subject: Subject, trial: Trial, tolerance: float) -> Finding:
    X, pairs = subject.points(subject.left // 2), Differences(0.0)
    pairs.compare("a point", subject.values_one_by_one(X), subject.values_one_by_one(X[::-1])[::-1])
    return trial.judged(pairs, "at first", "again", f"{len(X)} points had the same values again, in another order")


def _argument(subject: Subject, trial: Trial, tolerance: float) -> Finding:
    changed = kept = False
    points = subject.points(subject.left)
    for point in points:
        x = point[None, :].copy() if subject.problem.vectorized else point.copy()
        before, alive = x.copy(), weakref.ref(x)
        subject.call(x)
        changed = changed or not np.array_equal(x, before)
        del x
        kept = kept or alive() is not None
    if changed and isinstance(subject.problem.fun, CompiledObjective):
        return trial.broken(f"value changed x at one of {len(points)} points")
    if changed:
        return trial.kept("it is written to, which does no harm: each call gets a copy")
    return trial.kept("it is kept, which costs memory: each call gets a copy" if kept else "left as it is")


def _rows(subject: Subject, trial: Trial, tolerance: float) -> Finding:
    n, pairs = subject.left // 3, Differences(tolerance)
    X = subject.points(n)
    together, alone = subject.values(X), subject.values_alone(X)
    halves = np.concatenate([subject.values(X[: n // 3]), subject.values(X[n // 3 :])])
    pairs.compare(f"a row of a block of {n}", together, alone)
    pairs.compare(f"a row of a block of {n}", together, halves)
    return trial.judged(pairs, "there", "alone or in a smaller block", f"{n} rows had the same values in other blocks")


def _moves(subject: Subject, trial: Trial, tolerance: float) -> Finding:
    pairs = Differences(tolerance)
    while subject.left >= 6:
        x = subject.point()
        walk = subject.walk_at(x)
        for name, where, V in subject.moves(x):
            if subject.left < 6:
                break
            given = where.copy(), V.copy()
            rows = np.repeat(x[None, :], len(V), axis=0)
            rows[:, where] = V
            full, moved = subject.values(rows), walk.evaluate_moves(where, V)
            pairs.compare(f"a move of {name}", moved, full)
            if where.size == 1:
                pairs.compare(f"a single move of {name}", [probed(walk, where[0], V[0, 0])], full[:1])
            pairs.compare(f"a move of {name}, asked for again", walk.evaluate_moves(where, V[:1]), full[:1])
            if not all(map(np.array_equal, (where, V, walk.x), (*given, x))):
                return trial.broken(f"a move of {name} changed its arguments", "copy what move changes")
    kept = f"{pairs.compared} moves had the values of full evaluations"
    return trial.judged(pairs, "by move", "in full", kept, ADD_IN_ORDER)


def _commits(subject: Subject, trial: Trial, tolerance: float) -> Finding:
    """Take turns on two walks: a base that is kept in the objective itself would be that of the other one."""
    pairs, rng = Differences(tolerance), subject.rng
    walks = [subject.walk_at(subject.point()) for _ in range(2)]
    steps = [[(where, V[0]) for _, where, V in subject.moves(walk.x)] for walk in walks]
    turn = 0
    while subject.left >= 4:
        walk = walks[turn % 2]
        where, values = steps[turn % 2][turn // 2 % len(steps[turn % 2])]
        aside = rng.integers(walk.dimension, size=1)
        moved, beside = walk.x, walk.x
        moved[where] = values
        beside[where] = values
        beside[aside] = rng.uniform(walk.box.lower[aside], walk.box.upper[aside])
        here, there = subject.values_one_by_one(np.stack([moved, beside]))
        walk.accept(where, values, here)
        after = f"after commit number {turn // 2 + 1}"
        pairs.compare(f"the point itself {after}", walk.evaluate_moves(aside, moved[aside][None, :]), [here])
        pairs.compare(f"a move {after}", walk.evaluate_moves(aside, beside[aside][None, :]), [there])
        turn += 1
    kept = f"{turn} commits on two walks were followed by the values of full evaluations"
    return trial.judged(pairs, "by move", "in full", kept, ADD_IN_ORDER)


def _workers(subject: Subject, trial: Trial, tolerance: float) -> Finding:
    import cloudpickle  # what sends objectives to workers

    problem = subject.problem
    try:
        copy = cloudpickle.loads(cloudpickle.dumps(problem.fun))
    except Exception as error:  # noqa: BLE001 - pickling runs anybody's code
        return trial.broken(f"{type(error).__name__}: {error}")
    X, pairs = subject.points(subject.left // 2), Differences(0.0)
    away = Subject(Problem(copy, problem.box, vectorized=problem.vectorized), len(X), subject.rng)
    pairs.compare("a point", subject.values_one_by_one(X), away.values_one_by_one(X))
    subject.evaluator.count_rows(len(X))
    return trial.judged(pairs, "here", "from a copy", f"its copy had the same values at {len(X)} points")


def _compiled(subject: Subject, trial: Trial, tolerance: float) -> Finding:
    twin = python_twin(subject.problem.fun)
    # Two points, since Python may take seconds for each; its functions round in their own way.
    X, pairs = np.stack([subject.point(), subject.point()]), Differences(1e-6)
    try:
        values = [twin(x.copy()) for x in X]
    except Exception as error:  # noqa: BLE001 - what Numba alone can do, Python refuses in many ways
        return Finding(trial.name, trial.rule, "skipped", f"it cannot run as Python: {type(error).__name__}: {error}")
    subject.evaluator.count_rows(len(X))
    pairs.compare("a point", subject.values_one_by_one(X), values)
    return trial.judged(pairs, "compiled", "as Python", f"{len(X)} points had the same values as Python")


def _never(problem: Problem, engine: Engine) -> str:
    return ""


def _no_rows(problem: Problem, engine: Engine) -> str:
    return "" if problem.vectorized or engine.compiled is not None else "it is called point by point"


def _no_moves(problem: Problem, engine: Engine) -> str:
    return "" if engine.moving else "it has no moves: no start, move and commit"


def _not_compiled(problem: Problem, engine: Engine) -> str:
    return "" if engine.compiled is not None else "it is no Numba function"


TRIALS = (
    Trial(
        "values",
        "every point of the box has a value, one number",
        "return a float at every point of the box, or narrow the box; on_error='worst' goes on after exceptions",
        _values,
        _never,
    ),
    Trial(
        "repeats",
        "the same point has the same value, whatever was evaluated in between",
        "seed what is random inside anew in each call, and keep nothing between calls",
        _repeats,
        _never,
    ),
    Trial("argument", "x is left as it is", "copy x before changing it", _argument, _never),
    Trial(
        "rows",
        "the value of a row does not depend on the block it is in, bit for bit",
        "runs can depend on the number of workers, whose blocks have other sizes; X @ A rounds by the shape of X: "
        "write np.einsum('ij,jk->ik', X, A), or compute row by row",
        _rows,
        _no_rows,
    ),
    Trial(
        "moves",
        "a move has the value of a full evaluation of the moved point, bit for bit, and leaves everything as it is",
        "make move(base, coordinates, values) the value of x with x[coordinates] = values, and let it change nothing",
        _moves,
        _no_moves,
    ),
    Trial(
        "commits",
        "after commits, moves have the values of full evaluations, bit for bit, on each of several walks",
        "let commit change all that start has prepared, and keep it in the base alone: there are several at a time",
        _commits,
        _no_moves,
    ),
    Trial(
        "compiled",
        "a compiled function has the values of its Python source",
        "do not change global variables after compiling, which Numba takes for constants, and index inside the arrays",
        _compiled,
        _not_compiled,
    ),
    Trial(
        "workers",
        "the objective can be pickled, and its copy has the same values; workers=2 and more need it",
        "open files, connections and locks in the call, or leave them out of __getstate__; else keep workers=1",
        _workers,
        _never,
    ),
)
