"""What each heuristic of a run used and brought. Pure functions."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ter.core.action import Action
from ter.display.trace import Trace

__all__ = ["PARTS", "Share", "shares_of"]

PARTS = {  # what a share is a part of
    "of_evaluations": "of the evaluations",
    "of_improvement": "of the improvement",
    "of_magnitude": "of the orders of magnitude",
}


@dataclass(frozen=True)
class Share:
    """What one heuristic used and brought.

    Attributes
    ----------
    heuristic : str
        Its name.
    initiations, nfev : int
        How often it was started, and its evaluations.
    of_evaluations : float
        Its share of all evaluations, the start points included.
    of_improvement : float
        Its share of the improvement of the best value since the start points.
    of_magnitude : float or None
        The same on a log scale: its share of the orders of magnitude gained; None unless all values are > 0.
    """

    heuristic: str
    initiations: int
    nfev: int
    of_evaluations: float
    of_improvement: float
    of_magnitude: float | None


def shares_of(trace: Trace, f_opt: float | None = None) -> list[Share]:
    """Return each heuristic's share, in portfolio order.

    Parameters
    ----------
    trace : Result or Record
        A run.
    f_opt : float, optional
        The optimum's value; magnitudes are those of the error then.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=4), budget=400, rng=1)
    >>> round(sum(share.of_improvement for share in shares_of(result)), 6)
    1.0
    """
    own = {name: [a for a in trace.actions if a.heuristic == name] for name in trace.heuristics}
    gains = {name: sum(map(_gain, actions)) for name, actions in own.items()}
    steps = {name: [_magnitudes(a, f_opt or 0.0) for a in actions] for name, actions in own.items()}
    defined = all(step is not None for listed in steps.values() for step in listed)
    orders = {name: sum(step or 0.0 for step in listed) for name, listed in steps.items()}
    return [
        Share(
            heuristic=name,
            initiations=len(own[name]),
            nfev=(nfev := sum(a.nfev for a in own[name])),
            of_evaluations=_ratio(nfev, trace.nfev),
            of_improvement=_ratio(gains[name], sum(gains.values())),
            of_magnitude=_ratio(orders[name], sum(orders.values())) if defined else None,
        )
        for name in trace.heuristics
    ]


def _gain(action: Action) -> float:
    # The first finite value of a run has no finite improvement; it counts for nobody.
    return action.before - action.after if math.isfinite(action.before) else 0.0


def _magnitudes(action: Action, f_opt: float) -> float | None:
    before, after = action.before - f_opt, action.after - f_opt
    if math.isinf(before):
        return 0.0
    return math.log(before / after) if after > 0 else None


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
