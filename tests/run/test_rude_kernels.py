"""Sequential kernels of somebody else: they ignore their limit, leave the box, name coordinates that do not exist."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import ter
from ter._jit import kernel
from tests.spies import ENGINES, minimize_spied, same_run, spy_on

SPYING = tuple(engine for engine in ENGINES if engine != "numba")
BOX = ter.box(-1, 2, dimension=3)


@kernel
def endless(probe, accept, walk, step):
    """It never looks at its limit."""
    for k in range(1_000):
        i = k % 3
        v = walk.x[i] - step
        y = probe(walk, i, v)
        if y < walk.y[0]:
            accept(walk, i, v, y)
    return 0


@kernel
def outside(probe, accept, walk, step):
    """It accepts points outside the box, and goes on from there."""
    for k in range(4):
        v = 10.0 * step if k % 2 else -10.0 * step
        y = probe(walk, k % 3, v)
        accept(walk, k % 3, v, y)
    probe(walk, -1, math.nan)
    accept(walk, 0, math.nan, walk.y[0])
    probe(walk, 1, math.inf)
    return 0


@kernel
def nowhere(probe, accept, walk, step):
    probe(walk, 3, step)
    return 0


@kernel
def moved_nowhere(probe, accept, walk, step):
    accept(walk, -4, step, 0.0)
    return 0


@dataclass(frozen=True)
class Rude:
    kernel: Any
    name: str = "rude"

    def cost(self, dimension):
        return 100

    def start(self, box, rng):
        return None

    def act(self, state, allowance, rng):
        while allowance.remaining:
            allowance.run(self.kernel, 0.7)
        return state


@pytest.mark.parametrize("engine", SPYING)
@pytest.mark.parametrize("rude", [endless, outside], ids=["endless", "outside"])
def test_no_kernel_overspends_or_leaves_the_box(rude, engine):
    spy = spy_on(engine, BOX)
    result = minimize_spied(spy, BOX, budget=257, rng=1, heuristics=[Rude(rude)])
    assert spy.calls == result.nfev == 257 and not spy.outside
    assert result.fun == spy.lowest == spy_on("python", BOX)(result.x)
    assert same_run(result, minimize_spied(spy_on("python", BOX), BOX, budget=257, rng=1, heuristics=[Rude(rude)]))


@pytest.mark.parametrize("engine", SPYING)
@pytest.mark.parametrize("rude", [nowhere, moved_nowhere], ids=["probe", "accept"])
def test_a_coordinate_that_does_not_exist_is_refused(rude, engine):
    with pytest.raises(IndexError, match="a coordinate that the point has"):
        minimize_spied(spy_on(engine, BOX), BOX, budget=257, rng=1, heuristics=[Rude(rude)])


class FromTheEnd:
    """Moves of coordinates that are counted from the end, by batch and by hand."""

    name = "from-the-end"

    def __init__(self, last: int) -> None:
        self.last = last

    def cost(self, dimension):
        return 50

    def start(self, box, rng):
        return None

    def act(self, state, allowance, rng):
        for _ in range(10):
            allowance.evaluate_moves([self.last, 0], rng.uniform(-1, 2, (5, 2)))
        allowance.branch(allowance.x, allowance.y).accept([self.last], [0.0], 1.0)
        return state


@pytest.mark.parametrize("engine", SPYING)
def test_coordinates_may_be_counted_from_the_end(engine):
    runs = [minimize_spied(spy_on(engine, BOX), BOX, budget=250, rng=1, heuristics=[FromTheEnd(k)]) for k in (-1, 2)]
    assert same_run(*runs)


@pytest.mark.parametrize("engine", SPYING)
@pytest.mark.parametrize("last", [3, -4])
def test_moves_of_coordinates_that_do_not_exist_are_refused(engine, last):
    with pytest.raises(ter.InvalidArgument, match=r"coordinates must lie in \[0, 2\], got"):
        minimize_spied(spy_on(engine, BOX), BOX, budget=250, rng=1, heuristics=[FromTheEnd(last)])


@kernel
def raising_endless(probe, accept, walk, step):
    """It goes on after exceptions, more often than can be noted."""
    for _ in range(20_000):
        probe(walk, 0, -1.0)
    return 0


@pytest.mark.parametrize("engine", ["compiled", "compiled moving"])
def test_more_exceptions_than_can_be_noted_are_counted_all(engine):
    spy = spy_on(engine, BOX, raise_below=-0.5)
    options = {"x0": np.zeros(3), "on_error": "worst", "max_failures": 10**6, "heuristics": [Rude(raising_endless)]}
    result = minimize_spied(spy, BOX, budget=9_000, rng=1, **options)
    assert spy.calls == result.nfev == 9_000 and result.nfail > 4_096
