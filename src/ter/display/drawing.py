"""The solution of a problem as a picture inside a page."""

from __future__ import annotations

import base64
import io
from importlib.util import find_spec

import numpy as np

from ter.core.box import Vector
from ter.core.problem import Problem

__all__ = ["drawing_of"]


def drawing_of(x: Vector, problem: Problem | None) -> str:
    """Return what the problem draws of `x` as a data URI; empty if it cannot draw, or Matplotlib is missing."""
    if problem is None or problem.draw is None or find_spec("matplotlib") is None:
        return ""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 3.6), dpi=130)
    FigureCanvasAgg(figure)
    problem.draw(np.array(x), figure.add_subplot())
    file = io.BytesIO()
    figure.savefig(file, format="png", bbox_inches="tight")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
