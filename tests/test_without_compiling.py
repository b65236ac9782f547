"""With Numba's compiler off everything runs as Python, slowly, and gives the bits of the compiled code."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import ter
from ter.benchmarks import elementary, instructions
from ter.testing.rehearsal import patchy
from tests.spies import ENGINES, minimize_on

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
# Every base function, transform, rotation and overlap of the suites; the others take long.
FUNCTIONS = {
    **{f"lso08/f{n}": 40 for n in range(1, 7)},
    **{f"lso10/f{n}": None for n in (4, 6, 7, 13, 19)},
    **{f"lso13/f{n}": None for n in (3, 7, 12, 14)},
    "digits": 85,
    "lennard-jones": 15,
    "deblurring": 64,
    "dispatch": 48,
    "trajectory": 20,
}
ARGUMENTS = [0.0, -0.0, 0.3, -0.3, 1.0, 2.5, 17.0, -1e-5, 1e-310, 700.0, -709.0, 1e9, 1e300, math.inf, -math.inf]


@numba.njit
def link(z: Any, k: int, data: Any) -> float:
    return (z[0] - data[k]) ** 2 + abs(z[1])


def rippled(x: Any) -> float:
    return float((x * x - 10 * np.cos(2 * math.pi * x)).sum())


def bits(numbers: Any) -> str:
    """The bits of all numbers; those of NaN do not count."""
    values = np.asarray(numbers, dtype=np.float64)
    return np.where(np.isnan(values), np.nan, values).tobytes().hex()


def told(result: ter.Result) -> list[Any]:
    return [bits(result.x), bits(result.fun), bits(result.curve), result.nfev, list(result.sequence)]


def of_runs() -> dict[str, Any]:
    box = ter.box(-5, 5, dimension=6)
    outcomes = {engine: told(minimize_on(engine, box, budget=700, rng=1)) for engine in ENGINES}
    sansde = [ter.heuristics.CC(group=3, inner="sansde"), "gs"]
    outcomes["sansde"] = told(minimize_on("compiled moving", box, budget=400, rng=1, heuristics=sansde))
    others = [ter.heuristics.CSO(swarm=8), ter.heuristics.DECCD(population=5, group=3)]
    others.append(ter.heuristics.CCCMAES(group=3, population=6, depth=24))
    for heuristic in others:
        outcomes[heuristic.name] = told(minimize_on("compiled moving", box, budget=400, rng=1, heuristics=[heuristic]))
    wide = ter.box(-5, 4.3, dimension=40)  # enough variables for lines to look for ripples
    for fun in (rippled, patchy):
        outcomes[fun.__name__] = told(ter.minimize(fun, wide, budget=1_200, rng=1, heuristics=["lines"]))
    terms = ter.BlockObjective(link, [[i, i + 1] for i in range(5)], np.arange(5.0))
    return outcomes | {"terms": told(ter.minimize(terms, box, budget=700, rng=1))}


def of_problems() -> dict[str, Any]:
    """A value, and a few steps of a walk: the memory, a move, and the memory after it."""
    outcomes = {}
    for name, dimension in FUNCTIONS.items():
        problem = ter.problem(name, dimension=dimension)
        objective, rng = problem.fun, np.random.default_rng(1)
        x, values = (rng.uniform(problem.lower, problem.upper) for _ in range(2))
        memory, where = np.zeros(objective.memory), np.array([2, 7])
        objective.start(x, memory, *objective.data)
        y = objective.move(x, memory, *objective.data, where, values[where])
        objective.commit(x, memory, *objective.data, where, values[where])
        x[where] = values[where]
        outcomes[name] = [bits(y), bits(problem(x))]
    return outcomes


def of_elementary_functions() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    arguments = [*ARGUMENTS, *rng.uniform(-20, 20, 40).tolist()]
    unary = ("log", "exp", "sin", "cos", "sinpi", "cospi", "oscillate")
    outcomes = {name: bits([getattr(elementary, name)(x) for x in arguments]) for name in unary}
    return outcomes | {
        name: bits([getattr(elementary, name)(x, 0.137) for x in arguments]) for name in ("power", "oscillate_skew")
    }


def in_python(outcomes: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What a function of this module returns in a process in which nothing is compiled."""
    code = f"import json; from tests.{Path(__file__).stem} import *; print(json.dumps({outcomes.__name__}()))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("outcomes", [of_runs, of_problems, of_elementary_functions], ids=lambda f: f.__name__)
def test_python_gives_the_bits_of_compiled_code(outcomes):
    assert in_python(outcomes) == outcomes()


def test_nothing_is_compiled_then():
    code = "import ter, ter._jit; from tests.spies import bowl; print(ter._jit.COMPILING, type(bowl).__name__)"
    for switch, expected in (("1", "False function"), ("0", "True CPUDispatcher")):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"NUMBA_DISABLE_JIT": switch},
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert done.stdout.strip() == expected, done.stderr


@pytest.mark.parametrize(
    ("a", "b", "c"),
    [(0.1, 10.0, -1.0), (1e308, 10.0, -1.0), (-1e308, 10.0, 0.0), (0.0, -1.0, -0.0), (math.inf, 0.0, 1.0), (1, 2, 3)],
)
def test_the_twin_of_a_fused_multiply_add_rounds_once(a, b, c):
    compiled = numba.njit(lambda a, b, c: instructions.fma(a, b, c))
    assert bits(instructions.fused(float(a), float(b), float(c))) == bits(compiled(float(a), float(b), float(c)))
