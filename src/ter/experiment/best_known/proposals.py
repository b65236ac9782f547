"""What to try next: the decisions of the search, as a function of its settings and of what was found.

First, in one go: each heuristic alone, and random sequences. Then generation after generation: all but one sequence of
a generation are variations of one of the best so far, the better the likelier; the last one is random. Sequences that
somebody gives are tried between two generations. No sequence is tried twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ter.core.streams import stream
from ter.experiment.best_known.search import Search
from ter.experiment.best_known.variations import VARIATIONS, Decisions

__all__ = ["GIVEN", "Candidate", "alone", "next_candidates"]

GIVEN = "given"
ATTEMPTS = 50  # draws until a sequence is new

Draw = Callable[[np.random.Generator], tuple[str, Decisions]]


@dataclass(frozen=True)
class Candidate:
    """A sequence to be tried.

    Attributes
    ----------
    number : int
        From 1, in the order of the search.
    generation : int
        From 1; sequences of one generation were made from the same knowledge.
    origin : str
        How it was made.
    sequence : tuple of str
        The decisions.
    """

    number: int
    generation: int
    origin: str
    sequence: Decisions

    @property
    def only(self) -> str | None:
        """The heuristic that is started all the time; None if there are several.

        Examples
        --------
        >>> Candidate(1, 1, GIVEN, ("cc", "cc")).only, Candidate(2, 1, GIVEN, ("cc", "gs")).only
        ('cc', None)
        """
        return self.sequence[0] if len(set(self.sequence)) == 1 else None


def alone(name: str) -> str:
    """Return the origin of the sequence of one heuristic alone.

    Examples
    --------
    >>> alone("cc")
    'cc alone'
    """
    return f"{name} alone"


def next_candidates(
    search: Search, tried: Sequence[Candidate], ranked: Sequence[Candidate], given: Iterable[Sequence[str]] = ()
) -> list[Candidate]:
    """Return the next generation; none if nothing new can be found.

    Parameters
    ----------
    search : Search
        The settings.
    tried : sequence of Candidate
        All so far, in their order.
    ranked : sequence of Candidate
        The same, the best first.
    given : iterable of sequences
        What somebody wants to be tried; those known already are left out.

    Examples
    --------
    >>> search = Search("lso08/f1", dimension=10, budget=2_000, first=4)
    >>> [candidate.origin for candidate in next_candidates(search, [], [])]
    ['ls1 alone', 'cc alone', 'gs alone', 'random']
    """
    generation = _Generation(search, tried)
    for sequence in given:
        generation.add(GIVEN, search.space.fitted(sequence))
    if generation.candidates:
        return generation.candidates
    if all(candidate.origin == GIVEN for candidate in tried):
        for name in search.space.names[: search.first]:
            generation.add(alone(name), search.space.alone(name))
        for _ in range(search.first - len(search.space.names)):
            generation.draw(lambda rng: ("random", search.space.random(rng)))
        if generation.candidates:
            return generation.candidates
    parents = ranked[: search.keep]
    for _ in range(search.generation - 1):
        generation.draw(lambda rng: _variation(search, parents, rng))
    generation.draw(lambda rng: ("random", search.space.random(rng)))
    return generation.candidates


class _Generation:
    """Candidates under construction; each one draws from a stream of its own."""

    def __init__(self, search: Search, tried: Sequence[Candidate]) -> None:
        self.candidates: list[Candidate] = []
        self._seed = search.seed
        self._tried = len(tried)
        self._generation = tried[-1].generation + 1 if tried else 1
        self._known = {candidate.sequence for candidate in tried}

    @property
    def _number(self) -> int:
        return self._tried + len(self.candidates) + 1

    def add(self, origin: str, sequence: Decisions) -> bool:
        """Add a sequence unless it is known."""
        if sequence in self._known:
            return False
        self.candidates.append(Candidate(self._number, self._generation, origin, sequence))
        self._known.add(sequence)
        return True

    def draw(self, draw: Draw) -> None:
        """Add a sequence that is new, if one is found."""
        rng = stream(self._seed, "best known", self._number)
        for _ in range(ATTEMPTS):
            if self.add(*draw(rng)):
                return


def _variation(search: Search, parents: Sequence[Candidate], rng: np.random.Generator) -> tuple[str, Decisions]:
    parent = parents[int(rng.integers(len(parents), size=2).min())]
    other = parents[int(rng.integers(len(parents)))]
    kind = list(VARIATIONS)[int(rng.integers(len(VARIATIONS)))]
    origin = f"{kind} in no. {parent.number}" + (f" from no. {other.number}" if kind == "splice" else "")
    return origin, search.space.varied(kind, parent.sequence, other.sequence, rng)
