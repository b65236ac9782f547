"""Where a line is evaluated before anything is refined, and what is learned of ripples.

Many functions have ripples: minima at equal distances on every line. The first lines are studied for that. From a
minimum, points further and further away lead to its neighbour. If minima are where its distance says, all along the
line, and if the distance is the same on the other lines, it is the period of all. Then a line needs no dense scan:
points whole periods away show the function without its ripples, and few of them tell where its best minimum is.
"""

from __future__ import annotations

import math

import numpy as np

from ter._jit import inner
from ter.heuristics.line_state import (
    BEST_AT,
    FLAT,
    HIGH,
    HITS,
    HOME,
    LEFT,
    LEFT_Y,
    LEVEL,
    LOW,
    LOWEST,
    MIDDLE,
    MIDDLE_Y,
    MINIMA,
    NARROWEST,
    ORIGIN,
    PASS,
    PERIOD,
    POINTS,
    REGULAR,
    RIGHT,
    RIGHT_Y,
    SHAPED,
    SIZE,
    SPACING,
    STUDIED,
    TESTS,
    Lines,
)
from ter.heuristics.splitmix import uniform

__all__ = ["MOST_POSITIONS"]

NARROW = 1e-15  # a bracket, as a share of the range
NEAREST, GROWTH = 2.0**-10, 1.3  # how far the neighbour is looked for: first, as a share of the range; then by a factor
PLACES = 4  # at which a lattice is tested, and a quarter of a period beside them
ALIKE = 0.03  # by so much periods of different lines may differ
ENOUGH = 0.75  # the share of lines, or of places, that have to agree
FEWEST_LEVEL = 2  # lines, and positions on them that have exactly the value of the point
FINEST, COARSEST = 2.0**-12, 1.0 / 3.0  # of a period: the distance of points around a minimum
MOST_POSITIONS = 32  # on a line that is studied


@inner
def put(lines: Lines, line: int, v: float, y: float) -> None:
    """Append a position to a line, with its value or NaN."""
    n = lines.sizes[line, SIZE]
    lines.positions[line, n], lines.values[line, n] = v, y
    lines.sizes[line, SIZE] = n + 1


@inner
def begin(lines: Lines, line: int, x: float, y: float, low: float, high: float) -> None:
    """Note what is known of a line before its first evaluation."""
    floats = lines.floats[line]
    floats[LOWEST], floats[BEST_AT], floats[NARROWEST] = y, x, NARROW * (high - low)
    floats[LOW], floats[HIGH], floats[HOME] = low, high, x
    floats[PERIOD] = lines.known[REGULAR] * (high - low)


@inner
def scan_evenly(lines: Lines, line: int) -> None:
    """Lay out a line's ends, evenly spaced points, and the point itself."""
    floats, points = lines.floats[line], lines.cursor[POINTS]
    low, high, x = floats[LOW], floats[HIGH], floats[HOME]
    offset, own = uniform(lines.random), False
    lines.sizes[line, SIZE] = 0
    for k in range(-1, points + 1):
        v = low if k < 0 else high
        if 0 <= k < points:
            v = min(high, low + (k + offset) / points * (high - low))
        if not own and v >= x:
            own = True
            put(lines, line, x, floats[LOWEST])
        if v != x:
            put(lines, line, v, math.nan)


@inner
def ends_of(lines: Lines, line: int, margin: float) -> tuple[int, int]:
    """Return the first and the last place of the lattice that is so many periods away from the bounds."""
    floats = lines.floats[line]
    first = math.ceil((floats[LOW] - floats[HOME]) / floats[PERIOD] + margin)
    last = math.floor((floats[HIGH] - floats[HOME]) / floats[PERIOD] - margin)
    return int(first), int(last)


@inner
def spread(first: int, last: int, k: int, n: int) -> int:
    """Return one of `n` whole numbers from the first to the last, as even as they can be."""
    return int(first + math.floor(k * (last - first) / (n - 1) + 0.5))


@inner
def place(lines: Lines, line: int, k: int) -> float:
    """Return a position that is `k` periods away."""
    floats = lines.floats[line]
    return float(min(floats[HIGH], max(floats[LOW], floats[HOME] + k * floats[PERIOD])))


@inner
def scan_lattice(lines: Lines, line: int) -> None:
    """Lay out points whole periods away: along the range in the first pass, the next ones later."""
    first, last = ends_of(lines, line, 0.0)
    n = max(2, lines.cursor[POINTS])
    if lines.cursor[PASS] > 1:
        first, last, n = max(first, -1), min(last, 1), 3
    lines.sizes[line, SIZE] = 0
    before = first - 1
    for j in range(n):
        k = spread(first, last, j, n)
        if before < 0 <= k:
            put(lines, line, lines.floats[line, HOME], lines.floats[line, LOWEST])
        if before != k != 0:
            put(lines, line, place(lines, line, k), math.nan)
        before = k


