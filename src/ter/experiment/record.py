"""What an experiment keeps of one run."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ter.core.action import Action
from ter.core.words import last_words

__all__ = ["Curve", "Record", "RunKey", "best_after", "run_name", "thinned"]

Curve: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, order=True)
class RunKey:
    """What makes a run what it is: two runs with equal keys have equal results.

    Attributes
    ----------
    problem : str
        Name, as :func:`ter.problem` reads it.
    dimension : int
        Number of variables.
    algorithm : str
        Name, as :func:`ter.algorithm` reads it.
    parameters : str
        What differs from the algorithm's own settings, as JSON with sorted keys; ``"{}"`` if nothing does.
    budget : str
        As :class:`ter.Budget` reads it.
    seed : int
        Of the run; the same for all algorithms with the same problem and run number.
    code : str
        Fingerprint of the code that decides about results.
    """

    problem: str
    dimension: int
    algorithm: str
    parameters: str
    budget: str
    seed: int
    code: str

    @property
    def without_code(self) -> RunKey:
        """The same run, whichever version of the code did it."""
        return replace(self, code="")


@dataclass(frozen=True)
class Record:
    """One run: finished, or failed with a traceback.

    Attributes
    ----------
    key : RunKey
        What was run.
    label : str
        The algorithm's name in tables: unique for algorithm and parameters within a plan.
    run : int
        Number of the run, from 1.
    fun : float
        Final value; NaN if the run failed.
    f_opt : float or None
        The problem's optimum, if known.
    nfev : int
        Evaluations.
    milestones : dict of int to float
        Best value after so many evaluations.
    curve : array of shape (n, 2)
        Rows (evaluations, best value) at improvements, thinned.
    heuristics : tuple of str
        The portfolio, in its order; empty for an algorithm that makes no decisions.
    actions : tuple of Action
        The decisions with their costs and rewards.
    wall, cpu : float
        Seconds.
    started : str
        When, in ISO 8601, UTC.
    facts : dict of str to str
        Machine and versions.
    traceback : str or None
        Why it failed.
    """

    key: RunKey
    label: str
    run: int
    fun: float
    f_opt: float | None
    nfev: int
    milestones: dict[int, float]
    curve: Curve
    heuristics: tuple[str, ...]
    actions: tuple[Action, ...]
    wall: float
    cpu: float
    started: str
    facts: dict[str, str] = field(default_factory=dict)
    traceback: str | None = None

    @property
    def name(self) -> str:
        """What displays call it."""
        return run_name(self.key, self.label, self.run)

    @property
    def failed(self) -> bool:
        """Whether the run ended with an exception."""
        return self.traceback is not None

    @property
    def reason(self) -> str:
        """Why it failed, in one line."""
        return last_words(self.traceback or "")

    @property
    def error(self) -> float:
        """Distance of the final value to the optimum; the value itself if the optimum is not known."""
        return self.fun - (self.f_opt or 0.0)

    @property
    def sequence(self) -> tuple[str, ...]:
        """The names of the heuristics in the order they were started."""
        return tuple(action.heuristic for action in self.actions)

    def best_after(self, evaluations: float) -> float:
        """Return the best value after so many evaluations, +inf before the first finite one.

        It is exact at milestones, and elsewhere as exact as the thinned curve.
        """
        if evaluations in self.milestones:
            return self.milestones[int(evaluations)]
        return best_after(self.curve, evaluations)


def run_name(key: RunKey, label: str, run: int) -> str:
    """Return what displays call a run.

    Examples
    --------
    >>> run_name(RunKey("lso13/f4", 1000, "ter", "{}", "3000000", 1, ""), "ter", 2)
    'lso13/f4 D=1000 ter run 2'
    """
    return f"{key.problem} D={key.dimension} {label} run {run}"


def best_after(curve: Curve, evaluations: float) -> float:
    """Return the best value of a curve after so many evaluations, +inf before the first finite one.

    Examples
    --------
    >>> curve = np.array([[1.0, 9.0], [50.0, 2.0]])
    >>> best_after(curve, 0), best_after(curve, 49), best_after(curve, 50)
    (inf, 9.0, 2.0)
    """
    row = int(np.searchsorted(curve[:, 0], evaluations, side="right")) - 1
    return float(curve[row, 1]) if row >= 0 else math.inf


def thinned(curve: Curve) -> Curve:
    """Keep of a curve the last improvement up to each count of two digits; it is exact at such counts.

    Examples
    --------
    >>> thinned(np.array([[9.0, 5.0], [101.0, 4.0], [110.0, 3.0], [111.0, 2.0], [1200.0, 1.0]]))[:, 0]
    array([   9.,  110.,  111., 1200.])
    """
    counts = curve[:, 0].astype(np.int64)
    step = np.ones_like(counts)
    while (large := counts > 100 * step).any():
        step[large] *= 10
    ends = -(-counts // step) * step
    kept: Curve = curve[np.append(ends[1:] != ends[:-1], True)[: len(curve)]]
    return kept
