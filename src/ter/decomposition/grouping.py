"""Groups of variables as plain arrays.

References
----------
.. [1] M. Omidvar, X. Li, X. Yao, "Cooperative co-evolution with delta grouping for large scale non-separable function
   optimization", CEC 2010.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ter.core.errors import InvalidArgument
from ter.core.ledger import Integers

__all__ = ["Structure", "components", "delta_groups", "packed"]


class Structure(NamedTuple):
    """What is known about the variables; each of them is in one place."""

    groups: tuple[Integers, ...]  # variables that interact, directly or through others; by their first member
    separable: Integers  # variables that interact with no other
    undecided: Integers  # variables of which neither is known


def components(rows: Iterable[Integers], dimension: int) -> Integers:
    """Return a label for each variable, the same for all that are connected: that of the first one among them.

    Parameters
    ----------
    rows : iterable of arrays
        For each variable in turn, variables that it interacts with.
    dimension : int
        Number of variables.

    Examples
    --------
    >>> components([np.array([2]), np.array([], dtype=int), np.array([3])], 4).tolist()
    [0, 1, 0, 0]
    """
    labels = np.arange(dimension)
    for i, others in enumerate(rows):
        met = np.unique(labels[others])
        met = met[met != labels[i]]
        if met.size:
            labels[np.isin(labels, met) | (labels == labels[i])] = min(int(met[0]), int(labels[i]))
    return labels


def packed(variables: ArrayLike, size: int) -> list[Integers]:
    """Cut variables into groups of `size`, in the order given; the last group may be smaller.

    RDG3 [1]_ packs separable variables into groups of 100, so that an optimiser need not visit each by itself.

    References
    ----------
    .. [1] Y. Sun, X. Li, A. Ernst, M. Omidvar, "Decomposition for large-scale optimization problems with overlapping
       components", CEC 2019.

    Examples
    --------
    >>> [group.tolist() for group in packed([4, 2, 9], 2)]
    [[4, 2], [9]]
    """
    if size != int(size) or size < 1:
        raise InvalidArgument(f"size must be a whole number >= 1, got {size!r}; it is the size of a group")
    members = np.asarray(variables, dtype=np.int64)
    return [members[first : first + int(size)] for first in range(0, members.size, int(size))]


def delta_groups(deltas: ArrayLike, size: int) -> list[Integers]:
    """Group variables by how far they moved lately, as DECC-D does: those that moved least come first.

    Variables that interact tend to move by similar small amounts. Equal ones stay in their order, so that before
    anything moved the groups are those of the indices.

    Parameters
    ----------
    deltas : array_like, shape (D,)
        How far each variable moved, on average over the population; the sign does not count.
    size : int
        Variables per group, >= 1.

    Examples
    --------
    >>> [group.tolist() for group in delta_groups([0.3, 0.1, -0.2], 2)]
    [[1, 2], [0]]
    """
    moved = np.abs(np.asarray(deltas, dtype=np.float64))
    if moved.ndim != 1 or np.isnan(moved).any():
        raise InvalidArgument(f"deltas must be one number per variable, none of them NaN, got shape {moved.shape}")
    return packed(np.argsort(moved, kind="stable"), size)
