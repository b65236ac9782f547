"""Live progress of an experiment on standard error: a display in a terminal, plain lines elsewhere."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ter.display.screen import COMPILING, Screen
from ter.experiment.estimate import Estimate
from ter.experiment.record import Record
from ter.experiment.spec import RunSpec
from ter.experiment.watch import Tally

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Display"]

SHOWN = 8  # runs under way at most
WAITING = "waiting for workers"


class Display:
    """Shows how many runs are done, which are under way, and how long the rest will take.

    Parameters
    ----------
    console : rich.console.Console, optional
        Where to write; standard error by default.
    clock : callable
        Seconds.
    """

    def __init__(self, console: Console | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._screen = Screen(console, clock)
        self._tally = self._told = Tally(0, 0, 0)  # as it is, and as the last plain line has it
        self._estimate = Estimate()
        self._under_way: Sequence[RunSpec] = ()
        self._begun: dict[RunSpec, float] = {}
        self._slots = 0
        self._compiling = self._idle = False
        self._last = ""

    def open(self, tally: Tally, estimate: Estimate) -> None:
        """Start the display."""
        self._tally, self._estimate = tally, estimate
        if not self._screen.open(self.panel):
            there = f", {tally.finished} of them done" if tally.finished else ""
            self._screen.tell(f"{tally.total} runs{there}{self._failures()}")

    def update(self, tally: Tally, under_way: Sequence[RunSpec], slots: int, *, compiling: bool) -> None:
        """Take note, and print a plain line when one is due."""
        if compiling and not self._compiling and not self._screen.live:
            self._screen.tell(COMPILING)
        idle = slots == 0 and not under_way and not compiling
        if idle and not self._idle and not self._screen.live:
            self._screen.tell(WAITING)
        self._idle = idle
        self._begun = {spec: self._begun.get(spec, self._screen.clock()) for spec in under_way}
        self._tally, self._under_way, self._slots, self._compiling = tally, under_way, slots, compiling
        if self._last and self._screen.due():
            self._screen.tell(self._line())
            self._told = tally

    def ended(self, record: Record) -> None:
        """Remember the last run; a failure is printed at once."""
        name = f"{record.key.problem} D={record.key.dimension} {record.label} run {record.run}"
        self._last = f"{name}: {record.fun:.6g}"
        if record.failed:
            reason = (record.traceback or "").strip().splitlines()[-1]
            self._last = f"{name} failed: {reason}"
            self._screen.tell(self._last)

    def lost(self, spec: RunSpec, reason: str) -> None:
        """Print what happened."""
        self._screen.tell(f"{spec.name} was lost, {reason}")

    def close(self) -> None:
        """End the display with its last state."""
        self._under_way = ()
        self._screen.close()
        if self._last and not self._screen.live and self._told != self._tally:
            self._screen.tell(self._line())

    def _failures(self) -> str:
        return f", {self._tally.failed} failed" if self._tally.failed else ""

    def _times(self) -> str:
        from ter.display.texts import time_text

        gone, left = self._screen.gone, self._estimate.left(self._slots)
        rest = self._tally.total - self._tally.finished - self._tally.failed
        text = f"{time_text(gone)} gone"
        if rest > 0:
            text += f", {'?' if math.isinf(left) else time_text(left)} left"
        return text

    def _line(self) -> str:
        tally = self._tally
        return f"{tally.finished}/{tally.total}{self._failures()}, {self._times()}; {self._last}"

    def panel(self) -> Panel:
        """Return what a terminal shows."""
        from ter.display.texts import time_text

        tally, width = self._tally, max(10, min(40, self._screen.width - 50))
        bar = Table.grid(padding=(0, 2))
        bar.add_row(
            ProgressBar(total=max(1, tally.total), completed=tally.finished + tally.failed, width=width),
            f"{tally.finished} / {tally.total} runs",
            Text(self._failures().lstrip(", "), style="red"),
            self._times(),
        )
        parts: list[RenderableType] = [bar]
        runs = Table.grid(padding=(0, 2))
        for spec in list(self._under_way)[:SHOWN]:
            expected = self._estimate.expected(spec.key)
            about = "" if math.isinf(expected) else f"of about {time_text(expected)}"
            spent = time_text(self._screen.clock() - self._begun.get(spec, self._screen.clock()))
            runs.add_row(Text("▶", style="dim"), spec.name, spent, Text(about, style="dim"))
        if len(self._under_way) > SHOWN:
            runs.add_row("", f"and {len(self._under_way) - SHOWN} more")
        if self._under_way:
            parts += [Text(), runs]
        elif self._compiling:
            parts += [Text(COMPILING, style="yellow")]
        elif self._idle:
            parts += [Text(WAITING, style="yellow")]
        if self._last:
            parts += [Text(), Text(f"last: {self._last}", style="dim")]
        return Panel(Group(*parts), title="experiment", title_align="left", border_style="dim", expand=False)
