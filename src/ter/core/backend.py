"""Where batches are evaluated: the seam below which workers and clusters hang."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

__all__ = ["LOOK", "Backend"]

LOOK = 0.05  # seconds between two questions whether to go on, while nothing comes from the workers


@runtime_checkable
class Backend(Protocol):
    """Runs a function on blocks of points and returns what it returned for each.

    A batch is cut into contiguous blocks; which worker takes which block, and in which order they finish, never shows
    in the values.
    """

    takes_single_points: bool
    """Whether a single point is sent to the backend in any case; otherwise it may be evaluated at home."""

    keeps_base: bool
    """Whether workers remember the point that moves start from, so that it is sent to each of them once."""

    @property
    def width(self) -> int:
        """How many blocks can run at the same time."""
        ...

    def prepare(self, task: Any) -> None:
        """Begin to start workers that will be needed; nobody waits for them here."""
        ...

    def run(self, task: Any, blocks: Sequence[Any], go_on: Callable[[], bool]) -> Iterator[Any]:
        """Yield ``task(block)`` for each block, as they come: blocks and answers are numbered.

        Whoever reads the answers may append blocks meanwhile. A backend that can hand them out at once looks for them
        after each answer; the others end when they have answered those that were there, and are called again.

        `go_on` is asked every now and then. When it says no, what is under way is given up; so it is when the iterator
        is closed. A block that came to no end, since its workers died or its time was over, is answered by
        :class:`ter.engines.posting.LostBlock`.
        """
        ...

    def close(self) -> None:
        """Free what this backend itself started; never what the user handed over."""
        ...
