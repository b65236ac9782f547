"""Decisions of all runs, and how probable each heuristic was: a row per problem, a column per algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ter.display.axes import color_keys, draw_strip
from ter.display.colors import NEUTRAL, colors_of
from ter.display.trace import strip_of
from ter.report.case import Case
from ter.report.decisions import chances_of
from ter.report.figures.style import evaluations_axis, named, new_figure
from ter.report.study import Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["decision_strips", "heuristic_legend", "probabilities"]

CELLS = 300
BLOCKS = 4_000  # a figure with more of them shows strips as pictures: files would become large, borders cover all
PIXELS = 900


def decision_strips(study: Study) -> Figure | None:
    """Draw the decisions of all runs as strips; None if no algorithm decides."""
    labels = study.deciding()
    if not labels:
        return None
    most = max(len(study.group(case, label).finished) for case in study.cases for label in labels)
    figure, panels = _grid(study, labels, height=0.3 + min(0.1 * most, 0.7))
    blocks = sum(len(record.actions) for _, case, label in panels for record in study.group(case, label).finished)
    draw = _pictures if blocks > BLOCKS else _strips
    for axes, case, label in panels:
        draw(axes, study, case, label)
    heuristic_legend(figure, study)
    return figure


def probabilities(study: Study) -> Figure | None:
    """Draw the mean probabilities of the heuristics over time; None if no algorithm has any."""
    labels = [
        label
        for label in study.deciding()
        if any(chances_of(study.group(case, label).finished, study.heuristics) for case in study.cases)
    ]
    if not labels:
        return None
    figure, panels = _grid(study, labels, height=0.95)
    for axes, case, label in panels:
        _areas(axes, study, case, label)
    heuristic_legend(figure, study)
    return figure


def heuristic_legend(figure: Figure, study: Study) -> None:
    """Name the colours of the heuristics above a figure."""
    handles = color_keys(study.heuristics)
    figure.legend(
        handles=handles, loc="outside upper center", ncols=min(8, len(handles)), frameon=False, handlelength=1
    )


def _grid(
    study: Study, labels: tuple[str, ...] | list[str], height: float
) -> tuple[Figure, list[tuple[Axes, Case, str]]]:
    rows, columns = len(study.cases), len(labels)
    figure = new_figure(max(4.5, 0.6 + 3.2 * columns), 0.75 + height * rows)
    grid = np.atleast_1d(figure.subplots(rows, columns, squeeze=False))
    panels = []
    for i, case in enumerate(study.cases):
        for j, label in enumerate(labels):
            axes = grid[i, j]
            axes.set_yticks([])
            axes.spines[["top", "right", "left"]].set_visible(False)
            last = max((record.nfev for record in study.group(case, label).finished), default=1)
            evaluations_axis(axes, 0, last, log=False)
            if i + 1 < rows and len({each.budget for each in study.cases}) == 1:
                axes.tick_params(labelbottom=False)
            if i == 0:
                axes.set_title(named(label), pad=4)
            if j == 0:
                axes.set_ylabel(named(case.name), rotation=0, ha="right", va="center")
            panels.append((axes, case, label))
    figure.supxlabel("evaluations", fontsize=8)
    return figure, panels


def _strips(axes: Axes, study: Study, case: Case, label: str) -> None:
    records = study.group(case, label).finished
    axes.set_ylim(max(len(records), 1), 0)
    for row, record in enumerate(records):
        colors = colors_of(study.heuristics)
        draw_strip(axes, strip_of(record, CELLS), colors, top=row + 0.06, height=0.88, border=0.25)


def _pictures(axes: Axes, study: Study, case: Case, label: str) -> None:
    """Draw the strips of many decisions as one picture with a row for each run."""
    from matplotlib.colors import to_rgb

    records = study.group(case, label).finished
    last = max((record.nfev for record in records), default=1)
    centers = (np.arange(PIXELS) + 0.5) / PIXELS * last
    colors = {name: to_rgb(color) for name, color in colors_of(study.heuristics).items()}
    # Two lines of dots for each run, and a white one between runs.
    picture = np.ones((3 * max(len(records), 1), PIXELS, 3))
    for row, record in enumerate(records):
        blocks = strip_of(record, PIXELS)
        hues = np.array([to_rgb(NEUTRAL), *(colors[block.action.heuristic] for block in blocks), (1.0, 1.0, 1.0)])
        edges = [blocks[0].first, *(block.last for block in blocks)] if blocks else [np.inf]
        picture[3 * row : 3 * row + 2] = hues[np.searchsorted(edges, centers)]
    axes.imshow(picture, extent=(0, last, max(len(records), 1), 0), aspect="auto", interpolation="nearest")


def _areas(axes: Axes, study: Study, case: Case, label: str) -> None:
    found = chances_of(study.group(case, label).finished, study.heuristics)
    axes.set_ylim(0, 1)
    if found is None:
        axes.text(0.5, 0.5, "no probabilities", transform=axes.transAxes, ha="center", va="center")
        return
    colors = list(colors_of(study.heuristics).values())
    axes.stackplot(found.evaluations, found.probabilities.T, colors=colors, linewidth=0)
