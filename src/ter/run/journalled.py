"""An engine whose values are written into a journal as they come, and taken from there as long as they are known."""

from __future__ import annotations

import math
import struct
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Vector
from ter.core.errors import ObjectiveError
from ter.core.failure import Failure
from ter.core.ledger import Integers
from ter.core.sending import traceback_of
from ter.core.values import read_costed
from ter.engines.calls import Mistake, Outcome, cost_of, joined
from ter.engines.compiled import CompiledEngine
from ter.engines.engine import Engine, GoOn, Matrix, Position
from ter.engines.python import PythonEngine, VectorizedEngine, single_value
from ter.engines.workers import WorkersEngine
from ter.run.logbook import Logbook

if TYPE_CHECKING:
    from ter.run.evaluator import Evaluator

__all__ = ["JournalledEngine", "Waits", "marks_of"]

Marks = NDArray[np.uint32]
PIECE = 0.25  # seconds of evaluations of a Python function after which their values are written
BLOCK = 1 << 17  # numbers of points that are marked at a time
GOLDEN = 0x9E3779B97F4A7C15
WHOLE = (1 << 64) - 1
TWO_FLOATS, TWO_WORDS = struct.Struct("<dd"), struct.Struct("<QQ")


@runtime_checkable
class Waits(Protocol):
    """An engine whose values come from outside, in any order; see :class:`ter.interface.exchange.Exchange`."""

    @property
    def whole(self) -> bool:
        """Whether every row of the last batch was told: else the run ends, and its points are asked for again."""
        ...

    def begin(
        self, first: int, early: dict[int, tuple[float, float, Failure | None]], told: Callable[..., None]
    ) -> None:
        """Prepare for a batch: the id of its first row, what was told of it before, and who writes down what is."""
        ...


@dataclass
class _Writing:
    """A batch under way: the marks of its points, evaluations before it, and how much of it is written."""

    marks: Marks
    first: int
    written: int = 0
    whole: bool = True  # whether everything that was evaluated is written


