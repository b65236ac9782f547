"""What a first look says of the problems for tuning: ``python -m studies.beyond.kinds [chosen, composed, held-out]``.

For each problem, around the point that five evaluations per variable of `volleys` lead to, as in the default: the share
of variables that contradict themselves (more than 0.15: they interact), the curvature of short steps as a multiple of
that of the longest (more than 10: rugged), and whether few pairs of variables interact. One seed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

import ter
from studies.beyond.choices import SETS
from ter.algorithms.profiles import VOLLEYS
from ter.core.allowance import Allowance
from ter.core.box import Box
from ter.heuristics.first_look import OrderLook, PairLook
from ter.heuristics.ruggedness import CurvatureLook
from ter.schedulers import Halving

ENOUGH = 1_000  # evaluations for all looks


class Looks:
    """A heuristic that looks, and does nothing else."""

    name = "looks"

    def __init__(self) -> None:
        self.asked: tuple[OrderLook, CurvatureLook, PairLook] | None = None

    def cost(self, dimension: int) -> int:
        """Evaluations of all looks, and more."""
        return ENOUGH

    def start(self, box: Box, rng: np.random.Generator) -> None:
        """Keep nothing."""

    def act(self, state: None, allowance: Allowance, rng: np.random.Generator) -> None:
        """Ask all questions, once."""
        if self.asked is None:
            self.asked = OrderLook.begin(allowance), CurvatureLook.begin(allowance), PairLook.begin(allowance)
            for look in self.asked:
                look.go_on(allowance)


def kind_of(problem: ter.Problem) -> tuple[float, float, bool]:
    """Return the contradictions, the quotient of curvatures, and whether few pairs interact."""
    opening, looks = VOLLEYS * problem.dimension, Looks()
    ter.minimize(
        problem,
        budget=opening + 2 * ENOUGH,
        rng=1,
        heuristics=["volleys", looks],
        scheduler=Halving(opening=opening, race=ENOUGH, patience=0, slice=ENOUGH, stretch=ENOUGH),
    )
    if looks.asked is None:
        raise RuntimeError("nobody has looked")
    order, curvature, pairs = looks.asked
    return order.contradictions, curvature.quotient, pairs.fits


def main(names: Sequence[str]) -> None:
    """Print a row for each problem."""
    for title in names:
        for name, made in SETS[title]().items():
            contradictions, quotient, few = kind_of(made())
            row = f"{name:24} {contradictions:5.2f} {quotient:10.2f} {'few pairs' if few else 'nearly all pairs'}\n"
            sys.stdout.write(row)
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:] or tuple(SETS))
