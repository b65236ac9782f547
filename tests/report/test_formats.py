from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from ter.display.texts import csv_cell
from ter.report import Board, Cell, Row, Table, as_csv, as_latex, as_markdown, as_terminal, tables_of
from ter.report.latex import escaped
from ter.report.table import colored, error_text

CELLS = (
    Cell("1.00e0", 1.0, spread=0.5, level=0.0, best=True),
    Cell("2.50e0", 2.5, spread=0.25, sign="<", level=1.0),
    Cell("7.00e0", 7.0, mark="†", faint=True),
)
TABLE = Table(
    "errors",
    "Errors, 50 % of them",
    ("lso13", "ter", "a_b", "paper"),
    (Row("f1", CELLS), Row("t-test </≈/>", (Cell(), Cell("1/0/0"), Cell()), summary=True)),
    ("† not compared.",),
)


def test_markdown():
    assert as_markdown(TABLE).splitlines() == [
        "### Errors, 50 % of them",
        "",
        r"| lso13 | ter | a\_b | paper |",
        "|---|---:|---:|---:|",
        r"| f1 | **1.00e0 ± 5.0e-1** | 2.50e0 ± 2.5e-1 \< | *7.00e0*† |",
        r"| t-test \</≈/> |  | 1/0/0 |  |",
        "",
        "† not compared.",
    ]


def test_csv_has_all_digits_and_no_summaries():
    rows = list(csv.reader(io.StringIO(as_csv(TABLE))))
    assert rows == [
        ["lso13", "ter", "ter std", "a_b", "a_b std", "a_b sign", "paper", "paper mark"],
        ["f1", "1.0", "0.5", "2.5", "0.25", "<", "7.0", "†"],
    ]


def test_a_text_that_a_spreadsheet_would_compute_is_quoted_in_csv():
    table = Table("t", "t", ("=a", "@b"), (Row("+c", (Cell("-d", "-d"),)), Row("e", (Cell("-1", -1.0),))))
    assert as_csv(table).splitlines() == ["'=a,'@b", "'+c,'-d", "e,-1.0"]


@given(
    st.lists(st.floats(allow_nan=False), min_size=1, max_size=5),
    st.text(st.characters(exclude_categories=["C"]), max_size=8),
)
def test_csv_can_be_read_back_exactly(values, name):
    names = [f"{name}{i}" for i in range(len(values))]
    row = Row(name, tuple(Cell(error_text(value), value) for value in values))
    text = as_csv(Table("t", "T", ("problem", *names), (row,)))
    header, found = csv.reader(io.StringIO(text, newline=""))
    assert header == ["problem", *map(csv_cell, names)] and found[0] == csv_cell(name)
    assert [float(number) for number in found[1:]] == values


def test_latex_has_the_papers_form():
    assert as_latex(TABLE).splitlines()[3:] == [
        r"\caption{Errors, 50 \% of them}",
        r"\begin{tabular}{lrrrrr}",
        r"\toprule",
        r"lso13 & \multicolumn{2}{c}{ter} & \multicolumn{2}{c}{a\_b} & \multicolumn{1}{c}{paper} \\",
        r" & mean & std & mean & std & \\",
        r"\midrule",
        r"f1 & \cellcolor[rgb]{.388, .745, .482}\textbf{1.00e0} & \cellcolor[rgb]{.859, .859, .859}\textbf{5.0e-1} & "
        r"\cellcolor[rgb]{.973, .412, .42}2.50e0 & 2.5e-1~$<$ & \textcolor{gray}{7.00e0}$^{\dagger}$ \\",
        r"\midrule",
        r"t-test $<$/$\approx$/$>$ & \multicolumn{2}{c}{} & \multicolumn{2}{c}{1/0/0} &  \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\par\smallskip\parbox{\linewidth}{\footnotesize $^{\dagger}$ not compared.}",
        r"\end{table}",
    ]


def test_a_number_without_a_deviation_takes_both_of_its_columns_in_latex():
    rows = (Row("f1", (Cell("1", 1.0, spread=0.5),)), Row("f2", (Cell("∞", float("inf"), mark="°"),)))
    lines = as_latex(Table("t", "T", ("", "x"), rows)).splitlines()
    assert r"f1 & 1 & 5.0e-1 \\" in lines and r"f2 & \multicolumn{2}{c}{$\infty$$^{\circ}$} \\" in lines


