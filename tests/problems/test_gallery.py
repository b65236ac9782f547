"""What every problem of the gallery must keep."""

from __future__ import annotations

import pickle
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ter
from ter.objectives.block_functions import TREE
from ter.objectives.tree import tree_size
from ter.problems import GALLERY, PROBLEMS

SIZES = {
    "digits": 9,
    "lennard-jones": 19,
    "dispatch": 3,
    "trajectory": 37,
}  # digits: a block of hidden units and a rest


def small(entry):
    module, function = entry.home.split(":")
    return getattr(import_module(module), function)(SIZES.get(entry.name, max(12, entry.smallest)))


SMALL = {entry.name: small(entry) for entry in GALLERY}
every_small_problem = pytest.mark.parametrize("problem", SMALL.values(), ids=SMALL.keys())
every_name = pytest.mark.parametrize("name", SMALL)


def random_point(problem, rng):
    return rng.uniform(problem.lower, problem.upper)


def kept_by(objective):
    """Numbers of the memory that must stay; those behind them are space to work in."""
    blocks = isinstance(objective, ter.BlockObjective)
    return TREE + tree_size(objective.groups.count) if blocks else objective.memory


@every_small_problem
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_moves_and_commits_give_the_bits_of_full_evaluations(problem, data):
    objective = problem.fun
    floats, ints = objective.data
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    sizes = data.draw(st.lists(st.sampled_from([1, 1, 2, 7]), min_size=1, max_size=12))
    x = random_point(problem, rng)
    memory, n = np.full(objective.memory, np.nan), kept_by(objective)
    objective.start(x, memory, floats, ints)
    for size in sizes:
        where = rng.choice(problem.dimension, size, replace=False)
        values = np.where(rng.random(size) < 0.1, problem.lower[where], random_point(problem, rng)[where])
        kept, there = memory.copy(), x.copy()
        y = objective.move(x, memory, floats, ints, where, values)
        assert np.array_equal(x, there)
        assert np.array_equal(memory[:n], kept[:n])
        moved = x.copy()
        moved[where] = values
        assert y == objective(moved)
        objective.commit(x, memory, floats, ints, where, values)
        assert np.array_equal(x, there)
        x = moved
        fresh = np.full(objective.memory, np.nan)
        objective.start(x, fresh, floats, ints)
        assert np.array_equal(memory[:n], fresh[:n])


@every_small_problem
def test_evaluation_leaves_the_point_alone_and_repeats_its_value(problem):
    x = random_point(problem, np.random.default_rng(1))
    x.flags.writeable = False
    assert problem(x) == problem(x)
    assert np.isfinite(problem(x))


@every_small_problem
def test_values_are_finite_at_the_corners_of_the_box(problem):
    assert np.isfinite([problem(problem.lower), problem(problem.upper)]).all()


@every_small_problem
def test_a_pickled_problem_has_the_same_values(problem):
    x = random_point(problem, np.random.default_rng(2))
    copy = pickle.loads(pickle.dumps(problem))
    assert copy(x) == problem(x)
    assert copy.facts["traits"] == problem.facts["traits"]


@every_small_problem
def test_a_solution_can_be_painted(problem):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure()
    canvas = FigureCanvasAgg(figure)
    axes = figure.subplots()
    problem.draw(random_point(problem, np.random.default_rng(3)), axes)
    canvas.draw()
    assert axes.images or axes.collections
    figure.clear()


@every_small_problem
def test_a_problem_tells_what_it_is(problem):
    assert problem.name in PROBLEMS
    assert len(problem.about) > 100
    assert all(isinstance(trait, str) for trait in problem.facts["traits"])
    assert problem.facts["cost"] == PROBLEMS[problem.name].cost


@every_name
def test_the_default_has_at_least_a_thousand_variables(name):
    problem = ter.problem(name)
    assert problem.dimension == PROBLEMS[name].dimension >= 1000
    assert problem.name == name


@every_name
def test_a_problem_can_be_had_in_another_dimension(name):
    dimension = SMALL[name].dimension
    problem = ter.problem(name, dimension=dimension)
    x = random_point(problem, np.random.default_rng(4))
    assert problem.dimension == dimension
    assert problem(x) == SMALL[name](x)
