"""Convergence: the median of the best error over evaluations, with the quartiles around it, a panel per problem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ter.display.colors import NEUTRAL, lines_of
from ter.report.board import Board
from ter.report.case import Case
from ter.report.curves import Bands, bands_of, grid_of
from ter.report.figures.style import DASH, evaluations_axis, grid_size, named, new_figure, plain, value_axis
from ter.report.quotes import quotes_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["MARKERS", "convergence"]

POINTS = 160
MARKERS = ("D", "s", "^", "v", "P", "X", "o", "<", ">")


def convergence(board: Board) -> Figure:
    """Draw the curves of all algorithms, and published means as points."""
    cases = board.study.cases
    rows, columns = grid_size(len(cases))
    figure = new_figure(0.3 + 2.4 * max(columns, 2), 0.45 + 1.85 * rows)
    panels = np.atleast_1d(figure.subplots(rows, columns)).ravel()
    for axes, case in zip(panels, cases, strict=False):
        _panel(axes, board, case)
    for axes in panels[len(cases) :]:
        axes.set_axis_off()
    figure.supxlabel("evaluations", fontsize=8)
    figure.supylabel("error" if board.study.knows_optima else "best value", fontsize=8)
    _legend(figure, board)
    return figure


def _panel(axes: Axes, board: Board, case: Case) -> None:
    plain(axes)
    axes.set_title(named(case.name), loc="left", pad=3)
    grid = grid_of(board.study, case, POINTS, linear=False)
    found = {label: bands_of(board.study.group(case, label).finished, grid) for label in board.study.labels}
    shown = {label: bands for label, bands in found.items() if bands is not None}
    quotes = quotes_on(board, case)
    values = [value for bands in shown.values() for value in (*bands.low, *bands.high) if np.isfinite(value)]
    if not values:
        axes.set_xticks([])
        axes.set_yticks([])
        axes.text(0.5, 0.5, "no finite value", transform=axes.transAxes, ha="center", va="center")
        return
    styles = lines_of(board.study.labels)
    for order, (label, bands) in enumerate(shown.items()):
        color, dash = styles[label]
        _draw(axes, bands, color, DASH[dash], front=order == 0)
    for i, column in enumerate(column for column in board.columns if column.source is not None):
        points = np.array([(quote.evaluations, quote.mean) for quote in quotes if quote.name == column.name])
        if len(points):
            axes.plot(*points.T, MARKERS[i % len(MARKERS)], color="none", mec=NEUTRAL, ms=4, mew=0.9, zorder=5)
            values += points[:, 1].tolist()
    value_axis(axes, values)
    # Before the first actions end there is little to see; four orders of magnitude are enough.
    evaluations_axis(axes, max(grid[0], grid[-1] / 1e4), float(grid[-1]) * 1.08, log=True)


def _draw(axes: Axes, bands: Bands, color: str, dash: Any, *, front: bool) -> None:
    finite = np.isfinite(bands.high)
    x = bands.evaluations
    axes.fill_between(x[finite], bands.low[finite], bands.high[finite], color=color, alpha=0.18, linewidth=0)
    seen = np.isfinite(bands.median)
    axes.plot(x[seen], bands.median[seen], color=color, ls=dash, lw=1.6 if front else 1.1, zorder=4 if front else 3)


def _legend(figure: Figure, board: Board) -> None:
    from matplotlib.lines import Line2D

    own = [
        Line2D(
            [], [], color=color, ls=DASH[dash], lw=1.6 if label == board.study.reference else 1.1, label=named(label)
        )
        for label, (color, dash) in lines_of(board.study.labels).items()
    ]
    quoted = {quote.name for case in board.study.cases for quote in quotes_on(board, case)}
    published = []
    for i, column in enumerate(column for column in board.columns if column.source is not None):
        if column.name in quoted:
            marker = MARKERS[i % len(MARKERS)]
            published.append(
                Line2D([], [], color="none", marker=marker, mec=NEUTRAL, ms=4, mew=0.9, label=f"{column.title}, mean")
            )
    # Legends are filled column by column; taking turns puts each kind into a row of its own.
    length = max(len(own), len(published)) if published and len(own) <= 6 else 0
    blank = Line2D([], [], color="none", label=" ")
    padded = [(each + [blank] * length)[: max(length, len(each))] for each in (own, published)]
    handles = [handle for pair in zip(*padded, strict=True) for handle in pair] if length else own + published
    figure.legend(handles=handles, loc="outside upper center", ncols=length or min(6, len(handles)), frameon=False)
