"""Lines side by side: where they are evaluated next, and what becomes of a value.

All lines of a group go through the same base point, each along a variable of its own. First all of them are scanned.
Then the best local minima of each are refined, one step after the other: a step of all minima on all lines is one
round, whose evaluations do not depend on each other.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ter._jit import inner, kernel
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.heuristics.splitmix import RandomState, below, uniform
from ter.heuristics.subspace import Matrix

__all__ = ["Lines", "gather", "note", "note_each", "trial_of", "trials"]

GOLDEN_SECTION = 0.5 * (3.0 - math.sqrt(5.0))  # the shorter part
NEGLIGIBLE = 1e-12  # a gain, as a share of how much the values on the line differ
ROUNDING = 2.0**-50  # and as a share of the lowest value, which shows no smaller gains
NARROW = 1e-15  # a bracket, as a share of the range
GOLDEN_TURN = 4  # every so many steps a golden section, since parabolas may approach a minimum from one side only
SURE = 2  # steps after which a parabola is believed that says a minimum will not be the best

# Fields of the cursor.
POSITION = 0  # of the variable that comes next, in the order
STAGE = 1  # see below
LINE = 2  # on which the next evaluation is
NEXT = 3  # the position on the line that is evaluated next, the minimum, or the union
COUNT = 4  # lines of the group
EVALUATED = 5  # whether any variable of the pass could be moved
POINTS = 6  # evenly spaced ones on a line of this pass
WANTED = 7  # minima on a line of this pass
WIDTH = 8  # lines of the next group
SINGLE = 9  # lines that were searched alone since two were tried
PATIENCE = 10  # lines that are searched alone before two are tried
STALE = 11  # whether others have moved the incumbent since the group began
FIELDS = 12

ARRIVING, SCANNING, REFINING, JOINING = range(4)

# Columns of the brackets: three positions, their values; where the next evaluation is.
LEFT, MIDDLE, RIGHT, LEFT_Y, MIDDLE_Y, RIGHT_Y, TRIAL = range(7)

# Columns of the sizes: positions on the line; where the base point is among them; minima that are being refined.
SIZE, OWN, MINIMA = range(3)

# Columns of the floats: the lowest value on the line, and where it is; the width of a bracket that is not refined
# further; a gain that is negligible.
LOWEST, BEST_AT, NARROWEST, DIFFERENCE = range(4)

# Fields of the known values: that of the base point when the group began, and of the allowance's when it ended.
ORIGIN, SEEN = range(2)


class Lines(NamedTuple):
    """What the search knows; arrays that are changed in place."""

    random: RandomState
    order: Integers
    cursor: Integers
    known: Vector
    variables: Integers  # one for each line of the group, as all that follows
    sizes: Integers
    floats: Matrix
    positions: Matrix  # on the line, in ascending order
    values: Matrix  # there
    brackets: Matrix  # and one row for each minimum
    steps: Integers  # that a minimum may still be refined by
    unions: Vector  # values of those that are known


@kernel
def gather(lines: Lines, x: Vector, y: float, lower: Vector, upper: Vector) -> int:
    """Lay out the lines of the next variables that can be moved, and return how many there are."""
    order, cursor = lines.order, lines.cursor
    if cursor[POSITION] == 0:  # a pass begins: a random permutation
        for k in range(order.shape[0]):
            j = below(lines.random, k + 1)
            order[k] = order[j]
            order[j] = k
    count = 0
    while count < cursor[WIDTH] and cursor[POSITION] < order.shape[0]:
        i = order[cursor[POSITION]]
        cursor[POSITION] += 1
        if lower[i] < upper[i]:
            lines.variables[count] = i
            lay_out(lines, count, x[i], y, lower[i], upper[i])
            count += 1
    cursor[COUNT] = count
    lines.known[ORIGIN] = y
    if count > 0:
        cursor[STAGE], cursor[EVALUATED], cursor[STALE] = SCANNING, 1, 0
        cursor[LINE] = 0
        cursor[NEXT] = 1 if lines.sizes[0, OWN] == 0 else 0
    return count


@inner
def lay_out(lines: Lines, line: int, x: float, y: float, low: float, high: float) -> None:
    """Write the positions of a line in ascending order: its ends, evenly spaced points, and the point itself."""
    positions, values, floats = lines.positions[line], lines.values[line], lines.floats[line]
    points = lines.cursor[POINTS]
    width = high - low
    offset = uniform(lines.random)
    n, own = 0, -1
    for k in range(-1, points + 1):
        v = low if k < 0 else high
        if 0 <= k < points:
            v = min(high, low + (k + offset) / points * width)
        if own < 0 and v >= x:
            own = n
            positions[n], values[n] = x, y
            n += 1
        if v != x:
            positions[n] = v
            n += 1
    lines.sizes[line, OWN], lines.sizes[line, SIZE] = own, n
    floats[LOWEST], floats[BEST_AT], floats[NARROWEST] = y, x, NARROW * width


@kernel
def trial_of(lines: Lines) -> float:
    """Return where the line under way is evaluated next."""
    cursor = lines.cursor
    line, k = cursor[LINE], cursor[NEXT]
    return float(lines.positions[line, k] if cursor[STAGE] == SCANNING else lines.brackets[line, k, TRIAL])


@kernel
def trials(lines: Lines, where: Integers, targets: Vector) -> int:
    """Write the next evaluations, which do not depend on each other: their lines and positions; return how many."""
    cursor, n = lines.cursor, 0
    first = cursor[NEXT]
    for line in range(cursor[LINE], cursor[COUNT]):
        scanning = cursor[STAGE] == SCANNING
        end = lines.sizes[line, SIZE] if scanning else lines.sizes[line, MINIMA]
        for k in range(first, end):
            if n == where.shape[0]:
                return n
            if scanning and k != lines.sizes[line, OWN]:
                where[n], targets[n] = line, lines.positions[line, k]
                n += 1
            if not scanning and lines.steps[line, k] > 0:
                where[n], targets[n] = line, lines.brackets[line, k, TRIAL]
                n += 1
        first = 0
    return n


@kernel
def note_each(lines: Lines, values: Vector, steps: int) -> None:
    """Take note of the values of so many trials."""
    for k in range(values.shape[0]):
        note(lines, values[k], steps)


@kernel
def note(lines: Lines, y: float, steps: int) -> None:
    """Take note of the value of the trial under way, and go on to the next one."""
    cursor = lines.cursor
    line, k = cursor[LINE], cursor[NEXT]
    if y < lines.floats[line, LOWEST]:
        lines.floats[line, LOWEST], lines.floats[line, BEST_AT] = y, trial_of(lines)
    cursor[NEXT] += 1
    if cursor[STAGE] == SCANNING:
        lines.values[line, k] = y
        if cursor[NEXT] == lines.sizes[line, OWN]:
            cursor[NEXT] += 1
        if cursor[NEXT] < lines.sizes[line, SIZE]:
            return
        find_minima(lines, line, steps)
        cursor[LINE] += 1
        if cursor[LINE] < cursor[COUNT]:
            cursor[NEXT] = 1 if lines.sizes[cursor[LINE], OWN] == 0 else 0
            return
        cursor[STAGE] = REFINING
        next_round(lines, steps)
    else:
        narrow(lines.brackets[line, k], y)
        lines.steps[line, k] -= 1
        if not seek(lines):
            next_round(lines, steps)


@inner
def seek(lines: Lines) -> bool:
    """Go to the next minimum that is worth a step in this round; tell whether there is one."""
    cursor = lines.cursor
    while cursor[LINE] < cursor[COUNT]:
        while cursor[NEXT] < lines.sizes[cursor[LINE], MINIMA]:
            if lines.steps[cursor[LINE], cursor[NEXT]] > 0:
                return True
            cursor[NEXT] += 1
        cursor[LINE] += 1
        cursor[NEXT] = 0
    return False


@inner
def next_round(lines: Lines, steps: int) -> None:
    """Choose where all minima that are worth a step are evaluated next; without one, lines are to be joined."""
    cursor = lines.cursor
    for line in range(cursor[COUNT]):
        for k in range(lines.sizes[line, MINIMA]):
            left = lines.steps[line, k]
            if left > 0 and not next_trial(lines.brackets[line, k], lines.floats[line], steps - left):
                lines.steps[line, k] = 0
    cursor[LINE] = cursor[NEXT] = 0
    if not seek(lines):
        cursor[STAGE] = JOINING
        cursor[LINE] = cursor[NEXT] = 0


@inner
def find_minima(lines: Lines, line: int, steps: int) -> None:
    """Make brackets of the minima of a scan that promise the lowest values; those that promise the same are one."""
    values, positions, size = lines.values[line], lines.positions[line], lines.sizes[line, SIZE]
    low, high = math.inf, -math.inf
    for k in range(size):
        if values[k] < math.inf:
            low, high = min(low, values[k]), max(high, values[k])
    lines.floats[line, DIFFERENCE] = min(NEGLIGIBLE * (high - low), ROUNDING * abs(low)) if low < high else 0.0
    found, beyond = 0, -math.inf
    while found < lines.cursor[WANTED]:
        best, least = -1, math.inf
        for k in range(size):
            deeper = k == 0 or values[k] < values[k - 1]
            lowest = k == size - 1 or values[k] <= values[k + 1]
            if deeper and lowest and values[k] < math.inf:
                promised = values[k]
                if 0 < k < size - 1:
                    promised -= vertex(positions[k - 1 : k + 2], values[k - 1 : k + 2])[1]
                if beyond < promised < least:
                    best, least = k, promised
        if best < 0:
            break
        left, right, beyond = max(best - 1, 0), min(best + 1, size - 1), least
        bracket = lines.brackets[line, found]
        bracket[LEFT], bracket[MIDDLE], bracket[RIGHT] = positions[left], positions[best], positions[right]
        bracket[LEFT_Y], bracket[MIDDLE_Y], bracket[RIGHT_Y] = values[left], values[best], values[right]
        lines.steps[line, found] = steps
        found += 1
    lines.sizes[line, MINIMA] = found


@inner
def vertex(at: Vector, y: Vector) -> tuple[float, float]:
    """Return how far to the left of the middle one of three points their parabola has its vertex, and how much lower.

    Where there is no parabola, nothing is gained: NaN and 0.
    """
    before, after = at[1] - at[0], at[2] - at[1]
    p, q = before * (y[1] - y[2]), -after * (y[1] - y[0])
    if not (before > 0.0 and after > 0.0 and math.isfinite(p) and math.isfinite(q)) or p == q:
        return math.nan, 0.0
    shift = 0.5 * (before * p + after * q) / (p - q)
    return shift, shift * shift * abs(p - q) / (before * after * (at[2] - at[0]))


@inner
def next_trial(bracket: Vector, floats: Vector, made: int) -> bool:
    """Write where a bracket is evaluated next: at the vertex of the parabola, or at a golden section."""
    a, b, c = bracket[LEFT], bracket[MIDDLE], bracket[RIGHT]
    if not c - a > floats[NARROWEST]:
        return False
    trial = b - GOLDEN_SECTION * (b - a) if b - a > c - b else b + GOLDEN_SECTION * (c - b)
    shift, gain = vertex(bracket[LEFT : RIGHT + 1], bracket[LEFT_Y : RIGHT_Y + 1])
    if not math.isnan(shift):
        if made >= SURE and bracket[MIDDLE_Y] - 2.0 * gain > floats[LOWEST]:
            return False
        if gain <= floats[DIFFERENCE] and made > 0:
            return False
        if a < b - shift < c and made % GOLDEN_TURN != GOLDEN_TURN - 1:
            trial = b - shift
    bracket[TRIAL] = trial
    return bool(a < trial < c and trial != b)


@inner
def narrow(bracket: Vector, y: float) -> None:
    """Put the trial into the bracket, in the place of an end."""
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
