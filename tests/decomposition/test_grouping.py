"""Groups as plain arrays."""

import numpy as np
import pytest

from ter.core.errors import InvalidArgument
from ter.decomposition import delta_groups, packed
from ter.decomposition.grouping import components


def test_before_anything_moved_delta_groups_are_those_of_the_indices():
    assert [g.tolist() for g in delta_groups(np.zeros(5), 2)] == [[0, 1], [2, 3], [4]]


def test_variables_that_moved_least_come_first():
    assert [g.tolist() for g in delta_groups([3.0, -1.0, 2.0, 0.5], 3)] == [[3, 1, 2], [0]]


@pytest.mark.parametrize("deltas", [[1.0, np.nan], [[1.0], [2.0]]])
def test_deltas_must_be_one_number_per_variable(deltas):
    with pytest.raises(InvalidArgument, match="deltas must be one number per variable, none of them NaN"):
        delta_groups(deltas, 2)


@pytest.mark.parametrize("size", [0, -1, 2.5])
def test_a_group_has_a_whole_number_of_variables(size):
    with pytest.raises(InvalidArgument, match=rf"size must be a whole number >= 1, got {size}"):
        packed([1, 2, 3], size)


def test_packing_nothing_gives_no_groups():
    assert packed([], 100) == []


def test_components_agree_with_scipy():
    from scipy.sparse.csgraph import connected_components

    rng = np.random.default_rng(1)
    for density in (0.0, 0.02, 0.05, 0.3):
        A = np.triu(rng.random((40, 40)) < density, 1)
        labels = components((np.flatnonzero(row) for row in A), 40)
        _, expected = connected_components(A, directed=False)
        first = np.array([np.flatnonzero(expected == e)[0] for e in expected])
        assert labels.tolist() == first.tolist()
