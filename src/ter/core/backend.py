"""Where batches are evaluated: the seam below which workers and clusters hang."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

__all__ = ["Backend"]


@runtime_checkable
class Backend(Protocol):
    """Runs a function on blocks of points and returns what it returned for each.

    The evaluator cuts a batch into contiguous blocks; which worker takes which block, and in which order they
    finish, never shows in the values.
    """

    width: int
    """How many blocks can run at the same time."""

    takes_single_points: bool
    """Whether a single point is sent to the backend too; otherwise it is evaluated at home."""

    def run(self, task: Callable[..., Any], blocks: Sequence[Any]) -> list[Any]:
        """Return ``[task(block) for block in blocks]``, in any order: blocks and answers are numbered."""
        ...

    def close(self) -> None:
        """Free what this backend itself started; never what the user handed over."""
        ...
