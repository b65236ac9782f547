"""Rewards: what an action brought per unit of the resource it used. All are >= 0 and never NaN."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Literal, TypeAlias

from ter.core.action import Action
from ter.core.errors import UnknownName

__all__ = ["REWARDS", "Reward", "RewardName", "reward_named"]

Reward: TypeAlias = Callable[[Action], float]
RewardName: TypeAlias = Literal["improvement", "relative", "log"]


def _per_cost(gain: float, action: Action) -> float:
    # An action that used nothing has no efficiency; one that found the first finite value has an infinite one.
    return gain / action.cost if action.cost > 0 and gain > 0 else 0.0


def improvement(action: Action) -> float:
    """Improvement of the best value per resource: the paper's efficiency.

    Examples
    --------
    >>> improvement(Action(0, "ls1", cost=4, nfev=4, before=10, after=2))
    2.0
    """
    return _per_cost(action.before - action.after if action.after < action.before else 0.0, action)


def relative(action: Action) -> float:
    """Improvement as a fraction of the value before, per resource; 0 if that value was 0.

    Examples
    --------
    >>> relative(Action(0, "ls1", cost=4, nfev=4, before=10, after=2))
    0.2
    """
    if not action.after < action.before or action.before == 0:
        return 0.0
    if math.isinf(action.before):
        return _per_cost(math.inf, action)
    return _per_cost((action.before - action.after) / abs(action.before), action)


def log(action: Action) -> float:
    """Logarithm of the ratio of the values before and after, per resource.

    Written as ``log1p((before - after) / |after|)``, which is ``log(before / after)`` for positive values and
    stays defined for others.

    Examples
    --------
    >>> log(Action(0, "ls1", cost=1, nfev=1, before=10, after=1)) == math.log(10)
    True
    """
    if not action.after < action.before:
        return 0.0
    scale = max(abs(action.after), sys.float_info.min)
    gain = (action.before - action.after) / scale
    # The difference of logarithms where the quotient overflows, as when the optimum 0 is reached.
    logarithm = math.log1p(gain) if math.isfinite(gain) else math.log(action.before - action.after) - math.log(scale)
    return _per_cost(logarithm, action)


REWARDS: dict[str, Reward] = {"improvement": improvement, "relative": relative, "log": log}


def reward_named(name: str) -> Reward:
    """Look a reward up by its name."""
    if name not in REWARDS:
        raise UnknownName.among("reward", name, REWARDS)
    return REWARDS[name]
