"""Kernels of the Lennard-Jones cluster: pair energies, summed by pairs of blocks of atoms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ter._jit import kernel
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["CORE", "TILE", "commit", "move", "start", "value"]

TILE = 8  # atoms per block; energies are summed over pairs of blocks first
CORE = 0.25  # squared distance below which the pair energy goes on as a straight line


@kernel
def pair_energy(u: float) -> float:
    """Return the energy of two atoms at squared distance `u`."""
    inside = u < CORE
    v = CORE if inside else u
    sixth = 1.0 / (v * v * v)
    energy = 4.0 * (sixth * sixth - sixth)
    if inside:
        energy += (u - CORE) * (4.0 * (3.0 * sixth - 6.0 * sixth * sixth) / CORE)
    return energy


@kernel
def tile_energy(x: Vector, atoms: int, first: int, second: int) -> float:
    """Return the energy between two blocks of atoms, or within one."""
    total = 0.0
    for i in range(first * TILE, min(atoms, (first + 1) * TILE)):
        a, b, c = x[3 * i], x[3 * i + 1], x[3 * i + 2]
        for j in range(max(i + 1, second * TILE), min(atoms, (second + 1) * TILE)):
            dx, dy, dz = x[3 * j] - a, x[3 * j + 1] - b, x[3 * j + 2] - c
            total += pair_energy(dx * dx + dy * dy + dz * dz)
    return total


@kernel
def value(x: Vector, floats: Vector, ints: Integers) -> float:
    """Sum over the tiles in order."""
    blocks = -(-ints[0] // TILE)
    total = 0.0
    for first in range(blocks):
        for second in range(first, blocks):
            total += tile_energy(x, ints[0], first, second)
    return total


@kernel
def start(x: Vector, memory: Vector, floats: Vector, ints: Integers) -> None:
    """Remember the energy of every tile."""
    blocks = -(-ints[0] // TILE)
    memory[:] = 0.0
    for first in range(blocks):
        for second in range(first, blocks):
            memory[first * blocks + second] = tile_energy(x, ints[0], first, second)


@kernel
def moved_blocks(atoms: int, coordinates: Integers) -> NDArray[np.bool_]:
    """Tell which blocks of atoms have a moved one."""
    moved = np.zeros(-(-atoms // TILE), dtype=np.bool_)
    for coordinate in coordinates:
        moved[coordinate // (3 * TILE)] = True
    return moved


@kernel
def move(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> float:
    """Sum over the tiles, computing anew those of moved blocks."""
    before = x[coordinates]
    x[coordinates] = values
    moved = moved_blocks(ints[0], coordinates)
    blocks = moved.shape[0]
    total = 0.0
    for first in range(blocks):
        for second in range(first, blocks):
            if moved[first] or moved[second]:
                total += tile_energy(x, ints[0], first, second)
            else:
                total += memory[first * blocks + second]
    x[coordinates] = before
    return total


@kernel
def commit(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> None:
    """Update the tiles of moved blocks."""
    before = x[coordinates]
    x[coordinates] = values
    moved = moved_blocks(ints[0], coordinates)
    blocks = moved.shape[0]
    for first in range(blocks):
        for second in range(first, blocks):
            if moved[first] or moved[second]:
                memory[first * blocks + second] = tile_energy(x, ints[0], first, second)
    x[coordinates] = before
