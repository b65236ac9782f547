"""Decompose and adapt: what is special to it."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import ter
from ter.core.allowance import Branch
from ter.decomposition.rdg3 import RDG3State, closed_groups
from ter.heuristics import DecomposedES
from ter.heuristics.decomposed_es import UNVISITED, WORK, DecomposedESState
from ter.heuristics.group_search import FLAT_GENERATIONS, GroupSearch
from ter.heuristics.ma_es import EVALUATED, FLAT
from ter.testing.rehearsal import Rehearsal, sphere, stairs, stairs_compiled

BOX = ter.box(-5, 5, dimension=8)


def pairs(x: np.ndarray) -> float:
    """Four functions of Rosenbrock in two variables each."""
    return float((100 * (x[1::2] - x[::2] ** 2) ** 2 + (1 - x[::2]) ** 2).sum())


def bowl(x: np.ndarray) -> float:
    """A sum of squares whose best point is none of those that the decomposition looks at."""
    return sphere(x - 0.3)


def trios(x: np.ndarray) -> float:
    """Two products of three variables, and two variables alone."""
    return float((x[:3].sum() - 1) ** 2 + (x[3:6].sum() + 1) ** 2 + x[:3] @ x[:3] + x[3:6] @ x[3:6] + x[6:] @ x[6:])


def drowned(x: np.ndarray) -> float:
    """Two pairs, the first of them so heavy that rounding hides the trio of the others at first."""
    light = (x[4:7].sum() - 1) ** 2 + x[4:7] @ x[4:7] + (x[7] - 1) ** 2
    return float(1e15 * ((x[0] + x[1]) ** 2 + (x[0] - 0.3) ** 2) + 1e15 * ((x[2] - x[3]) ** 2 + x[2] ** 2) + light)


def rehearsed(*pieces: int, fun=trios, box: ter.Box = BOX, **options) -> Rehearsal:
    rehearsal = Rehearsal(DecomposedES(**{"block": 2, **options}), fun, box)
    for piece in pieces:
        rehearsal.act(piece)
    return rehearsal


def test_groups_are_those_that_interact_and_blocks_of_the_rest():
    state = rehearsed(4000).state
    found = [(search.members.tolist(), search.diagonal) for search in state.searches]
    assert sorted(found) == [([0, 1, 2], False), ([3, 4, 5], False), ([6, 7], True)]
    assert state.analysis is None and state.placed.all()


@pytest.mark.parametrize("fun", [trios, sphere, stairs, pairs])
def test_where_initiations_end_does_not_matter(fun):
    whole, pieces = rehearsed(900, fun=fun), rehearsed(*[1] * 60, *[7] * 100, 40, 100, fun=fun)
    assert len(whole.points) == 901 and whole.points.tolist() == pieces.points.tolist()


def test_where_initiations_end_does_not_matter_to_a_second_look_either():
    whole, pieces = rehearsed(3_000, fun=drowned), rehearsed(*[3] * 1000, fun=drowned)
    assert whole.points.tolist() == pieces.points.tolist()
    assert any(search.among < np.inf for search in whole.state.searches)


def test_what_rounding_hid_is_found_when_the_value_has_become_small():
    rehearsal = rehearsed(fun=drowned)
    while rehearsal.state.analysis is not None:
        rehearsal.act(10)
    before = sorted((search.members.tolist(), search.separable) for search in rehearsal.state.searches)
    assert [group for group in before if not group[1]] == [([0, 1], False), ([2, 3], False)]
    rehearsal.act(6_000)
    after = sorted((search.members.tolist(), search.separable) for search in rehearsal.state.searches)
    assert after == [([0, 1], False), ([2, 3], False), ([4, 5, 6], False), ([7], True)]
    assert len(rehearsal.state.rates) == 4 and rehearsal.evaluator.y < 0.25 + 1e-9  # which is the optimum


def test_a_second_look_waits_until_its_price_does_not_count():
    rehearsal = rehearsed(fun=drowned)
    while not any(search.among < np.inf for search in rehearsal.state.searches):
        worked = rehearsal.state.worked
        rehearsal.act(10)
    assert worked >= WORK * 8 and rehearsal.state.worked < 100


def test_a_second_look_leaves_searches_alone_that_it_confirms():
    def light_pair(x):
        return float(1e15 * (x[0] + x[1] - 0.3) ** 2 + 1e15 * x[0] ** 2 + (x[2] - x[3]) ** 2 + x[2:] @ x[2:])

    rehearsal = rehearsed(400, fun=light_pair)
    searches = list(rehearsal.state.searches)
    rehearsal.act(3_000)
    assert rehearsal.state.level < 1e3 and all(search.among < np.inf for search in rehearsal.state.searches)
    heavy = [search for search in searches if search.members.tolist() == [0, 1]]
    assert heavy[0] in rehearsal.state.searches


def test_compiled_runs_end_anywhere_with_the_same_bits():
    ends = []
    for pieces in ([3000], [13] * 200 + [400]):
        rehearsal = rehearsed(*pieces, fun=ter.Problem(stairs_compiled(), BOX))
        strategies = [search.adapting.strategy for search in rehearsal.state.searches]
        ends.append((rehearsal.evaluator.x.tolist(), [s.mean.tolist() for s in strategies], rehearsal.state.turn))
    assert ends[0] == ends[1]


def test_groups_are_searched_while_the_decomposition_goes_on():
    rehearsal = rehearsed(fun=sphere, box=ter.box(-5, 5, dimension=40), block=4)
    state = rehearsal.state
    rehearsal.act(41)
    assert state.analysis is not None and state.searches and state.tour
    before = state.analysis.group_of.tolist()
    rehearsal.act(150)
    assert state.analysis.group_of.tolist() == before  # it waits for its share
    rehearsal.act(80)
    assert state.analysis is None or state.analysis.group_of.tolist() != before


def test_every_variable_is_searched_once():
    rehearsal = rehearsed(3000, fun=sphere, box=ter.box(-5, 5, dimension=43), block=4)
    members = np.concatenate([search.members for search in rehearsal.state.searches])
    assert sorted(members.tolist()) == list(range(43))
    assert max(search.members.size for search in rehearsal.state.searches) == 4


def test_large_groups_get_a_diagonal():
    state = rehearsed(4000, full=2).state
    assert [search.diagonal for search in state.searches] == [True] * 3
    assert state.searches[0].adapting.strategy.transposed.shape == (1, state.searches[0].members.size)


def choices(heuristic: DecomposedES, state: DecomposedESState, n: int) -> list[int]:
    """The next choices, if each visit takes 200 evaluations."""
    taken = []
    for _ in range(n):
        (number,), (greedy,) = heuristic._next(state)
        taken.append(number)
        state.shares[0 if greedy else 1] += 200
    return taken


def test_first_all_groups_are_visited_then_half_of_the_time_the_best():
    heuristic = DecomposedES(together=1)
    state = heuristic.start(BOX, np.random.default_rng(1))
    state.searches = [GroupSearch(np.array([i]), True, 0.3, 200) for i in range(4)]
    state.rates = np.full(4, UNVISITED)
    chosen = []
    for rate in (2.0, 1.0, 3.0, 0.0):
        chosen += heuristic._next(state)[0]
        state.rates[chosen[-1]] = rate
    assert chosen == [0, 1, 2, 3]
    assert choices(heuristic, state, 10) == [0, 2, 1, 2, 2, 2, 3, 2, 0, 2]


def test_those_in_turn_get_their_share_of_evaluations_not_of_visits():
    heuristic = DecomposedES(together=1)
    state = heuristic.start(BOX, np.random.default_rng(1))
    state.searches = [GroupSearch(np.array([i]), True, 0.3, 200) for i in range(2)]
    state.rates = np.array([1.0, 2.0])
    taken = heuristic._next(state)[0]
    state.shares[1] += 800  # a large population
    assert taken + choices(heuristic, state, 5) == [0, 1, 1, 1, 1, 1] and state.turn == 1


@pytest.mark.parametrize(("greed", "expected"), [(0.0, {0, 1, 2}), (1.0, {2})])
def test_greed_is_how_often_the_best_is_taken(greed, expected):
    heuristic = DecomposedES(greed=greed, together=1)
    state = heuristic.start(BOX, np.random.default_rng(1))
    state.searches = [GroupSearch(np.array([i]), True, 0.3, 200) for i in range(3)]
    state.rates = np.array([2.0, 1.0, 3.0])
    assert set(choices(heuristic, state, 6)) == expected


def test_rates_are_means_of_the_gains_per_evaluation():
    rehearsal = rehearsed(fun=sphere, box=ter.box(-5, 5, dimension=2))
    state = rehearsal.state
    while not state.searches or state.tour or state.rates[0] == UNVISITED:
        rehearsal.act(1)
    first = state.rates[0]
    before = rehearsal.evaluator.y
    visit = rehearsal.state.searches[0]
    rehearsal.act(-(-visit.slice // 6) * 6)
    assert not state.tour
    gain = (before - rehearsal.evaluator.y) / visit.slice
    assert state.rates[0] == pytest.approx(0.5 * (first + gain))


def entered(rehearsal: Rehearsal) -> GroupSearch:
    """Go on until the middle of a generation in a group that was visited before."""
    state = rehearsal.state
    while UNVISITED in state.rates or state.analysis is not None or not state.tour:
        rehearsal.act(1)
    search = state.searches[state.tour[0]]
    while search.adapting.strategy.counters[EVALUATED] != 3:
        rehearsal.act(1)
    return search


def test_when_others_have_moved_the_incumbent_the_generation_begins_again():
    rehearsal = rehearsed(fun=bowl, together=1)
    search = entered(rehearsal)
    mean, points = search.adapting.strategy.mean.copy(), search.adapting.points.copy()
    search.found = None
    rehearsal.evaluator.lend(1).evaluate(np.full((1, 8), 0.3))
    rehearsal.act(len(points))
    assert rehearsal.points[-len(points) :][:, search.members].tolist() == points.tolist()
    others = np.setdiff1d(np.arange(8), search.members)
    assert (rehearsal.points[-len(points) :][:, others] == 0.3).all()
    assert not np.array_equal(search.adapting.strategy.mean, mean)  # it adapts after a whole generation


def test_what_was_found_on_a_tour_is_tried_inside_a_new_incumbent():
    rehearsal = rehearsed(fun=bowl, together=1)
    search, x = entered(rehearsal), rehearsal.evaluator.x
    while search.found is None:
        rehearsal.act(1)
    expected, other = np.full(8, 0.3), np.full(8, 0.3)
    expected[search.members], other[search.members] = search.found, 1.01 * x[search.members] - 0.003
    rehearsal.evaluator.lend(1).evaluate(other[None, :])
    assert rehearsal.evaluator.x.tolist() == other.tolist()
    rehearsal.act(1)
    assert rehearsal.points[-1].tolist() == expected.tolist() == rehearsal.evaluator.x.tolist()


def test_its_own_best_is_tried_at_its_next_visit():
    rehearsal = rehearsed(fun=bowl, together=1)
    search = entered(rehearsal)
    best = search.best = np.full(search.members.size, 0.31)
    allowance = rehearsal.evaluator.lend(10**6)
    base = allowance.branch(allowance.x, allowance.y, follow=False)
    search.begin(base, np.random.default_rng(1))
    rows = search.pending()
    assert len(rows) == len(search.adapting.points) + 1 and rows[0].tolist() == best.tolist()
    search.note(np.array([base.y - 1.0]), rows)
    assert search.found.tolist() == best.tolist() and search.lowest == base.y - 1.0
    assert len(search.pending()) == len(search.adapting.points)


def test_what_others_gained_is_not_credited_to_a_group():
    rehearsal = rehearsed(fun=bowl, together=1)
    search = entered(rehearsal)
    search.found = None
    other = rehearsal.evaluator.x
    other[np.setdiff1d(np.arange(8), search.members)] = 0.3
    rehearsal.evaluator.lend(1).evaluate(other[None, :])
    y = rehearsal.evaluator.y
    rehearsal.act(1)
    assert search.entered == y


def test_a_flat_strategy_begins_anew_with_twice_the_population():
    rehearsal = rehearsed(fun=lambda x: 1.0, box=ter.box(-5, 5, dimension=2))
    while not rehearsal.state.searches or not rehearsal.state.searches[0].restarts:
        rehearsal.act(50)
    search = rehearsal.state.searches[0]
    assert len(search.adapting.values) == 12 and search.adapting.strategy.counters[FLAT] < FLAT_GENERATIONS
    rehearsal.act(50_000)
    assert len(search.adapting.values) == 480  # and no more
    assert "restart" in rehearsal.state.remark


def base_of(rehearsal: Rehearsal) -> Branch:
    allowance = rehearsal.evaluator.lend(10**6)
    return allowance.branch(allowance.x, allowance.y, follow=False)


def test_a_settled_strategy_goes_on_when_the_value_has_more_digits():
    rehearsal = rehearsed(fun=bowl, box=ter.box(-5, 5, dimension=2))
    search = entered(rehearsal)
    first, base = search.adapting, base_of(rehearsal)
    first.strategy.counters[FLAT] = FLAT_GENERATIONS
    rng = np.random.default_rng(1)
    search.found = None
    search.leave(base, rng)
    assert search.settled is first and search.adapting is not first and search.floor == base.y
    search.begin(base, rng)
    assert search.adapting is not first
    search.floor = 101 * base.y
    search.begin(base, rng)
    assert search.adapting is first and search.settled is None


def test_a_restart_that_finds_something_better_replaces_what_was_settled():
    rehearsal = rehearsed(fun=bowl, box=ter.box(-5, 5, dimension=2))
    search = entered(rehearsal)
    search.settled, search.found = search.adapting, np.zeros(2)
    search.leave(base_of(rehearsal), np.random.default_rng(1))
    assert search.settled is None and search.best.tolist() == [0.0, 0.0]


@pytest.mark.slow
def test_it_invests_as_long_as_one_of_its_strategies_does():
    state = DecomposedESState(np.random.default_rng(1), None, np.ones(2, dtype=bool), rates=np.ones(2), tour=[0])
    for adapting in ((False, False), (False, True), (True, False)):
        state.searches = [SimpleNamespace(investing=each) for each in adapting]
        assert state.investing is any(adapting)


def test_actions_tell_that_it_is_investing():
    box = ter.box(-5, 5, dimension=30)
    result = ter.minimize(bowl, box, budget=30_000, rng=1, heuristics=[DecomposedES(evaluations=2)])
    told = [action.investing for action in result.actions]
    other = ter.minimize(bowl, box, budget=100, rng=1, heuristics=["gs"])
    assert told[0] and not told[-1] and not other.actions[0].investing


def test_coming_nearer_to_the_best_point_counts_as_a_gain():
    rehearsal = rehearsed(fun=bowl, box=ter.box(-5, 5, dimension=2))
    search, state = entered(rehearsal), rehearsal.state
    base = base_of(rehearsal)
    y, search.gap, search.found = base.y, 7.0, None
    search.adapting.values[:] = y + 5.0
    search.adapting.values[1] = y + 4.0
    state.rates[:], search.entered, search.lowest, state.tour, state.greedy = 0.0, y + 1.0, y, [0], [False]
    used = search.visit
    rehearsal.heuristic._return(state, base)
    assert search.gap == pytest.approx(4.0)
    assert state.rates[0] == pytest.approx(0.5 * (3.0 + 1.0) / used)
    search.lowest = y - 9.0
    assert search.catch_up() == 0.0 and search.gap == pytest.approx(13.0)  # others went on
    search.settled, search.lowest = search.adapting, y  # a restart
    assert search.catch_up() == 0.0 and search.gap == pytest.approx(13.0)
    search.settled = None
    search.adapting.values[:] = np.inf
    assert search.catch_up() == 0.0 and search.catch_up() == 0.0


def test_the_best_and_those_in_turn_are_visited_side_by_side():
    heuristic = DecomposedES(together=4)
    state = heuristic.start(BOX, np.random.default_rng(1))
    state.searches = [GroupSearch(np.array([i]), True, 0.3, 200) for i in range(6)]
    state.rates = np.array([UNVISITED, 1.0, UNVISITED, UNVISITED, 5.0, UNVISITED])
    assert heuristic._next(state)[0] == [0, 2, 3, 5]
    state.rates = np.array([1.0, 1.0, 1.0, 1.0, 9.0, 1.0])
    assert heuristic._next(state) == ([0, 4, 1], [False, True, False])  # the second best is far behind
    state.rates[5] = 8.0
    assert heuristic._next(state) == ([2, 4, 3, 5], [False, True, False, True])


def test_where_groups_do_not_interact_what_they_find_is_taken_together():
    rehearsal = rehearsed(fun=bowl, together=4)
    state = rehearsal.state
    while not state.searches or UNVISITED in state.rates or state.analysis is not None:
        rehearsal.act(1)
    kept = 0
    for _ in range(2_000):
        if state.tour and state.all_done:  # only the union is left to be evaluated
            visited = [state.searches[k] for k in state.tour]
            promised, entered = sum(search.entered - search.lowest for search in visited), visited[0].entered
            rehearsal.act(1)
            assert entered - rehearsal.evaluator.y == pytest.approx(promised, rel=1e-6)
            kept += 1
        rehearsal.act(1)
    assert kept > 2 and state.width == 4


def test_where_groups_interact_after_all_fewer_are_visited_together():
    heuristic = DecomposedES(together=4)
    rehearsal = Rehearsal(heuristic, lambda x: float((x.sum() - 1) ** 2 + 1e-3 * x @ x), BOX)
    state = rehearsal.state
    state.analysis, state.placed = None, np.ones(8, dtype=bool)
    state.searches = [GroupSearch(np.array([2 * i, 2 * i + 1]), False, 0.3, 200) for i in range(4)]
    state.rates = np.full(4, UNVISITED)
    widths = []
    for _ in range(60):
        rehearsal.act(100)
        widths.append(state.width)
    assert min(widths) <= 2


@pytest.mark.parametrize("fun", [trios, bowl])
def test_batches_and_generations_one_after_the_other_ask_for_the_same_points(fun):
    asked = []

    def rows(X):
        asked.extend(X.tolist())
        return np.array([fun(x) for x in X])

    batched = Rehearsal(DecomposedES(block=2), ter.Problem(rows, BOX, vectorized=True))
    serial = Rehearsal(DecomposedES(block=2), fun, BOX)
    for limit in (1, 500, 63, 1000, 7):
        batched.act(limit)
        serial.act(limit)
    assert np.array_equal(asked, serial.points)


def test_it_says_what_it_does():
    rehearsal = rehearsed(1)
    assert rehearsal.state.remark == "decomposing" and rehearsal.state.investing
    rehearsal.act(500)
    assert rehearsal.state.remark.startswith("group ") and " of 3" in rehearsal.state.remark
    rehearsal.act(20_000)
    assert not rehearsal.state.investing


def test_a_rotated_ellipsoid_in_groups_is_solved():
    rotation, _ = np.linalg.qr(np.random.default_rng(3).standard_normal((4, 4)))
    weights = 10.0 ** np.arange(0, 8, 2)

    def ellipsoids(x):
        return sum(10.0**k * float(weights @ (rotation @ (x[k::3] - 1)) ** 2) for k in range(3))

    rehearsal = rehearsed(12_000, fun=ellipsoids, box=ter.box(-5, 5, dimension=12))
    assert rehearsal.evaluator.y < 1e-8


def test_closed_groups_come_once_and_blocks_when_they_are_full():
    evaluator = Rehearsal(ter.heuristics.LS1(), sphere, ter.box(-5, 5, dimension=20)).evaluator
    state, placed = RDG3State.begin(ter.box(-5, 5, dimension=20)), np.zeros(20, dtype=bool)
    found = []
    while not state.done:
        state.go_on(evaluator.lend(7))
        new = list(closed_groups(state, placed, 6))
        found += new
        assert state.done or all(group.members.size == 6 for group in new)
    assert [group.members.size for group in found] == [6, 6, 6, 2] and all(group.separable for group in found)
    assert sorted(np.concatenate([group.members for group in found]).tolist()) == list(range(20)) and placed.all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"largest": 1}, r"largest must lie in \[2"),
        ({"block": 0}, r"block must lie in \[1"),
        ({"full": 0}, r"full must lie in \[1"),
        ({"spread": 0.0}, r"spread must lie in \(0, 10\]"),
        ({"greed": 1.5}, r"greed must lie in \[0, 1\]"),
        ({"depth": -1.0}, "depth must lie in"),
        ({"evaluations": 0}, "evaluations must lie in"),
        ({"together": 0}, r"together must lie in \[1"),
    ],
)
def test_parameters_outside_their_range_are_refused(options, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        DecomposedES(**options)
