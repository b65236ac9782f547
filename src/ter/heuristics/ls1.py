"""LS1: the first local search of MTS, a sweep over the coordinates with a shrinking step.

For each coordinate in turn: one step down; if that is not better, half a step up; keep what improves. A sweep without
any improvement halves the step. The order of the coordinates is that of MTS [1]_, of MOS's reduced search [3]_, of
SHADE-ILS's greedy one [4]_, or by what they gained in the last sweep.

References
----------
.. [1] L.-Y. Tseng, C. Chen, "Multiple trajectory search for large scale global optimization", CEC 2008.
.. [2] A. LaTorre, S. Muelas, J.-M. Peña, "Multiple offspring sampling in large scale global optimization", CEC 2012.
.. [3] A. LaTorre, S. Muelas, J.-M. Peña, "Large scale global optimization: experimental results with MOS-based hybrid
   algorithms", CEC 2013.
.. [4] D. Molina, A. LaTorre, F. Herrera, "SHADE with iterative local search for large-scale global optimization", CEC
   2018.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ter._jit import kernel
from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.core.ledger import BEST, COUNT, LIMIT, PAUSE, Integers, Walk
from ter.engines.compiled import compile_sequential
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.orders import GREEDY, ORDERS, OTHERS, Order, Visits, order_named, stay
from ter.heuristics.steps import Steps

__all__ = ["LS1", "LS1State", "first_cursor", "sweep"]

# Every move of so many sweeps in a row was void (fixed variables, or a box as narrow as rounding): give up.
# A step passes from its first value to the smallest in 50 halvings, so each step was tried at least once.
IDLE_SWEEPS = 60

# Fields of the cursor.
POSITION = 0  # next position in the order
IMPROVED = 1  # whether the sweep under way improved anything so far
BESTS = 2  # moves of the last initiation that were new bests of the run
ACCEPTED = 3  # moves of the last initiation that were accepted
SWEEPS = 4  # that were begun


def first_cursor(dimension: int) -> Integers:
    """Return the cursor before the first sweep: as if a sweep that improved had just ended."""
    return np.array([dimension, 1, 0, 0, 0])


@dataclass
class LS1State(Visits):
    """What LS1 keeps between its initiations, beside the visits of its coordinates."""

    steps: Vector  # step of each coordinate, in units of the variables
    cursor: Integers  # see above

    @property
    def grade(self) -> int:
        """What MTS gives the last initiation: 10 for each new best of the run, 1 for each accepted move."""
        return int(10 * self.cursor[BESTS] + self.cursor[ACCEPTED])

    @property
    def investing(self) -> bool:
        """Whether the first sweep is under way: what it is worth shows when all variables have been visited."""
        return bool(self.cursor[SWEEPS] <= 1 and self.cursor[POSITION] < self.order.size)


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
    order : {"gains", "index", "greedy", "reduced"}
        Which coordinates a sweep visits, and in which order; see :mod:`ter.heuristics.orders`.
    reset : (float, float), optional
        The interval of a step that is drawn anew; by default that of the first one.
    moves : (float, float)
        How far the moves down and up go, in steps; > 0.
    sweeps : int, optional
        The length of an initiation in sweeps instead of evaluations, as MTS counts. A sweep that was cut goes on first.
    others : float
        The share of all coordinates that a sweep in the reduced order visits beside those that gain; in [0, 1].

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float(abs(x).sum()), ter.box(-1, 1, dimension=5), budget=2_000, rng=1,
    ...                       heuristics=["ls1"])
    >>> result.fun < 1e-6
    True

    The search of MTS, and that of MOS 2013:

    >>> mts = LS1(order="index", scalar=True, step=(0.5, 0.5), reset=(0.4, 0.4), sweeps=3)
    >>> mts.cost(1000)
    6000
    >>> mos = LS1(order="reduced", scalar=True, step=(0.5, 0.5), reset=(0.4, 0.4), smallest=1e-14)
    """

    step: tuple[float, float] = (0.2, 0.2)
    smallest: float = 1e-15
    scalar: bool = False
    evaluations: float = 25.0
    name: str = "ls1"
    order: Order = "gains"
    reset: tuple[float, float] | None = None
    moves: tuple[float, float] = (1.0, 0.5)
    sweeps: int | None = None
    others: float = OTHERS

    def __post_init__(self) -> None:
        _ = self._steps  # which checks what it is made of
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)
        order_named(self.order)
        require_in("others", self.others, low=0.0, high=1.0)
        for move in self.moves:
            require_in("moves", move, low=0.0, high=np.inf, open_low=True)
        if self.sweeps is not None:
            require_whole("sweeps", self.sweeps, low=1)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation; the most that it can take if it is counted in sweeps."""
        if self.sweeps is not None:
            return 2 * dimension * self.sweeps
        return max(1, int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> LS1State:
        """Draw the first steps; the first sweep begins with the first initiation."""
        dimension = box.dimension
        return LS1State(
            steps=self._steps.draw(box, rng),
            order=np.arange(dimension),
            gains=np.zeros(dimension),
            cursor=first_cursor(dimension),
            others=self.others,
        )

    def act(self, state: LS1State, allowance: Allowance, rng: np.random.Generator) -> LS1State:
        """Go on with the sweep under way, then sweep again until the allowance is used up."""
        state.cursor[[BESTS, ACCEPTED]] = 0
        if state.forget_greed():
            state.cursor[POSITION] = state.order.size
        idle = swept = 0
        while allowance.remaining and idle < IDLE_SWEEPS and swept != self.sweeps:
            if state.cursor[POSITION] >= state.order.size:
                self._next_sweep(state, allowance.box, rng)
            before = allowance.remaining
            allowance.run(sweep, *self._arguments(state))
            idle = idle + 1 if allowance.remaining == before else 0
            swept += int(state.cursor[POSITION] >= state.order.size)
        return state

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the sweep; around other objectives it runs as Python."""
        state = self.start(Box(np.zeros(1), np.ones(1)), np.random.default_rng(0))
        if self.order == "greedy":
            stay(state.order, state.gains, np.ones(1, dtype=np.int64))
        if compiled:
            compile_sequential(sweep, self._arguments(state))

    @property
    def _steps(self) -> Steps:
        return Steps(self.step, self.reset, self.smallest, self.scalar)

    def _arguments(self, state: LS1State) -> tuple[Integers | Vector | bool | float, ...]:
        """Return what the sweep is called with."""
        down, up = map(float, self.moves)
        own, greedy = not self.scalar, state.phase == GREEDY
        return state.order, state.cursor, state.steps, state.gains, down, up, own, greedy

    def _next_sweep(self, state: LS1State, box: Box, rng: np.random.Generator) -> None:
        if self.scalar and not state.cursor[IMPROVED]:
            state.steps *= 0.5
        self._steps.renew(state.steps, box, rng)
        ORDERS[self.order](state, rng)
        state.cursor[:2] = 0
        state.cursor[SWEEPS] += 1


