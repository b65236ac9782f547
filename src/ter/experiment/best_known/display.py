"""Live progress of a search on standard error: a display in a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ter.display.screen import COMPILING, EVERY, Screen
from ter.experiment.best_known.space import short_text
from ter.experiment.best_known.watch import Standing

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Display"]

WIDTH = 76  # of the sequence


class Display:
    """Shows how many sequences were tried, the best one, and how long the rest will take.

    Parameters
    ----------
    console : rich.console.Console, optional
        Where to write; standard error by default.
    clock : callable
        Seconds.
    """

    def __init__(self, console: Console | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._screen = Screen(console, clock)
        self._standing = self._told = Standing("", 0)  # as it is, and as the last plain line has it
        self._slots = 0
        self._compiling = False

    def open(self, standing: Standing) -> None:
        """Start the display."""
        self._standing = standing
        if not self._screen.open(self.panel, first_line=EVERY):
            self.tell(standing.title)

    def update(self, standing: Standing, slots: int, *, compiling: bool) -> None:
        """Take note, and print a plain line when one is due."""
        if compiling and not self._compiling and not self._screen.live:
            self.tell(COMPILING)
        self._standing, self._slots, self._compiling = standing, slots, compiling
        if standing.tried and self._screen.due():
            self.tell(self._line())
            self._told = standing

    def tell(self, text: str) -> None:
        """Print a line."""
        self._screen.tell(text)

    def close(self) -> None:
        """End the display with its last state."""
        self._screen.close()
        if self._standing.tried and not self._screen.live and self._told != self._standing:
            self.tell(self._line())

    def _line(self) -> str:
        standing = self._standing
        return f"{standing.tried}/{standing.total} sequences, {self._best()}, {self._times()}"

    def _best(self) -> str:
        from ter.display.texts import number_text

        standing = self._standing
        return "" if standing.best is None else f"best {number_text(standing.best)} (no. {standing.number})"

    def _times(self) -> str:
        from ter.display.texts import time_text

        text = f"{time_text(self._screen.gone)} gone"
        if self._standing.runs:
            seconds = self._standing.seconds
            left = "?" if seconds is None else time_text(seconds * self._standing.runs / max(1, self._slots))
            text += f", {left} left"
        return text

    def panel(self) -> Panel:
        """Return what a terminal shows."""
        standing, width = self._standing, max(10, min(40, self._screen.width - 50))
        bar = Table.grid(padding=(0, 2))
        bar.add_row(
            ProgressBar(total=max(1, standing.total), completed=standing.tried, width=width),
            f"{standing.tried} / {standing.total} sequences",
            self._times(),
        )
        parts: list[RenderableType] = [Text(standing.title, style="dim"), bar]
        if standing.best is not None:
            sequence = short_text(standing.sequence)
            shown = sequence if len(sequence) <= WIDTH else f"{sequence[: WIDTH - 1]}…"
            parts += [Text(), Text(self._best(), style="bold"), Text(shown)]
        if self._compiling:
            parts += [Text(COMPILING, style="yellow")]
        return Panel(Group(*parts), title="best known sequence", title_align="left", border_style="dim", expand=False)
