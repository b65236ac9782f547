"""A figure of Matplotlib that belongs to no global state and shows itself in a notebook. Imports Matplotlib."""

from __future__ import annotations

import io

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

__all__ = ["FreeFigure"]


class FreeFigure(Figure):
    """An empty figure, unknown to pyplot.

    Notebooks show figures only once pyplot was imported; this one offers its own picture. Where pyplot has told the
    notebook how to show figures, that way is used instead, so there is one picture either way.

    Parameters
    ----------
    width, height : float
        In inches.
    dpi : float
        Dots per inch.

    Examples
    --------
    >>> FreeFigure(4, 3, dpi=100)._repr_png_()[:4]
    b'\\x89PNG'
    """

    def __init__(self, width: float, height: float, dpi: float) -> None:
        super().__init__(figsize=(width, height), dpi=dpi, layout="constrained")
        FigureCanvasAgg(self)

    def _repr_png_(self) -> bytes:
        file = io.BytesIO()
        self.savefig(file, format="png")
        return file.getvalue()
