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
