"""Ways to vary a sequence of decisions; how long it is afterwards is not looked at."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

__all__ = ["VARIATIONS", "Decisions"]

Decisions = tuple[str, ...]


def _block(length: int, rng: np.random.Generator) -> slice:
    """Draw a piece of a sequence: of 1, 2, 4, ... decisions up to half of it, all lengths equally likely."""
    size = 2 ** int(rng.integers(max(1, length // 2).bit_length()))
    first = int(rng.integers(length - size + 1))
    return slice(first, first + size)


Variation = Callable[[Decisions, list[str], list[str], np.random.Generator], list[str]]


def _replace(names: Decisions, parent: list[str], other: list[str], rng: np.random.Generator) -> list[str]:
    """Start one heuristic in place of those in a block."""
    block = _block(len(parent), rng)
    parent[block] = [names[int(rng.integers(len(names)))]] * (block.stop - block.start)
    return parent


def _swap(names: Decisions, parent: list[str], other: list[str], rng: np.random.Generator) -> list[str]:
    """Exchange two decisions."""
    i, j = (int(place) for place in rng.integers(len(parent), size=2))
    parent[i], parent[j] = parent[j], parent[i]
    return parent


def _move(names: Decisions, parent: list[str], other: list[str], rng: np.random.Generator) -> list[str]:
    """Take a block out and put it in elsewhere."""
    block = _block(len(parent), rng)
    moved = parent[block]
    del parent[block]
    place = int(rng.integers(len(parent) + 1))
    parent[place:place] = moved
    return parent


def _insert(names: Decisions, parent: list[str], other: list[str], rng: np.random.Generator) -> list[str]:
    """Put in a block of one heuristic; the end falls off."""
    block = _block(len(parent), rng)
    parent[block.start : block.start] = [names[int(rng.integers(len(names)))]] * (block.stop - block.start)
    return parent


def _delete(names: Decisions, parent: list[str], other: list[str], rng: np.random.Generator) -> list[str]:
    """Take a block out; as many decisions, drawn from the sequence, are added at the end."""
    block = _block(len(parent), rng)
    added = [parent[int(i)] for i in rng.integers(len(parent), size=block.stop - block.start)]
    del parent[block]
    return parent + added


def _splice(names: Decisions, parent: list[str], other: list[str], rng: np.random.Generator) -> list[str]:
    """Copy a block of another good sequence to the same place."""
    block = _block(len(other), rng)
    parent[block] = other[block]
    return parent


VARIATIONS: dict[str, Variation] = {
    "replace": _replace,
    "swap": _swap,
    "move": _move,
    "insert": _insert,
    "delete": _delete,
    "splice": _splice,
}
