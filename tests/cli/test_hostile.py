"""Files of somebody who means harm: nothing that they name is imported, and nothing in them is run."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ter.cli.main import main
from ter.core.errors import InvalidArgument
from ter.experiment.best_known import BestStore, replay
from ter.experiment.best_known.proposals import next_candidates
from ter.experiment.best_known.search import Search
from ter.experiment.store import Store
from tests.experiment.helpers import failed, record

EVIL = """
from pathlib import Path

import ter
from ter.algorithms.profiles import paper
from ter.schedulers import Replay
from dataclasses import replace

(Path(__file__).parent / "pwned").touch()


def profile(dimension, budget):
    return replace(paper(), scheduler=Replay(["ls1", "cc", "gs"], cycle=True))


problem = ter.Problem(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=4))
"""


@pytest.fixture
def evil(tmp_path, monkeypatch):
    """A module in the current folder that leaves a trace when it is imported; its name is new each time."""
    name = f"evil_{abs(hash(str(tmp_path)))}"
    (tmp_path / f"{name}.py").write_text(EVIL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    return name


def imported():
    return Path("pwned").exists()


def best_file(problem, algorithm):
    """A file of best known sequences, whole, which names whatever one likes."""
    search = Search("lso08/f1", 4, 3_150, runs=2, first=6)
    object.__setattr__(search, "task", replace(search.task, problem=problem, algorithm=algorithm))
    with BestStore("evil.sqlite", write=True) as store:
        number = store.begin(search)
        candidates = next_candidates(search, [], [])[:1]
        store.plan(number, candidates)
        for run in (1, 2):
            store.add(number, candidates[0].number, record(run, 1.0, run=run))
    with BestStore("evil.sqlite") as store:
        return store.known()[0]


@pytest.mark.parametrize("form", ["{}.py:profile", "{}:profile"])
@pytest.mark.parametrize("more", [(), ("--fresh", "1", "--workers", "1", "--quiet")])
def test_replay_imports_no_algorithm_that_only_the_file_names(evil, capsys, form, more):
    name = form.format(evil)
    best_file("lso08/f1", name)
    assert main(["best", "replay", "evil.sqlite", "lso08/f1", *more]) == 2
    assert not imported()
    assert f"must be named by you too before it is imported, got {name!r}" in capsys.readouterr().err
    main(["best", "replay", "evil.sqlite", "lso08/f1", "--algorithm", name, *more])
    assert imported()  # now it was the user who said so


def test_in_python_nothing_is_imported_either_unless_it_is_named(evil):
    best = best_file(f"{evil}:problem", f"{evil}:profile")
    with BestStore("evil.sqlite") as store:
        for attempt in (lambda: replay(best), lambda: best.planned(), lambda: store.search_of(best)):
            with pytest.raises(InvalidArgument, match="must be named by you too"):
                attempt()
        with pytest.raises(InvalidArgument, match=f"got '{evil}:profile' in the file"):
            replay(best, own=[f"{evil}:problem"])
        assert not imported()
        own = [f"{evil}:problem", f"{evil}:profile"]
        assert replay(best, own=own).nfev == 3_150 and best.planned(own=own).name == f"{evil}:profile"
    assert imported()


@pytest.mark.slow
def test_no_reader_imports_what_a_file_names(evil, capsys):
    best_file(f"{evil}.py:problem", f"{evil}.py:profile")
    names = {"problem": f"{evil}.py:problem", "algorithm": f"{evil}.py:profile"}
    with Store("runs.sqlite", write=True) as store:
        store.add(record(1, **names))
        store.add(record(2, **names))
        store.add(failed(3, **names))
    Path("plan.toml").write_text('problems = ["lso08/f1"]\ndimensions = [10]\nalgorithms = ["ls"]\nbudget = 500\n')
    for words in (
        "best show evil.sqlite",
        "best show evil.sqlite --json",
        "experiment status runs.sqlite",
        "experiment status runs.sqlite plan.toml --any-code",
        "experiment merge all.sqlite runs.sqlite",
        "experiment export runs.sqlite -o runs.csv",
        "experiment export runs.sqlite -o actions.csv --what actions",
        "experiment check runs.sqlite",
        "experiment check evil.sqlite",
        "experiment run plan.toml --store runs.sqlite --workers 1 --quiet --any-code",
        "experiment run plan.toml --store runs.sqlite --workers 1 --quiet --retry-failed",
        "report runs.sqlite -o report --best evil.sqlite --quiet",
    ):
        assert main(words.split()) == 0, capsys.readouterr().err
        assert not imported(), words
