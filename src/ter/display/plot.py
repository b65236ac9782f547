"""The picture of a run, with Matplotlib and without its global state."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from ter.core.problem import Problem
from ter.core.result import ResultData
from ter.display.axes import INK, color_keys, draw_strip, named, new_figure, plain, value_axis
from ter.display.colors import colors_of
from ter.display.texts import count_text, number_text
from ter.display.trace import curve_of, strip_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_curve", "plot_result"]

CELLS = 2_000  # more actions than this cannot be told apart in a picture
BORDERS = 150  # more blocks than this would be covered by the lines between them


def plot_result(
    result: ResultData,
    path: str | PathLike[str] | None = None,
    *,
    problem: Problem | None = None,
    ax: Axes | None = None,
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
    ax : matplotlib.axes.Axes, optional
        Draw the curve alone, into these axes; see :func:`draw_curve`.

    Returns
    -------
    matplotlib.figure.Figure
        A new one that pyplot does not know, or that of `ax`.

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
    f_opt = problem.f_opt if problem is not None else None
    if ax is not None:
        draw_curve(ax, result, f_opt)
        figure = ax.figure.figure  # the whole one, if the axes are on a part of it
    else:
        figure = _new_picture(result, problem, f_opt)
    if path is not None:
        figure.savefig(path)
    return figure


def _new_picture(result: ResultData, problem: Problem | None, f_opt: float | None) -> Figure:
    figure = new_figure(7.2, 4.2, dpi=110)
    curve = figure.add_subplot()
    strip = figure.add_subplot(sharex=curve)
    plain(curve)
    draw_curve(curve, result, f_opt, color=INK)
    curve.tick_params(bottom=False, labelbottom=False, colors=INK)
    curve.set_xlabel("")
    curve.set_xlim(0, max(1, result.nfev))
    curve.set_title(_title(result), loc="left", fontsize=11, color=INK)
    # The curve falls from the left, so its upper right corner is free.
    curve.legend(
        handles=color_keys(result.heuristics),
        loc="upper right",
        frameon=False,
        fontsize=9,
        handlelength=1.2,
        labelcolor=INK,
    )
    _draw_strip(strip, result)
    solution = None
    if problem is not None and problem.draw is not None:
        solution = figure.add_subplot()
        problem.draw(np.array(result.x), solution)
    _arrange(figure, curve, strip, solution)
    return figure


def draw_curve(axes: Axes, result: ResultData, f_opt: float | None = None, *, color: str | None = None) -> None:
    """Draw the best value over evaluations into axes that may hold the curves of other runs.

    The vertical axis becomes logarithmic where values span much, the horizontal one reaches from 0 to the end of the
    longest run, and both get labels. The line is labelled with problem and seed, for a legend.
    """
    curve = curve_of(result, f_opt)
    axes.set_xlabel("evaluations", color=INK)
    axes.set_ylabel("best value" if f_opt is None else "error: best value − optimum", color=INK)
    if len(curve) == 0:
        axes.set_yticks([])
        axes.text(0.5, 0.5, "no evaluation gave a finite value", transform=axes.transAxes, ha="center", color=INK)
        return
    label = named(f"{result.problem or 'run'}, seed {result.seed}")
    marker = "o" if len(curve) == 1 else None
    axes.step(curve[:, 0], curve[:, 1], where="post", color=color, linewidth=1.6, marker=marker, label=label)
    drawn = [np.asarray(line.get_xydata(), dtype=np.float64) for line in axes.lines]
    value_axis(axes, np.concatenate(drawn)[:, 1].tolist())
    axes.set_xlim(0, max(1.0, *(float(rows[:, 0].max()) for rows in drawn)))


def _arrange(figure: Figure, curve: Axes, strip: Axes, solution: Axes | None) -> None:
    """Put the strip below the curve, and the solution beside them, or below if it is wide."""
    if solution is None:
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
    return f"{named(result.problem)}: {best}" if result.problem else best[0].upper() + best[1:]


def _draw_strip(axes: Axes, result: ResultData) -> None:
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_yticks([])
    axes.set_ylim(0, 1)
    axes.tick_params(colors=INK)
    axes.xaxis.set_major_formatter(_count)
    axes.set_xlabel("evaluations", color=INK)
    blocks = strip_of(result, CELLS)
    border = 0.5 if len(blocks) <= BORDERS else 0.0
    draw_strip(axes, blocks, colors_of(result.heuristics), top=0, height=1, border=border)


def _count(value: float, _position: float) -> str:  # not a lambda, so that the figure can be pickled
    return count_text(value)
