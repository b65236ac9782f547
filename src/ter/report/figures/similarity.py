"""How alike decisions are, as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ter.report.figures.style import INK, named, new_figure
from ter.report.study import Study
from ter.report.tables.similarity import similarities

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["similarity_map"]


def similarity_map(study: Study) -> Figure | None:
    """Draw the mean similarities between algorithms, and on each problem; None if no algorithm decides."""
    whole = similarities(study)
    if whole is None:
        return None
    labels, matrix = whole
    names = [named(label) for label in labels]
    size = 0.55 * len(labels)
    figure = new_figure(2.2 + size, 1.1 + size)
    axes = figure.subplots()
    image = axes.imshow(matrix, vmin=0, vmax=100, cmap="Blues")
    for (i, j), value in np.ndenumerate(matrix):
        if np.isfinite(value):
            axes.text(j, i, f"{value:.0f}", ha="center", va="center", color="white" if value > 60 else INK)
    axes.set_xticks(range(len(labels)), labels=names, rotation=45 if len(labels) > 4 else 0)
    axes.set_yticks(range(len(labels)), labels=names)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    figure.colorbar(image, ax=axes, label="similarity, %", shrink=0.9, aspect=14)
    return figure
