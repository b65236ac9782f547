"""DG2 and RDG3 as procedures: against their plain twins, on every engine, cut anywhere."""

from __future__ import annotations

import itertools
from contextlib import suppress

import numpy as np
import pytest

import ter
from ter.core.budget import Budget
from ter.core.errors import AllowanceSpent, InvalidArgument
from ter.decomposition import DG2State, RDG3State
from ter.decomposition.moves import evaluated
from ter.decomposition.thresholds import interacts, strengths
from ter.engines.choose import choose_engine
from ter.run.evaluator import Evaluator
from ter.testing.promise import same
from tests.decomposition.made import METHODS, Blocks, begun, listed, random_blocks, run_in_pieces
from tests.naive.decomposition import NaiveDG2, NaiveRDG3
from tests.run.simulated import SimulatedClock

ENDLESS = (10**6,)


def wavy(x: np.ndarray) -> float:
    """Not exact at all: some pairs interact by so little that it is in doubt."""
    return float(1e6 + np.sin(x).sum() + 1e-9 * x[0] * x[1] + 1e-10 * (x[2:5].sum() ** 3) + np.exp(x[5] * x[6]))


def naive(method, fun, box, largest=50):
    twin = (NaiveDG2 if method == "dg2" else NaiveRDG3)(fun, np.array(box.lower), np.array(box.upper))
    twin.find() if method == "dg2" else twin.find(largest)
    return (twin.groups, twin.separable, []), twin.count


@pytest.mark.parametrize("overlap", [False, True])
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("method", METHODS)
def test_groups_and_counts_are_those_of_the_plain_twin(method, seed, overlap):
    blocks = random_blocks(np.random.default_rng(seed), overlap=overlap)
    state, count = run_in_pieces(blocks.problem, begun(method, blocks.box), ENDLESS)
    assert (listed(state.structure()), count) == naive(method, blocks, blocks.box)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("method", METHODS)
def test_blocks_that_do_not_overlap_are_found_exactly(method, seed):
    blocks = random_blocks(np.random.default_rng(100 + seed))
    state, _ = run_in_pieces(blocks.problem, begun(method, blocks.box), ENDLESS)
    groups, separable, undecided = listed(state.structure())
    assert groups == sorted(sorted(g) for g in blocks.groups if len(g) > 1)
    assert separable == sorted(g[0] for g in blocks.groups if len(g) == 1) and not undecided


@pytest.mark.parametrize("cut", [ENDLESS, [1] * 20_000, [7] * 3_000])
@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_variables_that_look_ahead_find_the_same_blocks(seed, together, cut):
    blocks = random_blocks(np.random.default_rng(100 + seed))
    state, _ = run_in_pieces(blocks.problem, RDG3State.begin(blocks.box, ahead=8, together=together), cut)
    groups, separable, undecided = listed(state.structure())
    assert groups == sorted(sorted(g) for g in blocks.groups if len(g) > 1)
    assert separable == sorted(g[0] for g in blocks.groups if len(g) == 1) and not undecided


@pytest.mark.parametrize("alone", [5, 40])
def test_looking_ahead_costs_little_where_variables_are_alone_and_little_where_they_are_not(alone):
    blocks = Blocks([*([i] for i in range(alone)), *(list(range(k, k + 5)) for k in range(alone, 60, 5))], 60)
    _, count = run_in_pieces(blocks.problem, RDG3State.begin(blocks.box), ENDLESS)
    _, ahead = run_in_pieces(blocks.problem, RDG3State.begin(blocks.box, ahead=16), ENDLESS)
    assert count <= ahead <= count + 3 * 16


def test_variables_that_are_alone_look_ahead_in_batches():
    sizes, blocks = [], Blocks([[i] for i in range(200)], 200)

    def rows(X):
        sizes.append(len(X))
        return np.array([blocks(x) for x in X])

    problem = ter.Problem(rows, blocks.box, vectorized=True)
    _, count = run_in_pieces(problem, RDG3State.begin(blocks.box, together=True, ahead=64), ENDLESS)
    assert count == 1 + 3 * 199 and sizes == [1, 3, 6, 12, 24, 48, 96, 192, 192, 24]


