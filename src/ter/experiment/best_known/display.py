"""Live progress of a search on standard error: a display in a terminal, plain lines elsewhere."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ter.experiment.best_known.space import short_text
from ter.experiment.best_known.watch import Standing

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Display"]

REFRESH = 4  # per second
COMPILING = "starting workers; compiling takes about a minute on a new machine"
EVERY = 10.0  # seconds between plain lines
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
        self._console = console or Console(stderr=True)
        self._clock = clock
        self._standing = Standing("", 0)
        self._slots = 0
        self._compiling = False
        self._live: Live | None = None
        self._opened = self._next_line = 0.0

    def open(self, standing: Standing) -> None:
        """Start the display."""
        self._standing, self._opened = standing, self._clock()
        self._next_line = self._opened + EVERY
        if self._console.is_terminal and not self._console.is_dumb_terminal and not self._console.is_jupyter:
            # Refreshed by a thread, so that the clock goes on during long runs.
            self._live = Live(console=self._console, get_renderable=self._render, refresh_per_second=REFRESH)
            self._live.start()
        else:
            self.tell(standing.title)

    def update(self, standing: Standing, slots: int, *, compiling: bool) -> None:
        """Take note, and print a plain line when one is due."""
        if compiling and not self._compiling and self._live is None:
            self.tell(COMPILING)
        self._standing, self._slots, self._compiling = standing, slots, compiling
        if self._live is None and standing.tried and self._clock() >= self._next_line:
            self._next_line = self._clock() + EVERY
            self.tell(self._line())

    def tell(self, text: str) -> None:
        """Print a line."""
        text = f"ter: {text}".replace("\N{NO-BREAK SPACE}", " ")
        try:
            if self._live is not None:
                self._console.print(Text(text))  # above the display
            else:
                self._console.file.write(text + "\n")
                self._console.file.flush()
        except (OSError, ValueError):  # standard error was closed
            self._next_line = math.inf

    def close(self) -> None:
        """End the display with its last state."""
        if self._live is not None:
            try:
                self._live.stop()
            except (OSError, ValueError):  # the terminal is gone
                self._console.quiet = True
        elif self._standing.tried:
            self.tell(self._line())

    def _line(self) -> str:
        standing = self._standing
        return f"{standing.tried}/{standing.total} sequences, {self._best()}, {self._times()}"

    def _best(self) -> str:
        from ter.report.texts import number_text

        standing = self._standing
        return "" if standing.best is None else f"best {number_text(standing.best)} (no. {standing.number})"

    def _times(self) -> str:
        from ter.report.texts import time_text

        text = f"{time_text(self._clock() - self._opened)} gone"
        if self._standing.runs:
            seconds = self._standing.seconds
            left = "?" if seconds is None else time_text(seconds * self._standing.runs / max(1, self._slots))
            text += f", {left} left"
        return text

    def _render(self) -> RenderableType:
        try:
            return self._panel()
        except Exception as error:  # noqa: BLE001 - a display that fails must not end the search
            return Text(f"ter: no display ({error})")

    def _panel(self) -> Panel:
        standing, width = self._standing, max(10, min(40, self._console.width - 50))
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
