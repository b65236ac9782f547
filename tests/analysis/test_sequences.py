"""Similarity of sequences: the kernel, its plain twin, Biopython's aligner, and what a percentage must obey."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ter.analysis import Scoring, local_alignment, mean_similarity, similarity, similarity_matrix
from ter.analysis.alignment import local_scores, smith_waterman
from ter.core.errors import InvalidArgument, UnknownName
from tests.naive.alignment import local_score

LETTERS = st.text(alphabet="LCG", min_size=1, max_size=25)
SCORINGS = st.builds(
    Scoring,
    match=st.sampled_from([1, 2, 3.5]),
    mismatch=st.sampled_from([-3, -1, -0.5, 0]),
    gap=st.sampled_from([-2, -1, -0.25, 0]),
    relative_to=st.sampled_from(["shorter", "longer", "mean"]),
)


@given(LETTERS, LETTERS, SCORINGS)
def test_the_kernel_agrees_with_its_plain_twin(a, b, scoring):
    expected = local_score(a, b, scoring.match, scoring.mismatch, scoring.gap)
    assert local_alignment(a, b, scoring) == pytest.approx(expected, abs=1e-12)


def test_compiled_and_plain_source_give_the_same(rng):
    letters, starts = rng.integers(0, 3, 60), np.array([0, 20, 45, 60])
    pairs = np.array([0, 0, 1]), np.array([1, 2, 2])
    compiled, plain = np.empty(3), np.empty(3)
    local_scores(letters, starts, *pairs, 2.0, -1.0, -0.5, compiled)
    local_scores.py_func(letters, starts, *pairs, 2.0, -1.0, -0.5, plain)
    assert np.array_equal(compiled, plain) and compiled.min() > 0
    row = np.full(16, np.nan)
    assert smith_waterman.py_func(letters[:20], letters[45:], 2.0, -1.0, -0.5, row) == compiled[1]


@given(LETTERS, LETTERS, SCORINGS)
def test_scores_agree_with_biopython(a, b, scoring):
    align = pytest.importorskip("Bio.Align")
    aligner = align.PairwiseAligner(
        mode="local",
        match_score=scoring.match,
        mismatch_score=scoring.mismatch,
        open_gap_score=scoring.gap,
        extend_gap_score=scoring.gap,
    )
    assert local_alignment(a, b, scoring) == pytest.approx(aligner.score(a, b), abs=1e-9)


def test_the_textbook_example():
    # The example of the encyclopaedia: 13 for GTTGAC with GTT-AC.
    assert local_alignment("TGTTACGG", "GGTTGACTA", Scoring(match=3, mismatch=-3, gap=-2)) == 13.0


@given(LETTERS, LETTERS, SCORINGS)
def test_similarity_is_a_symmetric_percentage(a, b, scoring):
    value = similarity(a, b, scoring)
    assert 0.0 <= value <= 100.0
    assert similarity(b, a, scoring) == pytest.approx(value)
    assert similarity(a[::-1], b[::-1], scoring) == pytest.approx(value)
    assert (value == 0.0) == set(a).isdisjoint(b)
    assert similarity(a, a, scoring) == 100.0


@given(LETTERS, LETTERS, LETTERS)
def test_a_sequence_is_wholly_similar_to_one_that_contains_it(before, a, after):
    whole = before + a + after
    assert similarity(a, whole) == 100.0
    assert similarity(a, whole, Scoring(relative_to="longer")) < 100.0
    shorter, longer = (100 * len(a) / length for length in (len(a), len(whole)))
    assert longer < similarity(a, whole, Scoring(relative_to="mean")) < shorter


def test_names_are_compared_as_a_whole():
    assert similarity(["ls1", "cc"], ["ls1", "cc"]) == 100.0
    assert similarity(["ls1", "cc"], ["ls2", "c"]) == 0.0
    assert similarity(["L", "C"], "LC") == 100.0


def test_means_are_over_all_pairs():
    first, second = ["LCG", "LLL"], ["LCG", "GGG", "LLC"]
    across = [similarity(a, b) for a in first for b in second]
    assert mean_similarity(first, second) == pytest.approx(np.mean(across))
    within = [similarity("LCG", "GGG"), similarity("LCG", "LLC"), similarity("GGG", "LLC")]
    assert mean_similarity(second) == pytest.approx(np.mean(within))


def test_a_matrix_has_groups_within_and_across():
    groups = {"100": ["LCG", "LLL"], "200": ["LCGG", "GGG", "LLCLC"], "400": ["C"]}
    matrix = similarity_matrix(groups)
    members = list(groups.values())
    for i in range(3):
        for j in range(3):
            expected = mean_similarity(members[i]) if i == j else mean_similarity(members[i], members[j])
            assert matrix[i, j] == pytest.approx(expected, nan_ok=True)
    assert np.array_equal(matrix, matrix.T, equal_nan=True)
    assert math.isnan(matrix[2, 2])  # one sequence has nothing to be compared with


def test_random_sequences_are_about_as_similar_as_the_papers_random_baseline(rng):
    # The paper's random baseline is 30.8 % similar to the best known sequences, on average over 14 functions.
    cost = {"L": 25, "C": 75, "G": 25}
    runs = []
    for _ in range(20):
        choices = rng.choice(list("LCG"), 120)
        spent = np.cumsum([cost[choice] for choice in choices])
        runs.append("".join(choices[spent <= 3000]))
    assert mean_similarity(runs) == pytest.approx(30.8, abs=3)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"match": 0.0}, "match must be a finite number > 0, got 0.0"),
        ({"match": math.inf}, "match must be"),
        ({"mismatch": 1.0}, "mismatch must be a finite number <= 0, got 1.0"),
        ({"gap": math.nan}, "gap must be"),
        ({"gap": -math.inf}, "gap must be"),
    ],
)
def test_scores_that_make_no_sense_are_refused(wrong, message):
    with pytest.raises(InvalidArgument, match=message):
        Scoring(**wrong)


def test_an_unknown_length_and_an_empty_sequence_are_refused():
    with pytest.raises(UnknownName, match="Valid names: longer, mean, shorter"):
        Scoring(relative_to="short")
    with pytest.raises(InvalidArgument, match="must not be empty"):
        similarity("LCG", "")
    assert local_alignment("LCG", "") == 0.0
