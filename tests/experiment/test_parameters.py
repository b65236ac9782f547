from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ter.algorithms import algorithm
from ter.algorithms.mos import mos
from ter.algorithms.mts import MTSStory
from ter.algorithms.profiles import paper
from ter.algorithms.shade_ils import shade_ils
from ter.core.budget import Budget
from ter.core.errors import InvalidArgument, UnknownName
from ter.experiment.parameters import as_text, from_text, tuned
from ter.schedulers.fixed import RandomChoice


def applied(**parameters):
    return tuned(paper(), from_text(as_text(parameters)), "ter")


def test_nothing_changes_nothing():
    assert applied() == paper()


def test_parameters_of_the_scheduler_the_profile_and_heuristics():
    profile = applied(window=7, temperature="1/7", start_points=5, cc={"group": 100, "population": [30, 5]})
    assert (profile.scheduler.window, profile.scheduler.temperature, profile.start_points) == (7, 1 / 7, 5)
    assert profile.heuristics[1].group == 100 and profile.heuristics[1].population == (30, 5)
    assert profile.heuristics[::2] == paper().heuristics[::2]


def test_a_portfolio_keeps_the_settings_of_the_algorithm():
    profile = applied(heuristics=["gs", "ls1"], gs={"population": 20})
    assert [heuristic.name for heuristic in profile.heuristics] == ["gs", "ls1"]
    assert profile.heuristics[0].population == 20 and profile.heuristics[0].spread == "paper"
    assert profile.heuristics[1] == paper().heuristics[0]


def test_another_scheduler_by_name():
    assert applied(scheduler="random").scheduler == RandomChoice()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"windows": 7}, "unknown parameter of the algorithm 'ter' 'windows'; did you mean 'window'.*start_points"),
        ({"cc": {"groups": 7}}, "unknown setting of 'ter.cc' 'groups'; did you mean 'group'.*inner"),
        ({"scheduler": "random", "window": 3}, "unknown parameter of the algorithm 'ter' 'window'"),
        ({"heuristics": ["ls1"], "cc": {"group": 3}}, "unknown parameter of the algorithm 'ter' 'cc'"),
    ],
)
def test_unknown_names_are_refused_with_the_valid_ones(parameters, message):
    with pytest.raises(UnknownName, match=message):
        applied(**parameters)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"window": 0}, "window must be a whole number >= 1, got 0"),
        ({"start_points": "a"}, "start_points must be a whole number of points, from 1 to 1000000000, got 'a'"),
        ({"start_points": 0}, "start_points must be a whole number of points"),
        ({"start_points": 2.5}, "start_points must be a whole number of points"),
        ({"start_points": 10**30}, "start_points must be a whole number of points"),
        ({"share": "a"}, r"share must lie in \(0, 1\], got 'a'"),
        ({"share": 2}, r"share must lie in \(0, 1\], got 2"),
        ({"window": "seven"}, "settings of 'ter' must be of the right kind, got window = 'seven'"),
        ({"window": True}, "window of 'ter' must be of the kind of 5, got True"),
        ({"cc": 100}, "ter.cc must be a table of settings, got 100"),
        ({"cc": {"population": [26]}}, "settings of 'ter.cc' must be of the right kind"),
        ({"ls1": {"scalar": "no"}}, "scalar of 'ter.ls1' must be of the kind of True, got 'no'"),
        ({"heuristics": "ls1"}, "heuristics must be a list"),
        ({"temperature": float("nan")}, "parameters must be numbers, texts"),
        ({"temperature": object()}, "parameters must be numbers, texts"),
    ],
)
def test_bad_values_are_refused_with_the_rule(parameters, message):
    with pytest.raises(InvalidArgument, match=message):
        applied(**parameters)


values = st.recursive(
    st.integers(-5, 5) | st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(["random", "1/3", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from("abcd"), values))
def test_texts_do_not_depend_on_order_and_are_stable(parameters):
    text = as_text(parameters)
    assert as_text(dict(reversed(parameters.items()))) == text
    assert as_text(from_text(text)) == text


def test_a_number_is_written_in_one_way():
    assert as_text({"window": 7}) == as_text({"window": 7.0}) == as_text({"window": "7/1"}) == '{"window": 7}'


# Variants in the literature, as a plan says them

PROGRAM_OF_SHADE_ILS = {
    "before": 25_000, "after": 5_000, "threshold": 0.01, "loyal": True, "renew": True, "start_points": 100,
    "centre": {"only_if_better": True}, "shade": {"loose": True, "archive": 2.0},
    "restart": {"low": -0.01, "high": 0.01},
}  # fmt: skip
COMMENTS_OF_MOS = {
    "solis-wets": {"delta": 2.4, "failures": 5, "longer": 4.0, "shorter": 0.75},
    "ls1-reduced": {"moves": [0.25, 0.5], "reset": [0.1, 0.1], "others": 0.025},
}


def varied(name: str, **parameters):
    own = algorithm(name).make(1000, Budget(evaluations=3_000_000))
    return tuned(own, from_text(as_text(parameters)), name)


def test_shade_ils_as_in_its_program_can_be_planned():
    assert varied("shade-ils", **PROGRAM_OF_SHADE_ILS) == shade_ils(settings="program") != shade_ils()


def test_the_other_settings_of_mos_can_be_planned():
    assert varied("mos", **COMMENTS_OF_MOS) == mos(settings="comments") != mos()
    assert varied("mos", least=0.05, step=18_000, ga={"population": 100}).heuristics[0].population == 100


def test_other_variants_can_be_planned():
    assert varied("mts", repetitions=10).scheduler == MTSStory(repetitions=10)
    assert varied("mts", agents=7, place={"points": 7}).heuristics[0].points == 7
    assert varied("cso", cso={"phi": 0.15}).heuristics[0].phi == 0.15
    assert varied("cc-cma-es", **{"cc-cma-es": {"depth": 1000}}).heuristics[0].depth == 1000
    assert varied("decc-d", **{"decc-d": {"generations": 5}}).heuristics[0].generations == 5
    assert varied("decc-dg2", **{"decc-dg2": {"generations": 50}}).heuristics[0].generations == 50


def test_a_planned_portfolio_may_hold_whole_algorithms():
    profile = varied("ter", **{"heuristics": ["ls1", "shade-ils"], "shade-ils": {"evaluations": 75}})
    assert [heuristic.cost(1000) for heuristic in profile.heuristics] == [25_000, 75_000]
    with pytest.raises(InvalidArgument, match="make must be a function of the number of variables, got 'os:system'"):
        varied("ter", **{"heuristics": ["ls1", "shade-ils"], "shade-ils": {"make": "os:system"}})
