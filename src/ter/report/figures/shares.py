"""What each heuristic used and brought on each problem, as stacked bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ter.display.colors import colors_of
from ter.display.shares import PARTS
from ter.report.decisions import MeanShare, mean_shares
from ter.report.figures.decisions import heuristic_legend
from ter.report.figures.style import named, new_figure
from ter.report.study import Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["share_bars"]


def share_bars(study: Study) -> Figure | None:
    """Draw the shares of the heuristics, a row of panels per algorithm; None if no algorithm decides."""
    labels = study.deciding()
    if not labels:
        return None
    figure = new_figure(7.2, 0.7 + (0.45 + 0.17 * len(study.cases)) * len(labels))
    grid = np.atleast_2d(figure.subplots(len(labels), len(PARTS), squeeze=False, sharey="row"))
    for i, label in enumerate(labels):
        shares = [mean_shares(study.group(case, label).finished, study.heuristics) for case in study.cases]
        for j, part in enumerate(PARTS):
            _bars(grid[i, j], study, shares, part)
        grid[i, 0].set_yticks(range(len(study.cases)), labels=[named(case.name) for case in study.cases])
        grid[i, 0].set_ylabel(named(label))
        grid[i, 0].set_ylim(len(study.cases) - 0.5, -0.5)
    for axes, title in zip(grid[0], PARTS.values(), strict=True):
        axes.set_title(title, pad=4)
    heuristic_legend(figure, study)
    return figure


def _bars(axes: Axes, study: Study, shares: list[list[MeanShare]], part: str) -> None:
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(left=False)
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.5, 1], labels=["0", "50 %", "100 %"])
    left = np.zeros(len(study.cases))
    for k, color in enumerate(colors_of(study.heuristics).values()):
        widths = np.array([(getattr(found[k], part) or 0.0) if found else 0.0 for found in shares])
        axes.barh(range(len(widths)), widths, left=left, color=color, height=0.8, edgecolor="white", linewidth=0.3)
        left += widths
