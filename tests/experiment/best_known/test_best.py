from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ter.analysis import Scoring, similarity
from ter.core.errors import InvalidArgument, UnknownName
from ter.experiment import Plan
from ter.experiment.best_known import BestKnown, find_best, replay, run_again, similarity_to
from ter.experiment.work import run_one
from tests.experiment.best_known.helpers import known, small_search

names = st.lists(st.sampled_from(["ls1", "cc", "gs"]), min_size=1, max_size=40).map(tuple)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    path = tmp_path_factory.mktemp("found") / "best.sqlite"
    search = small_search(problem="lso08/f3", parameters={"cc": {"evaluations": 50}})
    find_best(search, path, sequences=9, workers=1)
    return run_again(search, path, runs=2, workers=1)


def test_a_replay_gives_the_same_bits(found):
    results = [replay(found, rng=seed) for seed in (*found.seeds, *found.fresh_seeds)]
    assert [result.fun for result in results] == [*found.values, *found.fresh_values]
    assert all(result.sequence == found.sequence and result.nfev == 3_150 for result in results)
    assert replay(found).fun == found.values[0]
    assert replay(found, rng=12345).fun not in found.values


def test_json_keeps_everything(found):
    assert BestKnown.from_json(found.to_json()) == found
    odd = known(values=(float("inf"), -0.0, 0.1 + 0.2), alone={"cc": 1e-300})
    again = BestKnown.from_json(odd.to_json())
    assert [value.hex() for value in again.values] == [value.hex() for value in odd.values] and again == odd


@pytest.mark.parametrize("text", ["", "[]", "{}", "nonsense", '{"problem": 1}'])
def test_other_texts_are_refused(text):
    with pytest.raises(InvalidArgument, match="must be the JSON object that to_json wrote, got"):
        BestKnown.from_json(text)


def test_it_can_be_an_algorithm_of_a_plan(found):
    plan = Plan(
        problems=["lso08/f3"], dimensions=[4], algorithms=["ter", found.planned()], runs=2, budget=3_150, seed=1
    )
    records = [run_one(spec) for spec in plan.specs() if spec.label == "best known"]
    assert tuple(record.fun for record in records) == found.fresh_values
    assert tuple(record.key.seed for record in records) == found.fresh_seeds


@given(names, st.lists(names, min_size=1, max_size=4))
def test_similarity_is_a_percentage_and_the_mean_over_the_sequences(sequence, others):
    best = known(sequence=sequence)
    percent = similarity_to(best, others)
    assert 0 <= percent <= 100
    assert percent == pytest.approx(sum(similarity(sequence, other) for other in others) / len(others))


def test_similarity_of_known_cases():
    best = known()
    assert similarity_to(best, [best.sequence]) == 100.0 == similarity_to(best, [("gs", "gs")])
    assert similarity_to(best, [["other", "names"]]) == 0.0
    assert similarity_to(best, [["gs", "gs"]], Scoring(relative_to="longer")) == 50.0


@pytest.mark.parametrize("sequences", [[], "cc", ["cc", "gs"], ("cc",)])
def test_similarity_needs_a_list_of_sequences(sequences):
    with pytest.raises(InvalidArgument, match="sequences must be a list of lists of names"):
        similarity_to(known(), sequences)


def test_a_replay_of_something_unknown_is_refused():
    with pytest.raises(UnknownName, match="unknown heuristic in this portfolio 'xx'"):
        replay(replace(known(), sequence=("cc", "xx")))
    with pytest.raises(UnknownName, match="unknown"):
        replay(replace(known(), problem="lso08/f99"))
