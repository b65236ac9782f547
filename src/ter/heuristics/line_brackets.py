"""Minima on a line: which of a scan are worth a step, and where they are evaluated next."""

from __future__ import annotations

import math

import numpy as np

from ter._jit import inner
from ter.core.box import Vector
from ter.heuristics.line_scans import ends_of, place
from ter.heuristics.line_state import (
    BEST_AT,
    DIFFERENCE,
    EVEN,
    FINE,
    HIGH,
    HOME,
    HOP,
    LATTICE,
    LEFT,
    LEFT_Y,
    LOW,
    LOWEST,
    MIDDLE,
    MIDDLE_Y,
    MINIMA,
    NARROWEST,
    NEIGHBOUR,
    PASS,
    PERIOD,
    PHASE,
    RIGHT,
    RIGHT_Y,
    SIZE,
    SPARE,
    SPARE_Y,
    STEPS,
    STUDIED,
    TRIAL,
    WANTED,
    Lines,
)

__all__: list[str] = []

GOLDEN_SECTION = 0.5 * (3.0 - math.sqrt(5.0))  # the shorter part
NEGLIGIBLE = 1e-12  # a gain, as a share of how much the values on the line differ
LITTLE = 1e-9  # the same in the first pass: others are more urgent
CLOSE = 1e-8  # the same for the neighbour of a minimum, whose distance matters
ROUNDING = 2.0**-50  # and as a share of the lowest value, which shows no smaller gains
GOLDEN_TURN = 4  # every so many steps a golden section, since parabolas may approach a minimum from one side only
LOPSIDED = 16.0  # or where one side of a bracket is so many times the other, the geometric mean of both
FURTHER = 3.0  # times the last distance, where a bracket is open
SURE = 2  # steps after which a parabola is believed that says a minimum will not be the best
FIRST_STEPS, FIRST_FINE = 6, 2  # at most in the first pass, on lines without and with a lattice
HOPS = 8  # steps on the lattice


@inner
def studying(lines: Lines) -> bool:
    """Tell whether ripples are looked for on the lines of this group."""
    return bool(lines.cursor[STUDIED] < lines.spacings.shape[0])


