"""Metered: what an evaluation takes tells the lengths of a race, or that there is no time for one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.core.action import Action
from ter.schedulers import Halving, Metered

RACING = ("a", "b", "c")
NAMES = (*RACING, "d")
PAID = ter.Budget(cost=1000.0, unit="cost")


def metered(budget=PAID, least=2_000, **changes):
    ready = (("a", 1), ("d", 300))
    return Metered(budget, 10, opening=50, least=least, racing=RACING, ready=ready, **changes)


def action(nfev, cost, name="a", index=0, seconds=0.0, origin="incumbent"):
    return Action(index, name, cost=cost, nfev=nfev, before=2.0, after=1.0, seconds=seconds, origin=origin)


def chosen(scheduler, *history):
    return scheduler.choose(list(history), NAMES, np.random.default_rng(1))


def test_the_first_of_the_racers_opens_with_few_evaluations_and_little_of_the_budget():
    choice = chosen(metered(turn=1 / 40))
    assert (choice.index, choice.evaluations, choice.share) == (0, 50, 1 / 20)
    assert chosen(replace(metered(), racing=("b", "c"))).index == 1


@pytest.mark.parametrize(
    ("budget", "first", "affordable"),
    [
        (PAID, action(50, cost=5.0), 10_000),
        (PAID, action(50, cost=0.0), 2_000),  # for nothing: there is time for a race
        (ter.Budget(seconds=100.0, unit="seconds"), action(50, cost=0.5, seconds=99.0), 10_000),
        (ter.Budget(seconds=100.0), action(50, cost=50, seconds=0.5), 10_000),
        (ter.Budget(seconds=100.0, evaluations=3_000, unit="seconds"), action(50, cost=0.5), 3_000),
        (ter.Budget(seconds=100.0, cost=10.0, unit="cost"), action(50, cost=0.5, seconds=1.0), 1_000),
        (ter.Budget(seconds=100.0, cost=10.0, unit="cost"), action(50, cost=0.1, seconds=50.0), 100),
        (PAID, action(1, cost=1e9), 1),
    ],
)
def test_the_opening_tells_what_the_budget_is_enough_for(budget, first, affordable):
    assert metered(budget).affordable(first) == affordable


def test_with_time_it_is_the_race_for_so_many_evaluations():
    fitted = Halving.fitted(10, 10_000)
    history = [action(50, cost=5.0)]
    for k in range(1, 30):
        ours = chosen(metered(), *history)
        plain = fitted.choose(history, RACING, np.random.default_rng(1))
        assert (ours.index, ours.evaluations, ours.origin) == (plain.index, plain.evaluations, plain.origin)
        assert ours.probabilities == (*plain.probabilities, 0.0)
        assert ours.share == plain.evaluations / 10_000
        name, n = NAMES[ours.index], ours.evaluations
        history.append(replace(action(n, cost=n / 10, name=name, index=k, origin=ours.origin), own=(2.0, 1.0)))


def test_who_is_cheap_gets_more_evaluations_for_the_same_price():
    opened, plain = action(50, cost=5.0), Halving.fitted(10, 10_000)
    ours = chosen(metered(), opened)
    assert (NAMES[ours.index], ours.share) == ("a", plain.race / 10_000)
    # The second turn of b, which has paid a tenth of the price, is ten times as long; its share is the same.
    cheap = [opened]
    while len({step.heuristic for step in cheap[1:]}) < 3:
        choice = chosen(metered(), *cheap)
        name, n = NAMES[choice.index], choice.evaluations * (10 if NAMES[choice.index] == "b" else 1)
        cheap.append(
            replace(
                action(n, choice.share * 1000, name, len(cheap), origin=choice.origin), own=(2.0, 2.0 - (name == "b"))
            )
        )
    again = chosen(metered(), *cheap)
    while NAMES[again.index] != "b":
        name = NAMES[again.index]
        cheap.append(
            replace(
                action(again.evaluations, again.share * 1000, name, len(cheap), origin=again.origin), own=(2.0, 2.0)
            )
        )
        again = chosen(metered(), *cheap)
    assert again.evaluations == pytest.approx(10 * again.share * 10_000, rel=0.01)


def test_without_time_ter_chooses_among_those_that_are_ready():
    sequence, history = [], [action(50, cost=50.0)]  # 1000 in all
    for k in range(1, 40):
        choice = chosen(metered(), *history)
        sequence.append(NAMES[choice.index])
        assert choice.origin == "incumbent" and choice.probabilities[1:3] == (0.0, 0.0)
        assert choice.evaluations == (25 if choice.index == 0 else 300)
        assert choice.share == choice.evaluations / 1000
        history.append(replace(action(25, cost=25.0, name=sequence[-1], index=k), reward=float(k % 2)))
    assert set(sequence) == {"a", "d"}


def test_who_would_need_all_the_time_is_not_started():
    tight = [action(50, cost=125.0)]  # 400 in all, of which d needs 300
    assert {chosen(metered(), *tight).index for _ in range(3)} == {0}
    assert chosen(metered(), *tight).probabilities == (1.0, 0.0, 0.0, 0.0)


def counting(budget, price, seed=1, **options):
    def fun(x):
        return ter.Value(float((x**2).sum()), cost=price)

    return ter.minimize(fun, ter.box(-1, 1, dimension=20), budget=budget, rng=seed, **options)


@given(price=st.sampled_from([0.001, 0.125, 1.0, 3.0]), limit=st.integers(5, 4_000))
def test_the_default_uses_all_of_a_cost_and_no_more_than_one_evaluation_too_much(price, limit):
    limits = ter.Budget(cost=price * min(limit, 4_000), unit="cost")
    result = counting(limits, price)
    assert limits.cost <= result.spent.cost < limits.cost + price + 1e-9


def test_equal_costs_give_the_same_bits_and_other_units_the_same_run():
    one, two = (counting(ter.Budget(cost=5_000, unit="cost"), 1.0) for _ in range(2))
    assert (one.x == two.x).all() and one.sequence == two.sequence
    cents = counting(ter.Budget(cost=64 * 5_000, unit="cost"), 64.0)
    assert cents.sequence == one.sequence and cents.nfev == one.nfev == 5_000 and (cents.x == one.x).all()
    assert len(set(one.sequence)) >= 3 and one.fun < 1e-6  # it was a race


def test_a_run_in_seconds_can_be_gone_on_with(tmp_path):
    def fun(x):
        return float((x**2).sum())

    box = ter.box(-1, 1, dimension=20)
    first = ter.minimize(fun, box, budget="0.3s", rng=1, checkpoint=tmp_path)
    more = ter.resume(tmp_path, fun, budget="0.6s")
    assert more.nfev > first.nfev and more.fun <= first.fun
    assert more.sequence[: len(first.sequence) - 1] == first.sequence[:-1]


def test_bad_settings_are_refused():
    with pytest.raises(ter.InvalidArgument, match=r"turn must lie in \(0, 1"):
        metered(turn=0.0)
    with pytest.raises(ter.InvalidArgument, match=r"least must lie in \[1, inf\], got 0"):
        metered(least=0)
    with pytest.raises(ter.InvalidArgument, match="racing must name some of the heuristics, got a, b, c among a, b"):
        metered().check(["a", "b"])
    with pytest.raises(ter.InvalidArgument, match="ready must name some of the heuristics, got a, d among a, b, c"):
        metered().check(RACING)
    with pytest.raises(ter.InvalidArgument, match=r"'metered' must be told what to start; pass ter.schedulers.Metered"):
        counting(100, 1.0, scheduler="metered")
