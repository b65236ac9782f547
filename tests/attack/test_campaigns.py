"""A few attacks of each kind; ``make attack`` makes thousands. And that a broken promise would be noticed."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import ter
from tests.attack import fuzz, kills

FEW = 40


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1_000_000, 1_000_000 + FEW))
def test_fuzzed_runs_break_no_promise(seed):
    assert fuzz.attack(seed) == []


@pytest.mark.slow
def test_kills_inside_transactions_lose_nothing():
    tried, broken = kills.campaign(4)
    assert tried["kills inside a transaction"] >= 4 and broken == []


def plain_attack() -> fuzz.Attack:
    options = {"budget": 200, "rng": 1, "heuristics": ["ls1", "cc"]}
    return fuzz.Attack("python", ter.box(-5, 5, dimension=4), options, -math.inf, math.inf)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ({"nfev": 201}, "201 evaluations of 200"),
        ({"fun": 1e-9}, "the best value is 1e-09"),
        ({"x": np.full(4, 7.0)}, "the answer is outside the box"),
        ({"x": np.full(4, 4.0)}, "the answer's value is"),
        ({"curve": np.array([[1.0, 2.0], [2.0, 3.0]])}, "the curve goes up or back"),
        ({"message": "another text"}, None),
    ],
)
def test_a_broken_promise_is_noticed(monkeypatch, damage, words):
    run = fuzz.Attack.run

    def damaged(self):
        result, spy = run(self)
        for name, value in damage.items():
            result[name] = value
        return result, spy

    monkeypatch.setattr(fuzz.Attack, "run", damaged)
    broken = list(fuzz.broken_promises(plain_attack()))
    assert not broken if words is None else any(words in each for each in broken)


def test_runs_that_differ_are_noticed(monkeypatch):
    run, seeds = fuzz.Attack.run, iter((1, 2))
    monkeypatch.setattr(
        fuzz.Attack, "run", lambda self: run(replace(self, options=self.options | {"rng": next(seeds)}))
    )
    assert "the same seed gave other bits" in list(fuzz.broken_promises(plain_attack()))
