from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ter.analysis import published_table
from ter.report.gradient import color_at, levels

# Rows of the paper's table of baselines, with the colours its LaTeX source gives them: BEK, TER, RAN, LS, CC, GS.
COLUMNS = ["paper-bek", "paper", "paper-ran", "paper-ls", "paper-cc", "paper-gs"]
PRINTED = {
    1: [(0.388, 0.745, 0.482)] * 2
    + [(1, 0.922, 0.518), (0.388, 0.745, 0.482), (1, 0.922, 0.518), (0.973, 0.412, 0.42)],
    2: [
        (0.388, 0.745, 0.482), (0.427, 0.757, 0.482), (1, 0.918, 0.518),
        (1, 0.902, 0.514), (0.396, 0.745, 0.482), (0.973, 0.412, 0.42),
    ],
    5: [
        (0.388, 0.745, 0.482), (1, 0.918, 0.518), (0.969, 0.91, 0.514),
        (0.976, 0.431, 0.424), (0.973, 0.412, 0.42), (0.847, 0.878, 0.506),
    ],
    13: [
        (0.388, 0.745, 0.482), (0.518, 0.78, 0.486), (1, 0.922, 0.518),
        (0.984, 0.604, 0.459), (0.973, 0.412, 0.42), (0.522, 0.78, 0.486),
    ],
}  # fmt: skip


@pytest.mark.parametrize("function", PRINTED)
def test_the_colours_are_those_of_the_paper(function):
    means = published_table(COLUMNS, [f"lso13-raw/f{function}"])[0]
    found = [color_at(level) for level in levels(means.tolist())]
    assert np.allclose(found, PRINTED[function], atol=0.005)


@given(st.lists(st.floats(-1e300, 1e300), min_size=2, max_size=9))
def test_larger_values_are_never_greener(values):
    found = levels(values)
    if None in found:
        assert len(set(values)) == 1
        return
    ordered = sorted(zip(values, found, strict=True))
    assert [level for _, level in ordered] == sorted(found)
    assert min(found) == 0 and max(found) == 1


def test_what_is_not_compared_has_no_colour_and_does_not_count():
    nan, inf = float("nan"), float("inf")
    assert levels([1.0, nan, 3.0]) == [0.0, None, 1.0]
    assert levels([nan, nan]) == [None, None]
    assert levels([2.0, inf, 4.0, 3.0]) == [0.0, 1.0, 1.0, 0.5]
    assert levels([inf, inf]) == [None, None]
