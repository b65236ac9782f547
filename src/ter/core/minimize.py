"""``ter.minimize``: check the arguments, put the parts together, run the loop, return the result."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ter.core.accounts import Accounts
from ter.core.action import Action
from ter.core.box import BoundsLike, Box
from ter.core.budget import Budget, BudgetLike
from ter.core.errors import AllowanceSpent, InvalidArgument
from ter.core.evaluator import Evaluator
from ter.core.failures import OnError
from ter.core.heuristic import Heuristic
from ter.core.interrupts import Interrupts
from ter.core.loop import run_loop, start_points
from ter.core.problem import Problem
from ter.core.result import Result
from ter.core.scheduler import Scheduler
from ter.core.sink import Sink
from ter.core.stop import StopReason
from ter.core.streams import RandomSource, root_seed, stream
from ter.engines.choose import choose_engine
from ter.engines.engine import PythonEngine
from ter.engines.warm import warm_up
from ter.engines.workers import WorkersEngine

if TYPE_CHECKING:
    from ter.profiles import Profile

__all__ = ["Callback", "minimize"]

Callback = Callable[[Result], Any]


def minimize(  # noqa: PLR0913 - the one call that has it all, keyword-only
    fun: Callable[..., Any] | Problem,
    bounds: BoundsLike | None = None,
    *,
    budget: BudgetLike,
    x0: ArrayLike | None = None,
    rng: RandomSource = None,
    heuristics: Sequence[str | Heuristic] | None = None,
    scheduler: Scheduler | str | None = None,
    workers: Any = 1,
    vectorized: bool = False,
    callback: Callback | None = None,
    progress: bool = False,
    target: float | None = None,
    stagnation: int | None = None,
    on_error: OnError = "raise",
    max_failures: int = 100,
) -> Result:
    """Minimise a function of many variables in a box, knowing only its values.

    Parameters
    ----------
    fun : callable or Problem
        The objective: ``fun(x) -> float`` for `x` of shape (D,). A Numba function runs fully compiled; a
        :class:`ter.CompiledObjective` may offer incremental moves. Each call gets a fresh copy of the point. It may
        return :class:`ter.Value` to charge a cost.
    bounds : Box, sequence of pairs, (lower, upper) arrays or scipy.optimize.Bounds
        The box; a :class:`ter.Problem` brings its own.
    budget : int, float, str or Budget
        ``2e5`` means evaluations; ``"10min"`` and ``"1e6 evaluations, 6h"`` are read as written.
    x0 : array_like, optional
        A point, shape (D,), or several, shape (n, D), to start from. By default the start is the best of some
        uniform points. They count as evaluations.
    rng : int, Generator, SeedSequence or None
        The same seed gives the same result, bit for bit.
    heuristics : sequence of names or heuristics, optional
        The portfolio; see ``ter list heuristics``.
    scheduler : Scheduler or name, optional
        Who chooses what to start next; :class:`ter.schedulers.TER` by default.
    workers : int, Executor or map-like callable
        Who evaluates batches: so many processes (-1: one per core), any ``concurrent.futures.Executor``, or a
        callable like ``map``. The result does not depend on it.
    vectorized : bool
        Whether `fun` takes rows of points, shape (n, D), and returns n values.
    callback : callable, optional
        Called with an intermediate result after every action, and about once a second within long ones. Returning
        True or raising StopIteration ends the run.
    progress : bool
        Show a live display.
    target : float, optional
        End the run as soon as a value is at most this.
    stagnation : int, optional
        End the run after so many evaluations without improvement.
    on_error : {"raise", "worst"}
        Let exceptions of `fun` out, with the best result so far in their attribute ``ter_result``; or record them,
        count them as +inf and go on.
    max_failures : int
        With ``"worst"``: end the run after so many exceptions in a row.

    Returns
    -------
    Result
        A ``scipy.optimize.OptimizeResult`` with the best point and the record of the run.

    Raises
    ------
    InvalidArgument
        If an argument breaks a rule; nothing was evaluated then.
    ObjectiveError
        If the objective returns something that is not a number.

    Examples
    --------
    >>> import ter
    >>> def sphere(x):
    ...     return float((x**2).sum())
    >>> result = ter.minimize(sphere, ter.box(-5, 5, dimension=20), budget=20_000, rng=1)
    >>> result.fun < 1e-6, result.nfev
    (True, 20000)
    """
    from ter.profiles import default_profile

    problem = as_problem(fun, bounds, vectorized=vectorized)
    limits = Budget.read(budget)
    profile = default_profile(problem.dimension, limits).with_parts(heuristics, scheduler)
    settings = Settings(
        target=target, stagnation=stagnation, on_error=on_error, max_failures=max_failures, callback=callback
    )
    return run_profile(problem, profile, limits, settings, x0=x0, rng=rng, workers=workers, progress=progress)


@dataclass(frozen=True)
class Settings:
    """When to stop and whom to tell, checked.

    Examples
    --------
    >>> Settings(target=0.0).on_error
    'raise'
    """

    target: float | None = None
    stagnation: int | None = None
    on_error: OnError = "raise"
    max_failures: int = 100
    callback: Callback | None = None
    sink: Sink | None = None

    def __post_init__(self) -> None:
        if self.target is not None and not _is_number(self.target):
            raise InvalidArgument(f"target must be a number, got {self.target!r}; leave it out for no target")
        for name, value in (("stagnation", self.stagnation), ("max_failures", self.max_failures)):
            left_out = value is None and name == "stagnation"
            if not left_out and not (_is_number(value) and value >= 1 and value % 1 == 0):  # type: ignore[operator]
                raise InvalidArgument(f"{name} must be a whole number of evaluations >= 1, got {value!r}")
        if self.on_error not in ("raise", "worst"):
            raise InvalidArgument(f"on_error must be 'raise' or 'worst', got {self.on_error!r}")
        if self.callback is not None and not callable(self.callback):
            raise InvalidArgument(f"callback must be callable, got {type(self.callback).__name__}")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not math.isnan(value)


def as_problem(fun: Any, bounds: BoundsLike | None, *, vectorized: bool) -> Problem:
    """Make a problem of what the user passed."""
    if isinstance(fun, Problem):
        if bounds is not None:
            raise InvalidArgument("bounds must be left out when a problem is passed, since it brings its own")
        return fun
    if not callable(fun):
        raise InvalidArgument(f"fun must be callable, got {type(fun).__name__}; pass the function itself")
    return Problem(fun, Box.read(bounds), name=_name_of(fun), vectorized=vectorized)


def _name_of(fun: Any) -> str:
    name = getattr(fun, "__name__", "")
    return "" if name == "<lambda>" else str(name)


def read_points(x0: ArrayLike | None, box: Box) -> NDArray[np.float64] | None:
    """Check the points to start from."""
    if x0 is None:
        return None
    try:
        points = np.array(x0, dtype=np.float64, ndmin=2)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"x0 must hold numbers, got {x0!r}") from error
    if points.ndim != 2 or points.shape[1] != box.dimension or len(points) == 0:
        raise InvalidArgument(f"x0 must have shape ({box.dimension},) or (n, {box.dimension}), got {np.shape(x0)}")
    outside = np.argwhere(~((points >= box.lower) & (points <= box.upper)))
    if len(outside):
        row, i = (int(index) for index in outside[0])
        raise InvalidArgument(
            f"x0 must lie in the box, got x0[{i}] = {points[row, i]} outside [{box.lower[i]}, {box.upper[i]}]; "
            "move it inside or widen the bounds"
        )
    return points


def run_profile(
    problem: Problem,
    profile: Profile,
    budget: Budget,
    settings: Settings,
    *,
    x0: ArrayLike | None = None,
    rng: RandomSource = None,
    workers: Any = 1,
    progress: bool = False,
) -> Result:
    """Run a profile on a problem; what :func:`minimize` and the algorithms share."""
    from ter.workers.choose import choose_backend

    seed = root_seed(rng)
    points = read_points(x0, problem.box)
    stop_at_failure = settings.on_error == "raise"
    engine = choose_engine(problem, stop_at_failure=stop_at_failure)
    backend = choose_backend(workers)
    if backend is not None:
        home = PythonEngine(problem.fun, stop_at_failure=stop_at_failure) if backend.takes_single_points else engine
        engine = WorkersEngine(problem.fun, home, backend, vectorized=problem.vectorized)
    warm_up(engine, profile.heuristics)  # so that compiling does not count as time of the run
    try:
        run = Run(problem, profile, budget, settings, engine, seed, progress=progress)
        return run.go(points)
    finally:
        if backend is not None:
            backend.close()


class Run:
    """One run: the parts, and the result at any time."""

    def __init__(
        self,
        problem: Problem,
        profile: Profile,
        budget: Budget,
        settings: Settings,
        engine: Any,
        seed: int,
        *,
        progress: bool = False,
    ) -> None:
        self.problem = problem
        self.profile = profile
        self.budget = budget
        self.settings = settings
        self.seed = seed
        self.actions: list[Action] = []
        self.names = tuple(h.name for h in profile.heuristics)
        check = getattr(profile.scheduler, "check", None)
        if check is not None:
            check(self.names)
        self._display = _display(self, problem, budget) if progress else None
        watched = self._display is not None or settings.callback is not None
        self.evaluator = Evaluator(
            problem.box,
            engine,
            budget,
            target=settings.target,
            stagnation=settings.stagnation,
            on_error=settings.on_error,
            max_failures=settings.max_failures,
            sink=settings.sink,
            observer=self._observe if watched else None,
            observe_every=0.2 if self._display is not None else 1.0,
        )

    def go(self, points: NDArray[np.float64] | None) -> Result:
        """Run to the end; exceptions of the objective carry the result so far."""
        with Interrupts(self.evaluator.interrupt):
            try:
                if self._display is not None:
                    self._display.open()
                with suppress(AllowanceSpent):
                    start_points(self.evaluator, points, self.profile.start_points, stream(self.seed, "start"))
                reason = run_loop(
                    self.evaluator,
                    self.profile.heuristics,
                    self.profile.scheduler,
                    self.seed,
                    actions=self.actions,
                    share=self.profile.share,
                    on_choice=self._display.choice if self._display is not None else None,
                    on_action=self._ended,
                )
            except Exception as error:
                error.ter_result = self.result(StopReason.ERROR)  # type: ignore[attr-defined]
                raise
            finally:
                if self._display is not None:
                    self._display.close()
        return self.result(reason)

    def result(self, reason: StopReason) -> Result:
        """Build the result from what is known now."""
        evaluator = self.evaluator
        found = math.isfinite(evaluator.y)
        message = reason.message if found else f"{reason.message}; no evaluation gave a finite value"
        return Result(
            x=evaluator.x,
            fun=evaluator.y,
            nfev=evaluator.count,
            nit=len(self.actions),
            success=reason.success and found,
            status=reason,
            message=message,
            spent=evaluator.spent,
            budget=self.budget,
            actions=tuple(self.actions),
            heuristics=self.names,
            curve=evaluator.curve,
            nonfinite=evaluator.nonfinite,
            nfail=evaluator.failures.count,
            failures=tuple(evaluator.failures.kept),
            workers_busy=getattr(evaluator.engine, "utilisation", None),
            seed=self.seed,
            problem=self.problem.name,
        )

    def _ended(self, action: Action) -> bool:
        return self._tell()

    def _observe(self, accounts: Accounts) -> bool:
        return self._tell()

    def _tell(self) -> bool:
        if self._display is not None:
            self._display.update()
        if self.settings.callback is None:
            return False
        try:
            return bool(self.settings.callback(self.result(StopReason.RUNNING)))
        except StopIteration:
            return True


def _display(run: Run, problem: Problem, budget: Budget) -> Any:
    from ter.report.progress import Display

    return Display(run, problem, budget)
