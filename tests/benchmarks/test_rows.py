"""The rows of the functions: complete, consistent, and what the documentation and the official numbers say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ter.benchmarks import FUNCTIONS as ROWS
from ter.benchmarks.definitions import LSO08, LSO08_UNBIASED, LSO10, LSO13, LSO13_RAW, Base, Function, Transform
from tests.reference_points import FUNCTIONS, dimension, half_width
from tests.reference_values import data

DOCS = Path(__file__).parents[2] / "docs"
SUITES = {"lso08": LSO08, "lso08-unbiased": LSO08_UNBIASED, "lso10": LSO10, "lso13": LSO13, "lso13-raw": LSO13_RAW}
EVERY_ROW = [row for rows in SUITES.values() for row in rows]
DOCUMENTED = [*LSO08, *LSO10, *LSO13]
PAGES = {"lso08": 7, "lso10": 5, "lso13": 6}  # and the columns of their tables


def name_of(row: Function) -> str:
    return row.name


each = pytest.mark.parametrize("row", EVERY_ROW, ids=name_of)
each_documented = pytest.mark.parametrize("row", DOCUMENTED, ids=name_of)


def documented(row: Function) -> dict[str, str]:
    """The row of a function in the table of its page, by the names of the columns."""
    lines = (DOCS / f"{row.suite}.md").read_text(encoding="utf-8").splitlines()
    tables = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    (head,) = (cells for cells in tables if cells[0] == "f")
    (own,) = (cells for cells in tables if cells[0] == str(row.number))
    assert len(head) == len(own) == PAGES[row.suite]
    return dict(zip(head, own, strict=True))


def test_every_function_has_a_row_and_every_row_is_listed():
    assert [row.name for row in EVERY_ROW] == list(ROWS)
    for suite, rows in SUITES.items():
        assert [row.number for row in rows] == list(FUNCTIONS[rows[0].competition])
        assert {row.suite for row in rows} == {suite}


@each
def test_boxes_and_dimensions_are_those_of_the_reference(row):
    assert row.half_range == half_width(row.competition, row.number)
    assert row.dimension == dimension(row.competition, row.number)


@each_documented
def test_the_documentation_has_the_box_of_the_row(row):
    assert documented(row)["box"] == f"±{row.half_range}"


@pytest.mark.parametrize("row", LSO08, ids=name_of)
def test_the_documentation_has_the_shifts_and_the_value_of_the_row(row):
    low, high = row.shifts
    said = documented(row)
    assert said["shifts in"] == (f"±{high}" if low == -high else f"{low} to {high}")
    assert said["optimum"] == f"{row.bias:+g}"


@pytest.mark.parametrize("row", LSO13, ids=name_of)
def test_the_documentation_has_the_groups_and_the_optimum_of_the_row(row):
    said = documented(row)
    groups = re.match(r"(\d*)( that overlap)?", said["groups and weights"])
    assert (groups[1] or "0") == str(row.groups)
    assert bool(groups[2]) == (row.shared > 0)
    assert (said["optimum"] == "not known") == row.conflicting
    assert (said["optimum"] == "$o + 1$") == (row.base is Base.ROSENBROCK)


@each_documented
def test_one_line_says_what_the_row_says(row):
    counted = re.search(r"(\d+|a) (rotated )?groups?", row.about)
    assert (counted is not None) == (row.groups > 0)
    if counted:
        assert counted[1].replace("a", "1") == str(row.groups)
        assert bool(counted[2]) == row.rotated
    assert ("overlap" in row.about) == (row.shared > 0)
    assert ("disagree" in row.about) == row.conflicting
    assert ("sphere on" in row.about) == (row.rest is Base.SPHERE)


@each
def test_the_official_numbers_are_there_for_what_the_row_asks(row):
    numbers = {name.partition("_")[2] for name in data(row.competition) if name.startswith(f"f{row.number}_")}
    wanted = {"shift"}
    if row.groups:
        wanted |= {"permutation"}
        sizes = () if row.group_size else data(row.competition)[f"f{row.number}_sizes"]
        wanted |= {"rotation"} if row.group_size and row.rotated else {f"r{size}" for size in sizes}
        wanted |= set() if row.group_size else {"sizes", "weights"}
        assert row.group_size or len(sizes) == row.groups
    assert numbers == wanted


def test_variants_differ_from_their_competition_in_what_they_say():
    for variant, original in ((LSO08_UNBIASED, LSO08), (LSO13_RAW, LSO13)):
        assert all(row.variant and not other.variant for row, other in zip(variant, original, strict=True))
    assert {row.bias for row in LSO08_UNBIASED} == {0.0}
    changed = [row.number for row, other in zip(LSO13_RAW, LSO13, strict=True) if row.transform != other.transform]
    assert changed == [3, 6, 10]
    assert all(row.transform is Transform.NONE for row in LSO13_RAW if row.base is Base.ACKLEY)
