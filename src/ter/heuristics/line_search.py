"""Global line search: one variable at a time, over its whole range.

A pass visits the variables in random order. On the line through the current point along a variable, both bounds and
stratified points are evaluated, one drawn from each of so many equal pieces of the range. The best local minima among
them are refined side by side, by steps to the vertex of a parabola through three points, or by golden sections [1]_.
Whatever is better is kept at once.

References
----------
.. [1] R. Brent, "Algorithms for minimization without derivatives", Prentice-Hall, 1973.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ter._jit import inner, kernel
from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.core.ledger import COUNT, LIMIT, PAUSE, Integers, Walk
from ter.engines.compiled import compile_sequential
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.splitmix import RandomState, below, seed_random, uniform
from ter.heuristics.subspace import Matrix

__all__ = ["GlobalLineSearch", "LineSearchState"]

GOLDEN_SECTION = 0.5 * (3.0 - math.sqrt(5.0))  # the shorter part
NEGLIGIBLE = 1e-12  # a gain, as a share of how much the values on the line differ
NARROW = 1e-15  # a bracket, as a share of the range
GOLDEN_TURN = 4  # every so many steps a golden section, since parabolas may approach a minimum from one side only
SURE = 4  # steps after which a parabola is believed that says a minimum will not be the best

# Fields of the cursor.
POSITION = 0  # of the variable in the order
STAGE = 1  # see below
NEXT = 2  # the position on the line that is evaluated next, or the minimum that is refined next
SIZE = 3  # positions on the line
MINIMA = 4  # that are being refined
EVALUATED = 5  # whether any variable of the pass could be moved
OWN = 6  # where the point itself is on the line
POINTS = 7  # stratified points on a line of this pass
WANTED = 8  # minima on a line of this pass

ARRIVING, SCANNING, REFINING = 0, 1, 2

# Fields of the floats.
LOWEST = 0  # the value of the point, if nobody else has moved it
NARROWEST = 1  # the width of a bracket that is not refined further
DIFFERENCE = 2  # a gain that is negligible

# Columns of the brackets: three positions, their values; where the next evaluation is.
LEFT, MIDDLE, RIGHT, LEFT_Y, MIDDLE_Y, RIGHT_Y, TRIAL = range(7)


class LineSearchState(NamedTuple):
    """What the search keeps between its initiations; arrays that are changed in place."""

    random: RandomState
    order: Integers
    cursor: Integers
    floats: Vector
    positions: Vector  # on the line, in ascending order
    values: Vector  # there
    brackets: Matrix  # one row for each minimum
    steps: Integers  # that a minimum may still be refined by

    @property
    def investing(self) -> bool:
        """Whether the first pass is under way: what it is worth shows when all variables have been visited."""
        return bool(self.cursor[WANTED] <= 1 and self.cursor[POSITION] < self.order.size)


@dataclass(frozen=True)
class GlobalLineSearch:
    """Search each variable's whole range for the best minima, and refine them.

    Parameters
    ----------
    points : int
        Stratified points on a line, beside its ends and the point it starts from; >= 1.
    first : int
        How many there are in the first pass; the number doubles with each pass, up to `points`.
    minima : int
        How many local minima are refined at most: one in the first pass, one more in each of the next.
    steps : int
        By how many evaluations each, at most. One is given up sooner if its bracket is narrow, if little is left to
        be gained, or if it will not become the best.
    evaluations : float
        Evaluations per initiation and variable. Where initiations end does not matter.

    Notes
    -----
    The first pass costs about ten evaluations per variable; a pass with 40 points and three minima costs 45 to 90.

    If others have moved the incumbent, the line under way is begun anew.

    Examples
    --------
    >>> import ter
    >>> def rastrigin(x):
    ...     return float((x**2 + 10 - 10 * np.cos(2 * np.pi * x)).sum())
    >>> result = ter.minimize(rastrigin, ter.box(-5, 4, dimension=5), budget=1_000, rng=1, heuristics=["lines"])
    >>> result.fun < 1e-8
    True
    """

    points: int = 40
    first: int = 4
    minima: int = 3
    steps: int = 16
    evaluations: float = 25.0
    name: str = "lines"

    def __post_init__(self) -> None:
        require_whole("points", self.points, low=1)
        require_whole("first", self.first, low=1)
        require_whole("minima", self.minima, low=1)
        require_whole("steps", self.steps, low=0)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation."""
        return max(1, int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> LineSearchState:
        """Begin before the first pass."""
        return LineSearchState(
            random=seed_random(rng),
            order=np.arange(box.dimension),
            cursor=np.array([box.dimension, ARRIVING, 0, 0, 0, 1, 0, 0, 0]),  # as if a pass had just ended
            floats=np.zeros(3),
            positions=np.empty(self.points + 3),
            values=np.empty(self.points + 3),
            brackets=np.empty((self.minima, 7)),
            steps=np.zeros(self.minima, dtype=np.int64),
        )

    def act(self, state: LineSearchState, allowance: Allowance, rng: np.random.Generator) -> LineSearchState:
        """Go on with the pass under way, then pass again until the allowance is used up."""
        cursor = state.cursor
        while allowance.remaining:
            if cursor[POSITION] >= allowance.dimension:
                if not cursor[EVALUATED]:  # no variable can be moved
                    cursor[EVALUATED] = 1
                    break
                points = min(self.points, max(self.first, 2 * int(cursor[POINTS])))
                wanted = min(self.minima, int(cursor[WANTED]) + 1)
                cursor[:] = 0
                cursor[POINTS], cursor[WANTED] = points, wanted
            if allowance.batched:
                self._search_in_batches(state, allowance)
            else:
                allowance.run(search, state, self.steps)
        return state

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the search; around other objectives its loop runs as Python."""
        state, box = self.start(Box(np.zeros(1), np.ones(1)), np.random.default_rng(0)), (np.zeros(1), np.ones(1))
        state.cursor[:] = 0
        state.cursor[POINTS] = state.cursor[WANTED] = 1
        arrive(state, np.zeros(1), 0.0, *box)
        note(state, 0.0, self.steps)
        if compiled:
            compile_sequential(search, (state, self.steps))

    def _search_in_batches(self, state: LineSearchState, allowance: Allowance) -> None:
        """Do what the kernel does, with evaluations that do not depend on each other as batches."""
        lower, upper, cursor = np.array(allowance.box.lower), np.array(allowance.box.upper), state.cursor
        while allowance.remaining and cursor[POSITION] < lower.size:
            i = arrive(state, allowance.x, allowance.y, lower, upper)
            if i < 0:
                continue
            trials = _trials(state)[: allowance.remaining]
            for y in allowance.evaluate_moves([i], np.array(trials)[:, None]).tolist():
                note(state, y, self.steps)


def _trials(state: LineSearchState) -> list[float]:
    """Return the evaluations that come next and do not depend on each other."""
    cursor = state.cursor
    if cursor[STAGE] == SCANNING:
        first, end = int(cursor[NEXT]), int(cursor[SIZE])
        return [float(state.positions[k]) for k in range(first, end) if k != cursor[OWN]]
    return [float(state.brackets[k, TRIAL]) for k in range(cursor[NEXT], cursor[MINIMA]) if state.steps[k] > 0]


@kernel
def search(
    probe: Callable[[Walk, int, float], float],
    accept: Callable[[Walk, int, float, float], None],
    walk: Walk,
    state: LineSearchState,
    steps: int,
) -> None:
    """Search line after line."""
    ledger, cursor = walk.ledger, state.cursor
    while cursor[POSITION] < state.order.shape[0] and ledger[COUNT] < ledger[LIMIT] and ledger[COUNT] < ledger[PAUSE]:
        i = arrive(state, walk.x, walk.y[0], walk.lower, walk.upper)
        if i < 0:
            continue
        scanning = cursor[STAGE] == SCANNING
        v = state.positions[cursor[NEXT]] if scanning else state.brackets[cursor[NEXT], TRIAL]
        y = probe(walk, i, v)
        if y < walk.y[0]:
            accept(walk, i, v, y)
        note(state, y, steps)


@kernel
def arrive(state: LineSearchState, x: Vector, y: float, lower: Vector, upper: Vector) -> int:
    """Return the variable whose line is searched, and lay out a new line if need be; -1 if it cannot be moved."""
    order, cursor, floats = state.order, state.cursor, state.floats
    if cursor[POSITION] == 0 and cursor[STAGE] == ARRIVING:  # a pass begins: a random permutation
        for k in range(order.shape[0]):
            j = below(state.random, k + 1)
            order[k] = order[j]
            order[j] = k
    i = int(order[cursor[POSITION]])
    if cursor[STAGE] == ARRIVING or y != floats[LOWEST]:  # or others have moved the point
        if not lower[i] < upper[i]:
            cursor[POSITION] += 1
            cursor[STAGE] = ARRIVING
            return -1
        lay_out(state, x[i], y, lower[i], upper[i])
        floats[LOWEST] = y
        floats[NARROWEST] = NARROW * (upper[i] - lower[i])
        cursor[STAGE], cursor[NEXT] = SCANNING, 1 if cursor[OWN] == 0 else 0
        cursor[EVALUATED] = 1
    return i


@inner
def lay_out(state: LineSearchState, x: float, y: float, low: float, high: float) -> None:
    """Write the positions of a line in ascending order: its ends, stratified points, and the point itself."""
    positions, values, cursor = state.positions, state.values, state.cursor
    points = cursor[POINTS]
    width = high - low
    n, own = 0, -1
    for k in range(-1, points + 1):
        v = low if k < 0 else high
        if 0 <= k < points:
            v = min(high, low + (k + uniform(state.random)) / points * width)
        if own < 0 and v >= x:
            own = n
            positions[n], values[n] = x, y
            n += 1
        if v != x:
            positions[n] = v
            n += 1
    cursor[OWN], cursor[SIZE] = own, n


@kernel
def note(state: LineSearchState, y: float, steps: int) -> None:
    """Take note of the value of the trial under way, and go on to the next one."""
    cursor, floats = state.cursor, state.floats
    floats[LOWEST] = min(floats[LOWEST], y)
    if cursor[STAGE] == SCANNING:
        state.values[cursor[NEXT]] = y
        cursor[NEXT] += 1
        if cursor[NEXT] == cursor[OWN]:
            cursor[NEXT] += 1
        if cursor[NEXT] < cursor[SIZE]:
            return
        find_minima(state, steps)
    else:
        narrow(state.brackets, cursor[NEXT], y)
        state.steps[cursor[NEXT]] -= 1
        cursor[NEXT] += 1
    choose_trial(state, steps)


@inner
def find_minima(state: LineSearchState, steps: int) -> None:
    """Make brackets of the best local minima of the scan; those at equal values are one."""
    values, positions, cursor, size = state.values, state.positions, state.cursor, state.cursor[SIZE]
    low, high = math.inf, -math.inf
    for k in range(size):
        if values[k] < math.inf:
            low, high = min(low, values[k]), max(high, values[k])
    state.floats[DIFFERENCE] = NEGLIGIBLE * (high - low) if low < high else 0.0
    found = 0
    while found < cursor[WANTED]:
        best, beyond = -1, state.brackets[found - 1, MIDDLE_Y] if found else -math.inf
        for k in range(size):
            deeper = k == 0 or values[k] < values[k - 1]
            lowest = k == size - 1 or values[k] <= values[k + 1]
            if deeper and lowest and beyond < values[k] < math.inf and (best < 0 or values[k] < values[best]):
                best = k
        if best < 0:
            break
        left, right = max(best - 1, 0), min(best + 1, size - 1)
        bracket = state.brackets[found]
        bracket[LEFT], bracket[MIDDLE], bracket[RIGHT] = positions[left], positions[best], positions[right]
        bracket[LEFT_Y], bracket[MIDDLE_Y], bracket[RIGHT_Y] = values[left], values[best], values[right]
        state.steps[found] = steps
        found += 1
    cursor[MINIMA] = cursor[NEXT] = found
    cursor[STAGE] = REFINING


@inner
def choose_trial(state: LineSearchState, steps: int) -> None:
    """Go to the next minimum that is worth a step, in turn; without one, go on to the next variable."""
    cursor = state.cursor
    for _ in range(2):
        while cursor[NEXT] < cursor[MINIMA]:
            if state.steps[cursor[NEXT]] > 0:
                return
            cursor[NEXT] += 1
        worth = 0
        for k in range(cursor[MINIMA]):
            if state.steps[k] > 0 and not next_trial(state, k, steps - state.steps[k]):
                state.steps[k] = 0
            worth += state.steps[k] > 0
        cursor[NEXT] = 0
        if worth == 0:
            break
    cursor[POSITION] += 1
    cursor[STAGE] = ARRIVING


@inner
def next_trial(state: LineSearchState, k: int, made: int) -> bool:
    """Write where a bracket is evaluated next: at the vertex of the parabola, or at a golden section."""
    bracket, floats = state.brackets[k], state.floats
    a, b, c = bracket[LEFT], bracket[MIDDLE], bracket[RIGHT]
    if not c - a > floats[NARROWEST]:
        return False
    trial = b - GOLDEN_SECTION * (b - a) if b - a > c - b else b + GOLDEN_SECTION * (c - b)
    p, q = (b - a) * (bracket[MIDDLE_Y] - bracket[RIGHT_Y]), (b - c) * (bracket[MIDDLE_Y] - bracket[LEFT_Y])
    if math.isfinite(p) and math.isfinite(q) and a < b < c and p != q:
        shift = 0.5 * ((b - a) * p - (b - c) * q) / (p - q)
        gain = shift * shift * abs(p - q) / ((b - a) * (c - b) * (c - a))
        if made >= SURE and bracket[MIDDLE_Y] - 2.0 * gain > floats[LOWEST]:
            return False
        if gain <= floats[DIFFERENCE] and made > 0:
            return False
        if a < b - shift < c and made % GOLDEN_TURN != GOLDEN_TURN - 1:
            trial = b - shift
    bracket[TRIAL] = trial
    return bool(a < trial < c and trial != b)


@inner
def narrow(brackets: Matrix, k: int, y: float) -> None:
    """Put the trial into the bracket, in the place of an end."""
    bracket = brackets[k]
    v = bracket[TRIAL]
    if y < bracket[MIDDLE_Y]:
        if v < bracket[MIDDLE]:
            bracket[RIGHT], bracket[RIGHT_Y] = bracket[MIDDLE], bracket[MIDDLE_Y]
        else:
            bracket[LEFT], bracket[LEFT_Y] = bracket[MIDDLE], bracket[MIDDLE_Y]
        bracket[MIDDLE], bracket[MIDDLE_Y] = v, y
    elif v < bracket[MIDDLE]:
        bracket[LEFT], bracket[LEFT_Y] = v, y
    else:
        bracket[RIGHT], bracket[RIGHT_Y] = v, y
