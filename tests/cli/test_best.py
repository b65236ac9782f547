from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest

from ter.cli.best_show import print_best
from ter.cli.main import main
from ter.experiment import Plan, run_plan
from ter.experiment.best_known import BestKnown, BestStore, Search, SearchError, find_best, packaged_sequences
from ter.experiment.best_known.schema import RUNS
from ter.experiment.best_known.space import short_text

SEARCH = ("lso08/f3", "--dimension", "4", "--budget", "2150", "--runs", "2", "--first", "5", "--store", "best.sqlite")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*__import__("sys").path])
    return tmp_path


def best(*words):
    return main(["best", *words])


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    """A file with a finished search."""
    path = tmp_path_factory.mktemp("searched") / "best.sqlite"
    search = Search("lso08/f3", 4, 2_150, runs=2, first=5)
    return path, find_best(search, path, sequences=8, workers=1)


@pytest.fixture
def found(folder, searched, capsys):
    """What is printed of that search, whose file is there."""
    shutil.copy(searched[0], "best.sqlite")
    print_best(searched[1])
    return capsys.readouterr().out


def known():
    with BestStore("best.sqlite") as store:
        return store.known()


def test_a_search_prints_what_it_has_found(folder, capsys):
    assert best(*SEARCH, "--sequences", "8", "--workers", "1", "--quiet") == 0
    found, errors = capsys.readouterr()
    assert errors == ""
    (sequence,) = known()
    lines = dict(line.split(maxsplit=1) for line in found.replace("best value", "best_value").splitlines())
    assert lines["problem"] == "lso08/f3, 4 variables, 2 150 evaluations"
    assert lines["portfolio"] == "ls1, cc, gs (SHADE) of ter"
    assert lines["best_value"].startswith(f"{sequence.value:.6g}, mean of 2 runs (")
    assert lines["found"] == f"as no. {sequence.number} ({sequence.origin}) of 8 sequences, code {sequence.code}"
    assert list(lines) == ["problem", "portfolio", "best_value", "alone", "found", "sequence"]


def test_the_same_command_does_nothing_and_a_larger_number_goes_on(found, capsys):
    assert best(*SEARCH, "--sequences", "8", "--workers", "1") == 0
    captured = capsys.readouterr()
    assert captured.out == found and captured.err == ""
    assert best("find", *SEARCH, "--sequences", "10", "--workers", "1") == 0
    captured = capsys.readouterr()
    assert "of 10 sequences" in captured.out
    assert captured.err.splitlines()[0] == "ter: lso08/f3, 4 variables, 2150 evaluations, 2 runs per sequence"
    assert captured.err.splitlines()[-1].startswith("ter: 10/10 sequences, best ")


def test_other_settings_are_refused(found, capsys):
    assert best(*SEARCH, "--seed", "3") == 2
    assert "a search must go on with the settings it was begun with, got seed = 3" in capsys.readouterr().err


def test_a_small_space_is_soon_searched(folder, capsys):
    assert best("lso08/f1", "--dimension", "4", "--budget", "150", "--store", "best.sqlite", "--workers", "1") == 0
    captured = capsys.readouterr()
    assert "of 3 sequences" in captured.out and captured.out.endswith("no other sequence was found to try\n")


def test_show(found, capsys):
    assert best("show", "best.sqlite") == 0
    assert capsys.readouterr().out == found
    assert best("show", "best.sqlite", "lso08/f3", "--budget", "2150.0", "--dimension", "4", "--algorithm", "ter") == 0
    assert capsys.readouterr().out == found


def test_show_as_json(found, capsys):
    assert best("show", "best.sqlite", "--json") == 0
    (facts,) = json.loads(capsys.readouterr().out)
    (sequence,) = known()
    assert tuple(facts["values"]) == sequence.values and tuple(facts["sequence"]) == sequence.sequence
    assert best(*SEARCH, "--sequences", "8", "--workers", "1", "--json") == 0
    assert json.loads(capsys.readouterr().out) == [facts]


def test_replay_gives_the_values_in_the_file(found, capsys):
    assert best("replay", "best.sqlite", "lso08/f3") == 0
    (sequence,) = known()
    assert capsys.readouterr().out.splitlines()[:-1] == [
        f"seed {seed}: {value!r}, as in the file" for seed, value in zip(sequence.seeds, sequence.values, strict=True)
    ]


def test_replay_tells_when_values_differ(found, capsys, monkeypatch):
    with BestStore("best.sqlite", write=True) as store, store.transaction():
        changed = store.connection.execute("SELECT rowid FROM runs WHERE number = 2").fetchall()
        store.connection.execute("UPDATE runs SET fun = '-5.0' WHERE number = 2")
        for (row,) in changed:
            store.seal(RUNS, row)
    assert best("replay", "best.sqlite", "lso08/f3") == 1
    captured = capsys.readouterr()
    assert "not -5.0 as in the file" in captured.out
    assert captured.err == "ter: 2 of 2 values differ; they were found on another machine, perhaps\n"


def test_replay_with_other_seeds(found, capsys):
    assert best("replay", "best.sqlite", "lso08/f3", "--fresh", "3", "--workers", "1", "--quiet") == 0
    out = capsys.readouterr().out
    assert "other seeds  " in out and ", mean of 3 runs\n" in out
    assert len(known()[0].fresh_values) == 3


def test_what_comes_with_the_package_is_found_by_its_name(folder, capsys):
    assert best("show", "lso13-raw/f12", "--budget", "3e6") == 0
    (packaged,) = packaged_sequences("lso13-raw/f12", budget="3000000")
    assert capsys.readouterr().out.endswith(f"sequence     {short_text(packaged.sequence)}\n")
    assert best("show") == 0
    assert capsys.readouterr().out.count("best value") == len(packaged_sequences())


