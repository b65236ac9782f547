"""The contract of schedulers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from ter.core.action import Action
from ter.core.errors import InvalidArgument

__all__ = ["Choice", "Scheduler"]


@dataclass(frozen=True, slots=True)
class Choice:
    """What comes next.

    Attributes
    ----------
    index : int
        Which heuristic.
    probabilities : tuple of float
        How probable each of them was.
    evaluations : int or None
        For how long; None for what the heuristic itself asks for.
    origin : str
        Where from: "incumbent"; "own" for the heuristic's own trajectory, which is moved by nobody else; or the name of
        a trajectory that several heuristics share. All trajectories begin where the incumbent was when the first of
        them did, as a rule where the run began, and go on where they were left; what is found on them counts for the
        run as ever. On a trajectory with a name a heuristic has a state of its own.
    anew : bool
        Whether the heuristic forgets what it has kept, and begins as it began first.
    share : float
        At most this part of the seconds and of the cost in the budget, in (0, 1].

    Examples
    --------
    >>> Choice(0, (1.0, 0.0), evaluations=500, origin="own").evaluations
    500
    """

    index: int
    probabilities: tuple[float, ...]
    evaluations: int | None = None
    origin: str = "incumbent"
    anew: bool = False
    share: float = 1.0

    def __post_init__(self) -> None:
        if self.evaluations is not None and not (self.evaluations >= 1 and self.evaluations % 1 == 0):
            raise InvalidArgument(
                f"evaluations of a choice must be a whole number >= 1, got {self.evaluations!r}; leave it out for what "
                "the heuristic asks for"
            )
        if not (isinstance(self.origin, str) and self.origin):
            raise InvalidArgument(
                f"origin of a choice must be 'incumbent', 'own' or the name of a trajectory, got {self.origin!r}"
            )
        if not (isinstance(self.share, float) and 0.0 < self.share <= 1.0):
            raise InvalidArgument(
                f"share of a choice must lie in (0, 1], got {self.share!r}; it is a part of seconds and cost"
            )


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
