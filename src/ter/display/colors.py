"""One colour per heuristic, the same in the terminal, in pictures and on pages; and other ones for algorithms.

The palette of the heuristics is that of M. Okabe and K. Ito, "Color Universal Design" (2008), made to be told apart by
colour-blind people; its order is changed so that the first ones differ in lightness too. Algorithms have the "bright"
scheme of P. Tol (2021), made for the same end, its yellow and cyan darkened so that thin lines show on white.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["DASHES", "LINES", "NEUTRAL", "PALETTE", "colors_of", "lines_of"]

PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#8A5A2B")
NEUTRAL = "#9AA0A6"
LINES = ("#4477AA", "#EE6677", "#228833", "#B8A030", "#AA3377", "#3AA5C4", "#8C8C8C")
DASHES = ("solid", "dash", "dashdot", "dot", "longdash")


def colors_of(names: Sequence[str]) -> dict[str, str]:
    """Return a colour for each heuristic, by its position in the portfolio; a ninth begins anew.

    Examples
    --------
    >>> colors_of(["ls1", "cc"])
    {'ls1': '#0072B2', 'cc': '#E69F00'}
    """
    return {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(names)}


def lines_of(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return a colour and a dash for the line of each algorithm; they repeat, but not together before the 36th.

    Examples
    --------
    >>> lines_of(["ter", "ran"])
    {'ter': ('#4477AA', 'solid'), 'ran': ('#EE6677', 'dash')}
    """
    return {name: (LINES[i % len(LINES)], DASHES[i % len(DASHES)]) for i, name in enumerate(names)}
