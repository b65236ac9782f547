"""A wide evolution strategy: for rugged functions, on which it pays to look far before going down anywhere.

Strategies that shorten their steps as soon as that brings better points end in the nearest local minimum. This one
begins with steps as long as the box allows and goes by the length of its path, as CMA-ES [1]_ does: while the steps of
its mean point in the same direction they get longer, and shorter only when they undo one another. So it follows the
valley that the ripples are on. Points of a generation are many, which averages the ripples away; that it takes 30
evaluations per variable and more before it is ahead of others is the price.

References
----------
.. [1] N. Hansen, A. Ostermeier, "Completely derandomized self-adaptation in evolution strategies", Evolutionary
   Computation 9, 2001.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ter.core.allowance import Allowance
from ter.core.box import Box
from ter.heuristics.descents import DescentsState
from ter.heuristics.evolution_strategy import Rates
from ter.heuristics.first_look import Look
from ter.heuristics.kinds import AnyRuggedLook, RuggedLook
from ter.heuristics.rm_es import RmES
from ter.heuristics.sep_cma_es import path_rates
from ter.heuristics.splitmix import seed_random

__all__ = ["WideES"]

HASTE = 0.5  # of the damping: budgets leave no time, and larger generations bear it


@dataclass
class WideState(DescentsState):
    """A wide strategy under way.

    Attributes
    ----------
    resting : bool
        Whether a descent has ended with the last initiation.
    """

    resting: bool = False

    @property
    def investing(self) -> bool:
        """Whether its first descent is under way: what it is worth shows at the end."""
        return self.restarts == 0 and not self.first.waiting


@dataclass(frozen=True)
class WideES(RmES):
    """An evolution strategy on all variables that begins wide and goes by the length of its path.

    Parameters
    ----------
    looks_first : bool
        Look first whether the function is rugged and variables interact, which takes up to 121 evaluations. If not, the
        first initiation ends with that, so that others can go first; later ones descend all the same.
    interacting_only : bool
        If it looks first, whether variables must interact; otherwise any rugged function will do.
    population, largest, spread, evaluations : see :class:`ter.heuristics.SepCMAES`
        The larger the population, the better and the later the end: twice the default fits 100 evaluations per
        variable.
    directions, scales : see :class:`ter.heuristics.RmES`

    Examples
    --------
    >>> import numpy as np
    >>> import ter
    >>> def rippled(x):
    ...     return float((x**2 + 10 - 10 * np.cos(2 * np.pi * x)).sum())
    >>> result = ter.minimize(rippled, ter.box(-4, 5, dimension=8), budget=8_000, rng=1,
    ...                       heuristics=[WideES(population=40)])
    >>> result.fun < 5
    True
    """

    name: str = "wide-es"
    interacting_only: bool = True

    @property
    def kind(self) -> type[Look]:
        """What it looks for, if it looks first."""
        return RuggedLook if self.interacting_only else AnyRuggedLook

    def act(  # type: ignore[override]
        self, state: WideState, allowance: Allowance, rng: np.random.Generator
    ) -> WideState:
        """Go on with the descent; when it is over be idle once, so that others may go on from there."""
        if state.resting:
            state.resting = False
            return state
        restarts = state.restarts
        super().act(state, allowance, rng)
        state.resting = state.restarts > restarts
        return state

    def start(self, box: Box, rng: np.random.Generator) -> WideState:
        """Begin without a strategy."""
        return WideState(seed_random(rng))

    @staticmethod
    def _left_behind(state: WideState, incumbent: float) -> bool:  # type: ignore[override]
        """Tell whether others are far ahead; in its first descent they are expected to be."""
        return not state.investing and RmES._left_behind(state, incumbent)

    def rates(self, dimension: int, size: int, *, ladder: bool) -> Rates:
        """Return the rates of Rm-ES, but a step size that goes by the path, and no ladder to a short first one."""
        rates = super().rates(dimension, size, ladder=False)
        c_sigma, damping = path_rates(dimension, rates.mu_eff)
        return rates._replace(c_sigma=c_sigma, damping=HASTE * damping, by_success=False)
