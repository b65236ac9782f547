"""A solver that can be paused in the middle of a call of its function, and goes on later.

The solver runs on a stack of its own (a greenlet). When it calls its function, control goes back to whoever runs it,
with the point; when the value is known, control returns to the solver. Between two calls it may wait for as long as one
likes, with all it has learnt.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable
from typing import Any

import numpy as np
from greenlet import GreenletExit, getcurrent, greenlet

from ter.core.box import Box, Vector
from ter.core.errors import InvalidArgument
from ter.heuristics.global_generator import GlobalGenerator

__all__ = ["PausedSolver"]


class PausedSolver:
    """A solver under way, waiting for the value of a point.

    A copy of it, or one that was saved and read again, knows the values told so far. It begins anew when it is asked to
    go on, and is told these: a solver that does the same with the same values is then where it was.

    Parameters
    ----------
    solver : callable ``solver(fun, x0, bounds)``, with `rng` if that is wanted
        It may call `fun` from the thread in which it was started only.
    x0 : array
        Where it starts.
    box : Box
        Handed over as SciPy's bounds.
    seed : int
        Of its generator, and of NumPy's global one while it runs.
    takes_rng : bool
        Whether it wants a generator.
    gradient : bool
        Whether `fun` returns the value and the gradient.

    Attributes
    ----------
    generator : GlobalGenerator
        To be in place whenever the solver goes on.

    Examples
    --------
    >>> def twice(fun, x0, bounds):
    ...     fun(x0 + fun(x0))
    >>> solver = PausedSolver(twice, np.zeros(2), Box([0, 0], [9, 9]), seed=1, takes_rng=False)
    >>> solver.point
    array([0., 0.])
    >>> solver.tell(3.0)
    >>> solver.point
    array([3., 3.])
    >>> solver.tell(1.0)
    >>> solver.point is None
    True
    """

    def __init__(
        self,
        solver: Callable[..., Any],
        x0: Vector,
        box: Box,
        *,
        seed: int,
        takes_rng: bool = False,
        gradient: bool = False,
    ) -> None:
        self._solver, self._x0, self._box = solver, x0, box
        self._seed, self._takes_rng, self._gradient = seed, takes_rng, gradient
        self._rng = np.random.default_rng(seed)
        self.generator = GlobalGenerator(self._rng)
        self._told = array("d")
        self._point: Vector | None = None
        self._stack: greenlet | None = None
        self._closed = False
        self._misused: InvalidArgument | None = None  # told to the user even if the solver hides it

    @property
    def point(self) -> Vector | None:
        """The point whose value the solver waits for; None when it has returned."""
        self.begin()
        return self._point

    def begin(self) -> None:
        """Start the solver, or bring it to where it was, if that was not done yet."""
        if self._stack is None:
            self._begin()

    def tell(self, y: float, gradient: Vector | None = None) -> None:
        """Tell the value of `point`, and the gradient there if that is wanted; the solver goes on to its next point."""
        if self.point is not None:
            answer = array("d", [y] if gradient is None else [y, *gradient])
            self._told.extend(answer)
            self._switch(answer)

    def close(self) -> None:
        """End the solver where it is; its own ``finally`` blocks run."""
        if self._stack is not None and not self._stack.dead:
            self._closed = True
            self._stack.parent = getcurrent()
            with self.generator:
                self._stack.throw(GreenletExit)

    def __reduce__(self) -> Any:
        """Leave the stack behind."""
        settings = {"seed": self._seed, "takes_rng": self._takes_rng, "gradient": self._gradient}
        return _restored, (self._solver, self._x0, self._box, settings, self._told)

    @classmethod
    def restored(cls, kept: list[Any]) -> PausedSolver:
        """Return a solver that was taken apart by ``__reduce__``."""
        return _restored(*kept)

    def _begin(self) -> None:
        self._thread = threading.get_ident()
        self._stack = greenlet(self._solve)
        self._switch(self._rng)
        width = 1 + self._gradient * self._box.dimension
        for k in range(0, len(self._told), width):
            self._switch(self._told[k : k + width])

    def _switch(self, value: Any) -> None:
        """Let the solver go on until its next call, or to its end."""
        if self._stack is None or self._stack.dead:
            return
        self._stack.parent = getcurrent()
        try:
            self._point = self._stack.switch(value)
        except Exception as error:
            if self._misused is not None and error is not self._misused:
                raise self._misused from error
            raise
        if self._misused is not None:
            raise self._misused

    def _solve(self, rng: np.random.Generator) -> None:
        from scipy.optimize import Bounds

        bounds = Bounds(self._box.lower.copy(), self._box.upper.copy())
        options = {"rng": rng} if self._takes_rng else {}
        self._solver(self._fun, self._x0.copy(), bounds, **options)

    def _fun(self, x: Any) -> float | tuple[float, Vector]:
        """Return the value of a point, with the gradient if that is wanted: the function that the solver calls."""
        point = np.array(x, dtype=np.float64).ravel()
        if point.size != self._box.dimension:
            raise InvalidArgument(f"fun takes a point of {self._box.dimension} variables, got {point.size}")
        if threading.get_ident() != self._thread or getcurrent() is not self._stack:
            self._misused = InvalidArgument(
                "a wrapped solver must call fun from the thread in which it was started, got a call from another one; "
                "run the solver with one worker, and pass workers=... to ter.minimize"
            )
            raise self._misused
        answer = self._stack.parent.switch(point)
        while self._closed:  # a solver that will not end waits for ever
            self._stack.parent.switch(None)
        return (answer[0], np.array(answer[1:])) if self._gradient else answer[0]


def _restored(
    solver: Callable[..., Any], x0: Vector, box: Box, settings: dict[str, Any], told: array[float]
) -> PausedSolver:
    restored = PausedSolver(solver, x0, box, **settings)
    restored._told = array("d", told)
    return restored
