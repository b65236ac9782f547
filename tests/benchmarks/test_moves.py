"""Moves through the functions of the suites: the bits of full evaluations, step by step and in whole runs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import ter
from tests.benchmarks.suites import SUITES, problems, random_points
from tests.benchmarks.walks import Walk, same_bits
from tests.spies import same_run

STEPS = 500
SIZES = [(suite, None) for suite in SUITES] + [("lso08", 2), ("lso08", 3), ("lso08", 100), ("lso08", 2500)]

Chooser = Callable[[np.random.Generator, ter.Problem], np.ndarray]


def some(count: int) -> Chooser:
    """So many variables, in any order."""
    return lambda rng, made: rng.choice(made.dimension, min(count, made.dimension), replace=False)


def many(rng: np.random.Generator, made: ter.Problem) -> np.ndarray:
    """A large share of the variables, up to all."""
    count = int(rng.integers(made.dimension // 5, made.dimension + 1))
    return rng.choice(made.dimension, max(count, 1), replace=False)


def neighbours(rng: np.random.Generator, made: ter.Problem) -> np.ndarray:
    """Variables one after the other."""
    first = int(rng.integers(made.dimension))
    return np.arange(first, min(first + int(rng.integers(1, 30)), made.dimension))


def ends(rng: np.random.Generator, made: ter.Problem) -> np.ndarray:
    """The first and the last variable, or one of them."""
    return np.array([[0], [made.dimension - 1], [0, made.dimension - 1]][int(rng.integers(3))])


def a_group(rng: np.random.Generator, made: ter.Problem) -> np.ndarray:
    """The variables of a group of the function; all if there is none."""
    groups = made.facts["groups"] or (np.arange(made.dimension),)
    return np.array(groups[int(rng.integers(len(groups)))])


CHOOSERS: tuple[Chooser, ...] = (some(1), some(1), some(2), some(7), some(50), many, neighbours, ends, a_group)


def new_values(rng: np.random.Generator, made: ter.Problem, x: np.ndarray, which: np.ndarray) -> np.ndarray:
    """New values for some variables: anywhere, close by, none, on the bounds, or where the optimum is."""
    lower, upper, here = made.lower[which], made.upper[which], x[which]
    anywhere = rng.uniform(lower, upper)
    kind = int(rng.integers(5))
    if kind == 0:
        return np.clip(here + rng.normal(0.0, 1e-3, len(which)) * (upper - lower), lower, upper)
    if kind == 1:
        return here
    if kind == 2:
        return np.where(rng.random(len(which)) < 0.5, lower, upper)
    if kind == 3 and made.x_opt is not None:
        return made.x_opt[which]
    return anywhere


@pytest.mark.parametrize(("suite", "dimension"), SIZES)
@pytest.mark.slow
def test_moves_of_all_kinds_have_the_bits_of_full_evaluations(suite, dimension):
    rng = np.random.default_rng(3)
    for made in problems(suite, dimension):
        walk = Walk(made.fun, random_points(made, 1)[0])
        for _ in range(STEPS):
            which = CHOOSERS[rng.integers(len(CHOOSERS))](rng, made)
            values = new_values(rng, made, walk.x, which)
            walk.checked_move(which, values)
            if rng.random() < 0.5:
                walk.commit(which, values)
        walk.assert_like_new()


@pytest.mark.parametrize("suite", SUITES)
def test_every_single_variable_can_be_moved(suite):
    rng = np.random.default_rng(4)
    for made in problems(suite):
        walk = Walk(made.fun, random_points(made, 1)[0])
        target = rng.uniform(made.lower, made.upper)
        X = np.tile(walk.x, (made.dimension, 1))
        np.fill_diagonal(X, target)
        found = [walk.move(np.array([i]), target[i : i + 1]) for i in range(made.dimension)]
        assert same_bits(np.array(found), made(X)), made.name
        for i in range(made.dimension):
            walk.commit(np.array([i]), target[i : i + 1])
        walk.assert_like_new()


@pytest.mark.parametrize("suite", SUITES)
def test_what_is_not_a_number_is_forgotten_when_it_is_gone(suite):
    for made in problems(suite):
        walk = Walk(made.fun, random_points(made, 1)[0])
        which = np.array([3, made.dimension - 1])
        nan, before = np.array([np.nan, np.nan]), walk.x[which]
        assert not np.isfinite(walk.move(which[:1], nan[:1])), made.name
        assert not np.isfinite(walk.move(which, nan)), made.name
        walk.checked_move(np.array([7]), np.zeros(1))
        walk.commit(which, nan)
        assert not np.isfinite(walk.move(np.array([7]), np.zeros(1))), made.name
        walk.commit(which, before)
        walk.assert_like_new()


# whole runs


def plain(made: ter.Problem) -> ter.Problem:
    """The same problem as a Python function, which knows nothing of moves."""
    return ter.Problem(lambda x: made(x), made.box, name=made.name)


@pytest.mark.parametrize(("suite", "dimension"), [*((suite, None) for suite in SUITES), ("lso08", 2500)])
@pytest.mark.slow
def test_runs_by_moves_and_by_whole_points_are_the_same(suite, dimension):
    heuristics = [ter.heuristics.LS1(evaluations=0.3), ter.heuristics.CC(depth=3, evaluations=0.3)]
    improving: set[str] = set()
    for made in problems(suite, dimension):
        moving, whole = (
            ter.minimize(p, budget=1200, rng=5, heuristics=heuristics, scheduler="round-robin")
            for p in (made, plain(made))
        )
        assert same_run(moving, whole), made.name
        improving |= {action.heuristic for action in moving.actions if action.after < action.before}
    assert improving == {"ls1", "cc"}  # so that improvements were committed, not only tried


@pytest.mark.parametrize(("suite", "dimension"), [("lso08", 100), ("lso10", None), ("lso13", None)])
def test_the_papers_method_returns_the_value_of_its_point(suite, dimension):
    for made in problems(suite, dimension):
        result = ter.algorithm("ter").minimize(made, budget=15_000, rng=6)
        assert result.fun == made(result.x), made.name
        assert made.box.contains(result.x)
        assert made.f_opt is None or result.fun >= made.f_opt
    if dimension == 100:  # then there is time for an initiation of each heuristic: 25 D, 75 D and 25 D evaluations
        assert result.sequence[:3] == ("ls1", "cc", "gs")


@pytest.mark.parametrize("suite", SUITES)
def test_every_function_offers_moves(suite):
    assert all(isinstance(made.fun, ter.CompiledObjective) and made.fun.incremental for made in problems(suite))
