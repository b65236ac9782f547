"""MOS's two sets of parameters, and its first steps by hand."""

from __future__ import annotations

import math

import pytest

import ter
from ter.algorithms.catalogue import Algorithm
from ter.algorithms.mos import mos
from ter.heuristics.solis_wets import SolisWets
from ter.schedulers.participation import Participation


def test_the_programs_defaults_and_the_comments_of_its_configuration():
    _, program, reduced = mos().heuristics
    assert program == SolisWets(delta=1.2, successes=5, failures=3, longer=2.0, shorter=0.5)
    assert (reduced.moves, reduced.reset, reduced.others, reduced.smallest) == ((1.0, 0.5), (0.4, 0.4), 0.05, 1e-14)
    _, comments, reduced = mos(settings="comments").heuristics
    assert comments == SolisWets(delta=2.4, successes=5, failures=5, longer=4.0, shorter=0.75)
    assert (reduced.moves, reduced.reset, reduced.others) == ((0.25, 0.5), (0.1, 0.1), 0.025)
    assert mos().scheduler == Participation(step=36_000, least=0.2, adjustment=0.05)
    with pytest.raises(ter.UnknownName, match="unknown settings of mos 'paper'"):
        mos(settings="paper")


def test_the_shares_of_a_run_follow_from_its_own_values():
    """Three steps worked out from what the actions gained, with the rule written down once more."""
    story = Participation(step=900, least=0.2, adjustment=0.5)
    algorithm = Algorithm("mos", "", lambda dimension, budget: mos(story))
    sphere = ter.Problem(lambda x: float((x * x).sum()), ter.box(-5, 5, dimension=10))
    result = algorithm.minimize(sphere, budget=1 + 3 * 900, rng=1)
    assert result.sequence[:9] == ("ga", "solis-wets", "ls1-reduced") * 3
    shares = [1 / 3] * 3
    for step in range(3):
        actions = result.actions[3 * step : 3 * step + 3]
        assert [action.nfev for action in actions] == [round(900 * share) for share in shares]
        quality = [math.log(action.before / action.after) / action.nfev for action in actions]
        best = max(quality)
        given = [min(0.5 * (1 - q / best) * share, share - 0.2) for q, share in zip(quality, shares, strict=True)]
        shares = [share - lost for share, lost in zip(shares, given, strict=True)]
        shares[quality.index(best)] += sum(given)
    assert len({action.nfev for action in result.actions[3:6]}) > 1
