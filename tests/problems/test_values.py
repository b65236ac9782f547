"""Values against the plain twins, and what is known about special points."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from ter import InvalidArgument, MissingExtra
from ter.problems.deblurring import image_deblurring
from ter.problems.digits import digit_network
from ter.problems.economic_dispatch import power_dispatch, unit_table
from ter.problems.kernels.digits import exponential
from ter.problems.kernels.trajectory import GOAL, SIDE
from ter.problems.lennard_jones import BEST_KNOWN, atom_cluster
from ter.problems.trajectory import obstacle_course, place_obstacles
from tests.problems import naive


def agree(problem, twin, points=4):
    rng = np.random.default_rng(7)
    for _ in range(points):
        x = rng.uniform(problem.lower, problem.upper)
        assert problem(x) == pytest.approx(twin(x), rel=1e-12)


def test_digits_agree_with_the_plain_twin():
    agree(digit_network(hidden=32), lambda x: naive.digits(x, 32), points=2)
    agree(digit_network(hidden=9), lambda x: naive.digits(x, 9), points=2)


def test_the_exponential_is_right_to_two_roundings():
    x = np.linspace(-600, 600, 4001)
    assert np.array([exponential(v) for v in x]) == pytest.approx(np.exp(x), rel=5e-16)


def test_zero_weights_guess_and_read_one_class_only():
    problem = digit_network(hidden=2)
    assert problem(np.zeros(160)) == pytest.approx(np.log(10), rel=1e-14)
    assert 0.05 < problem.facts["accuracy"](np.zeros(160)) < 0.15


def test_an_offset_for_one_class_reads_everything_as_that_class():
    problem = digit_network(hidden=1)
    x = np.zeros(85)
    x[75 + 3] = 3.0
    assert (problem.draw.__self__.classes(x) == 3).all()


def test_digits_without_scikit_learn_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(MissingExtra, match=r"needs scikit-learn, which is not installed.*ter\[problems\]"):
        digit_network()


def test_clusters_agree_with_the_plain_twin():
    agree(atom_cluster(atoms=19), naive.lennard_jones)
    agree(atom_cluster(atoms=350), naive.lennard_jones, points=1)


def test_coinciding_atoms_have_a_large_finite_energy():
    cluster = atom_cluster(atoms=3)
    assert cluster(np.zeros(9)) == pytest.approx(3 * (16128 + 0.25 * 390144))


def test_the_pair_energy_has_no_step_where_the_core_begins():
    pair = atom_cluster(atoms=2)
    near, far = pair([0, 0, 0, 0.5 - 1e-9, 0, 0]), pair([0, 0, 0, 0.5 + 1e-9, 0, 0])
    assert 0 < near - far < 1e-2


def test_an_icosahedron_has_the_best_known_energy_of_13_atoms():
    golden = (1 + 5**0.5) / 2
    corners = [(0, a, b * golden) for a in (-1, 1) for b in (-1, 1)]
    shell = np.array([np.roll(corner, turn) for corner in corners for turn in range(3)]) / np.hypot(1, golden)
    cluster = atom_cluster(atoms=13)
    radii = np.linspace(1.07, 1.09, 201)
    best = min(cluster(np.vstack([np.zeros(3), radius * shell]).ravel()) for radius in radii)
    assert best == pytest.approx(BEST_KNOWN[13], abs=1e-4)
    assert cluster.f_opt == BEST_KNOWN[13]
    assert best >= BEST_KNOWN[13] - 1e-6
    assert cluster.upper[0] > 1.09


def test_deblurring_agrees_with_the_plain_twin():
    for side in (12, 64):
        problem = image_deblurring(side)
        agree(problem, lambda x, p=problem: naive.deblurring(x, p.facts["observed"]), points=2)


def test_the_true_picture_is_worth_more_than_the_blurred_one():
    problem = image_deblurring()
    truth, observed = problem.facts["truth"], problem.facts["observed"]
    assert problem.box.contains(truth.ravel())
    assert problem.f_opt < problem(truth.ravel()) < problem(observed.ravel().clip(0, 1))
    assert 10 < problem.facts["psnr"](observed) < 25


def test_dispatch_agrees_with_the_plain_twin():
    for units in (3, 50):
        problem, table = power_dispatch(units), unit_table(units)
        demand = problem.fun.data[0][:24]
        agree(problem, lambda x, t=table, d=demand: naive.dispatch(x, t, d))


def test_the_units_are_like_those_of_the_classic_system():
    low, width, _, b, c, e, f, limit = unit_table(50)
    assert (low >= 20).all() and (low + width <= 550).all()
    assert (b > 5).all() and (b < 14).all() and (c > 0).all() and (c < 0.012).all()
    assert (e >= 100).all() and (e <= 300).all() and (f >= 0.035).all() and (f <= 0.084).all()
    assert (limit > 0).all()


def test_a_constant_schedule_violates_the_balance_only():
    problem = power_dispatch(4)
    x = np.full(96, 0.5)
    table = unit_table(4)
    demand = problem.fun.data[0][:24]
    assert problem.facts["violation"](x) == pytest.approx(np.abs((table[0] + 0.5 * table[1]).sum() - demand).sum())


def test_a_jump_beyond_the_ramp_limit_is_a_violation():
    problem = power_dispatch(4)
    x = np.full((24, 4), 0.5)
    x[12] = [1, 0, 0.5, 0.5]  # the limits are at most 0.4 of the range
    table = unit_table(4)
    demand = problem.fun.data[0][:24]
    power = table[0] + x * table[1]
    ramps = 2 * (0.5 * table[1, :2] - table[7, :2]).sum()
    expected = np.abs(power.sum(axis=1) - demand).sum() + ramps
    assert problem.facts["violation"](x.ravel()) == pytest.approx(expected)


def test_trajectories_agree_with_the_plain_twin():
    discs = place_obstacles()
    agree(obstacle_course(37), lambda x: naive.trajectory(x, discs))
    agree(obstacle_course(500), lambda x: naive.trajectory(x, discs))


def test_a_path_through_the_middle_hits_obstacles_and_all_are_found():
    course, discs = obstacle_course(200), place_obstacles()
    rng = np.random.default_rng(5)
    for push in rng.uniform(0.0, 0.35, (20, 2)):  # steady pushes cross the arena along straight lines
        x = np.tile(push, 200)
        assert course(x) == pytest.approx(naive.trajectory(x, discs), rel=1e-12)


def test_obstacles_lie_inside_the_arena_and_apart():
    discs = place_obstacles()
    assert len(discs) == 25
    assert (discs[:, :2] - discs[:, 2:] >= 0).all() and (discs[:, :2] + discs[:, 2:] <= SIDE).all()
    gaps = np.hypot(*(discs[:, None, :2] - discs[None, :, :2]).T) - discs[:, 2] - discs[:, 2:]
    assert gaps[~np.eye(25, dtype=bool)].min() > 0.15


def test_a_puck_that_is_not_pushed_stays():
    course = obstacle_course(50)
    path = course.facts["path"](np.zeros(100))
    assert (path == 0.5).all() and path.shape == (51, 2)
    assert course.facts["clearance"](np.zeros(100)) == pytest.approx(0.5, abs=0.25)
    assert course(np.zeros(100)) == pytest.approx(10 * 2**0.5 * (GOAL - 0.5))


@pytest.mark.parametrize(
    ("factory", "word", "smallest"),
    [
        (digit_network, "hidden", 1),
        (atom_cluster, "atoms", 2),
        (image_deblurring, "side", 8),
        (power_dispatch, "units", 2),
        (obstacle_course, "steps", 1),
    ],
)
def test_a_size_below_the_smallest_or_broken_is_refused(factory, word, smallest):
    for size in (smallest - 1, smallest + 0.5):
        with pytest.raises(InvalidArgument, match=rf"{word} must be a whole number >= {smallest}, got {size}"):
            factory(size)
