from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ter.experiment.best_known.proposals import GIVEN, Candidate, next_candidates
from ter.experiment.best_known.trials import Trials
from ter.experiment.best_known.variations import VARIATIONS
from tests.experiment.best_known.helpers import small_search


def grown(search, generations, rank=lambda tried: tried, given=()):
    tried = []
    for _ in range(generations):
        tried += next_candidates(search, tried, rank(tried), given)
    return tried


def test_each_heuristic_alone_then_random_ones_then_variations_of_the_best():
    search = small_search()
    tried = grown(search, 3)
    origins = [candidate.origin for candidate in tried]
    assert origins[:6] == ["ls1 alone", "cc alone", "gs alone", "random", "random", "random"]
    assert [candidate.generation for candidate in tried] == [1] * 6 + [2] * 4 + [3] * 4
    for generation in (origins[6:10], origins[10:]):
        assert generation[-1] == "random"
        assert all(origin.split(" in no. ")[0] in VARIATIONS for origin in generation[:-1])
    assert [candidate.number for candidate in tried] == list(range(1, 15))


@settings(max_examples=20)
@given(st.integers(0, 2**40))
def test_the_same_knowledge_gives_the_same_candidates_and_none_twice(seed):
    search = small_search(seed=seed)
    tried = grown(search, 6)
    assert tried == grown(search, 6)
    assert len({candidate.sequence for candidate in tried}) == len(tried)


def test_other_seeds_and_other_ranks_give_other_candidates():
    tried = grown(small_search(), 3)
    assert tried[3:] != grown(small_search(seed=2), 3)[3:]
    reversed_ranks = grown(small_search(), 3, rank=lambda tried: tried[::-1])
    assert tried[:6] == reversed_ranks[:6] and tried[6:] != reversed_ranks[6:]


def test_only_the_best_are_varied_and_the_better_the_more_often():
    search = small_search(first=30, generation=400, keep=3)
    first = next_candidates(search, [], [])
    ranked = first[::-1]
    origins = [candidate.origin for candidate in next_candidates(search, first, ranked)]
    parents = [int(origin.split()[3]) for origin in origins if "in no." in origin]
    counts = [parents.count(number) for number in (30, 29, 28)]
    assert sum(counts) == len(parents) > 300
    assert counts[0] > counts[1] > counts[2] > 0


def test_given_sequences_are_tried_first_and_once():
    search = small_search()
    given = [["cc"], ["gs", "ls1"], ["cc", "cc"]]
    tried = grown(search, 2, given=given)
    assert [candidate.origin for candidate in tried[:2]] == [GIVEN, GIVEN]
    assert tried[0].sequence == search.space.alone("cc") and tried[1].sequence[:3] == ("gs", "ls1", "gs")
    assert [candidate.origin for candidate in tried[2:5]] == ["ls1 alone", "gs alone", "random"]  # cc is known


def test_given_sequences_can_come_later():
    search = small_search()
    tried = grown(search, 2)
    (new,) = next_candidates(search, tried, tried, [["gs", "ls1", "cc"], tried[0].sequence])
    assert (new.origin, new.number, new.generation) == (GIVEN, 11, 3)
    assert next_candidates(search, [*tried, new], tried, [["gs", "ls1", "cc"]])[0].generation == 4


def test_all_sequences_of_a_small_space_are_found_and_then_there_are_no_more():
    # 50 points to start from; two decisions of 100, 300 and 100 evaluations: ll lc lg gl gc gg, and c.
    search = small_search(budget=50 + 200)
    tried = []
    while new := next_candidates(search, tried, tried):
        tried += new
    assert {"".join(name[0] for name in c.sequence) for c in tried} == {"ll", "lc", "lg", "gl", "gc", "gg", "c"}


@pytest.mark.parametrize(("statistic", "order"), [("mean", [3, 1, 2]), ("median", [1, 2, 3])])
def test_ranks(statistic, order):
    candidates = [Candidate(number, 1, "random", (str(number),)) for number in range(1, 5)]
    values = {1: {1: 1.0, 2: 9.0, 3: 2.0}, 2: {1: 30.0, 2: 2.0, 3: 2.0}, 3: {1: 3.0, 2: 3.0, 3: 3.0}, 4: {2: 0.0}}
    trials = Trials(3, statistic, candidates, values)
    assert [candidate.number for candidate in trials.ranked()] == order
    assert trials.value(4) is None and trials.missing(4) == [1, 3] and trials.values(4) == (0.0,)


def test_a_run_without_a_value_ranks_last():
    candidates = [Candidate(number, 1, "random", (str(number),)) for number in (1, 2)]
    trials = Trials(2, "mean", candidates, {1: {1: 0.0, 2: float("inf")}, 2: {1: 1e300, 2: 1e300}})
    assert [candidate.number for candidate in trials.ranked()] == [2, 1]
