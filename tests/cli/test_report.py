from __future__ import annotations

import csv

import pytest

from ter.cli.main import main
from ter.experiment.best_known import Search, find_best, similarity_to
from ter.experiment.store import Store
from tests.report.made import made_record, small_study

pytestmark = pytest.mark.slow


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fill("results.sqlite", small_study())
    return tmp_path / "results.sqlite"


def fill(path, records):
    with Store(path, write=True) as opened:
        for record in records:
            opened.add(record)


def test_a_report(store, tmp_path, capsys):
    assert main(["report", "results.sqlite", "-o", "report", "--with", "paper, mos", "--against", "ran"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Mean final error after 600\xa0000 evaluations"
    assert lines[1].split() == ["lso13", "ran", "ter", "ls", "TER", "(paper)", "MOS"]
    assert lines[2].split()[:4] == ["f1", "2.10e1", "±", "1.1e1"]
    assert any(line.startswith("Friedman's test") for line in lines)
    assert lines[-1].startswith("wrote report/report.html, and ")
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "elliptic, separable" not in page and "MOS" in page  # what the problem is about is in the packed data


def test_a_quiet_report(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    fill("one.sqlite", [made_record()])
    assert main(["report", "one.sqlite", "-o", "report", "--quiet", "--title", "Mine"]) == 0
    assert capsys.readouterr().out.count("\n") == 1
    assert "<title>Mine</title>" in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")


def test_a_report_with_best_known_sequences(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fill("one.sqlite", [made_record(problem="lso08/f1", dimension=10, budget=1_000, decisions="LCG")])
    best = find_best(
        Search("lso08/f1", dimension=10, budget=1_000, runs=1, first=4), "best.sqlite", sequences=4, workers=1
    )
    assert main(["report", "one.sqlite", "-o", "report", "--quiet", "--best", "best.sqlite"]) == 0
    with (tmp_path / "report" / "tables" / "similarity-best-known.csv").open(encoding="utf-8", newline="") as stream:
        first = next(csv.DictReader(stream))
    assert float(first["ter"]) == pytest.approx(similarity_to(best, [("ls1", "cc", "gs")]), abs=0.05)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["results.sqlite", "-o", "report", "--best", "no.sqlite"], 1, "best known sequences must be there to be read"),
        (["no.sqlite", "-o", "report"], 1, "a store must be there to be read, got 'no.sqlite'"),
        (
            ["results.sqlite", "-o", "report", "--with", "papre"],
            2,
            "unknown published results 'papre'; did you mean 'paper'",
        ),
        (
            ["results.sqlite", "-o", "report", "--against", "rna"],
            2,
            "unknown algorithm in the results 'rna'; did you mean 'ran'",
        ),
    ],
)
def test_errors_are_one_line(store, tmp_path, capsys, words, code, message):
    assert main(["report", *words]) == code
    err = capsys.readouterr().err
    assert err.startswith("ter: error: ") and message in err and err.count("\n") == 1
    assert not (tmp_path / "report").exists()


def test_an_experiment_that_has_not_begun(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Store("empty.sqlite", write=True).close()
    assert main(["report", "empty.sqlite", "-o", "report"]) == 2
    assert "a report needs at least one run, got none" in capsys.readouterr().err
