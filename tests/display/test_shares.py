from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from ter.core.action import Action
from ter.display.shares import Block, blocks_of, cells_of, curve_of, shares_of, thinned


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


def test_blocks_follow_the_start_points_and_reach_the_end(make_result, actions):
    assert [(block.first, block.last) for block in blocks_of(make_result(actions))] == [(10, 50), (50, 80), (80, 100)]


def test_a_cell_shows_the_longest_action_in_its_stretch():
    blocks = [Block(Action(i, "cc" if i % 10 else "ls1", 1, 1, 2, 1), i, i + 1) for i in range(1000)]
    cells = cells_of(blocks, 100)
    assert len(cells) == 100
    assert (cells[0].first, cells[-1].last) == (0, 1000)
    assert sum(cell.last - cell.first for cell in cells) == 1000


def test_the_curve_is_drawn_out_to_the_last_evaluation(make_result):
    assert curve_of(make_result()).tolist() == [[1, 100], [50, 1], [100, 1]]
    assert curve_of(make_result(), f_opt=1.0)[-1].tolist() == [100, 0]
    assert curve_of(make_result(curve=())).shape == (0, 2)


def test_thinning_keeps_the_ends_and_only_rows_of_the_curve():
    curve = np.column_stack([np.arange(1.0, 5001.0), np.linspace(9, 1, 5000)])
    thin = thinned(curve, 50)
    assert len(thin) <= 100
    assert np.array_equal(thin[[0, -1]], curve[[0, -1]])
    assert {tuple(row) for row in thin} <= {tuple(row) for row in curve}
