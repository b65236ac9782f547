"""The evaluator: the only caller of the objective.

It counts rows before the call, keeps the incumbent, charges the budget, and lends allowances. Heuristics see the
objective only through it, so they can neither overspend nor leave the box.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from weakref import WeakSet

import numpy as np

from ter.core.allowance import Chain
from ter.core.box import Box, Vector
from ter.core.budget import Budget
from ter.core.failure import Failure
from ter.core.ledger import COUNT, LIMIT, RAISED, ObjectiveData, Walk, aligned_zeros
from ter.core.stop import StopReason
from ter.engines.calls import Outcome
from ter.engines.compiled import CompiledEngine, failures_noted
from ter.engines.engine import Engine, Position
from ter.engines.workers import WorkersEngine
from ter.objectives.compiled import data_of
from ter.run.accounts import Accounts, Observer
from ter.run.journalled import JournalledEngine
from ter.run.logbook import Logbook
from ter.run.settings import Settings
from ter.run.walker import IncumbentWalker, Walker

__all__ = ["Evaluator"]

TAPE = 1 << 16  # values a compiled kernel may write before the sink reads them


class Evaluator(Accounts):
    """Counts, charges, keeps the best.

    Parameters
    ----------
    box : Box
        Every point handed to the objective lies in it.
    engine : Engine
        How values come about.
    budget : Budget
        What may be spent.
    settings : Settings
        When to stop, what an exception means, who gets every value.
    observer : callable, optional
        Called now and then; returns True to stop.
    observe_every : float
        Seconds between these calls.
    record : Logbook, optional
        Writes every value into a journal, and repeats those that are there.

    Attributes
    ----------
    incumbent : IncumbentWalker
        The walk around the best point.
    """

    def __init__(
        self,
        box: Box,
        engine: Engine,
        budget: Budget,
        settings: Settings | None = None,
        *,
        observer: Observer | None = None,
        observe_every: float = 0.2,
        record: Logbook | None = None,
    ) -> None:
        super().__init__(box, budget, settings or Settings(), observer, observe_every, record)
        self.engine = engine if record is None else JournalledEngine(engine, record, self)
        self._plain = engine
        self._positions = WeakSet[Position]()
        if engine.compiled is not None:
            engine.compiled.objective.require_dimension(box.dimension)
        # Whoever wants every value or a cost per value gets batches step by step, and so do other engines.
        stepwise = self.sink is not None or budget.cost is not None
        self.booking = engine if isinstance(engine, CompiledEngine) and not stepwise else None
        data = data_of(engine.compiled.objective) if engine.compiled is not None else ObjectiveData()
        tape = np.zeros(0 if self.sink is None and record is None else TAPE)
        self.incumbent = IncumbentWalker(self, self.books.walk(box, data, self.best, tape), follow=True)

    def lend(self, limit: int, share: float = 1.0) -> IncumbentWalker:
        """Lend at most `limit` evaluations and this share of the seconds and of the cost in the budget.

        No allowance is larger than what the budget has left.
        """
        self.open_allowance(limit, share)
        return self.incumbent

    def branch(self, x: Vector, y: float, *, follow: bool = True) -> Walker:
        """Begin a walk around a point of its own; it shares the books and the problem's data with all others."""
        walk = self.incumbent.walk
        own = replace(
            walk,
            x=x.copy(),
            y=np.full(1, y),
            memory=aligned_zeros(walk.memory.size),
            coordinate=np.zeros(1, dtype=np.int64),
            value=np.zeros(1),
        )
        return self.walker(own, follow=follow)

    def walker(self, walk: Walk, *, follow: bool) -> Walker:
        """Return the walker of a walk."""
        walker = Walker(self, walk, follow=follow)
        if self.record is not None:
            self._positions.add(walker.position)
        return walker

    def look_ahead(self, position: Position, chains: Sequence[Chain]) -> None:
        """Let workers begin what comes after the next batch, unless evaluations have a price."""
        if isinstance(self._plain, WorkersEngine) and self.budget.cost is None:
            self._plain.look_ahead(position, chains)

    def forget_preparations(self) -> None:
        """Let the objective prepare its moves anew wherever it is next asked, as it must after a resume.

        Without this, moves that add up rounding errors would give other values in a resumed run.
        """
        if self.engine.moving:
            for position in (self.incumbent.position, *self._positions):
                position.prepared = False

    def note_tape(self, before: int, done: int) -> None:
        """Hand on the values that a compiled kernel has written."""
        if not done or (self.sink is None and self.record is None):
            return
        tape = self.incumbent.walk.tape
        values = tape[np.arange(before, before + done) % tape.size]
        if self.sink is not None:
            self.sink.write(values, None)
        self.note_values(values)

    def note_values(self, values: Vector) -> None:
        """Write values of a compiled kernel into the journal."""
        if self.record is not None and len(values):
            self.record.write(values, None, None, self.clock.elapsed)
            if self.clock.frozen:
                self.clock.freeze(self.record.elapsed)

    def begin_at(self, x: Vector) -> None:
        """Take the first point for the incumbent, so that there is one to return, whatever its value."""
        self.best[:] = x
        self.has_point = True
        self.incumbent.begin_at(x, math.inf)

    # Failures

    def look_into_probes(self, before: int, limit: int) -> None:
        """Take over the exceptions of a compiled kernel's probes."""
        if self.stopped is None:
            self.books.ledger[LIMIT] = limit
        self.fail(failures_noted(self.books.ledger), range(before + 1, self.count + 1))

    def look_into(self, outcome: Outcome, first: int) -> None:
        """Deal with the failures of a batch, after its good values were booked."""
        if outcome.mistake is not None:
            self.stop(StopReason.ERROR)
            raise outcome.mistake
        if not (outcome.failures or self.books.ledger[RAISED] or self.failures.in_a_row):
            return
        found = [*outcome.failures, *failures_noted(self.books.ledger)]
        failures = [Failure(first + f.evaluation + 1, f.error, f.traceback) for f in found]
        self.fail(failures, range(first + 1, first + len(outcome.values) + 1))

    def count_rows(self, n: int) -> int:
        """Count evaluations that are about to be made; return how many there were before."""
        first = self.count
        self.books.ledger[COUNT] = first + n
        return first

    def full_value(self) -> float | None:
        """Evaluate the best point in full once more, counted, with nothing booked; None if that raised."""
        first = self.count_rows(1)
        outcome = self._plain.rows(Position(self.incumbent.walk), self.x[None, :], lambda cost: True)
        self.charge_cost(outcome.costs, 1)
        self.write(float(outcome.values[0]), outcome.costs)
        failures = [Failure(first + 1, f.error, f.traceback) for f in outcome.failures]
        self.failures.note(failures, range(first + 1, first + 2))
        return None if failures else float(outcome.values[0])

    def write(self, y: float, costs: Vector | None) -> None:
        """Give one value to the sink."""
        if self.sink is not None:
            self.sink.write(np.array([y]), costs)
