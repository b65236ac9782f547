"""The functions of the suites, one row each: all that is known about a function but the official numbers.

Everything else reads these rows. They can be read without NumPy.

References
----------
.. [1] K. Tang, X. Yao, P. N. Suganthan, C. MacNish, Y.-P. Chen, C.-M. Chen, Z. Yang, "Benchmark functions for the
   CEC'2008 special session and competition on large scale global optimization", technical report, University of
   Science and Technology of China, 2007.
.. [2] K. Tang, X. Li, P. N. Suganthan, Z. Yang, T. Weise, "Benchmark functions for the CEC'2010 special session and
   competition on large-scale global optimization", technical report, University of Science and Technology of China,
   2009.
.. [3] X. Li, K. Tang, M. N. Omidvar, Z. Yang, K. Qin, "Benchmark functions for the CEC'2013 special session and
   competition on large-scale global optimization", technical report, RMIT University, 2013.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial
from importlib import import_module
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

from ter.core.errors import InvalidArgument

if TYPE_CHECKING:
    from ter.core.problem import Problem

__all__ = ["LSO08", "LSO08_UNBIASED", "LSO10", "LSO13", "LSO13_RAW", "Base", "Function", "Transform"]

MOST = 100_000_000  # variables


class Base(IntEnum):
    """The base functions."""

    SPHERE = 0  # sum of z_i^2
    ELLIPTIC = 1  # sum of c_i z_i^2
    RASTRIGIN = 2  # sum of z_i^2 - 10 cos(2 pi z_i) + 10
    ACKLEY = 3
    GRIEWANK = 4
    MAXIMUM = 5  # Schwefel 2.21: the largest |z_i|
    ROSENBROCK = 6
    SCHWEFEL = 7  # Schwefel 1.2: sum of the squares of z_1, z_1 + z_2, z_1 + z_2 + z_3, ...


class Transform(IntEnum):
    """What is done to each component before the base function."""

    NONE = 0
    OSCILLATED = 1  # T_osz
    SKEWED = 2  # T_osz, then T_asy, then perhaps Lambda


@dataclass(frozen=True)
class Function:
    """One function of a suite.

    Attributes
    ----------
    number : int
        From 1.
    about : str
        One line.
    base : Base
        Of each group, or of all variables if there is no group.
    half_range : int
        The box of each variable is [-half_range, half_range].
    transform : Transform
        Of the components of `base`, and of `rest` if it is the same base function.
    scaled : bool
        Whether Lambda follows.
    groups : int
        So many are cut from a permutation of the variables; with none, all variables belong together in their order.
    group_size : int, optional
        Of each group; otherwise sizes and weights are among the official numbers.
    rotated : bool
        Whether the variables of each group are multiplied with a matrix.
    weight : float
        Of each group.
    shared : int
        Variables that each group shares with the one before.
    conflicting : bool
        Whether each group has a shift of its own. Then the optimum is not known.
    rest : Base, optional
        Of the variables behind the last group, if there are any.
    bias : float
        The value at the optimum.
    added : float
        Added to the shifted variables, so that the optimum comes to lie at the shift.
    shifts : pair of int, optional
        The interval of the shifts, for a function of more variables than there are official shifts.
    dimension : int
        The number of variables; by default, if it comes in any size.
    any_dimension : bool
        Whether it does.
    budget : int
        Evaluations by the rules; for each variable, if it comes in any size.
    milestones : tuple of int
        Shares of the budget after which the rules ask for the best value so far: 25 means a 25th.
    suite : str
        The name of its suite.
    competition : str
        The one that defined it; its official numbers are in the file of this name.
    variant : str
        How it departs from the definition.
    cost : {"cheap", "medium"}
        Below 0.2 ms per evaluation, or below a few ms.
    """

    number: int
    about: str
    base: Base
    half_range: int
    transform: Transform = Transform.NONE
    scaled: bool = False
    groups: int = 0
    group_size: int | None = None
    rotated: bool = False
    weight: float = 1.0
    shared: int = 0
    conflicting: bool = False
    rest: Base | None = None
    bias: float = 0.0
    added: float = 0.0
    shifts: tuple[int, int] | None = None
    dimension: int = 1000
    any_dimension: bool = False
    budget: int = 3_000_000
    milestones: tuple[int, ...] = (25, 5, 1)
    suite: str = ""
    competition: str = ""
    variant: str = ""
    cost: Literal["cheap", "medium"] = "cheap"

    @property
    def name(self) -> str:
        """What users write."""
        return f"{self.suite}/f{self.number}"

    def factory(self, dimension: int | None = None) -> Problem:
        """Make the problem, with `dimension` variables if the function comes in several sizes.

        Raises
        ------
        InvalidArgument
            If it does not come in that size.
        """
        if dimension is None:
            dimension = self.dimension
        elif not self.any_dimension and dimension != self.dimension:
            raise InvalidArgument(
                f"dimension must be {self.dimension} for {self.name!r}, which comes in one size, got {dimension!r}; "
                "leave it out, or take a function of 'lso08'"
            )
        elif not _is_whole(dimension) or not 2 <= dimension <= MOST:
            raise InvalidArgument(f"dimension must be a whole number from 2 to {MOST:,}, got {dimension!r}")
        made: Problem = import_module("ter.benchmarks.build").benchmark(self, int(dimension))
        return made


def _is_whole(number: object) -> bool:
    return not isinstance(number, bool) and isinstance(number, Real) and float(number).is_integer()


def _suite(name: str, *rows: Function, **common: Any) -> tuple[Function, ...]:
    return tuple(replace(row, suite=name, competition=name, **common) for row in rows)


SPHERE, ELLIPTIC, RASTRIGIN, ACKLEY = Base.SPHERE, Base.ELLIPTIC, Base.RASTRIGIN, Base.ACKLEY
_sphere = partial(Function, base=SPHERE, half_range=100)
_elliptic = partial(Function, base=ELLIPTIC, half_range=100)
_rastrigin = partial(Function, base=RASTRIGIN, half_range=5)
_ackley = partial(Function, base=ACKLEY, half_range=32)
_griewank = partial(Function, base=Base.GRIEWANK, half_range=600)
_maximum = partial(Function, base=Base.MAXIMUM, half_range=100)
_rosenbrock = partial(Function, base=Base.ROSENBROCK, half_range=100)
_schwefel = partial(Function, base=Base.SCHWEFEL, half_range=100)

LSO08 = _suite(
    "lso08",
    _sphere(1, "sphere", bias=-450.0, shifts=(-100, 100)),
    _maximum(2, "Schwefel 2.21, the largest coordinate", bias=-450.0, shifts=(-100, 0)),
    _rosenbrock(3, "Rosenbrock", bias=390.0, shifts=(-90, 90), added=1.0),
    _rastrigin(4, "Rastrigin", bias=-330.0, shifts=(-5, 5)),
    _griewank(5, "Griewank", bias=-180.0, shifts=(-600, 600)),
    _ackley(6, "Ackley", bias=-140.0, shifts=(-30, 30)),
    any_dimension=True,
    budget=5_000,
    milestones=(100, 10, 1),
)
LSO08_UNBIASED = tuple(replace(row, suite="lso08-unbiased", variant="without bias", bias=0.0) for row in LSO08)

LSO10 = _suite(
    "lso10",
    _elliptic(1, "elliptic, separable"),
    _rastrigin(2, "Rastrigin, separable"),
    _ackley(3, "Ackley, separable"),
    _elliptic(4, "elliptic: 1 rotated group of 50, 950 separable", groups=1, weight=1e6, rotated=True, rest=ELLIPTIC),
    _rastrigin(
        5, "Rastrigin: 1 rotated group of 50, 950 separable", groups=1, weight=1e6, rotated=True, rest=RASTRIGIN
    ),
    _ackley(6, "Ackley: 1 rotated group of 50, 950 separable", groups=1, weight=1e6, rotated=True, rest=ACKLEY),
    _schwefel(7, "Schwefel 1.2 on a group of 50, sphere on 950", groups=1, weight=1e6, rest=SPHERE),
    _rosenbrock(8, "Rosenbrock on a group of 50, sphere on 950", groups=1, weight=1e6, rest=SPHERE),
    _elliptic(9, "elliptic: 10 rotated groups of 50, 500 separable", groups=10, rotated=True, rest=ELLIPTIC),
    _rastrigin(10, "Rastrigin: 10 rotated groups of 50, 500 separable", groups=10, rotated=True, rest=RASTRIGIN),
    _ackley(11, "Ackley: 10 rotated groups of 50, 500 separable", groups=10, rotated=True, rest=ACKLEY),
    _schwefel(12, "Schwefel 1.2 on 10 groups of 50, sphere on 500", groups=10, rest=SPHERE),
    _rosenbrock(13, "Rosenbrock on 10 groups of 50, sphere on 500", groups=10, rest=SPHERE),
    _elliptic(14, "elliptic: 20 rotated groups of 50", groups=20, rotated=True),
    _rastrigin(15, "Rastrigin: 20 rotated groups of 50", groups=20, rotated=True),
    _ackley(16, "Ackley: 20 rotated groups of 50", groups=20, rotated=True),
    _schwefel(17, "Schwefel 1.2 on 20 groups of 50", groups=20),
    _rosenbrock(18, "Rosenbrock on 20 groups of 50", groups=20),
    _schwefel(19, "Schwefel 1.2"),
    _rosenbrock(20, "Rosenbrock"),
    group_size=50,
)

_oscillated_elliptic = partial(_elliptic, transform=Transform.OSCILLATED)
_skewed_rastrigin = partial(_rastrigin, transform=Transform.SKEWED, scaled=True)
_skewed_ackley = partial(_ackley, transform=Transform.SKEWED, scaled=True)
_skewed_schwefel = partial(_schwefel, transform=Transform.SKEWED)

# fmt: off
LSO13 = _suite(
    "lso13",
    _oscillated_elliptic(1, "elliptic, separable"),
    _skewed_rastrigin(2, "Rastrigin, separable"),
    _skewed_ackley(3, "Ackley, separable"),
    _oscillated_elliptic(4, "elliptic: 7 rotated groups, 700 separable", groups=7, rotated=True, rest=ELLIPTIC),
    _skewed_rastrigin(5, "Rastrigin: 7 rotated groups, 700 separable", groups=7, rotated=True, rest=RASTRIGIN),
    _skewed_ackley(6, "Ackley: 7 rotated groups, 700 separable", groups=7, rotated=True, rest=ACKLEY),
    _skewed_schwefel(7, "Schwefel 1.2 on 7 rotated groups, sphere on 700", groups=7, rotated=True, rest=SPHERE),
    _oscillated_elliptic(8, "elliptic: 20 rotated groups", groups=20, rotated=True),
    _skewed_rastrigin(9, "Rastrigin: 20 rotated groups", groups=20, rotated=True),
    _skewed_ackley(10, "Ackley: 20 rotated groups", groups=20, rotated=True),
    _skewed_schwefel(11, "Schwefel 1.2 on 20 rotated groups", groups=20, rotated=True),
    _rosenbrock(12, "Rosenbrock"),
    _skewed_schwefel(13, "Schwefel 1.2 on 20 rotated groups that overlap and agree", groups=20, rotated=True,
                     shared=5, dimension=905),
    _skewed_schwefel(14, "Schwefel 1.2 on 20 rotated groups that overlap and disagree", groups=20, rotated=True,
                     shared=5, dimension=905, conflicting=True),
    _skewed_schwefel(15, "Schwefel 1.2"),
)
# fmt: on
LSO13_RAW = tuple(
    replace(
        row,
        suite="lso13-raw",
        variant="Ackley not transformed",
        transform=Transform.NONE if row.base is ACKLEY else row.transform,
        scaled=row.scaled and row.base is not ACKLEY,
    )
    for row in LSO13
)