@pytest.mark.parametrize("dimension", [1, 2, 3, 17])
def test_dg2_evaluates_every_pair_once(dimension):
    blocks = Blocks([[i] for i in range(dimension)], dimension)
    for together in (False, True):
        _, count = run_in_pieces(blocks.problem, DG2State.begin(blocks.box, together=together), ENDLESS)
        assert count == dimension * (dimension + 1) // 2 + 1


def test_rdg3_takes_three_evaluations_for_each_separable_variable():
    blocks = Blocks([[i] for i in range(40)], 40)
    _, count = run_in_pieces(blocks.problem, RDG3State.begin(blocks.box), ENDLESS)
    assert count == 1 + 3 * 39


def test_pairs_are_judged_like_those_of_the_twin():
    blocks = random_blocks(np.random.default_rng(3), overlap=True)
    state, _ = run_in_pieces(blocks.problem, DG2State.begin(blocks.box), ENDLESS)
    found = {(i, i + 1 + int(k)) for i in range(blocks.dimension) for k in np.flatnonzero(state.pairs.row(i))}
    assert found == blocks.pairs


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("method", METHODS)
def test_a_function_that_is_rounded_gives_the_groups_of_the_twin(method, sign):
    def fun(x):
        return sign * wavy(x)

    box = ter.box(-1, 3, dimension=9)
    state, count = run_in_pieces(ter.Problem(fun, box), begun(method, box), ENDLESS)
    assert (listed(state.structure()), count) == naive(method, fun, box)
    assert [5, 6] in listed(state.structure())[0] and 7 in listed(state.structure())[1]


def test_the_grey_zone_is_cut_where_the_twin_cuts_it():
    rng = np.random.default_rng(5)
    # A third of the pairs interact beyond doubt. Of the others, a few do so by some units in the last place.
    A = rng.uniform(7e-16, 1.6e-15, size=(60, 60)) * (rng.random((60, 60)) < 0.04)
    A[:35, :35] = 1e-12
    A = np.triu(A, 1)

    def fun(x):
        return float(1.7 + x @ A @ x)

    box = ter.box(0.0, 2.0, dimension=60)
    twin = NaiveDG2(fun, np.zeros(60), np.full(60, 2.0))
    twin.find()
    state, _ = run_in_pieces(ter.Problem(fun, box), DG2State.begin(box), ENDLESS)
    found = state.pairs.numbers
    in_doubt = (found > 0) & (found < 1)
    assert in_doubt.sum() == twin.grey > 10 and 0 < (found[in_doubt] > state.cut).sum() < twin.grey
    assert ((found > state.cut) | (found == 1)).sum() == len(twin.pairs)
    assert listed(state.structure()) == (twin.groups, twin.separable, [])


def test_pairs_whose_changes_add_up_are_separable_whatever_the_sign():
    assert strengths(-1.0, -2.0, np.array([-2.0]), np.array([-3.0]), 100).tolist() == [0.0]
    assert interacts(-1.0, -2.0, [-2.0], [-3.0], 100).tolist() == [0.0]


# Cut and resumed


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_cut_anywhere_it_goes_on_with_the_same_bits(method, together):
    blocks = random_blocks(np.random.default_rng(8), overlap=True)
    whole, count = run_in_pieces(blocks.problem, begun(method, blocks.box, together=together), ENDLESS)
    for limits in (itertools.repeat(1), itertools.cycle([2, 3, 5]), *([n, 10**6] for n in range(1, count))):
        cut, used = run_in_pieces(blocks.problem, begun(method, blocks.box, together=together), limits)
        assert used == count and same(cut, whole)


