"""Solis-Wets: random steps of all coordinates around a bias that follows what succeeded.

A step is drawn from a normal distribution around the bias. If the point is not better, the step is tried in the
opposite direction. Steps get longer after successes in a row, and shorter after failures in a row.

References
----------
.. [1] F. Solis, R. Wets, "Minimization by random search techniques", Mathematics of Operations Research 6, 1981.
.. [2] A. LaTorre, S. Muelas, J.-M. Peña, "Large scale global optimization: experimental results with MOS-based hybrid
   algorithms", CEC 2013.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ter._jit import kernel
from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.core.ledger import COUNT, LIMIT, PAUSE, RAISED, Integers, Walk
from ter.engines.compiled import compile_batches
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.splitmix import RandomState, fill_normal, seed_random
from ter.heuristics.subspace import EVERYTHING, Matrix

__all__ = ["SolisWets", "SolisWetsState"]

SMALLEST, LARGEST = 1e-15, 1e15  # times the first deviation: beyond these the search begins anew

# Fields of the counters.
SUCCESSES = 0  # in a row
FAILURES = 1  # in a row
WAITING = 2  # points of the trial under way that were not evaluated yet

# Fields of the floats.
DEVIATION = 0  # of the steps
BEFORE = 1  # the value that the trial under way must beat


class Rule(NamedTuple):
    """When the deviation changes, and by how much."""

    successes: int
    failures: int
    longer: float
    shorter: float
    first: float


class SolisWetsState(NamedTuple):
    """What Solis-Wets keeps between its initiations; arrays that are changed in place."""

    random: RandomState
    counters: Integers
    floats: Vector
    bias: Vector
    step: Vector  # of the trial under way
    units: Vector  # in which steps are measured
    rows: Matrix  # the two points of the trial under way
    values: Vector  # one slot: the value of the last point


@dataclass(frozen=True)
class SolisWets:
    """Solis-Wets' random search on all coordinates, with the settings of MOS.

    Parameters
    ----------
    delta : float
        The first standard deviation of a step; > 0.
    scaled : bool
        Whether it is a fraction of each variable's scale; otherwise it is in units of the variables, as in MOS.
    successes, failures : int
        So many in a row make the steps longer, or shorter.
    longer, shorter : float
        By these factors.
    evaluations : float
        Evaluations per initiation and variable.

    Notes
    -----
    After a success by the step s the bias b becomes ``0.2 b + 0.4 s``; after one in the opposite direction
    ``b - 0.4 s``; after a failure ``0.5 b``.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=5), budget=2_000, rng=1,
    ...                       heuristics=[SolisWets()])
    >>> result.fun < 1e-6
    True
    """

    delta: float = 1.2
    scaled: bool = False
    successes: int = 5
    failures: int = 3
    longer: float = 2.0
    shorter: float = 0.5
    evaluations: float = 25.0
    name: str = "solis-wets"

    def __post_init__(self) -> None:
        require_in("delta", self.delta, low=0.0, high=np.inf, open_low=True)
        require_whole("successes", self.successes, low=1)
        require_whole("failures", self.failures, low=1)
        require_in("longer", self.longer, low=1.0, high=np.inf)
        require_in("shorter", self.shorter, low=0.0, high=1.0, open_low=True)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation; enough for a few trials at least."""
        return max(20, int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> SolisWetsState:
        """Begin without a bias."""
        dimension = box.dimension
        return SolisWetsState(
            random=seed_random(rng),
            counters=np.zeros(3, dtype=np.int64),
            floats=np.array([float(self.delta), np.inf]),
            bias=np.zeros(dimension),
            step=np.zeros(dimension),
            units=box.scale.copy() if self.scaled else np.ones(dimension),
            rows=np.empty((2, dimension)),
            values=np.empty(1),
        )

    def act(self, state: SolisWetsState, allowance: Allowance, rng: np.random.Generator) -> SolisWetsState:
        """Try step after step until the allowance is used up."""
        while allowance.remaining:
            allowance.run_batches(try_steps, EVERYTHING, state.rows, state.values, state, self._rule)
        return state

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the trials."""
        state = self.start(Box(np.zeros(2), np.ones(2)), np.random.default_rng(0))
        draw_step(state, np.zeros(2), np.zeros(2), np.ones(2))
        learn(state, self._rule, 0)
        if compiled:
            compile_batches(try_steps, (EVERYTHING, state.rows, state.values, state, self._rule))

    @property
    def _rule(self) -> Rule:
        return Rule(self.successes, self.failures, float(self.longer), float(self.shorter), float(self.delta))


@kernel
def draw_step(state: SolisWetsState, x: Vector, lower: Vector, upper: Vector) -> None:
    """Draw a step, and write the point there and the one in the opposite direction."""
    step, rows, deviation = state.step, state.rows, state.floats[DEVIATION]
    fill_normal(state.random, step)
    for j in range(x.shape[0]):
        step[j] = state.bias[j] + deviation * state.units[j] * step[j]
        rows[0, j] = min(max(x[j] + step[j], lower[j]), upper[j])
        rows[1, j] = min(max(x[j] - step[j], lower[j]), upper[j])


@kernel
def learn(state: SolisWetsState, rule: Rule, direction: int) -> None:
    """Change the bias and the deviation after a success forwards (1) or backwards (-1), or after a failure (0)."""
    counters, floats, bias = state.counters, state.floats, state.bias
    kept = 0.2 if direction > 0 else (1.0 if direction < 0 else 0.5)
    for j in range(bias.shape[0]):
        bias[j] = kept * bias[j] + 0.4 * direction * state.step[j]
    counters[SUCCESSES] = counters[SUCCESSES] + 1 if direction != 0 else 0
    counters[FAILURES] = counters[FAILURES] + 1 if direction == 0 else 0
    if counters[SUCCESSES] == rule.successes:
        floats[DEVIATION] *= rule.longer
        counters[SUCCESSES] = 0
    if counters[FAILURES] == rule.failures:
        floats[DEVIATION] *= rule.shorter
        counters[FAILURES] = 0
    if not SMALLEST * rule.first <= floats[DEVIATION] <= LARGEST * rule.first:
        floats[DEVIATION] = rule.first
        for j in range(bias.shape[0]):
            bias[j] = 0.0


@kernel
def try_steps(
    batch: Callable[[Walk, Integers, Matrix, Vector], int],
    walk: Walk,
    coordinates: Integers,
    rows: Matrix,
    values: Vector,
    state: SolisWetsState,
    rule: Rule,
) -> int:
    """Make trial after trial."""
    ledger, counters, floats = walk.ledger, state.counters, state.floats
    while True:
        if counters[WAITING] == 0 or floats[BEFORE] != walk.y[0]:  # or others have moved the point
            draw_step(state, walk.x, walk.lower, walk.upper)
            counters[WAITING], floats[BEFORE] = 2, walk.y[0]
        k = 2 - counters[WAITING]
        done = batch(walk, coordinates, rows[k : k + 1], values)
        if done <= 0:
            return done
        counters[WAITING] -= 1
        if values[0] < floats[BEFORE]:
            counters[WAITING] = 0
            learn(state, rule, 1 - 2 * k)
        elif counters[WAITING] == 0:
            learn(state, rule, 0)
        if ledger[RAISED] or ledger[COUNT] >= min(ledger[PAUSE], ledger[LIMIT]):  # the next trial is drawn later
            return done
