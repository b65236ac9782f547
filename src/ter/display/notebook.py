"""A panel in the output of a notebook's cell: one display that is changed in place."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

from rich.console import Console, RenderableType
from rich.theme import Theme

from ter.display.colors import NEUTRAL

__all__ = ["NotebookPanel", "bundle_of"]

# As Rich writes into notebooks; without the line height, frames have gaps.
FORMAT = (
    '<pre style="white-space: pre; overflow-x: auto; line-height: normal; '
    "font-family: Menlo, 'DejaVu Sans Mono', Consolas, 'Courier New', monospace\">{code}</pre>"
)
THEME = Theme({"bar.back": NEUTRAL})  # a terminal's nearly black one stands out on white paper


class NotebookPanel:
    """Shows a panel below the cell that is running, and replaces it several times a second.

    Parameters
    ----------
    render : callable
        Makes the panel.
    width : int
        In letters.
    refresh : float
        Times per second.
    """

    def __init__(self, render: Callable[[], RenderableType], width: int, refresh: float) -> None:
        self._render, self._width, self._pause = render, width, 1 / refresh
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._refresh, name="ter display", daemon=True)
        self._handle: Any = None

    def start(self) -> None:
        """Show the panel."""
        display: Any = import_module("IPython.display").display  # there, since this is a notebook
        self._handle = display(bundle_of(self._render(), self._width), raw=True, display_id=True)
        self._thread.start()

    def stop(self) -> None:
        """Show it for the last time, and leave it there."""
        self._ended.set()
        self._thread.join()
        self._show()

    def _refresh(self) -> None:
        while not self._ended.wait(self._pause):
            self._show()

    def _show(self) -> None:
        try:
            self._handle.update(bundle_of(self._render(), self._width), raw=True)
        except Exception:  # noqa: BLE001 - whatever has happened to the notebook, the work goes on
            self._ended.set()


def bundle_of(panel: RenderableType, width: int) -> dict[str, str]:
    """Return a panel as HTML and as text, by their types.

    Examples
    --------
    >>> from rich.text import Text
    >>> bundle = bundle_of(Text("a < b", style="bold"), 80)
    >>> bundle["text/plain"], "font-weight: bold" in bundle["text/html"], "a &lt; b" in bundle["text/html"]
    ('a < b\\n', True, True)
    """
    console = Console(
        file=io.StringIO(),
        width=width,
        record=True,
        force_terminal=True,
        force_jupyter=False,
        color_system="truecolor",
        theme=THEME,
    )
    console.print(panel)
    return {
        "text/html": console.export_html(inline_styles=True, code_format=FORMAT, clear=False),
        "text/plain": console.export_text(),
    }
