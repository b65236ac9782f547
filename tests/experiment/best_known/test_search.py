from __future__ import annotations

import json

import pytest

from ter.core.budget import Budget
from ter.core.errors import InvalidArgument, UnknownName
from ter.experiment import Plan
from ter.experiment.best_known.replayed import replayed_name
from ter.experiment.best_known.search import Search
from ter.experiment.names import algorithm_named
from ter.experiment.work import run_one
from ter.schedulers import Replay
from tests.experiment.best_known.helpers import small_search


def test_sequences_are_just_long_enough_for_the_budget():
    search = small_search(budget=3_150)
    assert search.space.costs == (100, 300, 100) and search.space.evaluations == 3_100
    assert len(search.space.alone("ls1")) == 31 and len(search.space.alone("cc")) == 11


@pytest.mark.parametrize("name", ["ls1", "cc", "gs"])
def test_a_run_starts_the_decisions_of_its_sequence_and_no_other(name):
    search = small_search()
    sequence = search.space.fitted([name, "gs", name, "ls1", "cc"])
    done = run_one(search.spec(sequence, 1))
    assert not done.failed and done.sequence == sequence and done.nfev == 3_150


def test_the_budget_of_the_rules_is_the_default():
    assert Search("lso13/f1").task.budget == "3000000"


def test_runs_have_seeds_of_their_own_and_fresh_ones_those_of_a_plan():
    search = small_search(seed=7)
    sequence = search.space.alone("gs")
    specs = [search.spec(sequence, run, fresh=fresh) for fresh in (False, True) for run in (1, 2, 3)]
    assert len({spec.key.seed for spec in specs}) == 6
    plan = Plan(problems=["lso08/f1"], dimensions=[4], algorithms=["ter"], runs=3, budget=3_150, seed=7)
    assert [spec.key.seed for spec in specs[3:]] == [spec.key.seed for spec in plan.specs()]


def test_parameters_are_those_of_a_plan():
    search = small_search(parameters={"cc": {"evaluations": 20}, "heuristics": ["cc", "gs"]})
    assert search.space.names == ("cc", "gs") and search.space.costs == (80, 100)
    done = run_one(search.spec(search.space.alone("cc"), 1))
    assert not done.failed and len(done.actions) == 39


def test_names_of_the_catalogue_with_a_fixed_sequence():
    made = algorithm_named(replayed_name("default")).make(10, Budget(evaluations=1_000))
    assert isinstance(made.scheduler, Replay) and made.scheduler.cycle
    with pytest.raises(UnknownName, match="unknown algorithm 'tre'; did you mean 'ter'"):
        replayed_name("tre")
    with pytest.raises(UnknownName, match=r"unknown attribute of ter.experiment.best_known.replayed 'tre'"):
        algorithm_named("ter.experiment.best_known.replayed:tre")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"runs": 0}, "runs must be a whole number >= 1, got 0"),
        ({"runs": 2.5}, "runs must be a whole number >= 1, got 2.5"),
        ({"first": "ten"}, "first must be a whole number >= 1, got 'ten'"),
        ({"keep": True}, "keep must be a whole number >= 1, got True"),
        ({"generation": float("nan")}, "generation must be a whole number >= 1, got nan"),
        ({"seed": -1}, "seed must be a whole number >= 0, got -1"),
        ({"statistic": "best"}, "statistic must be one of mean, median, got 'best'"),
        ({"budget": "10min"}, "the budget of a search must be a number of evaluations, got '600.0 seconds'"),
        ({"budget": "100 evaluations, 1h"}, "the budget of a search must be a number of evaluations, got"),
        ({"budget": 50}, "a budget must leave evaluations for decisions after those to start from, got 0"),
        ({"problem": "lso08/f9"}, "unknown"),
        ({"algorithm": "tre"}, "unknown algorithm 'tre'"),
        ({"parameters": {"window": 3}}, "unknown parameter of the algorithm 'ter' 'window'"),
        ({"parameters": {"sequence": ["cc"]}}, "the search chooses sequence, got it among the parameters"),
        ({"parameters": {"scheduler": "random"}}, "the search chooses scheduler, got it among the parameters"),
    ],
)
def test_bad_input_is_refused(changes, message):
    with pytest.raises(InvalidArgument, match=message):
        small_search(**changes)


def test_an_algorithm_of_the_users_must_replay(tmp_path, monkeypatch):
    (tmp_path / "choosing.py").write_text(
        "from ter.algorithms.profiles import paper\ndef profile(d, b):\n    return paper()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InvalidArgument, match=r"must have the scheduler ter.schedulers.Replay"):
        small_search(algorithm="choosing:profile", folder=tmp_path)


def test_specs_are_small_texts():
    spec = small_search().spec(("cc", "gs"), 2)
    assert json.loads(spec.key.parameters) == {"cycle": True, "sequence": ["cc", "gs"]}
    assert spec.run == 2 and spec.key.algorithm == "ter.experiment.best_known.replayed:ter"
