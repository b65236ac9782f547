"""Middles of plateaus: for functions that most variables do not change, such as the largest of many terms.

A pass visits the variables in random order, in groups, and searches each line for the middle of what is no higher than
the point itself (:mod:`ter.heuristics.middle_line`). All middles of a group are tried together: where only the worst
term counts, that is no worse than the point, and it is gone to even if it is no better. What is gained shows when the
term that counts comes down: no other one is in its way. If together they are worse, half of them are tried, a quarter
and so on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ter.core.allowance import Allowance, Branch, KeptBranch
from ter.core.box import Box, Vector
from ter.core.ledger import Integers
from ter.decomposition.moves import evaluated
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.middle_line import MiddleLine
from ter.heuristics.unions import bring_along, sizes_of

__all__ = ["Middles", "MiddlesState"]

FIRST_STEP = 0.25  # of a range
CLOSER = 0.5  # times the width of what was found: where the next pass looks first


@dataclass
class MiddlesState:
    """What the search keeps between its initiations.

    Attributes
    ----------
    steps : array
        How far away lines are evaluated first, for each variable.
    order : array of int
        In which the pass visits variables.
    position : int
        How many it has visited.
    together : int
        How many lines the next group has.
    variables, lines : array of int, list of MiddleLine
        The group under way.
    due : list of int
        Its lines that are still to be evaluated in this round.
    unions : list of float
        Values of the middles that were tried together: of all, of half of them and so on.
    seed : int
        Of the orders.
    base : Branch
        The point that lines go through.
    shared : array
        The last one of its points that was better than all before, so that others know it, too.
    """

    steps: Vector
    order: Integers
    position: int
    together: int
    variables: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    lines: list[MiddleLine] = field(default_factory=list)
    due: list[int] = field(default_factory=list)
    unions: list[float] = field(default_factory=list)
    seed: int = 0
    passes: int = 0
    base: Branch | KeptBranch | None = None
    shared: Vector = field(default_factory=lambda: np.empty(0))

    @property
    def investing(self) -> bool:
        """Whether the first pass is under way."""
        return self.passes <= 1


@dataclass(frozen=True)
class Middles:
    """Take each variable to the middle of where it makes nothing worse.

    Parameters
    ----------
    lines : int
        How many are searched side by side at most.
    evaluations : float
        Evaluations per initiation and variable. Where initiations end does not matter.

    Notes
    -----
    A pass takes four to seven evaluations per variable.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float(abs(x - 0.3).max()), ter.box(-5, 5, dimension=50), budget=3_000, rng=1,
    ...                       heuristics=["middles"])
    >>> result.fun < 1e-12
    True
    """

    lines: int = 64
    evaluations: float = 25.0
    name: str = "middles"

    def __post_init__(self) -> None:
        require_whole("lines", self.lines, low=1)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation."""
        return max(1, int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> MiddlesState:
        """Begin before the first pass."""
        n = box.dimension
        steps = FIRST_STEP * box.upper - FIRST_STEP * box.lower
        seed = int(rng.integers(2**63))
        return MiddlesState(steps=steps, order=np.arange(n), position=n, together=min(self.lines, n), seed=seed)

    def act(self, state: MiddlesState, allowance: Allowance, rng: np.random.Generator) -> MiddlesState:
        """Go on with the pass under way, then pass again until the allowance is used up."""
        base = state.base = self._base(state, allowance)
        while allowance.remaining:
            if not state.lines:
                self._catch_up(state, base, allowance)
                if not self._gather(state, base):
                    break
            if not state.due:
                state.due = [k for k, line in enumerate(state.lines) if line.next() is not None]
            if state.due:
                self._evaluate_lines(state, base)
            else:
                self._join(state, base)
        bring_along(allowance, base.x, base.y)
        return state

    @staticmethod
    def _base(state: MiddlesState, allowance: Allowance) -> Branch:
        """Return the point that lines go through."""
        if state.base is None:
            state.shared = np.array(allowance.x)
            return allowance.branch(allowance.x, allowance.y, follow=False)
        return allowance.branch(state.base)

    @staticmethod
    def _catch_up(state: MiddlesState, base: Branch, allowance: Allowance) -> None:
        """Go where others have moved the incumbent, and bring what was moved here.

        Moves that do not change the value do not move the incumbent, so they would be lost.
        """
        if not allowance.y < base.y:
            return
        ours = base.x
        moved = np.flatnonzero(ours != state.shared)
        state.shared = np.array(allowance.x)
        base.jump(allowance.x, allowance.y)
        value = evaluated(base, moved, ours[moved][None, :]) if moved.size else np.empty(0)
        if value.size and value[0] <= base.y:
            base.accept(moved, ours[moved], float(value[0]))

    @staticmethod
    def _gather(state: MiddlesState, base: Branch) -> bool:
        """Begin the lines of the next variables; tell whether there is one that can be moved."""
        low, high = base.box.lower, base.box.upper
        if state.position >= state.order.size:
            movable = np.flatnonzero(low < high)
            state.order = np.random.default_rng([state.seed, state.passes]).permutation(movable)
            state.position, state.passes = 0, state.passes + 1
        state.variables = state.order[state.position : state.position + state.together].copy()  # apart in a snapshot
        state.position += state.variables.size
        x = base.x
        state.lines = [
            MiddleLine(float(low[i]), float(high[i]), float(x[i]), base.y, float(state.steps[i]))
            for i in state.variables
        ]
        return bool(state.lines)

    @staticmethod
    def _evaluate_lines(state: MiddlesState, base: Branch) -> None:
        """Evaluate a round of the group's lines, or as much of it as the allowance is enough for."""
        due = state.due
        trials = [state.lines[k].next() for k in due]
        rows = np.tile(base.x[state.variables], (len(due), 1))
        rows[np.arange(len(due)), due] = trials
        values = evaluated(base, state.variables, rows)
        for k, v, y in zip(due, trials, values, strict=False):
            if v is not None:
                state.lines[k].note(v, float(y))
        state.due = due[values.size :]

    def _join(self, state: MiddlesState, base: Branch) -> None:
        """Try the middles of a group together, and go there unless it is worse; or where a line alone was better."""
        lines, variables = state.lines, state.variables
        order = sorted(range(len(lines)), key=lambda k: lines[k].y)
        who, where = variables[order], np.array([lines[k].middle for k in order])
        sizes = sizes_of(len(lines), least=1)
        row = base.x[who]
        size = sizes[len(state.unions)]
        row[:size] = where[:size]
        value = evaluated(base, who, row[None, :])
        if not value.size:
            return
        state.unions.append(float(value[0]))
        best = lines[order[0]]
        worse = not value[0] <= min(base.y, best.y)
        if worse and len(state.unions) < len(sizes):
            return
        before = base.y
        if not worse:
            base.accept(who[:size], where[:size], float(value[0]))
        elif best.y < base.y:
            base.accept(who[:1], [best.at], best.y)
        if base.y < before:
            state.shared = base.x
        for i, line in zip(variables, lines, strict=True):
            if line.width is not None:
                state.steps[i] = CLOSER * line.width
        state.together = min(self.lines, 2 * size)
        state.lines, state.unions = [], []
