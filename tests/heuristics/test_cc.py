"""CC: which coordinates it moves, for how long, and around what."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

import ter
from ter.core.ledger import INTEGER_FIELDS, PAUSE
from ter.heuristics.cc import CC


class Recorder:
    """An allowance that notes the moves and evaluates a sphere around an incumbent of its own."""

    def __init__(self, dimension: int, limit: int) -> None:
        self.box = ter.box(-1, 1, dimension=dimension)
        self.dimension = dimension
        self.remaining = limit
        self.x = np.full(dimension, 0.5)
        self.y = float((self.x**2).sum())
        self.calls: list[tuple[tuple[int, ...], int]] = []

    def evaluate_moves(self, coordinates, V):
        self.calls.append((tuple(coordinates.tolist()), len(V)))
        self.remaining -= len(V)
        X = np.repeat(self.x[None, :], len(V), axis=0)
        X[:, coordinates] = V
        values = (X**2).sum(axis=1)
        if values.min() < self.y:
            self.x, self.y = X[np.argmin(values)].copy(), float(values.min())
        return values

    def run_batches(self, kernel, coordinates, rows, values, *args):
        def batch(walk, coordinates, rows, values):
            values[:] = self.evaluate_moves(coordinates, rows)
            return len(rows)

        ledger = np.zeros(INTEGER_FIELDS, dtype=np.int64)
        ledger[PAUSE] = 10**9
        kernel.py_func(batch, SimpleNamespace(ledger=ledger), coordinates, rows, values, *args)

    def groups(self) -> list[tuple[tuple[int, ...], int]]:
        """The groups in order, with the evaluations each got."""
        found: list[list] = []
        for group, n in self.calls:
            if found and found[-1][0] == group:
                found[-1][1] += n
            else:
                found.append([group, n])
        return [(group, n) for group, n in found]


def act(heuristic: CC, allowance: Recorder, state=None, seed=1):
    rng = np.random.default_rng(seed)
    state = heuristic.start(allowance.box, rng) if state is None else state
    return heuristic.act(state, allowance, rng)


@pytest.mark.parametrize("inner", ["shade", "sansde"])
def test_every_coordinate_is_visited_once_per_deal_and_shares_are_proportional(inner):
    allowance = Recorder(dimension=10, limit=2 * 750)
    act(CC(group=4, inner=inner), allowance)
    groups = allowance.groups()
    assert [len(group) for group, _ in groups] == [4, 4, 2] * 2
    assert [n for _, n in groups] == [300, 300, 150] * 2
    for deal in (groups[:3], groups[3:]):
        assert sorted(i for group, _ in deal for i in group) == list(range(10))
    assert {group for group, _ in groups[:3]} != {group for group, _ in groups[3:]}


def test_a_group_gets_one_population_at_least():
    allowance = Recorder(dimension=3, limit=78)
    act(CC(group=1, depth=2), allowance)
    assert [n for _, n in allowance.groups()] == [26, 26, 26]


def test_groups_go_on_where_the_last_initiation_ended():
    heuristic = CC(group=2)
    first = Recorder(dimension=6, limit=150)
    state = act(heuristic, first)
    second = Recorder(dimension=6, limit=300)
    act(heuristic, second, state)
    visited = [i for group, _ in first.groups() + second.groups() for i in group]
    assert sorted(visited) == list(range(6))


def test_the_context_is_the_incumbent_and_the_population_surrounds_it():
    # Initiations of one evaluation each: what is best at a call is the context of that call.
    best = [math.inf, np.linspace(0.1, 0.9, 9)]
    changed = []

    def fun(x):
        changed.append(np.flatnonzero(x != best[1]).size)
        assert np.abs(x - best[1]).max() < 0.2
        y = float((x * x).sum())
        if y < best[0]:
            best[:] = y, x.copy()
        return y

    ter.minimize(fun, ter.box(-1, 1, dimension=9), budget=39, x0=best[1], rng=1, heuristics=[CC(group=3, spread=0.01)])
    assert changed[0] == 0 and set(changed[1:]) == {3}
    assert best[0] < float((np.linspace(0.1, 0.9, 9) ** 2).sum())


def test_the_allowance_is_used_up_exactly():
    for limit in (1, 25, 26, 27, 299, 301):
        allowance = Recorder(dimension=10, limit=limit)
        act(CC(group=4), allowance)
        assert allowance.remaining == 0


def test_one_initiation_costs_so_many_evaluations_per_variable():
    assert CC().cost(1000) == 75_000 and CC(evaluations=1).cost(1) == 52


def test_a_group_of_all_coordinates_is_allowed():
    allowance = Recorder(dimension=5, limit=400)
    act(CC(group=50), allowance)
    assert {group for group, _ in allowance.calls} == {(0, 1, 2, 3, 4)}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"group": 0}, "group must lie in"),
        ({"group": 2.5}, "group must"),
        ({"population": (26, 3)}, r"population\[1\] must lie in \[4"),
        ({"population": (4, 5)}, r"population\[0\] must lie in \[5"),
        ({"population": (26.5, 4)}, r"population\[0\] must"),
        ({"spread": 0.0}, "spread must lie in"),
        ({"spread": math.nan}, "spread must lie in"),
        ({"evaluations": -1}, "evaluations must lie in"),
        ({"depth": 0}, "depth must lie in"),
        ({"evaluations": math.inf}, "evaluations must"),
    ],
)
def test_parameters_outside_their_range_are_refused(options, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        CC(**options)


def test_unknown_inner_optimisers_are_refused():
    with pytest.raises(ter.UnknownName, match="unknown inner optimiser 'shaed'; did you mean 'shade'"):
        CC(inner="shaed")
