"""LS2 and LS3: the second and the third local search of MTS.

They work on the same state as LS1, so that an agent has one step and one flag for all three: ``LS2().start(...)`` makes
a state for each of them. In a portfolio they share it: they are of one family.

References
----------
.. [1] L.-Y. Tseng, C. Chen, "Multiple trajectory search for large scale global optimization", CEC 2008.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ter._jit import kernel
from ter.core.allowance import Allowance, Branch, KeptBranch
from ter.core.box import Box, Vector
from ter.core.ledger import BEST, COUNT, LIMIT, PAUSE, RAISED, Integers, Walk
from ter.engines.compiled import compile_batches
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.differences import compile_probes, probe_each
from ter.heuristics.ls1 import ACCEPTED, BESTS, IMPROVED, LS1, LS1State, first_cursor
from ter.heuristics.orders import Order
from ter.heuristics.splitmix import RandomState, below, bits, seed_random
from ter.heuristics.steps import Steps
from ter.heuristics.subspace import EVERYTHING, Matrix

__all__ = ["LS2", "LS3", "AgentLS1", "AgentState"]

MTS_STEPS = Steps((0.5, 0.5), (0.4, 0.4), smallest=1e-15, scalar=True)

# Fields of the trials.
MADE = 0  # trials of the call under way
WAITING = 1  # points of the trial under way that were not evaluated yet


@dataclass
class AgentState(LS1State):
    """What an agent of MTS keeps: LS1's state, the trial of LS2 under way, and the probes of LS3 under way."""

    random: RandomState
    trials: Integers  # see above
    rows: Matrix  # the two points of a trial
    values: Vector  # one slot: the value of the last point
    before: Vector  # one slot: the value that the trial under way must beat
    branch: Branch | KeptBranch | None  # where LS3's probes start from; None between its calls
    factors: Matrix  # LS3's three random factors of each coordinate
    probed: Vector  # values of LS3's probes, three per coordinate
    probes: Integers  # how many of them are known; new bests among them


def agent_at(box: Box, rng: np.random.Generator) -> AgentState:
    """Return the state of an agent before its first search."""
    dimension = box.dimension
    return AgentState(
        steps=MTS_STEPS.draw(box, rng),
        order=np.arange(dimension),
        gains=np.zeros(dimension),
        cursor=first_cursor(dimension),
        random=seed_random(rng),
        trials=np.array([dimension, 0]),
        rows=np.empty((2, dimension)),
        values=np.empty(1),
        before=np.empty(1),
        branch=None,
        factors=np.empty((dimension, 3)),
        probed=np.empty(3 * dimension),
        probes=np.zeros(2, dtype=np.int64),
    )


@dataclass(frozen=True)
class AgentLS1(LS1):
    """LS1 with the settings of MTS, on the state that its other searches share.

    Examples
    --------
    >>> AgentLS1(sweeps=3).cost(1000)
    6000
    """

    step: tuple[float, float] = MTS_STEPS.first
    reset: tuple[float, float] | None = MTS_STEPS.reset
    scalar: bool = True
    order: Order = "index"
    sweeps: int | None = 12
    family: str = "agent"

    def start(self, box: Box, rng: np.random.Generator) -> AgentState:
        """Return a state for the three searches of MTS."""
        return agent_at(box, rng)


