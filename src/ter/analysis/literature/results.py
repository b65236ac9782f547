"""Published results, problem by problem, as columns to compare with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from ter.analysis.literature.catalogue import ENTRIES, Ackley
from ter.analysis.literature.files import read
from ter.analysis.samples import Matrix
from ter.core.errors import InvalidArgument, UnknownName

__all__ = ["Published", "PublishedResult", "published", "published_names", "published_table"]

FILES = ("paper", "shade-ils", "irrg", "dtgsk", "mlshade-spa", "cosacc-ls1", "mos", "task-force", "mts")
VARIANTS = {"lso13": "lso13", "lso13-raw": "lso13", "lso08": "lso08", "lso08-unbiased": "lso08"}
ACKLEY_OF = {"lso13": "transformed", "lso13-raw": "raw"}
ACKLEY_FUNCTIONS = (3, 6, 10)  # of CEC'2013
USUAL_DIMENSION = 1000

Statistic = Literal["mean", "median", "std", "best", "worst"]


@dataclass(frozen=True)
class PublishedResult:
    """One published cell: an algorithm on a problem, after so many evaluations.

    Attributes
    ----------
    suite : str
        "lso08", "lso13" or "lso13-raw"; with "lso13" for results whose Ackley function is unknown.
    function : int
        From 1.
    dimension : int or None
        Of CEC'2008; the functions of CEC'2013 come in one size.
    evaluations : int
        Evaluations after which the errors were taken.
    mean, median, std, best, worst : float
        Of the errors; NaN where not published.
    runs : int or None
        Number of runs, if known.
    source : str
        Where the numbers were printed or stored.
    remark : str
        Why the numbers are doubtful; empty if they are not.
    """

    suite: str
    function: int
    dimension: int | None
    evaluations: int
    mean: float
    median: float
    std: float
    best: float
    worst: float
    runs: int | None
    source: str
    remark: str

    @property
    def problem(self) -> str:
        """The name of the problem, as :func:`ter.problem` reads it."""
        return f"{self.suite}/f{self.function}"

    @property
    def doubtful(self) -> bool:
        """Whether there is a reason not to trust the numbers; :attr:`remark` says which."""
        return bool(self.remark)


@dataclass(frozen=True)
class Published:
    """The published results of one algorithm.

    Attributes
    ----------
    name, title : str
        What users write, and what tables print.
    ackley : {"transformed", "raw", "unknown"}
        Which version of Ackley's function stands behind f3, f6 and f10 of CEC'2013.
    inferred : bool
        Whether this was concluded from the values only.
    note : str
        What a reader of the numbers should know.
    results : tuple of PublishedResult
        The numbers.
    """

    name: str
    title: str
    ackley: Ackley
    inferred: bool
    note: str
    results: tuple[PublishedResult, ...]

    def comparable(self, problem: str) -> bool:
        """Whether results on `problem` and these are errors of the same function.

        Only Ackley's function makes a difference: f3, f6 and f10 of "lso13" and of "lso13-raw" are different
        functions, and their results must not stand in one row.

        Examples
        --------
        >>> shade = published("shade-ils")
        >>> shade.comparable("lso13/f3"), shade.comparable("lso13-raw/f3"), shade.comparable("lso13-raw/f4")
        (True, False, True)
        """
        suite, function = _split(problem)
        if VARIANTS.get(suite) != "lso13" or function not in ACKLEY_FUNCTIONS:
            return True
        return ACKLEY_OF[suite] == self.ackley

    def find(
        self,
        problem: str,
        *,
        evaluations: float | None = None,
        dimension: int | None = None,
        across_ackley: bool = False,
    ) -> PublishedResult | None:
        """Return the published result on a problem, or None if there is none to compare with.

        Parameters
        ----------
        problem : str
            Such as "lso13/f4", "lso13-raw/f4" or "lso08/f2".
        evaluations : float, optional
            After how many evaluations; by default the largest number published.
        dimension : int, optional
            For CEC'2008; 1000 by default.
        across_ackley : bool
            Also return a result for the other version of Ackley's function. Whoever shows it has to mark it.

        Examples
        --------
        >>> published("paper").find("lso13-raw/f4").mean
        698000000.0
        >>> published("paper").find("lso13/f3") is None
        True
        """
        suite, function = _split(problem)
        if not (across_ackley or self.comparable(problem)):
            return None
        size = (dimension or USUAL_DIMENSION) if VARIANTS.get(suite) == "lso08" else None
        found = [
            result
            for result in self.results
            if VARIANTS[result.suite] == VARIANTS.get(suite)
            and (result.function, result.dimension) == (function, size)
            and evaluations in (None, result.evaluations)
        ]
        return max(found, key=lambda result: result.evaluations, default=None)


def published_names() -> tuple[str, ...]:
    """Return the names that :func:`published` knows.

    Examples
    --------
    >>> published_names()[:3]
    ('paper', 'paper-bek', 'paper-ran')
    """
    return tuple(ENTRIES)


def published(name: str) -> Published:
    """Return the published results called `name`.

    Parameters
    ----------
    name : str
        One of :func:`published_names`, such as "paper" (TER in its paper), "paper-ran", "shade-ils", "cbcc-rdg3".

    Raises
    ------
    UnknownName
        If there are no such results; the message lists the names.

    Examples
    --------
    >>> mos = published("mos")
    >>> mos.title, mos.ackley, mos.find("lso13/f2", evaluations=3e6).median
    ('MOS', 'raw', 836.0)
    """
    if name not in ENTRIES:
        raise UnknownName.among("published results", name, ENTRIES)
    entry = ENTRIES[name]
    return Published(name, entry.title, entry.ackley, entry.inferred, entry.note, _all_results().get(name, ()))


def published_table(
    names: Sequence[str],
    problems: Sequence[str],
    *,
    evaluations: float | None = None,
    dimension: int | None = None,
    statistic: Statistic = "mean",
) -> Matrix:
    """Return published numbers as a table with one row per problem and one column per name; NaN where there is none.

    Results on the other version of Ackley's function are left out.

    Examples
    --------
    >>> published_table(["paper", "shade-ils"], ["lso13-raw/f3", "lso13-raw/f4"])
    array([[9.83e-13,      nan],
           [6.98e+08, 1.48e+08]])
    """
    table = np.full((len(problems), len(names)), np.nan)
    for column, name in enumerate(names):
        entry = published(name)
        for row, problem in enumerate(problems):
            result = entry.find(problem, evaluations=evaluations, dimension=dimension)
            if result is not None:
                table[row, column] = getattr(result, statistic)
    return table


def _split(problem: str) -> tuple[str, int]:
    """The suite and the number of a function, such as ("lso13", 4); number 0 for a problem of another kind."""
    if not isinstance(problem, str):
        raise InvalidArgument(f"problem must be a name such as 'lso13/f4', got {problem!r}")
    suite, _, function = problem.partition("/f")
    return suite, int(function) if function.isdecimal() else 0


@cache
def _all_results() -> dict[str, tuple[PublishedResult, ...]]:
    """All results that come with the package, by name."""
    found: dict[str, list[PublishedResult]] = {}
    for file in FILES:
        content = read(file)
        runs = int(content.facts["runs"]) if "runs" in content.facts else None
        for row in content.rows:
            found.setdefault(row["name"], []).append(_result(row, runs, content.facts["source"]))
    return {name: tuple(results) for name, results in found.items()}


def _result(row: dict[str, str], runs: int | None, source: str) -> PublishedResult:
    mean, median, std, best, worst = (
        float(row.get(key) or math.nan) for key in ("mean", "median", "std", "best", "worst")
    )
    return PublishedResult(
        suite=row["suite"],
        function=int(row["function"]),
        dimension=int(row["dimension"]) if row.get("dimension") else None,
        evaluations=int(row["evaluations"]),
        mean=mean,
        median=median,
        std=std,
        best=best,
        worst=worst,
        runs=runs,
        source=source,
        remark=row.get("remark", ""),
    )
