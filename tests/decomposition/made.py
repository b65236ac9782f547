"""Functions whose interactions are known, on every engine, and procedures run on them."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np

import ter
from ter._jit import kernel
from ter.core.budget import Budget
from ter.decomposition import DG2State, RDG3State
from ter.engines.choose import choose_engine
from ter.run.evaluator import Evaluator

METHODS = ("dg2", "rdg3")


@kernel
def square_of_sum(z: np.ndarray, k: int, data: np.ndarray) -> float:
    """A term in which every pair of variables interacts."""
    total = 0.0
    for i in range(z.shape[0]):
        total += z[i]
    return data[k] * total * total


class Blocks:
    """A weighted sum of such terms: what it is in NumPy, as a problem with moves, and which pairs interact."""

    def __init__(self, groups: list[list[int]], dimension: int, weights: Any = None) -> None:
        self.groups, self.dimension = groups, dimension
        self.weights = np.ones(len(groups)) if weights is None else np.asarray(weights)
        self.box = ter.box(0.0, 2.0, dimension=dimension)  # whole numbers only: exact unless weights are not

    def __call__(self, x: np.ndarray) -> float:
        return float(sum(w * x[g].sum() ** 2 for w, g in zip(self.weights, self.groups, strict=True)))

    def rows(self, X: np.ndarray) -> np.ndarray:
        return np.array([self(x) for x in X])

    @property
    def problem(self) -> ter.Problem:
        return ter.Problem(ter.BlockObjective(square_of_sum, self.groups, data=self.weights), self.box)

    @property
    def pairs(self) -> set[tuple[int, int]]:
        return {(i, j) for g in self.groups for i in g for j in g if i < j}


def random_blocks(rng: np.random.Generator, *, overlap: bool = False) -> Blocks:
    """A partition of some variables into blocks, some of one variable; with overlap, neighbours share one."""
    dimension = int(rng.integers(1, 25))
    order = rng.permutation(dimension)
    cuts = np.sort(rng.choice(dimension, size=int(rng.integers(0, min(8, dimension))), replace=False))
    groups = [g.tolist() for g in np.split(order, cuts) if g.size]
    if overlap:
        groups = [
            g + groups[k + 1][:1] if k + 1 < len(groups) and rng.random() < 0.5 else g for k, g in enumerate(groups)
        ]
    return Blocks(groups, dimension)


def begun(method: str, box: ter.Box, **settings: Any) -> DG2State | RDG3State:
    return DG2State.begin(box, **settings) if method == "dg2" else RDG3State.begin(box, **settings)


def run_in_pieces(problem: ter.Problem, state: Any, limits: Any, *, saved: bool = False) -> tuple[Any, int]:
    """Run a procedure with one allowance after the other; return its state and the evaluations used."""
    evaluator = Evaluator(problem.box, choose_engine(problem, stop_at_failure=True), Budget(evaluations=10**9))
    for limit in limits:
        if state.done:
            break
        before = evaluator.count
        done = state.go_on(evaluator.lend(int(limit)))
        assert evaluator.count - before <= limit and done == state.done
        assert done or evaluator.count - before == limit
        if saved:
            state = pickle.loads(pickle.dumps(state))
    assert state.done
    return state, evaluator.count


def listed(structure: Any) -> tuple[list[list[int]], list[int], list[int]]:
    return [g.tolist() for g in structure.groups], structure.separable.tolist(), structure.undecided.tolist()
