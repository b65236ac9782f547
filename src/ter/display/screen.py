"""Where progress is shown: a live panel in a terminal or a notebook, and otherwise a plain line now and then."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec

from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from ter.display.notebook import NotebookPanel

__all__ = ["EVERY", "Screen"]

REFRESH = 4  # per second
EVERY = 10.0  # seconds between plain lines


class Screen:
    """A console that may be a terminal, a notebook, a file, or gone; nothing that happens to it ends the work.

    Parameters
    ----------
    console : rich.console.Console, optional
        Where to write; standard error by default.
    clock : callable
        Seconds.
    """

    def __init__(self, console: Console | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console or Console(stderr=True)
        self._live: Live | NotebookPanel | None = None
        self._opened = self._next_line = 0.0
        self._doubling = False
        self.clock = clock

    @property
    def live(self) -> bool:
        """Whether there is a panel; otherwise there are lines."""
        return self._live is not None

    @property
    def width(self) -> int:
        """Of the console, in letters."""
        return self._console.width

    @property
    def gone(self) -> float:
        """Seconds since it was opened."""
        return self.clock() - self._opened

    def open(self, panel: Callable[[], RenderableType], *, first_line: float = 0.0, doubling: bool = False) -> bool:
        """Begin; a panel is made anew several times a second. Tell whether there is one.

        Parameters
        ----------
        panel : callable
            Makes the panel.
        first_line : float
            Seconds until a first line is due, where there is no panel.
        doubling : bool
            Whether the time of the next line is twice that of the last one, so that a day makes some 16 lines;
            otherwise there is one every ten seconds.
        """
        self._opened = self.clock()
        self._next_line = self._opened + first_line
        self._doubling = doubling
        # Refreshed by a thread, so that the clock goes on while one evaluation takes minutes.
        render = _guarded(panel)
        if self._console.is_jupyter:
            self._live = NotebookPanel(render, self.width, REFRESH) if find_spec("IPython") is not None else None
        elif self._console.is_terminal and not self._console.is_dumb_terminal:
            # What the objective prints is kept above the panel, unless standard output goes elsewhere.
            self._live = Live(
                console=self._console,
                get_renderable=render,
                refresh_per_second=REFRESH,
                redirect_stdout=sys.stdout.isatty(),
            )
        if self._live is not None:
            self._live.start()
        return self.live

    def tell(self, text: str) -> None:
        """Print a line; above the panel of a terminal, below that of a notebook."""
        text, encoding = f"ter: {text}".replace("\N{NO-BREAK SPACE}", " "), self._console.encoding
        text = text.encode(encoding, "backslashreplace").decode(encoding)
        try:
            if isinstance(self._live, Live):
                self._console.print(Text(text))
            else:
                self._console.file.write(text + "\n")
                self._console.file.flush()
        except (OSError, ValueError):  # standard error was closed
            self._next_line = math.inf

    def due(self) -> bool:
        """Tell whether it is time for a plain line; if so, the next one is due later."""
        if self.live or self.clock() < self._next_line:
            return False
        self._next_line = self.clock() + (self.gone if self._doubling else EVERY)
        return True

    def close(self) -> None:
        """End with the last state of the panel."""
        if self._live is not None:
            try:
                self._live.stop()
            except (OSError, ValueError):  # the terminal is gone
                self._console.quiet = True


def _guarded(panel: Callable[[], RenderableType]) -> Callable[[], RenderableType]:
    def render() -> RenderableType:
        try:
            return panel()
        except Exception as error:  # noqa: BLE001 - a display that fails must not end what it shows
            return Text(f"ter: no display ({error})")

    return render