@dataclass(frozen=True)
class LS2:
    """MTS-LS2: trials in which each coordinate takes part with probability 1/4, one step in a random direction.

    If that is worse, half a step in the opposite direction is tried; an equal value gets no second try, as in LS1. A
    call is D trials. One without any improvement halves the step, which is the same for all coordinates.

    Parameters
    ----------
    sweeps : int
        Calls per initiation. One that was cut goes on first.

    Examples
    --------
    >>> LS2(sweeps=3).cost(1000)
    6000
    """

    sweeps: int = 12
    name: str = "ls2"
    family: str = "agent"

    def __post_init__(self) -> None:
        require_whole("sweeps", self.sweeps, low=1)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation at most."""
        return 2 * dimension * self.sweeps

    def start(self, box: Box, rng: np.random.Generator) -> AgentState:
        """Return a state for the three searches of MTS."""
        return agent_at(box, rng)

    def act(self, state: AgentState, allowance: Allowance, rng: np.random.Generator) -> AgentState:
        """Make so many calls, or as many as the allowance is enough for."""
        state.cursor[[BESTS, ACCEPTED]] = 0
        calls = 0
        while allowance.remaining and calls < self.sweeps:
            if state.trials[MADE] >= allowance.dimension:
                if not state.cursor[IMPROVED]:
                    state.steps *= 0.5
                MTS_STEPS.renew(state.steps, allowance.box, rng)
                state.trials[:] = state.cursor[IMPROVED] = 0
            allowance.run_batches(try_directions, EVERYTHING, state.rows, state.values, *self._arguments(state))
            calls += int(state.trials[MADE] >= allowance.dimension)
        return state

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the trials."""
        state = self.start(Box(np.zeros(2), np.ones(2)), np.random.default_rng(0))
        draw_directions(state.random, np.zeros(2), np.zeros(2), np.ones(2), state.steps, state.rows)
        if compiled:
            compile_batches(try_directions, (EVERYTHING, state.rows, state.values, *self._arguments(state)))

    def _arguments(self, state: AgentState) -> tuple[Integers | Vector | RandomState, ...]:
        return state.random, state.trials, state.cursor, state.steps, state.before


