"""Results made by hand, so that every number in a test is known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from ter.core.action import Action
from ter.core.budget import Budget, Spent
from ter.core.failure import Failure
from ter.core.stop import StopReason
from ter.display.result import Result


def made_result(
    actions: tuple[Action, ...] = (),
    curve: object = ((1, 100.0), (50, 1.0)),
    *,
    nfev: int = 100,
    failures: tuple[Failure, ...] = (),
    status: StopReason = StopReason.BUDGET,
) -> Result:
    rows = np.array(curve, dtype=np.float64).reshape(-1, 2)
    return Result(
        x=np.zeros(3), fun=float(rows[-1, 1]) if len(rows) else np.inf, nfev=nfev, nit=len(actions),
        success=status.success, status=status, message=status.message, spent=Spent(nfev, 2.0, 0.0),
        budget=Budget(evaluations=100), actions=actions, heuristics=("ls1", "cc"), curve=rows,
        nonfinite=len(failures), nfail=len(failures), failures=failures, workers_busy=None, seed=7, problem="made",
    )  # fmt: skip


def three_actions() -> tuple[Action, ...]:
    """Ninety evaluations: ls1 from 100 to 10, cc without gain, ls1 from 10 to 1."""
    return (
        Action(0, "ls1", 40, 40, before=100.0, after=10.0, reward=2.0, probabilities=(1.0, 0.0)),
        Action(1, "cc", 30, 30, before=10.0, after=10.0, reward=0.0, probabilities=(0.0, 1.0)),
        Action(2, "ls1", 20, 20, before=10.0, after=1.0, reward=0.5, probabilities=(0.75, 0.25)),
    )


@pytest.fixture
def make_result() -> Callable[..., Result]:
    return made_result


@pytest.fixture
def actions() -> tuple[Action, ...]:
    return three_actions()
