"""``ter warm``: compile ahead what runs will need."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from ter.cli.exits import DONE

if TYPE_CHECKING:
    from ter.core.box import Vector
    from ter.core.problem import Problem

__all__ = ["add_to"]

ABOUT = "compile ahead what runs need, so that they start at once"
LABEL = 20  # columns of the label at least
REHEARSAL = 400  # evaluations, in which every heuristic of the default portfolio is started
LONGEST = 10**12  # evaluations: those of the default of long runs

Step: TypeAlias = "tuple[str, Callable[[], None]]"


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "warm",
        help=ABOUT,
        description=f"{ABOUT.capitalize()}. Machine code is kept on this machine: done again, it takes seconds.",
    )
    parser.set_defaults(command=_warm)
    parser.add_argument(
        "problems",
        nargs="*",
        metavar="PROBLEM",
        help="a name of `ter list problems`, module:function or file.py:function, which is not called; by default what "
        "Python functions, Numba functions and the suites need",
    )


def _warm(args: argparse.Namespace) -> int:
    steps = [(name, partial(_prepare, _loaded(name))) for name in args.problems] or _usual()
    width = max(LABEL, *(len(label) + 2 for label, _ in steps))
    started = time.perf_counter()
    for label, do in steps:
        sys.stdout.write(f"{label:<{width}}")
        sys.stdout.flush()
        before = time.perf_counter()
        do()
        sys.stdout.write(_seconds(before))
    if len(steps) > 1:
        sys.stdout.write(f"{'in all':<{width}}{_seconds(started)}")
    return DONE


def _seconds(since: float) -> str:
    from ter.display.texts import time_text

    return f"{time_text(time.perf_counter() - since)}\n"


def _usual() -> list[Step]:
    """What :func:`ter.minimize` needs for functions of the two kinds, and for the suites, which share their code."""
    from numba import njit

    from ter.core.box import box
    from ter.core.problem import Problem

    anything = box(0, 1, dimension=2)
    return [
        ("Python functions", lambda: _rehearse(Problem(_total, anything))),
        ("Numba functions", lambda: _rehearse(Problem(njit(_total), anything))),
        ("suites", _suites),
    ]


def _suites() -> None:
    """Compile what any function of the suites needs; each has its own share of it."""
    from ter.benchmarks.catalogue import SUITES
    from ter.objectives.compiled import objective_of
    from ter.problems import problem

    for function in (function for suite in SUITES.values() for function in suite):
        objective_of(function.fun).functions  # noqa: B018 - compiled when it is asked for
    _rehearse(problem("lso13/f1"))
    _rehearse(problem("lso13/f8"))


def _rehearse(problem: Problem) -> None:
    """Run for a moment: what that compiles is everything, but for what heuristics of long runs need later."""
    from ter.interface.minimize import minimize

    minimize(problem, budget=REHEARSAL, rng=1)
    _prepare(problem)
    problem([problem.lower, problem.upper])


def _loaded(target: str) -> Problem:
    """Make a problem of what `target` names; a function gets any box, since it is not called."""
    from ter.cli.target import load_problem
    from ter.core.box import box
    from ter.core.problem import Problem, as_problem
    from ter.user_code import attribute_named

    if ":" not in target:
        return load_problem(target)
    found = attribute_named(target)
    return as_problem(found, None if isinstance(found, Problem) else box(0, 1, dimension=2), vectorized=False)


def _prepare(problem: Problem) -> None:
    """Compile what the default algorithm needs for a problem."""
    from ter.algorithms.profiles import default_profile
    from ter.core.budget import Budget
    from ter.engines.choose import choose_engine
    from ter.run.warm import warm_up

    engine = choose_engine(problem, stop_at_failure=True)
    for evaluations in (REHEARSAL, LONGEST):
        warm_up(engine, default_profile(problem.dimension, Budget(evaluations=evaluations)).heuristics)


def _total(x: Vector) -> float:
    return float(x.sum())
