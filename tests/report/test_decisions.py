from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ter.report.decisions import chances_of, mean_shares
from tests.report.made import made_record

NAMES = ("ls1", "cc", "gs")


def with_chances(record, *rows):
    actions = tuple(replace(action, probabilities=row) for action, row in zip(record.actions, rows, strict=True))
    return replace(record, actions=actions)


def test_probabilities_are_averaged_over_runs():
    first = with_chances(made_record(decisions="LC", budget=100), (1.0, 0.0, 0.0), (0.5, 0.25, 0.25))
    second = with_chances(made_record(decisions="CG", budget=100), (0.0, 1.0, 0.0), (0.1, 0.2, 0.7))
    found = chances_of([first, second], NAMES, points=4)
    assert found.evaluations.tolist() == [25, 50, 75, 100]
    assert np.allclose(found.probabilities, [[0.5, 0.5, 0], [0.5, 0.5, 0], [0.3, 0.225, 0.475], [0.3, 0.225, 0.475]])


def test_a_portfolio_in_another_order_is_put_in_order():
    record = replace(made_record(decisions="LC", budget=100), heuristics=("gs", "ls1", "cc"))
    found = chances_of([with_chances(record, (0.7, 0.2, 0.1), (0.7, 0.2, 0.1))], NAMES, points=2)
    assert found.probabilities.tolist() == [[0.2, 0.1, 0.7]] * 2


def test_there_are_no_probabilities_where_nothing_was_left_to_chance():
    record = made_record(decisions="LC")
    certain = with_chances(record, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    without = with_chances(record, (), ())
    assert (
        chances_of([certain], NAMES) is None and chances_of([without], NAMES) is None and chances_of([], NAMES) is None
    )


def test_shares_add_up_and_are_averaged():
    # Values fall from 1e6 by halves: LC gains 2/3 and 1/3, two L gain all.
    found = mean_shares([made_record(decisions="LC"), made_record(decisions="LL")], NAMES)
    ls1, cc, gs = found
    assert (ls1.starts, cc.starts, gs.starts) == (1.5, 0.5, 0.0)
    assert (ls1.of_evaluations, cc.of_evaluations, gs.of_evaluations) == (0.75, 0.25, 0.0)
    assert [share.of_improvement for share in found] == pytest.approx([5 / 6, 1 / 6, 0])
    assert [share.of_magnitude for share in found] == pytest.approx([0.75, 0.25, 0])


def test_runs_without_decisions_have_no_shares():
    assert mean_shares([made_record()], NAMES) == [] and mean_shares([], NAMES) == []


def test_stretches_without_a_change_need_two_points():
    rows = ((1.0, 0.0, 0.0), (0.5, 0.25, 0.25))
    found = chances_of([with_chances(made_record(decisions="LC", budget=100), *rows)], NAMES, points=100)
    assert found.evaluations.tolist() == [1, 50, 51, 100]
    assert found.probabilities.tolist() == [[1, 0, 0], [1, 0, 0], [0.5, 0.25, 0.25], [0.5, 0.25, 0.25]]
    assert (
        len(chances_of([with_chances(made_record(decisions="L", budget=100), rows[1])], NAMES, points=1).evaluations)
        == 1
    )
