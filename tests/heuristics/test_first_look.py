"""A first look: can variables be searched one by one, are there groups, is the function rugged, whose is it then."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.heuristics.first_look import FEW, PAIRS, VARIABLES, FirstLook, Look, OrderLook, PairLook
from ter.heuristics.kinds import FewPairsLook, OneByOneLook, RuggedLook, SweepsLook
from ter.heuristics.ruggedness import FEWEST_LINES, LINES, SHORTER, VARIABLES_PER_LINE, CurvatureLook
from ter.heuristics.wide_es import WideES
from ter.testing.rehearsal import Rehearsal

N = 40
BOX = ter.box(-5, 4, dimension=N)
LOOKS = (OrderLook, PairLook, CurvatureLook, OneByOneLook, SweepsLook, RuggedLook, FewPairsLook)
ORDER = 3 * VARIABLES + 1  # evaluations
CURVATURE = 2 * len(SHORTER) * FEWEST_LINES
START = 1.75  # all variables of a rehearsal's first point
ROTATION = np.linalg.qr(np.random.default_rng(3).standard_normal((N, N)))[0]
SCALES = 10.0 ** np.linspace(0, 4, N)


class Looking:
    """A heuristic that does nothing but look."""

    name = "looking"

    def __init__(self, kind: type[Look]) -> None:
        self.kind, self.done = kind, False

    def cost(self, dimension):
        return 100

    def start(self, box, rng):
        return None

    def act(self, state, allowance, rng):
        state = state or self.kind.begin(allowance)
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
    """Ripples on a valley; the rehearsal's start is at the bottom of one of them."""
    return float(((x - 0.75) ** 2 + 10 - 10 * np.cos(2 * np.pi * (x - 0.75))).sum())


def ellipsoid(x: np.ndarray) -> float:
    return float((SCALES * (ROTATION @ (x - 1)) ** 2).sum())


def rotated_ripples(x: np.ndarray) -> float:
    return ripples(ROTATION @ (x - START) + START)


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
    assert look.fits and look.contradictions == 0.0
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
    for kind in (OrderLook, PairLook, CurvatureLook):
        look, _ = looked(kind, lambda x: math.inf if x.sum() > -190 else 1.0)
        assert look.fits


@pytest.mark.parametrize("kind", LOOKS)
@given(cuts=st.lists(st.integers(1, 30), min_size=3, max_size=8))
def test_where_it_is_cut_does_not_matter(kind, cuts):
    whole, used = looked(kind, ellipsoid)
    pieces, together = looked(kind, ellipsoid, (*cuts, 200))
    assert used == together and whole.fits == pieces.fits
    if kind in (OrderLook, PairLook, CurvatureLook):
        whole, pieces = (look.there if kind is OrderLook else look.moves for look in (whole, pieces))
        assert whole.values.tolist() == pieces.values.tolist()


@pytest.mark.parametrize("kind", LOOKS)
@given(seed=st.integers(0, 99))
def test_no_point_is_outside_of_the_box(kind, seed):
    low = np.linspace(-0.3, 0.1, N)
    box = ter.box(low, np.where(np.arange(N) % 3, low, 0.7))  # most variables are fixed
    rehearsal = Rehearsal(Looking(kind), lambda x: float((x**2).sum()), box, seed=seed)
    rehearsal.act(200)
    assert (rehearsal.points >= box.lower).all() and (rehearsal.points <= box.upper).all()


