"""The accounts of a run: what was spent, what is best, who may still spend, and when it must end."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Box, Vector
from ter.core.budget import Budget, Spent
from ter.core.errors import AllowanceSpent, InvalidArgument, ObjectiveError
from ter.core.failure import Failure
from ter.core.ledger import BEST, COUNT, CURVE_SIZE, LIMIT, NONFINITE, RUNNING, STOP, Books, Walk, halt, settle_rows
from ter.core.stop import StopReason
from ter.engines.calls import Outcome
from ter.run.clock import Clock
from ter.run.failures import FailureLog
from ter.run.logbook import Logbook
from ter.run.settings import Settings

__all__ = ["Accounts", "Observer"]

Observer = Callable[[], bool]
"""Called now and then while a run is under way; returns True to stop it."""


class Accounts:
    """Counts, charges, keeps the best, and says who may go on; the evaluator builds on it."""

    def __init__(
        self,
        box: Box,
        budget: Budget,
        settings: Settings,
        observer: Observer | None,
        observe_every: float,
        record: Logbook | None = None,
    ) -> None:
        self.box = box
        self.budget = budget
        self.failures = FailureLog(settings.on_error, settings.max_failures)
        self.sink = settings.sink
        self.record = record
        self.cost = 0.0
        self.clock = Clock(budget.seconds, observe_every if observer else None)
        self.books = Books.open(target=settings.target, patience=settings.stagnation, raising=self.failures.lets_out)
        self.best = np.array(box.lower)  # the best point, unless a walk leads: then it is that walk's point
        self.leader: Walk | None = None
        self.has_point = False  # whether any point was evaluated: the first one is kept whatever its value
        self._observer = observer
        if record is not None:  # it goes on when the run does something new
            self.clock.freeze(record.elapsed)
        self._action_start, self._action_cost = 0, math.inf  # where the allowance under way began and ends
        self._thread = threading.get_ident()  # of whoever holds the allowance

    # What is known

    @property
    def x(self) -> Vector:
        """A copy of the incumbent."""
        return (self.best if self.leader is None else self.leader.x).copy()

    @property
    def y(self) -> float:
        """The incumbent's value; +inf until a finite value was seen."""
        return float(self.books.marks[BEST])

    @property
    def count(self) -> int:
        """Evaluations so far."""
        return int(self.books.ledger[COUNT])

    @property
    def nonfinite(self) -> int:
        """Values so far that were NaN or infinite."""
        return int(self.books.ledger[NONFINITE])

    @property
    def spent(self) -> Spent:
        """What was used of each resource."""
        return Spent(self.count, self.clock.elapsed, self.cost)

    @property
    def curve(self) -> NDArray[np.float64]:
        """Rows (evaluations, best value), thinned; exact at counts of at most three digits and zeros."""
        return self.books.curve[: self.books.ledger[CURVE_SIZE]].copy()

    @property
    def stopped(self) -> StopReason | None:
        """Why the run must end, or None."""
        code = int(self.books.ledger[STOP])
        return None if code == RUNNING else StopReason(code)

    @property
    def remaining(self) -> int:
        """Evaluations left in the allowance under way."""
        return max(0, int(self.books.ledger[LIMIT]) - self.count)

    @property
    def goes_on(self) -> bool:
        """Whether there will be another evaluation, as far as is known."""
        total = self.budget.evaluations
        return self.stopped is None and (total is None or self.count < total)

    def used(self) -> float:
        """What was used of the resource that rewards are measured in."""
        return float(getattr(self.spent, self.budget.unit))

    # Lending and ending

    def open_allowance(self, limit: int, share: float) -> None:
        """Begin an allowance of so many evaluations and this share of the seconds and of the cost in the budget."""
        total, seconds, cost = self.budget.evaluations, self.budget.seconds, self.budget.cost
        self._thread = threading.get_ident()
        self._action_start = self.count
        self.clock.begin_action(None if seconds is None else share * seconds)
        self._action_cost = math.inf if cost is None else self.cost + share * cost
        end = self.count + limit if total is None else min(self.count + limit, total)
        if total is not None and self.count >= total and self.stopped is None:
            self.stop(StopReason.BUDGET)
        self.books.ledger[LIMIT] = self.count if self.stopped is not None else end

    def part_of_allowance(self, evaluations: int) -> AbstractContextManager[None]:
        """Lend a part of the allowance under way; whoever asks for more than that is cut, and only there."""
        return _Part(self, evaluations)

    def stop(self, reason: StopReason) -> None:
        """End the run before the next evaluation; the first reason given stands."""
        halt.py_func(self.books.ledger, int(reason))

    def interrupt(self) -> None:
        """End the run as soon as the evaluation under way is done; safe inside a signal handler."""
        self.stop(StopReason.INTERRUPTED)

    def require_own_thread(self) -> None:
        """Refuse other threads than the run's own: two at a time would both be granted what is left."""
        if threading.get_ident() != self._thread:
            raise InvalidArgument(
                "an allowance must be used in the thread in which the heuristic was started, got a call from another "
                "one; evaluate all points in one call, and pass workers=... to ter.minimize"
            )

    def leave(self, walk: Walk) -> None:
        """Write the run's best point down, if it is that of this walk, which is about to move."""
        if self.leader is walk:
            self.best[:] = walk.x
            self.leader = None

    # What evaluations are asked and told

    def grant(self, wanted: int) -> int:
        """Return how many of the evaluations wanted may be made; end the action if none."""
        left = self.remaining if self.go_on(asked=True) else 0
        if left <= 0:
            raise AllowanceSpent
        return min(wanted, left)

    def go_on(self, pending: float = 0.0, *, asked: bool = False) -> bool:
        """Look at the clock, and tell whether the run goes on; `pending` is the cost of the batch under way.

        `asked` means that somebody is about to evaluate, and knows already how much is left.
        """
        now = time.perf_counter()
        if now >= self.clock.alarm and not self._repeats(asked=asked):
            if self.clock.over(now):
                self.stop(StopReason.BUDGET)
            if self.clock.action_over(now) and self.count > self._action_start:  # one evaluation at least
                if self.record is not None and self.remaining and self.stopped is None:
                    self.record.ended(self.count, asked)
                self._end_action()
            if self._observer is not None and self.clock.look_due(now) and self.stopped is None:
                if self._observer():
                    self.stop(StopReason.CALLBACK)
                self.clock.looked()
            self.clock.reset()
        affordable = self.budget.cost is None or self.cost + pending < self.budget.cost
        return affordable and bool(self.books.ledger[STOP] == RUNNING)

    def _repeats(self, *, asked: bool) -> bool:
        """Do what the clock did before instead of looking at it, while a run is repeated."""
        if self.record is None or not self.clock.frozen:
            return False
        if self.record.repeat_end(self.count, asked):
            self._end_action()
        if self.record.replaying:
            return True
        self.clock.thaw()
        return False

    def settle(self, outcome: Outcome, first: int, wanted: int) -> tuple[Vector, int]:
        """Book a batch; return the values, padded with +inf, and the row of the run's new best or -1."""
        done = len(outcome.values)
        ledger = self.books.ledger
        ledger[COUNT] = first + done
        self.charge_cost(outcome.costs, done - len(outcome.failures))
        if self.sink is not None and done:
            self.sink.write(outcome.values.copy(), outcome.costs)
        best = settle_rows(ledger, self.books.marks, self.books.curve, outcome.values, first)
        if self.stopped is not None:
            ledger[LIMIT] = ledger[COUNT]
        if done == wanted:
            return outcome.values, best
        values = np.full(wanted, np.inf)
        values[:done] = outcome.values
        return values, best

    def fail(self, failures: list[Failure], evaluations: range) -> None:
        """Note failures among evaluations that were made; end the run if it must."""
        too_many = self.failures.note(failures, evaluations)
        for failure in failures:
            if failure.fatal or self.failures.lets_out:
                self.stop(StopReason.ERROR)
                raise failure.error
        if too_many:
            self.stop(StopReason.FAILURES)

    def charge_cost(self, costs: Vector | None, done: int) -> None:
        """Charge what evaluations have cost."""
        if costs is not None:
            self.cost += float(costs.sum())
        elif self.budget.cost is not None and done:
            raise ObjectiveError(
                "a budget in cost needs an objective that names its cost, got a plain number; "
                "return ter.Value(y, cost=...)"
            )
        if self.budget.cost is not None and self.cost >= self.budget.cost:
            self.stop(StopReason.BUDGET)
        elif self.cost >= self._action_cost:
            self._end_action()

    def _end_action(self) -> None:
        """Leave nothing of the allowance under way."""
        self.books.ledger[LIMIT] = min(self.books.ledger[LIMIT], self.books.ledger[COUNT])


class _Part:
    """A part of an allowance, as long as a ``with`` block.

    It is a class, since a generator with ``contextmanager`` writes into the exceptions that pass, and some refuse.
    """

    def __init__(self, accounts: Accounts, evaluations: int) -> None:
        self._accounts, self._evaluations = accounts, evaluations
        self._end = self._whole = 0

    def __enter__(self) -> None:
        ledger = self._accounts.books.ledger
        self._whole = int(ledger[LIMIT])
        self._end = min(self._whole, self._accounts.count + self._evaluations)
        ledger[LIMIT] = self._end

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        accounts, ledger = self._accounts, self._accounts.books.ledger
        if ledger[LIMIT] == self._end and accounts.stopped is None:  # the clock has not ended the action in between
            ledger[LIMIT] = self._whole
        # Otherwise not the part but the whole is at its end.
        only_the_part = self._end <= accounts.count < self._whole
        return kind is not None and issubclass(kind, AllowanceSpent) and only_the_part
