"""How greedy TER can be: the true interval of Proposition 1, and the settings for a wanted one."""

from __future__ import annotations

import math
from typing import NamedTuple

from ter.core.errors import InvalidArgument

__all__ = ["ExploitationBounds", "Setting", "exploitation_bounds", "suggest"]


class ExploitationBounds(NamedTuple):
    """Interval of the probability of starting the heuristic with the highest mean reward."""

    lower: float
    upper: float


class Setting(NamedTuple):
    """A pair of hyperparameters of TER."""

    temperature: float
    window: int


def exploitation_bounds(*, actions: int, window: int, temperature: float) -> ExploitationBounds:
    """Bound the probability with which TER starts the best heuristic of the window.

    Every action has a record in the window, and the records are not all equal.

    The upper bound is reached when all records of the best action are 1 and all others 0. The lower bound is an
    infimum. With ``window == actions`` the best action's only record is 1, one other record is 0 and the rest may
    come arbitrarily close to 1. With a longer window the best action may itself hold the record 0, so that all
    means can come arbitrarily close to each other: exploitation falls to ``1 / actions``, whatever the window and
    the temperature. (The interval printed in the paper is discussed in the documentation.)

    Parameters
    ----------
    actions : int
        Number of heuristics, >= 1.
    window : int
        Length of the window, >= `actions`.
    temperature : float
        Temperature of the softmax, > 0.

    Examples
    --------
    >>> import ter
    >>> low, high = ter.exploitation_bounds(actions=3, window=5, temperature=0.2)
    >>> round(low, 4), round(high, 4)
    (0.3333, 0.9867)
    """
    if actions < 1 or actions != int(actions):
        raise InvalidArgument(f"actions must be a whole number >= 1, got {actions!r}")
    if window < actions or window != int(window):
        raise InvalidArgument(
            f"window must be a whole number >= actions ({actions}), got {window!r}; in a shorter window some action "
            "never has a record and is always started at once"
        )
    if not (temperature > 0 and math.isfinite(temperature)):
        raise InvalidArgument(f"temperature must be a finite number > 0, got {temperature!r}")
    if actions == 1:
        return ExploitationBounds(1.0, 1.0)
    zero = math.exp(-1.0 / temperature)  # weight of a mean of 0, if a mean of 1 weighs 1
    upper = 1.0 / (1.0 + (actions - 1) * zero)
    lower = 1.0 / (actions - 1 + zero) if window == actions else 1.0 / actions
    return ExploitationBounds(lower, upper)


def suggest(*, actions: int, exploitation: tuple[float, float], most: int = 12) -> tuple[Setting, ...]:
    """Find temperatures and windows for a wanted interval of exploitation, as the paper's guideline does.

    The temperature follows from the upper end, since only it enters the maximum: temperatures 1/2, 1/3, 1/4, ...
    are taken whose maximal exploitation lies inside the wanted interval. The window cannot be solved from the lower
    end, as the guideline intends: for every window longer than the number of actions the infimum is ``1/actions``.
    So the windows offered are the short ones, which adapt fastest: from ``actions + 1`` (with ``window == actions``
    the oldest record falls out each time and TER is a round robin) to ``2 * actions``.

    Parameters
    ----------
    actions : int
        Number of heuristics, >= 2.
    exploitation : (float, float)
        Wanted minimum and maximum of the probability of starting the best heuristic.
    most : int
        How many pairs at most; the greediest temperature comes first.

    Examples
    --------
    >>> import ter
    >>> ter.suggest(actions=3, exploitation=(0.5, 0.99))[:3]
    (Setting(temperature=0.2, window=4), Setting(temperature=0.2, window=5), Setting(temperature=0.2, window=6))
    """
    low, high = exploitation
    if actions < 2 or actions != int(actions):
        raise InvalidArgument(f"actions must be a whole number >= 2, got {actions!r}; one action leaves no choice")
    if not 0 <= low < high <= 1:
        raise InvalidArgument(f"exploitation must be an interval 0 <= low < high <= 1, got {exploitation!r}")
    greediest = min(700, math.ceil(math.log(max(1e-300, high) * (actions - 1)) - math.log(max(1e-300, 1 - high))) + 1)
    windows = range(actions + 1, 2 * actions + 1)
    pairs = [
        Setting(1.0 / k, window)
        for k in range(max(1, greediest), 0, -1)
        if low <= exploitation_bounds(actions=actions, window=actions + 1, temperature=1.0 / k).upper <= high
        for window in windows
    ]
    if not pairs:
        raise InvalidArgument(
            f"no temperature 1/k has its maximal exploitation in [{low}, {high}] for {actions} actions; "
            f"the maximum is at least {1 / (1 + (actions - 1) * math.exp(-1)):.3f}: widen the interval"
        )
    return tuple(pairs[:most])
