"""Sequences of decisions that use up a budget: drawn at random, or varied.

All sequences are just long enough: without its last decision a sequence would leave evaluations unused. The budget
cuts the last decision short where necessary. Sequences that would give the same run are therefore equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ter.core.errors import InvalidArgument, UnknownName
from ter.experiment.best_known.variations import VARIATIONS, Decisions

__all__ = ["Decisions", "Space", "short_text"]

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
