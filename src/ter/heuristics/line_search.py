"""Global line search: many variables at a time, each over its whole range.

A pass visits the variables in random order, in groups. On the line through the base point along a variable, both
bounds and evenly spaced points are evaluated, the first of which is drawn. The local minima that promise the lowest
values, by the parabola through three points, are refined side by side, by steps to the vertex of such a parabola, or by
golden sections [1]_. The first pass is coarse, and does not refine to the end.

The first lines are studied: are there ripples, and are they regular (:mod:`ter.heuristics.line_scans`)? If so, the
other lines are searched by hops of whole periods, then within a period. If ripples are not regular, the second pass has
as many points as it takes to see them. Are most of them level, so that only few variables matter at a time? Then
:mod:`ter.heuristics.middles` go on.

The lines of a group all start from the same point. What was found on them is tried together: where variables do not
interact, that gains what the lines gained one by one. If it gains less, the better half of the lines is tried, a
quarter and so on, and the best of all is taken; then groups get smaller, down to one line after the other.
They grow while lines keep what they promise.

References
----------
.. [1] R. Brent, "Algorithms for minimization without derivatives", Prentice-Hall, 1973.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import itemgetter

import numpy as np

from ter._jit import kernel
from ter.core.allowance import Allowance, Branch, KeptBranch
from ter.core.box import Box
from ter.core.ledger import COUNT as EVALUATIONS
from ter.core.ledger import LIMIT, Walk
from ter.core.ledger import PAUSE as RETURN_AT
from ter.decomposition.moves import evaluated, rows_per_batch
from ter.engines.compiled import compile_sequential
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.differences import ROWS
from ter.heuristics.first_look import FirstLook
from ter.heuristics.kinds import OneByOneLook
from ter.heuristics.line_rounds import EVENLY, gather, note, note_each, trial_of, trials
from ter.heuristics.line_scans import MOST_POSITIONS
from ter.heuristics.line_state import (
    ARRIVING,
    BEST_AT,
    BRACKET,
    COLUMNS,
    COUNT,
    EVALUATED,
    FIELDS,
    FLAT,
    JOINING,
    LINE,
    LOWEST,
    NEXT,
    ORIGIN,
    PASS,
    PATIENCE,
    POINTS,
    POSITION,
    REGULAR,
    SEEN,
    SINGLE,
    SPACING,
    STAGE,
    STALE,
    STEPS,
    WANTED,
    WIDTH,
    Lines,
)
from ter.heuristics.middles import Middles, MiddlesState
from ter.heuristics.splitmix import seed_random
from ter.heuristics.unions import bring_along, keeps, sizes_of, try_unions

__all__ = ["GlobalLineSearch", "LineSearchState"]

LEAST = 4  # lines of the first group, if there are enough variables
PART = 4  # a group has no more than one variable of so many
FEWEST_STUDIED, MOST_STUDIED, STUDIED_PART = 4, 8, 32  # lines that are studied: one of so many, within these limits
PER_MINIMUM = 2.5  # points that are needed to see a minimum among others
FIRST_PATIENCE, MOST_PATIENCE = 4, 64  # lines that are searched alone before two are tried together


@dataclass
class LineSearchState:
    """What the search keeps between its initiations."""

    lines: Lines
    base: Branch | KeptBranch | None = None  # the point that lines go through
    first: FirstLook = field(default_factory=FirstLook)
    middles: MiddlesState | None = None  # where lines are level

    @property
    def remark(self) -> str:
        """Say why it waits."""
        return self.first.reason

    @property
    def investing(self) -> bool:
        """Whether the first pass is under way: what it is worth shows when all variables have been visited.

        If lines do not keep together what they promised one by one, that is shown already: the variables interact.
        """
        cursor = self.lines.cursor
        if self.first.look is not None:
            return True
        if self.middles is not None:
            return self.middles.investing
        if cursor[PATIENCE] > FIRST_PATIENCE:  # the last lines that were tried together
            return False
        return bool(cursor[PASS] <= 1 and (cursor[POSITION] < self.lines.order.size or cursor[STAGE] != ARRIVING))


@dataclass(frozen=True)
class GlobalLineSearch:
    """Search each variable's whole range for the best minima, and refine them; learn whether ripples are regular.

    Parameters
    ----------
    points : int
        Evenly spaced points on a line, beside its ends and the point it starts from; >= 1.
    first : int
        How many there are in the first pass; the number doubles with each pass, up to `points`, or is as large as it
        takes to see ripples that were found.
    minima : int
        How many local minima are refined at most: one in the first pass, one more in each of the next.
    steps : int
        By how many evaluations each, at most. One is given up sooner if its bracket is narrow, if little is left to
        be gained, or if it will not become the best.
    lines : int
        How many are searched side by side at most; no more than a quarter of the variables.
    evaluations : float
        Evaluations per initiation and variable. Where initiations end does not matter.
    looks_first : bool
        Look first whether variables can be searched one by one, or nearly so on a rugged function, which takes 73 to
        121 evaluations. If not, the first initiation ends with that, so that others can go first; later ones search all
        the same.

    Notes
    -----
    The first pass costs about ten evaluations per variable; a pass with 40 points and three minima costs 45 to 90.
    With 32 variables or more, some of the first lines are studied for ripples, which costs 30 to 60 evaluations each.
    If ripples are regular, a pass costs six to eleven evaluations per variable, and every third one looks at whole
    lines.

    If most lines of the first pass are level where they begin, and rise further away, only few variables matter at a
    time, as in the largest of many terms: then the variables are taken to the middles of what is level.

    If others have moved the incumbent, the lines under way are finished where they began, and what they have found is
    tried at the incumbent.

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
    lines: int = 64
    looks_first: bool = False

    def __post_init__(self) -> None:
        require_whole("points", self.points, low=1)
        require_whole("first", self.first, low=1)
        require_whole("minima", self.minima, low=1)
        require_whole("steps", self.steps, low=0)
        require_whole("lines", self.lines, low=1)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation."""
        return max(1, int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> LineSearchState:
        """Begin before the first pass."""
        most = min(self.lines, max(1, box.dimension // PART))
        cursor = np.zeros(FIELDS, dtype=np.int64)
        cursor[POSITION], cursor[EVALUATED] = box.dimension, 1  # as if a pass had just ended
        cursor[WIDTH], cursor[PATIENCE] = min(LEAST, most), FIRST_PATIENCE
        cursor[STEPS] = self.steps
        positions = max(self.points + 3, MOST_POSITIONS)
        lines = Lines(
            random=seed_random(rng),
            order=np.arange(box.dimension),
            cursor=cursor,
            known=np.array([np.inf, np.inf, 0.0, 0.0, 0.0]),
            reach=np.ones(box.dimension),
            spacings=np.zeros(studied(box)),
            variables=np.zeros(most, dtype=np.int64),
            sizes=np.zeros((most, 2), dtype=np.int64),
            floats=np.zeros((most, COLUMNS)),
            positions=np.zeros((most, positions)),
            values=np.zeros((most, positions)),
            brackets=np.zeros((most, self.minima, BRACKET)),
            steps=np.zeros((most, self.minima), dtype=np.int64),
            unions=np.zeros(most.bit_length()),
        )
        return LineSearchState(lines)

    def act(self, state: LineSearchState, allowance: Allowance, rng: np.random.Generator) -> LineSearchState:
        """Go on with the pass under way, then pass again until the allowance is used up."""
        if self.looks_first and state.first.ends(OneByOneLook, allowance):
            return state
        if state.middles is None:
            self._search(state, allowance)
        if state.lines.known[FLAT] and state.lines.cursor[STAGE] == ARRIVING:
            middles = Middles(self.lines)
            state.middles = middles.act(state.middles or middles.start(allowance.box, rng), allowance, rng)
        return state

    def _search(self, state: LineSearchState, allowance: Allowance) -> None:
        """Go on until the allowance is used up, or most lines are level."""
        lines, cursor = state.lines, state.lines.cursor
        base = state.base = self._base(state, allowance)
        while allowance.remaining and not (cursor[STAGE] == ARRIVING and lines.known[FLAT]):
            if cursor[STAGE] == JOINING:
                join(lines, base, allowance)
                continue
            if cursor[STAGE] == ARRIVING and cursor[POSITION] >= allowance.dimension:
                if not cursor[EVALUATED]:  # no variable can be moved
                    cursor[EVALUATED] = 1
                    break
                self._next_pass(lines)
            if allowance.batched:
                self._search_in_batches(lines, base)
            else:
                base.run(search, lines)
        _bring_best(lines, base, allowance)
        lines.known[SEEN] = allowance.y

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the search; around other objectives its loop runs as Python."""
        lines, box = self.start(Box(np.zeros(1), np.ones(1)), np.random.default_rng(0)).lines, (np.zeros(1), np.ones(1))
        self._next_pass(lines)
        gather(lines, np.zeros(1), 0.0, *box)
        trials(lines, np.zeros(1, dtype=np.int64), np.zeros(1))
        trial_of(lines)
        note(lines, 0.0)
        note_each(lines, np.zeros(0))
        settle(lines)
        if compiled:
            compile_sequential(search, (lines,))

    def _next_pass(self, lines: Lines) -> None:
        """Decide how many points and minima the next pass has, if it looks at whole lines."""
        cursor, known = lines.cursor, lines.known
        cursor[PASS] += 1
        cursor[POSITION] = cursor[EVALUATED] = 0
        if known[REGULAR] > 0.0 and cursor[PASS] % EVENLY != 1:
            return
        points, minima = max(self.first, 2 * int(cursor[POINTS])), int(cursor[WANTED]) + 1
        if known[SPACING] > 0.0 and not known[REGULAR] > 0.0:  # it would take long to get there by doubling
            points, minima = max(points, int(PER_MINIMUM / known[SPACING])), self.minima
        cursor[POINTS], cursor[WANTED] = min(self.points, points), min(self.minima, minima)

    @staticmethod
    def _base(state: LineSearchState, allowance: Allowance) -> Branch:
        """Return the point that lines go through: that of the group under way, or the incumbent."""
        cursor = state.lines.cursor
        if state.base is None:
            return allowance.branch(allowance.x, allowance.y, follow=False)
        base = allowance.branch(state.base)
        if cursor[STAGE] == ARRIVING:
            if base.y != allowance.y:
                base.jump(allowance.x, allowance.y)
        elif allowance.y != state.lines.known[SEEN]:
            cursor[STALE] = 1
            if cursor[STAGE] == JOINING:
                cursor[NEXT] = 0
        return base

    def _search_in_batches(self, lines: Lines, base: Branch) -> None:
        """Do what the kernel does, with evaluations that do not depend on each other as batches."""
        cursor, box = lines.cursor, base.box
        if cursor[STAGE] == ARRIVING:
            gather(lines, base.x, base.y, np.array(box.lower), np.array(box.upper))
            if cursor[STAGE] in (ARRIVING, JOINING):
                return
        room = min(base.remaining, max(ROWS, rows_per_batch(base.dimension)))
        where, targets = np.empty(room, dtype=np.int64), np.empty(room)
        n = trials(lines, where, targets)
        coordinates = lines.variables[: cursor[COUNT]].copy()
        moves = np.tile(base.x[coordinates], (n, 1))
        moves[np.arange(n), where[:n]] = targets[:n]
        note_each(lines, evaluated(base, coordinates, moves))


