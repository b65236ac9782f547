"""Where values go besides the heuristics: the seam for a journal."""

from __future__ import annotations

from typing import Protocol

from ter.core.box import Vector

__all__ = ["Sink"]


class Sink(Protocol):
    """Gets every value in the order of evaluation, as a journal would."""

    def write(self, values: Vector, costs: Vector | None) -> None:
        """Take the values of consecutive evaluations; failures are NaN or infinite."""
        ...
