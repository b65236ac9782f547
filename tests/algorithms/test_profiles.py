"""The numbers of the profiles, and the algorithms made of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ter
from ter.algorithms import ALGORITHMS
from ter.algorithms.profiles import INITIATIONS, chosen_profile, default_profile, paper, with_parts
from ter.core.action import Action
from ter.core.budget import Budget
from ter.core.profile import Profile
from ter.schedulers import Plunge

SPHERE = ter.Problem(lambda x: float((x * x).sum()), ter.box(-5, 5, dimension=4), name="sphere")


def test_the_papers_profile_has_the_papers_numbers():
    profile = paper()
    ls1, cc, gs = profile.heuristics
    assert [h.name for h in profile.heuristics] == ["ls1", "cc", "gs"]
    assert [h.cost(1000) for h in profile.heuristics] == [25_000, 75_000, 25_000]
    assert profile.scheduler == ter.schedulers.TER(temperature=0.2, window=5, reward="improvement")
    assert ls1.scalar and ls1.step == (0.3, 0.4)
    assert (cc.group, cc.inner, cc.population, cc.spread) == (50, "shade", (26, 4), "paper")
    assert (gs.population, gs.spread) == (50, "paper")
    assert profile.start_points == 50 and profile.share == 1


def test_the_papers_initiations_get_their_full_length():
    result = ter.algorithm("ter").minimize(SPHERE, budget=3000, rng=1)
    # 25 D = 100, 75 D = 300 and 25 D = 100 evaluations for D = 4
    assert [action.nfev for action in result.actions[:3]] == [100, 300, 100]
    assert result.sequence[:3] == ("ls1", "cc", "gs")
    assert result.nfev == 3000


@pytest.mark.parametrize(("evaluations", "start"), [(1, 1), (100, 1), (1000, 10), (5000, 50), (3_000_000, 50)])
def test_the_default_profile_starts_from_few_points_of_a_small_budget(evaluations, start):
    assert default_profile(1000, Budget(evaluations=evaluations)).start_points == start


@pytest.mark.parametrize("dimension", [1000, 10_000])
@pytest.mark.parametrize("evaluations", [10_000, 29_000])
def test_the_default_profile_shortens_initiations_for_small_budgets(dimension, evaluations):
    heuristics = default_profile(dimension, Budget(evaluations=evaluations)).heuristics
    costs = {h.name: h.cost(dimension) for h in heuristics}
    gradients = costs.pop("quasi-newton", 0)  # half a gradient would be good for nothing
    assert gradients in (0, 2 * (dimension + 1)) and gradients < evaluations
    assert all(0 < cost <= evaluations / INITIATIONS for cost in costs.values())


RACING = ["volleys", "lines", "groups", "rm-es", "quasi-newton", "wide-es"]
SHORT = ["volleys", "rm-es", "quasi-newton"]
METERED = [*RACING, "quick-newton"]


@pytest.mark.parametrize(
    ("dimension", "budget", "names", "scheduler"),
    [
        (1000, Budget(evaluations=30_000), RACING, "Plunge"),
        (1000, Budget(evaluations=60_000), RACING, "Halving"),
        (1000, Budget(evaluations=29_999), SHORT, "TER"),
        (4, Budget(evaluations=2_000), RACING, "Halving"),
        (4, Budget(evaluations=1_999), SHORT, "TER"),
        (1_000_000, Budget(evaluations=10**9), RACING, "Halving"),
        # Evaluations tell the lengths, as long as it is these that heuristics are judged by.
        (1000, Budget.read("30000 evaluations, 6h"), RACING, "Plunge"),
        (1000, Budget(evaluations=30_000, cost=1.0), RACING, "Plunge"),
        (1000, Budget(evaluations=30_000, seconds=10, unit="seconds"), METERED, "Metered"),
        (1000, Budget(evaluations=29_999, seconds=10, unit="seconds"), SHORT, "TER"),
        (1000, Budget.read("10min"), METERED, "Metered"),
        (1000, Budget(seconds=10), METERED, "Metered"),
        (4, Budget(cost=10, unit="cost"), METERED, "Metered"),
        (4, Budget(cost=10), SHORT, "TER"),  # nobody learns what an evaluation has cost
    ],
)
def test_long_runs_begin_with_a_race(dimension, budget, names, scheduler):
    profile = default_profile(dimension, budget)
    assert [h.name for h in profile.heuristics] == names
    assert type(profile.scheduler).__name__ == scheduler


def test_runs_of_less_than_a_few_gradients_have_none():
    assert [h.name for h in default_profile(1000, Budget(evaluations=3_000)).heuristics] == SHORT
    assert [h.name for h in default_profile(1000, Budget(evaluations=2_999)).heuristics] == SHORT[:2]


def race_of(evaluations):
    """Return the race of the default, which comes after a plunge and its opening in hurried runs."""
    scheduler = default_profile(1000, Budget(evaluations=evaluations)).scheduler
    return replace(scheduler.race, opening=scheduler.opening) if isinstance(scheduler, Plunge) else scheduler


def test_in_the_race_of_a_long_run_the_others_take_less_than_half_of_it():
    scheduler = default_profile(1000, Budget(evaluations=3_000_000)).scheduler
    first, second = 2 * scheduler.race, scheduler.growth * scheduler.race
    assert first + second + 2 * scheduler.patience < 1_500_000  # two of them invest for as long as they may


@pytest.mark.parametrize("per_variable", [30, 100, 3_000])
def test_slices_of_long_runs_do_not_cut_a_gradient(per_variable):
    assert race_of(per_variable * 1000).slice > 1000


def test_the_opening_of_a_long_run_is_short_in_any_case():
    openings = [race_of(n).opening for n in (30_000, 100_000, 3_000_000)]
    assert openings == [1_500, 5_000, 5_000]


def test_in_a_race_those_who_invest_look_first():
    heuristics = default_profile(1000, Budget(evaluations=100_000)).heuristics
    looking = [h.name for h in heuristics if getattr(h, "looks_first", False)]
    assert looking == ["lines", "groups", "rm-es", "quasi-newton", "wide-es"] and heuristics[0].looks_later


@pytest.mark.parametrize(
    ("per_variable", "times", "patient"),
    [(30, 1, False), (100, 2, False), (300, 4, True), (1_000, 16, True), (10**5, 16, True)],
)
def test_longer_runs_have_a_wider_strategy_and_more_patience(per_variable, times, patient):
    profile = default_profile(1000, Budget(evaluations=1000 * per_variable))
    groups, wide = profile.heuristics[2], profile.heuristics[5]
    assert wide.population == times * 24 <= wide.largest
    assert groups.few_only is not patient and race_of(1000 * per_variable).rematch is patient
    assert profile.heuristics[0].invests_while_falling is not patient


def test_a_wide_strategy_has_no_more_points_than_there_is_memory_for():
    wide = default_profile(10**6, Budget(evaluations=10**9)).heuristics[5]
    assert wide.population == wide.size(10**6) == 45


def test_whoever_chooses_a_part_gets_the_other_one_as_in_short_runs():
    limits = Budget(evaluations=10**6)
    by_scheduler, by_heuristics = chosen_profile(4, limits, scheduler="random"), chosen_profile(4, limits, ["lines"])
    assert [h.name for h in by_scheduler.heuristics] == SHORT
    assert by_heuristics.scheduler == ter.schedulers.TER(temperature=0.2, window=10, reward="relative")
    assert chosen_profile(4, limits) == default_profile(4, limits)


def test_no_initiation_gets_more_than_its_share_of_the_seconds():
    result = ter.minimize(SPHERE, budget="0.4s", rng=1, heuristics=[ter.heuristics.LS1(evaluations=1e9)])
    assert result.nit >= 5


def test_chosen_heuristics_are_the_same_in_any_unit():
    profile = chosen_profile(10, Budget(seconds=5), ["ls1", "cc", "gs"])
    ls1, cc, gs = profile.heuristics
    assert not ls1.scalar and cc.spread == gs.spread == 0.1
    assert profile.share == 1 / INITIATIONS and profile.start_points == 10


@pytest.mark.parametrize("heuristics", [["ls1", "cc", "gs"], ["volleys", "rm-es"]])
def test_a_linear_change_of_the_objective_leaves_the_run_as_it_is(heuristics):
    def run(k):
        fun = lambda x: k * float((x * x).sum())  # noqa: E731
        return ter.minimize(fun, SPHERE.box, budget=1500, rng=1, heuristics=heuristics)

    assert run(1).sequence == run(1024).sequence and (run(1).x == run(1024).x).all()


@pytest.mark.parametrize("evaluations", [10_000, 100_000])
def test_the_choices_of_the_default_do_not_depend_on_the_units_of_the_values_nor_on_a_constant(evaluations, rng):
    profile = default_profile(1000, Budget(evaluations=evaluations))
    names = [h.name for h in profile.heuristics]
    values = -np.sort(-rng.integers(0, 2**20, size=41))

    def choices(factor, constant):
        history, made = [], []
        for k in range(40):
            choice = profile.scheduler.choose(history, names, np.random.default_rng(k))
            before, after = (factor * float(y) + constant for y in values[k : k + 2])
            own = None if choice.origin == "incumbent" else (before, after)
            action = Action(k, names[choice.index], 100, 100, before, after, origin=choice.origin, own=own)
            history.append(replace(action, reward=profile.scheduler.reward_of(action)))
            made.append(choice.index)
        return made

    assert choices(1.0, 0.0) == choices(1.0, 1000.0) == choices(0.25, -3.0) == choices(1024.0, 0.0)


def test_a_good_start_is_polished_first():
    x0 = np.full(50, 0.5) + 1e-3 * np.random.default_rng(1).standard_normal(50)
    options = {"bounds": ter.box(-5, 5, dimension=50), "budget": 2_000, "rng": 1, "x0": x0}
    slopes = 10.0 ** np.linspace(0, 3, 50)
    smooth = ter.minimize(lambda x: float((slopes * (x - 0.5) ** 2).sum()), **options)
    polished = sum(action.nfev for action in smooth.actions if action.heuristic == "polish")
    assert smooth.sequence[:2] == ("polish", "polish") and polished > 300 and smooth.fun < 1e-4

    def noisy(x):
        return float((slopes * (x - 0.5) ** 2).sum() * (1.0 + 1e-3 * np.sin(1e12 * x.sum())))

    rough = ter.minimize(noisy, **options)
    assert rough.sequence[0] == "polish" and rough.actions[0].nfev < 20  # a look at the slopes was enough
    assert "polish" not in rough.sequence[2:]
    far = ter.minimize(lambda x: float((slopes * (x - 3.0) ** 2).sum()), **options)
    assert far.actions[0].nfev == 0 and "polish" not in far.sequence[1:]


def test_long_runs_and_chosen_portfolios_have_no_opening():
    assert chosen_profile(10, Budget(evaluations=10**5), x0_given=True) == default_profile(
        10, Budget(evaluations=10**5)
    )
    chosen = chosen_profile(10, Budget(evaluations=500), ["ls1"], x0_given=True)
    assert [h.name for h in chosen.heuristics] == ["ls1"]


def test_parts_can_be_exchanged():
    profile = with_parts(paper(), heuristics=["gs", "ls1"], scheduler="random")
    assert profile.heuristics == (paper().heuristics[2], paper().heuristics[0])
    assert profile.scheduler == ter.schedulers.RandomChoice()
    assert with_parts(paper()) == paper()


def test_names_stand_for_the_profiles_own_members():
    for name in ("gs", "shade"):
        assert with_parts(paper(), heuristics=[name]).heuristics == (paper().heuristics[2],)
    assert isinstance(with_parts(paper(), heuristics=["cc"]), Profile)


@pytest.mark.parametrize("name", sorted(ALGORITHMS))
def test_every_algorithm_runs(name):
    algorithm = ter.algorithm(name)
    result = algorithm.minimize(SPHERE, budget=400, rng=1)
    assert algorithm.name == name and algorithm.about
    assert result.nfev == 400 and result.problem == "sphere"


@pytest.mark.parametrize(("name", "heuristic"), [("ls", "ls1"), ("cc", "cc"), ("gs", "gs")])
def test_single_algorithms_start_one_heuristic(name, heuristic):
    result = ter.algorithm(name).minimize(SPHERE, budget=900, rng=1)
    assert set(result.sequence) == {heuristic}


def test_unknown_algorithms_are_refused():
    with pytest.raises(ter.UnknownName, match="unknown algorithm 'tre'; did you mean 'ter'"):
        ter.algorithm("tre")


def test_an_algorithm_needs_a_problem_with_bounds():
    with pytest.raises(ter.InvalidArgument, match="bounds must be given"):
        ter.algorithm("ter").minimize(lambda x: 0.0, budget=10)
