"""LS2 and LS3 of MTS, which share their state with LS1."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ter
from ter.heuristics import LS1, LS2, LS3
from ter.testing.rehearsal import Rehearsal, sphere
from tests.spies import minimize_on, same_run

BOX = ter.box(-10, 10, dimension=40)


def starts_of(points):
    """The changes from the point before, of all points after the first."""
    return points[1:] - points[0]


# LS2


def test_a_quarter_of_the_coordinates_takes_one_step_in_random_directions():
    rehearsal = Rehearsal(LS2(sweeps=1), lambda x: 1.0, BOX)  # level: no second try, and no move
    assert rehearsal.act(100) == 40
    changes = starts_of(rehearsal.points)
    assert set(np.unique(changes)) <= {-10.0, 0.0, 5.0}  # from 5, steps of 10 downwards and to the bound
    shares = (changes != 0).mean(axis=1)
    assert 0.2 < shares.mean() < 0.35 and np.unique(shares).size > 3
    assert 0.35 < (changes[changes != 0] > 0).mean() < 0.65


def test_a_worse_trial_is_followed_by_half_a_step_in_the_opposite_direction():
    rehearsal = Rehearsal(LS2(sweeps=1), lambda x: float(np.abs(x - 5).sum()), ter.box(-95, 105, dimension=7))
    state = rehearsal.state
    rehearsal.evaluator.lend(1).evaluate_point(np.full(7, 5.0))
    rehearsal.act(14)
    changes = rehearsal.points[2:] - 5.0
    assert len(changes) == 14 and np.abs(changes).max() == 100
    assert np.array_equal(changes[1::2], -0.5 * changes[::2])
    assert state.trials.tolist() == [7, 0]


def test_a_call_without_improvement_halves_the_step_and_a_small_one_is_reset():
    rehearsal = Rehearsal(LS2(sweeps=3), lambda x: 1.0, BOX)
    rehearsal.act(10_000)
    assert (rehearsal.state.steps == 2.5).all() and rehearsal.state.grade == 0
    rehearsal.state.steps[:] = 1.5e-15
    rehearsal.act(10_000)
    assert (rehearsal.state.steps == 0.4 * 20 / 4).all()


def test_an_accepted_trial_is_graded_and_keeps_the_step():
    rehearsal = Rehearsal(LS2(sweeps=2), lambda x: float(x.sum()), ter.box(-1e4, 1e4, dimension=6))
    rehearsal.state.steps[:] = 1.0
    rehearsal.act(24)
    accepted = int(rehearsal.state.cursor[3])
    assert accepted > 4 and rehearsal.state.grade == 11 * accepted
    assert (rehearsal.state.steps == 1.0).all()


@pytest.mark.parametrize("cut", [1, 2, 5])
@pytest.mark.parametrize("search", [LS2(sweeps=1_000), LS3(sweeps=1_000)], ids=["ls2", "ls3"])
def test_it_does_not_matter_where_it_is_cut(search, cut):
    box, ends = ter.box(-5, 5, dimension=5), []
    for limit in (cut, 60):
        rehearsal = Rehearsal(search, lambda x: float(np.abs(x - 1).sum() + abs(x[0] - x[-1])), box)
        for _ in range(60 // limit):
            assert rehearsal.act(limit) == limit
        ends.append(rehearsal.points)
    if isinstance(search, LS2):
        assert np.array_equal(*ends)
    else:  # its factors are drawn from the stream of the initiation that begins a call
        assert np.array_equal(ends[0][:16], ends[1][:16])


# LS3


def test_ls3_shifts_every_coordinate_by_what_its_probes_gained():
    box = ter.box(-10, 10, dimension=3)
    rehearsal = Rehearsal(LS3(sweeps=1), lambda x: float((x * x * [1, 2, 3]).sum()), box)
    assert rehearsal.act(100) == 10
    points, x = rehearsal.points[1:], rehearsal.points[0]
    for k, (i, move) in enumerate((i, move) for i in range(3) for move in (0.1, -0.1, 0.2)):
        assert np.array_equal(points[k], np.where(np.arange(3) == i, x + move, x))
    a, b, c = (rehearsal.state.factors * [0.1, 0.2, 1.0] + [0.4, 0.1, 0.0]).T
    weights = np.array([1.0, 2.0, 3.0])
    g1, g2, g3 = (weights * (x**2 - (x + move) ** 2) for move in (0.1, -0.1, 0.2))
    assert points[-1] == pytest.approx(x + a * (g1 - g2) + b * (g3 - 2 * g1) + c)
    assert ((a >= 0.4) & (a <= 0.5) & (b >= 0.1) & (b <= 0.3) & (c >= 0) & (c <= 1)).all()


def test_ls3_grades_new_bests_among_its_probes_though_it_does_not_go_there():
    box = ter.box(-10, 10, dimension=2)
    # From (5, 5) the probe of -0.1 is better; the shifted point is far away, and bad.
    rehearsal = Rehearsal(
        LS3(sweeps=1), lambda x: float(np.abs(x - 4.9).sum()) if abs(x - 5).max() < 0.3 else 99.0, box
    )
    rehearsal.act(7)
    assert rehearsal.state.grade in (20, 10) and rehearsal.state.cursor[3] == 0
    assert rehearsal.state.cursor[1] == 1 and (rehearsal.state.steps == 10).all()


def test_probes_outside_the_box_end_on_its_border_and_void_ones_are_not_evaluated():
    box = ter.box([0.0, 0.0], [1.0, 0.0])
    rehearsal = Rehearsal(LS3(sweeps=1), sphere, box)
    rehearsal.evaluator.lend(1).evaluate_point([0.0, 0.0])
    assert rehearsal.act(100) == 3  # 0.1, 0.2 and the shifted point; -0.1 is void
    assert rehearsal.points[2:4, 0].tolist() == [0.1, 0.2]


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_failed_probes_gain_nothing(bad):
    rehearsal = Rehearsal(LS3(sweeps=1), lambda x: sphere(x) if x[0] <= 2.5 else bad, ter.box(-5, 5, dimension=2))
    rehearsal.act(7)
    assert np.isfinite(rehearsal.points).all()


# All three


def test_the_three_searches_share_one_state():
    searches = [
        LS1(order="index", scalar=True, step=(0.5, 0.5), reset=(0.4, 0.4), sweeps=1),
        LS2(sweeps=1),
        LS3(sweeps=1),
    ]
    rehearsal = Rehearsal(searches[1], lambda x: 1.0, BOX)
    halved = []
    for turn in range(6):
        rehearsal.heuristic = searches[turn % 3]
        rehearsal.act(searches[turn % 3].cost(40))
        halved.append(float(rehearsal.state.steps[0]))
    assert halved == [10.0, 5.0, 5.0, 2.5, 1.25, 1.25]  # LS3 does not touch the step


@pytest.mark.parametrize("search", [LS2(), LS3()], ids=["ls2", "ls3"])
def test_compiled_and_plain_searches_are_the_same(search):
    box = ter.box(-5, [5, 1, 9, 2, 3], dimension=5)
    options = {"budget": 3000, "rng": 4, "heuristics": [search]}
    assert same_run(minimize_on("python", box, **options), minimize_on("compiled moving", box, **options))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LS2(sweeps=0), r"sweeps must lie in \[1, inf\], got 0"),
        (lambda: LS3(sweeps=1.5), "sweeps must be a whole number"),
        (lambda: LS3(probe=0.0), r"probe must lie in \(0, inf\], got 0.0"),
    ],
)
def test_settings_outside_their_range_are_refused(make, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        make()
