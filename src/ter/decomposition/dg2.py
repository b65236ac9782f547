"""DG2: differential grouping that looks at every pair of variables, with thresholds from rounding errors [1]_.

The base point is the lower corner of the box. Each variable is moved to the middle of its range alone, and together
with each later one: D(D + 1)/2 + 1 evaluations. If moving both changes the value by the sum of the single changes, the
pair is separable. Groups are the connected components of the pairs that interact.

References
----------
.. [1] M. Omidvar, M. Yang, Y. Mei, X. Li, X. Yao, "DG2: a faster and more accurate differential grouping for
   large-scale black-box optimization", IEEE Transactions on Evolutionary Computation 21, 2017.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ter._jit import kernel
from ter.core.allowance import Allowance, Branch
from ter.core.box import Box, Vector
from ter.core.errors import InvalidArgument
from ter.core.ledger import COUNT, LIMIT, PAUSE, Integers, Walk
from ter.core.pairs import Pairs
from ter.decomposition.grouping import Structure, components
from ter.decomposition.moves import evaluated, middle_of, rows_per_batch
from ter.decomposition.thresholds import gamma, strengths
from ter.engines.compiled import compile_sequential

__all__ = ["MOST", "DG2State"]

MOST = 20_000  # variables: their pairs take 800 MB

SINGLES = -1  # the row in which each variable is moved alone


@dataclass(eq=False)
class DG2State:
    """How far DG2 is; changed in place, and in order at each evaluation.

    Attributes
    ----------
    lower, middle : array
        Where the variables are, and where they are moved to.
    together : bool
        Whether points are evaluated in batches as large as possible, for workers and for functions that take rows.
        Otherwise one variable is moved at a time, around a point where the other one of the pair has been moved: moves
        cost least there.
    base : float
        The value at the lower corner, NaN until it is evaluated.
    singles : array
        The values with one variable moved.
    cursor : array of two integers
        The row of pairs under way, and its next member.
    row : array
        The values of that row.
    pairs : Pairs
        How strongly two variables interact, between 0 and 1; see :func:`ter.decomposition.thresholds.strengths`.
    counts : array of two integers
        Pairs so far that are separable, and that interact, both beyond doubt.
    """

    lower: Vector
    middle: Vector
    together: bool
    base: float
    singles: Vector
    cursor: Integers
    row: Vector
    pairs: Pairs
    counts: Integers

    @classmethod
    def begin(cls, box: Box, *, together: bool = False) -> DG2State:
        """Return the state before the first evaluation.

        Raises
        ------
        InvalidArgument
            If there are too many variables.

        Examples
        --------
        >>> DG2State.begin(Box([0.0, 0.0], [1.0, 1.0])).done
        False
        """
        n = box.dimension
        if n > MOST:
            raise InvalidArgument(
                f"dg2 takes at most {MOST} variables, since it keeps a number for each pair of them, got {n}; "
                "use the method rdg3, whose memory is linear"
            )
        return cls(
            lower=np.array(box.lower),
            middle=middle_of(box),
            together=together,
            base=math.nan,
            singles=np.full(n, np.nan),
            cursor=np.array([SINGLES, 0]),
            row=np.zeros(n),
            pairs=Pairs.of(n),
            counts=np.zeros(2, dtype=np.int64),
        )

    @property
    def done(self) -> bool:
        """Whether there is nothing left to evaluate."""
        return self.base == math.inf or bool(self.cursor[0] >= self.lower.size - 1)

    @property
    def thresholds(self) -> dict[str, float]:
        """The factors of the two bounds on rounding errors, and where the grey zone between them is cut."""
        return {"lower": gamma(2.0), "upper": gamma(math.sqrt(self.lower.size)), "cut": self.cut}

    @property
    def cut(self) -> float:
        """The strength above which a pair in the grey zone interacts: the share of pairs that do beyond doubt."""
        separable, interacting = self.counts.tolist()
        return float(interacting / (separable + interacting)) if separable + interacting else 0.5

    def go_on(self, allowance: Allowance) -> bool:
        """Spend an allowance, or less; return whether it is done."""
        if math.isnan(self.base):
            if not allowance.remaining:
                return False
            self.base = allowance.branch(self.lower, follow=False).y
        branch = allowance.branch(self.lower, self.base, follow=False)
        while not self.done and branch.remaining:
            if self.together:
                self._evaluate_rows(branch)
            else:
                self._probe_row(branch)
        return self.done

    def structure(self) -> Structure:
        """Return what is known by now."""
        n, rows = self.lower.size, self._rows
        movable = np.isfinite(
            self.singles
        )  # of a variable that is not, nothing is known, and nothing held against others
        known = movable & (np.arange(n) < (n if rows == n - 1 else rows))
        for i in np.flatnonzero(movable[:rows]).tolist():
            missing = np.isnan(self.pairs.row(i)) & movable[i + 1 :]
            known[i + 1 :] &= ~missing
            known[i] &= not missing.any()
        labels = components(self._interactions(), n)
        sizes = np.bincount(labels, minlength=n)
        alone = sizes[labels] == 1
        groups = tuple(np.flatnonzero(labels == label) for label in np.flatnonzero(sizes > 1))
        return Structure(groups, np.flatnonzero(alone & known), np.flatnonzero(alone & ~known))

    def warm_up(self) -> None:
        """Compile what runs around a compiled objective."""
        if not self.together:
            compile_sequential(probe_each, (self.cursor, self.middle, self.row))

    @property
    def _rows(self) -> int:
        """Rows of pairs that were judged."""
        return max(0, int(self.cursor[0]))

    def _interactions(self) -> Iterator[Integers]:
        for i in range(self._rows):
            row = self.pairs.row(i)
            yield i + 1 + np.flatnonzero((row > self.cut) | (row == 1.0))

    def _probe_row(self, branch: Branch) -> None:
        """Evaluate what is missing of a row, one move after the other, around the point with its variable moved."""
        i = int(self.cursor[0])
        if i != SINGLES:
            branch.accept([i], [self.middle[i]], self.singles[i])
        while self.cursor[1] < self.lower.size and branch.remaining:
            branch.run(probe_each, self.cursor, self.middle, self.row)
        if i != SINGLES:
            branch.accept([i], [self.lower[i]], self.base)
        self._judge_row()

    def _evaluate_rows(self, branch: Branch) -> None:
        """Evaluate what is missing of a row and of those after it, as much as goes into a batch.

        So workers need not wait for the slowest of each row. The rows of pairs begin when the singles are known.
        """
        first, second = self._missing(min(branch.remaining, rows_per_batch(self.lower.size)))
        low, each = max(0, int(first[0])), np.arange(first.size)
        V = np.repeat(self.lower[None, low:], first.size, axis=0)
        V[each, second - low] = self.middle[second]
        if first[0] != SINGLES:
            V[each, first - low] = self.middle[first]
        values = evaluated(branch, np.arange(low, self.lower.size), V)
        while values.size:
            part = values[: self.lower.size - self.cursor[1]]
            self.row[self.cursor[1] : self.cursor[1] + part.size] = part
            self.cursor[1] += part.size
            values = values[part.size :]
            self._judge_row()

    def _missing(self, most: int) -> tuple[Integers, Integers]:
        """Return the next moves, at most so many: the rows that they belong to, and the members of these."""
        i, j = self.cursor.tolist()
        rows, members, n = [], [], self.lower.size
        while most > 0 and i < n - 1:
            members.append(np.arange(j, min(n, j + most)))
            rows.append(np.full(members[-1].size, i))
            most -= members[-1].size
            if i == SINGLES:
                break
            i, j = i + 1, i + 2
        return np.concatenate(rows), np.concatenate(members)

    def _judge_row(self) -> None:
        """Take note of a row if it is complete, and begin the next one."""
        i = int(self.cursor[0])
        if self.cursor[1] < self.lower.size:
            return
        if i == SINGLES:
            self.singles[:] = self.row
        else:
            later = slice(i + 1, None)
            found = strengths(self.base, self.singles[i], self.singles[later], self.row[later], self.lower.size)
            self.pairs.row(i)[:] = found
            self.counts += [np.count_nonzero(found == 0.0), np.count_nonzero(found == 1.0)]
        self.cursor[:] = i + 1, i + 2


@kernel
def probe_each(
    probe: Callable[[Walk, int, float], float],
    accept: Callable[[Walk, int, float, float], None],
    walk: Walk,
    cursor: Integers,
    middle: Vector,
    values: Vector,
) -> None:
    """Move each variable from ``cursor[1]`` on to the middle of its range, by itself."""
    ledger = walk.ledger
    while cursor[1] < values.shape[0] and ledger[COUNT] < ledger[LIMIT] and ledger[COUNT] < ledger[PAUSE]:
        i = cursor[1]
        values[i] = probe(walk, i, middle[i])
        cursor[1] = i + 1
