"""Kernels of the trajectory problem: a slide, summed by spells of time steps."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ter._jit import kernel
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = [
    "CELLS",
    "CRASH",
    "DAMPING",
    "GOAL",
    "MISS",
    "SECONDS",
    "SIDE",
    "SPELL",
    "START",
    "commit",
    "move",
    "start",
    "value",
]

SIDE = 10.0  # of the arena
CELLS = 100  # of the grid that tells which obstacle is near, along each side
START, GOAL = 0.5, 9.5  # both coordinates
SECONDS = 20.0
DAMPING = 0.3  # per second
CRASH = 20.0  # price of one second at depth 1 inside an obstacle or outside the arena
MISS = 10.0  # price of one unit of distance from the goal
SPELL = 10  # steps summed before the total; the state at the beginning of each spell is remembered


@kernel
def crash(x: float, y: float, discs: NDArray[np.float64], chart: Integers) -> float:
    """Return the depth inside an obstacle, or the distance from the arena in x plus that in y."""
    if not (0.0 <= x < SIDE and 0.0 <= y < SIDE):
        return max(0.0, -x, x - SIDE) + max(0.0, -y, y - SIDE)
    k = chart[int(x * (CELLS / SIDE)) * CELLS + int(y * (CELLS / SIDE))]
    if k < 0:
        return 0.0
    dx, dy = x - discs[k, 0], y - discs[k, 1]
    depth: float = max(0.0, discs[k, 2] - math.sqrt(dx * dx + dy * dy))
    return depth


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
    price: float = effort / steps + CRASH * dt * depth
    return price


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
    dx, dy = state[0] - GOAL, state[1] - GOAL
    return total + MISS * math.sqrt(dx * dx + dy * dy)


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
