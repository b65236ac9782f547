"""RDG3: recursive differential grouping, which looks at sets of variables and halves them [1]_, [2]_.

A group begins with one variable. Its variables are moved to their upper bounds, all variables that have no group yet to
the middle of their ranges, and both together. If the changes do not add up, these variables are halved again and again
until those are found that interact with the group; they join it, and the group looks again. Where groups overlap this
would go on until everything is one group, so a group that has reached a given size is closed [3]_.

References
----------
.. [1] Y. Sun, M. Kirley, S. Halgamuge, "A recursive decomposition method for large scale continuous optimization", IEEE
   Transactions on Evolutionary Computation 22, 2018.
.. [2] Y. Sun, M. Omidvar, M. Kirley, X. Li, "Adaptive threshold parameter estimation with recursive differential
   grouping for problem decomposition", GECCO 2018.
.. [3] Y. Sun, X. Li, A. Ernst, M. Omidvar, "Decomposition for large-scale optimization problems with overlapping
   components", CEC 2019.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ter.core.allowance import Allowance, Branch
from ter.core.box import Box, Vector
from ter.core.errors import InvalidArgument
from ter.core.ledger import Integers
from ter.decomposition.grouping import Structure, packed
from ter.decomposition.moves import evaluated, middle_of, rows_per_batch
from ter.decomposition.thresholds import gamma, interacts

__all__ = ["Closed", "RDG3State", "closed_groups"]

OPEN = -1  # the group of a variable that has none yet
ALONE = -2  # and of one that interacts with no other


@dataclass(eq=False)
class RDG3State:
    """How far RDG3 is; changed in place, and in order at each evaluation.

    A level of the recursion is a list of stretches of `rest`, each of which is tested against `members`.

    Attributes
    ----------
    lower, middle, upper : array
        Where the variables are, as a rule at their lower bounds; where the rest is moved to, and where the members are.
    largest : int
        A group of this size is closed.
    together : bool
        Whether all tests of a level are one batch, for workers and for functions that take rows. Otherwise each is one:
        a move costs what it touches.
    base : float
        The value there, NaN until it is evaluated.
    group_of : array
        The number of each variable's group, or OPEN or ALONE.
    closed : int
        Groups so far.
    members, rest : array of int
        The group that is growing, and the variables that have none.
    found : array of bool
        Which of the rest interact with the members, as far as this pass has shown.
    doubtful : array of bool
        For each variable, whether a test of it could not be judged, since a value was not finite.
    level : array of shape (n, 2)
        The stretches of the rest that are tested now.
    values : array of shape (2 n + 1,)
        The value with the members moved; then for each stretch, with it moved, and with both.
    known : int
        So many of them are known.
    ahead : int
        How many variables may look at the rest at once, each as the first one of a group. Those that interact with
        nothing need no second look; what others have seen may be lost. So as many look as were alone before, and twice
        as many the next time. One at a time is what the papers do.
    scouts : int
        How many look now; 0 while a group is growing.
    alone : array of bool
        For each variable, whether it has looked at all that have no group, and interacts with none.
    """

    lower: Vector
    middle: Vector
    upper: Vector
    largest: int
    together: bool
    base: float
    group_of: Integers
    closed: int
    members: Integers
    rest: Integers
    found: NDArray[np.bool_]
    doubtful: NDArray[np.bool_]
    level: Integers
    values: Vector
    known: int
    ahead: int
    width: int  # how many look the next time
    scouts: int
    alone: NDArray[np.bool_]

    @classmethod
    def begin(cls, box: Box, *, largest: int = 50, together: bool = False, ahead: int = 1) -> RDG3State:
        """Return the state before the first evaluation.

        Examples
        --------
        >>> RDG3State.begin(Box([0.0, 0.0], [1.0, 1.0])).rest
        array([1])
        """
        if largest != int(largest) or largest < 2:
            raise InvalidArgument(
                f"largest must be a whole number >= 2, got {largest!r}; a group of that size is closed"
            )
        n = box.dimension
        state = cls(
            lower=np.array(box.lower),
            middle=middle_of(box),
            upper=np.array(box.upper),
            largest=int(largest),
            together=together,
            base=math.nan,
            group_of=np.full(n, OPEN),
            closed=0,
            members=np.empty(0, dtype=np.int64),
            rest=np.arange(n),
            found=np.zeros(0, dtype=np.bool_),
            doubtful=np.zeros(n, dtype=np.bool_),
            level=np.empty((0, 2), dtype=np.int64),
            values=np.empty(1),
            known=0,
            ahead=int(ahead),
            width=1,
            scouts=0,
            alone=np.zeros(n, dtype=np.bool_),
        )
        state._next_group()
        return state

    @classmethod
    def around(
        cls, x: Vector, y: float, far: Vector, near: Vector, variables: Integers, *, largest: int = 50
    ) -> RDG3State:
        """Return the state before a look at some variables from a point; all others stay there.

        The members of a group are moved to `far`, the rest to `near`.

        Examples
        --------
        >>> at = np.zeros(4)
        >>> RDG3State.around(at, 0.0, at + 2, at + 1, np.array([0, 2, 3])).rest
        array([2, 3])
        """
        state = cls.begin(Box(x, x), largest=largest)
        state.lower, state.middle, state.upper, state.base = x.copy(), near.copy(), far.copy(), y
        state.group_of[:] = ALONE
        state.group_of[variables] = OPEN
        state.rest = variables.copy()
        state._next_group()
        return state

    @property
    def done(self) -> bool:
        """Whether there is nothing left to evaluate."""
        return self.base == math.inf or (not self.members.size and math.isfinite(self.base))

    @property
    def thresholds(self) -> dict[str, float]:
        """The factor of the bound on rounding errors, and the size at which a group is closed."""
        return {"factor": gamma(math.sqrt(self.lower.size) + 2.0), "largest": float(self.largest)}

    def go_on(self, allowance: Allowance) -> bool:
        """Spend an allowance, or less; return whether it is done."""
        if math.isnan(self.base):
            if not allowance.remaining:
                return False
            self.base = allowance.branch(self.lower, follow=False).y
        branch = allowance.branch(self.lower, self.base, follow=False)
        while not self.done:
            while self.known < self.values.size:
                if not branch.remaining:
                    return False
                self._evaluate(branch)
            if self.scouts:
                self._hear_scouts()
            else:
                self._conclude()
        return True

    def structure(self) -> Structure:
        """Return what is known by now."""
        group_of = self.group_of.copy()
        growing = np.concatenate([self.members, self.rest[self.found]])
        if growing.size > 1:
            group_of[growing] = self.closed
        group_of[(group_of == ALONE) & self.doubtful] = OPEN
        order = np.argsort(group_of, kind="stable")
        first, last = np.searchsorted(group_of[order], [0, group_of.max() + 1])
        cuts = first + np.flatnonzero(np.diff(group_of[order[first:last]])) + 1
        groups = np.split(order[first:last], cuts - first) if last > first else []
        return Structure(tuple(groups), np.flatnonzero(group_of == ALONE), np.flatnonzero(group_of == OPEN))

    def warm_up(self) -> None:
        """Compile nothing: moves of many variables are what every run compiles."""

    # Evaluating

    def _evaluate(self, branch: Branch) -> None:
        """Evaluate values of the level that are missing: those of one stretch, or as many as go into a batch."""
        end = self.values.size
        if not self.together:
            end = min(end, 3 * (self.known // 3 + 1) if self.scouts else 3 + 2 * (max(0, self.known - 1) // 2))
        most = rows_per_batch(self.lower.size)
        coordinates, V = (self._looks if self.scouts else self._moves)(self.known, min(end, self.known + most))
        values = evaluated(branch, coordinates, V)
        self.values[self.known : self.known + values.size] = values
        self.known += values.size

    def _moves(self, first: int, end: int) -> tuple[Integers, NDArray[np.float64]]:
        """Return the moves of the base point that give these values: the coordinates, and a row for each."""
        stretches = self.level[max(0, first - 1) // 2 : (end - 2) // 2 + 1]
        low, high = int(stretches[0, 0]), int(stretches[-1, 1])
        coordinates, k = np.concatenate([self.members, self.rest[low:high]]), self.members.size
        V = np.repeat(self.lower[coordinates][None, :], end - first, axis=0)
        for row, number in zip(V, range(first, end), strict=True):
            if number % 2 == 0:
                row[:k] = self.upper[self.members]
            if number > 0:
                a, b = self.level[(number - 1) // 2]
                row[k + a - low : k + b - low] = self.middle[self.rest[a:b]]
        return coordinates, V

    def _looks(self, first: int, end: int) -> tuple[Integers, NDArray[np.float64]]:
        """Return the moves of variables that look ahead: each alone, those behind it, and both."""
        coordinates = np.concatenate([self.members, self.rest])[first // 3 :]
        V = np.repeat(self.lower[coordinates][None, :], end - first, axis=0)
        for row, number in zip(V, range(first, end), strict=True):
            scout, kind = number // 3 - first // 3, number % 3
            if kind > 0:
                row[scout + 1 :] = self.middle[coordinates[scout + 1 :]]
            if kind != 1:
                row[scout] = self.upper[coordinates[scout]]
        return coordinates, V

    # Concluding

    def _hear_scouts(self) -> None:
        """Close the groups of variables that are alone, up to the first that is not; its group grows."""
        line, scouts, values = np.concatenate([self.members, self.rest]), self.scouts, self.values.reshape(-1, 3)
        alone = np.zeros(scouts, dtype=np.bool_)
        for k, (moved, *others) in enumerate(values.tolist()):
            verdict = interacts(self.base, moved, np.array(others[:1]), np.array(others[1:]), self.lower.size)
            alone[k] = math.isfinite(moved) and verdict[0] == 0.0
        self.scouts, self.alone[line[:scouts]] = 0, alone
        if alone.all():
            self.width = min(2 * self.width, self.ahead)
            self.group_of[line[:scouts]] = ALONE
            self.rest = line[scouts:]
            self._next_group()
            return
        first = int(np.argmin(alone))
        self.group_of[line[:first]] = ALONE
        self.members, self.rest = line[first : first + 1], line[first + 1 :]
        self._begin_pass()
        self.values[:], self.known = values[first], 3
        self._conclude()

    def _conclude(self) -> None:
        """Judge the tests of a level that is complete, and begin the next level, pass or group."""
        moved = float(self.values[0])
        verdicts = interacts(self.base, moved, self.values[1::2], self.values[2::2], self.lower.size)
        if not math.isfinite(moved):  # nothing can be said about these members
            self.doubtful[self.members] = True
            verdicts[:] = 0.0
        single = self.level[:, 1] - self.level[:, 0] == 1
        self.found[self.level[single & (verdicts == 1.0), 0]] = True
        unjudged = single & np.isnan(verdicts)
        self.doubtful[self.rest[self.level[unjudged, 0]]] = True
        if np.isfinite(self.values[1::2][unjudged]).any():  # it could be moved, but not together with the members
            self.doubtful[self.members] = True
        wide = self.level[~single & (verdicts != 0.0)]
        if wide.size:
            middles = wide.sum(axis=1) // 2
            halves = np.stack([wide[:, 0], middles, middles, wide[:, 1]], axis=1).reshape(-1, 2)
            self._begin_level(halves, moved)
        else:
            self._end_pass()

    def _end_pass(self) -> None:
        grown = bool(self.found.any())
        single = self.members.size == 1 and not grown
        self.width = min(2 * self.width, self.ahead) if single else 1
        self.members = np.concatenate([self.members, self.rest[self.found]])
        self.rest = self.rest[~self.found]
        if grown and self.rest.size and self.members.size < self.largest:
            self._begin_pass()
        else:
            self._close_group()
            self._next_group()

    def _close_group(self) -> None:
        if self.members.size > 1:
            self.group_of[self.members] = self.closed
            self.closed += 1
        else:
            self.group_of[self.members] = ALONE

    def _next_group(self) -> None:
        """Begin a group with the first variable that has none; the last one is alone, since all others had a look."""
        while self.rest.size and self.alone[self.rest[0]]:
            self.group_of[self.rest[0]] = ALONE
            self.rest = self.rest[1:]
        self.members, self.rest = self.rest[:1], self.rest[1:]
        if self.rest.size:
            self._begin_pass()
            self.scouts = min(self.width, self.rest.size) if self.width > 1 else 0
            if self.scouts:
                self.values = np.zeros(3 * self.scouts)
        else:
            self._close_group()
            self.members, self.found = self.members[:0], np.zeros(0, dtype=np.bool_)

    def _begin_pass(self) -> None:
        self.found = np.zeros(self.rest.size, dtype=np.bool_)
        self._begin_level(np.array([[0, self.rest.size]]))

    def _begin_level(self, level: Integers, moved: float | None = None) -> None:
        """Test these stretches; the value with the members moved is the same on all levels of a pass."""
        self.level = level
        self.values = np.zeros(1 + 2 * len(level))
        self.known = 0 if moved is None else 1
        self.values[0] = 0.0 if moved is None else moved


class Closed(NamedTuple):
    """A group that will not change any more."""

    members: Integers
    separable: bool  # whether its variables interact with no others, and not with each other


def closed_groups(state: RDG3State, placed: NDArray[np.bool_], block: int) -> Iterator[Closed]:
    """Return what was found since the last call, while the analysis goes on.

    Parameters
    ----------
    state : RDG3State
        How far it is.
    placed : array of bool
        For each variable, whether an earlier call returned it; changed here.
    block : int
        Separable variables come in blocks of this size, in their order, since neighbours are alike as a rule; a last,
        smaller one when the analysis is done. Variables of which nothing is known count as separable then.
    """
    group_of = state.group_of
    found = np.flatnonzero((group_of >= 0) & ~placed)
    order = found[np.argsort(group_of[found], kind="stable")]
    for members in np.split(order, np.flatnonzero(np.diff(group_of[order])) + 1):
        if members.size:
            yield Closed(members, separable=False)
    placed[found] = True
    alone = np.flatnonzero(~placed if state.done else (group_of == ALONE) & ~placed)
    for members in packed(alone, block):
        if members.size == block or state.done:
            yield Closed(members, separable=True)
            placed[members] = True
