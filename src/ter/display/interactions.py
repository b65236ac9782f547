"""The picture of a decomposition: which variables interact, thinned to cells."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ter.core.ledger import Integers
from ter.display.axes import INK, named, new_figure
from ter.display.decomposition import Decomposition
from ter.display.texts import count_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["cells_of", "order_of", "plot_decomposition"]

CELLS = 500  # in each direction: more cannot be told apart in a picture
MOST_LINES = 60  # more groups than this would be covered by the lines around them


def order_of(found: Decomposition) -> Integers:
    """Return the variables group by group, then the separable ones and those undecided.

    Examples
    --------
    >>> import ter
    >>> order_of(ter.decompose(lambda x: x[0] * x[2] + x[1], ter.box(0, 1, dimension=3))).tolist()
    [0, 2, 1]
    """
    return np.concatenate([*found.groups, found.separable, found.undecided]).astype(np.int64)


def cells_of(found: Decomposition, cells: int = CELLS) -> NDArray[np.float64]:
    """Return the matrix of interactions, thinned: the share of each cell's pairs that interact.

    Examples
    --------
    >>> import ter
    >>> cells_of(ter.decompose(lambda x: x[0] * x[2] + x[1], ter.box(0, 1, dimension=3)))
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 0., 0.]])
    """
    n = found.dimension
    cells = min(cells, n)
    cell_of = np.empty(n, dtype=np.int64)
    cell_of[order_of(found)] = np.arange(n) * cells // n
    sizes = np.bincount(cell_of, minlength=cells)
    counts = np.zeros((cells, cells))
    if found.pairs is None:  # everything in a group counts, without a look at each pair
        for group in found.groups:
            own = np.bincount(cell_of[group], minlength=cells)
            touched = np.flatnonzero(own)
            counts[np.ix_(touched, touched)] += np.outer(own[touched], own[touched])
            counts[touched, touched] -= own[touched]
    else:
        for i in range(n):
            counts[cell_of[i]] += np.bincount(cell_of[found.interacting(i)], minlength=cells)
    return counts / np.maximum(1, np.outer(sizes, sizes) - np.diag(sizes))


def plot_decomposition(
    found: Decomposition, path: str | PathLike[str] | None = None, *, ax: Axes | None = None
) -> Figure:
    """Draw the matrix of interactions, with a frame around each group.

    Raises
    ------
    MissingExtra
        If Matplotlib is not installed.
    """
    if ax is None:
        figure = new_figure(5.4, 5.6, dpi=110)
        ax = figure.add_subplot()
    else:
        figure = ax.figure.figure
    n = found.dimension
    # Pairs of a chain are few in a cell of many pairs: the root keeps them visible.
    shares = np.sqrt(cells_of(found))
    ax.imshow(shares, cmap="Blues", vmin=0, vmax=1, extent=(0, n, n, 0), interpolation="nearest")
    _frame_groups(ax, found)
    ax.set_xlabel("variables, group by group", color=INK)
    ax.set_ylabel("variables", color=INK)
    ax.tick_params(colors=INK)
    ax.set_title(_title(found), loc="left", fontsize=10, color=INK)
    if path is not None:
        figure.savefig(path)
    return figure


def _frame_groups(axes: Axes, found: Decomposition) -> None:
    from matplotlib.patches import Rectangle

    first = 0
    for group in found.groups[:MOST_LINES]:
        axes.add_patch(Rectangle((first, first), group.size, group.size, fill=False, edgecolor=INK, linewidth=0.6))
        first += group.size
    grouped = sum(group.size for group in found.groups)
    for begin, variables, label in (
        (grouped, found.separable, "separable"),
        (grouped + found.separable.size, found.undecided, "undecided"),
    ):
        if variables.size:  # written up to their end, since there may be few of them
            end, middle = begin + variables.size, begin + variables.size / 2
            axes.text(end, middle, f"{variables.size} {label} ", color=INK, fontsize=9, ha="right", va="center")


def _title(found: Decomposition) -> str:
    name = f"{named(found.problem)}: " if found.problem else ""
    groups = f"{len(found.groups)} group{'s' * (len(found.groups) != 1)}"
    text = f"{name}{groups}, {found.method}, {count_text(found.nfev)} evaluations"
    return text if found.complete else f"{text}\n{found.message}"
