"""Suites and their problems as users meet them: names, errors, what they are called with, what they say."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest

import ter
from tests.benchmarks.suites import KIND, SUITES, has_optimum, numbers, problem, problems, random_points
from tests.reference_points import dimension
from tests.reference_values import data

ONE_OF_EACH = [("lso08", 3), ("lso08-unbiased", 5), ("lso10", 8), ("lso13", 4), ("lso13", 14), ("lso13-raw", 6)]
each = pytest.mark.parametrize(("suite", "n"), ONE_OF_EACH)

# suites


@pytest.mark.parametrize("name", SUITES)
def test_a_suite_is_a_sequence_of_its_problems(name):
    suite = ter.suite(name)
    names = tuple(f"{name}/f{n}" for n in numbers(name))
    assert isinstance(suite, Sequence)
    assert (suite.name, suite.names, len(suite)) == (name, names, len(names))
    assert [made.name for made in suite] == list(names)
    assert [made.dimension for made in suite] == [dimension(KIND[name], n) for n in numbers(name)]


def test_a_problem_of_a_suite_is_found_by_position_or_name():
    suite = ter.suite("lso10")
    assert [suite[i].name for i in (0, 19, -1, -20)] == ["lso10/f1", "lso10/f20", "lso10/f20", "lso10/f1"]
    assert suite["f4"].name == suite["lso10/f4"].name == "lso10/f4"
    with pytest.raises(IndexError):
        suite[20]


def test_a_slice_of_a_suite_is_a_suite():
    part = ter.suite("lso08", dimension=7)[1:6:2]
    assert part.names == ("lso08/f2", "lso08/f4", "lso08/f6")
    assert (len(part), part["f4"].dimension, part[-1].name) == (3, 7, "lso08/f6")
    with pytest.raises(ter.UnknownName):
        part["f1"]


def test_an_unknown_function_of_a_suite_is_refused_with_the_nearest():
    with pytest.raises(ter.UnknownName, match=r"unknown function of lso13 'f16'; did you mean 'f\d+'\?"):
        ter.suite("lso13")["f16"]
    with pytest.raises(ter.UnknownName, match="unknown function of lso13 'lso10/f1'"):
        ter.suite("lso13")["lso10/f1"]


def test_an_unknown_suite_is_refused_with_the_nearest():
    with pytest.raises(ter.UnknownName, match=r"unknown suite 'lso31'; did you mean 'lso13'\?"):
        ter.suite("lso31")


def test_a_suite_makes_its_problems_in_the_dimension_that_is_asked_for():
    assert {made.dimension for made in ter.suite("lso08", dimension=50)} == {50}
    assert ter.suite("lso08", dimension=50)["f2"](np.zeros(50)) == ter.problem("lso08/f2", dimension=50)(np.zeros(50))
    with pytest.raises(ter.InvalidArgument, match="dimension must be 905 for 'lso13/f13', which comes in one size"):
        ter.suite("lso13", dimension=1000)["f13"]


def test_reading_the_list_imports_neither_numpy_nor_numba():
    code = (
        "import sys, ter; ter.suite('lso13').names; len(ter.suite('lso08', dimension=5)); "
        "print([name for name in ('numba', 'numpy', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# errors


@pytest.mark.parametrize(
    ("name", "nearest"), [("lso13/f16", "lso13/f6"), ("lso08/f7", "lso08/f6"), ("lso10/f100", "lso10/f10")]
)
def test_an_unknown_function_is_refused_with_the_nearest(name, nearest):
    with pytest.raises(ter.UnknownName, match=rf"unknown problem '{name}'; did you mean '{nearest}'\?"):
        ter.problem(name)


def test_a_function_of_an_unknown_suite_is_refused_with_those_there_are():
    with pytest.raises(ter.UnknownName, match=r"unknown problem 'cec2013/f1'.*lso13/f1 to lso13/f15"):
        ter.problem("cec2013/f1")


@pytest.mark.parametrize("name", ["lso13/f3", "lso13-raw/f3", "lso10/f1"])
def test_suites_of_one_size_refuse_others(name):
    with pytest.raises(ter.InvalidArgument, match=f"dimension must be 1000 for '{name}', .*got 500; leave it out"):
        ter.problem(name, dimension=500)
    assert ter.problem(name, dimension=1000).dimension == 1000


@pytest.mark.parametrize("size", [1, 0, -5, 2.5, True, float("nan"), float("inf"), 1e300, "ten", [5]])
def test_a_dimension_is_a_whole_number_from_two_on(size):
    with pytest.raises(
        ter.InvalidArgument,
        match=rf"dimension must be a whole number from 2 to 100,000,000, got {re.escape(repr(size))}",
    ):
        ter.problem("lso08/f3", dimension=size)


@pytest.mark.parametrize("size", [2, 7.0, np.int64(7), 2500])
def test_any_whole_number_is_a_dimension(size):
    made = ter.problem("lso08/f3", dimension=size)
    assert made.dimension == size and type(made.dimension) is int
    assert np.isfinite(made(np.zeros(int(size))))


@pytest.mark.parametrize("name", ["lso10/f3", "lso08/f6", "digits"])
def test_raw_ackley_is_a_variant_of_lso13(name):
    with pytest.raises(ter.InvalidArgument, match=f"ackley='raw' is a variant of 'lso13' only, got '{name}'"):
        ter.problem(name, ackley="raw")


def test_an_unknown_variant_of_ackley_is_refused():
    with pytest.raises(ter.UnknownName, match=r"unknown variant of Ackley's function 'row'; did you mean 'raw'\?"):
        ter.problem("lso13/f3", ackley="row")


def test_raw_ackley_has_a_name_of_its_own():
    assert ter.problem("lso13/f3", ackley="raw").name == ter.problem("lso13-raw/f3").name == "lso13-raw/f3"
    assert ter.problem("lso13-raw/f3", ackley="raw").name == "lso13-raw/f3"


# what problems are called with


@each
def test_points_and_rows_of_any_kind_are_accepted_and_left_alone(suite, n):
    made = problem(suite, n)
    rows = random_points(made, 3).round(1)
    fixed = rows.copy()
    fixed.flags.writeable = False
    wide = np.repeat(rows, 2, axis=1)
    values = [made(x) for x in rows.copy()]
    assert all(type(value) is float for value in values)
    for given in (rows, fixed, wide[:, ::2], np.asfortranarray(rows), rows.tolist(), rows.astype(">f8")):
        before = np.array(given)
        assert made(given).tolist() == values
        assert made(given[0]) == values[0]
        np.testing.assert_array_equal(np.array(given), before)
    assert made(np.empty((0, made.dimension))).shape == (0,)


@pytest.mark.parametrize("shape", [(), (0,), (1000,), (904,), (2, 1000), (1, 1, 905), (905, 1)])
def test_wrong_shapes_are_refused_with_the_shape(shape):
    words = f"x must have shape (905,) or (n, 905), got {shape}"
    with pytest.raises(ter.InvalidArgument) as caught:
        problem("lso13", 13)(np.zeros(shape))
    assert str(caught.value) == words


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_gives_no_finite_value(suite, wrong):
    for made in problems(suite):
        rows = random_points(made, 3)
        rows[[0, 1, 2], [0, made.dimension // 2, -1]] = wrong
        assert not np.isfinite(made(rows)).any(), made.name


# copies


def copies(made: object) -> list[object]:
    return [copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))]


@each
def test_problems_can_be_copied_and_pickled(suite, n):
    made = problem(suite, n)
    rows = random_points(made, 2)
    for same in copies(made):
        assert isinstance(same, ter.Problem)
        assert (same.name, same.about, same.f_opt) == (made.name, made.about, made.f_opt)
        assert same(rows).tolist() == made(rows).tolist()
        assert set(same.facts) == set(made.facts)
        for group, original in zip(same.facts["groups"], made.facts["groups"], strict=True):
            np.testing.assert_array_equal(group, original)


def test_suites_can_be_copied_and_pickled():
    suite = ter.suite("lso08", dimension=5)
    for same in copies(suite):
        assert type(same) is type(suite) and same == suite
        assert same["f1"].dimension == 5


@each
def test_what_a_problem_says_cannot_be_changed(suite, n):
    made = problem(suite, n)
    with pytest.raises(TypeError):
        made.facts["budget"] = 1
    for array in (made.x_opt, made.lower, made.upper, made.facts["separable"], *made.facts["groups"]):
        if array is not None and array.size:
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1
    with pytest.raises(AttributeError):
        made.name = "other"


@each
def test_what_was_done_to_one_problem_does_not_show_in_the_next(suite, n):
    rows = random_points(problem(suite, n), 2)
    before = ter.problem(f"{suite}/f{n}")
    before.fun.data[0][:] = 0.0
    np.testing.assert_array_equal(ter.problem(f"{suite}/f{n}")(rows), problem(suite, n)(rows))


# facts


@pytest.mark.parametrize("suite", SUITES)
def test_every_problem_says_what_it_is(suite):
    for n, made in zip(numbers(suite), problems(suite), strict=True):
        assert (made.facts["suite"], made.facts["function"]) == (suite, n)
        assert f"f{n} of CEC'20{KIND[suite][3:]}" in made.about and "\n" not in made.about
        assert (made.x_opt is not None) == has_optimum(suite, n)
        assert made.facts["cost"] in ("cheap", "medium")


def test_budgets_and_milestones():
    for suite in ("lso10", "lso13", "lso13-raw"):
        for made in problems(suite):
            assert made.facts["budget"] == 3_000_000
            assert made.facts["milestones"] == (120_000, 600_000, 3_000_000)
    for size, budget in ((100, 500_000), (1000, 5_000_000), (2500, 12_500_000)):
        for made in problems("lso08", size):
            assert made.facts["budget"] == budget
            assert made.facts["milestones"] == (budget // 100, budget // 10, budget)


def groups_of(suite: str, n: int) -> list[list[int]]:
    return [group.tolist() for group in problem(suite, n).facts["groups"]]


@pytest.mark.parametrize("suite", SUITES)
def test_groups_and_separable_variables_are_all_variables(suite):
    for n, made in zip(numbers(suite), problems(suite), strict=True):
        groups, separable = groups_of(suite, n), made.facts["separable"].tolist()
        assert set().union(*groups, separable) == set(range(made.dimension))
        assert all(len(set(group)) == len(group) for group in groups)
        assert not set(separable) & set().union(*groups)
        overlaps = 19 * 5 if KIND[suite] == "lso13" and n in (13, 14) else 0
        assert sum(map(len, groups)) + len(separable) == made.dimension + overlaps
        assert len(made.facts["weights"]) == len(groups)


SEPARABLE = {"lso08": (1, 4, 6), "lso10": (1, 2, 3), "lso13": (1, 2, 3)}
IN_ONE_GROUP = {"lso08": (2, 3, 5), "lso10": (19, 20), "lso13": (12, 15)}


@pytest.mark.parametrize("suite", SUITES)
def test_functions_without_groups_are_separable_or_one_group(suite):
    for n in SEPARABLE[KIND[suite]]:
        assert groups_of(suite, n) == [] and problem(suite, n).facts["separable"].tolist() == list(range(1000))
    for n in IN_ONE_GROUP[KIND[suite]]:
        assert groups_of(suite, n) == [list(range(1000))] and problem(suite, n).facts["separable"].size == 0
        assert problem(suite, n).facts["weights"] == (1.0,)


def test_groups_of_lso10_are_fifties_of_its_permutation():
    for n in range(4, 19):
        order = data("lso10")[f"f{n}_permutation"].tolist()
        count = 1 if n <= 8 else 10 if n <= 13 else 20
        assert groups_of("lso10", n) == [order[50 * i : 50 * (i + 1)] for i in range(count)]
        assert problem("lso10", n).facts["separable"].tolist() == order[50 * count :]
        assert problem("lso10", n).facts["weights"] == ((1e6,) if count == 1 else (1.0,) * count)


SEVEN = [50, 25, 25, 100, 50, 25, 25]
TWENTY = [50, 50, 25, 25, 100, 100, 25, 25, 50, 25, 100, 25, 100, 50, 25, 25, 25, 100, 50, 25]


@pytest.mark.parametrize("suite", ["lso13", "lso13-raw"])
def test_groups_of_lso13_are_pieces_of_its_permutation(suite):
    for n in (4, 5, 6, 7, 8, 9, 10, 11, 13, 14):
        order = data("lso13")[f"f{n}_permutation"].tolist()
        sizes = SEVEN if n <= 7 else TWENTY
        begin, pieces = 0, []
        for size in sizes:
            pieces.append(order[begin : begin + size])
            begin += size - (5 if n in (13, 14) else 0)
        assert groups_of(suite, n) == pieces
        assert problem(suite, n).facts["separable"].tolist() == (order[300:] if n <= 7 else [])
        assert problem(suite, n).facts["weights"] == tuple(data("lso13")[f"f{n}_weights"].tolist())


@pytest.mark.parametrize("n", [13, 14])
def test_neighbouring_groups_share_five_variables(n):
    groups = [set(group) for group in groups_of("lso13", n)]
    for i, group in enumerate(groups):
        shared = [len(group & other) for other in groups[i + 1 :]]
        assert shared == ([5] + [0] * (len(shared) - 1) if shared else [])
        if 0 < i < len(groups) - 1:
            assert len(group & (groups[i - 1] | groups[i + 1])) == 10
