"""The points of the CEC competition on large-scale optimisation, given out as in Formula 1.

On every problem the algorithms are ranked by their mean error, at each milestone on its own. The first ten positions
get 25, 18, 15, 12, 10, 8, 6, 4, 2 and 1 points, all others none. Equal errors share their mean rank, and the position
is that rank rounded down: two that share the first place (rank 1.5) both get 25 points, three (rank 2) get 18 each.
This is what the program of the competition's organisers does (``dmolina/tflsgo_comp``); their technical report asks
for medians instead of means, and whoever wants that fills the table with medians.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ter.analysis.ranks import rank_rows
from ter.analysis.samples import Matrix
from ter.core.errors import InvalidArgument

__all__ = ["CATEGORIES", "MILESTONES", "POINTS", "Score", "formula1", "formula1_points"]

POINTS = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
MILESTONES = (120_000, 600_000, 3_000_000)

# The categories of CEC'2013 and their functions.
CATEGORIES: dict[str, tuple[int, ...]] = {
    "fully separable": (1, 2, 3),
    "partially separable, with a separable part": (4, 5, 6, 7),
    "partially separable": (8, 9, 10, 11),
    "overlapping": (12, 13, 14),
    "non-separable": (15,),
}


@dataclass(frozen=True)
class Score:
    """Points of several algorithms.

    Attributes
    ----------
    names : tuple of str
        The algorithms.
    points : dict of int to array of shape (problems, algorithms)
        Points at each milestone.
    """

    names: tuple[str, ...]
    points: dict[int, Matrix]

    def totals(self, milestone: int | None = None, rows: Sequence[int] | None = None) -> dict[str, int]:
        """Add up the points, most first.

        Parameters
        ----------
        milestone : int, optional
            Only those after so many evaluations; by default those of all milestones.
        rows : sequence of int, optional
            Only these rows of the tables, from 0; by default all.
        """
        if milestone is not None and milestone not in self.points:
            raise InvalidArgument(f"milestone must be one of {sorted(self.points)}, got {milestone!r}")
        chosen = self.points.values() if milestone is None else [self.points[milestone]]
        sums = sum(table[slice(None) if rows is None else list(rows)].sum(axis=0) for table in chosen)
        named = zip(self.names, np.asarray(sums).tolist(), strict=True)
        return dict(sorted(((name, int(total)) for name, total in named), key=lambda item: -item[1]))


def formula1_points(table: ArrayLike) -> Matrix:
    """Give out the points on each problem of one table.

    Parameters
    ----------
    table : array_like of shape (problems, algorithms)
        Mean errors. NaN means that there is no result, which gets no points; +inf is a result, the worst.

    Examples
    --------
    >>> formula1_points([[1e3, 2e3, 1e3, 5e3], [0.0, float("nan"), 1.0, 2.0]])
    array([[25., 15., 25., 12.],
           [25.,  0., 18., 15.]])
    """
    positions = np.floor(rank_rows(_missing_behind(table))).astype(np.int64)
    given = np.array([0, *POINTS, 0], dtype=np.float64)
    points = given[np.minimum(positions, len(POINTS) + 1)]
    points[np.isnan(np.asarray(table, dtype=np.float64))] = 0.0
    return points


def formula1(tables: Mapping[int, ArrayLike], names: Sequence[str]) -> Score:
    """Score algorithms at several milestones.

    Parameters
    ----------
    tables : mapping from int to array_like of shape (problems, algorithms)
        For each milestone (:data:`MILESTONES` are those of the competition) the mean errors.
    names : sequence of str
        The algorithms, in the order of the columns.

    Examples
    --------
    >>> score = formula1({120_000: [[3.0, 1.0]], 600_000: [[0.5, 1.0]], 3_000_000: [[0.1, 1.0]]}, ["x", "y"])
    >>> score.totals(), score.totals(120_000)
    ({'x': 68, 'y': 61}, {'y': 25, 'x': 18})
    """
    if not tables:
        raise InvalidArgument("tables must hold at least one milestone, got none")
    points = {milestone: formula1_points(table) for milestone, table in tables.items()}
    shapes = {table.shape for table in points.values()}
    if len(shapes) > 1 or next(iter(shapes))[1] != len(names):
        raise InvalidArgument(
            f"all tables must have the same problems and one column for each of the {len(names)} names, "
            f"got shapes {sorted(shapes)}"
        )
    return Score(tuple(names), points)


def _missing_behind(table: ArrayLike) -> Matrix:
    """The table with finite ranks instead of values, so that missing results stand behind infinite ones."""
    values = np.asarray(table, dtype=np.float64)
    if values.ndim != 2 or values.size == 0:
        return values
    ranks = rank_rows(values)
    return np.where(np.isnan(values), np.inf, np.where(np.isinf(values), ranks.shape[1] + 1.0, ranks))
