"""Lines side by side: where they are evaluated next, and what becomes of a value.

All lines of a group go through the same base point, each along a variable of its own. First all of them are scanned.
Then the best local minima of each are refined, one step after the other: a step of all minima on all lines is one
round, whose evaluations do not depend on each other. Some groups have several such phases.
"""

from __future__ import annotations

import math

from ter._jit import inner, kernel
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.heuristics.line_brackets import find_minima, narrow, next_trial, remember_reach, studying
from ter.heuristics.line_scans import (
    begin,
    count_hits,
    count_level,
    learn,
    learn_level,
    scan_away,
    scan_evenly,
    scan_finely,
    scan_lattice,
    scan_places,
)
from ter.heuristics.line_state import (
    BEST_AT,
    COUNT,
    EVALUATED,
    EVEN,
    FINE,
    HOP,
    JOINING,
    LATTICE,
    LINE,
    LOWEST,
    MINIMA,
    NEIGHBOUR,
    NEXT,
    ORIGIN,
    PASS,
    PHASE,
    POSITION,
    REFINING,
    REGULAR,
    SCANNING,
    SIZE,
    STAGE,
    STALE,
    STUDIED,
    TRIAL,
    WIDTH,
    Lines,
)
from ter.heuristics.splitmix import below

__all__ = ["EVENLY", "gather", "note", "note_each", "trial_of", "trials"]

EVENLY = 3  # where ripples are regular, every third pass looks at whole lines all the same


@kernel
def gather(lines: Lines, x: Vector, y: float, lower: Vector, upper: Vector) -> int:
    """Lay out the lines of the next variables that can be moved, and return how many there are."""
    order, cursor = lines.order, lines.cursor
    if cursor[POSITION] == 0:  # a pass begins: a random permutation
        for k in range(order.shape[0]):
            j = below(lines.random, k + 1)
            order[k] = order[j]
            order[j] = k
    width, count = cursor[WIDTH], 0
    if studying(lines):
        width = min(width, lines.spacings.shape[0] - cursor[STUDIED])
    while count < width and cursor[POSITION] < order.shape[0]:
        i = order[cursor[POSITION]]
        cursor[POSITION] += 1
        if lower[i] < upper[i]:
            lines.variables[count] = i
            begin(lines, count, x[i], y, lower[i], upper[i])
            count += 1
    cursor[COUNT] = count
    lines.known[ORIGIN] = y
    if count > 0:
        cursor[EVALUATED], cursor[STALE] = 1, 0
        hopping = lines.known[REGULAR] > 0.0 and (cursor[PASS] == 1 or cursor[PASS] % EVENLY != 1)
        begin_phase(lines, HOP if hopping else EVEN)
        proceed(lines)
    return count


@inner
def begin_phase(lines: Lines, phase: int) -> None:
    """Lay out the scans of all lines."""
    cursor = lines.cursor
    cursor[PHASE], cursor[STAGE] = phase, SCANNING
    cursor[LINE] = cursor[NEXT] = 0
    for line in range(cursor[COUNT]):
        if phase == EVEN:
            scan_evenly(lines, line)
        elif phase == NEIGHBOUR:
            scan_away(lines, line)
        elif phase == LATTICE:
            scan_places(lines, line)
        elif phase == HOP:
            scan_lattice(lines, line)
        else:
            scan_finely(lines, line)


@inner
def end_phase(lines: Lines) -> None:
    """Begin the phase that follows, or let lines be joined."""
    cursor, phase = lines.cursor, lines.cursor[PHASE]
    if phase == EVEN and cursor[PASS] == 1:
        for line in range(cursor[COUNT]):
            count_level(lines, line)
    if phase == EVEN and studying(lines):
        begin_phase(lines, NEIGHBOUR)
    elif phase == NEIGHBOUR:
        begin_phase(lines, LATTICE)
    elif phase == HOP:
        begin_phase(lines, FINE)
    else:
        for line in range(cursor[COUNT]):
            if phase == LATTICE:
                count_hits(lines, line)
            if phase == FINE:
                remember_reach(lines, line)
        if phase == LATTICE and not studying(lines):
            learn(lines)
        learn_level(lines)
        cursor[STAGE] = JOINING
        cursor[LINE] = cursor[NEXT] = 0


