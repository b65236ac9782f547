"""The contract of heuristics."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from ter.core.allowance import Allowance
from ter.core.box import Box

__all__ = ["Heuristic", "State"]

State: TypeAlias = Any
"""What a heuristic keeps between its own initiations: plain arrays and numbers in a dataclass, so it can be saved."""


@runtime_checkable
class Heuristic(Protocol):
    """A search procedure that starts from the incumbent and spends an allowance.

    Heuristics share the incumbent and nothing else. Everything that never changes is a field of the heuristic;
    everything that changes between its initiations is in the `State` it returns. :class:`ter.testing.HeuristicContract`
    checks what this docstring asks for.

    An initiation may be cut at any call of its allowance: when the allowance is used up, or when the run must end.
    `act` does not return then, and the next initiation gets the state that this one got, *with whatever was changed in
    it up to that call*. So what is worth keeping (populations, memories, matrices, step sizes, a
    :class:`~ter.core.allowance.Branch`) is changed in place, and is in order at each call. A heuristic that asks for
    no more than ``allowance.remaining`` is cut only when the run ends. A state that has a method ``close()`` is closed
    then. What a state has as `grade` (a number), `remark` (a short text) or `investing` (whether what it spent has not
    had the time to pay: it is learning which variables interact, or adapting a matrix) after an initiation is noted in
    its :class:`~ter.core.action.Action`. A scheduler may judge those that invest later, and need not.

    Heuristics of a portfolio that have the same attribute `family` work on one state, which the first of them starts.
    On a trajectory that has a name there is another one, unless the heuristic has the attribute ``one_state = True``.
    """

    @property
    def name(self) -> str:
        """A short name, unique in a portfolio."""
        ...

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation."""
        ...

    def start(self, box: Box, rng: np.random.Generator) -> State:
        """Return the state before the first initiation."""
        ...

    def act(self, state: State, allowance: Allowance, rng: np.random.Generator) -> State:
        """Run one initiation and return the new state."""
        ...
