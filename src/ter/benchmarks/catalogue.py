"""The suites and their functions, by name. Reading the list imports neither NumPy nor Numba."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from numbers import Real
from typing import TYPE_CHECKING, Literal, overload

from ter.core.errors import InvalidArgument, UnknownName

if TYPE_CHECKING:
    from ter.core.problem import Problem

__all__ = ["FUNCTIONS", "SUITES", "Function", "Suite", "suite"]

OVERLAPPING = 905  # variables of the two functions of LSO13 whose groups overlap
ANY = 1000  # the dimension of LSO08 by default
MOST = 100_000_000

ABOUT = {
    "lso08": (
        "sphere",
        "Schwefel 2.21, the largest coordinate",
        "Rosenbrock",
        "Rastrigin",
        "Griewank",
        "Ackley",
    ),
    "lso10": (
        "elliptic, separable",
        "Rastrigin, separable",
        "Ackley, separable",
        "elliptic: 1 rotated group of 50, 950 separable",
        "Rastrigin: 1 rotated group of 50, 950 separable",
        "Ackley: 1 rotated group of 50, 950 separable",
        "Schwefel 1.2 on a group of 50, sphere on 950",
        "Rosenbrock on a group of 50, sphere on 950",
        "elliptic: 10 rotated groups of 50, 500 separable",
        "Rastrigin: 10 rotated groups of 50, 500 separable",
        "Ackley: 10 rotated groups of 50, 500 separable",
        "Schwefel 1.2 on 10 groups of 50, sphere on 500",
        "Rosenbrock on 10 groups of 50, sphere on 500",
        "elliptic: 20 rotated groups of 50",
        "Rastrigin: 20 rotated groups of 50",
        "Ackley: 20 rotated groups of 50",
        "Schwefel 1.2 on 20 groups of 50",
        "Rosenbrock on 20 groups of 50",
        "Schwefel 1.2",
        "Rosenbrock",
    ),
    "lso13": (
        "elliptic, separable",
        "Rastrigin, separable",
        "Ackley, separable",
        "elliptic: 7 rotated groups, 700 separable",
        "Rastrigin: 7 rotated groups, 700 separable",
        "Ackley: 7 rotated groups, 700 separable",
        "Schwefel 1.2 on 7 rotated groups, sphere on 700",
        "elliptic: 20 rotated groups",
        "Rastrigin: 20 rotated groups",
        "Ackley: 20 rotated groups",
        "Schwefel 1.2 on 20 rotated groups",
        "Rosenbrock",
        "Schwefel 1.2 on 20 rotated groups that overlap and agree",
        "Schwefel 1.2 on 20 rotated groups that overlap and disagree",
        "Schwefel 1.2",
    ),
}

Kind = Literal["lso08", "lso10", "lso13"]


@dataclass(frozen=True)
class Function:
    """One function of a suite.

    Attributes
    ----------
    kind : str
        The competition that defined it.
    variant : str
        What is added to the suite's name if it departs from the definition, such as ``"-raw"``.
    number : int
        From 1.
    """

    kind: Kind
    number: int
    variant: str = ""
    cost: Literal["cheap", "medium"] = "cheap"

    @property
    def suite(self) -> str:
        """The name of its suite."""
        return self.kind + self.variant

    @property
    def name(self) -> str:
        """What users write."""
        return f"{self.suite}/f{self.number}"

    @property
    def about(self) -> str:
        """One line."""
        return ABOUT[self.kind][self.number - 1]

    @property
    def dimension(self) -> int:
        """The number of variables by default."""
        return OVERLAPPING if self.kind == "lso13" and self.number in (13, 14) else ANY

    def factory(self, dimension: int | None = None) -> Problem:
        """Make the problem, with `dimension` variables if the function comes in several sizes.

        Raises
        ------
        InvalidArgument
            If it does not come in that size.
        """
        if dimension is None:
            dimension = self.dimension
        elif self.kind != "lso08" and dimension != self.dimension:
            raise InvalidArgument(
                f"dimension must be {self.dimension} for {self.name!r}, which comes in one size, got {dimension!r}; "
                "leave it out, or take a function of 'lso08'"
            )
        elif not _is_whole(dimension) or not 2 <= dimension <= MOST:
            raise InvalidArgument(f"dimension must be a whole number from 2 to {MOST:,}, got {dimension!r}")
        made: Problem = import_module("ter.benchmarks.build").benchmark(self, int(dimension))
        return made


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


def _is_whole(number: object) -> bool:
    return not isinstance(number, bool) and isinstance(number, Real) and float(number).is_integer()


def _functions(kind: Kind, variant: str = "") -> tuple[Function, ...]:
    return tuple(Function(kind, number, variant) for number in range(1, len(ABOUT[kind]) + 1))


SUITES: dict[str, Suite] = {
    name: Suite(name, functions)
    for name, functions in {
        "lso08": _functions("lso08"),
        "lso08-unbiased": _functions("lso08", "-unbiased"),
        "lso10": _functions("lso10"),
        "lso13": _functions("lso13"),
        "lso13-raw": _functions("lso13", "-raw"),
    }.items()
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