@kernel
def trial_of(lines: Lines) -> float:
    """Return where the line under way is evaluated next."""
    cursor = lines.cursor
    line, k = cursor[LINE], cursor[NEXT]
    return float(lines.positions[line, k] if cursor[STAGE] == SCANNING else lines.brackets[line, k, TRIAL])


@inner
def is_due(lines: Lines, line: int, k: int) -> bool:
    """Tell whether a position of a scan, or a minimum, is to be evaluated in this round."""
    if lines.cursor[STAGE] == SCANNING:
        return math.isnan(lines.values[line, k])
    return bool(lines.steps[line, k] > 0)


@kernel
def trials(lines: Lines, where: Integers, targets: Vector) -> int:
    """Write the next evaluations, which do not depend on each other: their lines and positions; return how many."""
    cursor, n = lines.cursor, 0
    first, scanning = cursor[NEXT], cursor[STAGE] == SCANNING
    for line in range(cursor[LINE], cursor[COUNT]):
        for k in range(first, lines.sizes[line, SIZE if scanning else MINIMA]):
            if n == where.shape[0]:
                return n
            if is_due(lines, line, k):
                where[n] = line
                targets[n] = lines.positions[line, k] if scanning else lines.brackets[line, k, TRIAL]
                n += 1
        first = 0
    return n


@kernel
def note_each(lines: Lines, values: Vector) -> None:
    """Take note of the values of so many trials."""
    for k in range(values.shape[0]):
        note(lines, values[k])


@kernel
def note(lines: Lines, y: float) -> None:
    """Take note of the value of the trial under way, and go on to the next one."""
    cursor = lines.cursor
    line, k = cursor[LINE], cursor[NEXT]
    if y < lines.floats[line, LOWEST]:
        lines.floats[line, LOWEST], lines.floats[line, BEST_AT] = y, trial_of(lines)
    if cursor[STAGE] == SCANNING:
        lines.values[line, k] = math.inf if math.isnan(y) else y
    else:
        narrow(lines.brackets[line, k], y)
        lines.steps[line, k] -= 1
    cursor[NEXT] += 1
    proceed(lines)


@inner
def seek(lines: Lines) -> bool:
    """Go to the next evaluation of this round; tell whether there is one."""
    cursor = lines.cursor
    while cursor[LINE] < cursor[COUNT]:
        end = lines.sizes[cursor[LINE], SIZE if cursor[STAGE] == SCANNING else MINIMA]
        while cursor[NEXT] < end:
            if is_due(lines, cursor[LINE], cursor[NEXT]):
                return True
            cursor[NEXT] += 1
        cursor[LINE] += 1
        cursor[NEXT] = 0
    return False


@inner
def proceed(lines: Lines) -> None:
    """Go to the next evaluation: of this round, of the next one, or of the next phase; or to where lines are joined."""
    cursor = lines.cursor
    while cursor[STAGE] != JOINING and not seek(lines):
        cursor[LINE] = cursor[NEXT] = 0
        if cursor[STAGE] == SCANNING:
            cursor[STAGE] = REFINING
            for line in range(cursor[COUNT]):
                find_minima(lines, line)
            next_round(lines)
        elif not next_round(lines):
            end_phase(lines)


@inner
def next_round(lines: Lines) -> bool:
    """Choose where all minima that are worth a step are evaluated next; tell whether there is one."""
    any_left = False
    for line in range(lines.cursor[COUNT]):
        for k in range(lines.sizes[line, MINIMA]):
            if lines.steps[line, k] > 0:
                if next_trial(lines, line, k):
                    any_left = True
                else:
                    lines.steps[line, k] = 0
    return any_left
