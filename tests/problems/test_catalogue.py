"""The catalogue, and what ter.minimize makes of its problems."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import ter
from ter.benchmarks.catalogue import FUNCTIONS
from ter.problems import GALLERY, PROBLEMS


def test_names_are_listed_with_what_they_are():
    dimensions = {"digits": 2410, "lennard-jones": 1050, "deblurring": 4096, "dispatch": 1200, "trajectory": 1000}
    assert dimensions.items() <= {entry.name: entry.dimension for entry in GALLERY}.items()
    assert all(entry.about and "\n" not in entry.about and len(entry.about) < 80 for entry in GALLERY)


def test_listing_imports_neither_numba_nor_scikit_learn():
    code = (
        "import sys, ter.problems as p; [entry.dimension for entry in p.PROBLEMS.values()]; "
        "print([name for name in ('numba', 'sklearn', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_package_offers_the_factories():
    from ter import problems

    assert problems.obstacle_course(steps=3).dimension == 6
    assert set(problems.__all__) <= set(dir(problems)) | set(problems._HOMES)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        problems.nothing  # noqa: B018


def test_an_unknown_name_is_refused_with_the_nearest_one():
    with pytest.raises(ter.UnknownName, match=r"unknown problem 'debluring'; did you mean 'deblurring'\?"):
        ter.problem("debluring")


@pytest.mark.parametrize(
    ("name", "dimension", "words"),
    [
        ("digits", 1000, "985 and 1060"),
        ("lennard-jones", 1000, "999 and 1002"),
        ("deblurring", 1000, "961 and 1024"),
        ("dispatch", 1000, "984 and 1008"),
        ("trajectory", 1001, "1000 and 1002"),
        ("trajectory", 10.5, "10 and 12"),
    ],
)
def test_a_dimension_between_two_sizes_is_refused_with_both(name, dimension, words):
    with pytest.raises(ter.InvalidArgument, match=rf"{name}.* comes in, got {dimension}.* nearest are {words}$"):
        ter.problem(name, dimension=dimension)


@pytest.mark.parametrize(("name", "dimension", "smallest"), [("deblurring", 3, 64), ("digits", -5, 85)])
def test_a_dimension_below_all_sizes_is_refused_with_the_smallest(name, dimension, smallest):
    with pytest.raises(ter.InvalidArgument, match=rf"{name}.* comes in, got {dimension}; the smallest is {smallest}$"):
        ter.problem(name, dimension=dimension)


def assert_a_short_run_improves(problem, budget):
    x0 = np.random.default_rng(1).uniform(problem.lower, problem.upper)
    result = ter.minimize(problem, x0=x0, budget=budget, rng=1, heuristics=["ls1"])
    assert result.fun < problem(x0)
    assert result.fun == problem(result.x)
    assert problem.box.contains(result.x)


@pytest.mark.parametrize("name", [entry.name for entry in GALLERY])
def test_a_short_run_improves_on_its_start(name):
    entry = PROBLEMS[name]
    size = {"digits": 2, "lennard-jones": 13, "dispatch": 3, "trajectory": 30}.get(name, max(12, entry.smallest))
    assert_a_short_run_improves(ter.problem(name, dimension=entry.dimension_of(size)), budget=2_000)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_short_run_improves_a_function_of_a_suite(name):
    assert_a_short_run_improves(ter.problem(name), budget=3_000)