@pytest.mark.parametrize("name", ["lines", "groups", "rm-es", "quasi-newton", "volleys", "wide-es"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_variables_are_no_trouble(name, n):
    heuristic = {
        "lines": ter.heuristics.GlobalLineSearch(looks_first=True),
        "groups": ter.heuristics.DecomposedES(looks_first=True, few_only=True),
        "rm-es": ter.heuristics.RmES(looks_first=True),
        "quasi-newton": ter.heuristics.QuasiNewton(looks_first=True),
        "volleys": ter.heuristics.Volleys(looks_later=True, evaluations=5),
        "wide-es": ter.heuristics.WideES(looks_first=True),
    }[name]
    result = ter.minimize(
        lambda x: float(abs(x - 0.5).sum()), ter.box(-1, 2, dimension=n), budget=600, rng=1, heuristics=[heuristic]
    )
    assert (result.nfev == 600 or name == "quasi-newton") and result.fun < 0.1


@pytest.mark.parametrize(
    ("heuristic", "fits", "does_not", "cost"),
    [
        (ter.heuristics.GlobalLineSearch(looks_first=True), ripples, ellipsoid, ORDER),
        (ter.heuristics.DecomposedES(looks_first=True), blocks, ellipsoid, 3 * PAIRS + 1),
        (ter.heuristics.DecomposedES(looks_first=True, few_only=True), ripples, blocks, ORDER + 3 * PAIRS + 1),
        (ter.heuristics.RmES(looks_first=True), ellipsoid, ripples, CURVATURE),
        (ter.heuristics.QuasiNewton(looks_first=True), ellipsoid, ripples, CURVATURE),
        (ter.heuristics.WideES(looks_first=True), rotated_ripples, ripples, ORDER),
        (ter.heuristics.WideES(looks_first=True), rotated_ripples, ellipsoid, ORDER + CURVATURE),
    ],
)
def test_who_does_not_fit_lets_others_go_first_and_then_works_all_the_same(heuristic, fits, does_not, cost):
    declined = Rehearsal(heuristic, does_not, BOX)
    assert declined.act(2_000) == cost and not getattr(declined.state, "investing", False)
    assert declined.state.remark in {look.otherwise for look in LOOKS}
    assert declined.act(2_000) > cost and declined.state.remark not in {look.otherwise for look in LOOKS}
    taken = Rehearsal(heuristic, fits, BOX)
    assert taken.act(2 * cost) == 2 * cost and not taken.state.first.waiting


def test_a_look_that_is_cut_says_that_it_invests():
    for heuristic in (ter.heuristics.GlobalLineSearch(looks_first=True), ter.heuristics.DecomposedES(looks_first=True)):
        rehearsal = Rehearsal(heuristic, ellipsoid, BOX)
        assert rehearsal.act(10) == 10 and rehearsal.state.investing


SMOOTH = {
    "ellipsoid": ellipsoid,
    "a quartic": lambda x: float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()),
    "a slope": lambda x: float(x.sum()),
    "a constant": lambda x: 7.0,
    "small noise": lambda x: float((x**2).sum()) + 1e-9 * math.sin(1e6 * x.sum()),
    "drowned in rounding": lambda x: 1e14 + 0.01 * float((x**2).sum()),
}
RUGGED = {
    "ripples": ripples,
    "rotated ripples": rotated_ripples,
    "ackley": lambda x: -20 * math.exp(-0.2 * math.sqrt((x**2).mean())) - math.exp(np.cos(8 * np.pi * x).mean()),
    "steps": lambda x: float(np.floor(4 * x).sum() + np.floor(4 * (ROTATION @ x)).sum()),
}


@pytest.mark.parametrize("name", [*SMOOTH, *RUGGED])
def test_short_steps_see_the_ripples_and_long_ones_the_valley(name):
    look, used = looked(CurvatureLook, (SMOOTH | RUGGED)[name])
    assert look.rugged is (name in RUGGED) and look.fits is not look.rugged
    assert used == CURVATURE


@pytest.mark.parametrize(("fun", "interacting_only", "waits"), [
    (ripples, True, True), (ripples, False, False), (rotated_ripples, True, False), (ellipsoid, False, True),
])  # fmt: skip
def test_a_wide_strategy_waits_on_ripples_of_single_variables_unless_it_has_time(fun, interacting_only, waits):
    rehearsal = Rehearsal(WideES(looks_first=True, interacting_only=interacting_only), fun, BOX)
    assert (rehearsal.act(400) < 400) is waits and rehearsal.state.first.waiting is waits


@given(a=st.floats(1e-6, 1e6), b=st.sampled_from([0.0, 1.0, -1e3]))
def test_whether_a_function_is_rugged_does_not_depend_on_scale_and_offset(a, b):
    assert not looked(CurvatureLook, lambda x: a * (ellipsoid(x) + b))[0].rugged
    assert looked(CurvatureLook, lambda x: a * (rotated_ripples(x) + b))[0].rugged


@pytest.mark.parametrize(
    ("n", "lines"), [(20, FEWEST_LINES), (100, 5), (VARIABLES_PER_LINE * LINES, LINES), (3_000, LINES)]
)
def test_there_are_fewer_lines_where_there_are_few_variables(n, lines):
    rehearsal = Rehearsal(Looking(CurvatureLook), lambda x: float((x**2).sum()), ter.box(-1, 2, dimension=n))
    assert rehearsal.act(500) == 2 * len(SHORTER) * lines
    assert rehearsal.state.moves.coordinates.size == min(n, 1_000)  # a look at a million variables takes little memory


KINDS = {  # kinds of functions, and whose they are
    "squares": (SEPARABLE["squares"], {OneByOneLook, SweepsLook, FewPairsLook, CurvatureLook}),
    "ripples": (ripples, {OneByOneLook, FewPairsLook}),
    "ellipsoid": (ellipsoid, {CurvatureLook}),
    "rotated ripples": (rotated_ripples, {RuggedLook}),
}


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_of_function_has_its_heuristics(name):
    fun, whose = KINDS[name]
    kinds = (OneByOneLook, SweepsLook, RuggedLook, FewPairsLook, CurvatureLook)
    assert {kind for kind in kinds if looked(kind, fun)[0].fits} == whose


@given(seed=st.integers(0, 2**16), mixed=st.floats(0.0, 1.0))
def test_on_a_rugged_function_somebody_fits_and_all_agree_who(seed, mixed):
    def fun(x):
        return (1.0 - mixed) * ripples(x) + mixed * rotated_ripples(x)

    one_by_one, wide = (looked(kind, fun, seed=seed)[0].fits for kind in (OneByOneLook, RuggedLook))
    assert one_by_one is not wide
    assert looked(OrderLook, fun, seed=seed + 1)[0].interacting is wide


def test_where_a_few_variables_interact_it_matters_whether_the_function_is_rugged():
    def few(x):
        return 20.0 * float((x[:3] - x[3:6]).sum() ** 2)

    assert 0.0 < looked(OrderLook, lambda x: ripples(x) + few(x))[0].contradictions <= FEW
    assert looked(OneByOneLook, lambda x: ripples(x) + few(x))[0].fits
    assert 0.0 < looked(OrderLook, lambda x: float((x**2).sum()) + few(x))[0].contradictions <= FEW
    assert not looked(OneByOneLook, lambda x: float((x**2).sum()) + few(x))[0].fits


def test_volleys_look_when_they_are_started_again():
    volleys = Rehearsal(ter.heuristics.Volleys(looks_later=True), ellipsoid, BOX)
    assert volleys.act(100) == 100
    assert volleys.act(500) == ORDER and volleys.state.remark == SweepsLook.otherwise and not volleys.state.investing
    assert volleys.act(500) == 500 and volleys.state.remark == ""


def test_why_somebody_waits_is_told_once():
    first = FirstLook(reason="because")
    assert first.waiting
    first.over = True
    assert not first.ends(OrderLook, None) and not first.waiting and first.reason == ""
