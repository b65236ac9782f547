"""Pictures of a run, with Matplotlib and without its global state."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from ter.core.errors import MissingExtra
from ter.core.problem import Problem
from ter.core.result import ResultData
from ter.display.colors import NEUTRAL, colors_of
from ter.display.scale import Scale
from ter.display.shares import blocks_of, cells_of, curve_of
from ter.display.texts import count_text, number_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_result"]

CELLS = 2_000  # more actions than this cannot be told apart in a picture
INK = "#333333"


def plot_result(
    result: ResultData, path: str | PathLike[str] | None = None, *, problem: Problem | None = None
) -> Figure:
    """Draw the curve of a run with its decision strip below, and the solution beside it if the problem can draw it.

    Parameters
    ----------
    result : ResultData
        A run.
    path : path, optional
        Where to save the picture; the ending chooses the format.
    problem : Problem, optional
        What was solved: if its optimum is known the error is drawn, and if it has `draw`, the solution.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    MissingExtra
        If Matplotlib is not installed.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=4), budget=400, rng=1)
    >>> len(plot_result(result).axes)
    2
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra.named("matplotlib", "report", "drawing a result") from error
    figure = Figure(dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    curve = figure.add_subplot()
    strip = figure.add_subplot(sharex=curve)
    _draw_curve(curve, result, problem.f_opt if problem is not None else None)
    _draw_strip(strip, result)
    _draw_legend(curve, result)
    curve.set_title(_title(result), loc="left", fontsize=11, color=INK)
    solution = None
    if problem is not None and problem.draw is not None:
        solution = figure.add_subplot()
        problem.draw(np.array(result.x), solution)
    _arrange(figure, curve, strip, solution)
    if path is not None:
        figure.savefig(path)
    return figure


def _arrange(figure: Figure, curve: Axes, strip: Axes, solution: Axes | None) -> None:
    """Put the strip below the curve, and the solution beside them, or below if it is wide."""
    if solution is None:
        figure.set_size_inches(7.2, 4.2)
        grid = figure.add_gridspec(2, 1, height_ratios=(12, 1))
    elif is_wide(solution):
        figure.set_size_inches(7.2, 6.6)
        grid = figure.add_gridspec(3, 1, height_ratios=(12, 1, 10))
        solution.set_subplotspec(grid[2, 0])
    else:
        figure.set_size_inches(10.8, 4.2)
        grid = figure.add_gridspec(2, 2, height_ratios=(12, 1), width_ratios=(1.5, 1))
        solution.set_subplotspec(grid[:, 1])
    curve.set_subplotspec(grid[0, 0])
    strip.set_subplotspec(grid[1, 0])


def is_wide(axes: Axes) -> bool:
    """Tell whether what was drawn keeps its proportions and is at least twice as wide as high."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    return axes.get_aspect() != "auto" and abs(right - left) >= 2 * abs(top - bottom)


def _title(result: ResultData) -> str:
    best = f"best value {number_text(result.fun)} after {count_text(result.nfev)} evaluations"
    return f"{result.problem}: {best}" if result.problem else best[0].upper() + best[1:]


def _draw_curve(axes: Axes, result: ResultData, f_opt: float | None) -> None:
    axes.tick_params(bottom=False, labelbottom=False, colors=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#DDDDDD", linewidth=0.6)
    axes.set_ylabel("best value" if f_opt is None else "error: best value − optimum", color=INK)
    axes.set_xlim(0, max(1, result.nfev))
    curve = curve_of(result, f_opt)
    if len(curve) == 0:
        axes.set_yticks([])
        axes.text(0.5, 0.5, "no evaluation gave a finite value", transform=axes.transAxes, ha="center", color=INK)
        return
    scale = Scale.fit(curve[:, 1])
    if scale.kind == "symlog":
        axes.set_yscale("symlog", linthresh=scale.threshold)
        axes.set_yticks(scale.ticks(), labels=[f"{tick:g}" for tick in scale.ticks()])
        axes.minorticks_off()
    else:
        axes.set_yscale(scale.kind)
    axes.step(curve[:, 0], curve[:, 1], where="post", color=INK, linewidth=1.6)
    if len(curve) == 1:
        axes.plot(curve[:, 0], curve[:, 1], "o", color=INK)


def _draw_legend(axes: Axes, result: ResultData) -> None:
    from matplotlib.patches import Patch

    # The curve falls from the left, so its upper right corner is free.
    handles = [Patch(color=color, label=name) for name, color in colors_of(result.heuristics).items()]
    axes.legend(handles=handles, loc="upper right", frameon=False, fontsize=9, handlelength=1.2, labelcolor=INK)


def _draw_strip(axes: Axes, result: ResultData) -> None:
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_yticks([])
    axes.set_ylim(0, 1)
    axes.tick_params(colors=INK)
    axes.xaxis.set_major_formatter(lambda value, _: count_text(value))
    axes.set_xlabel("evaluations", color=INK)
    blocks = cells_of(blocks_of(result), CELLS)
    # Borders between actions help only where each block is wide enough to keep its colour.
    border = 0.5 if len(blocks) <= 150 else 0.0
    if blocks:
        axes.broken_barh([(0, blocks[0].first)], (0, 1), color=NEUTRAL)
    for name, color in colors_of(result.heuristics).items():
        own = [(b.first, b.last - b.first) for b in blocks if b.action.heuristic == name]
        axes.broken_barh(own, (0, 1), facecolor=color, edgecolor="white", linewidth=border)