@dataclass(frozen=True)
class LS3:
    """MTS-LS3: probes of each coordinate, then a move of all coordinates by what the probes gained.

    The probes add 0.1, -0.1 and 0.2 to the coordinate, with gains g1, g2 and g3 over the point. The coordinate is
    shifted by ``a (g1 - g2) + b (g3 - 2 g1) + c`` with a, b and c uniform in [0.4, 0.5], [0.1, 0.3] and [0, 1]. When
    all are shifted the point is evaluated, and kept if it is better. That is one call. As in the paper, the probes'
    lengths and the shift depend on the units of the variables and of the value. A probe that failed gains nothing. The
    step and the flag of the other searches are left alone.

    Parameters
    ----------
    sweeps : int
        Calls per initiation. One that was cut goes on first.
    probe : float
        Length of the first probe, in units of the variables; > 0.

    Examples
    --------
    >>> LS3(sweeps=3).cost(1000)
    9003
    """

    sweeps: int = 8
    probe: float = 0.1
    name: str = "ls3"
    family: str = "agent"

    def __post_init__(self) -> None:
        require_whole("sweeps", self.sweeps, low=1)
        require_in("probe", self.probe, low=0.0, high=np.inf, open_low=True)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation at most."""
        return (3 * dimension + 1) * self.sweeps

    def start(self, box: Box, rng: np.random.Generator) -> AgentState:
        """Return a state for the three searches of MTS."""
        return agent_at(box, rng)

    def act(self, state: AgentState, allowance: Allowance, rng: np.random.Generator) -> AgentState:
        """Make so many calls, or as many as the allowance is enough for."""
        state.cursor[[BESTS, ACCEPTED]] = 0
        calls = 0
        while allowance.remaining and calls < self.sweeps:
            calls += self._call(state, allowance, rng)
        return state

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the probes and the last step of a call."""
        if compiled:
            compile_probes()
            one = np.zeros(4, dtype=np.int64)
            compile_batches(try_point, (EVERYTHING, np.zeros((1, 1)), np.zeros(1), one))

    def _call(self, state: AgentState, allowance: Allowance, rng: np.random.Generator) -> bool:
        """Go on with a call or begin one; tell whether it has ended."""
        if state.branch is None:
            state.branch = allowance.branch(allowance.x, allowance.y, follow=False)
            state.factors[:], state.probes[:] = rng.random((allowance.dimension, 3)), 0
        state.branch = branch = allowance.branch(state.branch)
        x, y, box = branch.x, branch.y, allowance.box
        moved = np.clip(x[:, None] + self.probe * np.array([1.0, -1.0, 2.0]), box.lower[:, None], box.upper[:, None])
        able = np.flatnonzero((moved != x[:, None]).ravel())
        if state.probes[0] < able.size:
            branch.run(probe_each, able // 3, moved.ravel()[able], state.probed, state.probes)
        if state.probes[0] < able.size or not allowance.remaining:
            return False
        gains = np.zeros(3 * x.size)
        with np.errstate(invalid="ignore", over="ignore"):
            gains[able] = y - state.probed[: able.size]
            g1, g2, g3 = np.where(np.isfinite(gains), gains, 0.0).reshape(-1, 3).T
            a, b, c = (state.factors * [0.1, 0.2, 1.0] + [0.4, 0.1, 0.0]).T
            shift = a * (g1 - g2) + b * (g3 - 2 * g1) + c
        shifted = np.clip(x + np.where(np.isfinite(shift), shift, c), box.lower, box.upper)
        state.branch = None
        state.cursor[BESTS] += state.probes[1]
        allowance.run_batches(try_point, EVERYTHING, shifted[None, :], state.values, state.cursor)
        return True


@kernel
def draw_directions(random: RandomState, x: Vector, lower: Vector, upper: Vector, steps: Vector, rows: Matrix) -> None:
    """Write the two points of a trial: a step in a random direction, and half a step in the opposite one."""
    sure = below(random, x.shape[0])  # takes part, so that a trial is never void
    for j in range(x.shape[0]):
        z = bits(random)
        part = steps[j] if j == sure or (z >> np.uint64(62)) == 0 else 0.0
        step = part if z & np.uint64(1) else -part
        rows[0, j] = min(max(x[j] - step, lower[j]), upper[j])
        rows[1, j] = min(max(x[j] + 0.5 * step, lower[j]), upper[j])


@kernel
def try_directions(
    batch: Callable[[Walk, Integers, Matrix, Vector], int],
    walk: Walk,
    coordinates: Integers,
    rows: Matrix,
    values: Vector,
    random: RandomState,
    trials: Integers,
    cursor: Integers,
    steps: Vector,
    before: Vector,
) -> int:
    """Make trials until the call is complete."""
    ledger = walk.ledger
    while trials[MADE] < walk.x.shape[0]:
        if trials[WAITING] == 0 or before[0] != walk.y[0]:  # or others have moved the point
            draw_directions(random, walk.x, walk.lower, walk.upper, steps, rows)
            trials[WAITING], before[0] = 2, walk.y[0]
        k, best = 2 - trials[WAITING], walk.marks[BEST]
        done = batch(walk, coordinates, rows[k : k + 1], values)
        if done <= 0:
            return done
        better = values[0] < before[0]
        trials[WAITING] -= 1
        if better or (values[0] == before[0] and before[0] < math.inf):
            trials[WAITING] = 0
        if better:
            cursor[IMPROVED] = 1
            cursor[ACCEPTED] += 1
            cursor[BESTS] += walk.marks[BEST] < best
        if trials[WAITING] == 0:
            trials[MADE] += 1
        if ledger[RAISED] or ledger[COUNT] >= min(ledger[PAUSE], ledger[LIMIT]):  # the next trial is drawn later
            return done
    return 1


@kernel
def try_point(
    batch: Callable[[Walk, Integers, Matrix, Vector], int],
    walk: Walk,
    coordinates: Integers,
    rows: Matrix,
    values: Vector,
    cursor: Integers,
) -> int:
    """Evaluate one point, and grade it."""
    before, best = walk.y[0], walk.marks[BEST]
    done = batch(walk, coordinates, rows, values)
    if done > 0 and values[0] < before:
        cursor[ACCEPTED] += 1
        cursor[BESTS] += walk.marks[BEST] < best
    return done
