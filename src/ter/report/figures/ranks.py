"""The critical-difference diagram of Demšar (2006): mean ranks on a line, bars over what cannot be told apart."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ter.report.figures.style import INK, named, new_figure
from ter.report.ranking import Ranking
from ter.report.table import p_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["critical_difference"]

STEP = 0.26  # height of a line of text, in inches
BAR = 0.13


def critical_difference(ranking: Ranking) -> Figure:
    """Draw mean ranks; algorithms that Nemenyi's test cannot tell apart are joined by a bar."""
    ranks = ranking.test.mean_ranks
    order = sorted(range(len(ranks)), key=lambda j: ranks[j])
    left = order[: math.ceil(len(order) / 2)]
    right = list(reversed(order[len(left) :]))
    bars = 0.12 + BAR * max(1, len(ranking.groups))
    below = bars + STEP * len(left)
    figure = new_figure(6.4, 0.95 + below)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    width, height = figure.get_size_inches()
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    line = _Line(low=1, high=len(ranks), start=1.55, end=width - 1.55, y=0.78)
    _scale(axes, line, ranking.distance)
    said = f"{len(ranking.cases)} problems, Friedman p = {p_text(ranking.test.p)}"
    axes.text(width - 0.15, 0.24, said, ha="right", va="bottom")
    for k, group in enumerate(ranking.groups):
        y = line.y + 0.14 + BAR * k
        ends = [line.x(ranks[j]) for j in group]
        axes.plot([min(ends) - 0.05, max(ends) + 0.05], [y, y], color=INK, lw=3.2, solid_capstyle="butt")
    for side, members in (("left", left), ("right", right)):
        for k, j in enumerate(members):
            y = line.y + bars + STEP * (k + 0.6)
            x, edge = line.x(ranks[j]), line.start - 0.2 if side == "left" else line.end + 0.2
            axes.plot([x, x, edge], [line.y, y, y], color=INK, lw=0.7)
            text = f"{named(ranking.columns[j].title)}  {ranks[j]:.2f}"
            if side == "right":
                text = f"{ranks[j]:.2f}  {named(ranking.columns[j].title)}"
            axes.text(
                edge + (-0.06 if side == "left" else 0.06),
                y,
                text,
                ha="right" if side == "left" else "left",
                va="center",
            )
    return figure


class _Line:
    """The line of ranks, in inches."""

    def __init__(self, low: float, high: float, start: float, end: float, y: float) -> None:
        self.low, self.high, self.start, self.end, self.y = low, high, start, end, y

    def x(self, rank: float) -> float:
        return self.start + (rank - self.low) / (self.high - self.low) * (self.end - self.start)


def _scale(axes: Axes, line: _Line, distance: float) -> None:
    axes.plot([line.start, line.end], [line.y, line.y], color=INK, lw=0.9)
    for rank in range(int(line.low), int(line.high) + 1):
        axes.plot([line.x(rank)] * 2, [line.y, line.y - 0.08], color=INK, lw=0.9)
        axes.text(line.x(rank), line.y - 0.12, str(rank), ha="center", va="bottom")
    # A distance beyond the line means that nothing can differ; it is drawn as long as the line then.
    end = min(line.x(line.low + distance), line.end)
    axes.plot([line.start, end], [0.34, 0.34], color=INK, lw=1.1)
    for x in (line.start, end):
        axes.plot([x, x], [0.29, 0.39], color=INK, lw=1.1)
    axes.text((line.start + end) / 2, 0.24, f"critical distance {distance:.2f}", ha="center", va="bottom")