@inner
def steps_of(lines: Lines) -> int:
    """Return by how many steps a minimum is refined at most."""
    phase, steps = lines.cursor[PHASE], lines.cursor[STEPS]
    first = lines.cursor[PASS] == 1
    if phase == HOP:
        return int(min(steps, HOPS))
    if phase == FINE:
        return int(min(steps, FIRST_FINE) if first else (steps + 1) // 2)
    if phase == EVEN and first and not studying(lines):
        return int(min(steps, FIRST_STEPS))
    return int(steps)


@inner
def find_minima(lines: Lines, line: int) -> None:
    """Make brackets of what is worth refining on a line that was scanned."""
    lines.sizes[line, MINIMA] = 0
    phase = lines.cursor[PHASE]
    if phase == LATTICE:
        return
    values, size = lines.values[line], lines.sizes[line, SIZE]
    low, high = math.inf, -math.inf
    for k in range(size):
        if values[k] < math.inf:
            low, high = min(low, values[k]), max(high, values[k])
    difference = min(NEGLIGIBLE * (high - low), ROUNDING * abs(low)) if low < high else 0.0
    if low < high and lines.cursor[PASS] == 1 and not studying(lines):
        difference = LITTLE * (high - low)
    lines.floats[line, DIFFERENCE] = difference
    if phase == NEIGHBOUR:
        find_neighbour(lines, line)
    else:
        find_best(lines, line, lines.cursor[WANTED] if phase == EVEN else 1)


@inner
def bracket_around(lines: Lines, line: int, k: int) -> None:
    """Make a bracket of a position and those beside it."""
    positions, values, size = lines.positions[line], lines.values[line], lines.sizes[line, SIZE]
    found, left, right = lines.sizes[line, MINIMA], max(k - 1, 0), min(k + 1, size - 1)
    bracket = lines.brackets[line, found]
    bracket[LEFT], bracket[MIDDLE], bracket[RIGHT] = positions[left], positions[k], positions[right]
    bracket[LEFT_Y], bracket[MIDDLE_Y], bracket[RIGHT_Y] = values[left], values[k], values[right]
    bracket[SPARE] = math.nan
    if size > 2 and k in (0, size - 1):
        spare = 2 if k == 0 else size - 3
        bracket[SPARE], bracket[SPARE_Y] = positions[spare], values[spare]
    lines.steps[line, found] = steps_of(lines)
    lines.sizes[line, MINIMA] = found + 1


@inner
def find_best(lines: Lines, line: int, wanted: int) -> None:
    """Take the minima of a scan that promise the lowest values; those that promise the same are one."""
    values, positions, size = lines.values[line], lines.positions[line], lines.sizes[line, SIZE]
    beyond = -math.inf
    while lines.sizes[line, MINIMA] < wanted:
        best, least = -1, math.inf
        for k in range(size):
            deeper = k == 0 or values[k] < values[k - 1]
            lowest = k == size - 1 or values[k] <= values[k + 1]
            if deeper and lowest and values[k] < math.inf:
                promised = values[k]
                if 0 < k < size - 1:
                    promised -= depth_below(positions, values, k)
                if beyond < promised < least:
                    best, least = k, promised
        if best < 0:
            return
        bracket_around(lines, line, best)
        beyond = least


@inner
def depth_below(positions: Vector, values: Vector, k: int) -> float:
    """Return how much lower than a position the parabola through it and those beside it gets."""
    a, b, c = positions[k - 1], positions[k], positions[k + 1]
    return vertex(a, b, c, values[k - 1], values[k], values[k + 1])[1]


@inner
def find_neighbour(lines: Lines, line: int) -> None:
    """Take the first minimum on the way from the line's own to the end."""
    values, size = lines.values[line], lines.sizes[line, SIZE]
    up = lines.positions[line, 0] == lines.floats[line, HOME]
    for j in range(1, size - 1):
        k, away = (j, 1) if up else (size - 1 - j, -1)
        if values[k] < values[k - away] and values[k] <= values[k + away] < math.inf:
            bracket_around(lines, line, k)
            lines.floats[line, DIFFERENCE] = CLOSE * (min(values[k - 1], values[k + 1]) - values[k])
            return


@inner
def vertex(a: float, b: float, c: float, y_a: float, y_b: float, y_c: float) -> tuple[float, float]:
    """Return how far to the left of the middle one of three points their parabola has its vertex, and how much lower.

    Where there is no parabola, nothing is gained: NaN and 0.
    """
    before, after = b - a, c - b
    p, q = before * (y_b - y_c), -after * (y_b - y_a)
    if not (before > 0.0 and after > 0.0 and math.isfinite(p) and math.isfinite(q)) or p == q:
        return math.nan, 0.0
    shift = 0.5 * (before * p + after * q) / (p - q)
    return shift, shift * shift * abs(p - q) / (before * after * (c - a))


@inner
def vertex_of(bracket: Vector) -> tuple[float, float]:
    """Return where the parabola through a bracket has its vertex, and how much lower."""
    a, b, c = bracket[LEFT], bracket[MIDDLE], bracket[RIGHT]
    return vertex(a, b, c, bracket[LEFT_Y], bracket[MIDDLE_Y], bracket[RIGHT_Y])


@inner
def next_trial(lines: Lines, line: int, k: int) -> bool:
    """Write where a minimum is evaluated next; tell whether it is worth it."""
    if lines.cursor[PHASE] == HOP:
        return hop(lines, line, lines.brackets[line, k])
    made = steps_of(lines) - lines.steps[line, k]
    return step(lines.brackets[line, k], lines.floats[line], made, studying(lines))


@inner
def step(bracket: Vector, floats: Vector, made: int, thorough: bool) -> bool:
    """Choose the vertex of the parabola, or a golden section."""
    a, b, c = bracket[LEFT], bracket[MIDDLE], bracket[RIGHT]
    if not c - a > floats[NARROWEST]:
        return False
    if a == b or b == c:
        return step_out(bracket, floats) if floats[LOW] < b < floats[HIGH] else step_from_end(bracket, floats, made)
    short, wide = min(b - a, c - b), max(b - a, c - b)
    part = GOLDEN_SECTION * wide if wide < LOPSIDED * short else math.sqrt(short * wide)
    trial = b - part if b - a > c - b else b + part
    shift, gain = vertex_of(bracket)
    if not math.isnan(shift):
        if made >= SURE and not thorough and bracket[MIDDLE_Y] - 2.0 * gain > floats[LOWEST]:
            return False
        if gain <= floats[DIFFERENCE] and made > 0:
            return False
        if a < b - shift < c and made % GOLDEN_TURN != GOLDEN_TURN - 1:
            trial = b - shift
    bracket[TRIAL] = trial
    return bool(a < trial < c and trial != b)


@inner
def step_out(bracket: Vector, floats: Vector) -> bool:
    """Choose a position further away, since the last one that is known was the best."""
    a, b, c = bracket[LEFT], bracket[MIDDLE], bracket[RIGHT]
    bracket[TRIAL] = max(floats[LOW], b - FURTHER * (c - b)) if a == b else min(floats[HIGH], b + FURTHER * (b - a))
    return True


@inner
def is_convex(end: float, near: float, spare: float, y_end: float, y_near: float, y_spare: float) -> bool:
    """Tell whether values rise more and more on the way from an end; not if one of them is not known or not finite."""
    rises, further = (y_near - y_end) / abs(near - end), (y_spare - y_near) / abs(spare - near)
    return bool(rises < further < math.inf)


@inner
def step_from_end(bracket: Vector, floats: Vector, made: int) -> bool:
    """Choose a position beside an end of the line: none if a parabola says that there is nothing lower.

    The first step is done all the same: without it, minima between the end and the next position are not seen.
    """
    end, spare = bracket[MIDDLE], bracket[SPARE]
    up = end < bracket[RIGHT]
    near, y_near = (bracket[RIGHT], bracket[RIGHT_Y]) if up else (bracket[LEFT], bracket[LEFT_Y])
    bracket[TRIAL] = end + GOLDEN_SECTION * (near - end)
    if y_near < math.inf and is_convex(end, near, spare, bracket[MIDDLE_Y], y_near, bracket[SPARE_Y]):
        if up:
            shift, gain = vertex(end, near, spare, bracket[MIDDLE_Y], y_near, bracket[SPARE_Y])
        else:
            shift, gain = vertex(spare, near, end, bracket[SPARE_Y], y_near, bracket[MIDDLE_Y])
        v = near - shift
        inside = min(end, near) < v < max(end, near) and y_near - gain < bracket[MIDDLE_Y] - floats[DIFFERENCE]
        if inside:
            bracket[TRIAL] = v
        elif made > 0:
            return False
    return bool(min(end, near) < bracket[TRIAL] < max(end, near))


@inner
def hop(lines: Lines, line: int, bracket: Vector) -> bool:
    """Choose the place of the lattice that is next to the vertex; where the bracket is open, one further away."""
    a, b = index_of(lines, line, bracket[LEFT]), index_of(lines, line, bracket[MIDDLE])
    c = index_of(lines, line, bracket[RIGHT])
    if a == c:
        return False
    first, last = ends_of(lines, line, 0.0)
    if a == b:
        k = max(first, b - 2 * (c - b))
    elif b == c:
        k = min(last, b + 2 * (b - a))
    else:
        shift = vertex_of(bracket)[0]
        if math.isnan(shift):
            return False
        k = min(c - 1, max(a + 1, index_of(lines, line, bracket[MIDDLE] - shift)))
    bracket[TRIAL] = place(lines, line, k)
    return bool(k != b)


@inner
def index_of(lines: Lines, line: int, v: float) -> int:
    """Return by how many periods a position is away."""
    floats = lines.floats[line]
    return int(np.floor((v - floats[HOME]) / floats[PERIOD] + 0.5))


@inner
def narrow(bracket: Vector, y: float) -> None:
    """Put the trial into the bracket, in the place of an end; an open bracket gets longer."""
    v = bracket[TRIAL]
    if y < bracket[MIDDLE_Y]:
        if v < bracket[MIDDLE]:
            bracket[RIGHT], bracket[RIGHT_Y] = bracket[MIDDLE], bracket[MIDDLE_Y]
            if v < bracket[LEFT]:
                bracket[LEFT], bracket[LEFT_Y] = v, y
        else:
            bracket[LEFT], bracket[LEFT_Y] = bracket[MIDDLE], bracket[MIDDLE_Y]
            if v > bracket[RIGHT]:
                bracket[RIGHT], bracket[RIGHT_Y] = v, y
        bracket[MIDDLE], bracket[MIDDLE_Y] = v, y
    elif v < bracket[MIDDLE]:
        bracket[SPARE], bracket[SPARE_Y] = bracket[LEFT], bracket[LEFT_Y]
        bracket[LEFT], bracket[LEFT_Y] = v, y
    else:
        bracket[SPARE], bracket[SPARE_Y] = bracket[RIGHT], bracket[RIGHT_Y]
        bracket[RIGHT], bracket[RIGHT_Y] = v, y


@inner
def remember_reach(lines: Lines, line: int) -> None:
    """Note how far away the minimum may still be: no further than the nearer end of its bracket, if steps shrink."""
    bracket, floats, nearest = lines.brackets[line, 0], lines.floats[line], math.inf
    if lines.sizes[line, MINIMA] > 0 and bracket[MIDDLE] == floats[BEST_AT]:
        for end in (LEFT, RIGHT):
            if bracket[end] != bracket[MIDDLE]:
                nearest = min(nearest, abs(bracket[end] - bracket[MIDDLE]))
    lines.reach[lines.variables[line]] = nearest / floats[PERIOD]
