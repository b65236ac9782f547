"""The global line search: its plain twin, known answers, and pauses anywhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ter
from ter.heuristics.line_search import GlobalLineSearch
from ter.heuristics.line_state import PASS, POINTS, REGULAR, SCANNING, SPACING, STAGE, WANTED, WIDTH
from ter.testing.rehearsal import Rehearsal, patchy, sphere
from tests.naive.line_search import NaiveLineSearch
from tests.naive.splitmix import SplitMix
from tests.spies import minimize_on, same_run

BOX = ter.box([-5, -5, 1, -1, -3], [5, 4, 1, 2, 8])


def rastrigin(x):
    return float((x * x + 10 - 10 * np.cos(2 * math.pi * x)).sum())


def tilted(x):
    """Return a function with several minima, at which variables interact."""
    return float(np.abs(x[:-1] + 0.5 * x[1:]).sum() + np.sin(3 * x).sum() + 0.1 * x @ x)


def folded(x):
    """Return a function with sharp minima at equal distances."""
    return float((np.abs(x) + 3 * np.abs(np.sin(1.37 * math.pi * x))).sum())


def uneven(x):
    """Return a function with several minima, whose distances get larger on every line."""
    return float((x * x - 9 * np.cos(40 * np.sqrt(x + 6))).sum())


def askew(x):
    """Return a function whose variables interact and are not alike."""
    return tilted(x + 0.01 * np.arange(x.size))


FUNCTIONS = {"sphere": sphere, "rastrigin": rastrigin, "tilted": tilted, "patchy": patchy}
RIPPLED = {"rastrigin": rastrigin, "folded": folded, "uneven": uneven, "sphere": sphere, "tilted": askew}


def twin_of(rehearsal, fun, box):
    """Return the plain twin of a search that has not begun."""
    search, dimension = rehearsal.heuristic, box.dimension
    return NaiveLineSearch(
        lambda x: y if math.isfinite(y := fun(np.array(x))) else math.inf,
        rehearsal.evaluator.x.tolist(),
        rehearsal.evaluator.y,
        box.lower.tolist(),
        box.upper.tolist(),
        SplitMix(int(rehearsal.state.lines.random[0])),
        search.points,
        search.first,
        search.minima,
        search.steps,
        most=min(search.lines, dimension // 4),
        study=4 if dimension >= 32 else 0,
    )


@pytest.mark.parametrize("fun", FUNCTIONS.values(), ids=FUNCTIONS)
@given(
    seed=st.integers(0, 1000),
    points=st.integers(1, 9),
    minima=st.integers(1, 3),
    steps=st.integers(0, 9),
    lines=st.integers(1, 5),
    dimension=st.sampled_from([5, 21]),
)
def test_it_asks_for_the_points_of_its_twin(fun, seed, points, minima, steps, lines, dimension):
    box = BOX if dimension == 5 else ter.box(-5, 4, dimension=dimension)
    rehearsal = Rehearsal(GlobalLineSearch(points, 2, minima, steps, lines=lines), fun, box, seed=seed)
    twin = twin_of(rehearsal, fun, box)
    for _ in range(3):
        twin.sweep()
    rehearsal.act(len(twin.asked))
    np.testing.assert_allclose(rehearsal.points[1:], np.array(twin.asked), rtol=1e-9, atol=1e-12)
    assert rehearsal.evaluator.y == pytest.approx(twin.y)


@pytest.mark.parametrize("fun", RIPPLED.values(), ids=RIPPLED)
@given(seed=st.integers(0, 1000), first=st.integers(1, 6), steps=st.integers(0, 6))
@settings(max_examples=5)
def test_it_learns_what_its_twin_learns(fun, seed, first, steps):
    box = ter.box(-5, 4.3, dimension=33)
    rehearsal = Rehearsal(GlobalLineSearch(first=first, steps=steps), fun, box, seed=seed)
    twin = twin_of(rehearsal, fun, box)
    for _ in range(2):
        twin.sweep()
    rehearsal.act(len(twin.asked))
    np.testing.assert_allclose(rehearsal.points[1:], np.array(twin.asked), rtol=1e-6, atol=1e-6)
    assert rehearsal.state.lines.known[[REGULAR, SPACING]] == pytest.approx([twin.period, twin.spacing])


@pytest.mark.parametrize(("fun", "expected"), [(rastrigin, 0.995), (folded, 1 / 1.37), (uneven, 0.0), (sphere, 0.0)])
def test_ripples_at_equal_distances_are_learned_from_the_first_lines(fun, expected):
    rehearsal = Rehearsal(GlobalLineSearch(), fun, ter.box(-5, 4.3, dimension=40))
    rehearsal.act(12 * 40)
    lines = rehearsal.state.lines
    assert lines.known[REGULAR] * 9.3 == pytest.approx(expected, rel=0.02)
    assert bool(lines.known[SPACING]) == (fun is not sphere)


def test_a_parabola_needs_its_scan_and_one_step_more():
    rehearsal = Rehearsal(GlobalLineSearch(points=4), lambda x: float(3 * (x[0] - 1.25) ** 2 - 7), ter.box([-5], [5]))
    rehearsal.act(7)
    assert rehearsal.evaluator.y == pytest.approx(-7, abs=1e-12)
    rehearsal.act(1)
    cursor = rehearsal.state.lines.cursor
    assert cursor[STAGE] == SCANNING and cursor[POINTS] == 4 and cursor[WANTED] == 2  # the next pass is under way


def test_a_bound_that_is_best_is_found_exactly():
    rehearsal = Rehearsal(GlobalLineSearch(), lambda x: float(x[0] - 2 * x[1]), ter.box([-3, -4], [7, 6]))
    rehearsal.act(100)
    assert rehearsal.evaluator.x.tolist() == [-3.0, 6.0]


def test_points_double_from_pass_to_pass_and_so_do_their_cells():
    rehearsal = Rehearsal(GlobalLineSearch(points=20, first=3, steps=0), lambda x: float(x[0]), ter.box([0], [1]))
    for points in (3, 6, 12, 20, 20):
        before = len(rehearsal.points)
        rehearsal.act(points + (2 if points == 3 else 1))  # the lower bound is where it is after the first pass
        scanned = np.sort(rehearsal.points[before:, 0])
        inside = scanned[(scanned > 0) & (scanned < 1)]
        assert np.floor(points * inside).tolist() == list(range(points))


@pytest.mark.parametrize("cut", [1, 2, 3, 7, 50])
@pytest.mark.parametrize("dimension", [22, 34])
@pytest.mark.parametrize("fun", [rastrigin, tilted])
def test_where_initiations_end_does_not_matter(fun, dimension, cut):
    ends = []
    for limit in (cut, 2100):
        rehearsal = Rehearsal(GlobalLineSearch(points=10), fun, ter.box(-5, 4, dimension=dimension))
        for _ in range(2100 // limit):
            assert rehearsal.act(limit) == limit
        ends.append(rehearsal.points)
    assert np.array_equal(*ends)


@pytest.mark.parametrize("engine", ["vectorized", "moving", "compiled", "compiled moving"])
def test_every_engine_gives_the_same_run(engine):
    def on(engine):
        heuristics = [GlobalLineSearch(points=10, evaluations=7)]
        return minimize_on(engine, ter.box(-5, 5, dimension=40), budget=3_000, rng=3, heuristics=heuristics)

    assert same_run(on(engine), on("python"))


@pytest.mark.parametrize("fun", [rastrigin, tilted])
def test_batches_and_lines_one_after_the_other_ask_for_the_same_points(fun):
    asked = []

    def rows(X):
        asked.extend(X.tolist())
        return np.array([fun(x) for x in X])

    box = ter.box(-5, 4, dimension=40)
    batched = Rehearsal(GlobalLineSearch(points=10), ter.Problem(rows, box, vectorized=True))
    serial = Rehearsal(GlobalLineSearch(points=10), fun, box)
    for limit in (1, 500, 63, 1000):
        batched.act(limit)
        serial.act(limit)
    assert np.array_equal(asked, serial.points)


def sizes_of_batches(values, dimension, evaluations):
    """Return the sizes of the batches that a vectorized function gets, and the search's state."""
    sizes = []

    def rows(X):
        sizes.append(len(X))
        return values(X)

    rehearsal = Rehearsal(GlobalLineSearch(), ter.Problem(rows, ter.box(-5, 4, dimension=dimension), vectorized=True))
    sizes.clear()
    rehearsal.act(evaluations)
    return sizes, rehearsal.state


