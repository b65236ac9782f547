"""A trajectory through obstacles: when to push a puck, and where, so that it slides to the goal and hits nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Vector, box
from ter.core.errors import InvalidArgument
from ter.core.ledger import Integers
from ter.core.problem import Problem
from ter.core.streams import stream
from ter.objectives.compiled import CompiledObjective
from ter.problems.kernels.trajectory import (
    CELLS,
    DAMPING,
    GOAL,
    SECONDS,
    SIDE,
    SPELL,
    START,
    commit,
    move,
    start,
    value,
)

__all__ = ["obstacle_course"]

OBSTACLES = 25
GAP = 0.15  # least distance between obstacles: no cell of the grid touches two


def obstacle_course(steps: int = 500) -> Problem:
    """Return the price of a trajectory made of `steps` pushes.

    Parameters
    ----------
    steps : int
        Number of time steps, >= 1; the dimension is ``2 * steps``. The time is always 20 seconds.

    Examples
    --------
    >>> course = obstacle_course()
    >>> course.dimension, round(course(np.zeros(1000)), 3)  # without a push it stays at the start
    (1000, 127.279)
    """
    if int(steps) != steps or steps < 1:
        raise InvalidArgument(f"steps must be a whole number >= 1, got {steps!r}")
    discs = place_obstacles()
    spells = -(-steps // SPELL)
    objective = CompiledObjective(
        value,
        floats=discs,
        ints=np.append(steps, chart_obstacles(discs)),
        start=start,
        move=move,
        commit=commit,
        memory=5 * spells,
    )
    course = Course(discs)
    return Problem(
        objective,
        box(-1.0, 1.0, dimension=2 * steps),
        name="trajectory",
        about=(
            f"A puck slides with friction for 20 seconds. Variables 2 t and 2 t + 1 are its acceleration in x and y "
            f"in time step t of {steps}. The value is the mean squared acceleration, plus prices for depth inside "
            "obstacles, for leaving the arena and for the distance left to the goal."
        ),
        draw=course.draw,
        facts={
            "traits": ("sequential sensitivity", "multimodal", "non-smooth"),
            "cost": "cheap",
            "path": course.path,
            "clearance": course.clearance,
        },
    )


def place_obstacles() -> NDArray[np.float64]:
    """Draw discs one after another with ``stream(0, "trajectory")``; keep those clear of the others and of the ends."""
    rng = stream(0, "trajectory")
    ends = [[START, START, 0.6], [GOAL, GOAL, 0.6]]
    discs: list[list[float]] = []
    while len(discs) < OBSTACLES:
        u, v, w = rng.random(3)
        radius = 0.35 + 0.5 * w
        room = SIDE - 2 * radius
        disc = [radius + room * u, radius + room * v, radius]
        gaps = [np.hypot(disc[0] - x, disc[1] - y) - radius - other for x, y, other in ends + discs]
        if min(gaps) > GAP:
            discs.append(disc)
    return np.array(discs)


def chart_obstacles(discs: NDArray[np.float64]) -> Integers:
    """Return the obstacle in each cell of a fine grid, or -1; cells are so small that none has two."""
    edges = np.linspace(0.0, SIDE, CELLS + 1)
    nearest = np.clip(discs[:, None, :2], edges[:-1, None], edges[1:, None])  # by disc, cell and axis
    away = (nearest - discs[:, None, :2]) ** 2
    reached = away[:, :, None, 0] + away[:, None, :, 1] < discs[:, None, None, 2] ** 2
    return np.where(reached.any(axis=0), reached.argmax(axis=0), -1)


@dataclass(frozen=True, eq=False)
class Course:
    """Reads and paints a trajectory."""

    discs: NDArray[np.float64]

    def path(self, x: Vector) -> NDArray[np.float64]:
        """Return the positions, the start first."""
        pushes = np.asarray(x).reshape(-1, 2)
        dt = SECONDS / len(pushes)
        position, velocity = np.full(2, START), np.zeros(2)
        path = [position]
        for push in pushes:
            velocity = velocity + dt * (push - DAMPING * velocity)
            position = position + dt * velocity
            path.append(position)
        return np.array(path)

    def clearance(self, x: Vector) -> float:
        """Return the smallest distance from an obstacle or a wall; negative if the puck hits one."""
        path = self.path(x)
        gaps = np.linalg.norm(path[:, None] - self.discs[None, :, :2], axis=2) - self.discs[:, 2]
        return float(min(gaps.min(), path.min(), SIDE - path.max()))

    def draw(self, x: Vector, axes: Any) -> None:
        """Paint the arena, and the path coloured by speed."""
        from matplotlib.collections import LineCollection
        from matplotlib.patches import Circle

        for u, v, radius in self.discs:
            axes.add_patch(Circle((u, v), radius, facecolor="#44546a", edgecolor="#2b3648", linewidth=1))
        path = self.path(x)
        speed = np.linalg.norm(np.diff(path, axis=0), axis=1) * (len(path) - 1) / SECONDS
        pieces = LineCollection(list(np.stack([path[:-1], path[1:]], axis=1)), cmap="plasma", array=speed, linewidth=3)
        axes.add_collection(pieces)
        axes.figure.colorbar(pieces, ax=axes, label="speed", fraction=0.046, pad=0.03)
        axes.plot(START, START, "o", color="#2ca02c", markersize=11, label="start")
        axes.plot(GOAL, GOAL, "*", color="#d62728", markersize=17, label="goal")
        axes.set(xlim=(0, SIDE), ylim=(0, SIDE), aspect="equal", xticks=[], yticks=[])
        axes.legend(loc="lower right", framealpha=0.9)
        axes.set_title(f"clearance {self.clearance(x):+.2f}, misses the goal by {np.hypot(*(path[-1] - GOAL)):.2f}")
