"""Tables in LaTeX, with the rules of booktabs and the paper's colours."""

from __future__ import annotations

from ter.report.gradient import color_at
from ter.report.table import Cell, Row, Table

__all__ = ["as_latex"]

NEEDS = "% Needs \\usepackage{booktabs} and \\usepackage[table]{xcolor}"
GREY = "\\cellcolor[rgb]{.859, .859, .859}"  # behind the deviation of the best, as in the paper
# Characters in a line above which a table runs over both columns of the page, and above which it is shrunk to fit.
WIDE, WIDEST = 70, 125
SPECIAL = {
    "\\": "\\textbackslash{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "≈": "$\\approx$",
    "±": "$\\pm$",
    "×": "$\\times$",
    "∞": "$\\infty$",
    "τ": "$\\tau$",
    "χ": "$\\chi$",
    "²": "$^2$",
    "−": "$-$",
    "–": "--",
    "†": "$^{\\dagger}$",
    "‡": "$^{\\ddagger}$",
    "°": "$^{\\circ}$",
    "\N{NO-BREAK SPACE}": "~",
}


def as_latex(table: Table) -> str:
    r"""Write a table for a paper.

    Where numbers have standard deviations, these are in columns of their own.

    Examples
    --------
    >>> row = Row("f1", (Cell("1.5e0", 1.5, level=0.0, best=True), Cell("2", 2.0, level=1.0)))
    >>> print(as_latex(Table("t", "Errors", ("", "x", "y"), (row,))))
    % Needs \usepackage{booktabs} and \usepackage[table]{xcolor}.
    \begin{table}
    \centering
    \caption{Errors}
    \begin{tabular}{lrr}
    \toprule
     & x & y \\
    \midrule
    f1 & \cellcolor[rgb]{.388, .745, .482}\textbf{1.5e0} & \cellcolor[rgb]{.973, .412, .42}2 \\
    \bottomrule
    \end{tabular}
    \end{table}
    <BLANKLINE>
    """
    spread = [any(row.cells[i].spread_text for row in table.rows) for i in range(len(table.header) - 1)]
    columns = "l" + "".join("rr" if wide else "r" for wide in spread)
    length = _length(table)
    kind = "table*" if length > WIDE else "table"
    lines = [f"{NEEDS}{', and graphicx' if length > WIDEST else ''}.", f"\\begin{{{kind}}}", "\\centering"]
    if kind == "table*":
        lines += ["\\scriptsize", "\\setlength{\\tabcolsep}{2.5pt}"]
    lines.append(f"\\caption{{{escaped(table.title)}}}")
    if length > WIDEST:
        lines.append("\\resizebox{\\linewidth}{!}{%")
    lines += [f"\\begin{{tabular}}{{{columns}}}", "\\toprule"]
    lines += _header(table, spread)
    lines.append("\\midrule")
    for before, row in zip((None, *table.rows), table.rows, strict=False):
        if row.summary and before is not None and not before.summary:
            lines.append("\\midrule")
        lines.append(_line(row, spread))
    lines += ["\\bottomrule", f"\\end{{tabular}}{'}' if length > WIDEST else ''}"]
    if table.notes:
        notes = " ".join(escaped(note) for note in table.notes)
        lines.append(f"\\par\\smallskip\\parbox{{\\linewidth}}{{\\footnotesize {notes}}}")
    return "\n".join([*lines, f"\\end{{{kind}}}", ""])


def _length(table: Table) -> int:
    """How many characters a line of the table has, with the space between columns."""
    entries = [[row.title, *(cell.whole for cell in row.cells)] for row in table.rows]
    return sum(max(len(row[i]) for row in [table.header, *entries]) + 2 for i in range(len(table.header)))


def escaped(text: str) -> str:
    r"""Write text so that LaTeX prints it.

    Examples
    --------
    >>> print(escaped("50 % of a_b ≈ 1"))
    50 \% of a\_b $\approx$ 1
    """
    return "".join(SPECIAL.get(character, character) for character in text)


def _header(table: Table, spread: list[bool]) -> list[str]:
    titles = [escaped(title) for title in table.header[1:]]
    if not any(spread):
        return [" & ".join([escaped(table.header[0]), *titles]) + " \\\\"]
    spans = [f"\\multicolumn{{{2 if wide else 1}}}{{c}}{{{title}}}" for title, wide in zip(titles, spread, strict=True)]
    below = [" & mean & std" if wide else " &" for wide in spread]
    return [" & ".join([escaped(table.header[0]), *spans]) + " \\\\", "".join(below) + " \\\\"]


def _line(row: Row, spread: list[bool]) -> str:
    entries = [escaped(row.title)]
    for cell, wide in zip(row.cells, spread, strict=True):
        if not wide:
            entries.append(_entry(cell, _sign(cell)))
        elif row.summary or not cell.spread_text:
            entries.append(f"\\multicolumn{{2}}{{c}}{{{_entry(cell, _sign(cell))}}}")
        else:
            shade = GREY if cell.best else ""
            entries += [_entry(cell), f"{shade}{_emphasised(cell, cell.spread_text)}{_sign(cell)}"]
    return " & ".join(entries) + " \\\\"


def _entry(cell: Cell, after: str = "") -> str:
    color = ""
    if cell.level is not None:
        parts = ", ".join(
            f"{part:.3f}".rstrip("0").rstrip(".").removeprefix("0") or "0" for part in color_at(cell.level)
        )
        color = f"\\cellcolor[rgb]{{{parts}}}"
    return f"{color}{_emphasised(cell, cell.text)}{escaped(cell.mark)}{after}"


def _emphasised(cell: Cell, text: str) -> str:
    if cell.best:
        return f"\\textbf{{{escaped(text)}}}"
    return f"\\textcolor{{gray}}{{{escaped(text)}}}" if cell.faint and text else escaped(text)


def _sign(cell: Cell) -> str:
    return f"~{escaped(cell.sign)}" if cell.sign else ""
