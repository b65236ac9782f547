"""Groups of coordinates, read from what the user passed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ter.core.errors import InvalidArgument
from ter.core.ledger import Integers

__all__ = ["Groups", "GroupsLike"]

GroupsLike = Iterable[ArrayLike] | NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of coordinates as flat arrays.

    Attributes
    ----------
    starts : array of int, shape (n + 1,)
        Where each group's members begin, and where the last one's end.
    members : array of int
        The members of all groups, one group after the other.

    Examples
    --------
    >>> groups = Groups.read([[0, 2], [2, 1, 5]])
    >>> groups.starts, groups.members, groups.owners
    (array([0, 2, 5]), array([0, 2, 2, 1, 5]), array([0, 1, 0, 1, 1]))
    """

    starts: Integers
    members: Integers

    @classmethod
    def read(cls, groups: GroupsLike) -> Groups:
        """Read sequences of whole numbers, or the rows of an array."""
        if isinstance(groups, Groups):
            return groups
        if isinstance(groups, np.ndarray) and groups.ndim == 2 and groups.dtype != object:
            arrays, sizes = [groups.ravel()], [groups.shape[1]] * len(groups)
        else:
            arrays = _arrays(groups)
            sizes = [array.size for array in arrays]
        if not sizes:
            raise InvalidArgument("groups must hold at least one group, got none; give the coordinates of each term")
        if 0 in sizes:
            raise InvalidArgument(
                f"a group must have at least one coordinate, got none in groups[{sizes.index(0)}]; leave the group out"
            )
        for k, array in enumerate(arrays):
            if array.ndim != 1 or array.dtype.kind not in "iu":
                raise InvalidArgument(
                    f"a group must be a sequence of whole numbers, got {_shown(array)} in groups[{k}]; "
                    "give the numbers of its coordinates, from 0"
                )
        read = cls(np.cumsum([0, *sizes]), np.concatenate(arrays).astype(np.int64))
        read._check()
        return read

    @property
    def count(self) -> int:
        """Number of groups."""
        return self.starts.size - 1

    @property
    def largest(self) -> int:
        """Members of the largest group."""
        return int(np.diff(self.starts).max())

    @property
    def owners(self) -> Integers:
        """The groups that coordinate 0 is a member of, then those of coordinate 1, and so on."""
        return self._owners()[np.argsort(self.members, kind="stable")]

    def _owners(self) -> Integers:
        return np.repeat(np.arange(self.count), np.diff(self.starts))

    def _check(self) -> None:
        if self.members.min() < 0:
            at = int(np.argmin(self.members))
            raise InvalidArgument(
                f"coordinates must be numbers >= 0, got {self.members[at]} in groups[{self._owners()[at]}]; "
                "count from the first variable"
            )
        members, owners = np.sort(self.members), self.owners
        again = np.flatnonzero((members[1:] == members[:-1]) & (owners[1:] == owners[:-1]))
        if again.size:
            raise InvalidArgument(
                f"a group must name a coordinate once, got {members[again[0]]} twice in groups[{owners[again[0]]}]; "
                "a term can use its variable as often as it likes"
            )


def _arrays(groups: GroupsLike) -> list[NDArray[Any]]:
    try:
        return [np.asarray(group) for group in groups]
    except (TypeError, ValueError) as error:  # not iterable, or a group of groups of different sizes
        raise InvalidArgument(
            f"groups must be sequences of whole numbers, or an array with a group in each row, got {groups!r:.80}"
        ) from error


def _shown(array: NDArray[Any]) -> str:
    return f"shape {array.shape}" if array.ndim != 1 else f"{array.dtype} values"
