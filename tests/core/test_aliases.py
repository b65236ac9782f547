"""The heuristic called gs, which everybody but the paper calls SHADE, answers to both names."""

from __future__ import annotations

import pytest

import ter
from ter.algorithms.profiles import paper, with_parts
from ter.experiment.parameters import tuned

BOX = ter.box(-5, 5, dimension=3)


def sphere(x):
    return float((x * x).sum())


@pytest.mark.parametrize("scheduler", [ter.schedulers.Only, lambda name: ter.schedulers.Replay([name], cycle=True)])
def test_schedulers_take_both_names_and_give_the_same_run(scheduler):
    runs = [ter.minimize(sphere, BOX, budget=300, rng=1, scheduler=scheduler(name)) for name in ("gs", "shade")]
    assert runs[0].x.tobytes() == runs[1].x.tobytes()
    assert set(runs[1].sequence) == {"gs"}


def test_a_name_that_is_in_the_portfolio_is_taken_as_it_is():
    members = [ter.heuristics.SHADE(), ter.heuristics.SHADE(name="shade")]
    result = ter.minimize(sphere, BOX, budget=300, rng=1, heuristics=members, scheduler=ter.schedulers.Only("shade"))
    assert set(result.sequence) == {"shade"}


def test_a_portfolio_takes_both_names_for_the_profiles_own_member():
    own = paper().heuristics[2]
    assert with_parts(paper(), ["shade"]).heuristics == with_parts(paper(), ["gs"]).heuristics == (own,)


def test_algorithms_take_both_names():
    assert ter.algorithm("shade") is ter.algorithm("gs")


def test_plans_take_both_names():
    changed = tuned(paper(), {"shade": {"population": 77}}, "ter")
    assert changed == tuned(paper(), {"gs": {"population": 77}}, "ter")
    assert changed.heuristics[2].population == 77


def test_plans_do_not_take_both_names_at_once():
    with pytest.raises(ter.InvalidArgument, match="name each heuristic once, got two names of one in gs, shade"):
        tuned(paper(), {"gs": {"population": 77}, "shade": {"population": 78}}, "ter")
