"""All algorithms, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ter.algorithms.cc_cma_es import cc_cma_es
from ter.algorithms.cso import cso
from ter.algorithms.decc_d import decc_d
from ter.algorithms.decc_dg2 import decc_dg2
from ter.algorithms.mos import mos
from ter.algorithms.mts import mts
from ter.algorithms.profiles import default_profile, paper, with_opening, with_parts
from ter.algorithms.shade_ils import shade_ils
from ter.core.aliases import name_among
from ter.core.errors import UnknownName
from ter.core.profile import Profile
from ter.schedulers.fixed import Only, RandomChoice

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import ArrayLike

    from ter.core.budget import Budget, BudgetLike
    from ter.core.problem import Problem
    from ter.core.streams import RandomSource
    from ter.display.result import Result
    from ter.heuristics.nested import Nested
    from ter.run.settings import Callback

__all__ = ["ALGORITHMS", "Algorithm", "algorithm"]

ENDLESS = 10**18  # evaluations, for a profile that must be made before its budget is known


@dataclass(frozen=True)
class Algorithm:
    """A profile with a name.

    Examples
    --------
    >>> import ter
    >>> sphere = ter.Problem(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=4))
    >>> ter.algorithm("ls").minimize(sphere, budget=300, rng=1).sequence[0]
    'ls1'
    """

    name: str
    about: str
    make: Callable[[int, Budget], Profile]
    opens: bool = False  # whether a good start that a user gives is polished first

    def minimize(
        self,
        problem: Problem,
        *,
        budget: BudgetLike,
        rng: RandomSource = None,
        x0: ArrayLike | None = None,
        step: ArrayLike | None = None,
        workers: Any = 1,
        callback: Callback | None = None,
        progress: bool = False,
        checkpoint: str | Path | None = None,
        target: float | None = None,
        evaluation_timeout: float | str | None = None,
    ) -> Result:
        """Run on a problem; the arguments are those of :func:`ter.minimize`."""
        from ter.algorithms.forms import checkpoint_in, planned
        from ter.core.budget import Budget
        from ter.core.problem import as_problem
        from ter.run.run import run_profile
        from ter.run.settings import Settings

        checked = as_problem(problem, None, vectorized=False)
        limits = Budget.read(budget)
        known = planned(checkpoint, limits)
        profile = self.make(checked.dimension, known)
        if self.opens and x0 is not None:
            profile = with_opening(profile, checked.dimension, known)
        return run_profile(
            checked,
            profile,
            limits,
            Settings(target=target, evaluation_timeout=evaluation_timeout, callback=callback, step=step),
            x0=x0,
            rng=rng,
            workers=workers,
            progress=progress,
            checkpoint=checkpoint_in(checkpoint),
        )

    def as_heuristic(self, evaluations: float = 25.0) -> Nested:
        """Make it a heuristic for a portfolio: it pauses, and goes on at its next initiation.

        Parameters
        ----------
        evaluations : float
            Evaluations per initiation and variable.

        Examples
        --------
        >>> import ter
        >>> sphere = ter.Problem(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=4))
        >>> ter.minimize(sphere, budget=900, rng=1, heuristics=[ter.algorithm("ter").as_heuristic(), "gs"]).sequence[:2]
        ('ter', 'gs')
        """
        from ter.core.budget import Budget
        from ter.heuristics.nested import Nested

        return Nested(self.name, lambda dimension: self.make(dimension, Budget(evaluations=ENDLESS)), evaluations)


_LISTED = (
    Algorithm("ter", "TER over LS1, CC and SHADE, the paper's profile", lambda d, b: paper()),
    Algorithm("default", "what ter.minimize runs", default_profile, opens=True),
    Algorithm(
        "ran", "the paper's profile with random choices", lambda d, b: with_parts(paper(), scheduler=RandomChoice())
    ),
    Algorithm("ls", "LS1 alone, the paper's profile", lambda d, b: with_parts(paper(), scheduler=Only("ls1"))),
    Algorithm("cc", "CC alone, the paper's profile", lambda d, b: with_parts(paper(), scheduler=Only("cc"))),
    Algorithm("gs", "SHADE alone, the paper's profile", lambda d, b: with_parts(paper(), scheduler=Only("gs"))),
    Algorithm("cso", "the competitive swarm optimiser of Cheng and Jin", lambda d, b: cso()),
    Algorithm("cc-cma-es", "evolution strategies on groups, of Liu and Tang", lambda d, b: cc_cma_es()),
    Algorithm("mts", "multiple trajectory search, of Tseng and Chen", lambda d, b: mts()),
    Algorithm("mos", "multiple offspring sampling, of LaTorre and others", lambda d, b: mos()),
    Algorithm("shade-ils", "SHADE with iterative local search, of Molina and others", lambda d, b: shade_ils()),
    Algorithm("decc-dg2", "cooperative coevolution with DG2, of Omidvar and others", lambda d, b: decc_dg2()),
    Algorithm("decc-d", "cooperative coevolution with delta grouping, of Omidvar and others", lambda d, b: decc_d()),
)
ALGORITHMS: dict[str, Algorithm] = {listed.name: listed for listed in _LISTED}


def algorithm(name: str) -> Algorithm:
    """Look an algorithm up by its name.

    Examples
    --------
    >>> import ter
    >>> ter.algorithm("ran").about
    "the paper's profile with random choices"
    """
    known = name_among(name, ALGORITHMS)
    if known not in ALGORITHMS:
        raise UnknownName.among("algorithm", name, ALGORITHMS)
    return ALGORITHMS[known]