def test_where_variables_do_not_interact_many_lines_are_searched_side_by_side():
    sizes, state = sizes_of_batches(lambda X: (X * X).sum(axis=1), 400, 8_000)
    assert state.lines.cursor[WIDTH] == 64
    assert sizes[:2] == [4 * 6, 4]  # the first scans of four lines, and a step on each
    assert sum(-(-size // 64) for size in sizes) < 8_000 / 40  # what 64 workers would have to wait for


def test_where_they_do_lines_are_searched_one_after_the_other():
    def values(X):
        return (X.sum(axis=1) - 1.0) ** 2 + 1e-6 * (X * X).sum(axis=1)

    _, state = sizes_of_batches(values, 200, 5_000)
    assert state.lines.cursor[WIDTH] <= 2


def test_a_union_that_breaks_its_promise_is_tried_in_parts():
    """Each of eight lines gains alone; together they gain as long as there are no more than two."""

    def fun(x):
        moved = int((x < 0.5).sum())
        return -float(moved) if moved <= 2 else 10.0

    rehearsal = Rehearsal(GlobalLineSearch(steps=0), fun, ter.box(0, 1, dimension=16))
    rehearsal.act(4 * 6 + 2)
    assert [int((x < 0.5).sum()) for x in rehearsal.points[-2:]] == [4, 2]
    assert rehearsal.evaluator.y == -2.0


def test_lines_under_way_are_tried_at_the_incumbent_if_others_have_moved_it():
    rehearsal = Rehearsal(GlobalLineSearch(), sphere, ter.box(-5, 5, dimension=16))
    rehearsal.act(4 * 6)
    order = rehearsal.state.lines.order
    first, last = order[:4], order[4:]
    better = np.full(16, 3.0)
    better[last] = 0.25
    rehearsal.evaluator.lend(1).evaluate_point(better)
    rehearsal.act(4 + 1)
    assert (rehearsal.points[-5:-1, last] == 2.5).all()  # lines end where they began
    assert (rehearsal.points[-1, last] == 0.25).all()
    assert np.abs(rehearsal.evaluator.x[first]).max() < 1e-6


def test_decisions_do_not_depend_on_what_is_added_to_the_values_or_multiplied_with_them():
    asked = []
    for scale, shift in ((1.0, 0.0), (4.0, 1024.0)):
        rehearsal = Rehearsal(GlobalLineSearch(points=6), lambda x, a=scale, b=shift: a * patchy(x) + b, BOX)
        rehearsal.act(60)
        asked.append(rehearsal.points)
    assert np.allclose(*asked, rtol=1e-6)


@pytest.mark.parametrize("fun", [rastrigin, uneven])
def test_what_is_learned_and_asked_does_not_depend_on_the_scale_of_the_values(fun):
    box, known, asked = ter.box(-5, 4.3, dimension=40), [], []
    for scale, shift in ((1.0, 0.0), (2.0**-30, 0.0), (8.0, 4096.0)):
        rehearsal = Rehearsal(GlobalLineSearch(), lambda x, a=scale, b=shift: a * fun(x) + b, box)
        rehearsal.act(40 * 30)
        known.append(rehearsal.state.lines.known[[REGULAR, SPACING]])
        asked.append(rehearsal.points)
    assert np.array_equal(asked[0], asked[1])
    assert np.allclose(known[0], known[2], rtol=1e-5) and known[0].any()


BOX100 = ter.box(-5, 4.3, dimension=100)


@pytest.mark.parametrize("fun", [rastrigin, sphere])
def test_it_invests_until_the_first_pass_has_ended(fun):
    rehearsal, told = Rehearsal(GlobalLineSearch(), fun, BOX100), set()
    while rehearsal.state is None or rehearsal.state.lines.cursor[PASS] <= 2:
        rehearsal.act(50)
        told.add((int(rehearsal.state.lines.cursor[PASS]), rehearsal.state.investing))
    assert (1, True) in told and (1, False) not in told
    assert (2, False) in told and (2, True) not in told


def test_it_no_longer_invests_when_lines_do_not_keep_what_they_promise():
    rehearsal = Rehearsal(GlobalLineSearch(), lambda x: float(x.sum() ** 2 + 0.01 * (x @ x)), BOX100)
    told = []
    while not told or rehearsal.state.lines.cursor[PASS] == 1:
        rehearsal.act(100)
        told.append(rehearsal.state.investing)
    assert told[0] and not any(told[4:]) and len(told) > 8  # of passes that have a thousand evaluations


def test_fixed_variables_and_uneven_ranges_do_not_disturb_hops():
    upper = np.full(60, 4.9)
    upper[::7] = -5.2
    scales = 10.0 ** (np.arange(60) % 5)
    rehearsal = Rehearsal(
        GlobalLineSearch(), lambda x: rastrigin(x / scales), ter.box(-5.2 * scales, upper * scales), seed=2
    )
    rehearsal.act(60 * 30)
    assert rehearsal.state.lines.known[REGULAR] * 10.1 == pytest.approx(0.995, rel=0.01)
    assert rehearsal.evaluator.y == pytest.approx(9 * rastrigin(np.array([-5.2])), abs=1e-8)


def ackley(x):
    z = 6 * x
    return float(
        20 + math.e - 20 * math.exp(-0.2 * math.sqrt((z * z).mean())) - math.exp(np.cos(2 * math.pi * z).mean())
    )


@pytest.mark.parametrize(("fun", "error"), [(rastrigin, 1e-8), (ackley, 1e-5), (folded, 1.0)])
@pytest.mark.parametrize("seed", [1, 2])
def test_regular_ripples_are_solved_with_thirty_evaluations_per_variable(fun, error, seed):
    optimum = np.random.default_rng(seed).uniform(-4, 4, 100)
    rehearsal = Rehearsal(
        GlobalLineSearch(), lambda x: fun(x - optimum), ter.box(-5.17, 4.89, dimension=100), seed=seed
    )
    rehearsal.act(100 * 16)
    assert rehearsal.evaluator.y < 0.4 * fun(2.5 - optimum)  # a race can see early that it fits
    rehearsal.act(100 * 14)
    assert rehearsal.evaluator.y < error


def test_ripples_over_ten_orders_of_magnitude_are_solved_as_soon():
    rng = np.random.default_rng(3)
    optimum, weights = rng.uniform(-4, 4, 100), 10 ** rng.uniform(-5, 5, 100)

    def weighted(x):
        z = x - optimum
        return float(weights @ (z * z + 10 - 10 * np.cos(2 * math.pi * z)))

    rehearsal = Rehearsal(GlobalLineSearch(), weighted, ter.box(-5, 4, dimension=100))
    rehearsal.act(100 * 35)
    assert rehearsal.evaluator.y < 1e-8


def test_uneven_ripples_are_searched_densely_in_the_second_pass():
    rehearsal = Rehearsal(GlobalLineSearch(), uneven, ter.box(-5, 4.3, dimension=50))
    best = 50 * minimum_on_a_line(lambda v: uneven(np.array([v])), -5, 4.3)
    rehearsal.act(50 * 20)
    assert rehearsal.state.lines.cursor[POINTS] > 20 and rehearsal.evaluator.y > best + 50
    rehearsal.act(50 * 40)
    assert rehearsal.evaluator.y < best + 5


def minimum_on_a_line(fun, low, high):
    """Return the lowest value of a function of one variable."""
    fine = min(np.linspace(low, high, 20_001), key=fun)
    return min(fun(v) for v in np.linspace(fine - 1e-3, fine + 1e-3, 200_001))


@pytest.mark.parametrize("inside", [0.0, 1e-3, 0.3])
def test_a_minimum_at_or_near_a_bound_takes_few_steps(inside):
    def fun(x):
        return float(((x - 5 + inside) ** 2).sum()) if inside else float(np.exp(-x).sum())

    rehearsal = Rehearsal(GlobalLineSearch(), fun, ter.box(-5, 5, dimension=20))
    rehearsal.act(20 * 9)
    assert np.abs(rehearsal.evaluator.x - (5 - inside)).max() < 1e-6


def test_it_solves_rastrigin_with_few_variables_within_a_few_passes():
    rehearsal = Rehearsal(GlobalLineSearch(), rastrigin, ter.box(-5, 4, dimension=30))
    rehearsal.act(30 * 200)
    assert rehearsal.evaluator.y < 1e-6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"points": 0}, r"points must lie in \[1, inf\], got 0"),
        ({"first": 0}, r"first must lie in \[1, inf\], got 0"),
        ({"minima": 1.5}, "minima must be a whole number"),
        ({"steps": -1}, r"steps must lie in \[0, inf\], got -1"),
        ({"lines": 0}, r"lines must lie in \[1, inf\], got 0"),
        ({"evaluations": 0}, "evaluations must lie in"),
    ],
)
def test_settings_outside_their_range_are_refused(options, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        GlobalLineSearch(**options)
