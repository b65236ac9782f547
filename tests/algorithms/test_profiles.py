"""The numbers of the profiles, and the algorithms made of them."""

from __future__ import annotations

import pytest

import ter
from ter.algorithms import ALGORITHMS
from ter.algorithms.profiles import INITIATIONS, chosen_profile, default_profile, paper, with_parts
from ter.core.budget import Budget
from ter.core.profile import Profile

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
@pytest.mark.parametrize("evaluations", [10_000, 50_000])
def test_the_default_profile_shortens_initiations_for_small_budgets(dimension, evaluations):
    heuristics = default_profile(dimension, Budget(evaluations=evaluations)).heuristics
    assert all(0 < h.cost(dimension) <= evaluations / INITIATIONS for h in heuristics)


def test_without_a_limit_of_evaluations_the_default_initiations_are_the_papers():
    heuristics = default_profile(1000, Budget(seconds=3_000)).heuristics
    assert [h.cost(1000) for h in heuristics] == [25_000, 75_000, 25_000]


RACING = ["ls1", "lines", "groups", "rm-es", "lbfgsb"]


@pytest.mark.parametrize(
    ("dimension", "budget", "racing"),
    [
        (1000, Budget(evaluations=60_000), True),
        (1000, Budget(evaluations=59_999), False),
        (4, Budget(evaluations=20_000), True),
        (4, Budget(evaluations=19_999), False),
        (1000, Budget(seconds=10**6), False),
        (1000, Budget(evaluations=60_000, seconds=10**6), False),
        (1000, Budget(evaluations=60_000, cost=1.0), False),
        (1_000_000, Budget(evaluations=10**9), True),
    ],
)
def test_long_runs_begin_with_a_race(dimension, budget, racing):
    profile = default_profile(dimension, budget)
    assert [h.name for h in profile.heuristics] == (RACING if racing else ["ls1", "cc", "gs"])
    assert isinstance(profile.scheduler, ter.schedulers.Halving) == racing


def test_the_race_of_a_long_run_takes_less_than_half_of_it():
    scheduler = default_profile(1000, Budget(evaluations=3_000_000)).scheduler
    first, second = 5 * scheduler.race, 2 * scheduler.growth * scheduler.race
    assert first + second + 2 * scheduler.patience < 1_500_000


def test_whoever_chooses_a_part_gets_the_other_one_as_in_short_runs():
    limits = Budget(evaluations=10**6)
    by_scheduler, by_heuristics = chosen_profile(4, limits, scheduler="random"), chosen_profile(4, limits, ["lines"])
    assert [h.name for h in by_scheduler.heuristics] == ["ls1", "cc", "gs"]
    assert by_heuristics.scheduler == ter.schedulers.TER(temperature=0.2, window=10, reward="relative")
    assert chosen_profile(4, limits) == default_profile(4, limits)


def test_no_initiation_gets_more_than_its_share_of_the_seconds():
    result = ter.minimize(SPHERE, budget="0.4s", rng=1, heuristics=[ter.heuristics.LS1(evaluations=1e9)])
    assert result.nit >= 5


def test_the_default_profile_does_not_depend_on_units():
    profile = default_profile(10, Budget(seconds=5))
    assert profile.scheduler == ter.schedulers.TER(temperature=0.2, window=10, reward="relative")
    assert profile.share == 1 / INITIATIONS and profile.start_points == 10
    ls1, cc, gs = profile.heuristics
    assert not ls1.scalar and cc.spread == gs.spread == 0.1


def test_a_linear_change_of_the_objective_leaves_the_default_run_as_it_is():
    runs = [ter.minimize(lambda x, k=k: k * float((x * x).sum()), SPHERE.box, budget=1500, rng=1) for k in (1, 1024)]
    assert runs[0].sequence == runs[1].sequence and (runs[0].x == runs[1].x).all()


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
