from __future__ import annotations

import csv
import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ter.cli.main import main
from ter.experiment.plan import Plan
from ter.experiment.store import RUNS, Store

PLAN = """
problems = ["lso08/f1", "lso08/f2"]
dimensions = [10]
algorithms = ["ter", "ls"]
runs = 2
budget = 1_000
"""
DATA = Path(__file__).parents[1] / "data" / "stores"
STUDIES = Path(__file__).parents[2] / "studies"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*__import__("sys").path])
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


def run(*words):
    return main(["experiment", *words])


@pytest.fixture
def store(folder, capsys):
    assert run("run", "plan.toml", "--store", "results.sqlite", "--workers", "1", "--quiet") == 0
    assert capsys.readouterr().out == "8 of 8 runs are in results.sqlite, 8 of them new\n"
    return folder / "results.sqlite"


def test_running_again_does_nothing(store, capsys):
    assert run("run", "plan.toml", "--store", "results.sqlite", "--workers", "1") == 0
    captured = capsys.readouterr()
    assert captured.out == "8 of 8 runs are in results.sqlite, 0 of them new\n" and captured.err == ""


def test_progress_goes_to_standard_error(folder, capsys):
    assert run("run", "plan.toml", "--store", "new.sqlite", "--workers", "1") == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "ter: 8 runs" and lines[-1].startswith("ter: 8/8, ")


def test_a_plan_in_a_python_module(folder, capsys):
    (folder / "python_plan.py").write_text(
        "from ter.experiment import Plan\n"
        "plan = Plan(problems=['lso08/f1'], dimensions=[10], algorithms=['ls'], budget=500)\n"
        "other = 3\n"
    )
    assert run("run", "python_plan:plan", "--store", "new.sqlite", "--workers", "1", "--quiet") == 0
    assert capsys.readouterr().out == "1 of 1 runs are in new.sqlite, 1 of them new\n"
    assert run("run", "python_plan.py:other", "--store", "new.sqlite") == 2
    assert "must be a ter.experiment.Plan, got int" in capsys.readouterr().err


def test_status_of_a_store(store, capsys):
    assert run("status", "results.sqlite") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["problem", "algorithm", "D", "budget", "finished", "failed", "missing", "mean", "time"]
    assert lines[1].split()[:7] == ["lso08/f1", "ter", "10", "1000", "2", "0", "0"]
    assert lines[-1] == "8 finished, 0 failed, 0 missing"


def test_status_of_a_plan(store, folder, capsys):
    (folder / "plan.toml").write_text(PLAN.replace("runs = 2", "runs = 5"))
    with Store(store, write=True):
        assert run("status", "results.sqlite", "plan.toml") == 0
    out = capsys.readouterr().out
    assert re.search(
        r"^8 finished, 0 failed, 12 missing, which take one worker about .*\nin use by process ", out, re.M
    )