def test_a_file_goes_before_a_problem_of_the_package(found, capsys):
    shutil.copy("best.sqlite", "best")
    assert best("show", "best") == 0
    assert capsys.readouterr().out == found


def test_replay_without_a_file(folder, capsys, monkeypatch):
    small = replace(known_small(), code="other")
    monkeypatch.setattr("ter.experiment.best_known.packaged.packaged_sequences", lambda *args, **asked: [small])
    assert best("replay", "lso08/f3") == 1
    out, errors = capsys.readouterr()
    assert "not 1.5 as in the file" in out
    assert errors.startswith("ter: 1 of 1 values differ; they were found by the code other; this is ")
    right = replace(small, values=(float(out.split()[2].rstrip(",")),))
    monkeypatch.setattr("ter.experiment.best_known.packaged.packaged_sequences", lambda *args, **asked: [right])
    assert best("replay", "lso08/f3") == 0
    assert ", as in the file" in capsys.readouterr().out


def known_small():
    names = ("ls1", "cc", "gs")
    return BestKnown(
        "lso08/f3", 4, "300", "ter", "{}", names, ("cc",), 1.5, "mean", (1,), (1.5,), 1, "random", 1, 1, ""
    )


def test_one_of_several_must_be_chosen(found, capsys):
    other = [word if word != "2150" else "1150" for word in SEARCH]
    assert best(*other, "--sequences", "2", "--workers", "1", "--quiet") == 0
    assert best("show", "best.sqlite") == 0
    assert capsys.readouterr().out.count("best value") == 3
    assert best("replay", "best.sqlite", "lso08/f3") == 2
    message = capsys.readouterr().err
    assert "one sequence must be chosen, got 2 for lso08/f3" in message
    assert "--dimension 4 --budget 1150 --algorithm ter" in message
    assert best("replay", "best.sqlite", "lso08/f3", "--budget", "1150") == 0


def test_sequences_of_an_experiment(folder, capsys):
    plan = Plan(problems=["lso08/f3"], dimensions=[4], algorithms=["ter"], runs=2, budget=2_150)
    run_plan(plan, "results.sqlite", workers=1)
    assert best(*SEARCH, "--from", "results.sqlite", "--sequences", "4", "--workers", "1", "--quiet") == 0
    with BestStore("best.sqlite") as store:
        assert [candidate.origin for candidate in store.trials(1).candidates[:2]] == ["given", "given"]
    assert best(*SEARCH, "--from", "nothing.sqlite", "--sequences", "4", "--quiet") == 1
    assert "a store must be there to be read, got 'nothing.sqlite'" in capsys.readouterr().err


def test_ctrl_c_says_how_to_go_on(folder, capsys, monkeypatch):
    def interrupted(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("ter.experiment.best_known.finder.find_best", interrupted)
    assert best(*SEARCH) == 4
    assert capsys.readouterr().err == (
        f"ter: interrupted; every run that has ended is kept\nter: go on with  ter best {' '.join(SEARCH)}\n"
    )


def test_a_failing_run_is_code_1(folder, capsys, monkeypatch):
    def failing(*args, **options):
        raise SearchError("every run of a search must end well")

    monkeypatch.setattr("ter.experiment.best_known.finder.find_best", failing)
    assert best(*SEARCH) == 1
    assert capsys.readouterr().err == "ter: error: every run of a search must end well\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("lso08/f99", "--store", "x.sqlite"), "unknown"),
        (("deblurring", "--store", "x.sqlite"), "a budget must be named for 'deblurring'"),
        (("lso08/f3", "--store", "x.sqlite", "--budget", "10min"), "must be a number of evaluations"),
        (("lso08/f3", "--store", "x.sqlite", "--sequences", "0"), "sequences must be a whole number >= 1, got 0"),
        (("lso08/f3", "--store", "x.sqlite", "--algorithm", "tre"), "did you mean 'ter'?"),
        (("show", "best.sqlite", "lso08/f1"), "unknown problem in 'best.sqlite' 'lso08/f1'"),
        (("show", "best.sqlite", "--dimension", "77"), "must hold a sequence that agrees with the options"),
        (("show", "lso08/f99"), "unknown problem in the package 'lso08/f99'"),
        (
            ("show", "lso13-raw/f12", "--dimension", "77"),
            "the package must hold a sequence that agrees with the options",
        ),
        (("replay", "lso08/f99"), "unknown problem in the package 'lso08/f99'"),
        (("replay", "lso13-raw/f12", "--budget", "3e6", "--fresh", "2"), "--fresh needs the file of a search"),
        (("replay", "best.sqlite", "lso08/f3", "--fresh", "0", "--quiet"), "runs must be a whole number >= 1"),
    ],
)
def test_bad_input_is_one_line(found, capsys, words, message):
    assert best(*words) == 2
    captured = capsys.readouterr()
    assert message in captured.err and captured.err.startswith("ter: error: ") and captured.out == ""


def test_a_file_that_is_not_there(folder, capsys):
    assert best("show", "nothing.sqlite") == 1
    assert "a file of best known sequences must be there to be read" in capsys.readouterr().err


def test_help_and_missing_words(capsys):
    with pytest.raises(SystemExit) as stopped:
        best("--help")
    assert stopped.value.code == 0 and "`ter best PROBLEM` means `ter best find" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stopped:
        best()
    assert stopped.value.code == 2
