"""A table as data, before anybody decides whether it becomes Markdown, LaTeX, CSV, a page or lines in a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ter.report.gradient import levels

__all__ = ["NONE", "Cell", "Row", "Table", "colored", "error_text", "p_text", "percent_cell"]

NONE = "–"


@dataclass(frozen=True)
class Cell:
    """One entry.

    Attributes
    ----------
    text : str
        What people read.
    value : float, int, str or None
        What programs read, and what rows are sorted by.
    spread : float or None
        A standard deviation that stands beside the value.
    sign : str
        How the reference compares with this: "<" if it is significantly smaller, "≈" or ">".
    mark : str
        Of a footnote.
    level : float or None
        Place on the colour scale, 0 for the best and 1 for the worst of the row; None for no colour.
    best : bool
        Whether it is the best of its row.
    faint : bool
        Whether it is only shown, not compared.
    """

    text: str = ""
    value: float | int | str | None = None
    spread: float | None = None
    sign: str = ""
    mark: str = ""
    level: float | None = None
    best: bool = False
    faint: bool = False

    @property
    def spread_text(self) -> str:
        """The standard deviation, short; empty without one."""
        return "" if self.spread is None or math.isnan(self.spread) else error_text(self.spread, digits=1)

    @property
    def whole(self) -> str:
        """Text, standard deviation, sign and mark in one line."""
        text = f"{self.text} ± {self.spread_text}" if self.spread_text else self.text
        return f"{text}{self.mark} {self.sign}".rstrip()


@dataclass(frozen=True)
class Row:
    """A row.

    Attributes
    ----------
    title : str
        Its first entry.
    cells : tuple of Cell
        The others.
    summary : bool
        Whether it sums up the rows above, and is not one of them.
    """

    title: str
    cells: tuple[Cell, ...]
    summary: bool = False


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes
    ----------
    name : str
        Of its files.
    title : str
        One line.
    header : tuple of str
        Titles of the columns, that of the row titles first.
    rows : tuple of Row
        The rows.
    notes : tuple of str
        What one has to know to read it.
    """

    name: str
    title: str
    header: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


def colored(cells: Sequence[Cell], values: Sequence[float]) -> tuple[Cell, ...]:
    """Give the cells of a row their colours, and mark the best; NaN in `values` means that a cell is not compared.

    Examples
    --------
    >>> [(cell.level, cell.best) for cell in colored([Cell("1"), Cell("2"), Cell("?")], [1.0, 2.0, float("nan")])]
    [(0.0, True), (1.0, False), (None, False)]
    """
    finite = [value for value in values if math.isfinite(value)]
    best = min(finite) if len(finite) > 1 else None
    places = levels(values)
    return tuple(
        replace(cell, level=level, best=best is not None and value == best)
        for cell, value, level in zip(cells, values, places, strict=True)
    )


def error_text(value: float, digits: int = 2) -> str:
    """Write an error as the tables of the field do.

    Examples
    --------
    >>> error_text(698123456.0), error_text(0.0), error_text(float("inf")), error_text(9.99e-13, 1)
    ('6.98e8', '0', '∞', '1.0e-12')
    """
    if math.isnan(value):
        return NONE
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if value == 0:
        return "0"
    mantissa, _, exponent = f"{value:.{digits}e}".partition("e")
    return f"{mantissa}e{int(exponent)}"


def percent_cell(value: float) -> Cell:
    """Return a cell for a similarity in percent, of which 100 is the best; a dash for NaN.

    Examples
    --------
    >>> percent_cell(75.0)
    Cell(text='75.0', value=75.0, spread=None, sign='', mark='', level=0.25, best=False, faint=False)
    """
    return Cell(NONE, faint=True) if math.isnan(value) else Cell(f"{value:.1f}", value, level=1 - value / 100)


def p_text(p: float) -> str:
    """Write a p-value.

    Examples
    --------
    >>> p_text(0.0421), p_text(3.2e-7), p_text(1.0)
    ('0.042', '3.2e-7', '1')
    """
    return f"{p:.2g}" if p >= 1e-3 else error_text(p, 1)
