"""Algorithms ranked over problems: Friedman's test, Nemenyi's distance, Wilcoxon's test with Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ter.analysis import Friedman, Outcome, friedman, holm, indistinct, nemenyi_distance, wilcoxon
from ter.core.box import Vector
from ter.report.board import Board, Column
from ter.report.case import Case

__all__ = ["LEVEL", "Ranking", "ranking_of", "scale_free"]

LEVEL = 0.05


@dataclass(frozen=True)
class Ranking:
    """Mean ranks and what follows from them.

    Attributes
    ----------
    columns : tuple of Column
        The algorithms that are ranked.
    cases : tuple of Case
        The problems that all of them have results on.
    unranked, unused : tuple
        Algorithms and problems that had to be left out.
    test : Friedman
        Of the mean errors.
    distance : float
        Two mean ranks further apart than this differ, at the level of 5 % for all pairs together.
    groups : tuple of tuples
        Positions of algorithms that cannot be told apart, the bars of a critical-difference diagram.
    wilcoxon : dict from name to Outcome
        The reference against each other algorithm, over problems, corrected by Holm.
    firsts : tuple of int
        On how many problems each algorithm has the smallest mean, shared or not.
    """

    columns: tuple[Column, ...]
    cases: tuple[Case, ...]
    unranked: tuple[Column, ...]
    unused: tuple[Case, ...]
    test: Friedman
    distance: float
    groups: tuple[tuple[int, ...], ...]
    wilcoxon: dict[str, Outcome]
    firsts: tuple[int, ...]


def ranking_of(board: Board, columns: Sequence[Column]) -> Ranking | None:
    """Rank algorithms on the problems that all of them have results on; None if there are fewer than two of them."""
    rows, places = board.compared(columns)
    if not rows or len(places) < 2:
        return None
    table = board.means(columns)[np.ix_(rows, places)]
    ranked = tuple(columns[j] for j in places)
    test = friedman(table)
    distance = nemenyi_distance(len(places), len(rows), LEVEL)
    cases = board.study.cases
    return Ranking(
        columns=ranked,
        cases=tuple(cases[i] for i in rows),
        unranked=tuple(column for column in columns if column not in ranked),
        unused=tuple(case for i, case in enumerate(cases) if i not in rows),
        test=test,
        distance=distance,
        groups=indistinct(test.mean_ranks, distance),
        wilcoxon=_against_reference(board, ranked, table),
        firsts=tuple(int(n) for n in ((table == table.min(axis=1, keepdims=True)) & np.isfinite(table)).sum(axis=0)),
    )


def _against_reference(
    board: Board, columns: Sequence[Column], table: np.ndarray[tuple[int, int], np.dtype[np.float64]]
) -> dict[str, Outcome]:
    names = [column.name for column in columns]
    if board.study.reference not in names:
        return {}
    own = names.index(board.study.reference)
    raw = {name: wilcoxon(*scale_free(table[:, own], table[:, j]), LEVEL) for j, name in enumerate(names) if j != own}
    corrected = holm([outcome.p for outcome in raw.values()])
    return {
        name: Outcome(outcome.sign if p < LEVEL else "≈", float(p), outcome.statistic)
        for (name, outcome), p in zip(raw.items(), corrected, strict=True)
    }


def scale_free(a: Vector, b: Vector) -> tuple[Vector, Vector]:
    """Divide both errors on a problem by the larger one, so that no problem outweighs the others.

    Positive errors get the ranks that their logarithms would get, and an error of 0 needs no logarithm.

    Examples
    --------
    >>> a, b = scale_free(np.array([1e9, 0.0, 3.0]), np.array([2e9, 5.0, np.inf]))
    >>> a.tolist(), b.tolist()
    ([0.5, 0.0, 0.0], [1.0, 1.0, 1.0])
    """
    size = np.maximum(np.abs(a), np.abs(b))
    size[size == 0] = 1.0
    infinite = np.isinf(size)
    size[infinite] = 1.0
    small = [np.where(infinite, np.isinf(each), each) / size for each in (a, b)]
    return small[0], small[1]
