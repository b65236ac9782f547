"""The first runs again, compared with the committed ones."""

from __future__ import annotations

from dataclasses import replace

from studies.kit.rows import read_rows
from studies.paper import sample
from studies.paper.results import PARTS, Results, specs_of
from ter.experiment.fingerprint import fingerprint
from tests.studies.made_runs import made_run


def first_runs(code, value=1.0, sequence="LCG"):
    return [replace(run, key=replace(run.key, code=code)) for run in
            (made_run(spec, value, sequence) for spec in sample.first_of("ackley"))]  # fmt: skip


def test_equal_runs_are_the_same_and_others_are_named(tmp_path):
    before = first_runs("old")
    now = first_runs("new")
    changed = replace(now[0], fun=1.0000000000000002, nfev=now[0].nfev - 1, milestones={120_000: 3.0})
    other = replace(now[1], actions=now[1].actions[:-1])
    path = tmp_path / "sample.csv"
    rows = sample.write_sample(Results.of(before), Results.of([changed, other, *now[2:]]), path)
    assert [row["differs"] for row in rows] == ["value evaluations milestones", "decisions", ""]
    assert {(row["before"], row["code"]) for row in rows} == {("old", "new")} and read_rows(path)[2]["differs"] == ""
    (table,) = sample.sample_tables(path)
    found = {row.title: [cell.text for cell in row.cells] for row in table.rows}
    assert found["ackley"] == ["3", "3", "1", "new"] and found["ter"] == ["15", "0", "0", "–"]
    assert sample.sample_tables(tmp_path / "nothing.csv") == []


def test_what_the_file_says_of_other_runs_stays(tmp_path):
    before, path = Results.of(first_runs("old")), tmp_path / "sample.csv"
    now = first_runs("new")
    sample.write_sample(before, Results.of([replace(now[0], fun=2.0), now[1]]), path)
    assert [row["differs"] for row in read_rows(path)] == ["value", ""]
    newer = first_runs("newer")
    assert len(sample.write_sample(before, Results.of([newer[0], newer[2]]), path)) == 2
    assert [(row["code"], row["differs"]) for row in read_rows(path)] == [("newer", ""), ("new", ""), ("newer", "")]
    assert sample.write_sample(before, Results.of([]), path) == [] and len(read_rows(path)) == 3


def test_runs_that_are_not_there_are_not_compared(tmp_path):
    before, now = Results.of(first_runs("old")[:1]), Results.of(first_runs("new")[1:])
    assert sample.write_sample(before, now, tmp_path / "sample.csv") == []


def test_only_runs_of_other_code_are_repeated():
    (plan,) = PARTS["ackley"]
    assert sample.to_repeat([plan], Results.of(first_runs("old"))) == [plan]
    assert sample.to_repeat([plan], Results.of(first_runs(fingerprint()))) == []
    assert sample.to_repeat([plan], Results.of([])) == []
    later = [made_run(spec, 1.0, "L") for spec in specs_of("ackley") if spec.run == 2]
    assert sample.to_repeat([plan], Results.of(later)) == []
