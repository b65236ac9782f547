"""SHADE-ILS: SHADE and the local search that gained most lately, in turn, with restarts.

References
----------
.. [1] D. Molina, A. LaTorre, F. Herrera, "SHADE with iterative local search for large-scale global optimization",
   CEC 2018.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from ter.core.action import Action
from ter.core.profile import Profile
from ter.core.scheduler import Choice
from ter.core.script import Script, Story
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.lbfgsb import LBFGSB
from ter.heuristics.ls1 import LS1
from ter.heuristics.placing import Centre, Restart
from ter.heuristics.shade import SHADE

__all__ = ["SHADEILSStory", "relative_gain", "shade_ils"]

CURRENT = "current"  # the trajectory; the best point of the run stays behind when it restarts


def shade_ils(parameters: SHADEILSStory | None = None) -> Profile:
    """Return the profile, with the published parameters or others.

    SHADE has 100 members and keeps them until a restart; the local searches are MTS-LS1 with a step for each variable,
    in the greedy order of its authors' program, and L-BFGS-B, which begins anew each time.

    Examples
    --------
    >>> [heuristic.name for heuristic in shade_ils().heuristics]
    ['centre', 'shade', 'restart', 'mts-ls1', 'l-bfgs-b']
    """
    return Profile(
        heuristics=(
            Centre(),
            SHADE(population=100, memory=100, greed="drawn", archive=1.0, keep=True, initial="uniform", name="shade"),
            Restart(family="shade"),
            LS1(order="greedy", name="mts-ls1"),
            LBFGSB(name="l-bfgs-b"),
        ),
        scheduler=SHADEILSStory() if parameters is None else parameters,
        start_points=1,
    )


@dataclass(frozen=True)
class SHADEILSStory(Script):
    """In each iteration SHADE, then the local search that gained most when it was last applied.

    The portfolio is what places the first point, SHADE, what restarts, and the local searches. Each local search is
    applied once before any of them is preferred, at the beginning and after a restart.

    Parameters
    ----------
    evaluations : int
        Evaluations of SHADE, and of a local search, in one iteration.
    threshold : float
        An iteration whose relative gain is smaller is a weak one.
    patience : int
        Weak iterations in a row before a restart.
    forgetful : tuple of str
        Local searches that begin anew each time they are applied.
    """

    evaluations: int = 25_000
    threshold: float = 0.05
    patience: int = 3
    forgetful: tuple[str, ...] = ("l-bfgs-b",)

    def __post_init__(self) -> None:
        require_whole("evaluations", self.evaluations, low=1)
        require_in("threshold", self.threshold, low=0.0, high=1.0)
        require_whole("patience", self.patience, low=1)

    def story(self, names: Sequence[str]) -> Story:
        """Tell the iterations."""
        centre, shade, restart, *searches = range(len(names))
        steady = [search for search in searches if names[search] not in self.forgetful]
        known = {restart, *steady}  # those that go on where they were; the others begin anew

        def apply(index: int, evaluations: int | None = None) -> Generator[Choice, Action, Action]:
            anew = index not in known
            known.update({index} & {shade, *steady})
            return (yield self.choice(index, names, evaluations=evaluations, origin=CURRENT, anew=anew))

        yield from apply(centre)
        while True:
            last_gains: dict[int, float] = {}  # of the local searches, when they were last applied
            weak = 0
            while weak < self.patience:
                first = yield from apply(shade, self.evaluations)
                untried = [search for search in searches if search not in last_gains]
                search = untried[0] if untried else max(searches, key=last_gains.__getitem__)
                second = yield from apply(search, self.evaluations)
                last_gains[search] = gain_of(second, second)
                weak = weak + 1 if gain_of(first, second) < self.threshold else 0
            yield from apply(restart)
            known.difference_update(steady)


def gain_of(first: Action, last: Action) -> float:
    """Return the relative gain on the trajectory from the beginning of one action to the end of another."""
    return relative_gain((first.own or (first.before,))[0], (last.own or (last.after,))[-1])


def relative_gain(before: float, after: float) -> float:
    """Return the relative improvement, 0 where it is not defined.

    Examples
    --------
    >>> relative_gain(4.0, 3.0), relative_gain(-4.0, -5.0), relative_gain(0.0, -1.0), relative_gain(4.0, 5.0)
    (0.25, 0.25, 0.0, 0.0)
    """
    gain = before - after
    return gain / abs(before) if 0.0 < gain < float("inf") and before != 0.0 else 0.0
