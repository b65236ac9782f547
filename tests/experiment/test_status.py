from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ter.experiment.progress import missing, progress_of
from ter.experiment.status import CellStatus, status_of
from ter.experiment.store import Line
from tests.experiment.helpers import small_plan


def line(spec, *, failed=False, wall=2.0, code=None, day=1):
    key = spec.key if code is None else replace(spec.key, code=code)
    return Line(key, spec.label, spec.run, wall, f"2030-01-{day:02d}", failed)


@pytest.fixture
def specs():
    return small_plan(runs=3).specs()  # ter, ls, ter, ls, ter, ls


def test_cells_of_a_plan(specs):
    lines = [line(specs[0], wall=1.0), line(specs[2], wall=3.0), line(specs[1], failed=True, wall=9.0)]
    status = status_of(lines, specs)
    codes = (specs[0].key.code,)
    assert status.cells == (
        CellStatus("lso08/f1", 10, "1000", "ter", finished=2, failed=0, missing=1, seconds=2.0, codes=codes),
        CellStatus("lso08/f1", 10, "1000", "ls", finished=0, failed=1, missing=2, seconds=None, codes=codes),
    )
    assert not status.mixed
    assert (status.finished, status.failed, status.missing) == (2, 1, 3)
    assert status.seconds_left == 3 * 2.0  # the mean of the same problem
    assert status_of([], specs).seconds_left == math.inf and status_of(lines).seconds_left == 0.0


def test_without_a_plan_nothing_is_missing(specs):
    status = status_of([line(specs[1]), line(specs[0], code="old")])
    assert [(cell.label, cell.finished, cell.missing) for cell in status.cells] == [("ls", 1, 0), ("ter", 1, 0)]


def test_runs_of_other_code_are_told(specs):
    lines = [line(specs[0], code="old", day=1), line(specs[1], code="old", day=1), line(specs[1], day=2)]
    status = status_of(lines, specs)
    assert status.codes == {specs[0].key.code: 1, "old": 2} and list(status.codes)[1] == "old"
    assert (status.finished, status.missing, status.other_code) == (1, 5, 1)
    status = status_of(lines, specs, any_code=True)
    assert (status.finished, status.missing, status.other_code) == (2, 4, 0)
    assert status_of(lines).mixed and not status_of(lines[1:2]).mixed


def test_runs_of_other_plans_do_not_count(specs):
    other = small_plan(seed=2).specs()
    assert status_of([line(other[0]), line(specs[0])], specs).finished == 1


def test_progress_agrees_with_status(specs):
    lines = [line(specs[0]), line(specs[1], failed=True), line(specs[2], code="old"), line(specs[3], failed=True)]
    for any_code in (False, True):
        status, progress = status_of(lines, specs, any_code=any_code), progress_of(specs, lines, any_code=any_code)
        assert (progress.finished, progress.failed, progress.total) == (status.finished, status.failed, len(specs))


def test_what_is_missing(specs):
    lines = [line(specs[0]), line(specs[1], failed=True), line(specs[2], code="old")]
    assert missing(specs, lines) == specs[2:]
    assert missing(specs, lines, retry_failed=True) == specs[1:]
    assert missing(specs, lines, any_code=True) == specs[3:]
    assert missing(specs, lines, any_code=True, retry_failed=True) == [specs[1], *specs[3:]]


def test_a_run_that_failed_and_was_then_done_by_other_code_is_finished(specs):
    lines = [line(specs[0], failed=True), line(specs[0], code="old")]
    assert status_of(lines, specs, any_code=True).finished == 1
    assert missing(specs[:1], lines, any_code=True, retry_failed=True) == []
