"""The result of a run: SciPy's, with the record of how it was found, and pictures of it."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

from ter.core.problem import Problem
from ter.core.result import ResultData

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Result"]


class Result(ResultData):
    """What :func:`ter.minimize` returns; its fields are those of :class:`ter.core.result.ResultData`.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=3), budget=200, rng=1)
    >>> result.nfev, result.spent.evaluations, result.message
    (200, 200, 'the budget is used up')
    """

    def __repr__(self) -> str:
        from ter.display.listing import listing_of

        return listing_of(self)

    def __dir__(self) -> list[str]:
        # SciPy lists the fields alone, and then no editor would complete the name of a method.
        methods = [name for kind in (Result, ResultData) for name in vars(kind) if not name.startswith("_")]
        return sorted({*self, *methods})

    def plot(self, path: str | PathLike[str] | None = None, *, problem: Problem | None = None) -> Figure:
        """Draw the curve on a log scale with the decision strip below it; save it if a path is given.

        Parameters
        ----------
        path : path, optional
            Where to save the picture; the ending chooses the format.
        problem : Problem, optional
            If it can draw its solutions, `x` is drawn beside the curve.
        """
        from ter.display.figures import plot_result

        return plot_result(self, path, problem=problem)

    def report(self, path: str | PathLike[str], *, problem: Problem | None = None) -> None:
        """Write one self-contained HTML page about the run."""
        from ter.display.page import write_page

        write_page(self, path, problem=problem)
