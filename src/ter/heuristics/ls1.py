"""LS1: the first local search of MTS, a sweep over the coordinates with a shrinking step.

For each coordinate in turn: one step down; if that is not better, half a step up; keep what improves. A sweep without
any improvement halves the step.

References
----------
.. [1] L.-Y. Tseng, C. Chen, "Multiple trajectory search for large scale global optimization", CEC 2008.
.. [2] A. LaTorre, S. Muelas, J.-M. Peña, "Multiple offspring sampling in large scale global optimization", CEC 2012.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ter._jit import kernel
from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.core.ledger import COUNT, LIMIT, PAUSE, Integers, Walk
from ter.engines.compiled import compile_sequential
from ter.heuristics.checks import require_in

__all__ = ["LS1", "LS1State", "sweep"]

# Every move of so many sweeps in a row was void (fixed variables, or a box as narrow as rounding): give up.
# A step passes from its first value to the smallest in 50 halvings, so each step was tried at least once.
IDLE_SWEEPS = 60


@dataclass
class LS1State:
    """What LS1 keeps between its initiations."""

    steps: Vector  # step of each coordinate, in units of the variables
    order: Integers  # coordinates in the order of the sweep under way
    gains: Vector  # what each coordinate improved when it was last visited
    cursor: Integers  # next position in `order`; whether the sweep improved anything so far


@dataclass(frozen=True)
class LS1:
    """MTS-LS1: sweep over the coordinates with a shrinking step.

    Parameters
    ----------
    step : (float, float)
        The first step is drawn from this interval, as a fraction of the box's scale (the range, unless the answer is
        known to be near the start); in (0, 1].
    smallest : float
        When a step falls below this it is drawn anew; a fraction of the scale, or absolute if `scalar`.
    scalar : bool
        One step for all coordinates, a fraction of the mean range, as in the paper; otherwise each coordinate has a
        step of its own, a fraction of its own range, halved when that coordinate fails.
    evaluations : float
        Evaluations per initiation and variable.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float(abs(x).sum()), ter.box(-1, 1, dimension=5), budget=2_000, rng=1,
    ...                       heuristics=["ls1"])
    >>> result.fun < 1e-6
    True
    """

    step: tuple[float, float] = (0.2, 0.2)
    smallest: float = 1e-15
    scalar: bool = False
    evaluations: float = 25.0
    name: str = "ls1"

    def __post_init__(self) -> None:
        for end in self.step:
            require_in("step", end, low=0.0, high=1.0, open_low=True)
        require_in("step[1]", self.step[1], low=self.step[0], high=1.0)
        require_in("smallest", self.smallest, low=0.0, high=1.0, open_low=True)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation."""
        return max(1, int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> LS1State:
        """Draw the first steps; the first sweep begins with the first initiation."""
        dimension = box.dimension
        return LS1State(
            steps=self._draw(box, rng),
            order=np.arange(dimension),
            gains=np.zeros(dimension),
            cursor=np.array([dimension, 1]),  # as if a sweep that improved had just ended
        )

    def act(self, state: LS1State, allowance: Allowance, rng: np.random.Generator) -> LS1State:
        """Go on with the sweep under way, then sweep again until the allowance is used up."""
        box = allowance.box
        smallest = np.full(box.dimension, self.smallest) if self.scalar else self.smallest * box.scale
        idle = 0
        while allowance.remaining and idle < IDLE_SWEEPS:
            if state.cursor[0] >= box.dimension:
                self._next_sweep(state, box, smallest, rng)
            before = allowance.remaining
            allowance.run(
                sweep, state.order, state.cursor, state.steps, state.gains, box.lower, box.upper, not self.scalar
            )
            idle = idle + 1 if allowance.remaining == before else 0
        return state

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the sweep; around other objectives it runs as Python."""
        if not compiled:
            return
        box = Box(np.zeros(1), np.ones(1))
        state = self.start(box, np.random.default_rng(0))
        args = (state.order, state.cursor, state.steps, state.gains, box.lower, box.upper, not self.scalar)
        compile_sequential(sweep, args)

    def _next_sweep(self, state: LS1State, box: Box, smallest: Vector, rng: np.random.Generator) -> None:
        if self.scalar and not state.cursor[1]:
            state.steps *= 0.5
        exhausted = state.steps < smallest
        if exhausted.any():
            state.steps[exhausted] = self._draw(box, rng)[exhausted]
        state.order[:] = np.argsort(-state.gains, kind="stable")
        state.cursor[:] = 0

    def _draw(self, box: Box, rng: np.random.Generator) -> Vector:
        low, high = self.step
        if self.scalar:
            return np.full(box.dimension, (low + (high - low) * rng.random()) * float(np.mean(box.scale)))
        return (low + (high - low) * rng.random(box.dimension)) * box.scale


@kernel
def sweep(
    probe: Callable[[Walk, int, float], float],
    accept: Callable[[Walk, int, float, float], None],
    walk: Walk,
    order: Integers,
    cursor: Integers,
    steps: Vector,
    gains: Vector,
    lower: Vector,
    upper: Vector,
    own_steps: bool,
) -> None:
    """Visit coordinates from ``order[cursor[0]]`` on; `cursor` tells where to go on and whether anything improved."""
    ledger = walk.ledger
    while cursor[0] < order.shape[0] and ledger[COUNT] < ledger[LIMIT] and ledger[COUNT] < ledger[PAUSE]:
        i = order[cursor[0]]
        cursor[0] += 1
        before = walk.y[0]
        x = walk.x[i]
        better = False
        level = False
        down = max(x - steps[i], lower[i])
        if down != x:  # at the bound the move is void: try the other side at once
            y = probe(walk, i, down)
            better = y < before
            level = y == before and before < math.inf
            if better:
                accept(walk, i, down, y)
        if not better and not level:
            up = min(x + 0.5 * steps[i], upper[i])
            if up != x and ledger[COUNT] < ledger[LIMIT]:
                y = probe(walk, i, up)
                better = y < before
                if better:
                    accept(walk, i, up, y)
        gains[i] = before - walk.y[0] if better else 0.0
        if better:
            cursor[1] = 1
        elif own_steps:
            steps[i] *= 0.5
