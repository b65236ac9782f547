from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ter.core.action import Action
from ter.display.shares import shares_of


def test_shares_add_up_to_what_each_heuristic_used_and_brought(make_result, actions):
    ls1, cc = shares_of(make_result(actions))
    assert (ls1.initiations, ls1.nfev, ls1.of_evaluations, ls1.of_improvement) == (2, 60, 0.6, 1.0)
    assert (cc.initiations, cc.nfev, cc.of_evaluations, cc.of_improvement) == (1, 30, 0.3, 0.0)


def test_orders_of_magnitude_weigh_late_gains_like_early_ones(make_result, actions):
    late = (*actions[:2], replace(actions[2], heuristic="cc"))
    ls1, cc = shares_of(make_result(late))
    assert ls1.of_improvement == pytest.approx(90 / 99)
    assert (ls1.of_magnitude, cc.of_magnitude) == (pytest.approx(0.5), pytest.approx(0.5))


@pytest.mark.parametrize("after", [0.0, -3.0])
def test_orders_of_magnitude_are_undefined_where_values_are_not_positive(make_result, after):
    result = make_result((Action(0, "ls1", 10, 10, before=5.0, after=after),))
    assert [share.of_magnitude for share in shares_of(result)] == [None, None]
    assert shares_of(result)[0].of_improvement == 1.0


def test_orders_of_magnitude_are_those_of_the_error_when_the_optimum_is_known(make_result):
    result = make_result((Action(0, "ls1", 10, 10, before=-5.0, after=-9.0),))
    assert shares_of(result, f_opt=-10.0)[0].of_magnitude == 1.0


def test_the_first_finite_value_counts_as_nobodys_improvement(make_result):
    first = Action(0, "ls1", 10, 10, before=math.inf, after=4.0)
    second = Action(1, "cc", 10, 10, before=4.0, after=3.0)
    assert [share.of_improvement for share in shares_of(make_result((first, second)))] == [0.0, 1.0]


def test_a_run_without_actions_has_empty_shares(make_result):
    assert [(share.nfev, share.of_improvement) for share in shares_of(make_result())] == [(0, 0.0), (0, 0.0)]
