"""All problems, by name. To add one: write its file, add an entry here, and a test that runs the checks.

The list can be read without importing any problem: an entry names the function that makes its problem, and imports it
when it is asked for one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Literal

from ter.benchmarks.catalogue import FUNCTIONS, SUITES, Function
from ter.core.errors import InvalidArgument, UnknownName
from ter.core.problem import Problem

__all__ = ["GALLERY", "PROBLEMS", "Entry", "problem"]


@dataclass(frozen=True)
class Entry:
    """One family of problems: the same task in several sizes.

    Attributes
    ----------
    name : str
        What users write.
    home : str
        Where the function lives that makes the problem of a given size, as ``"module:function"``.
    about : str
        One line.
    cost : {"cheap", "medium"}
        Below 0.2 ms per evaluation at the default size, or below a few ms.
    dimension_of : callable
        Number of variables of the problem of a given size, increasing.
    size, smallest : int
        The default size and the smallest one.
    """

    name: str
    home: str
    about: str
    cost: Literal["cheap", "medium"]
    dimension_of: Callable[[int], int]
    size: int
    smallest: int

    @property
    def dimension(self) -> int:
        """The number of variables by default."""
        return self.dimension_of(self.size)

    def factory(self, dimension: int | None = None) -> Problem:
        """Make the problem with `dimension` variables, or with the default number.

        Raises
        ------
        InvalidArgument
            If no size of this family has that dimension; the message names the nearest ones that exist.
        """
        size = self.size if dimension is None else self._size_at(dimension)
        module, function = self.home.split(":")
        made: Problem = getattr(import_module(module), function)(size)
        return made

    def _size_at(self, dimension: int) -> int:
        size = self.smallest
        while self.dimension_of(size + 1) <= dimension:
            size += 1
        if self.dimension_of(size) != dimension:
            below, above = self.dimension_of(size), self.dimension_of(size + 1)
            cure = f"the nearest are {below} and {above}" if below < dimension else f"the smallest is {below}"
            raise InvalidArgument(f"dimension must be one that {self.name!r} comes in, got {dimension!r}; {cure}")
        return size


def _digits_dimension(hidden: int) -> int:
    return 75 * hidden + 10


def _cluster_dimension(atoms: int) -> int:
    return 3 * atoms


def _picture_dimension(side: int) -> int:
    return side * side


def _dispatch_dimension(units: int) -> int:
    return 24 * units


def _trajectory_dimension(steps: int) -> int:
    return 2 * steps


GALLERY = (
    Entry(
        "digits",
        "ter.problems.digits:digit_network",
        "weights of a network that reads handwritten digits",
        cost="medium",
        dimension_of=_digits_dimension,
        size=32,
        smallest=1,
    ),
    Entry(
        "lennard-jones",
        "ter.problems.lennard_jones:atom_cluster",
        "positions of the atoms in a cluster of least energy",
        cost="medium",
        dimension_of=_cluster_dimension,
        size=350,
        smallest=2,
    ),
    Entry(
        "deblurring",
        "ter.problems.deblurring:image_deblurring",
        "pixels of a picture before it was blurred",
        cost="cheap",
        dimension_of=_picture_dimension,
        size=64,
        smallest=8,
    ),
    Entry(
        "dispatch",
        "ter.problems.economic_dispatch:power_dispatch",
        "power of generating units over a day at least cost",
        cost="cheap",
        dimension_of=_dispatch_dimension,
        size=50,
        smallest=2,
    ),
    Entry(
        "trajectory",
        "ter.problems.trajectory:obstacle_course",
        "pushes that slide a puck past obstacles to a goal",
        cost="cheap",
        dimension_of=_trajectory_dimension,
        size=500,
        smallest=1,
    ),
)

PROBLEMS: dict[str, Entry | Function] = {entry.name: entry for entry in GALLERY} | FUNCTIONS


def problem(name: str, *, dimension: int | None = None, ackley: Literal["official", "raw"] = "official") -> Problem:
    """Make the problem called `name`.

    Parameters
    ----------
    name : str
        One of ``ter.problems.PROBLEMS``: a problem of the gallery, or a function of a suite such as ``"lso13/f4"``.
    dimension : int, optional
        Number of variables; each family has a default and comes in certain sizes only.
    ackley : {"official", "raw"}
        ``"raw"`` leaves out the transformations inside Ackley's function in LSO13, as several papers did; the same as
        asking for ``"lso13-raw/f3"``.

    Raises
    ------
    UnknownName
        If there is no such problem.
    InvalidArgument
        If the family has no problem of this dimension.

    Examples
    --------
    >>> import ter
    >>> ter.problem("trajectory").dimension, ter.problem("trajectory", dimension=1200).dimension
    (1000, 1200)
    >>> ter.problem("lso13/f14").dimension, ter.problem("lso08/f2", dimension=10_000).f_opt
    (905, -450.0)
    """
    suite, _, function = str(name).partition("/")
    if ackley == "raw":
        if suite not in ("lso13", "lso13-raw"):
            raise InvalidArgument(f"ackley='raw' is a variant of 'lso13' only, got {name!r}; leave it out")
        suite, name = "lso13-raw", f"lso13-raw/{function}"
    elif ackley != "official":
        raise UnknownName.among("variant of Ackley's function", ackley, ["official", "raw"])
    if name not in PROBLEMS:
        if suite in SUITES:
            raise UnknownName.among("problem", name, SUITES[suite].names)
        names = [entry.name for entry in GALLERY]
        ranges = [f"{made.names[0]} to {made.names[-1]}" for made in SUITES.values()]
        raise UnknownName.among("problem", name, [*names, *ranges])
    return PROBLEMS[name].factory(dimension)
