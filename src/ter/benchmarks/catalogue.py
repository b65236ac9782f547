"""The suites, and all of their functions, by name. Reading the list imports neither NumPy nor Numba."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from ter.benchmarks.definitions import LSO08, LSO08_UNBIASED, LSO10, LSO13, LSO13_RAW, Function
from ter.core.errors import UnknownName

if TYPE_CHECKING:
    from ter.core.problem import Problem

__all__ = ["FUNCTIONS", "SUITES", "Function", "Suite", "suite"]


@dataclass(frozen=True)
class Suite(Sequence["Problem"]):
    """The functions of a benchmark suite; each is made when it is asked for.

    Iterating gives problems. A function is found by position from 0, or by name: ``"f4"`` or ``"lso13/f4"``.

    Examples
    --------
    >>> import ter
    >>> lso13 = ter.suite("lso13")
    >>> len(lso13), lso13["f14"].dimension, [p.name for p in lso13][:2]
    (15, 905, ['lso13/f1', 'lso13/f2'])
    """

    name: str
    functions: tuple[Function, ...]
    dimension: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the problems."""
        return tuple(function.name for function in self.functions)

    def __len__(self) -> int:
        return len(self.functions)

    def __iter__(self) -> Iterator[Problem]:
        return (function.factory(self.dimension) for function in self.functions)

    @overload
    def __getitem__(self, which: int | str) -> Problem: ...
    @overload
    def __getitem__(self, which: slice) -> Sequence[Problem]: ...
    def __getitem__(self, which: int | str | slice) -> Problem | Sequence[Problem]:
        if isinstance(which, slice):
            return Suite(self.name, self.functions[which], self.dimension)
        if isinstance(which, str):
            short = {function.name.partition("/")[2]: function for function in self.functions}
            known = short | {function.name: function for function in self.functions}
            if which not in known:
                raise UnknownName.among(f"function of {self.name}", which, short)
            return known[which].factory(self.dimension)
        return self.functions[which].factory(self.dimension)


SUITES: dict[str, Suite] = {
    rows[0].suite: Suite(rows[0].suite, rows) for rows in (LSO08, LSO08_UNBIASED, LSO10, LSO13, LSO13_RAW)
}
FUNCTIONS: dict[str, Function] = {f.name: f for made in SUITES.values() for f in made.functions}


def suite(name: str, *, dimension: int | None = None) -> Suite:
    """Return the benchmark suite called `name`.

    Parameters
    ----------
    name : {"lso08", "lso10", "lso13", "lso13-raw", "lso08-unbiased"}
        The competitions of 2008, 2010 and 2013. ``"lso13-raw"`` leaves out the transformations inside Ackley's
        function, as several papers did; ``"lso08-unbiased"`` leaves out the constants added to the values, so that
        differences below their rounding stay visible.
    dimension : int, optional
        Number of variables, for suites that come in several sizes.

    Raises
    ------
    UnknownName
        If there is no such suite.

    Examples
    --------
    >>> import ter
    >>> ter.suite("lso08", dimension=10_000)["f2"].dimension
    10000
    """
    if name not in SUITES:
        raise UnknownName.among("suite", name, SUITES)
    return Suite(name, SUITES[name].functions, dimension)
