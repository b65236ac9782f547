"""What the studies share."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.kit.blocks import block_of, write_block
from studies.kit.compared import Compared
from studies.kit.rows import in_order, read_rows, row_of, write_rows
from ter.analysis import published
from tests.experiment.helpers import record

means = st.floats(1e-7, 1e20)


def test_only_what_stands_between_the_marks_changes(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("above\n<a>\nold <b>\nbelow <a>\n", encoding="utf-8")
    write_block(page, "<a>", "<b>", "new")
    assert page.read_text(encoding="utf-8") == "above\n<a>\n\nnew\n\n<b>\nbelow <a>\n"
    assert block_of(page, "<a>", "<b>") == "new"
    write_block(page, "<a>", "<b>", "new")
    assert page.read_text(encoding="utf-8") == "above\n<a>\n\nnew\n\n<b>\nbelow <a>\n"


@pytest.mark.parametrize("text", ["nothing", "<a> only", "<b> before <a>"])
def test_a_page_without_the_marks_is_left_alone(tmp_path, text):
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"page.md must have the marks '<a>' and '<b>', in this order"):
        write_block(page, "<a>", "<b>", "new")
    assert page.read_text(encoding="utf-8") == text


@given(means, means, st.floats(1.0, 100.0))
def test_within_a_factor_is_the_same_both_ways(ours, theirs, factor):
    assert Compared((ours,), theirs).ratio == pytest.approx(ours / theirs)
    if abs(math.log(ours / theirs)) != pytest.approx(math.log(factor)):
        assert Compared((ours,), theirs).within(factor) == Compared((theirs,), ours).within(factor)


@given(means, means, means)
def test_near_means_so_many_deviations(ours, theirs, std):
    assert Compared((ours,), theirs, std).near(2.0) == (abs(ours - theirs) <= 2.0 * std)


def test_small_means_are_solved():
    both, one = Compared((1e-12, 1e-30), 0.0, 0.0), Compared((1e-12, 1.0), 0.0, 0.0)
    assert both.solved and both.ratio == 1.0 and both.within(2.0) and both.near(2.0)
    assert not one.solved and one.ratio == math.inf and not one.within(1e9) and one.near(2.0) is False
    assert Compared((0.0,), 3.0).ratio == 0.0


def test_nothing_is_said_of_what_is_not_known():
    for each in (Compared((), 3.0, 1.0), Compared((3.0,)), Compared((3.0,), 3.0, 1.0, remark="doubtful")):
        assert each.ratio is None and each.near(2.0) is None and not each.within(10.0)
    assert Compared((3.0,), 3.0).near(2.0) is None


def test_published_results_come_along():
    f5 = Compared.beside((2.7e6,), published("paper-w6").find("lso13-raw/f5"))
    assert f5.mean == 2.72e8 and f5.remark and f5.ratio is None
    assert Compared.beside((1.0,), published("paper").find("lso13/f3")).mean is None


def test_runs_become_rows_with_all_digits_in_natural_order(tmp_path):
    records = [record(run, 0.1 + 0.2, run=run, problem=f"lso13/f{k}") for k in (10, 2) for run in (2, 1)]
    rows = in_order(row_of(each) for each in records)
    assert [(row["function"], row["run"]) for row in rows] == [("f2", "1"), ("f2", "2"), ("f10", "1"), ("f10", "2")]
    assert float(rows[0]["error"]) == 0.1 + 0.2 and rows[0]["suite"] == "lso13"
    write_rows(tmp_path / "runs.csv", list(rows[0]), rows)
    assert read_rows(tmp_path / "runs.csv") == rows
