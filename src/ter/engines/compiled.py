"""The engine of compiled objectives: batches and sweeps run compiled."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any

import numba
import numpy as np

from ter._jit import Kernel, entry_of
from ter.core.box import Vector
from ter.core.failure import Failure
from ter.core.ledger import NOTES, REPLACED, Integers, Walk, aligned, take_raised
from ter.core.points import into_box
from ter.engines.calls import Outcome
from ter.engines.engine import GoOn, Matrix, Position
from ter.engines.loops import (
    ACCEPT,
    BATCH,
    OUTSIDE,
    PROBE,
    WALK,
    accept,
    book_batch,
    commit,
    evaluate_moves,
    evaluate_rows,
    probe,
    start,
)
from ter.objectives.addresses import INTEGERS, MATRIX, VECTOR, Addressed, address_of
from ter.objectives.compiled import CompiledObjective
from ter.objectives.noted import exception_at

__all__ = ["CompiledEngine", "Pace", "compile_batches", "compile_sequential", "failures_noted"]

SECONDS_PER_CHUNK = 0.05  # how long a compiled kernel may run before Python looks at the clock and at Ctrl-C


class CompiledEngine:
    """A Numba objective; each loop is compiled, or read from the cache, when it is first asked for."""

    batched = False

    def __init__(self, objective: CompiledObjective) -> None:
        self.objective = objective
        self.pace = Pace()

    @property
    def compiled(self) -> CompiledEngine:
        """This engine itself."""
        return self

    @property
    def moving(self) -> bool:
        """Whether the objective offers moves."""
        return self.objective.incremental

    def value_apart(self, walk: Walk, x: Vector) -> float:
        """Evaluate a point in full; the books and whatever the objective writes into its constants stay as they are."""
        apart = replace(walk, floats=aligned(walk.floats), ints=walk.ints.copy(), ledger=walk.ledger.copy())
        value = np.empty(1)
        self._rows(apart, x[None, :], value)
        return float(value[0])

    # Step by step

    def rows(self, position: Position, X: Matrix, go_on: GoOn) -> Outcome:
        """Evaluate rows in one compiled loop."""
        walk = position.walk
        return self._in_pieces(walk.ledger, len(X), go_on, lambda a, b, out: self._rows(walk, X[a:b], out))

    def moves(self, position: Position, coordinates: Integers, V: Matrix, go_on: GoOn) -> Outcome:
        """Evaluate moves in one compiled loop."""
        self.prepare(position)
        walk = position.walk
        return self._in_pieces(
            walk.ledger, len(V), go_on, lambda a, b, out: self._moves(walk, coordinates, V[a:b], out)
        )

    def probe(self, position: Position, i: int, v: float, go_on: GoOn) -> Any:
        """Call the objective from Python on one moved point."""
        point = position.walk.x.copy()
        point[i] = v
        return self.objective(point)

    def commit(self, position: Position, coordinates: Integers, values: Vector) -> None:
        """Write the move and update the objective's memory."""
        self.prepare(position)
        self._commit(position.walk, coordinates, values)

    def replace(self, position: Position, x: Vector) -> None:
        """Write the walk's point."""
        position.walk.x[:] = x
        position.prepared = False

    def prepare(self, position: Position) -> None:
        """Make sure the objective's memory is that of the walk's point."""
        if not position.prepared:
            self._start(position.walk)
            position.prepared = True

    def _in_pieces(
        self, ledger: Integers, n: int, go_on: GoOn, evaluate: Callable[[int, int, Vector], None]
    ) -> Outcome:
        """Evaluate rows in pieces, with a look at the clock between them."""
        values, done = np.empty(n), 0
        failures: list[Failure] = []
        while done < n and (done == 0 or go_on(0.0)):
            end = min(n, done + self.pace.chunk, done + NOTES)
            with self.pace.measured(end - done):
                evaluate(done, end, values[done:end])
            failures += failures_noted(ledger, done)
            done = end
        return Outcome(values[:done], failures=failures)

    # All in one compiled call

    def book(self, position: Position, coordinates: Integers, rows: Matrix, values: Vector) -> tuple[int, Matrix]:
        """Evaluate and book what the allowance grants of points, or of moves if coordinates are named.

        Returns how many that is, and the rows, moved into the box.
        """
        if coordinates.size:
            self.prepare(position)
        with self.pace.measured(len(rows)):
            done = self._book(position.walk, coordinates, rows, values)
            if done == OUTSIDE:
                rows = _moved_inside(position.walk, coordinates, rows)
                done = self._book(position.walk, coordinates, rows, values)
        _note_replaced(position)
        return done, rows

    def batches(
        self, kernel: Kernel[..., int], coordinates: Integers, rows: Matrix, values: Vector, args: tuple[Any, ...]
    ) -> Callable[[Position], None]:
        """Return a kernel that evaluates batch after batch, compiled."""
        run = self._around_batch.compiled(kernel, (coordinates, rows, values, *args))

        def run_at(position: Position) -> None:
            if coordinates.size:
                self.prepare(position)
            if run(position.walk) == OUTSIDE:
                rows[:] = _moved_inside(position.walk, coordinates, rows)
            _note_replaced(position)

        return run_at

    def sequential(self, kernel: Kernel[..., Any], args: tuple[Any, ...]) -> Callable[[Walk], Any]:
        """Return a kernel that evaluates move after move, compiled."""
        return self._around_moves.compiled(kernel, args)

    # The loops

    def compile(self) -> None:
        """Compile the objective and the loops that every run needs."""
        _ = self.objective.functions, self._start, self._around_moves
        _ = self._rows, self._moves, self._commit, self._book  # the first rows are evaluated step by step

    @cached_property
    def _rows(self) -> Callable[[Walk, Matrix, Vector], None]:
        return entry_of(evaluate_rows, (WALK, MATRIX, VECTOR))

    @cached_property
    def _moves(self) -> Callable[[Walk, Integers, Matrix, Vector], None]:
        return entry_of(evaluate_moves, (WALK, INTEGERS, MATRIX, VECTOR))

    @cached_property
    def _commit(self) -> Callable[[Walk, Integers, Vector], None]:
        return entry_of(commit, (WALK, INTEGERS, VECTOR))

    @cached_property
    def _start(self) -> Callable[[Walk], None]:
        return entry_of(start, (WALK,))

    @cached_property
    def _book(self) -> Callable[[Walk, Integers, Matrix, Vector], int]:
        return entry_of(book_batch, BATCH.signature.args)

    @cached_property
    def _around_batch(self) -> Around:
        return Around([(book_batch, BATCH)])

    @cached_property
    def _around_moves(self) -> Around:
        return Around([(probe, PROBE), (accept, ACCEPT)])


