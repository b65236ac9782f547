"""How figures look, and how they are saved: the same input gives the same bytes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ter.core.errors import MissingExtra
from ter.display.scale import Scale

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

INK = "#333333"
GRID = "#DDDDDD"
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


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure that belongs to nobody's global state; sizes are in inches."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra.named("matplotlib", "report", "drawing figures") from error
    figure = Figure(figsize=(width, height), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


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


def named(name: str) -> str:
    """Write a name so that Matplotlib neither reads it as mathematics nor leaves it out of legends.

    Examples
    --------
    >>> named("_a$b$")
    ' _a\\\\$b\\\\$'
    """
    text = name.replace("$", "\\$")
    return f" {text}" if text.startswith("_") else text


def plain(axes: Axes) -> None:
    """Take away what says nothing."""
    axes.spines[["top", "right"]].set_visible(False)


def value_axis(axes: Axes, values: Sequence[float]) -> None:
    """Scale the vertical axis so that it shows all values, 0 and negative ones too."""
    scale = Scale.fit(values)
    axes.grid(axis="y", color=GRID, linewidth=0.5)
    axes.set_axisbelow(True)
    if scale.kind == "symlog":
        axes.set_yscale("symlog", linthresh=scale.threshold)
        axes.set_yticks(scale.ticks(5), labels=[short(tick) for tick in scale.ticks(5)])
        axes.minorticks_off()
    else:
        axes.set_yscale(scale.kind)
        if scale.kind == "log":
            axes.yaxis.set_major_formatter(lambda value, _: short(value))
            axes.yaxis.minorticks_off()


def evaluations_axis(axes: Axes, first: float, last: float, *, log: bool) -> None:
    """Scale the horizontal axis."""
    if log:
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(lambda value, _: "")
    axes.set_xlim(first, max(last, first + 1))
    axes.xaxis.set_major_formatter(lambda value, _: short(value) if log else digits(value))


def short(value: float) -> str:
    """Write a tick: powers of ten as such, everything else short.

    Examples
    --------
    >>> short(1e6), short(250.0), short(2.5e5), short(0.0)
    ('$10^{6}$', '250', '2.5e5', '0')
    """
    if value == 0 or 1e-2 <= abs(value) < 1e4:
        return f"{value:g}"
    power = math.log10(abs(value))
    if abs(power - round(power)) < 1e-9:
        return f"${'-' if value < 0 else ''}10^{{{round(power)}}}$"
    return digits(value)


def digits(value: float) -> str:
    """Write a tick of a linear axis.

    Examples
    --------
    >>> digits(1e5), digits(250_000.0), digits(2000.0)
    ('1e5', '2.5e5', '2000')
    """
    if value == 0 or 1e-2 <= abs(value) < 1e4:
        return f"{value:g}"
    mantissa, _, exponent = f"{value:.2e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
