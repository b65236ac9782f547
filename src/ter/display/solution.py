"""The solution on a page: where its variables lie in the box, and what the problem draws of it."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from ter.core.box import Box, Vector
from ter.core.problem import Problem
from ter.display.axes import new_figure

__all__ = ["Places", "drawing_of", "places_of"]

BINS = 20
NEAR = 1e-6  # of its range: a variable so near to a bound is at it


@dataclass(frozen=True)
class Places:
    """Where the variables of a point lie between their bounds.

    Attributes
    ----------
    counts : tuple of int
        Variables in each of 20 equal parts of their range, from the lower bound to the upper one.
    at_lower, at_upper : int
        Variables at a bound, to within a millionth of their range; they are in `counts` too.
    fixed : int
        Variables whose bounds are equal; they are in none of the above.
    """

    counts: tuple[int, ...]
    at_lower: int
    at_upper: int
    fixed: int


def places_of(x: Vector, box: Box) -> Places:
    """Count the variables by their place in the box.

    Examples
    --------
    >>> places = places_of(np.array([0.0, 0.1, 5.0, 7.0]), Box([0, 0, 0, 7], [1, 1, 5, 7]))
    >>> places.counts[:3], places.at_lower, places.at_upper, places.fixed
    ((1, 0, 1), 1, 1, 1)
    """
    free = box.width > 0
    place = (x[free] - box.lower[free]) / box.width[free]
    counts, _ = np.histogram(place, bins=BINS, range=(0.0, 1.0))
    at_lower, at_upper = int((place <= NEAR).sum()), int((place >= 1 - NEAR).sum())
    return Places(tuple(counts.tolist()), at_lower, at_upper, fixed=int((~free).sum()))


def drawing_of(x: Vector, problem: Problem | None) -> str:
    """Return what the problem draws of `x` as a data URI; empty if it cannot draw, or Matplotlib is missing."""
    if problem is None or problem.draw is None or find_spec("matplotlib") is None:
        return ""
    figure = new_figure(7.2, 3.6, dpi=130)
    problem.draw(np.array(x), figure.add_subplot())
    file = io.BytesIO()
    figure.savefig(file, format="png", bbox_inches="tight")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
