"""One action: one initiation of one heuristic, with what it cost and what it brought."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Action"]


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