def test_status_as_json(store, capsys):
    assert run("status", "results.sqlite", "plan.toml", "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["finished"], facts["failed"], facts["missing"], facts["writer"]) == (8, 0, 0, None)
    assert len(facts["cells"]) == 4 and facts["cells"][0]["label"] == "ter" and sum(facts["codes"].values()) == 8


def test_status_tells_about_other_code(store, capsys, monkeypatch):
    monkeypatch.setattr("ter.experiment.plan.code_of", lambda *names: "changed")
    assert run("status", "results.sqlite", "plan.toml") == 0
    assert "8 of the missing runs are there by other code; --any-code counts them" in capsys.readouterr().out
    assert run("status", "results.sqlite", "plan.toml", "--any-code") == 0
    assert "8 finished, 0 failed, 0 missing" in capsys.readouterr().out


def test_failed_runs_are_code_1_and_shown_and_retried(folder, capsys):
    module = folder / "breaking_problem.py"
    module.write_text(
        "import pathlib, ter\n"
        "def fun(x):\n"
        "    if pathlib.Path('broken').exists():\n"
        "        raise RuntimeError('the simulator crashed')\n"
        "    return 1.0\n"
        "problem = ter.Problem(fun, ter.box(-1, 1, dimension=3))\n"
    )
    (folder / "plan.toml").write_text(
        'problems = ["breaking_problem:problem"]\nalgorithms = ["ls"]\nruns = 2\nbudget = 100\n'
    )
    command = ("run", "plan.toml", "--store", "new.sqlite", "--workers", "1", "--quiet")
    (folder / "broken").touch()
    assert run(*command) == 1
    assert "2 failed; see `ter experiment status new.sqlite`" in capsys.readouterr().out
    assert run("status", "new.sqlite") == 0
    out = capsys.readouterr().out
    assert "failed: breaking_problem:problem ls run 1: RuntimeError: the simulator crashed" in out
    (folder / "broken").unlink()
    assert run(*command) == 1
    assert run(*command, "--retry-failed") == 0


def test_merge(store, folder, capsys):
    (folder / "more.toml").write_text(PLAN.replace("runs = 2", "runs = 3"))
    assert run("run", "more.toml", "--store", "b.sqlite", "--workers", "1", "--quiet", "--runs", "1") == 0
    assert "4 of 4 runs are in b.sqlite" in capsys.readouterr().out
    assert run("run", "more.toml", "--store", "b.sqlite", "--workers", "1", "--quiet") == 0
    capsys.readouterr()
    assert run("merge", "all.sqlite", "results.sqlite", "b.sqlite", "--thin") == 0
    assert capsys.readouterr().out.splitlines() == [
        "results.sqlite: 8 new, 0 in place of failed ones, 0 already there",
        "b.sqlite: 4 new, 0 in place of failed ones, 8 already there",
        "12 runs are in all.sqlite",
    ]


def test_a_merge_of_something_else_writes_nothing(store, folder, capsys):
    (folder / "text").write_text("nothing")
    assert run("merge", "all.sqlite", "results.sqlite", "text") == 1
    assert "a store must be a file that `ter experiment run` made" in capsys.readouterr().err
    assert not (folder / "all.sqlite").exists()


def test_a_merge_tells_about_labels_with_two_meanings(store, folder, capsys):
    (folder / "other.toml").write_text(PLAN.replace('["ter", "ls"]', '[{name = "ter", label = "ls", window = 3}]'))
    assert run("run", "other.toml", "--store", "b.sqlite", "--workers", "1", "--quiet") == 0
    assert run("merge", "results.sqlite", "b.sqlite") == 0
    assert "the label 'ls' stands for algorithms with different parameters" in capsys.readouterr().err


def damaged(path, statement="UPDATE runs SET wall = 77.0 WHERE id = 2"):
    """Change a store behind the back of ter."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


NAMED = "lso08/f1 D=10 ls run 1: its checksum is that of something else"


def test_check_tells_that_everything_is_whole(store, capsys):
    assert run("check", "results.sqlite") == 0
    assert capsys.readouterr() == ("results.sqlite: 8 records are whole\n", "")


def test_check_names_what_is_damaged_and_says_how_to_go_on(store, capsys):
    damaged(store)
    assert run("check", "results.sqlite") == 1
    assert capsys.readouterr() == (
        f"results.sqlite: 7 records are whole\ndamaged: {NAMED}\n",
        "ter: results.sqlite is damaged. Take over what is whole with `ter experiment merge NEW results.sqlite`, and "
        "do the other runs again with `ter experiment run PLAN --store NEW`\n",
    )


def test_going_on_as_check_says(store, capsys):
    damaged(store)
    assert run("run", "plan.toml", "--store", "results.sqlite", "--workers", "1", "--quiet") == 1
    assert "a store must be whole to be written to" in capsys.readouterr().err
    assert run("merge", "new.sqlite", "results.sqlite") == 1
    captured = capsys.readouterr()
    assert captured.err.count(NAMED) == 1 and captured.out.startswith("results.sqlite: 7 new")
    assert run("run", "plan.toml", "--store", "new.sqlite", "--workers", "1", "--quiet") == 0
    assert capsys.readouterr().out == "8 of 8 runs are in new.sqlite, 1 of them new\n"
    assert run("check", "new.sqlite") == 0


@pytest.mark.parametrize(
    "words", ["experiment status {}", "experiment export {} -o runs.csv", "report {} -o report --quiet"]
)
def test_every_reader_names_what_is_damaged_reads_the_rest_and_ends_with_code_1(store, capsys, words):
    damaged(store)
    assert main(words.format("results.sqlite").split()) == 1
    captured = capsys.readouterr()
    assert captured.err.count(NAMED) == 1 and captured.out


def test_check_of_files_of_other_kinds(folder, capsys):
    shutil.copy(DATA / "format1.sqlite", "old.sqlite")
    shutil.copy(DATA / "format1-best.sqlite", "best.sqlite")
    assert run("check", "old.sqlite") == 0
    assert "5 records are whole, as far as can be told without checksums" in capsys.readouterr().out
    assert run("check", "best.sqlite") == 0
    assert "best.sqlite: 14 records are whole" in capsys.readouterr().out
    damaged("best.sqlite", "UPDATE runs SET fun = 'none' WHERE number = 1")
    assert run("check", "best.sqlite") == 1
    captured = capsys.readouterr()
    assert (
        "of no. 1 of search 1: it says nothing that a search writes" in captured.out and "begin a new" in captured.err
    )
    assert run("check", "plan.toml") == 1 and "which is something else" in capsys.readouterr().err
    assert run("check", "nothing.sqlite") == 1 and "must be there to be read" in capsys.readouterr().err


def test_a_merge_names_results_that_differ(store, folder, capsys):
    shutil.copy("results.sqlite", "b.sqlite")
    with Store("b.sqlite", write=True) as other, other.transaction():
        other.connection.execute("UPDATE runs SET nfev = nfev + 1 WHERE id = 1")
        other.seal(RUNS, 1)
    assert run("merge", "results.sqlite", "b.sqlite") == 1
    assert capsys.readouterr().err.startswith("ter: lso08/f1 D=10 ter run 1 has other results in the two stores")


def test_the_last_line_of_a_log_is_not_told_twice(folder, capsys):
    (folder / "one.toml").write_text(
        'problems = ["lso08/f1"]\ndimensions = [4]\nalgorithms = ["ls"]\nruns = 1\nbudget = 99'
    )
    assert run("run", "one.toml", "--store", "one.sqlite", "--workers", "1") == 0
    assert capsys.readouterr().err.count("ter: 1/1, ") == 1


@pytest.mark.parametrize(("what", "rows"), [("runs", 8), ("actions", None), ("curves", None)])
def test_export(store, folder, capsys, what, rows):
    assert run("export", "results.sqlite", "-o", "table.csv", "--what", what) == 0
    with (folder / "table.csv").open(newline="") as stream:
        found = list(csv.DictReader(stream))
    assert capsys.readouterr().out == f"wrote {len(found)} rows to table.csv\n"
    assert len(found) == rows if rows else len(found) > 8


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("run", "no.toml", "--store", "s.sqlite"), 2, "a plan must be a TOML file that can be read"),
        (("run", "plan.toml", "--store", "plan.toml"), 1, "a store must be a file that `ter experiment run` made"),
        (("run", "plan.toml", "--store", "s.sqlite", "--workers", "0"), 2, "workers must be a number of processes"),
        (("status", "no.sqlite"), 1, "a store must be there to be read, got 'no.sqlite'"),
        (("export", "plan.toml", "-o", "x.csv"), 1, "a store must be a file that `ter experiment run` made"),
        (("merge", "all.sqlite", "no.sqlite"), 1, "a store must be there to be read"),
    ],
)
def test_errors_are_one_line(folder, capsys, words, code, message):
    assert run(*words) == code
    err = capsys.readouterr().err
    assert err.startswith("ter: error: ") and message in err and err.count("\n") == 1
    assert (folder / "plan.toml").read_text() == PLAN


def test_workers_and_a_cluster_exclude_each_other(folder, capsys):
    with pytest.raises(SystemExit, match="2"):
        run("run", "plan.toml", "--store", "s.sqlite", "--workers", "2", "--dask", "tcp://127.0.0.1:1")
    assert "not allowed with argument" in capsys.readouterr().err


@pytest.mark.parametrize("path", sorted((STUDIES / "plans").glob("*.toml")), ids=lambda path: path.stem)
def test_the_plans_of_the_studies_can_be_read(path):
    plan = Plan.load(path)
    assert plan.name and plan.specs()


def test_a_problem_that_exits_when_it_is_made_is_an_error(folder, capsys):
    (folder / "exiting_factory.py").write_text("import sys\ndef make():\n    sys.exit(0)\n")
    (folder / "plan.toml").write_text('problems = ["exiting_factory:make"]\nalgorithms = ["ls"]\nbudget = 100\n')
    assert run("run", "plan.toml", "--store", "new.sqlite", "--quiet") == 1
    err = capsys.readouterr().err
    assert ", in make\n" in err and err.endswith("ter: error: user code must not end the process, got SystemExit\n")