@kernel
def sweep(
    probe: Callable[[Walk, int, float], float],
    accept: Callable[[Walk, int, float, float], None],
    walk: Walk,
    order: Integers,
    cursor: Integers,
    steps: Vector,
    gains: Vector,
    far: float,
    near: float,
    own_steps: bool,
    greedy: bool,
) -> None:
    """Visit coordinates from ``order[cursor[0]]`` on; `cursor` tells where to go on and what improved."""
    ledger = walk.ledger
    while cursor[POSITION] < order.shape[0] and ledger[COUNT] < ledger[LIMIT] and ledger[COUNT] < ledger[PAUSE]:
        i = order[cursor[POSITION]]
        cursor[POSITION] += 1
        before, best = walk.y[0], walk.marks[BEST]
        x = walk.x[i]
        better = False
        level = False
        down = max(x - far * steps[i], walk.lower[i])
        if down != x:  # at the bound the move is void: try the other side at once
            y = probe(walk, i, down)
            better = y < before
            level = y == before and before < math.inf
            if better:
                accept(walk, i, down, y)
        if not better and not level:
            up = min(x + near * steps[i], walk.upper[i])
            if up != x and ledger[COUNT] < ledger[LIMIT]:
                y = probe(walk, i, up)
                better = y < before
                if better:
                    accept(walk, i, up, y)
        gains[i] = before - walk.y[0] if better else 0.0
        if better:
            cursor[IMPROVED] = 1
            cursor[ACCEPTED] += 1
            cursor[BESTS] += walk.marks[BEST] < best
            if greedy:
                stay(order, gains, cursor)
        elif own_steps:
            steps[i] *= 0.5