@pytest.mark.parametrize("method", METHODS)
def test_a_state_that_was_saved_goes_on_with_the_same_bits(method):
    blocks = random_blocks(np.random.default_rng(8), overlap=True)
    whole, count = run_in_pieces(blocks.problem, begun(method, blocks.box), ENDLESS)
    saved, used = run_in_pieces(blocks.problem, begun(method, blocks.box), itertools.repeat(7), saved=True)
    assert used == count and same(saved, whole)


def patchy(x):
    return np.nan if x[3] > 0.9 and x[0] > 0.9 else float((x[:3].sum()) ** 2 + x[3:].sum())


@pytest.mark.parametrize("method", METHODS)
def test_values_that_are_not_finite_are_cut_and_resumed_alike(method):
    problem = ter.Problem(patchy, ter.box(0, 2, dimension=6))
    whole, count = run_in_pieces(problem, begun(method, problem.box), ENDLESS)
    for n in range(1, count):
        cut, used = run_in_pieces(problem, begun(method, problem.box), [n, 10**6])
        assert used == count and same(cut, whole)


class Stopped:
    """An allowance that is stopped within a batch: some of its values are not evaluated, and nothing is left."""

    remaining, count = 10, 5

    def __init__(self, known):
        self.known = known

    def evaluate_moves(self, coordinates, V):
        self.remaining, self.count = 0, self.count + self.known
        return np.where(np.arange(len(V)) < self.known, 1.0, np.inf)


@pytest.mark.parametrize("known", [0, 1, 3])
def test_of_a_batch_that_was_stopped_what_was_evaluated_is_known(known):
    values = evaluated(Stopped(known), np.array([0]), np.zeros((3, 1)))
    assert values.tolist() == [1.0] * known


@pytest.mark.parametrize("method", METHODS)
def test_what_was_evaluated_when_the_clock_ends_a_turn_is_not_evaluated_again(method):
    """A batch under way is finished, and takes much longer than the turn."""
    blocks, clock = random_blocks(np.random.default_rng(8)), SimulatedClock()

    def slow(x):
        clock.work(1.0)
        return blocks(x)

    problem = ter.Problem(slow, blocks.box)
    whole, count = run_in_pieces(problem, begun(method, blocks.box, together=True), ENDLESS)
    state = begun(method, blocks.box, together=True)
    with clock.in_place():
        evaluator = Evaluator(problem.box, choose_engine(problem, stop_at_failure=True), Budget(seconds=1e6))
        for _ in range(count):  # each turn does something
            with suppress(AllowanceSpent):
                state.go_on(evaluator.lend(10**6, 2e-6))
    assert state.done and evaluator.count == count and same(state, whole)


# Engines


