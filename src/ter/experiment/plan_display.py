"""Live progress of a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from ter.experiment.display import RunsDisplay
from ter.experiment.progress import PlanProgress
from ter.experiment.record import Record

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["PlanDisplay"]


class PlanDisplay(RunsDisplay[PlanProgress]):
    """Shows how many runs of a plan are done, and the last one."""

    title = "experiment"
    nothing = PlanProgress(0, 0, 0)
    _last = ""

    def ended(self, record: Record) -> None:
        """Remember the last run; a failure is printed at once."""
        self._last = f"{record.name}: {record.fun:.6g}"
        if record.failed:
            self._last = f"{record.name} failed: {record.reason}"
            self._screen.tell(self._last)

    def first_line(self) -> str:
        """Say how many runs there are."""
        there = f", {self._progress.finished} of them done" if self._progress.finished else ""
        return f"{self._progress.total} runs{there}{self._failures()}"

    def line(self) -> str:
        """Say how many are done, and what came of the last one."""
        counts = f"{self._progress.finished}/{self._progress.total}{self._failures()}"
        return f"{counts}, {self.times()}; {self._last}" if self._last else ""

    def counts(self) -> tuple[int, int, list[RenderableType]]:
        """Return how many runs are done."""
        finished, total = self._progress.finished, self._progress.total
        failures = Text(self._failures().lstrip(", "), style="red")
        return finished + self._progress.failed, total, [f"{finished} / {total} runs", failures]

    def below(self) -> list[RenderableType]:
        """Return the last run."""
        return [Text(), Text(f"last: {self._last}", style="dim")] if self._last else []

    def _failures(self) -> str:
        return f", {self._progress.failed} failed" if self._progress.failed else ""
