"""What is known about the interactions of a function's variables, with a picture of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ter.core.budget import Spent
from ter.core.ledger import Integers
from ter.core.pairs import Pairs
from ter.core.stop import StopReason
from ter.display.texts import time_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Decomposition"]

SHOWN = 12  # sizes of groups


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition:
    """What :func:`ter.decompose` returns. Every variable is in a group, or separable, or undecided.

    Attributes
    ----------
    groups : tuple of arrays of int
        Variables that interact with each other, directly or through others of the group.
    separable : array of int
        Variables that interact with no other; with RDG3, with no other but those of groups that were closed before.
    undecided : array of int
        Variables of which neither is known: the budget ended before, or their values are not finite.
    method : {"rdg3", "dg2"}
        How it was found.
    nfev : int
        Evaluations.
    thresholds : dict of str to float
        Above which differences count as interactions; see the page on decomposition.
    pairs : Pairs or None
        With DG2: how strongly each pair of variables interacts, between 0 and 1.
    status, message : StopReason or None, str
        What ended it before it was done, and the same in words.
    spent : Spent
        Evaluations, seconds and cost used.
    nonfinite : int
        Evaluations whose value was NaN or infinite.
    problem : str
        The problem's name.
    dimension : int
        Number of variables.

    Examples
    --------
    >>> import ter
    >>> def pairs(x):
    ...     return float((x[0] * x[2]) ** 2 + x[1] ** 2)
    >>> found = ter.decompose(pairs, ter.box(-1, 2, dimension=3))
    >>> [group.tolist() for group in found.groups], found.separable.tolist(), found.complete
    ([[0, 2]], [1], True)
    """

    groups: tuple[Integers, ...]
    separable: Integers
    undecided: Integers
    method: str
    nfev: int
    thresholds: dict[str, float]
    pairs: Pairs | None = None
    status: StopReason | None = None
    message: str = ""
    spent: Spent = field(default_factory=Spent)
    nonfinite: int = 0
    problem: str = ""
    dimension: int = 0

    @property
    def complete(self) -> bool:
        """Whether something is known about every variable, and nothing was left out."""
        return self.status is None and self.undecided.size == 0

    @property
    def labels(self) -> Integers:
        """The number of each variable's group; -1 if it has none."""
        labels = np.full(self.dimension, -1)
        for number, group in enumerate(self.groups):
            labels[group] = number
        return labels

    def interacting(self, variable: int) -> NDArray[np.bool_]:
        """Return which variables interact with one: directly, if every pair was looked at; else those of its group.

        Examples
        --------
        >>> import ter
        >>> chain = ter.decompose(lambda x: float((x[:-1] * x[1:]).sum()), ter.box(0, 1, dimension=4), method="dg2")
        >>> chain.interacting(1).tolist(), chain.groups[0].tolist()
        ([True, False, True, False], [0, 1, 2, 3])
        """
        if self.pairs is None:
            labels = self.labels
            found: NDArray[np.bool_] = (labels == labels[variable]) & (labels >= 0)
            found[variable] = False
            return found
        strength = np.concatenate([self.pairs.column(variable), [0.0], self.pairs.row(variable)])
        result: NDArray[np.bool_] = (strength > self.thresholds["cut"]) | (strength == 1.0)
        return result

    def __repr__(self) -> str:
        rows = list(self._rows())
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:>{width}}: {text}" for name, text in rows)

    def _rows(self) -> list[tuple[str, str]]:
        grouped = sum(group.size for group in self.groups)
        rows = [
            ("problem", self.problem),
            ("method", self.method),
            ("message", self.message),
            ("complete", str(self.complete)),
            ("groups", f"{len(self.groups)} of {grouped} variables: {_sizes(self.groups)}" if grouped else "none"),
            ("separable", _variables(self.separable.size)),
            ("undecided", _variables(self.undecided.size) if self.undecided.size else ""),
            ("nonfinite", str(self.nonfinite or "")),
            ("nfev", str(self.nfev)),
            ("spent", f"{self.spent.evaluations} evaluations, {time_text(self.spent.seconds)}"),
        ]
        return [(name, text) for name, text in rows if text]

    def summary(self) -> dict[str, Any]:
        """Return the facts as plain numbers, lists and strings, ready for JSON."""
        return {
            "problem": self.problem,
            "method": self.method,
            "complete": self.complete,
            "message": self.message,
            "dimension": self.dimension,
            "nfev": self.nfev,
            "seconds": self.spent.seconds,
            "nonfinite": self.nonfinite,
            "thresholds": self.thresholds,
            "groups": [group.tolist() for group in self.groups],
            "separable": self.separable.tolist(),
            "undecided": self.undecided.tolist(),
        }

    def plot(self, path: str | PathLike[str] | None = None, *, ax: Axes | None = None) -> Figure:
        """Draw which variables interact: a matrix in which the members of a group stand side by side.

        Parameters
        ----------
        path : path, optional
            Where to save the picture; the ending chooses the format.
        ax : matplotlib.axes.Axes, optional
            Draw into these axes.

        Returns
        -------
        matplotlib.figure.Figure
            That of `ax`, or a new one that pyplot does not know.

        Raises
        ------
        MissingExtra
            If Matplotlib is not installed.
        """
        from ter.display.interactions import plot_decomposition

        return plot_decomposition(self, path, ax=ax)


def _variables(number: int) -> str:
    return f"{number} variable{'s' * (number != 1)}"


def _sizes(groups: tuple[Integers, ...]) -> str:
    """Write the sizes of groups, the largest first.

    Examples
    --------
    >>> _sizes((np.arange(2), np.arange(5), np.arange(2)))
    '5, 2 (2x)'
    """
    sizes, counts = np.unique([group.size for group in groups], return_counts=True)
    texts = [f"{s} ({n}x)" if n > 1 else str(s) for s, n in zip(sizes[::-1], counts[::-1], strict=True)]
    return ", ".join(texts[:SHOWN]) + (", ..." if len(texts) > SHOWN else "")