@inner
def scan_finely(lines: Lines, line: int) -> None:
    """Lay out points within a period around the best one, as far away as its minimum may be."""
    floats, bracket = lines.floats[line], lines.brackets[line, 0]
    m, low, high = floats[BEST_AT], floats[LOW], floats[HIGH]
    reach = lines.reach[lines.variables[line]] if m == floats[HOME] else 1.0
    distance = floats[PERIOD] * min(COARSEST, max(FINEST, reach))
    hopped = lines.sizes[line, MINIMA] > 0
    lines.sizes[line, SIZE] = 0
    if hopped and bracket[LEFT] < m - distance:
        put(lines, line, bracket[LEFT], bracket[LEFT_Y])
    if max(low, m - distance) < m:
        put(lines, line, max(low, m - distance), math.nan)
    put(lines, line, m, floats[LOWEST])
    if min(high, m + distance) > m:
        put(lines, line, min(high, m + distance), math.nan)
    if hopped and bracket[RIGHT] > m + distance:
        put(lines, line, bracket[RIGHT], bracket[RIGHT_Y])


@inner
def scan_away(lines: Lines, line: int) -> None:
    """Lay out points further and further away from the line's minimum, where there is more room."""
    floats, bracket = lines.floats[line], lines.brackets[line, 0]
    m, y = floats[BEST_AT], floats[LOWEST]
    if lines.sizes[line, MINIMA] > 0:
        m, y = bracket[MIDDLE], bracket[MIDDLE_Y]
    floats[HOME] = m
    low, high = floats[LOW], floats[HIGH]
    up = high - m >= m - low
    n = int(math.log(max(high - m, m - low) / (high - low) / NEAREST) / math.log(GROWTH)) + 1
    lines.sizes[line, SIZE] = 0
    if up:
        put(lines, line, m, y)
    for k in range(n):
        distance = (high - low) * NEAREST
        for _ in range(k if up else n - 1 - k):  # a power would be rounded differently without compiling
            distance *= GROWTH
        v = m + distance if up else m - distance
        if low < v < high and v != m:
            put(lines, line, v, math.nan)
    if not up:
        put(lines, line, m, y)


@inner
def scan_places(lines: Lines, line: int) -> None:
    """Note how far the neighbour is away, and lay out where others should be: each, and both sides of it."""
    floats = lines.floats[line]
    found = lines.sizes[line, MINIMA] > 0
    floats[PERIOD] = abs(lines.brackets[line, 0, MIDDLE] - floats[HOME]) if found else 0.0
    lines.spacings[lines.cursor[STUDIED]] = floats[PERIOD] / (floats[HIGH] - floats[LOW])
    lines.cursor[STUDIED] += 1
    lines.sizes[line, SIZE] = 0
    if not floats[PERIOD] > 0.0:
        return
    first, last = ends_of(lines, line, 0.25)
    before = first - 1
    for j in range(PLACES if first <= last else 0):
        k = spread(first, last, j, PLACES)
        if k != before:
            for quarter in range(-1, 2):
                put(lines, line, place(lines, line, k) + 0.25 * quarter * floats[PERIOD], math.nan)
        before = k


@inner
def count_hits(lines: Lines, line: int) -> None:
    """Count at how many places of the lattice there is a minimum."""
    values = lines.values[line]
    for j in range(1, lines.sizes[line, SIZE], 3):
        lines.cursor[TESTS] += 1
        if values[j] < values[j - 1] and values[j] < values[j + 1]:
            lines.cursor[HITS] += 1


@inner
def learn(lines: Lines) -> None:
    """Say how far minima are apart if most lines have several, and whether that is a period."""
    cursor, known, n = lines.cursor, lines.known, lines.spacings.shape[0]
    spacings = np.sort(lines.spacings)
    found = 0
    for k in range(n):
        found += spacings[k] > 0.0
    if found < ENOUGH * n:
        return
    middle, alike = spacings[n - found + found // 2], 0
    for k in range(n):
        alike += abs(spacings[k] - middle) <= ALIKE * middle
    known[SPACING] = middle
    if alike >= ENOUGH * n and cursor[HITS] >= ENOUGH * cursor[TESTS]:
        known[REGULAR] = middle


@inner
def count_level(lines: Lines, line: int) -> None:
    """Look whether a line is level at some positions of its scan, and higher at the others."""
    y, level, lower, n = lines.known[ORIGIN], 0, 0, lines.sizes[line, SIZE]
    for k in range(n):
        level += lines.values[line, k] == y
        lower += lines.values[line, k] < y
    if level < n:
        lines.cursor[SHAPED] += 1
        if lower == 0 and level > FEWEST_LEVEL:  # one of them is the point itself
            lines.cursor[LEVEL] += 1


@inner
def learn_level(lines: Lines) -> None:
    """Say whether most lines are level, those left out on which nothing depends."""
    level = lines.cursor[LEVEL]
    if level >= FEWEST_LEVEL and level >= ENOUGH * lines.cursor[SHAPED]:
        lines.known[FLAT] = 1.0
