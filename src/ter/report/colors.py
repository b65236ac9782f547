"""One colour per heuristic, the same in the terminal, in pictures and on pages.

The palette is that of M. Okabe and K. Ito, "Color Universal Design" (2008), made to be told apart by colour-blind
people; its order is changed so that the first ones differ in lightness too.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["NEUTRAL", "PALETTE", "colors_of"]

PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#8A5A2B")
NEUTRAL = "#9AA0A6"


def colors_of(names: Sequence[str]) -> dict[str, str]:
    """Return a colour for each heuristic, by its position in the portfolio; a ninth begins anew.

    Examples
    --------
    >>> colors_of(["ls1", "cc"])
    {'ls1': '#0072B2', 'cc': '#E69F00'}
    """
    return {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(names)}
