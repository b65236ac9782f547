"""Rm-ES: its rates, and where directions help. What it shares with sep-CMA-ES is tested in test_descents."""

from __future__ import annotations

import numpy as np
import pytest

import ter
from ter.heuristics import RmES, SepCMAES
from ter.testing.rehearsal import Rehearsal


def best(kind, fun, n):
    rehearsal = Rehearsal(kind, fun, ter.box(-5, 5, dimension=n))
    rehearsal.act(100 * n)
    return rehearsal.evaluator.y


@pytest.mark.slow
def test_directions_help_where_variables_must_change_together():
    def sums(x):
        return float((np.cumsum(x - 1) ** 2).sum())

    assert best(RmES(), sums, 40) < 0.7 * best(SepCMAES(), sums, 40)


def test_the_rates_are_those_of_the_paper():
    rates = RmES(scales=False).rates(100, 17, ladder=True)
    assert (rates.c_sigma, rates.damping, rates.gap, rates.c_mu) == (0.3, 1.0, 100, 0.0)
    assert rates.c_c == pytest.approx(2 / 107) and rates.mixing == pytest.approx(1 / 35)
    assert RmES().rates(100, 17, ladder=True).c_mu == pytest.approx(sum(SepCMAES().rates(100, 17, ladder=True)[5:7]))


def test_a_memory_without_directions_is_refused():
    with pytest.raises(ter.InvalidArgument, match=r"directions must lie in \[1, inf\], got 0"):
        RmES(directions=0)
