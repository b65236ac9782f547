"""What evolutions work on."""

from __future__ import annotations

import copy
import pickle

import numpy as np

import ter
from ter.heuristics.subspace import Subspace, Workspace
from ter.testing.rehearsal import Rehearsal, sphere
from tests.heuristics.batches import subspace_of


def test_memory_is_used_again_if_it_is_large_enough():
    workspace = Workspace()
    first = workspace.matrix("trials", 4, 5)
    assert np.shares_memory(first, workspace.matrix("trials", 2, 5))
    assert not np.shares_memory(first, workspace.matrix("members", 4, 5))
    assert not np.shares_memory(first, workspace.matrix("trials", 5, 5))


def test_copies_of_a_workspace_are_empty():
    workspace = Workspace()
    first = workspace.matrix("trials", 4, 5)
    for twin in (copy.deepcopy(workspace), pickle.loads(pickle.dumps(workspace))):
        assert not np.shares_memory(first, twin.matrix("trials", 4, 5))
    assert len(pickle.dumps(workspace)) < 200


def test_a_first_population_is_evaluated_as_far_as_the_budget_goes():
    _, subspace = subspace_of(lambda rows: rows.sum(axis=1), ter.box(0, 1, dimension=2), 9.0)
    for budget, wanted in ((5, [9, 2, 2, 2]), (2, [9, 2, 2, np.inf]), (0, [9, np.inf, np.inf, np.inf])):
        fitness = np.full(4, np.inf)
        assert subspace.first_fitness(np.ones((4, 2)), fitness, budget) == min(3, budget)
        assert fitness.tolist() == wanted


def test_a_subspace_of_some_coordinates_has_their_bounds_and_center():
    rehearsal = Rehearsal(ter.heuristics.LS1(), sphere, ter.box([0, 1, 2], [3, 4, 5]))
    subspace = Subspace.of(rehearsal.evaluator.lend(10), np.array([2, 0]))
    assert (subspace.lower.tolist(), subspace.upper.tolist()) == ([2, 0], [5, 3])
    assert subspace.center.tolist() == rehearsal.evaluator.x[[2, 0]].tolist()
    assert subspace.evaluate(np.array([[2.0, 0.0]]))[0] == sphere(np.array([0.0, rehearsal.evaluator.x[1], 2.0]))
