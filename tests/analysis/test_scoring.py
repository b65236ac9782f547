"""The points of the competition."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ter.analysis import CATEGORIES, MILESTONES, formula1, formula1_points, published_names, published_table
from ter.core.errors import InvalidArgument

LSO13 = [f"lso13/f{k}" for k in range(1, 16)]
NOT_ACKLEY = [k - 1 for k in range(1, 16) if k not in (3, 6, 10)]


def test_ten_positions_get_points():
    assert formula1_points([list(range(12))]).tolist() == [[25, 18, 15, 12, 10, 8, 6, 4, 2, 1, 0, 0]]


def test_ties_share_the_mean_rank_rounded_down():
    assert formula1_points([[1, 1, 2, 3]]).tolist() == [[25, 25, 15, 12]]  # ranks 1.5, 1.5, 3, 4
    assert formula1_points([[1, 1, 1, 3]]).tolist() == [[18, 18, 18, 12]]  # ranks 2, 2, 2, 4
    assert formula1_points([[0, 5, 5, 5, 5]]).tolist() == [[25, 15, 15, 15, 15]]  # ranks 1, 3.5


def test_no_result_gets_no_points_and_an_infinite_error_is_last():
    assert formula1_points([[1.0, math.nan, math.inf, 2.0]]).tolist() == [[25, 0, 15, 18]]
    assert formula1_points([[math.nan, math.nan]]).tolist() == [[0, 0]]


# Points at 3e6 evaluations that were computed by hand from the same tables, for three sets of entrants.
@pytest.mark.parametrize(
    ("totals", "rows"),
    [
        (
            {"shade-ils": 231, "cbcc-rdg3": 220, "cosacc-ls1": 219, "ccfr2-rdg3": 211, "ccfr2-irrg": 205,
             "mos-dtgsk": 174, "ihdels": 153},
            range(15),
        ),
        ({"cbcc-rdg3": 273, "shade-ils": 269, "cosacc-ls1": 249, "mos-dtgsk": 212, "ihdels": 193}, range(15)),
        (
            {"shade-ils": 179, "cosacc-ls1": 169, "ccfr2-rdg3": 154, "ccfr2-irrg": 149, "cbcc-rdg3": 144, "mos": 105,
             "mlshade-spa": 102, "paper": 101, "ihdels": 93},
            NOT_ACKLEY,
        ),
    ],
    ids=["seven entries", "five entries", "both suites without Ackley"],
)  # fmt: skip
def test_points_of_published_results(totals, rows):
    names = list(totals)
    table = published_table(names, [LSO13[row] for row in rows], evaluations=3e6)
    score = formula1({3_000_000: table}, names)
    assert score.totals(3_000_000) == totals == score.totals()
    assert list(score.totals()) == names  # most points first


def test_milestones_are_scored_on_their_own_and_added():
    names = [name for name in ("mos", "ihdels", "cosacc-ls1", "mlshade-spa") if name in published_names()]
    tables = {m: published_table(names, LSO13, evaluations=m) for m in MILESTONES}
    score = formula1(tables, names)
    each = [score.totals(m) for m in MILESTONES]
    assert score.totals() == {name: sum(one[name] for one in each) for name in score.totals()}
    # MOS and MLSHADE-SPA were run with another function of Ackley: no result here, hence no points.
    assert not score.points[MILESTONES[0]][[2, 5, 9]][:, [0, 3]].any()
    parts = [score.totals(rows=[k - 1 for k in functions]) for functions in CATEGORIES.values()]
    assert {name: sum(part[name] for part in parts) for name in names} == {name: score.totals()[name] for name in names}


def test_the_categories_hold_every_function_once():
    assert sorted(k for functions in CATEGORIES.values() for k in functions) == list(range(1, 16))


@pytest.mark.parametrize(
    ("tables", "names"),
    [({}, ["x", "y"]), ({1: [[1.0, 2.0]]}, ["x"]), ({1: [[1.0, 2.0]], 2: [[1.0, 2.0], [3.0, 4.0]]}, ["x", "y"])],
)
def test_tables_that_do_not_fit_are_refused(tables, names):
    with pytest.raises(InvalidArgument, match="tables must"):
        formula1(tables, names)


def test_an_unknown_milestone_and_a_flat_table_are_refused():
    with pytest.raises(InvalidArgument, match=r"milestone must be one of \[10\], got 20"):
        formula1({10: [[1.0, 2.0]]}, ["x", "y"]).totals(20)
    with pytest.raises(InvalidArgument, match="one row per problem"):
        formula1_points(np.arange(3.0))
