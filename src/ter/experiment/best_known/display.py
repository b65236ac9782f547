"""Live progress of a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from ter.display.texts import number_text
from ter.experiment.best_known.space import short_text
from ter.experiment.best_known.trials import SearchProgress
from ter.experiment.display import RunsDisplay

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["SearchDisplay"]

WIDTH = 76  # of the sequence


class SearchDisplay(RunsDisplay[SearchProgress]):
    """Shows how many sequences were tried, and the best one."""

    title = "best known sequence"
    nothing = SearchProgress("", 0)

    def first_line(self) -> str:
        """Say what the search is about."""
        return self._progress.title

    def line(self) -> str:
        """Say how many sequences were tried, and the best value."""
        tried = f"{self._progress.tried}/{self._progress.total} sequences"
        return f"{tried}, {self._best()}, {self.times()}" if self._progress.tried else ""

    def counts(self) -> tuple[int, int, list[RenderableType]]:
        """Return how many sequences were tried."""
        tried, total = self._progress.tried, self._progress.total
        return tried, total, [f"{tried} / {total} sequences"]

    def above(self) -> list[RenderableType]:
        """Return what the search is about."""
        return [Text(self._progress.title, style="dim")]

    def below(self) -> list[RenderableType]:
        """Return the best sequence."""
        if self._progress.best is None:
            return []
        sequence = short_text(self._progress.sequence)
        shown = sequence if len(sequence) <= WIDTH else f"{sequence[: WIDTH - 1]}…"
        return [Text(), Text(self._best(), style="bold"), Text(shown)]

    def _best(self) -> str:
        best = self._progress.best
        return "" if best is None else f"best {number_text(best)} (no. {self._progress.number})"
