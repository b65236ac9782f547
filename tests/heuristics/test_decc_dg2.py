"""DECC on given groups: what is special to it."""

from __future__ import annotations

import numpy as np
import pytest

import ter
from ter.heuristics.decc_dg2 import DECCDG2
from ter.testing.rehearsal import Rehearsal, sphere, stairs

BOX = ter.box(-5, 5, dimension=5)


def rehearsed(*pieces: int, groups=((0, 3), (1, 2), (4,)), **options: int) -> Rehearsal:
    rehearsal = Rehearsal(DECCDG2(groups, **{"population": 6, "generations": 3, **options}), stairs, BOX)
    for piece in pieces:
        rehearsal.act(piece)
    return rehearsal


def test_each_group_gets_its_generations_in_turn():
    points = rehearsed(5 + 4 * 24).points[6:]
    for number, group in enumerate([[0, 3], [1, 2], [4], [0, 3]]):
        block = points[24 * number : 24 * (number + 1)]
        others = np.setdiff1d(np.arange(5), group)
        assert (block[:, others] == block[0, others]).all() and (np.ptp(block[:, group], axis=0) > 0).all()


def test_where_initiations_end_does_not_matter():
    whole, pieces = rehearsed(400), rehearsed(*[1] * 30, *[7] * 50, 20)
    assert len(whole.points) == 401 and whole.points.tolist() == pieces.points.tolist()


def test_what_was_learned_about_crossover_is_kept_from_group_to_group():
    rehearsal = rehearsed(5 + 6 * 25 + 1, groups=[[0, 1, 2], [3, 4]], generations=24)
    own = rehearsal.state.coevolving
    assert own.rate != 0.5 and own.differing.learned.tolist() == [0.5, 0.5, own.rate]


def chained(x: np.ndarray) -> float:
    return float(x[0] * x[3] + (x[1] + x[2]) ** 2 + x[4] ** 2)


def test_dg2_finds_the_groups_first_wherever_it_is_cut():
    for pieces in ([40], [1] * 40):
        rehearsal = Rehearsal(DECCDG2(population=4), chained, BOX)
        for k, piece in enumerate(pieces):
            assert rehearsal.act(piece) == piece
            if k == 0 and piece == 1:
                assert rehearsal.state.remark == "dg2"
        assert [group.tolist() for group in rehearsal.state.groups] == [[0, 3], [1, 2], [4]]
        assert len(rehearsal.points) == 41 and (rehearsal.points[1:17] <= 0.0).all()
        assert rehearsal.state.remark == "group 1 of 3"


def test_it_minimises_a_sphere():
    rehearsal = Rehearsal(DECCDG2([[0, 1], [2, 3, 4]], population=10), sphere, BOX)
    rehearsal.act(8_000)
    assert rehearsal.evaluator.y < 1e-6


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([[0, 5]], r"a group must hold coordinates from 0 to 4, got \[0, 5\]"),
        ([[-1]], r"from 0 to 4, got \[-1\]"),
        ([[0], []], r"from 0 to 4, got \[\]"),
        ([], "groups must hold at least one group, got none"),
    ],
)
def test_groups_of_variables_that_do_not_exist_are_refused(groups, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        rehearsed(10, groups=groups)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"population": 3}, "population must"),
        ({"generations": 0}, "generations must"),
        ({"evaluations": 0}, "must lie"),
    ],
)
def test_parameters_outside_their_range_are_refused(options, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        DECCDG2([[0]], **options)
