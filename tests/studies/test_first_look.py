from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "studies" / "first-look"


@pytest.fixture
def scripts(monkeypatch):
    """The scripts as modules, found the way Python finds them when one of them is started."""
    monkeypatch.syspath_prepend(FOLDER)
    import report
    import rows
    import run

    return rows, run, report


@pytest.fixture
def row(scripts):
    rows, _, _ = scripts
    return rows.Row(
        *("lso13-raw", 2, "ter", 1, 3_000_000),
        value=0.1 + 0.2,
        start=1e5,
        evaluations=3_000_000,
        seconds=5.0,
        cpu_seconds=4.0,
        decisions=65,
        share_ls=13.0,
        share_cc=70.0,
        share_gs=17.0,
        sequence="LCG",
        ter="0.1.0",
        fingerprint="now",
    )


def test_the_plan_is_that_of_the_issue_and_sees_every_function_early(scripts):
    _, run, _ = scripts
    tasks = run.plan()
    assert len(tasks) == len(set(tasks)) == 15 * 5 + 4 * 6 * 2 + 6 * 3
    assert [task.seed for task in tasks] == sorted(task.seed for task in tasks)
    assert {task.function for task in tasks[:15]} == set(range(1, 16))
    assert {task.budget for task in tasks} == {3_000_000, 5_000_000}


def test_a_run_gives_a_row_that_survives_the_file(scripts, tmp_path):
    rows, run, _ = scripts
    task = rows.Task("lso13-raw", 1, "ter", 1, 2_000)
    done = run.perform(task, rows.fingerprint())
    assert done.task == task and done.evaluations == 2_000 and done.value < done.start
    assert done.sequence == "L" and (done.share_ls, done.share_cc, done.share_gs) == (100, 0, 0)
    rows.append(done, tmp_path / "runs.csv")
    assert rows.read(tmp_path / "runs.csv") == [done]
    assert run.perform(task, rows.fingerprint()).value == done.value


def test_a_changed_source_is_noticed(scripts):
    rows, run, _ = scripts
    with pytest.raises(RuntimeError, match="sources changed"):
        run.perform(rows.Task("lso13-raw", 1, "ter", 1, 100), "another")


def test_rows_of_the_present_code_come_first(scripts, row, tmp_path):
    rows, _, _ = scripts
    old, later = replace(row, fingerprint="old", value=9.0), replace(row, seed=2, fingerprint="old")
    for one in (row, old, later):
        rows.append(one, tmp_path / "runs.csv")
    kept = rows.newest(rows.read(tmp_path / "runs.csv"), "now")
    assert kept == {row.task: row, later.task: later}


def test_a_line_cut_short_is_left_out(scripts, row, tmp_path):
    rows, _, _ = scripts
    path = tmp_path / "runs.csv"
    rows.append(row, path)
    path.write_text(path.read_text() + "lso13-raw,3,ter,1,3000")
    assert rows.read(path) == [row]


@pytest.mark.parametrize(
    ("ours", "paper", "within"),
    [
        (8.0, 9.0, True),
        (27.1, 9.0, False),
        (2.9, 9.0, False),
        (1e-12, 0.0, True),
        (1e-8, 0.0, True),
        (4e-8, 0.0, False),
    ],
)
def test_within_a_factor_of_three_with_a_floor_for_zeros(scripts, row, ours, paper, within):
    _, _, report = scripts
    line = report.Line([replace(row, value=ours)], report.Published(paper, None, 20), None)
    assert line.within is within and math.isclose(line.floor, 1e-8)


def test_the_report_counts_and_says_what_is_old(scripts, row):
    _, _, report = scripts
    published = report.read_published(FOLDER / "paper.csv")
    rows = [replace(row, value=8.0), replace(row, seed=2, value=10.0, fingerprint="old"), replace(row, function=4)]
    written = re.sub(" +", " ", report.text(rows, published, "now", "## Notes\n\nMine."))
    assert "| f2 | 9 ± 1.4e+00 (2) " in written and "| 8.69 ± 2.8e+00 | 8.61 ± 2.9e+00 |" in written
    assert "**1 of 2 are within a factor of 3 of the paper**; 1 are better" in written
    assert "of which 1 were made by an earlier state" in written
    assert "No runs yet." in written and written.endswith("Mine.\n")


def test_the_published_numbers_cover_the_plan(scripts):
    _, run, report = scripts
    published = report.read_published(FOLDER / "paper.csv")
    missing = [task for task in run.plan() if ("paper", (task.suite, task.function, task.algorithm)) not in published]
    assert not missing
