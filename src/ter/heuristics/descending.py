"""How a descent by gradients does: whether it can be judged, whether it goes on, whether others have left it behind."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

__all__ = ["Descending", "steps_in_memory"]

LEARNED = 12  # gradients after which the matrix is good enough to be judged
STILL, NOTHING = 6, 1e-12  # gradients in a row that gain nothing, as a share of the value: it has converged
LEAST_STEPS, REMEMBERED = 10, 5_000_000  # numbers of all steps at most, if there are more than the least


@dataclass
class Descending:
    """What is known of a descent and of those before it.

    Attributes
    ----------
    best : float
        The best value that it has seen, that of its start included.
    converged : bool
        Whether nothing is left to be gained.
    gradients : int
        How many are known so far, of all descents.
    trail : list of float
        The best value at each of the last gradients, as many as it takes to learn, and one more.
    """

    best: float = math.inf
    converged: bool = False
    gradients: int = 0
    trail: list[float] = field(default_factory=list)

    @property
    def investing(self) -> bool:
        """Whether the matrix is still being made: before, others are ahead that will be overtaken."""
        return self.gradients < LEARNED and not self.converged

    @property
    def still(self) -> bool:
        """Whether the last gradients have gained nothing that is more than rounding."""
        return len(self.trail) > STILL and self.trail[-1 - STILL] - self.best <= NOTHING * abs(self.best)

    def behind(self, incumbent: float) -> bool:
        """Whether it would have to gain more than with its last gradients to reach the incumbent."""
        return self.best - incumbent > self.trail[0] - self.best

    def note_gradient(self) -> None:
        """Take note that another gradient is known."""
        self.gradients += 1
        self.trail.append(self.best)
        del self.trail[: -(LEARNED + 1)]


def steps_in_memory(most: int, dimension: int) -> int:
    """Return how many steps are remembered: with many variables fewer, for the memory's sake.

    Examples
    --------
    >>> [steps_in_memory(50, dimension) for dimension in (4, 200_000, 1_000_000)]
    [50, 25, 10]
    """
    return min(most, max(LEAST_STEPS, REMEMBERED // dimension))