class JournalledEngine:
    """Evaluates as another engine does, and keeps a record.

    Parameters
    ----------
    inner : Engine
        Who evaluates.
    record : Logbook
        Who writes.
    evaluator : Evaluator
        Is asked for the time, and told when something was repeated.
    """

    def __init__(self, inner: Engine, record: Logbook, evaluator: Evaluator) -> None:
        self.inner, self._record, self._evaluator = inner, record, evaluator
        self._weights = _weights(evaluator.box.dimension)
        self._own_weights = array("Q", self._weights.tobytes())  # faster for single ones
        self._writing = _Writing(np.empty(0, np.uint32), 0)
        self._workers = inner if isinstance(inner, WorkersEngine) else None
        self._waits = inner if isinstance(inner, Waits) else None
        self._seconds = 0.0  # of the last evaluation
        # How a vectorized function groups its rows may change its last bits, so its batches stay whole.
        self._in_pieces = isinstance(inner, PythonEngine) and not isinstance(inner, VectorizedEngine)

    @property
    def compiled(self) -> CompiledEngine | None:
        """That of the other engine."""
        return self.inner.compiled

    @property
    def moving(self) -> bool:
        """That of the other engine."""
        return self.inner.moving

    @property
    def batched(self) -> bool:
        """That of the other engine."""
        return self.inner.batched

    @property
    def utilisation(self) -> float | None:
        """That of the other engine."""
        return getattr(self.inner, "utilisation", None)

    @property
    def idle_because(self) -> str:
        """That of the other engine."""
        return getattr(self.inner, "idle_because", "")

    def rows(self, position: Position, X: Matrix, go_on: GoOn) -> Outcome:
        """Evaluate rows of points."""
        marks = marks_of(X, self._weights)
        return self._evaluate(len(X), marks, lambda a, b, ask: self.inner.rows(position, X[a:b], ask), go_on)

    def moves(self, position: Position, coordinates: Integers, V: Matrix, go_on: GoOn) -> Outcome:
        """Evaluate moves."""
        marks = marks_of(V, self._weights[coordinates], self._digest_of(position), position.walk.x[coordinates])
        return self._evaluate(
            len(V), marks, lambda a, b, ask: self.inner.moves(position, coordinates, V[a:b], ask), go_on
        )

    def probe(self, position: Position, i: int, v: float, go_on: GoOn) -> Any:
        """Evaluate one move."""
        now, before = TWO_WORDS.unpack(TWO_FLOATS.pack(v, position.walk.x.item(i)))
        digest = position.digest if position.digest is not None else self._digest_of(position)
        mark = ((digest + (now - before) * self._own_weights[i]) & WHOLE) >> 32 or 1
        if self._evaluator.clock.frozen or self._waits:
            marks = np.array([mark], dtype=np.uint32)
            known = self._record.answer(marks) if self._record.replaying else None
            if known is not None:
                self._evaluator.clock.freeze(self._record.elapsed)
                return single_value(known)
            self._prepare(marks)
        first = self._evaluator.count - 1
        try:
            raw = self.inner.probe(position, i, v, go_on)
        except Mistake:
            raise
        except Exception as error:
            self._fail(error, mark, first)
            raise
        try:
            y, costs = (raw, None) if type(raw) is float else read_costed(raw)
        except ObjectiveError as error:
            raise Mistake(error) from None
        if self._waits is not None and not self._waits.whole:
            return raw
        cost = None if costs is None else float(costs[0])
        self._record.write_one(y, cost, mark, self._evaluator.clock.elapsed)
        return raw

    def _fail(self, error: Exception, mark: int, first: int) -> None:
        """Write an exception down, unless it ends the run: then it is met again."""
        if not self._evaluator.failures.lets_out:
            self._record.write_one(math.nan, None, mark, self._evaluator.clock.elapsed)
            self._record.failed([Failure(0, error, traceback_of(error))], first)

    def commit(self, position: Position, coordinates: Integers, values: Vector) -> None:
        """Move the walk's point."""
        if position.digest is not None:
            position.digest = (position.digest + self._change(position.walk.x, coordinates, values)) & WHOLE
        self.inner.commit(position, coordinates, values)

    def replace(self, position: Position, x: Vector) -> None:
        """Make `x` the walk's point."""
        position.digest = None
        self.inner.replace(position, x)

    def _change(self, x: Vector, coordinates: Integers, values: Vector) -> int:
        """Return what a move adds to the digest of a point."""
        if coordinates.size == 1:  # as most are
            i = coordinates.item(0)
            now, before = TWO_WORDS.unpack(TWO_FLOATS.pack(values.item(0), x.item(i)))
            return int((now - before) * self._own_weights[i])
        now, before = _digests(np.stack([values, x[coordinates]]), self._weights[coordinates]).tolist()
        return int(now - before)

    def _digest_of(self, position: Position) -> int:
        """Return the digest of the walk's point: marks of its moves are made of it and of what they change."""
        if position.digest is None:
            position.digest = int(_digests(position.walk.x[None, :], self._weights)[0])
        return position.digest

    def _evaluate(self, n: int, marks: Marks, evaluate: Callable[[int, int, GoOn], Outcome], go_on: GoOn) -> Outcome:
        outcomes: list[Outcome] = []
        known = self._record.answer(marks) if self._record.replaying and self.compiled is None else None
        if known is not None:
            self._evaluator.clock.freeze(self._record.elapsed)
            self._evaluator.go_on()  # the clock may have ended the action then
            outcomes.append(known)
        done = sum(len(each.values) for each in outcomes)
        first = self._evaluator.count - n
        while done < n:
            pending = sum(map(cost_of, outcomes))
            if done and not go_on(pending):
                break
            end = min(n, done + self._piece()) if self._in_pieces else n
            self._prepare(marks[done:end])
            started = time.perf_counter()
            self._writing = _Writing(marks[done:end], first + done)
            self._hear(self._write)
            try:
                outcome = evaluate(done, end, lambda cost, pending=pending: go_on(pending + cost))  # type: ignore[misc]
            finally:
                self._hear(None)
            self._seconds = (time.perf_counter() - started) / max(1, len(outcome.values))
            outcomes.append(outcome)
            if not self._writing.written:  # else it was told block by block
                self._write(outcome)
            done += len(outcome.values)
            if done < end or not self._writing.whole:
                break
        return joined(outcomes)

    def _hear(self, tell: Callable[[Outcome], None] | None) -> None:
        """Have workers tell what they have evaluated as soon as it is known."""
        if self._workers is not None:
            self._workers.tell = tell

    def _piece(self) -> int:
        return max(1, int(PIECE / max(self._seconds, 1e-9))) if self._seconds else 1

    def _good(self, outcome: Outcome) -> int:
        """Return how many values are kept: none from an exception on that ends the run, so that it is met again."""
        lets_out = self._evaluator.failures.lets_out
        ending = [each.evaluation for each in outcome.failures if lets_out or each.fatal]
        if self._waits is not None and not self._waits.whole:
            return 0  # what was told is there already, and the other points are asked for again
        good = len(outcome.values) - (outcome.mistake is not None)
        if outcome.mistake is not None and self._workers is not None:
            good = 0  # a block of a worker goes on after a mistake
        return min([good, *ending])

    def _prepare(self, marks: Marks) -> None:
        if self._waits is not None:
            self._waits.begin(self._record.cursor, self._record.early(marks), self._record.told)

    def _write(self, outcome: Outcome) -> None:
        """Write the next values of the batch under way, up to one that is met again."""
        writing, good = self._writing, self._good(outcome)
        if not writing.whole:
            return
        begin, end = writing.written, writing.written + good
        costs = None if outcome.costs is None else outcome.costs[:good]
        marks = None if self.compiled is not None else writing.marks[begin:end]
        self._record.write(outcome.values[:good], costs, marks, self._evaluator.clock.elapsed)
        self._record.failed([each for each in outcome.failures if each.evaluation < good], writing.first + begin)
        writing.written, writing.whole = end, good == len(outcome.values)


