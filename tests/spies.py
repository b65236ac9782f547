"""One objective on every engine, with the same bits on each, that notes what it was called with.

The value is the sum, in the order of the coordinates, of ``d*d + 0.1*|d|`` with ``d = x[i] - center(i)``. It uses only
operations that are rounded the same way everywhere. Compiled objectives are built once per process, since it takes a
while to compile their functions; their data arrays are reset instead.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np

import ter
from ter.core.box import Box

ROOM = 64  # the largest dimension

# Fields of the compiled objective's integers and, behind the bounds, of its floats.
CALLS, OUTSIDE = 0, 1
RAISE_BELOW, NAN_ABOVE, LOWEST = 2 * ROOM, 2 * ROOM + 1, 2 * ROOM + 2

ENGINES = ("python", "vectorized", "moving", "numba", "compiled", "compiled moving")


def center(i: int) -> float:
    return 0.25 * (i % 5) + 0.125


class Spy:
    """The objective for the Python engine; keeps the count and a note of points outside the box."""

    def __init__(self, box: Box, raise_below: float = -math.inf, nan_above: float = math.inf) -> None:
        self.lower, self.upper = box.lower.tolist(), box.upper.tolist()
        self.raise_below, self.nan_above = raise_below, nan_above
        self.calls = 0
        self.lowest = math.inf  # the least finite value returned so far
        self.outside: list[Any] = []

    def note(self, x: np.ndarray) -> list[float]:
        self.calls += 1
        point: list[float] = x.tolist()
        inside = all(low <= v <= high for low, v, high in zip(self.lower, point, self.upper, strict=True))
        if not inside:
            self.outside.append(point)
        return point

    def value(self, point: list[float]) -> float:
        if point[0] < self.raise_below:
            raise ValueError("the simulator broke")
        total = 0.0
        for i, v in enumerate(point):
            d = v - center(i)
            total += d * d + 0.1 * abs(d)
        return self.returned(point, total)

    def returned(self, point: list[float], total: float) -> float:
        if point[0] > self.nan_above:
            return math.nan
        self.lowest = min(self.lowest, total)
        return total

    def __call__(self, x: np.ndarray) -> float:
        return self.value(self.note(x))


class RowsSpy(Spy):
    """The same for the vectorized engine: one row after the other would be Python, so columns are summed in order."""

    def __call__(self, X: np.ndarray) -> Any:
        for row in X:
            self.note(row)
        if (X[:, 0] < self.raise_below).any():
            raise ValueError("the simulator broke")
        total = np.zeros(len(X))
        with np.errstate(over="ignore"):
            for i in range(X.shape[1]):
                d = X[:, i] - center(i)
                total += d * d + 0.1 * abs(d)
        return np.array([self.returned(point, y) for point, y in zip(X.tolist(), total.tolist(), strict=True)])


class MovingSpy(Spy):
    """The same with incremental moves in Python: the base is the point and its terms."""

    def start(self, x: np.ndarray) -> tuple[np.ndarray, list[float]]:
        return x, [self.term(i, v) for i, v in enumerate(x.tolist())]

    def term(self, i: int, v: float) -> float:
        d = v - center(i)
        return d * d + 0.1 * abs(d)

    def move(self, base: tuple[np.ndarray, list[float]], coordinates: np.ndarray, values: np.ndarray) -> float:
        x, terms = base
        point = x.copy()
        point[coordinates] = values
        self.note(point)
        if point[0] < self.raise_below:
            raise ValueError("the simulator broke")
        moved = list(terms)
        for i, v in zip(coordinates.tolist(), values.tolist(), strict=True):
            moved[i] = self.term(i, v)
        total = 0.0
        for term in moved:
            total += term
        return self.returned(point.tolist(), total)

    def commit(self, base: tuple[np.ndarray, list[float]], coordinates: np.ndarray, values: np.ndarray) -> None:
        x, terms = base
        for i, v in zip(coordinates.tolist(), values.tolist(), strict=True):
            x[i] = v
            terms[i] = self.term(i, v)


@numba.njit(error_model="numpy")
def term(i, v):
    d = v - (0.25 * (i % 5) + 0.125)
    return d * d + 0.1 * abs(d)


@numba.njit(error_model="numpy")
def note(x, floats, ints):
    ints[CALLS] += 1
    for i in range(x.size):
        if not (floats[i] <= x[i] <= floats[ROOM + i]):
            ints[OUTSIDE] += 1
    if x[0] < floats[RAISE_BELOW]:
        raise ValueError("the simulator broke")


@numba.njit(error_model="numpy")
def returned(x, total, floats):
    if x[0] > floats[NAN_ABOVE]:
        return math.nan
    floats[LOWEST] = min(floats[LOWEST], total)
    return total


@numba.njit(error_model="numpy")
def value(x, floats, ints):
    note(x, floats, ints)
    total = 0.0
    for i in range(x.size):
        total += term(i, x[i])
    return returned(x, total, floats)


@numba.njit(error_model="numpy")
def start(x, memory, floats, ints):
    if memory.size < x.size:  # compiled code would write beyond the array without a word
        raise MemoryError("the objective asked for more memory than it got")
    for i in range(x.size):
        memory[i] = term(i, x[i])


@numba.njit(error_model="numpy")
def move(x, memory, floats, ints, coordinates, values):
    point = x.copy()
    for k in range(coordinates.size):
        point[coordinates[k]] = values[k]
    note(point, floats, ints)
    terms = memory[: x.size].copy()
    for k in range(coordinates.size):
        terms[coordinates[k]] = term(coordinates[k], values[k])
    total = 0.0
    for i in range(x.size):
        total += terms[i]
    return returned(point, total, floats)


@numba.njit(error_model="numpy")
def commit(x, memory, floats, ints, coordinates, values):
    if memory.size < x.size:
        raise MemoryError("the objective asked for more memory than it got")
    for k in range(coordinates.size):
        memory[coordinates[k]] = term(coordinates[k], values[k])


@numba.njit(error_model="numpy")
def bowl(x):
    """The objective as a user would write it for Numba: it notes nothing."""
    total = 0.0
    for i in range(x.size):
        total += term(i, x[i])
    return total


_DATA = {"floats": np.zeros(2 * ROOM + 3), "ints": np.zeros(2, dtype=np.int64)}
COMPILED = ter.CompiledObjective(value, **_DATA)
COMPILED_MOVING = ter.CompiledObjective(value, start=start, move=move, commit=commit, memory=ROOM, **_DATA)


class CompiledSpy:
    """A compiled objective, reset, with what it noted."""

    def __init__(self, objective: ter.CompiledObjective, box: Box, raise_below: float, nan_above: float) -> None:
        self.objective = objective
        self._floats, self._ints = objective.data
        floats = self._floats
        floats[: box.dimension], floats[ROOM : ROOM + box.dimension] = box.lower, box.upper
        floats[RAISE_BELOW], floats[NAN_ABOVE], floats[LOWEST] = raise_below, nan_above, math.inf
        self._ints[:] = 0

    @property
    def calls(self) -> int:
        return int(self._ints[CALLS])

    @property
    def lowest(self) -> float:
        return float(self._floats[LOWEST])

    @property
    def outside(self) -> list[int]:
        return [1] * int(self._ints[OUTSIDE])


def spy_on(engine: str, box: Box, raise_below: float = -math.inf, nan_above: float = math.inf) -> Any:
    """Return the objective for an engine, ready to be asked how often it was called."""
    if engine in ("compiled", "compiled moving"):
        objective = COMPILED if engine == "compiled" else COMPILED_MOVING
        return CompiledSpy(objective, box, raise_below, nan_above)
    kind = {"python": Spy, "vectorized": RowsSpy, "moving": MovingSpy}[engine]
    return kind(box, raise_below, nan_above)


def minimize_on(engine: str, box: Box, **options: Any) -> ter.Result:
    """Minimise the objective with one of the engines."""
    if engine == "numba":
        return ter.minimize(bowl, box, **options)
    return minimize_spied(spy_on(engine, box), box, **options)


def minimize_spied(spy: Any, box: Box, **options: Any) -> ter.Result:
    """Minimise what `spy_on` returned."""
    fun = spy.objective if isinstance(spy, CompiledSpy) else spy
    return ter.minimize(fun, box, vectorized=isinstance(spy, RowsSpy), **options)


def same_run(a: ter.Result, b: ter.Result) -> bool:
    """Tell whether two runs agree bit for bit in all that does not depend on the clock."""
    return (
        a.x.tobytes() == b.x.tobytes()
        and np.float64(a.fun).tobytes() == np.float64(b.fun).tobytes()
        and (a.nfev, a.nit, a.status, a.actions) == (b.nfev, b.nit, b.status, b.actions)
        and a.curve.tobytes() == b.curve.tobytes()
    )
