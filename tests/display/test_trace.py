from __future__ import annotations

import numpy as np

from ter.core.action import Action
from ter.display.trace import blocks_of, curve_of, strip_of, thinned


def test_blocks_follow_the_start_points_and_reach_the_end(make_result, actions):
    assert [(block.first, block.last) for block in blocks_of(make_result(actions))] == [(10, 50), (50, 80), (80, 100)]


def test_of_too_many_actions_the_longest_in_each_stretch_is_shown(make_result):
    ls1, cc = Action(0, "ls1", 9, 9, 2, 1), Action(1, "cc", 1, 1, 2, 1)
    strip = strip_of(make_result((ls1, cc) * 500, nfev=5007), 500)
    assert len(strip) == 500
    assert (strip[0].first, strip[-1].last) == (7, 5007)
    assert sum(block.last - block.first for block in strip) == 5000
    assert {block.action.heuristic for block in strip} == {"ls1"}


def test_a_strip_of_few_actions_shows_each_of_them(make_result, actions):
    assert strip_of(make_result(actions), 3) == blocks_of(make_result(actions))


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
