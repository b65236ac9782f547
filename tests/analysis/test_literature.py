"""Published results: complete, copied without slips, and not mixed up between the two functions of Ackley."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

import ter.analysis
from ter.analysis import (
    paper_similarity,
    paper_similarity_to_best,
    paper_tests,
    published,
    published_names,
    published_table,
)
from ter.analysis.literature.results import _all_results
from ter.core.errors import InvalidArgument, UnknownName

ALL = {name: published(name) for name in published_names()}
LSO13_FINAL = 3_000_000


def test_the_catalogue_and_the_files_hold_the_same_names():
    assert set(_all_results()) == set(published_names())


# How many numbers of evaluations each algorithm has results for, on each of the 15 functions.
@pytest.mark.parametrize(
    ("milestones", "names"),
    [
        ((3_000_000,), ["shade-ils", "shade-ils-irrg", "cbcc-rdg3", "ccfr2-rdg3", "cbcc-irrg", "ccfr2-irrg"]),
        ((3_000_000,), [name for name in ALL if name.startswith("paper")]),
        ((120_000, 600_000, 3_000_000), ["mlshade-spa", "cosacc-ls1", "mos", "ihdels", "cc-cma-es", "sacc", "vmode",
                                         "deepso", "decc-g"]),
        ((150_000, 600_000, 3_000_000), ["shade-ils-dtgsk", "mos-dtgsk"]),
    ],
)  # fmt: skip
def test_every_function_has_a_mean_at_every_milestone(milestones, names):
    for name in names:
        found = Counter((r.function, r.evaluations) for r in ALL[name].results if r.suite != "lso08")
        assert found == Counter((k, m) for k in range(1, 16) for m in milestones), name
        assert all(math.isfinite(r.mean) and r.mean >= 0 for r in ALL[name].results)


def test_the_paper_has_four_dimensions_of_lso08():
    names = ["paper", "paper-mts", "paper-cso", "paper-cc-cma-es", "paper-decc-dg2", "paper-decc-d"]
    for name in names:
        found = Counter((r.function, r.dimension, r.evaluations) for r in ALL[name].results if r.suite == "lso08")
        assert found == Counter((k, d, 5000 * d) for k in range(1, 7) for d in (1000, 2500, 5000, 10_000))
    others = [name for name in ALL if any(r.suite == "lso08" for r in ALL[name].results)]
    assert set(others) == {*names, "mts"}


# Read off the sources' tables by eye: at least one value from every block, and its last row.
@pytest.mark.parametrize(
    ("name", "problem", "evaluations", "statistic", "value"),
    [
        ("paper", "lso13-raw/f15", 3e6, "mean", 3.66e6),
        ("paper", "lso13-raw/f7", 3e6, "std", 3.68e4),
        ("paper-bek", "lso13-raw/f8", 3e6, "mean", 2.93e9),
        ("paper-gs", "lso13-raw/f3", 3e6, "mean", 6.63),
        ("paper-decc-d", "lso13-raw/f14", 3e6, "mean", 7.86e11),
        ("paper-cso", "lso13-raw/f10", 3e6, "mean", 5.35e-5),
        ("paper-w6", "lso13-raw/f4", 3e6, "mean", 6.04e8),
        ("paper-w7", "lso13-raw/f15", 3e6, "std", 9.17e5),
        ("shade-ils", "lso13/f1", 3e6, "mean", 2.69e-24),
        ("shade-ils", "lso13/f14", 3e6, "mean", 5.76e6),
        ("shade-ils-irrg", "lso13/f12", 3e6, "median", 6.46e-1),
        ("shade-ils-dtgsk", "lso13/f12", 3e6, "median", 5.58e-11),
        ("shade-ils-dtgsk", "lso13/f15", 1.5e5, "std", 2.57e7),
        ("cbcc-rdg3", "lso13/f4", 3e6, "mean", 1.45e4),
        ("ccfr2-rdg3", "lso13/f11", 3e6, "mean", 7.13e-18),
        ("cbcc-irrg", "lso13/f12", 3e6, "std", 7.17e3),
        ("ccfr2-irrg", "lso13/f8", 3e6, "mean", 4.47e-5),
        ("mlshade-spa", "lso13-raw/f10", 6e5, "mean", 1.72e4),
        ("mlshade-spa", "lso13-raw/f15", 3e6, "std", 9.01e6),
        ("cosacc-ls1", "lso13/f1", 1.2e5, "mean", 5.68e-6),
        ("cosacc-ls1", "lso13/f15", 3e6, "median", 1.49e6),
        ("mos", "lso13-raw/f6", 3e6, "best", 1.95e1),
        ("mos", "lso13-raw/f15", 3e6, "worst", 2.88e6),
        ("mos", "lso13-raw/f1", 1.2e5, "mean", 2.71e7),
        ("mos-dtgsk", "lso13/f12", 3e6, "mean", 3.91e2),
        ("ihdels", "lso13/f1", 6e5, "mean", 1.81e-23),
        ("cc-cma-es", "lso13-raw/f3", 1.2e5, "mean", 3.78e-2),
        ("sacc", "lso13-raw/f15", 3e6, "mean", 1.88e6),
        ("vmode", "lso13-raw/f1", 3e6, "mean", 8.51e-4),
        ("deepso", "lso13/f15", 1.2e5, "mean", 6.60e12),
        ("decc-g", "lso13-raw/f15", 3e6, "mean", 6.01e7),
    ],
)  # fmt: skip
def test_values_read_off_the_sources(name, problem, evaluations, statistic, value):
    assert getattr(published(name).find(problem, evaluations=evaluations), statistic) == value


def test_results_of_lso08_are_found_by_dimension():
    paper = published("paper")
    assert paper.find("lso08/f2").mean == 26.0
    assert paper.find("lso08-unbiased/f2", dimension=10_000, evaluations=5e7).mean == 144.0
    assert paper.find("lso08/f2", dimension=100) is None and paper.find("lso08/f2", evaluations=3e6) is None
    assert published("mts").find("lso08/f3").mean == 3.41e-4


def test_runs_and_sources_are_given():
    assert all(result.source for entry in ALL.values() for result in entry.results)
    runs = {name: {result.runs for result in entry.results} for name, entry in ALL.items()}
    assert (runs["paper"], runs["shade-ils"], runs["mlshade-spa"], runs["cbcc-rdg3"]) == ({20}, {51}, {27}, {25})
    assert runs["sacc"] == {None}  # the database does not say
    assert all(entry.title and entry.note for entry in ALL.values())


@pytest.mark.parametrize("function", [3, 6, 10])
def test_the_two_functions_of_ackley_are_kept_apart(function):
    raw, transformed = f"lso13-raw/f{function}", f"lso13/f{function}"
    for name, entry in ALL.items():
        assert entry.comparable(raw) == (entry.ackley == "raw")
        assert entry.comparable(transformed) == (entry.ackley == "transformed")
        if name == "mts":
            continue
        assert (entry.find(raw) is None) == (entry.ackley != "raw")
        assert (entry.find(transformed) is None) == (entry.ackley != "transformed")
        assert entry.find(raw, across_ackley=True) == entry.find(transformed, across_ackley=True) is not None


def test_values_tell_the_two_functions_of_ackley_apart():
    # With the transformations nobody gets below the plateau on which every Ackley term is 20.
    for name, entry in ALL.items():
        finals = [entry.find(f"lso13/f{k}", across_ackley=True) for k in (3, 6, 10)]
        if None in finals or name == "deepso":
            continue
        below = [result.mean < plateau for result, plateau in zip(finals, (19.9, 9.95e5, 9.05e7), strict=True)]
        assert all(below) if entry.ackley == "raw" else not any(below), name


def test_all_other_functions_can_be_compared():
    for entry in ALL.values():
        assert entry.comparable("lso13/f4") and entry.comparable("lso13-raw/f4") and entry.comparable("lso08/f3")
        if entry.name != "mts":
            assert entry.find("lso13/f4") == entry.find("lso13-raw/f4") is not None


def test_the_suite_of_a_result_says_which_ackley():
    for entry in ALL.values():
        suites = {result.suite for result in entry.results} - {"lso08"}
        assert suites <= {"lso13-raw" if entry.ackley == "raw" else "lso13"}


def test_doubtful_numbers_are_marked():
    marked = {(name, r.function, r.evaluations) for name, entry in ALL.items() for r in entry.results if r.doubtful}
    milestones = (120_000, 600_000, 3_000_000)
    assert marked == {
        *(("cc-cma-es", 5, m) for m in milestones),
        *(("vmode", 5, m) for m in milestones),
        ("vmode", 3, 120_000),
        ("vmode", 3, 600_000),
        ("deepso", 9, 600_000),
        ("paper-w6", 5, LSO13_FINAL),
        ("paper-bek", 12, LSO13_FINAL),
    }
    largest = 20 + math.e - math.exp(-1)
    ackley = {(name, r.evaluations) for name, e in ALL.items() for r in e.results if r.suite != "lso08"
              and r.function == 3 and r.mean > largest}  # fmt: skip
    assert ackley == {("vmode", 120_000), ("vmode", 600_000)}


def test_a_table_has_problems_and_names():
    table = published_table(["paper", "mos", "shade-ils"], ["lso13/f3", "lso13/f4", "lso13/f99", "sphere"])
    assert np.array_equal(
        table, [[np.nan, np.nan, 20.1], [6.98e8, 1.74e8, 1.48e8], [np.nan] * 3, [np.nan] * 3], equal_nan=True
    )
    assert published_table(["mos"], ["lso13/f2"], statistic="best").tolist() == [[740.0]]
    assert published_table(["paper"], ["lso08/f2"], dimension=2500).tolist() == [[85.8]]


def test_problems_of_other_kinds_have_no_results():
    assert published("paper").find("lso10/f3") is None and published("paper").find("digits") is None


def test_unknown_names_are_refused():
    with pytest.raises(
        UnknownName, match=r"unknown published results 'shade-isl'; did you mean 'shade-ils'.*cbcc-rdg3"
    ):
        published("shade-isl")
    with pytest.raises(InvalidArgument, match="problem must be a name such as 'lso13/f4', got 4"):
        published("paper").find(4)


def test_the_papers_other_tables_are_complete():
    similarity = paper_similarity()
    assert set(similarity) == {
        (k, a, b) for k in range(1, 7) for a in (1000, 2500, 5000, 10_000) for b in (2500, 5000, 10_000) if a < b
    }
    assert (similarity[1, 1000, 2500], similarity[4, 1000, 10_000], similarity[6, 5000, 10_000]) == (
        85.40,
        12.75,
        68.24,
    )
    best = paper_similarity_to_best()
    baselines = ("paper", "paper-ran", "paper-ls", "paper-cc", "paper-gs")
    assert set(best) == {(name, k) for name in baselines for k in range(2, 16)}
    assert (best["paper", 10], best["paper-gs", 3], best["paper-gs", 15]) == (85.86, 0.0, 28.89)
    tests = paper_tests()
    assert Counter((test.table, test.statistic) for test in tests) == {
        ("lso13_baselines", "friedman_rank_error"): 5,
        ("lso13_baselines", "friedman_rank_similarity"): 5,
        ("lso13_baselines", "paired_t_less_similar_greater"): 4,
        ("lso13_baselines", "friedman_p_error"): 1,
        ("lso13_baselines", "friedman_p_similarity"): 1,
        ("lso13_algorithms", "friedman_rank_error"): 7,
        ("lso13_algorithms", "friedman_chi2"): 1,
        ("lso13_algorithms", "friedman_p_error"): 1,
        ("lso13_algorithms", "paired_t_less_similar_greater"): 6,
        ("lso13_hyperparameters", "paired_t_less_similar_greater"): 2,
        ("lso08_algorithms", "friedman_rank_error"): 24,
        ("lso08_algorithms", "paired_t_less_similar_greater"): 20,
    }
    assert {test.name for test in tests} <= {"", *published_names()}


def test_importing_the_package_imports_neither_scipy_nor_numba():
    code = "import json, sys, ter.analysis as a; a.published('paper'); print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"numba", "scipy", "matplotlib"}.isdisjoint(json.loads(done.stdout))


def test_every_public_name_is_there_and_listed_once():
    assert len(set(ter.analysis.__all__)) == len(ter.analysis.__all__)
    assert all(hasattr(ter.analysis, name) for name in ter.analysis.__all__)
