"""Rm-ES: an evolution strategy that remembers in which directions its mean has moved.

References
----------
.. [1] Z. Li, Q. Zhang, "A simple yet efficient evolution strategy for large-scale black-box optimization", IEEE
   Transactions on Evolutionary Computation 22, 2018.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ter.heuristics.checks import require_whole
from ter.heuristics.descents import Descents
from ter.heuristics.evolution_strategy import Rates
from ter.heuristics.sep_cma_es import recombination, scale_rates

__all__ = ["RmES"]


@dataclass(frozen=True)
class RmES(Descents):
    """An evolution strategy on all variables with a few learnt directions, and a learnt scale per variable.

    Parameters
    ----------
    directions : int
        How many are kept; one makes it R1-ES.
    scales : bool
        Learn scales, too, at the rates of sep-CMA-ES. The paper's Rm-ES does not.
    population, largest, spread, evaluations : see :class:`ter.heuristics.SepCMAES`

    Examples
    --------
    >>> import ter
    >>> def bowl(x):
    ...     return float((x**2).sum())
    >>> result = ter.minimize(bowl, ter.box(-4, 5, dimension=8), budget=5_000, rng=1, heuristics=["rm-es"])
    >>> result.fun < 1e-6
    True
    """

    name: str = "rm-es"
    directions: int = 2
    scales: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        require_whole("directions", self.directions, low=1)

    @property
    def kept_directions(self) -> int:  # type: ignore[override]
        """How many directions are kept."""
        return self.directions

    def rates(self, dimension: int, size: int, *, ladder: bool) -> Rates:
        """Return the rates of the paper."""
        weights, mu_eff = recombination(size)
        c_1, c_mu = scale_rates(dimension, mu_eff)
        return Rates(
            weights=weights,
            mu_eff=mu_eff,
            c_sigma=0.3,
            damping=1.0,
            c_c=2 / (dimension + 7),
            c_1=0.0,
            c_mu=c_1 + c_mu if self.scales else 0.0,
            mixing=1 / (3 * math.sqrt(dimension) + 5),
            gap=dimension,
            by_success=True,
            ladder=ladder,
        )
