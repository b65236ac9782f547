"""The result of a run: SciPy's, with the record of how it was found, and pictures of it."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

from ter.core.problem import Problem
from ter.core.result import ResultData

if TYPE_CHECKING:
    from matplotlib.axes import Axes
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

    def _repr_html_(self) -> str | None:
        from ter.display.card import card_of

        return card_of(self) if "spent" in self and "actions" in self else None  # or made by hand, with few fields

    def __dir__(self) -> list[str]:
        # SciPy lists the fields alone, and then no editor would complete the name of a method.
        methods = [name for kind in (Result, ResultData) for name in vars(kind) if not name.startswith("_")]
        return sorted({*self, *methods})

    def plot(
        self, path: str | PathLike[str] | None = None, *, problem: Problem | None = None, ax: Axes | None = None
    ) -> Figure:
        """Draw the curve with the decision strip below it; a notebook shows the picture.

        Parameters
        ----------
        path : path, optional
            Where to save the picture; the ending chooses the format.
        problem : Problem, optional
            If its optimum is known the error is drawn, and if it can draw its solutions, `x` beside the curve.
        ax : matplotlib.axes.Axes, optional
            Draw into these axes, and the curve alone: a line labelled with problem and seed, on a scale that suits
            all lines there, so that runs can be compared. The axes get their labels and a grid.

        Returns
        -------
        matplotlib.figure.Figure
            That of `ax`, or a new one that pyplot does not know.

        Raises
        ------
        MissingExtra
            If Matplotlib is not installed.
        """
        from ter.display.plot import plot_result

        return plot_result(self, path, problem=problem, ax=ax)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the result to a file that :func:`ter.load_result` reads.

        Parameters
        ----------
        path : path
            Where to write, such as ``"run.npz"``; the folder is made if it is missing. The file appears when it is
            complete, and replaces one that is there. The fields of a result are kept, not what was added to it.
        """
        from ter.display.saving import save_result

        save_result(self, path)

    def report(self, path: str | PathLike[str], *, problem: Problem | None = None) -> None:
        """Write one self-contained HTML page about the run.

        Parameters
        ----------
        path : path
            Where to write.
        problem : Problem, optional
            What was solved: what it is about is told, if its optimum is known the error is drawn, and if it can draw
            its solutions, `x`.

        Raises
        ------
        MissingExtra
            If Jinja2 is not installed.
        """
        from ter.display.page import write_page

        write_page(self, path, problem=problem)