def widths(latex: str) -> set[int]:
    """The numbers of columns that the rows of a table have."""
    body = latex.partition(r"\toprule")[2].partition(r"\bottomrule")[0]
    found = set()
    for line in body.splitlines():
        if line.endswith(r"\\"):
            spans = sum(int(span) - 1 for span in re.findall(r"\\multicolumn\{(\d)\}", line))
            found.add(len(re.findall(r"(?<!\\)&", line)) + 1 + spans)
    return found


def test_every_row_of_every_latex_table_has_all_columns(board):
    beside = Board.of(board.study, ["paper", "mos", "shade-ils"])
    tables = tables_of(beside)
    assert len(tables) >= 9
    for table in tables:
        text = as_latex(table)
        columns = re.search(r"\\begin\{tabular\}\{([lr]+)\}", text)[1]
        assert widths(text) == {len(columns)}, table.name


def test_tables_of_odd_experiments_are_balanced(partial):
    from ter.report import Study

    for table in tables_of(Board.of(Study.of(partial), ["paper"])):
        assert all(len(row.cells) == len(table.header) - 1 for row in table.rows)
        text = as_latex(table)
        assert len(widths(text)) == 1 and text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
        assert len(as_csv(table).splitlines()) == 1 + sum(not row.summary for row in table.rows)
        lines = [line for line in as_markdown(table).splitlines() if line.startswith("|")]
        assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {len(table.header) + 1}


@given(st.text(alphabet="ab &%$#_{}~^\\<>", max_size=12))
def test_nothing_in_a_text_is_a_command_for_latex(text):
    left = escaped(text)
    for known in (r"\textbackslash{}", r"\textasciitilde{}", r"\textasciicircum{}", "$<$", "$>$"):
        left = left.replace(known, "")
    for character in "&%$#_{}":
        left = left.replace(f"\\{character}", "")
    assert not set(left) & set("&%$#_{}~^\\<>")


def test_the_terminal_shows_colours_where_there_are_any():
    plain, colorful = (
        Console(width=100, record=True, file=io.StringIO()),
        Console(width=100, force_terminal=True, color_system="truecolor", file=io.StringIO()),
    )
    plain.print(as_terminal(TABLE))
    colorful.print(as_terminal(TABLE))
    lines = plain.export_text().splitlines()
    assert lines[0] == "Errors, 50 % of them" and lines[1].split() == ["lso13", "ter", "a_b", "paper"]
    assert lines[2].split() == ["f1", "1.00e0", "±", "5.0e-1", "2.50e0", "±", "2.5e-1", "<", "7.00e0†"]
    assert "48;2;99;190;123" in colorful.file.getvalue()  # green behind the best


def test_the_best_is_marked_only_where_there_is_something_to_compare():
    nan, inf = float("nan"), float("inf")
    best = [
        [cell.best for cell in colored([Cell()] * len(row), row)]
        for row in ([1.0], [1.0, nan], [2.0, 2.0], [inf, 3.0, 4.0])
    ]
    assert best == [[False], [False, False], [True, True], [False, True, False]]


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0"), (1.0, "1.00e0"), (-637.2, "-6.37e2"), (9.999e9, "1.00e10"), (float("nan"), "–")]
)
def test_numbers_as_the_field_writes_them(value, text):
    assert error_text(value) == text


@pytest.mark.parametrize(
    ("columns", "kind", "shrunk"), [(2, "table", False), (7, "table*", False), (12, "table*", True)]
)
def test_wide_latex_tables_are_made_to_fit(columns, kind, shrunk):
    row = Row("f1", (Cell("1.00e0", 1.0, spread=0.1),) * columns)
    text = as_latex(Table("t", "T", ("", *("x" * columns)), (row,)))
    assert f"\\begin{{{kind}}}" in text and f"\\end{{{kind}}}" in text
    assert (r"\resizebox{\linewidth}" in text) == shrunk == ("graphicx" in text.splitlines()[0])
