"""The contract of schedulers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from ter.core.action import Action

__all__ = ["Choice", "Scheduler"]


@dataclass(frozen=True, slots=True)
class Choice:
    """Which heuristic comes next, and how probable each of them was."""

    index: int
    probabilities: tuple[float, ...]


@runtime_checkable
class Scheduler(Protocol):
    """Chooses the next action from the record of the actions so far.

    A scheduler holds settings only; all it knows of a run is in `history`, so a run can be replayed or resumed. If it
    has a method ``check(names)``, this is called before anything is evaluated and may refuse the portfolio.
    """

    def reward_of(self, action: Action) -> float:
        """Return what the action was worth per unit of resource, >= 0."""
        ...

    def choose(self, history: Sequence[Action], names: Sequence[str], rng: np.random.Generator) -> Choice | None:
        """Choose among the heuristics called `names`; None ends the run."""
        ...
