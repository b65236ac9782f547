"""TER: a window of recent efficiencies and Boltzmann exploration over them.

References
----------
.. [1] M. Zhao, H. Ge, Y. Lian, K. Zhang, "Generalizable Meta-Heuristic based on Temporal Estimation of Rewards for
   Large Scale Blackbox Optimization", section "TER" and Algorithm 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ter.core.action import Action
from ter.core.box import Vector
from ter.core.errors import InvalidArgument
from ter.core.reward import RewardName, reward_named
from ter.core.scheduler import Choice

__all__ = ["TER", "normalise", "softmax"]


@dataclass(frozen=True)
class TER:
    """Sample the next heuristic from the softmax of its mean efficiency in a sliding window.

    The rewards in the window are mapped linearly to [0, 1]. A heuristic without a record in the window is started
    at once, in portfolio order. If all records are equal, the choice is uniform.

    Parameters
    ----------
    temperature : float
        Greediness: the smaller, the greedier; > 0.
    window : int
        How many of the last actions count; >= 1.
    reward : {"improvement", "relative", "log"}
        What an action is worth per unit of resource; see :mod:`ter.core.reward`.

    Examples
    --------
    >>> import numpy as np
    >>> scheduler = TER(temperature=0.2, window=5)
    >>> scheduler.choose([], ["ls1", "cc"], np.random.default_rng(1)).probabilities
    (1.0, 0.0)
    """

    temperature: float = 0.2
    window: int = 5
    reward: RewardName = "improvement"

    def __post_init__(self) -> None:
        if not (self.temperature > 0 and math.isfinite(self.temperature)):
            raise InvalidArgument(
                f"temperature must be a finite number > 0, got {self.temperature!r}; the paper uses 0.2"
            )
        if not self.window >= 1 or self.window % 1 != 0:
            raise InvalidArgument(f"window must be a whole number >= 1, got {self.window!r}; the paper uses 5")
        object.__setattr__(self, "window", int(self.window))
        reward_named(self.reward)

    def reward_of(self, action: Action) -> float:
        """Return the action's efficiency by the reward chosen."""
        return reward_named(self.reward)(action)

    def choose(self, history: Sequence[Action], names: Sequence[str], rng: np.random.Generator) -> Choice:
        """Choose from the last `window` actions."""
        window = history[-self.window :]
        means = self.estimate(window, names)
        unrecorded = [i for i, mean in enumerate(means) if math.isinf(mean)]
        if unrecorded:  # "the mean of an empty set is infinite": strict exploration
            certain = tuple(float(i == unrecorded[0]) for i in range(len(names)))
            return Choice(unrecorded[0], certain)
        probabilities = softmax(means, self.temperature)
        index = min(int(np.searchsorted(np.cumsum(probabilities), rng.random(), side="right")), len(names) - 1)
        return Choice(index, tuple(float(p) for p in probabilities))

    def estimate(self, window: Sequence[Action], names: Sequence[str]) -> Vector:
        """Return each heuristic's mean normalised reward in the window; +inf without a record."""
        rewards = normalise(np.array([action.reward for action in window], dtype=np.float64))
        means = np.full(len(names), np.inf)
        for i, name in enumerate(names):
            own = [reward for reward, action in zip(rewards, window, strict=True) if action.heuristic == name]
            if own:
                means[i] = float(np.mean(own))
        return means


def normalise(rewards: Vector) -> Vector:
    """Map rewards linearly to [0, 1]; equal rewards all become 0.

    An infinite reward (the first finite value of a run) becomes 1 and all finite ones 0.

    Examples
    --------
    >>> normalise(np.array([1.0, 3.0, 2.0]))
    array([0. , 1. , 0.5])
    """
    if rewards.size == 0:
        return rewards
    if np.isinf(rewards).any():
        return np.isinf(rewards).astype(np.float64)
    low, high = rewards.min(), rewards.max()
    if not high > low:
        return np.zeros_like(rewards)
    if math.isinf(high - low):  # the span of two large rewards
        rewards, low, high = rewards / 2, low / 2, high / 2
    return np.asarray((rewards - low) / (high - low))


def softmax(means: Vector, temperature: float) -> Vector:
    """Return the Boltzmann distribution over `means`.

    Examples
    --------
    >>> softmax(np.array([1.0, 0.0]), temperature=0.2).round(4)
    array([0.9933, 0.0067])
    """
    # One by one: NumPy's own loop rounds otherwise on some processors, and then decisions differ between machines.
    weights = np.array([math.exp(exponent) for exponent in (means - means.max()) / temperature])
    return np.asarray(weights / weights.sum(), dtype=np.float64)
