"""One action: one initiation of one heuristic, with what it cost and what it brought."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Action", "read_action", "read_field"]


@dataclass(frozen=True)
class Action:
    """The record of one initiation.

    Attributes
    ----------
    index : int
        Its number in the run, from 0.
    heuristic : str
        Name of the heuristic.
    cost : float
        What it used of the resource that rewards are measured in.
    nfev : int
        Evaluations it used.
    before, after : float
        Best value before and after.
    reward : float
        Its efficiency, as the scheduler's reward measures it.
    probabilities : tuple of float
        The probabilities of all heuristics when this one was chosen, in portfolio order.
    seconds : float
        When it ended, in seconds since the run began.
    own : (float, float) or None
        The values at both ends, if it worked on a trajectory; None if on the incumbent.
    origin : str
        Where it worked; see :class:`ter.core.scheduler.Choice`.
    grade : float or None
        What the heuristic itself thinks of it: the attribute `grade` of its state, if there is one.
    remark : str
        What the heuristic says of it, such as a group of variables: the attribute `remark` of its state.
    investing : bool
        Whether the heuristic says that it is too early to judge it: the attribute `investing` of its state.
    """

    index: int
    heuristic: str
    cost: float
    nfev: int
    before: float
    after: float
    reward: float = 0.0
    probabilities: tuple[float, ...] = ()
    seconds: float = field(default=0.0, compare=False)  # the clock is no part of what happened
    own: tuple[float, float] | None = None
    origin: str = "incumbent"
    grade: float | None = None
    remark: str = ""
    investing: bool = False


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} must be a text")
    return value


_KINDS: dict[str, Callable[[Any], Any]] = {  # of the fields; the others are floats
    "index": int,
    "heuristic": _text,
    "nfev": int,
    "probabilities": lambda values: tuple(map(float, values)),
    "own": lambda ends: None if ends is None else (float(ends[0]), float(ends[1])),
    "origin": _text,
    "grade": lambda grade: None if grade is None else float(grade),
    "remark": _text,
    "investing": bool,
}


def read_field(name: str, value: Any) -> Any:
    """Read a field of an action that was kept in a file."""
    return _KINDS.get(name, float)(value)


def read_action(kept: Mapping[str, Any]) -> Action:
    """Read an action that was kept in a file; what an older version did not know has its default.

    Examples
    --------
    >>> read_action({"index": 0, "heuristic": "cc", "cost": 5, "nfev": 5, "before": 2, "after": "inf"}).after
    inf
    """
    return Action(**{name: read_field(name, value) for name, value in kept.items()})
