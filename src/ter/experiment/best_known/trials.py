"""The trials of a search: what was tried, what came of it, and how far that is."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ter.experiment.best_known.proposals import Candidate
from ter.experiment.best_known.space import Decisions

__all__ = ["SearchProgress", "Trials"]


class Trials:
    """Candidates and the values of their runs, in memory.

    Parameters
    ----------
    runs : int
        Runs per candidate.
    statistic : {"mean", "median"}
        What their values are put together by.
    candidates : iterable of Candidate
        In their order.
    values : mapping
        From a candidate's number to the values of its runs, by the number of the run.

    Examples
    --------
    >>> trials = Trials(2, "mean", [Candidate(1, 1, "random", ("cc",))])
    >>> trials.note(1, 1, 3.0)
    >>> trials.value(1) is None
    True
    >>> trials.note(1, 2, 4.0)
    >>> trials.value(1)
    3.5
    """

    def __init__(
        self,
        runs: int,
        statistic: str,
        candidates: Iterable[Candidate] = (),
        values: Mapping[int, Mapping[int, float]] | None = None,
    ) -> None:
        self._runs, self._statistic = runs, statistic
        self.candidates = list(candidates)
        self._values = {number: dict(runs) for number, runs in (values or {}).items()}

    def note(self, number: int, run: int, fun: float) -> None:
        """Add the value of a run."""
        self._values.setdefault(number, {})[run] = fun

    def values(self, number: int) -> tuple[float, ...]:
        """Return the values of a candidate's runs, as far as they are known."""
        known = self._values.get(number, {})
        return tuple(known[run] for run in sorted(known))

    def missing(self, number: int) -> list[int]:
        """Return the runs of a candidate that are to be done."""
        return [run for run in range(1, self._runs + 1) if run not in self._values.get(number, {})]

    def value(self, number: int) -> float | None:
        """Return the value of a candidate; None before all its runs are done."""
        if self.missing(number):
            return None
        values = self.values(number)
        return statistics.median(values) if self._statistic == "median" else math.fsum(values) / len(values)

    def ranked(self) -> list[Candidate]:
        """Return the candidates that have a value, the best first; of equal ones the older first."""
        found = [(value, c.number, c) for c in self.candidates if (value := self.value(c.number)) is not None]
        return [candidate for *_, candidate in sorted(found, key=lambda entry: entry[:2])]

    def progress(self, title: str, total: int) -> SearchProgress:
        """Return how far a search is that tries so many candidates."""
        ranked = self.ranked()
        if not ranked:
            return SearchProgress(title, total)
        best = ranked[0]
        return SearchProgress(title, total, len(ranked), self.value(best.number), best.number, best.sequence)


@dataclass(frozen=True)
class SearchProgress:
    """How far a search is.

    Attributes
    ----------
    title : str
        What it is about.
    total, tried : int
        Sequences that are to be tried, and those that are done.
    best : float or None
        The best value so far.
    number, sequence : int, tuple of str
        Of the best one.
    """

    title: str
    total: int
    tried: int = 0
    best: float | None = None
    number: int = 0
    sequence: Decisions = ()
