"""How figures look, and how they are saved: the same input gives the same bytes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ter.display.axes import GRID, INK, digits, named, new_figure, plain, short, value_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "DASH",
    "GRID",
    "INK",
    "STYLE",
    "evaluations_axis",
    "grid_size",
    "named",
    "new_figure",
    "plain",
    "save",
    "value_axis",
]

STYLE: Any = {  # Matplotlib's stubs list every valid key
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 8,
    "axes.edgecolor": "#888888",
    "axes.linewidth": 0.6,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "svg.hashsalt": "ter",
    "pdf.fonttype": 42,
}
DASH: dict[str, Any] = {
    "solid": "-",
    "dash": (0, (5, 2)),
    "dashdot": (0, (5, 1.5, 1, 1.5)),
    "dot": (0, (1, 1.2)),
    "longdash": (0, (9, 2)),
}
SAVED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write a figure as SVG and as PDF."""
    # What is where is settled once, not for every file.
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    paths = []
    for ending, metadata in SAVED.items():
        path = folder / f"{name}.{ending}"
        figure.savefig(path, metadata=metadata)
        paths.append(path)
    return paths


def grid_size(panels: int, widest: int = 3) -> tuple[int, int]:
    """Return rows and columns for so many panels.

    Examples
    --------
    >>> grid_size(15), grid_size(4), grid_size(2)
    ((5, 3), (2, 2), (1, 2))
    """
    columns = 2 if panels == 4 else min(panels, widest)
    return math.ceil(panels / columns), columns


def evaluations_axis(axes: Axes, first: float, last: float, *, log: bool) -> None:
    """Scale the horizontal axis."""
    if log:
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(lambda value, _: "")
    axes.set_xlim(first, max(last, first + 1))
    axes.xaxis.set_major_formatter(lambda value, _: short(value) if log else digits(value))
