"""A trajectory through obstacles: when to push a puck, and where, so that it slides to the goal and hits nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter._jit import kernel
from ter.core.box import Vector, box
from ter.core.errors import InvalidArgument
from ter.core.ledger import Integers
from ter.core.problem import Problem
from ter.core.streams import stream
from ter.engines.compiled import CompiledObjective

__all__ = ["obstacle_course"]

OBSTACLES = 25
SIDE = 10.0  # of the arena
CELLS = 100  # of the grid that tells which obstacle is near, along each side
START, GOAL = 0.5, 9.5  # both coordinates
GAP = 0.15  # least distance between obstacles: no cell of the grid touches two
SECONDS = 20.0
DAMPING = 0.3  # per second
CRASH = 20.0  # price of one second at depth 1 inside an obstacle or outside the arena
MISS = 10.0  # price of one unit of distance from the goal
SPELL = 10  # steps summed before the total; the state at the beginning of each spell is remembered


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
        value, floats=discs, ints=np.append(steps, chart_obstacles(discs)), start=start, move=move, commit=commit, memory=5 * spells
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


@kernel
def crash(x: float, y: float, discs: NDArray[np.float64], chart: Integers) -> float:
    """Return the depth inside an obstacle, or the distance from the arena in x plus that in y."""
    if not (0.0 <= x < SIDE and 0.0 <= y < SIDE):
        return max(0.0, -x, x - SIDE) + max(0.0, -y, y - SIDE)
    k = chart[int(x * (CELLS / SIDE)) * CELLS + int(y * (CELLS / SIDE))]
    if k < 0:
        return 0.0
    dx, dy = x - discs[k, 0], y - discs[k, 1]
    return max(0.0, discs[k, 2] - np.sqrt(dx * dx + dy * dy))


@kernel
def slide(x: Vector, floats: Vector, ints: Integers, first: int, last: int, state: Vector) -> float:
    """Run the steps from `first` to `last`, moving `state`; return their price."""
    steps = x.shape[0] // 2
    dt = SECONDS / steps
    discs = floats.reshape(-1, 3)
    px, py, vx, vy = state[0], state[1], state[2], state[3]
    effort, depth = 0.0, 0.0
    for t in range(first, last):
        ax, ay = x[2 * t], x[2 * t + 1]
        vx += dt * (ax - DAMPING * vx)
        vy += dt * (ay - DAMPING * vy)
        px += dt * vx
        py += dt * vy
        effort += ax * ax + ay * ay
        depth += crash(px, py, discs, ints[1:])
    state[0], state[1], state[2], state[3] = px, py, vx, vy
    return effort / steps + CRASH * dt * depth


@kernel
def slide_from(x: Vector, memory: Vector, floats: Vector, ints: Integers, spell: int, store: bool) -> float:
    """Return the value, running from the beginning of one spell on; what happened before is remembered."""
    steps = x.shape[0] // 2
    rows = memory.reshape(-1, 5)  # position and velocity at the beginning of each spell, and its price
    total = 0.0
    for k in range(spell):
        total += rows[k, 4]
    state = rows[spell, :4].copy()
    for k in range(spell, rows.shape[0]):
        if store:
            rows[k, :4] = state
        price = slide(x, floats, ints, k * SPELL, min(steps, (k + 1) * SPELL), state)
        if store:
            rows[k, 4] = price
        total += price
    return total + MISS * np.sqrt((state[0] - GOAL) ** 2 + (state[1] - GOAL) ** 2)


@kernel
def start(x: Vector, memory: Vector, floats: Vector, ints: Integers) -> None:
    """Remember the state at the beginning of each spell and the price of each spell."""
    memory[:4] = START, START, 0.0, 0.0
    slide_from(x, memory, floats, ints, 0, True)


@kernel
def value(x: Vector, floats: Vector, ints: Integers) -> float:
    """Run all steps."""
    memory = np.empty(5 * (-(-ints[0] // SPELL)))
    memory[:4] = START, START, 0.0, 0.0
    return slide_from(x, memory, floats, ints, 0, False)


@kernel
def move(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> float:
    """Run from the first changed spell on."""
    before = x[coordinates]
    x[coordinates] = values
    y = slide_from(x, memory, floats, ints, coordinates.min() // (2 * SPELL), False)
    x[coordinates] = before
    return y


@kernel
def commit(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> None:
    """Run from the first changed spell on, and remember."""
    before = x[coordinates]
    x[coordinates] = values
    slide_from(x, memory, floats, ints, coordinates.min() // (2 * SPELL), True)
    x[coordinates] = before


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
        pieces = LineCollection(np.stack([path[:-1], path[1:]], axis=1), cmap="plasma", array=speed, linewidth=3)
        axes.add_collection(pieces)
        axes.figure.colorbar(pieces, ax=axes, label="speed", fraction=0.046, pad=0.03)
        axes.plot(START, START, "o", color="#2ca02c", markersize=11, label="start")
        axes.plot(GOAL, GOAL, "*", color="#d62728", markersize=17, label="goal")
        axes.set(xlim=(0, SIDE), ylim=(0, SIDE), aspect="equal", xticks=[], yticks=[])
        axes.legend(loc="lower right", framealpha=0.9)
        axes.set_title(f"clearance {self.clearance(x):+.2f}, misses the goal by {np.hypot(*(path[-1] - GOAL)):.2f}")
