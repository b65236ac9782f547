"""An evolution strategy with a mean of its own as a heuristic: where it begins, restarts, and follows others."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.engines.compiled import compile_batches
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.evolution_strategy import (
    EVALUATED,
    GENERATION,
    LOWEST,
    PATH,
    SIGMA,
    STALLED,
    TRAIL,
    Rates,
    Strategy,
    adapt,
    draw,
    generate,
    make_strategy,
)
from ter.heuristics.first_look import FirstLook, Look
from ter.heuristics.ma_es import LARGEST
from ter.heuristics.ruggedness import CurvatureLook
from ter.heuristics.splitmix import RandomState, seed_random
from ter.heuristics.subspace import EVERYTHING, Matrix, Subspace

__all__ = ["Descents", "DescentsState"]

ROOM = 2**25  # numbers in a population: it does not double beyond
WIDER = 10.0  # at an incumbent of others: the first rung of the ladder, in step sizes


@dataclass
class DescentsState:
    """A strategy under way, and how it does.

    Attributes
    ----------
    random : array
        Its random numbers are its own, so that it does not matter where initiations end.
    strategy, points, values : Strategy and arrays, or None
        None before the first initiation.
    restarts : int
        How often it has restarted.
    best : float
        The best value that it has seen, where it began included.
    gain : float
        What its last initiation improved `best` by.
    first : FirstLook
        Whether it has looked first, and fits.
    """

    random: RandomState
    strategy: Strategy | None = None
    points: Matrix | None = None
    values: Vector | None = None
    restarts: int = 0
    best: float = math.inf
    gain: float = math.inf
    first: FirstLook = field(default_factory=FirstLook)

    @property
    def remark(self) -> str:
        """Say that it waits, or explores after a restart: what it finds is not yet better than what is known."""
        if self.first.waiting:
            return self.first.reason
        lowest = math.inf if self.strategy is None else self.strategy.floats[LOWEST]
        return f"restart {self.restarts}" if self.restarts and lowest > self.best else ""


@dataclass(frozen=True)
class Descents:
    """What sep-CMA-ES and Rm-ES have in common.

    The mean is the strategy's own: it begins at the incumbent, and what others find does not move it. If others have
    left it behind, it goes to the incumbent, with its scales and directions, and finds its step size on a ladder.
    That is so when the incumbent is better than its own best by more than its last initiation gained.

    When a generation's values differ by no more than 1e-12 of their size for ten generations, the descent is over. It
    restarts with twice the population and its first step size, from its own mean, or from the incumbent if others have
    improved that. Until it beats the incumbent it is left alone, however much others find.

    Points outside the box are mirrored at its borders; the strategy goes on with the steps it drew.
    """

    population: int | None = None
    largest: int = 480
    spread: float = 0.3
    evaluations: float = 25.0
    name: str = ""
    looks_first: bool = False

    kept_directions: ClassVar[int] = 0

    def __post_init__(self) -> None:
        if self.population is not None:
            require_whole("population", self.population, low=4)
        require_whole("largest", self.largest, low=4)
        require_in("spread", self.spread, low=0.0, high=LARGEST, open_low=True)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)

    def size(self, dimension: int, restarts: int = 0) -> int:
        """Points per generation after so many restarts; at first ``4 + floor(3 ln D)`` unless `population` is given."""
        size = 4 + int(3 * math.log(dimension)) if self.population is None else self.population
        for _ in range(restarts):
            if 2 * size <= self.largest and 2 * size * dimension <= ROOM:
                size *= 2
        return size

    def rates(self, dimension: int, size: int, *, ladder: bool) -> Rates:
        """How the strategy adapts."""
        raise NotImplementedError

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation; enough for two generations at least."""
        return max(2 * self.size(dimension), int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> DescentsState:
        """Begin without a strategy."""
        return DescentsState(seed_random(rng))

    @property
    def kind(self) -> type[Look]:
        """What it looks for, if it looks first: functions on which it goes downhill from where it is."""
        return CurvatureLook

    def act(self, state: DescentsState, allowance: Allowance, rng: np.random.Generator) -> DescentsState:
        """Go on from generation to generation, with restarts."""
        if self.looks_first and state.first.ends(self.kind, allowance):
            return state
        subspace = Subspace.of(allowance)
        if state.strategy is None:
            self._begin(state, subspace, allowance.x, restarts=0)
            state.best = allowance.y
        elif self._left_behind(state, allowance.y):
            self._follow(state, allowance)
        before = state.best
        try:
            self._go_on(state, subspace)
        finally:
            state.gain = before - state.best if math.isfinite(before) else math.inf
        return state

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the generations."""
        state, box = DescentsState(np.ones(1, dtype=np.uint64)), (np.zeros(2), np.ones(2), np.ones(2))
        self._begin_in(state, box, np.zeros(2), restarts=0)
        strategy, points, values = _parts(state)
        rates = self.rates(2, len(points), ladder=True)
        if compiled:
            compile_batches(generate, (EVERYTHING, points, values, strategy, rates))
        else:
            adapt(strategy, rates, np.zeros_like(values))

    def _begin(self, state: DescentsState, subspace: Subspace, mean: Vector, *, restarts: int) -> None:
        self._begin_in(state, (subspace.lower, subspace.upper, subspace.scale), mean, restarts=restarts)

    def _begin_in(
        self, state: DescentsState, box: tuple[Vector, Vector, Vector], mean: Vector, *, restarts: int
    ) -> None:
        size = self.size(mean.size, restarts)
        state.strategy = make_strategy(size, self.kept_directions, mean, self.spread, box, state.random)
        state.points, state.values, state.restarts = np.empty((size, mean.size)), np.empty(size), restarts
        draw(state.strategy, self.rates(mean.size, size, ladder=restarts == 0), state.points)

    def _go_on(self, state: DescentsState, subspace: Subspace) -> None:
        allowance = subspace.allowance
        while allowance.remaining:
            strategy, points, values = _parts(state)
            rates = self.rates(strategy.mean.size, len(points), ladder=state.restarts == 0)
            try:
                subspace.run(generate, points, values, strategy, rates)
            finally:
                known = values[: strategy.counters[EVALUATED]].min(initial=math.inf)
                state.best = min(state.best, float(strategy.floats[LOWEST]), float(known))
            if strategy.counters[STALLED]:
                mean = allowance.x if allowance.y < state.best else strategy.mean
                state.best = min(state.best, allowance.y)
                self._begin(state, subspace, mean, restarts=state.restarts + 1)

    @staticmethod
    def _left_behind(state: DescentsState, incumbent: float) -> bool:
        """Tell whether it would need more than one initiation like its last one to reach what others found."""
        strategy, _, values = _parts(state)
        lowest = min(strategy.floats[LOWEST], values[: strategy.counters[EVALUATED]].min(initial=math.inf))
        exploring = state.restarts > 0 and lowest > state.best
        return not exploring and state.best - incumbent > state.gain

    def _follow(self, state: DescentsState, allowance: Allowance) -> None:
        """Go to the incumbent."""
        strategy, points, _ = _parts(state)
        strategy.mean[:], state.best = allowance.x, allowance.y
        strategy.memory[[PATH, TRAIL]] = 0.0
        strategy.counters[[EVALUATED, GENERATION]] = 0
        strategy.floats[LOWEST] = allowance.y
        strategy.floats[SIGMA] = min(self.spread, WIDER * float(strategy.floats[SIGMA]))
        state.restarts = 0
        draw(strategy, self.rates(allowance.dimension, len(points), ladder=True), points)


def _parts(state: DescentsState) -> tuple[Strategy, Matrix, Vector]:
    if state.strategy is None or state.points is None or state.values is None:
        raise AssertionError("no strategy is under way")
    return state.strategy, state.points, state.values
