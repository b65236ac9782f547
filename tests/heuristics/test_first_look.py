"""A first look: whether variables can be searched one by one, and whether there are groups to be found."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.heuristics.first_look import PAIRS, VARIABLES, OrderLook, PairLook
from ter.testing.rehearsal import Rehearsal

N = 40
BOX = ter.box(-5, 4, dimension=N)
ROTATION = np.linalg.qr(np.random.default_rng(3).standard_normal((N, N)))[0]
SCALES = 10.0 ** np.linspace(0, 4, N)


class Looking:
    """A heuristic that does nothing but look."""

    name = "looking"

    def __init__(self, kind: type[OrderLook] | type[PairLook]) -> None:
        self.kind, self.done = kind, False

    def cost(self, dimension):
        return 100

    def start(self, box, rng):
        return None

    def act(self, state, allowance, rng):
        state = state or self.kind.begin(allowance, rng)
        self.done = state.go_on(allowance)
        return state


def looked(kind, fun, slices=(200,), seed=1):
    looking = Looking(kind)
    rehearsal = Rehearsal(looking, fun, BOX, seed=seed)
    used = 0
    for evaluations in slices:
        used += rehearsal.act(evaluations)
    assert looking.done
    return rehearsal.state, used


def ripples(x: np.ndarray) -> float:
    return float((x**2 + 10 - 10 * np.cos(2 * np.pi * x)).sum())


def ellipsoid(x: np.ndarray) -> float:
    return float((SCALES * (ROTATION @ (x - 1)) ** 2).sum())


def blocks(x: np.ndarray) -> float:
    """Groups of four variables."""
    return float(sum(x[i : i + 4].sum() ** 2 + (x[i : i + 4] ** 2).sum() for i in range(0, N, 4)))


SEPARABLE = {
    "squares": lambda x: float((SCALES * (x - 1) ** 2).sum()),
    "ripples": ripples,
    "the logarithm of a sum": lambda x: math.log(1e-3 + float((x**2).sum())),
    "the root of ripples": lambda x: -math.exp(-0.1 * math.sqrt(ripples(x))),
    "a constant": lambda x: 7.0,
    "steps": lambda x: float(np.floor(np.abs(x)).sum()),
    "the largest": lambda x: float(np.abs(x).max()),
    "drowned in rounding": lambda x: 1e12 * (1 + 2e-16 * math.sin(1e7 * x.sum())) + 1e-6 * float((x**2).sum()),
}
TOGETHER = {
    "ellipsoid": ellipsoid,
    "a ridge": lambda x: float((x.sum() - 3) ** 2 + 1e-2 * (x**2).sum()),
    "its logarithm": lambda x: math.log(1 + ellipsoid(x)),
}


@pytest.mark.parametrize("name", SEPARABLE)
@given(seed=st.integers(0, 2**16))
def test_what_can_be_searched_one_by_one_never_contradicts_itself(name, seed):
    look, used = looked(OrderLook, SEPARABLE[name], seed=seed)
    assert look.fits
    assert used == 3 * VARIABLES + 1


@pytest.mark.parametrize("name", TOGETHER)
def test_variables_that_interact_contradict_themselves(name):
    found = [looked(OrderLook, TOGETHER[name], seed=seed)[0].fits for seed in range(20)]
    assert sum(found) <= 2


@given(a=st.floats(1e-6, 1e6), b=st.sampled_from([0.0, 1.0, -1e3]), seed=st.integers(0, 99))
def test_scale_and_offset_do_not_matter(a, b, seed):
    """As long as they do not drown the differences."""
    plain, moved = (looked(OrderLook, fun, seed=seed)[0] for fun in (ellipsoid, lambda x: a * (ellipsoid(x) + b)))
    assert plain.fits == moved.fits


@pytest.mark.parametrize(("fun", "verdict"), [(ellipsoid, False), (blocks, True), (ripples, True), (math.fsum, True)])
@pytest.mark.parametrize("seed", range(5))
def test_pairs_of_a_rotated_function_interact_and_few_of_those_in_groups(fun, verdict, seed):
    look, used = looked(PairLook, fun, seed=seed)
    assert look.fits is verdict
    assert used == 3 * PAIRS + 1


def test_values_that_are_not_finite_tell_nothing():
    for kind in (OrderLook, PairLook):
        look, _ = looked(kind, lambda x: math.inf if x.sum() > -190 else 1.0)
        assert look.fits


@pytest.mark.parametrize("kind", [OrderLook, PairLook])
@given(cuts=st.lists(st.integers(1, 30), min_size=3, max_size=8))
def test_where_it_is_cut_does_not_matter(kind, cuts):
    whole, used = looked(kind, ellipsoid)
    pieces, together = looked(kind, ellipsoid, (*cuts, 200))
    assert used == together
    whole, pieces = (look.there if kind is OrderLook else look.moves for look in (whole, pieces))
    assert whole.values.tolist() == pieces.values.tolist()


@pytest.mark.parametrize("kind", [OrderLook, PairLook])
@given(seed=st.integers(0, 99))
def test_no_point_is_outside_of_the_box(kind, seed):
    low = np.linspace(-0.3, 0.1, N)
    box = ter.box(low, np.where(np.arange(N) % 3, low, 0.7))  # most variables are fixed
    rehearsal = Rehearsal(Looking(kind), lambda x: float((x**2).sum()), box, seed=seed)
    rehearsal.act(200)
    assert (rehearsal.points >= box.lower).all() and (rehearsal.points <= box.upper).all()


@pytest.mark.parametrize("name", ["lines", "groups"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_variables_are_no_trouble(name, n):
    heuristic = {"lines": ter.heuristics.GlobalLineSearch, "groups": ter.heuristics.DecomposedES}[name]
    result = ter.minimize(
        lambda x: float(((x - 0.5) ** 2).sum()), ter.box(-1, 2, dimension=n), budget=600, rng=1,
        heuristics=[heuristic(looks_first=True)],
    )  # fmt: skip
    assert result.nfev == 600 and result.fun < 1e-6


@pytest.mark.parametrize(
    ("heuristic", "fits", "does_not", "cost"),
    [
        (ter.heuristics.GlobalLineSearch(looks_first=True), ripples, ellipsoid, 3 * VARIABLES + 1),
        (ter.heuristics.DecomposedES(looks_first=True), blocks, ellipsoid, 3 * PAIRS + 1),
    ],
)
def test_who_does_not_fit_lets_others_go_first_and_then_works_all_the_same(heuristic, fits, does_not, cost):
    declined = Rehearsal(heuristic, does_not, BOX)
    before = declined.evaluator.y
    assert declined.act(2_000) == cost and not declined.state.investing
    assert declined.act(2_000) == 2_000 and declined.evaluator.y < before
    assert getattr(declined.state, "remark", "") != "nearly all variables interact"
    taken = Rehearsal(heuristic, fits, BOX)
    assert taken.act(2 * cost) == 2 * cost and taken.state.investing


def test_a_look_that_is_cut_says_that_it_invests():
    for heuristic in (ter.heuristics.GlobalLineSearch(looks_first=True), ter.heuristics.DecomposedES(looks_first=True)):
        rehearsal = Rehearsal(heuristic, ellipsoid, BOX)
        assert rehearsal.act(10) == 10 and rehearsal.state.investing
