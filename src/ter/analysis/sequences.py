"""How similar sequences of decisions are: Smith–Waterman local alignment as a percentage.

The score of an alignment is the sum over its columns: `match` for two equal names, `mismatch` for two different ones,
`gap` for a name without a partner. The local alignment with the highest score is taken, of any part of one sequence
with any part of the other; the empty alignment has the score 0. The percentage is

    100 * score / (match * length),

where `length` is that of the shorter sequence: the score it would have with itself. So 0 means that the sequences
have no name in common, and 100 that one of them is contained in the other in one piece.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ter.analysis.samples import Matrix
from ter.core.box import Vector
from ter.core.errors import InvalidArgument, UnknownName

__all__ = ["Scoring", "local_alignment", "mean_similarity", "similarity", "similarity_matrix"]

Decisions = Sequence[str]  # names of heuristics in the order they were started; a string is a sequence of letters
LENGTHS = ("shorter", "longer", "mean")


@dataclass(frozen=True)
class Scoring:
    """Scores of the columns of an alignment, and what the sum is related to.

    Parameters
    ----------
    match : float
        For two equal names, > 0.
    mismatch : float
        For two different names, <= 0.
    gap : float
        For a name without a partner, <= 0; every one of a longer gap costs the same.
    relative_to : {"shorter", "longer", "mean"}
        The length that 100 % stands for. With "longer" only equal sequences reach it.
    """

    match: float = 1.0
    mismatch: float = -1.0
    gap: float = -1.0
    relative_to: Literal["shorter", "longer", "mean"] = "shorter"

    def __post_init__(self) -> None:
        if not (0 < self.match < math.inf):
            raise InvalidArgument(f"match must be a finite number > 0, got {self.match!r}")
        for name in ("mismatch", "gap"):
            value = getattr(self, name)
            if not (-math.inf < value <= 0):
                raise InvalidArgument(f"{name} must be a finite number <= 0, got {value!r}; it is a penalty")
        if self.relative_to not in LENGTHS:
            raise UnknownName.among("length", self.relative_to, LENGTHS)


PLAIN = Scoring()


def local_alignment(a: Decisions, b: Decisions, scoring: Scoring = PLAIN) -> float:
    """Return the score of the best local alignment of two sequences.

    Examples
    --------
    >>> local_alignment("LLCGG", "CGLC")
    2.0
    """
    return float(_scores([a, b], np.array([0]), np.array([1]), scoring)[0])


def similarity(a: Decisions, b: Decisions, scoring: Scoring = PLAIN) -> float:
    """Return how similar two sequences of decisions are, in percent.

    Parameters
    ----------
    a, b : sequence of str
        Names of heuristics, such as ``result.sequence``. None may be empty; their lengths may differ.
    scoring : Scoring
        Scores and normalisation.

    Returns
    -------
    float
        From 0 (nothing in common) to 100.

    Examples
    --------
    >>> similarity(["ls1", "cc", "gs", "gs"], ["cc", "gs", "gs", "ls1", "cc"])
    75.0
    """
    return float(_percentages([a, b], np.array([0]), np.array([1]), scoring)[0])


def mean_similarity(
    group: Sequence[Decisions], other: Sequence[Decisions] | None = None, scoring: Scoring = PLAIN
) -> float:
    """Return the mean similarity over all pairs: across two groups, or within one.

    Parameters
    ----------
    group, other : sequence of sequences
        Across: every sequence of `group` with every one of `other`. Within (`other` not given): every two different
        sequences of `group`; NaN if it has only one.
    scoring : Scoring
        Scores and normalisation.

    Examples
    --------
    >>> mean_similarity(["LCLC", "LCLG"], ["LCLC"]), mean_similarity(["LCLC", "LCLG", "LCLC"])
    (87.5, 83.33333333333333)
    """
    if other is None:
        first, second = np.triu_indices(len(group), k=1)
        together = list(group)
    else:
        first, second = (axis.ravel() for axis in np.indices((len(group), len(other))))
        second = second + len(group)
        together = [*group, *other]
    percentages = _percentages(together, first, second, scoring)
    return float(percentages.mean()) if percentages.size else math.nan


def similarity_matrix(groups: Mapping[str, Sequence[Decisions]], scoring: Scoring = PLAIN) -> Matrix:
    """Return the mean similarities of several groups of runs, such as the runs at several dimensions.

    Parameters
    ----------
    groups : mapping from name to sequence of sequences
        The sequences of the runs of each group.
    scoring : Scoring
        Scores and normalisation.

    Returns
    -------
    array of shape (groups, groups)
        Across groups beside the diagonal, within groups on it (NaN for a group of one sequence). Symmetric.

    Examples
    --------
    >>> similarity_matrix({"D = 10": ["LCGG", "LCGG"], "D = 20": ["LCGL", "LCLL"]})
    array([[100. ,  62.5],
           [ 62.5,  50. ]])
    """
    members = list(groups.values())
    matrix = np.empty((len(members), len(members)))
    for i, group in enumerate(members):
        matrix[i, i] = mean_similarity(group, scoring=scoring)
        for j in range(i):
            matrix[i, j] = matrix[j, i] = mean_similarity(group, members[j], scoring)
    return matrix


def _percentages(
    sequences: Sequence[Decisions], first: NDArray[np.intp], second: NDArray[np.intp], scoring: Scoring
) -> Vector:
    """Similarities of the pairs (first[k], second[k])."""
    lengths = np.array([len(sequence) for sequence in sequences], dtype=np.float64)
    if not lengths.all():
        raise InvalidArgument(
            "a sequence of decisions must not be empty, got one of length 0; leave out algorithms that decide nothing"
        )
    shorter, longer = np.minimum(lengths[first], lengths[second]), np.maximum(lengths[first], lengths[second])
    whole = {"shorter": shorter, "longer": longer, "mean": 0.5 * (shorter + longer)}[scoring.relative_to]
    return np.asarray(np.minimum(100.0, 100.0 * _scores(sequences, first, second, scoring) / (scoring.match * whole)))


def _scores(
    sequences: Sequence[Decisions], first: NDArray[np.intp], second: NDArray[np.intp], scoring: Scoring
) -> Vector:
    """Local alignment scores of the pairs (first[k], second[k])."""
    from ter.analysis.alignment import local_scores

    codes: dict[str, int] = {}
    letters = np.array([codes.setdefault(name, len(codes)) for s in sequences for name in s], dtype=np.int64)
    starts = np.cumsum([0, *(len(sequence) for sequence in sequences)], dtype=np.int64)
    out = np.empty(len(first))
    local_scores(
        letters,
        starts,
        np.asarray(first, dtype=np.int64),
        np.asarray(second, dtype=np.int64),
        float(scoring.match),
        float(scoring.mismatch),
        float(scoring.gap),
        out,
    )
    return out
