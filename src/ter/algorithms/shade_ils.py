"""SHADE-ILS: SHADE and the local search that gained most lately, in turn, with restarts.

The paper [1]_ and its authors' program differ; both are here. The program's way of choosing a local search does not
work as it was meant on Python 3, where it takes the first one nearly always; here it is as it was meant.

References
----------
.. [1] D. Molina, A. LaTorre, F. Herrera, "SHADE with iterative local search for large-scale global optimization",
   CEC 2018.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Literal

from ter.core.action import Action
from ter.core.errors import UnknownName
from ter.core.profile import Profile
from ter.core.scheduler import Choice
from ter.core.script import Script, Story
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.lbfgsb import LBFGSB
from ter.heuristics.ls1 import LS1
from ter.heuristics.placing import Centre, Restart
from ter.heuristics.shade import SHADE

__all__ = ["PROGRAM", "Preference", "SHADEILSStory", "relative_gain", "shade_ils"]

CURRENT = "current"  # the trajectory; the best point of the run stays behind when it restarts


def shade_ils(parameters: SHADEILSStory | None = None, *, settings: Literal["paper", "program"] = "paper") -> Profile:
    """Return the profile, with the published parameters or others.

    SHADE has 100 members and keeps them until a restart; the local searches are MTS-LS1 with a step for each variable,
    in the greedy order of its authors' program, and L-BFGS-B, which begins anew each time.

    Parameters
    ----------
    parameters : SHADEILSStory, optional
        The course of the iterations, if it is another one.
    settings : {"paper", "program"}
        As in the paper; or as in the authors' program, which differs in the course of its iterations, in what SHADE
        draws, and in the length of the jump at a restart.

    Examples
    --------
    >>> [heuristic.name for heuristic in shade_ils().heuristics]
    ['centre', 'shade', 'restart', 'mts-ls1', 'l-bfgs-b']
    """
    if settings not in ("paper", "program"):
        raise UnknownName.among("settings of shade-ils", settings, ["paper", "program"])
    program = settings == "program"
    shade = SHADE(
        population=100,
        memory=100,
        greed="drawn",
        archive=2.0 if program else 1.0,
        keep=True,
        initial="uniform",
        loose=program,
        name="shade",
    )
    restart = Restart(low=-0.01, high=0.01) if program else Restart()
    descent = LBFGSB(pairs=10, fitted=False, name="l-bfgs-b")  # SciPy's defaults, as its authors have it
    story = PROGRAM if program else SHADEILSStory()
    return Profile(
        (Centre(only_if_better=program), shade, restart, LS1(order="greedy", name="mts-ls1"), descent),
        scheduler=story if parameters is None else parameters,
        start_points=100 if program else 1,
    )


@dataclass(frozen=True)
class SHADEILSStory(Script):
    """In each iteration SHADE, then the local search that gained most when it was last applied.

    The portfolio is what places the first point, SHADE, what restarts, and the local searches. Each local search is
    applied once before any of them is preferred, at the beginning and after a restart.

    Parameters
    ----------
    evaluations : int
        Evaluations of SHADE in one iteration.
    threshold : float
        An iteration whose relative gain is smaller is a weak one.
    patience : int
        Weak iterations in a row before a restart.
    forgetful : tuple of str
        Local searches that begin anew each time they are applied.
    after : int, optional
        Evaluations of the local search after SHADE; by default as many as SHADE's.
    before : int
        Evaluations of a local search before SHADE, which is chosen by what was gained there; 0 for none.
    loyal : bool
        Go on with a local search until it gains nothing, or less than the time before; only then prefer the best.
    renew : bool
        Let the local search after SHADE begin anew after a weak iteration.

    Examples
    --------
    As in the authors' program, with 500 variables or more:

    >>> SHADEILSStory(threshold=0.01, before=25_000, after=5_000, loyal=True, renew=True) == PROGRAM
    True
    """

    evaluations: int = 25_000
    threshold: float = 0.05
    patience: int = 3
    forgetful: tuple[str, ...] = ("l-bfgs-b",)
    after: int | None = None
    before: int = 0
    loyal: bool = False
    renew: bool = False

    def __post_init__(self) -> None:
        require_whole("evaluations", self.evaluations, low=1)
        require_in("threshold", self.threshold, low=0.0, high=1.0)
        require_whole("patience", self.patience, low=1)
        require_whole("before", self.before, low=0)
        if self.after is not None:
            require_whole("after", self.after, low=1)

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
            early, late = Preference(searches, self.loyal), Preference(searches, self.loyal)
            weak = 0
            while weak < self.patience:
                first = None
                if self.before:
                    first = yield from apply(early.best(), self.before)
                    early.learn(gain_of(first, first))
                middle = yield from apply(shade, self.evaluations)
                search = late.best()
                last = yield from apply(search, self.after or self.evaluations)
                late.learn(gain_of(last, last))
                weak = weak + 1 if gain_of(first or middle, last) < self.threshold else 0
                if weak and self.renew:
                    known.difference_update({search} & {*steady})
            yield from apply(restart)
            known.difference_update(steady)


PROGRAM = SHADEILSStory(threshold=0.01, before=25_000, after=5_000, loyal=True, renew=True)


class Preference:
    """Which local search comes next: each once, then the one that gained most when it was last applied.

    Parameters
    ----------
    searches : sequence of int
        What there is.
    loyal : bool
        Whether the last one stays until it gains nothing, or less than the time before. This matters after each was
        applied once: the last one stays though another may have gained more. Later it gains more than the others did,
        or less than the time before.

    Examples
    --------
    >>> mine, taken = Preference([3, 4], loyal=True), []
    >>> for gain in (0.4, 0.1, 0.1, 0.05, 0.3):
    ...     taken.append(mine.best())
    ...     mine.learn(gain)
    >>> taken
    [3, 4, 4, 4, 3]
    """

    def __init__(self, searches: Sequence[int], loyal: bool = False) -> None:
        self._searches, self._loyal = searches, loyal
        self._gains: dict[int, float] = {}  # of each, when it was last applied
        self._current, self._stays = searches[0], False

    def best(self) -> int:
        """Return the next one."""
        untried = [search for search in self._searches if search not in self._gains]
        if untried:
            self._current = untried[0]
        elif not self._stays:
            self._current = max(self._searches, key=self._gains.__getitem__)
        return self._current

    def learn(self, gain: float) -> None:
        """Take note of what it gained."""
        former = self._gains.get(self._current)
        self._stays = self._loyal and gain > 0.0 and (former is None or gain >= former)
        self._gains[self._current] = gain


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