@pytest.mark.parametrize("method", METHODS)
def test_every_engine_and_full_evaluation_give_the_same_bits(method):
    blocks = random_blocks(np.random.default_rng(11), overlap=True)
    problem = blocks.problem
    expected, count = run_in_pieces(problem, begun(method, blocks.box), ENDLESS)

    class Moving:
        """A Python objective with moves."""

        def __call__(self, x):
            return problem(x)

        def start(self, x):
            return x

        def move(self, base, coordinates, values):
            return problem(self._moved(base, coordinates, values))

        def commit(self, base, coordinates, values):
            base[coordinates] = values

        def _moved(self, base, coordinates, values):
            x = base.copy()
            x[coordinates] = values
            return x

    full = ter.CompiledObjective(problem.fun.value, floats=problem.fun.floats, ints=problem.fun.ints)
    others = [
        ter.Problem(lambda x: problem(x), blocks.box),
        ter.Problem(Moving(), blocks.box),
        ter.Problem(lambda X: problem(X), blocks.box, vectorized=True),
        ter.Problem(full, blocks.box),
    ]
    for other in others:
        for together in (False, True):
            state, used = run_in_pieces(other, begun(method, blocks.box, together=together), ENDLESS)
            state.together = expected.together
            assert used == count and same(state, expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lso13/f8", "lso13/f13"])
@pytest.mark.parametrize("method", METHODS)
def test_moves_of_a_suite_give_the_bits_of_full_evaluations(method, name):
    problem = ter.problem(name)
    moving, full = begun(method, problem.box), begun(method, problem.box)
    for state, fun in ((moving, problem.fun), (full, lambda x: problem(x))):
        engine = choose_engine(ter.Problem(fun, problem.box), stop_at_failure=True)
        state.go_on(Evaluator(problem.box, engine, Budget(evaluations=2_000)).lend(2_000))
    assert not moving.done and same(moving, full)


# Failures and bad input


def test_nothing_is_known_if_the_base_point_has_no_value():
    for method in METHODS:
        box = ter.box(0, 1, dimension=4)
        state, count = run_in_pieces(ter.Problem(lambda x: np.nan, box), begun(method, box), ENDLESS)
        assert count == 1 and listed(state.structure()) == ([], [], [0, 1, 2, 3])


@pytest.mark.parametrize("bad", [0, 3, 5])
@pytest.mark.parametrize("method", METHODS)
def test_a_variable_that_cannot_be_moved_is_undecided_and_hinders_no_other(method, bad):
    def fun(x):
        return np.nan if x[bad] > 0 else float((x[1] + x[2]) ** 2 + x[3:].sum() + x[0])

    box = ter.box(0, 2, dimension=6)
    state, _ = run_in_pieces(ter.Problem(fun, box), begun(method, box), ENDLESS)
    assert listed(state.structure()) == ([[1, 2]], sorted({0, 3, 4, 5} - {bad}), [bad])


@pytest.mark.parametrize("method", METHODS)
def test_two_variables_that_cannot_be_moved_together_are_both_undecided(method):
    def fun(x):
        return np.inf if x[1] > 0 and x[4] > 0 else float(x.sum())

    box = ter.box(0, 2, dimension=6)
    state, _ = run_in_pieces(ter.Problem(fun, box), begun(method, box), ENDLESS)
    assert listed(state.structure()) == ([], [0, 2, 3, 5], [1, 4])


def test_a_chain_is_closed_at_the_largest_size():
    chain = Blocks([[i, i + 1] for i in range(29)], 30)
    state, _ = run_in_pieces(chain.problem, RDG3State.begin(chain.box, largest=10), ENDLESS)
    assert [g.size for g in state.structure().groups] == [10, 10, 10]
    state, _ = run_in_pieces(chain.problem, DG2State.begin(chain.box), ENDLESS)
    assert [g.size for g in state.structure().groups] == [30]


def test_variables_that_are_fixed_are_separable():
    box = ter.box([0, 0, 1], [2, 2, 1])
    for method in METHODS:
        state, _ = run_in_pieces(ter.Problem(lambda x: float(x.sum() ** 2), box), begun(method, box), ENDLESS)
        assert listed(state.structure()) == ([[0, 1]], [2], [])


def test_dg2_refuses_more_variables_than_its_pairs_have_room_for():
    with pytest.raises(InvalidArgument, match=r"dg2 takes at most 20000 variables.*got 20001; use the method rdg3"):
        DG2State.begin(ter.box(0, 1, dimension=20_001))


@pytest.mark.parametrize("largest", [1, 2.5, -3])
def test_a_largest_size_below_two_is_refused(largest):
    with pytest.raises(InvalidArgument, match=rf"largest must be a whole number >= 2, got {largest}"):
        RDG3State.begin(ter.box(0, 1, dimension=3), largest=largest)


def test_what_rdg3_keeps_is_linear_in_the_dimension():
    n = 10_000
    state = RDG3State.begin(ter.box(0, 1, dimension=n))
    arrays = [value for value in vars(state).values() if isinstance(value, np.ndarray)]
    assert sum(a.nbytes for a in arrays) < 100 * n