def _weights(dimension: int) -> NDArray[np.uint64]:
    """Return an odd number for each coordinate."""
    with np.errstate(over="ignore"):
        weights: NDArray[np.uint64] = np.arange(1, dimension + 1, dtype=np.uint64) * np.uint64(GOLDEN) | np.uint64(1)
    return weights


def marks_of(V: Matrix, weights: NDArray[np.uint64], digest: int = 0, replaced: Vector | None = None) -> Marks:
    """Return a number for each point that tells it from others: its bits, weighted by their places, added up.

    It is that of the whole point, also if only some coordinates are given: workers may be asked for a batch of moves
    of many coordinates where a run without them asks for one move after the other.

    Parameters
    ----------
    V : array of shape (n, m)
        Points, or what moves replace some coordinates by.
    weights : array of shape (m,)
        Of the coordinates.
    digest : int
        Of the point that moves start from.
    replaced : array of shape (m,), optional
        The coordinates there.

    Examples
    --------
    >>> weights = _weights(2)
    >>> marks = marks_of(np.array([[1.0, 2.0], [2.0, 1.0]]), weights)
    >>> bool(marks[0] == marks[1]), marks.dtype.name
    (False, 'uint32')
    >>> moved = marks_of(np.array([[2.0]]), weights[1:], int(_digests(np.ones((1, 2)), weights)[0]), np.ones(1))
    >>> bool(moved[0] == marks[0])
    True
    """
    sums = _digests(V, weights)
    if replaced is not None:
        with np.errstate(over="ignore"):
            sums += np.uint64(digest & WHOLE) - _digests(replaced[None, :], weights)
    return np.maximum((sums >> np.uint64(32)).astype(np.uint32), np.uint32(1))  # 0 is none


def _digests(V: Matrix, weights: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the bits of each row, weighted by their places and added up."""
    digests, block = np.empty(len(V), dtype=np.uint64), max(1, BLOCK // max(1, V.shape[1]))
    for a in range(0, len(V), block):
        bits = np.ascontiguousarray(V[a : a + block]).view(np.uint64)
        with np.errstate(over="ignore"):
            digests[a : a + block] = (bits * weights).sum(axis=1)
    return digests
