"""Groups of coordinates: what is read, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.objectives.groups import Groups

SETS = st.lists(st.lists(st.integers(0, 12), min_size=1, max_size=6, unique=True), min_size=1, max_size=15)


@given(SETS)
def test_members_and_owners_are_the_two_directions(groups):
    read = Groups.read(groups)
    assert [read.members[a:b].tolist() for a, b in zip(read.starts, read.starts[1:], strict=False)] == groups
    assert (read.count, read.largest) == (len(groups), max(map(len, groups)))
    owners = [k for i in range(13) for k, group in enumerate(groups) if i in group]
    assert read.owners.tolist() == owners
    assert read.members.dtype == read.starts.dtype == read.owners.dtype == np.int64


@pytest.mark.parametrize(
    "groups",
    [
        [(0, 1), (1, 2)],
        [range(2), range(1, 3)],
        [np.array([0, 1], dtype=np.uint8), [1, 2]],
        np.array([[0, 1], [1, 2]], dtype=np.int32),
        np.array([[0, 1], [1, 2]], order="F"),
        ([k, k + 1] for k in range(2)),
    ],
)
def test_groups_come_in_many_forms(groups):
    read = Groups.read(groups)
    assert (read.starts.tolist(), read.members.tolist()) == ([0, 2, 4], [0, 1, 1, 2])


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([], "groups must hold at least one group, got none"),
        (np.empty((0, 2), dtype=int), "groups must hold at least one group, got none"),
        ([[0], []], r"a group must have at least one coordinate, got none in groups\[1\]; leave the group out"),
        (np.empty((2, 0), dtype=int), r"a group must have at least one coordinate, got none in groups\[0\]"),
        ([[0], [1.0]], r"a sequence of whole numbers, got float64 values in groups\[1\]; give the numbers of its"),
        (np.array([[0.5, 1.0]]), r"a sequence of whole numbers, got float64 values in groups\[0\]"),
        ([[True, False]], r"got bool values in groups\[0\]"),
        ([["a"]], r"got <U1 values in groups\[0\]"),
        ([0, 1], r"got shape \(\) in groups\[0\]"),
        ([[[0, 1]]], r"got shape \(1, 2\) in groups\[0\]"),
        ([[[0, 1], [2]]], "groups must be sequences of whole numbers, or an array with a group in each row, got"),
        (3, "groups must be sequences of whole numbers, or an array with a group in each row, got 3"),
        ([[0, 1], [2, -1]], r"coordinates must be numbers >= 0, got -1 in groups\[1\]; count from the first variable"),
        ([[0, 1], [3, 2, 3]], r"a group must name a coordinate once, got 3 twice in groups\[1\]; a term can use"),
        (np.array([[0, 1], [2, 2]]), r"a group must name a coordinate once, got 2 twice in groups\[1\]"),
    ],
)
def test_what_is_no_group_is_refused(groups, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        Groups.read(groups)
