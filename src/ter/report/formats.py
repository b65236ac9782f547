"""Tables as text: Markdown, CSV, and what Rich prints in a terminal. LaTeX has a module of its own."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ter.display.texts import csv_cell, plain_text
from ter.report.gradient import color_at, hex_of
from ter.report.table import Cell, Table

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["as_csv", "as_markdown", "as_terminal"]


def as_markdown(table: Table) -> str:
    r"""Write a table in Markdown; the best of each row is bold.

    Examples
    --------
    >>> from ter.report.table import Row
    >>> row = Row("f1", (Cell("1", 1.0, best=True), Cell("2", 2.0, sign="<")))
    >>> print(as_markdown(Table("t", "Errors", ("", "x", "y"), (row,), ("A note.",))))
    ### Errors
    <BLANKLINE>
    |  | x | y |
    |---|---:|---:|
    | f1 | **1** | 2 \< |
    <BLANKLINE>
    A note.
    <BLANKLINE>
    """
    lines = [f"### {_escaped(table.title)}", ""]
    lines.append(_line(_escaped(title) for title in table.header))
    lines.append("|---|" + "---:|" * (len(table.header) - 1))
    lines += [_line([_escaped(row.title), *map(_markdown_cell, row.cells)]) for row in table.rows]
    lines.append("")
    for note in table.notes:
        lines += [_escaped(note), ""]
    return "\n".join(lines)


def as_csv(table: Table) -> str:
    """Write a table for programs: all digits; deviations, signs and marks have columns of their own; no summaries.

    Examples
    --------
    >>> from ter.report.table import Row
    >>> row = Row("f1", (Cell("1.23e0", 1.234, spread=0.5), Cell("2", 2.0, sign="<")))
    >>> as_csv(Table("t", "Errors", ("problem", "x", "y"), (row,))).splitlines()
    ['problem,x,x std,y,y sign', 'f1,1.234,0.5,2.0,<']
    """
    rows = [row for row in table.rows if not row.summary]
    columns = range(len(table.header) - 1)
    with_spread = [any(row.cells[i].spread is not None for row in rows) for i in columns]
    with_sign = [any(row.cells[i].sign for row in rows) for i in columns]
    with_mark = [any(row.cells[i].mark for row in rows) for i in columns]
    header = [table.header[0]]
    for i in columns:
        title = table.header[i + 1]
        header += [title, *([f"{title} std"] * with_spread[i]), *([f"{title} sign"] * with_sign[i])]
        header += [f"{title} mark"] * with_mark[i]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(csv_cell, header))
    for row in rows:
        line: list[object] = [row.title]
        for i, cell in enumerate(row.cells):
            line += [cell.value, *([cell.spread] * with_spread[i]), *([cell.sign] * with_sign[i])]
            line += [cell.mark] * with_mark[i]
        writer.writerow(map(csv_cell, line))
    return text.getvalue()


def as_terminal(table: Table) -> RenderableType:
    """Return what Rich prints: the colour scale as background, the best bold."""
    from rich.console import Group
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    grid.add_column(Text(plain_text(table.header[0])), no_wrap=True)
    for title in table.header[1:]:
        grid.add_column(Text(plain_text(title)), justify="right")
    for row in table.rows:
        style = "dim" if row.summary else ""
        grid.add_row(
            Text(plain_text(row.title), style=style),
            *(Text(plain_text(cell.whole), style=_style(cell)) for cell in row.cells),
        )
    return Group(
        Text(plain_text(table.title), style="bold"),
        grid,
        *(Text(plain_text(note), style="dim") for note in table.notes),
        Text(""),
    )


def _style(cell: Cell) -> str:
    if cell.faint:
        return "dim"
    weight = "bold " if cell.best else ""
    return f"{weight}black on {hex_of(color_at(cell.level))}" if cell.level is not None else weight.strip()


def _markdown_cell(cell: Cell) -> str:
    text = _escaped(cell.text)
    if cell.spread_text:
        text += f" ± {cell.spread_text}"
    text = f"**{text}**" if cell.best else f"*{text}*" if cell.faint and cell.text else text
    return f"{text}{cell.mark} {_escaped(cell.sign)}".strip()


def _escaped(text: str) -> str:
    for character in "\\|<*_":
        text = text.replace(character, f"\\{character}")
    return text


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
