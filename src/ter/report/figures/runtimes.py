"""Empirical runtime distributions: the fraction of targets reached over evaluations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ter.display.colors import lines_of
from ter.report.figures.style import DASH, GRID, evaluations_axis, named, new_figure, plain
from ter.report.runtimes import distribution_of
from ter.report.study import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["runtime_distribution"]


def runtime_distribution(study: Study) -> Figure | None:
    """Draw the fraction of (run, target) pairs solved over evaluations; None if there is nothing to reach."""
    found = distribution_of(study)
    if found is None:
        return None
    figure = new_figure(4.6, 3.0)
    axes = figure.subplots()
    plain(axes)
    for label, (color, dash) in lines_of(study.labels).items():
        if label in found.solved:
            first = label == study.reference
            axes.step(
                found.at, found.solved[label], where="post", color=color, ls=DASH[dash], lw=1.8 if first else 1.2,
                label=named(label), zorder=4 if first else 3,
            )  # fmt: skip
    axes.grid(color=GRID, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.set_ylim(0, 1)
    evaluations_axis(axes, float(found.at[0]), float(found.at[-1]), log=True)
    axes.set_xlabel("evaluations per variable" if found.per_variable else "evaluations")
    axes.set_ylabel("fraction of targets reached")
    axes.legend(loc="upper left", frameon=False)
    return figure
