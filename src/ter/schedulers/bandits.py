"""Bandits of the literature for rewards that change: sliding-window UCB, EXP3.S, discounted Thompson sampling.

All of them see what TER sees, the efficiency of each action, as a part of the largest one among the last actions: so
neither the scale of the values nor an offset matters.

References
----------
.. [1] A. Garivier, E. Moulines, "On upper-confidence bound policies for switching bandit problems", ALT 2011.
.. [2] P. Auer, N. Cesa-Bianchi, Y. Freund, R. Schapire, "The nonstochastic multiarmed bandit problem", SIAM Journal on
   Computing 32, 2002.
.. [3] V. Raj, S. Kalyani, "Taming non-stationary bandits: a Bayesian approach", 2017.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ter.core.action import Action
from ter.core.box import Vector
from ter.core.reward import improvement
from ter.core.scheduler import Choice
from ter.heuristics.checks import require_in, require_whole

__all__ = ["EXP3S", "DiscountedThompson", "SlidingWindowUCB", "scaled_rewards"]

SAMPLES = 200  # from which Thompson sampling tells how probable each heuristic was


def scaled_rewards(history: Sequence[Action], window: int) -> Vector:
    """Return each action's reward as a part of the largest one among the last `window` actions up to it.

    Examples
    --------
    >>> scaled_rewards([Action(0, "a", 1, 1, 9.0, 5.0, reward=4.0), Action(1, "b", 1, 1, 5.0, 4.0, reward=1.0)], 5)
    array([1.  , 0.25])
    """
    rewards = [action.reward for action in history]
    scaled = np.zeros(len(rewards))
    for t, reward in enumerate(rewards):
        largest = max(rewards[max(0, t + 1 - window) : t + 1])
        if largest > 0.0:
            scaled[t] = float(reward == largest) if math.isinf(largest) else reward / largest
    return scaled


@dataclass(frozen=True)
class _Bandit:
    window: int = 20

    def __post_init__(self) -> None:
        require_whole("window", self.window, low=1)

    def reward_of(self, action: Action) -> float:
        """Return the improvement per resource."""
        return improvement(action)


@dataclass(frozen=True)
class SlidingWindowUCB(_Bandit):
    """Start whoever has the largest mean reward in a window plus a bonus for being seldom seen [1]_.

    Parameters
    ----------
    window : int
        How many of the last actions count.
    bonus : float
        Weight of the bonus.

    Examples
    --------
    >>> SlidingWindowUCB().choose([], ["ls1", "cc"], np.random.default_rng(1)).index
    0
    """

    bonus: float = 0.3

    def __post_init__(self) -> None:
        super().__post_init__()
        require_in("bonus", self.bonus, low=0.0, high=np.inf)

    def choose(self, history: Sequence[Action], names: Sequence[str], rng: np.random.Generator) -> Choice:
        """Choose the largest upper bound; who is not in the window comes first."""
        window = history[-self.window :]
        rewards = scaled_rewards(window, self.window)
        bounds = [math.inf for _ in names]
        for index, name in enumerate(names):
            own = [reward for reward, action in zip(rewards, window, strict=True) if action.heuristic == name]
            if own:
                bounds[index] = sum(own) / len(own) + self.bonus * math.sqrt(math.log(len(window)) / len(own))
        best = bounds.index(max(bounds))
        return Choice(best, tuple(float(index == best) for index in range(len(names))))


@dataclass(frozen=True)
class EXP3S(_Bandit):
    """Sample from exponential weights that never become negligible [2]_.

    Parameters
    ----------
    window : int
        Over how many actions rewards are scaled.
    exploration : float
        Part of the choices that is uniform, in (0, 1].
    sharing : float
        Part of all weights that each heuristic gets after an action, in [0, 1].

    Examples
    --------
    >>> EXP3S().choose([], ["ls1", "cc"], np.random.default_rng(1)).probabilities
    (0.5, 0.5)
    """

    exploration: float = 0.15
    sharing: float = 0.02

    def __post_init__(self) -> None:
        super().__post_init__()
        require_in("exploration", self.exploration, low=0.0, high=1.0, open_low=True)
        require_in("sharing", self.sharing, low=0.0, high=1.0)

    def choose(self, history: Sequence[Action], names: Sequence[str], rng: np.random.Generator) -> Choice:
        """Go through the history, then sample."""
        n, weights = len(names), np.full(len(names), 1.0 / len(names))
        for action, reward in zip(history, scaled_rewards(history, self.window), strict=True):
            index = names.index(action.heuristic)
            probability = action.probabilities[index] if action.probabilities else 1.0 / n
            estimate = reward / max(probability, self.exploration / n)
            total = weights.sum()
            weights[index] *= math.exp(self.exploration * estimate / n)
            weights += math.e * self.sharing / n * total
            weights /= weights.sum()
        probabilities = (1.0 - self.exploration) * weights + self.exploration / n
        index = min(int(np.searchsorted(np.cumsum(probabilities), rng.random(), side="right")), n - 1)
        return Choice(index, tuple(probabilities.tolist()))


@dataclass(frozen=True)
class DiscountedThompson(_Bandit):
    """Sample each heuristic's reward from what is believed of it, and start the largest; old rewards fade [3]_.

    Parameters
    ----------
    window : int
        Over how many actions rewards are scaled.
    discount : float
        What an action still counts after the next one, in (0, 1].

    Examples
    --------
    >>> DiscountedThompson().choose([], ["ls1"], np.random.default_rng(1)).probabilities
    (1.0,)
    """

    discount: float = 0.9

    def __post_init__(self) -> None:
        super().__post_init__()
        require_in("discount", self.discount, low=0.0, high=1.0, open_low=True)

    def choose(self, history: Sequence[Action], names: Sequence[str], rng: np.random.Generator) -> Choice:
        """Sample from the discounted beliefs."""
        good, bad = np.ones(len(names)), np.ones(len(names))
        rewards = scaled_rewards(history, self.window)
        for age, (action, reward) in enumerate(zip(reversed(history), reversed(rewards), strict=True)):
            index = names.index(action.heuristic)
            good[index] += self.discount**age * reward
            bad[index] += self.discount**age * (1.0 - reward)
        samples = rng.beta(good, bad, size=(SAMPLES, len(names))).argmax(axis=1)
        probabilities = np.bincount(samples, minlength=len(names)) / SAMPLES
        return Choice(int(samples[0]), tuple(probabilities.tolist()))
