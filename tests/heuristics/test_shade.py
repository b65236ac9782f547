"""SHADE on all coordinates."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ter
from ter.core.scheduler import Choice
from ter.heuristics.shade import SHADE, spread_of
from ter.testing.rehearsal import Rehearsal, stairs, stairs_compiled
from tests.heuristics.batches import squares, subspace_of


def test_the_papers_spread_is_the_root_of_half_the_upper_minus_the_lower_bound():
    box = ter.box([-100.0, -5.0, 0.0, 1.0], [100.0, 5.0, 8.0, 1.0])
    _, subspace = subspace_of(squares, box)
    roots = [math.sqrt(150), math.sqrt(7.5), 2.0, math.sqrt(0.5)]
    assert spread_of("paper", subspace).tolist() == pytest.approx(roots)
    assert spread_of(0.1, subspace).tolist() == [20.0, 1.0, 0.8, 0.0]
    _, near = subspace_of(squares, box.within(1.0))  # scales of 2, and of 0 for the fixed variable
    assert spread_of(0.1, near).tolist() == [0.2, 0.2, 0.2, 0.0]
    assert spread_of("paper", near)[:3].tolist() == pytest.approx([roots[0] / 100, roots[1] / 5, roots[2] / 4])


def test_each_initiation_surrounds_the_incumbent():
    points = []

    def fun(x):
        points.append(x.copy())
        return float((x * x).sum())

    x0 = np.full(6, 3.0)
    ter.minimize(
        fun, ter.box(-5, 5, dimension=6), budget=8, x0=x0, rng=1, heuristics=[SHADE(population=8, spread=1e-4)]
    )
    assert len(points) == 8 and np.abs(np.array(points[1:]) - x0).max() < 0.01
    assert not any((point == x0).all() for point in points[1:])  # the incumbent's value is known


def test_it_minimises_a_sphere():
    result = ter.minimize(
        lambda x: float((x * x).sum()),
        ter.box(-5, 5, dimension=6),
        budget=6000,
        rng=1,
        heuristics=[SHADE(population=20, evaluations=1000)],
        scheduler=ter.schedulers.Only("gs"),
        x0=np.full(6, 3.0),
    )
    assert result.fun < 0.1  # 54 at the start


def kept_and_renewed(fun, **options):
    """What the best value is when the population is kept, and when it is made anew each time."""
    return [
        ter.minimize(fun, ter.box(-5, 5, dimension=6), budget=6_000, rng=1, x0=np.full(6, 3.0), scheduler=Given(),
                     heuristics=[SHADE(population=20, evaluations=20, keep=keep)], **options)
        for keep in (True, False)
    ]  # fmt: skip


class Given:
    """Starts the first heuristic again and again."""

    def reward_of(self, action):
        return 0.0

    def choose(self, history, names, rng):
        return Choice(0, (1.0,))


def test_a_kept_population_goes_on_where_it_was():
    kept, renewed = kept_and_renewed(lambda x: float((x * x).sum()))
    assert kept.nfev == renewed.nfev == 6_000 and kept.nit == renewed.nit > 40
    assert kept.fun < 1e-6 * renewed.fun  # 120 evaluations are not enough for a population of 20 to converge


def test_a_kept_population_does_not_depend_on_where_initiations_end():
    ends = []
    for evaluations in (20, 2_000):
        heuristic = SHADE(population=20, evaluations=evaluations, keep=True)
        result = ter.minimize(
            lambda x: float((x * x).sum()), ter.box(-5, 5, dimension=6), budget=20 * 37, rng=1, x0=np.full(6, 3.0),
            heuristics=[heuristic], scheduler=Given(),
        )  # fmt: skip
        ends.append(result.fun)
    assert ends[0] == ends[1]


@pytest.mark.parametrize("compiled", [False, True])
def test_a_kept_population_adopts_a_better_incumbent(compiled):
    fun = stairs_compiled() if compiled else stairs
    rehearsal = Rehearsal(SHADE(population=10, spread=1e-3, keep=True), ter.Problem(fun, ter.box(-5, 5, dimension=6)))
    rehearsal.act(40)
    rehearsal.evaluator.lend(1).evaluate_point(np.full(6, 0.3))
    best = rehearsal.evaluator.y
    rehearsal.act(40)
    members = rehearsal.state.evolving.population.members
    assert best in [stairs(x) for x in members] or rehearsal.evaluator.y < best


def test_a_population_that_is_dropped_is_made_anew_over_the_box():
    heuristic = SHADE(population=30, keep=True, initial="uniform", greed="drawn", memory=100, archive=1.0)
    rehearsal = Rehearsal(heuristic, lambda x: float((x * x).sum()), ter.box(-5, 5, dimension=4))
    rehearsal.act(6_000)
    assert np.ptp(rehearsal.points[-30:], axis=0).max() < 1
    rehearsal.act(30)
    assert np.ptp(rehearsal.points[-30:], axis=0).max() < 1
    rehearsal.state.restart()
    best = rehearsal.evaluator.x
    rehearsal.act(29)
    assert np.ptp(rehearsal.points[-29:], axis=0).min() > 5
    population = rehearsal.state.evolving.population
    assert (population.members[0] == best).all() and (population.history == 0.5).all()
    assert population.archive.shape == (30, 4) and population.history.shape == (2, 100)


def test_one_initiation_costs_two_generations_at_least():
    assert SHADE().cost(1000) == 25_000 and SHADE().cost(1) == 100


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"population": 3}, r"population must lie in \[4"),
        ({"population": 4.5}, "population must"),
        ({"memory": 0}, "memory must lie in"),
        ({"memory": 1.5}, "memory must"),
        ({"greed": 0.0}, r"greed must lie in \(0, 1\]"),
        ({"greed": 1.1}, r"greed must lie in \(0, 1\]"),
        ({"initial": "normal"}, "unknown initial population 'normal'; did you mean 'uniform'"),
        ({"archive": -1.0}, "archive must lie in"),
        ({"archive": math.inf}, "archive must"),
        ({"spread": -0.1}, "spread must lie in"),
        ({"evaluations": 0}, "evaluations must lie in"),
        ({"evaluations": math.inf}, "evaluations must"),
    ],
)
def test_parameters_outside_their_range_are_refused(options, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        SHADE(**options)
