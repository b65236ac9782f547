"""Secants: steps of a descent and how they changed the gradient, which is what it has learnt of the curvature.

They make the matrix of L-BFGS [1]_, which begins with one number for all variables, or with one for each, as in [2]_.
With one for each, a descent is as fast where variables have weights of many orders of magnitude as where they have
none, if they interact little. The numbers are made of the secants themselves: on the mean over several steps, what
other variables do to the slope along one of them cancels out.

References
----------
.. [1] J. Nocedal, "Updating quasi-Newton matrices with limited storage", Mathematics of Computation 35, 1980.
.. [2] J. Gilbert, C. Lemaréchal, "Some numerical experiments with variable-storage quasi-Newton algorithms",
   Mathematical Programming 45, 1989.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ter.core.box import Vector

__all__ = ["Secants", "dot", "inverse_of"]

CURVED = 1e-10  # the least cosine between a step and the change of the gradient
FEWEST, LATEST = 4, 20  # secants of which curvatures along the variables are made
RANGE = 1e6  # curvatures lie between the median divided and multiplied by this


@dataclass
class Secants:
    """What a descent has learnt.

    Attributes
    ----------
    steps, changes : list of array
        Steps, the latest one last, and by how much each changed the gradient.
    products : list of float
        Of each step with its change.
    """

    steps: list[Vector] = field(default_factory=list)
    changes: list[Vector] = field(default_factory=list)
    products: list[float] = field(default_factory=list)

    def remember(self, step: Vector, change: Vector, most: int) -> None:
        """Add a step along which the slope has increased; others say nothing about a minimum."""
        product = dot(step, change)
        if product > CURVED * math.sqrt(dot(step, step) * dot(change, change)):
            self.steps.append(step)
            self.changes.append(change)
            self.products.append(product)
            del self.steps[:-most], self.changes[:-most], self.products[:-most]

    def newton(self, gradient: Vector, first: Vector | float = 1.0) -> Vector:
        """Return the gradient times the inverse of the matrix: the two loops of Nocedal.

        Parameters
        ----------
        gradient : array
            Where the descent is.
        first : array or float
            The diagonal of the inverse to begin with, up to a factor, which is such that the latest secant fits.
        """
        learnt = list(zip(self.steps, self.changes, self.products, strict=True))
        direction, shares = gradient.copy(), []
        for step, change, product in reversed(learnt):
            shares.append(dot(step, direction) / product)
            direction -= shares[-1] * change
        direction *= first
        if learnt:
            _, change, product = learnt[-1]
            direction *= product / dot(change * first, change)
        for (step, change, product), share in zip(learnt, reversed(shares), strict=True):
            direction += (share - dot(change, direction) / product) * step
        return direction

    def curvature(self) -> Vector:
        """Return the curvature along each variable on the mean over the latest steps; nothing if there are few."""
        if len(self.steps) < FEWEST:
            return np.empty(0)
        along, squares = np.zeros_like(self.steps[-1]), np.zeros_like(self.steps[-1])
        recent = slice(-LATEST, None)
        for step, change, product in zip(self.steps[recent], self.changes[recent], self.products[recent], strict=True):
            along += step * change / product
            squares += step * step / product
        return np.divide(along, squares, out=np.zeros_like(along), where=squares > 0.0)


def inverse_of(curvature: Vector) -> Vector | None:
    """Return one divided by the curvature along each variable; None if there is none.

    Where it is negative or nothing, interactions have hidden it, and the median is as good a guess as any.

    Examples
    --------
    >>> inverse_of(np.array([4.0, 1.0, -8.0, 2.0, 1e-9]))
    array([2.50000000e-01, 1.00000000e+00, 6.66666667e-01, 5.00000000e-01,
           6.66666667e+05])
    """
    positive = curvature[curvature > 0.0]
    if not positive.size:
        return None
    middle = float(np.median(positive))
    return 1.0 / np.clip(np.where(curvature > 0.0, curvature, middle), middle / RANGE, middle * RANGE)


def dot(a: Vector, b: Vector) -> float:
    """Return the product of two vectors, with the same digits however many threads a library of matrices has."""
    return float(np.einsum("i,i->", a, b))
