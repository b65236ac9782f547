"""sep-CMA-ES: CMA-ES with a diagonal covariance matrix.

References
----------
.. [1] R. Ros, N. Hansen, "A simple modification in CMA-ES achieving linear time and space complexity", PPSN 2008.
.. [2] Y. Akimoto, A. Auger, N. Hansen, "Comparison-based natural gradient optimization in high dimension", GECCO 2014.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ter.heuristics.descents import Descents
from ter.heuristics.evolution_strategy import Rates

__all__ = ["SepCMAES", "path_rates", "recombination", "scale_rates"]


@dataclass(frozen=True)
class SepCMAES(Descents):
    """CMA-ES on all variables with one learnt scale per variable.

    Parameters
    ----------
    population : int, optional
        Points of a generation, by default ``4 + floor(3 ln D)``; doubled by each restart.
    largest : int
        The population does not double beyond this.
    spread : float
        First step size, as a fraction of the box's scale.
    evaluations : float
        Evaluations per initiation and variable. Where initiations end does not matter.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((1e6 ** np.linspace(0, 1, 8) * x**2).sum()), ter.box(-4, 5, dimension=8),
    ...                       budget=4_000, rng=1, heuristics=["sep-cma-es"])
    >>> result.fun < 1e-9
    True
    """

    name: str = "sep-cma-es"

    def rates(self, dimension: int, size: int, *, ladder: bool) -> Rates:
        """Return the rates of the tutorial on CMA-ES, with those of the scales (D + 2) / 3 times as large.

        The step size adapts faster than there, as in VD-CMA [2]_, since budgets of 30 to 100 evaluations per variable
        leave no time.
        """
        n = dimension
        weights, mu_eff = recombination(size)
        c_sigma, damping = path_rates(n, mu_eff)
        c_1, c_mu = scale_rates(n, mu_eff)
        return Rates(
            weights=weights,
            mu_eff=mu_eff,
            c_sigma=c_sigma,
            damping=damping,
            c_c=(4 + mu_eff / n) / (n + 4 + 2 * mu_eff / n),
            c_1=c_1,
            c_mu=c_mu,
            mixing=0.0,
            gap=0,
            by_success=False,
            ladder=ladder,
        )


def path_rates(n: int, mu_eff: float) -> tuple[float, float]:
    """Return how fast the path of the step size forgets, and by how much the step size is damped.

    Examples
    --------
    >>> [round(rate, 4) for rate in path_rates(1000, 6.5)]
    [0.0746, 1.0746]
    """
    c_sigma = math.sqrt(mu_eff) / (math.sqrt(n) + math.sqrt(mu_eff))
    return c_sigma, 1 + 2 * max(0.0, math.sqrt((mu_eff - 1) / (n + 1)) - 1) + c_sigma


def scale_rates(n: int, mu_eff: float) -> tuple[float, float]:
    """Return how fast scales follow the trail of the mean, and the better points: c_1 and c_mu.

    Examples
    --------
    >>> [round(rate, 4) for rate in scale_rates(1000, 6.5)]
    [0.0007, 0.0031]
    """
    faster = (n + 2) / 3
    c_1 = min(0.5, faster * 2 / ((n + 1.3) ** 2 + mu_eff))
    return c_1, max(0.0, min(1 - c_1, faster * 2 * (mu_eff - 2 + 1 / mu_eff) / ((n + 2) ** 2 + mu_eff)))


def recombination(size: int) -> tuple[np.ndarray, float]:
    """Return the weights of the better half of a population, and how many equal ones would average as much noise away.

    Examples
    --------
    >>> weights, mu_eff = recombination(10)
    >>> len(weights), round(mu_eff, 2)
    (5, 3.17)
    """
    weights = math.log((size + 1) / 2) - np.log(np.arange(1, size // 2 + 1))
    weights /= weights.sum()
    return weights, float(1 / (weights**2).sum())
