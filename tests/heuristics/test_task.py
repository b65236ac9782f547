from __future__ import annotations

import copy
import pickle

import numpy as np

from ter.heuristics.task import Task, Workspace


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


def test_what_the_budget_does_not_allow_reads_infinite():
    task = Task(lambda rows: rows.sum(axis=1), lambda: 1, np.ones((4, 2)), 9.0, (np.zeros(2), np.ones(2)), 5, None)
    fitness = np.full(4, np.inf)
    used = task.first_fitness(fitness)
    assert fitness.tolist() == [9, 2, 2, 2] and used == 3
    values = np.zeros(4)
    assert task.offspring(np.ones((4, 2)), used, values) == 2
    assert values.tolist() == [2, 2, np.inf, np.inf]
