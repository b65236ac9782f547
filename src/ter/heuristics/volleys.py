"""Volleys: LS1 that probes many coordinates at once, and keeps the moves that are compatible.

LS1 waits for each probe before it makes the next one, which leaves all workers but one idle. Here a volley of probes
starts from the same point: one step down for each of the next coordinates, half a step up for those whose step down
failed in the last volley. Probes that improved are pending. The next volley also evaluates their *union*: all pending
moves made together. Where variables do not interact the union gains what the moves gained one by one, so nothing is
lost against LS1 but one evaluation per volley. If a union fails, the next one is tried in three sizes, with all, half
and a quarter of the moves, those that gained most first; if all of them fail, the best probe is taken alone. Volleys
begin small; they grow while unions gain what was promised, and shrink when they do not: then variables interact, and
moves are better made one after the other.

The points do not depend on how many workers there are.

References
----------
.. [1] L.-Y. Tseng, C. Chen, "Multiple trajectory search for large scale global optimization", CEC 2008.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ter.core.allowance import Allowance, Branch
from ter.core.box import Box, Vector
from ter.core.ledger import Integers
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.differences import compile_probes, evaluate_each
from ter.heuristics.first_look import FirstLook
from ter.heuristics.kinds import SweepsLook
from ter.heuristics.ls1 import IDLE_SWEEPS
from ter.heuristics.steps import Steps
from ter.heuristics.unions import bring_along

__all__ = ["Volleys", "VolleysState"]

FAR, NEAR = 1.0, 0.5  # how far the moves down and up go, in steps
SIZES = 3  # of the unions after one that failed
FIRST, LEAST = 4, 2  # evaluations of the first volley, and of any at least, if the allowance has as many
KEPT = 0.95  # of what the moves gained one by one: a union that gains less says that variables interact
EARLY, FALL = 0.4, 300.0  # of an initiation; how much more is gained there than in the rest where values still fall
NOBODY = np.empty(0, dtype=np.int64)
NOTHING = np.empty(0)

Flags: TypeAlias = NDArray[np.bool_]


@dataclass
class VolleysState:
    """What is kept between initiations."""

    steps: Vector  # step of each coordinate, in units of the variables
    order: Integers  # of the coordinates in the sweep under way
    gains: Vector  # what each coordinate improved when it was last probed
    position: int = 0  # next one in the order
    sweeps: int = 0  # that have ended
    upward: Integers = field(default_factory=NOBODY.copy)  # coordinates whose step down has failed
    pending: Integers = field(default_factory=NOBODY.copy)  # coordinates whose probes improved, best first
    targets: Vector = field(default_factory=NOTHING.copy)  # where they improved
    base: float = np.inf  # value of the point that they improved on
    promised: float = 0.0  # what they gained, one by one
    sizes: int = 1  # of the next unions
    batch: int = 1  # evaluations of the next volley
    begun: bool = False  # whether the first initiation is over
    falling: bool = False  # whether values fell by orders of magnitude in the last initiation
    look: FirstLook = field(default_factory=FirstLook)  # at whether others fit better

    @property
    def remark(self) -> str:
        """Say that they wait."""
        return self.look.reason

    @property
    def investing(self) -> bool:
        """Whether the first sweep is under way, or steps are still on the way to the scales of the function."""
        return (self.sweeps == 0 or self.falling) and not self.look.waiting


@dataclass(frozen=True)
class Volleys:
    """MTS-LS1 in volleys: sweep over the coordinates, many at a time, with shrinking steps.

    Parameters
    ----------
    batch : int
        Evaluations of a volley at most; no more than half as many as there are variables.
    step : (float, float)
        The first step of each coordinate is drawn from this interval, as a fraction of the box's scale.
    smallest : float
        When a step falls below this it is drawn anew; a fraction of the scale.
    evaluations : float
        Evaluations per initiation and variable.
    looks_later : bool
        At the second initiation, look whether variables interact or the function is rugged, which takes up to 121
        evaluations. If so, that is all of it, so that others can go first; later initiations sweep all the same.
    invests_while_falling : bool
        Say that they invest while values fall by orders of magnitude, and put the look off.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float(abs(x).sum()), ter.box(-1, 1, dimension=50), budget=5_000, rng=1,
    ...                       heuristics=["volleys"])
    >>> result.fun < 1e-3
    True
    """

    batch: int = 64
    step: tuple[float, float] = (0.2, 0.2)
    smallest: float = 1e-15
    evaluations: float = 25.0
    name: str = "volleys"
    looks_later: bool = False
    invests_while_falling: bool = False

    def __post_init__(self) -> None:
        require_whole("batch", self.batch, low=1)
        _ = self._steps  # which checks what it is made of
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation."""
        return max(1, int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> VolleysState:
        """Draw the first steps, and an order: neighbours often interact, and would spoil each other's moves."""
        steps, order = self._steps.draw(box, rng), rng.permutation(box.dimension)
        return VolleysState(steps, order, np.zeros(box.dimension), batch=min(FIRST, self._most(box)))

    def act(self, state: VolleysState, allowance: Allowance, rng: np.random.Generator) -> VolleysState:
        """Fire volley after volley until the allowance is used up."""
        if self.looks_later and state.begun and not state.falling and state.look.ends(SweepsLook, allowance):
            return state
        base = allowance.branch(allowance.x, allowance.y, follow=False)
        if base.y != state.base:  # others have moved the incumbent
            state.pending, state.targets = NOBODY.copy(), NOTHING.copy()
        first = early = base.y
        late, idle = (1.0 - EARLY) * allowance.remaining, 0
        while allowance.remaining and idle < IDLE_SWEEPS:
            early, ended = (base.y if allowance.remaining > late else early), state.sweeps
            fired = self._volley(state, base, min(state.batch, allowance.remaining), rng)
            idle = 0 if fired else idle + state.sweeps - ended
        bring_along(allowance, base.x, base.y)
        state.falling = self.invests_while_falling and 0.0 < FALL * (early - base.y) < first - early
        state.begun = True
        return state

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the probes; around other objectives they run as Python."""
        if compiled:
            compile_probes()

    @property
    def _steps(self) -> Steps:
        return Steps(self.step, None, self.smallest, scalar=False)

    def _volley(self, state: VolleysState, base: Branch, n: int, rng: np.random.Generator) -> bool:
        """Evaluate so many points at once, and go to the best of them; tell whether there were any."""
        x, y = base.x, base.y
        unions = _sizes(state.pending.size, min(state.sizes, n))
        who, where, up = self._probes(state, x, n - len(unions), base.box, rng)
        if not unions and not who.size:
            return False
        pending, targets = state.pending, state.targets
        values = _evaluated(base, unions, pending, targets, who, where)
        together, alone = values[: len(unions)], values[len(unions) :]
        taken = -1
        self._judge(state, base, float(y - together[0]) if unions else 0.0)
        if unions and together.min() < y:
            best = int(together.argmin())
            state.sizes = 1 if best == 0 else SIZES
            base.accept(pending[: unions[best]], targets[: unions[best]], float(together[best]))
        else:
            state.sizes = SIZES if unions else state.sizes
            if who.size and alone.min() < y:
                taken = int(alone.argmin())
                base.accept(who[taken : taken + 1], where[taken : taken + 1], float(alone[taken]))
        self._learn(state, y, who, up, alone)
        better = np.flatnonzero((alone < y) & (np.arange(who.size) != taken))
        better = better[np.argsort(alone[better], kind="stable")]
        state.pending, state.targets, state.base = who[better], where[better], base.y
        state.promised = float((y - alone[better]).sum())
        return True

    def _judge(self, state: VolleysState, base: Branch, gained: float) -> None:
        """Let volleys grow while moves are compatible, and shrink when they are not."""
        if state.pending.size:
            compatible = gained >= KEPT * state.promised
            most = self._most(base.box)
            state.batch = min(2 * state.batch, most) if compatible else max(state.batch // 2, min(LEAST, most))

    def _most(self, box: Box) -> int:
        return min(self.batch, max(1, box.dimension // 2))

    def _probes(
        self, state: VolleysState, x: Vector, n: int, box: Box, rng: np.random.Generator
    ) -> tuple[Integers, Vector, Flags]:
        """Choose at most so many coordinates, no one twice, and where to probe them; tell which go up."""
        who, where, up = [NOBODY], [NOTHING], [np.empty(0, dtype=bool)]
        busy = np.zeros(x.size, dtype=bool)
        busy[state.pending] = True
        first, state.upward = state.upward[:n], state.upward[n:]
        chosen, upward, late = first, True, [NOBODY]
        busy[state.upward] = True
        room, passed = n, 0
        while True:
            down = np.maximum(x[chosen] - FAR * state.steps[chosen], box.lower[chosen])
            above = np.minimum(x[chosen] + NEAR * state.steps[chosen], box.upper[chosen])
            goes_up = (down == x[chosen]) | upward  # at the bound, the other side is tried at once
            target = np.where(goes_up, above, down)
            void = target == x[chosen]
            state.steps[chosen[void]] *= 0.5
            state.gains[chosen[void]] = 0.0
            who.append(chosen[~void])
            where.append(target[~void])
            up.append(goes_up[~void])
            room -= int((~void).sum())
            busy[chosen] = True
            if state.position >= state.order.size:
                if passed or not room:
                    break
                passed, late = 1, [NOBODY]
                self._next_sweep(state, box, rng)
            if not room:
                break
            chosen = state.order[state.position : state.position + room]
            state.position += chosen.size
            late.append(chosen[busy[chosen]])
            chosen, upward = chosen[~busy[chosen]], False
        # Those whose turn came too early, since they were probed in the last volley of the last sweep, come next.
        state.order = np.concatenate([state.order[: state.position], *late, state.order[state.position :]])
        return np.concatenate(who), np.concatenate(where), np.concatenate(up)

    def _next_sweep(self, state: VolleysState, box: Box, rng: np.random.Generator) -> None:
        """Begin with those that gained most."""
        self._steps.renew(state.steps, box, rng)
        state.order = np.argsort(-state.gains, kind="stable")
        state.position = 0
        state.sweeps += 1

    def _learn(self, state: VolleysState, y: float, who: Integers, up: Flags, values: Vector) -> None:
        """Note gains; halve the steps of those who failed on both sides, and let the others try the other side."""
        better = values < y
        given_up = ~better & (up | (values == y))
        state.gains[who] = 0.0
        state.gains[who[better]] = y - values[better]
        state.steps[who[given_up]] *= 0.5
        state.upward = np.concatenate([state.upward, who[~better & ~given_up]])


def _sizes(pending: int, most: int) -> list[int]:
    """Return the sizes of unions: all that is pending, half of it, a quarter.

    Examples
    --------
    >>> _sizes(9, 3), _sizes(1, 3), _sizes(0, 3), _sizes(9, 1)
    ([9, 4, 2], [1], [], [9])
    """
    sizes = [pending >> halvings for halvings in range(most)]
    return [size for size in sizes if size > 0]


def _evaluated(
    base: Branch, unions: list[int], pending: Integers, targets: Vector, who: Integers, where: Vector
) -> Vector:
    """Return the values of unions and probes, as one batch where that is faster, in the same order otherwise."""
    first = len(unions)
    rows = np.tile(base.x[pending], (first, 1))
    for row, size in enumerate(unions):
        rows[row, :size] = targets[:size]
    if base.batched:
        coordinates = np.concatenate([pending, who])
        batch = np.tile(base.x[coordinates], (first + who.size, 1))
        batch[:first, : pending.size] = rows
        probes = np.arange(who.size)
        batch[first + probes, pending.size + probes] = where
        return base.evaluate_moves(coordinates, batch)
    values = np.full(first + who.size, np.inf)
    if unions:
        values[:first] = base.evaluate_moves(pending, rows)
    cursor = np.zeros(2, dtype=np.int64)
    while cursor[0] < who.size and base.remaining:
        evaluate_each(base, who, where, values[first:], cursor)
    return values
