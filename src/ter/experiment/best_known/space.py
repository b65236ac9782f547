"""Sequences of decisions that use up a budget: drawn at random, or varied.

All sequences are just long enough: without its last decision a sequence would leave evaluations unused. The budget
cuts the last decision short where necessary. Sequences that would give the same run are therefore equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ter.core.errors import InvalidArgument, UnknownName

__all__ = ["VARIATIONS", "Decisions", "Space", "short_text"]

Decisions = tuple[str, ...]
MOST = 20_000  # decisions
STRETCHES = 4  # at most, of random sequences


@dataclass(frozen=True)
class Space:
    """All sequences of some heuristics that use up so many evaluations.

    Parameters
    ----------
    names : tuple of str
        The heuristics.
    costs : tuple of int
        Evaluations of one initiation of each.
    evaluations : int
        What a run has for decisions: the budget without the points it starts from.

    Examples
    --------
    >>> Space(("ls1", "cc"), (25, 75), 200).alone("cc")
    ('cc', 'cc', 'cc')
    """

    names: tuple[str, ...]
    costs: tuple[int, ...]
    evaluations: int

    def __post_init__(self) -> None:
        if self.evaluations < 1:
            raise InvalidArgument(
                f"a budget must leave evaluations for decisions after those to start from, got {self.evaluations}; "
                "choose a larger one"
            )
        if self.evaluations > MOST * min(self.costs):
            raise InvalidArgument(
                f"a sequence must have {MOST} decisions at most, got {self.evaluations} evaluations and decisions that "
                f"cost {min(self.costs)}; choose a smaller budget, or give the heuristics more evaluations"
            )

    def fitted(self, sequence: Sequence[str]) -> Decisions:
        """Return the decisions that use up the budget; a sequence that is too short begins anew.

        Examples
        --------
        >>> Space(("ls1", "cc"), (25, 75), 200).fitted(["cc", "ls1"])
        ('cc', 'ls1', 'cc', 'ls1')
        """
        if isinstance(sequence, str) or len(sequence) == 0:
            raise InvalidArgument(f"a sequence must be a list with at least one name, got {sequence!r}")
        costs = dict(zip(self.names, self.costs, strict=True))
        for name in sequence:
            if name not in costs:
                raise UnknownName.among("heuristic in this portfolio", name, self.names)
        decisions: list[str] = []
        left = self.evaluations
        while left > 0:
            decisions.append(sequence[len(decisions) % len(sequence)])
            left -= costs[decisions[-1]]
        return tuple(decisions)

    def alone(self, name: str) -> Decisions:
        """Return the sequence of one heuristic alone."""
        return self.fitted([name])

    def random(self, rng: np.random.Generator) -> Decisions:
        """Draw a sequence.

        It has one to four stretches of random lengths. In each one decisions are independent, with probabilities of
        their own that are drawn uniformly from all there are. So sequences differ in what they prefer and when; were
        all decisions equally likely, all long sequences would be much the same mixture.
        """
        stretches = int(rng.integers(1, STRETCHES + 1))
        ends = np.sort(rng.random(stretches - 1)) * self.evaluations
        chances = rng.dirichlet(np.ones(len(self.names)), size=stretches)
        decisions, used = [], 0
        while used < self.evaluations:
            stretch = int(np.searchsorted(ends, used, side="right"))
            choice = int(rng.choice(len(self.names), p=chances[stretch]))
            decisions.append(self.names[choice])
            used += self.costs[choice]
        return tuple(decisions)

    def varied(self, kind: str, parent: Sequence[str], other: Sequence[str], rng: np.random.Generator) -> Decisions:
        """Vary a sequence, and fit it to the budget again.

        Parameters
        ----------
        kind : str
            One of `VARIATIONS`.
        parent, other : sequence of str
            What to vary, and a good sequence that ``splice`` takes from.
        rng : Generator
            Where and how.
        """
        return self.fitted(VARIATIONS[kind](self.names, list(parent), list(other), rng))


def short_text(sequence: Sequence[str]) -> str:
    """Write a sequence, equal neighbours together.

    Examples
    --------
    >>> short_text(["gs", "gs", "gs", "ls1", "gs"])
    'gs×3 ls1 gs'
    """
    runs: list[list[str]] = []
    for name in sequence:
        if runs and runs[-1][0] == name:
            runs[-1].append(name)
        else:
            runs.append([name])
    return " ".join(run[0] if len(run) == 1 else f"{run[0]}×{len(run)}" for run in runs)


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
