"""Run a contract without pytest."""

from __future__ import annotations

from typing import NamedTuple

from ter.core.errors import InvalidArgument
from ter.core.heuristic import Heuristic
from ter.core.scheduler import Scheduler
from ter.testing.heuristic import HeuristicContract
from ter.testing.scheduler import SchedulerContract

__all__ = ["Check", "check"]


class Check(NamedTuple):
    """How one check went; `message` is empty if it passed."""

    check: str
    passed: bool
    message: str


def check(subject: Heuristic | Scheduler) -> list[Check]:
    """Run all checks of the contract of a heuristic or a scheduler.

    Parameters
    ----------
    subject : Heuristic or Scheduler
        The object; it is used in every check.

    Returns
    -------
    list of Check
        One (check, passed, message) per check.

    Examples
    --------
    >>> import ter
    >>> checks = ter.testing.check(ter.schedulers.TER())
    >>> all(passed for _, passed, _ in checks)
    True
    """
    contract: HeuristicContract | SchedulerContract
    if isinstance(subject, type):
        raise InvalidArgument(f"a contract is checked with an object, got the class {subject.__name__}; call it first")
    if isinstance(subject, Heuristic):
        contract = HeuristicContract()
    elif isinstance(subject, Scheduler):
        contract = SchedulerContract()
    else:
        raise InvalidArgument(
            f"a heuristic must have name, cost, start and act, and a scheduler choose and reward_of, got {subject!r}"
        )
    contract.make = lambda: subject  # type: ignore[method-assign,assignment]
    return [_run(contract, name) for name in vars(type(contract)) if name.startswith("test_")]


def _run(contract: HeuristicContract | SchedulerContract, name: str) -> Check:
    try:
        getattr(contract, name)()
    except AssertionError as error:
        return Check(name, False, str(error))
    return Check(name, True, "")
