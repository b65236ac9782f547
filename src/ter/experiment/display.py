"""Runs under way on standard error: a live panel in a terminal, plain lines elsewhere."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import Console, Group
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ter.display.screen import Screen
from ter.display.texts import time_text
from ter.experiment.forecast import Forecast
from ter.experiment.spec import RunSpec
from ter.experiment.watch import Progress, Watch, Workload

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["COMPILING", "WAITING", "RunsDisplay"]

SHOWN = 8  # runs under way at most
COMPILING = "starting workers; compiling takes about half a minute on a new machine"
WAITING = "waiting for workers"


class RunsDisplay(Watch[Progress], ABC):
    """Shows how far everything is, which runs are under way, and how long the rest will take.

    Those who want runs have a class of their own, which says the rest.

    Parameters
    ----------
    console : rich.console.Console, optional
        Where to write; standard error by default.
    clock : callable
        Seconds.
    """

    title: ClassVar[str]
    nothing: ClassVar[Any]  # how far it is before anything was said

    def __init__(self, console: Console | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._screen = Screen(console, clock)
        self._progress: Progress = self.nothing
        self._forecast, self._workload = Forecast(), Workload()
        self._begun: dict[RunSpec, float] = {}
        self._notice = ""
        self._told: Progress | None = None  # what the last plain line says

    @abstractmethod
    def first_line(self) -> str:
        """Say what is going to be done."""

    @abstractmethod
    def line(self) -> str:
        """Say how far it is; nothing if nothing has ended yet."""

    @abstractmethod
    def counts(self) -> tuple[int, int, list[RenderableType]]:
        """Return how many are done, of how many, and what stands beside the bar."""

    def above(self) -> list[RenderableType]:
        """Return what the panel shows above the bar."""
        return []

    def below(self) -> list[RenderableType]:
        """Return what the panel shows below the runs under way."""
        return []

    def open(self, progress: Progress, forecast: Forecast) -> None:
        """Start the display."""
        self._progress, self._forecast = progress, forecast
        if not self._screen.open(self.panel):
            self._screen.tell(self.first_line())

    def update(self, progress: Progress, workload: Workload) -> None:
        """Take note, and print a plain line when one is due."""
        now = self._screen.clock()
        self._begun = {spec: self._begun.get(spec, now) for spec in workload.under_way}
        self._progress, self._workload = progress, workload
        before, self._notice = self._notice, COMPILING if workload.compiling else WAITING if workload.idle else ""
        if self._notice not in ("", before) and not self._screen.live:
            self._screen.tell(self._notice)
        if self.line() and self._screen.due():
            self._screen.tell(self.line())
            self._told = progress

    def lost(self, spec: RunSpec, reason: str) -> None:
        """Print what happened."""
        self._screen.tell(f"{spec.name} was lost, {reason}")

    def close(self) -> None:
        """End the display with its last state."""
        self._workload = Workload(slots=self._workload.slots)
        self._screen.close()
        if self.line() and not self._screen.live and self._told != self._progress:  # else the last line has said it
            self._screen.tell(self.line())

    def times(self) -> str:
        """Return how long it took so far, and how long the rest will take."""
        text = f"{time_text(self._screen.gone)} gone"
        if self._forecast.runs:
            left = self._forecast.left(self._workload.slots)
            text += f", {'?' if math.isinf(left) else time_text(left)} left"
        return text

    def panel(self) -> Panel:
        """Return what a terminal shows."""
        done, total, texts = self.counts()
        bar = Table.grid(padding=(0, 2))
        width = max(10, min(40, self._screen.width - 50))
        line = ProgressBar(total=max(1, total), completed=done, width=width)
        bar.add_row(line, *texts, self.times())
        parts = [*self.above(), bar, *self._runs(), *self.below()]
        return Panel(Group(*parts), title=self.title, title_align="left", border_style="dim", expand=False)

    def _runs(self) -> list[RenderableType]:
        """The runs under way, or why there are none."""
        under_way, now = self._workload.under_way, self._screen.clock()
        if not under_way:
            return [Text(self._notice, style="yellow")] if self._notice else []
        runs = Table.grid(padding=(0, 2))
        for spec in under_way[:SHOWN]:
            expected = self._forecast.expected(spec.key)
            about = "" if math.isinf(expected) else f"of about {time_text(expected)}"
            spent = time_text(now - self._begun.get(spec, now))
            runs.add_row(Text("▶", style="dim"), spec.name, spent, Text(about, style="dim"))
        if len(under_way) > SHOWN:
            runs.add_row("", f"and {len(under_way) - SHOWN} more")
        return [Text(), runs]
