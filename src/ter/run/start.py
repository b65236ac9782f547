"""How a run begins: the first points, and how far from a given point the search should look."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ter.core.box import Box, Vector
from ter.core.budget import Budget
from ter.run.evaluator import Evaluator
from ter.run.walker import Walker

__all__ = ["look_around", "start_points"]

CHUNK_BYTES = 32 * 2**20

COORDINATES = 8  # so many coordinates are looked at
FARTHEST = 0.1  # the first look goes so far, as a share of the range
CLOSE = 0.01  # a minimum that is nearer than this share of the range shows that the point given is a good one
WIDER = 5.0  # the search looks so much farther than the minima were found
LOOKS = 12  # pairs of evaluations per coordinate at most: enough to come from the range down to rounding
SHARE = 0.02  # of the budget


def start_points(evaluator: Evaluator, x0: np.ndarray | None, n: int, rng: np.random.Generator) -> None:
    """Evaluate the first points: those the user gave, else `n` points drawn uniformly from the box.

    They are drawn and evaluated in blocks, so that memory stays bounded when D is large.
    """
    box = evaluator.box
    if x0 is not None:
        evaluator.lend(len(x0)).evaluate(x0)
        return
    block = max(1, CHUNK_BYTES // (8 * box.dimension))
    allowance = evaluator.lend(n)
    for first in range(0, n, block):
        if not allowance.remaining:
            return
        size = min(block, n - first)
        X = rng.random((size, box.dimension))
        X *= box.width
        X += box.lower
        allowance.evaluate(X)


def look_around(evaluator: Evaluator, budget: Budget, rng: np.random.Generator) -> Box:
    """Find out whether the start is a good one, and return the box with the scale on which to search.

    A point that a user gives is often close to the answer, measured by the box, and steps of a fifth of the range would
    need most of a small budget to shrink to that size. So a few coordinates are looked at: a parabola through three
    points, narrowed until it holds, tells how far the minimum along a coordinate is. If those of three quarters of
    them are close, the scale is a few times that far; otherwise it is the whole range, and looking ends at once.
    """
    box, total = evaluator.box, budget.evaluations
    movable = np.flatnonzero(box.width > 0)
    most = 2 * LOOKS * COORDINATES if total is None else min(2 * LOOKS * COORDINATES, int(SHARE * total))
    if most < 2 * COORDINATES or movable.size == 0 or not np.isfinite(evaluator.y):
        return box
    allowance = evaluator.lend(most, SHARE)
    branch = allowance.branch(evaluator.x, evaluator.y, follow=False)
    chosen = rng.permutation(movable)[:COORDINATES]
    far = len(chosen) // 4  # so many may be far away
    distances = []
    for i in chosen:
        if branch.remaining < 2:
            break
        distances.append(distance_along(branch, int(i), float(box.width[i])))
        far -= distances[-1] > CLOSE
        if far < 0:
            return box
    if not distances:  # the run ended before it could look
        return box
    share = WIDER * float(np.quantile(distances, 0.75))
    return replace(box, scale=np.maximum(share, np.finfo(np.float64).eps) * box.width)


def distance_along(branch: Walker, i: int, width: float) -> float:
    """Return how far the minimum along a coordinate is, as a share of the range; 1 if that cannot be told."""
    x, y = float(branch.walk.x[i]), branch.y
    low, high = branch.box.lower[i], branch.box.upper[i]
    reach, distance = FARTHEST * width, width
    for _ in range(LOOKS):
        if branch.remaining < 2:
            break
        down, up = max(x - reach, low), min(x + reach, high)
        below, above = branch.evaluate_moves([i], [[down], [up]])
        vertex = vertex_of(np.array([down - x, 0.0, up - x]), np.array([below, y, above]))
        distance = reach if vertex is None else min(abs(vertex), reach)
        if vertex is None or min(below, above) < y:
            break
        # Both ends are worse: the minimum is between them. A parabola through far points says little about near ones.
        reach = min(0.25 * reach, max(2.0 * distance, 1e-3 * reach))
    return distance / width


def vertex_of(t: Vector, y: Vector) -> float | None:
    """Return where the parabola through three points, the middle one at 0, has its minimum; None if it has none.

    Examples
    --------
    >>> vertex_of(np.array([-1.0, 0.0, 2.0]), np.array([4.0, 1.0, 1.0]))
    1.0
    """
    if not np.isfinite(y).all() or not t[0] < t[1] < t[2]:
        return None
    left, right = np.diff(y) / np.diff(t)
    if not right > left:
        return None
    curvature = (right - left) / (t[2] - t[0])
    slope = (left * t[2] - right * t[0]) / (t[2] - t[0])
    return float(-slope / (2.0 * curvature))