def failures_noted(ledger: Integers, before: int = 0) -> list[Failure]:
    """Return the exceptions that compiled code has noted; `before` is added to their evaluations or rows."""
    return [Failure(before + number, *exception_at(address)) for number, address in take_raised(ledger)]


def _moved_inside(walk: Walk, coordinates: Integers, rows: Matrix) -> Matrix:
    where = coordinates if coordinates.size else slice(None)
    return into_box(rows, walk.lower[where], walk.upper[where], walk.x[where])


def _note_replaced(position: Position) -> None:
    ledger = position.walk.ledger
    if ledger[REPLACED]:
        ledger[REPLACED] = 0
        position.prepared = False


class Around:
    """Kernels around functions of a run; one that ran before is found within a microsecond.

    A kernel is called with these functions first, each of one fixed type. Left to itself, Numba would specialise it
    for each of them, and compile all of these anew whenever it reads its cache.

    Parameters
    ----------
    functions : sequence of (kernel, its type)
        Handed to every kernel.
    """

    def __init__(self, functions: Sequence[tuple[Any, Addressed]]) -> None:
        self._kinds = tuple(kind for _, kind in functions)
        self._addresses = tuple(address_of(function, kind) for function, kind in functions)
        self._known: dict[tuple[Any, ...], Callable[..., Any]] = {}

    def compiled(self, function: Kernel[..., Any], args: tuple[Any, ...]) -> Callable[[Walk], Any]:
        """Compile ``function(*functions, walk, *args)`` and return it as a function of the walk alone."""
        key = (function, *map(_kind, args))
        entry = self._known.get(key)
        if entry is None:
            entry = self._known[key] = _compile_around(self._kinds, function, args)
        return lambda walk: entry(*self._addresses, walk, *args)


def _compile_around(
    kinds: Sequence[Addressed], function: Kernel[..., Any], args: tuple[Any, ...]
) -> Callable[..., Any]:
    types_of_args = (numba.typeof(argument) for argument in args)  # type: ignore[no-untyped-call]
    return entry_of(function, (*kinds, WALK, *types_of_args))


def compile_sequential(function: Kernel[..., Any], args: tuple[Any, ...]) -> None:
    """Compile a kernel that evaluates move after move, for any compiled objective."""
    _compile_around((PROBE, ACCEPT), function, args)


def compile_batches(function: Kernel[..., int], args: tuple[Any, ...]) -> None:
    """Compile a kernel that evaluates batch after batch, for any compiled objective."""
    _compile_around((BATCH,), function, args)


def _kind(argument: Any) -> Any:
    """Return what an argument's Numba type depends on: asking Numba takes longer than a short sweep."""
    if isinstance(argument, np.ndarray):
        return argument.dtype, argument.ndim, argument.flags.num
    if isinstance(argument, bool | float):
        return type(argument)
    return numba.typeof(argument)  # type: ignore[no-untyped-call]


class Pace:
    """Learns how many evaluations may be made before Python looks at the clock and at Ctrl-C again.

    Examples
    --------
    >>> pace = Pace()
    >>> pace.chunk
    1
    >>> pace.learn(done=1_000, seconds=0.1)
    >>> pace.chunk
    500
    """

    def __init__(self) -> None:
        self.chunk = 1  # nobody knows yet how long one takes

    def learn(self, done: int, seconds: float) -> None:
        """Take note of how long the last evaluations took."""
        if done:
            self.chunk = int(max(1, done * min(4.0, SECONDS_PER_CHUNK / max(seconds, 1e-9))))

    @contextmanager
    def measured(self, done: int) -> Iterator[None]:
        """Measure how long so many evaluations take."""
        started = time.perf_counter()
        yield
        self.learn(done, time.perf_counter() - started)
