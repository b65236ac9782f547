"""What the figures of a run and those of a report share: empty figures, axes of values, strips, names."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ter.core.errors import MissingExtra
from ter.display.colors import NEUTRAL, colors_of
from ter.display.scale import Scale
from ter.display.texts import plain_text
from ter.display.trace import Block

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

__all__ = ["GRID", "INK", "color_keys", "digits", "draw_strip", "named", "new_figure", "plain", "short", "value_axis"]

INK = "#333333"
GRID = "#DDDDDD"


def new_figure(width: float, height: float, dpi: float = 150) -> Figure:
    """Return an empty figure that belongs to nobody's global state; sizes are in inches.

    Raises
    ------
    MissingExtra
        If Matplotlib is not installed.
    """
    try:
        from ter.display.figure import FreeFigure
    except ImportError as error:
        raise MissingExtra.named("matplotlib", "report", "drawing figures") from error
    return FreeFigure(width, height, dpi)


def plain(axes: Axes) -> None:
    """Take away what says nothing."""
    axes.spines[["top", "right"]].set_visible(False)


def value_axis(axes: Axes, values: Sequence[float]) -> None:
    """Scale the vertical axis so that it shows all values, 0 and negative ones too."""
    scale = Scale.fit(values)
    axes.grid(axis="y", color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    if scale.kind == "linear":
        axes.set_yscale("linear")
        return
    axes.set_yscale(scale.kind, **({"linthresh": scale.threshold} if scale.kind == "symlog" else {}))
    ticks = scale.ticks(5)
    axes.set_yticks(ticks, labels=[short(tick) for tick in ticks])
    axes.yaxis.minorticks_off()


def draw_strip(
    axes: Axes, blocks: Sequence[Block], colors: Mapping[str, str], *, top: float, height: float, border: float
) -> None:
    """Draw the decisions of a run side by side, after its start points.

    Parameters
    ----------
    axes : Axes
        Whose horizontal axis counts evaluations.
    blocks : sequence of Block
        See :func:`ter.display.trace.strip_of`.
    colors : mapping from str to str
        Of the heuristics.
    top, height : float
        Where the strip is, on the vertical axis.
    border : float
        Width of the lines between blocks; they help where a block is wide enough to keep its colour.
    """
    if blocks:
        axes.broken_barh([(0, blocks[0].first)], (top, height), color=NEUTRAL, linewidth=0)
    for name, color in colors.items():
        own = [(block.first, block.last - block.first) for block in blocks if block.action.heuristic == name]
        axes.broken_barh(own, (top, height), facecolor=color, edgecolor="white", linewidth=border)


def color_keys(names: Sequence[str]) -> list[Patch]:
    """Return what a legend shows about heuristics."""
    from matplotlib.patches import Patch

    return [Patch(color=color, label=named(name)) for name, color in colors_of(names).items()]


def named(name: str) -> str:
    """Write a name so that Matplotlib can draw it, neither reads it as mathematics nor leaves it out of legends.

    Examples
    --------
    >>> named("_a$b$")
    ' _a\\\\$b\\\\$'
    """
    text = plain_text(name).replace("$", "\\$")
    return f" {text}" if text.startswith("_") else text


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
