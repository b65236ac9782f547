"""The result of a run: SciPy's, with the record of how it was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import OptimizeResult

from ter.core.action import Action
from ter.core.budget import Budget, Spent
from ter.core.stop import StopReason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ter.core.box import Box, Vector
    from ter.core.failure import Failure

__all__ = ["ResultData"]


class ResultData(OptimizeResult):
    """The answer and the record of a run.

    Attributes
    ----------
    x, fun : array, float
        The best point and its value; `fun` is +inf if no evaluation gave a finite value.
    nfev, nit : int
        Evaluations and actions.
    success, status, message : bool, int, str
        How the run ended; `status` is a :class:`ter.StopReason`.
    spent : Spent
        Evaluations, seconds and cost used.
    budget : Budget
        What might have been spent.
    actions : tuple of Action
        Every initiation, in order.
    sequence : tuple of str
        The names of the heuristics in order.
    heuristics : tuple of str
        The portfolio.
    curve : array of shape (n, 2)
        Rows (evaluations, best value) at improvements, thinned.
    nonfinite, nfail : int
        Evaluations whose value was NaN or infinite, and those that raised an exception.
    failures : tuple of Failure
        The first of these exceptions, with their tracebacks.
    workers_busy : float or None
        Share of the workers' time spent inside the objective while batches were under way.
    workers_idle : str
        Why that is less than half; empty if it is not.
    seed : int
        Pass it as ``rng`` to repeat the run.
    problem : str
        The problem's name.
    box : Box or None
        The bounds of the variables.
    compile_seconds : float
        How long compiling took before the run; it is not part of ``spent.seconds``.
    """

    def __init__(self, **fields: Any) -> None:  # as SciPy's: a dict with attributes
        super().__init__()
        for name, value in {"box": None, "compile_seconds": 0.0, "workers_idle": "", **fields}.items():
            setattr(self, name, value)

    x: Vector
    fun: float
    nfev: int
    nit: int
    success: bool
    status: StopReason
    message: str
    spent: Spent
    budget: Budget
    actions: tuple[Action, ...]
    heuristics: tuple[str, ...]
    curve: NDArray[np.float64]
    nonfinite: int
    nfail: int
    failures: Sequence[Failure]
    workers_busy: float | None
    workers_idle: str
    seed: int
    problem: str
    box: Box | None
    compile_seconds: float

    @property
    def sequence(self) -> tuple[str, ...]:
        """The names of the heuristics in the order they were started."""
        return tuple(action.heuristic for action in self.actions)

    def summary(self) -> dict[str, Any]:
        """Return the facts of the run as plain numbers and strings, ready for JSON."""
        return {
            "problem": self.problem,
            "fun": self.fun if np.isfinite(self.fun) else None,
            "nfev": self.nfev,
            "nit": self.nit,
            "success": self.success,
            "status": self.status.name.lower(),
            "message": self.message,
            "seconds": self.spent.seconds,
            "cost": self.spent.cost,
            "compile_seconds": self.compile_seconds,
            "seed": self.seed,
            "nonfinite": self.nonfinite,
            "nfail": self.nfail,
            "heuristics": list(self.heuristics),
            "sequence": list(self.sequence),
        }