def studied(box: Box) -> int:
    """Return on how many lines ripples are looked for; with few variables it would cost more than it tells.

    Examples
    --------
    >>> [studied(Box(np.zeros(n), np.ones(n))) for n in (10, 32, 200, 1000)]
    [0, 4, 6, 8]
    """
    movable = int((box.lower < box.upper).sum())
    return min(MOST_STUDIED, max(FEWEST_STUDIED, movable // STUDIED_PART)) if movable >= STUDIED_PART else 0


def _bring_best(lines: Lines, base: Branch, allowance: Allowance) -> None:
    """Let the allowance's point be the best one that is known, also in the middle of a group."""
    x, y, lowest = base.x, base.y, lines.floats[: lines.cursor[COUNT], LOWEST]
    if lines.cursor[STAGE] != ARRIVING and lowest.min() < min(y, allowance.y):
        best = int(lowest.argmin())
        x[lines.variables[best]], y = lines.floats[best, BEST_AT], float(lowest[best])
    bring_along(allowance, x, y)


def join(lines: Lines, base: Branch, allowance: Allowance) -> None:
    """Try together what was found on the lines of a group, and go to the best point."""
    cursor, stale = lines.cursor, bool(lines.cursor[STALE])
    if stale and base.y != allowance.y:
        base.jump(allowance.x, allowance.y)
        cursor[NEXT] = 0
    lowest, origin = lines.floats[: cursor[COUNT], LOWEST], float(lines.known[ORIGIN])
    order = np.argsort(lowest, kind="stable")
    better = order[lowest[order] < origin]
    who, where, ends = lines.variables[better], lines.floats[better, BEST_AT], np.arange(1, better.size + 1)
    sizes, promised = sizes_of(better.size, least=1 if stale else 2), float((origin - lowest[better]).sum())
    known = lines.unions[: cursor[NEXT]].tolist()
    done = try_unions(base, who, where, ends, sizes, known, promised)
    cursor[NEXT], lines.unions[: len(known)] = len(known), known
    if not done:
        return
    if sizes and not stale:
        adapt(lines, compatible=keeps(base.y, known[0], promised))
    ends_at = list(zip(known, sizes, strict=False))
    if better.size and not stale:
        ends_at.append((float(lowest[better[0]]), 1))
    y, size = min(ends_at, key=itemgetter(0), default=(np.inf, 0))
    if y < base.y:
        base.accept(who[:size], where[:size], y)
    settle(lines)


def adapt(lines: Lines, *, compatible: bool) -> None:
    """Let groups grow while lines keep what they promise, and shrink when they do not."""
    cursor = lines.cursor
    if compatible:
        cursor[WIDTH], cursor[PATIENCE] = min(2 * int(cursor[WIDTH]), lines.variables.size), FIRST_PATIENCE
    else:
        cursor[WIDTH] = max(1, int(cursor[WIDTH]) // 2)
        if cursor[WIDTH] == 1:
            cursor[PATIENCE] = min(MOST_PATIENCE, 2 * int(cursor[PATIENCE]))


@kernel
def settle(lines: Lines) -> None:
    """End a group; after so many lines alone, two are tried together."""
    cursor = lines.cursor
    cursor[STAGE] = ARRIVING
    if cursor[WIDTH] == 1 and lines.variables.shape[0] > 1:
        cursor[SINGLE] += 1
        if cursor[SINGLE] >= cursor[PATIENCE]:
            cursor[WIDTH], cursor[SINGLE] = 2, 0


@kernel
def search(
    probe: Callable[[Walk, int, float], float],
    accept: Callable[[Walk, int, float, float], None],
    walk: Walk,
    lines: Lines,
) -> None:
    """Search line after line, until what was found on several must be tried together."""
    ledger, cursor = walk.ledger, lines.cursor
    while ledger[EVALUATIONS] < ledger[LIMIT] and ledger[EVALUATIONS] < ledger[RETURN_AT]:
        if cursor[STAGE] == JOINING:
            if cursor[STALE]:
                return
            best, better = 0, 0
            for line in range(cursor[COUNT]):
                if lines.floats[line, LOWEST] < walk.y[0]:
                    best, better = line, better + 1
            if better > 1:
                return
            if better:
                accept(walk, lines.variables[best], lines.floats[best, BEST_AT], lines.floats[best, LOWEST])
            settle(lines)
            continue
        if cursor[STAGE] == ARRIVING:
            if cursor[POSITION] >= lines.order.shape[0] or lines.known[FLAT] > 0.0:
                return
            if gather(lines, walk.x, walk.y[0], walk.lower, walk.upper) == 0:
                return
            continue
        v = trial_of(lines)
        note(lines, probe(walk, lines.variables[cursor[LINE]], v))
