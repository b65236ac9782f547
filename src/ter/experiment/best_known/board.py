"""Where a search stands: what was tried, and what came of it."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping

from ter.experiment.best_known.proposals import Candidate

__all__ = ["Board"]


class Board:
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
    >>> board = Board(2, "mean", [Candidate(1, 1, "random", ("cc",))])
    >>> board.note(1, 1, 3.0)
    >>> board.value(1) is None
    True
    >>> board.note(1, 2, 4.0)
    >>> board.value(1)
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
