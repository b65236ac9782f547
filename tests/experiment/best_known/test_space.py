from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ter.core.errors import InvalidArgument, UnknownName
from ter.experiment.best_known.space import Space, short_text
from ter.experiment.best_known.variations import VARIATIONS

spaces = st.lists(st.integers(1, 60), min_size=1, max_size=4).flatmap(
    lambda costs: st.builds(
        Space,
        st.just(tuple("abcd"[: len(costs)])),
        st.just(tuple(costs)),
        st.integers(1, 500),
    )
)
seeds = st.integers(0, 2**32)


def is_just_long_enough(space: Space, sequence: tuple[str, ...]) -> bool:
    costs = [space.costs[space.names.index(name)] for name in sequence]
    return sum(costs) >= space.evaluations > sum(costs[:-1])


@given(spaces, seeds)
def test_random_sequences_use_up_the_budget_and_no_more(space, seed):
    drawn = space.random(np.random.default_rng(seed))
    assert is_just_long_enough(space, drawn) and set(drawn) <= set(space.names)
    assert drawn == space.random(np.random.default_rng(seed))


@pytest.mark.parametrize("kind", VARIATIONS)
@given(space=spaces, seed=seeds)
def test_varied_sequences_use_up_the_budget_and_no_more(kind, space, seed):
    rng = np.random.default_rng(seed)
    parent, other = space.random(rng), space.random(rng)
    varied = space.varied(kind, parent, other, rng)
    assert is_just_long_enough(space, varied) and set(varied) <= set(space.names)


@given(spaces, st.lists(st.sampled_from("abcd"), min_size=1, max_size=30))
def test_a_fitted_sequence_is_the_given_one_cut_or_begun_anew(space, sequence):
    known = [name for name in sequence if name in space.names] or ["a"]
    fitted = space.fitted(known)
    assert is_just_long_enough(space, fitted)
    assert fitted == tuple(known[i % len(known)] for i in range(len(fitted)))
    assert space.fitted(fitted) == fitted


def changed(kind: str, times: int = 300) -> list[tuple[str, ...]]:
    """Variations of twenty a, with twenty b as the other sequence; c costs as much."""
    space = Space(("a", "b", "c"), (1, 1, 1), 20)
    parents = space.alone("a"), space.alone("b")
    return [space.varied(kind, *parents, np.random.default_rng(seed)) for seed in range(times)]


def test_what_replace_insert_and_splice_do():
    for kind, names in (("replace", {"b", "c"}), ("insert", {"b", "c"}), ("splice", {"b"})):
        for varied in changed(kind):
            text = "".join(varied).strip("a")
            assert len(set(text)) <= 1 and len(text) in (0, 1, 2, 4, 8) and set(text) <= names
        assert len(set(changed(kind))) > 20


def test_what_swap_move_and_delete_do():
    space = Space(("a", "b"), (1, 1), 10)
    parent = tuple("aaabbaaabb")
    for seed in range(300):
        swapped = space.varied("swap", parent, parent, np.random.default_rng(seed))
        assert sum(x != y for x, y in zip(parent, swapped, strict=True)) in (0, 2) and sorted(swapped) == sorted(parent)
        moved = space.varied("move", parent, parent, np.random.default_rng(seed))
        assert sorted(moved) == sorted(parent)
        shorter = "".join(space.varied("delete", parent, parent, np.random.default_rng(seed)))
        kept = [shorter[:n] for n in range(6, 10)]  # without 4, 2 or 1 of the parent's decisions
        assert any("".join(parent[:i] + parent[i + 10 - len(k) :]) == k for k in kept for i in range(len(k) + 1))


def test_random_sequences_differ_in_their_mixture_and_over_time():
    space = Space(("a", "b", "c"), (1, 1, 1), 100)
    drawn = [space.random(np.random.default_rng(seed)) for seed in range(300)]
    shares = [sequence.count("a") / 100 for sequence in drawn]
    assert min(shares) < 0.05 and max(shares) > 0.9 and abs(np.mean(shares) - 1 / 3) < 0.05
    late = [sequence[50:].count("a") / 50 - sequence[:50].count("a") / 50 for sequence in drawn]
    assert min(late) < -0.5 and max(late) > 0.5


@pytest.mark.parametrize("sequence", [[], "", "a"])
def test_something_else_than_a_sequence_is_refused(sequence):
    with pytest.raises(InvalidArgument, match="a sequence must be a list with at least one name, got"):
        Space(("a",), (1,), 3).fitted(sequence)


def test_unknown_names_are_refused():
    with pytest.raises(UnknownName, match=r"unknown heuristic in this portfolio 'z'.* Valid names: a, b"):
        Space(("a", "b"), (1, 1), 3).fitted(["a", "z"])


def test_budgets_without_or_with_too_many_decisions_are_refused():
    with pytest.raises(InvalidArgument, match=r"a budget must leave evaluations for decisions .* got 0"):
        Space(("a",), (1,), 0)
    with pytest.raises(InvalidArgument, match="a sequence must have 20000 decisions at most, got 20001"):
        Space(("a", "b"), (1, 99), 20_001)


def test_short_texts():
    assert short_text(["gs"]) == "gs" and short_text([]) == ""
    assert short_text(["ls1", "ls1", "cc", "ls1"]) == "ls1×2 cc ls1"
