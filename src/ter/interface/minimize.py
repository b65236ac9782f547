"""``ter.minimize``: check the arguments, put the parts together, run the loop, return the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from ter.algorithms.forms import checkpoint_in, planned
from ter.algorithms.profiles import chosen_profile
from ter.core.box import BoundsLike
from ter.core.budget import Budget, BudgetLike
from ter.core.heuristic import Heuristic
from ter.core.problem import Problem, as_problem
from ter.core.scheduler import Scheduler
from ter.core.streams import RandomSource
from ter.display.result import Result
from ter.run.failures import OnError
from ter.run.run import run_profile
from ter.run.settings import Callback, Settings

__all__ = ["minimize"]


def minimize(  # noqa: PLR0913 - the one call that has it all, keyword-only
    fun: Callable[..., Any] | Problem,
    bounds: BoundsLike | None = None,
    *,
    budget: BudgetLike,
    args: Any = (),
    x0: ArrayLike | None = None,
    step: ArrayLike | None = None,
    rng: RandomSource = None,
    heuristics: Sequence[str | Heuristic] | None = None,
    scheduler: Scheduler | str | None = None,
    workers: Any = 1,
    vectorized: bool = False,
    callback: Callback | None = None,
    progress: bool = False,
    checkpoint: str | Path | None = None,
    target: float | None = None,
    stagnation: int | None = None,
    on_error: OnError = "raise",
    max_failures: int = 100,
    evaluation_timeout: float | str | None = None,
) -> Result:
    """Minimise a function of many variables in a box, knowing only its values.

    Parameters
    ----------
    fun : callable or Problem
        The objective: ``fun(x) -> float`` for `x` of shape (D,). A Numba function runs fully compiled; a
        :class:`ter.CompiledObjective` may offer incremental moves. Each call gets a fresh copy of the point. It may
        return :class:`ter.Value` to charge a cost.
    bounds : Box, sequence of pairs, (lower, upper) arrays or scipy.optimize.Bounds
        The box; a :class:`ter.Problem` brings its own. ``Bounds(0, 1)`` is for as many variables as `x0` has.
    budget : int, float, str or Budget
        ``2e5`` means evaluations; ``"10min"`` and ``"1e6 evaluations, 6h"`` are read as written.
    args : tuple
        Further arguments of `fun`, which is called as ``fun(x, *args)``. A Numba function that has some is called
        from Python; write them into the function to have it run fully compiled.
    x0 : array_like, optional
        A point, shape (D,), or several, shape (n, D), to start from. By default the start is the best of some
        uniform points. They count as evaluations.
    step : float or array_like of shape (D,), optional
        How far from `x0` the answer may be, in the units of the variables. The heuristics' first steps and populations
        are of that size. Without it, a few evaluations around `x0` show whether it is close to a minimum.
    rng : int, Generator, SeedSequence or None
        The same seed gives the same result, bit for bit.
    heuristics : sequence of names or heuristics, optional
        The portfolio; see ``ter list heuristics``.
    scheduler : Scheduler or name, optional
        Who chooses what to start next; :class:`ter.schedulers.TER` by default.
    workers : int, Executor, map-like callable, Dask client or str
        Who evaluates: so many processes (-1: one per core), any ``concurrent.futures.Executor``, a callable like
        ``map``, a Dask client, or the address of a Dask scheduler such as ``"tcp://head:8786"``. A process that
        dies is replaced, and its points are evaluated again. The result does not depend on it, unless a `vectorized`
        function rounds by the shape of its argument.
    vectorized : bool
        Whether `fun` takes rows of points, shape (n, D), and returns n values. The value of a row must not depend on
        the others, not even in its last bits as with ``X @ A``: workers get other blocks. :func:`ter.check` tells.
    callback : callable, optional
        Called with an intermediate result after every action, and about once a second within long ones. Returning
        True or raising StopIteration ends the run.
    progress : bool
        Show a live display.
    checkpoint : path, optional
        A folder in which the run is kept while it goes on. After a crash, Ctrl-C or a larger `budget`, the same call
        again, or :func:`ter.resume`, goes on bit for bit.
    target : float, optional
        End the run as soon as a value is at most this. A run that ends before is no success.
    stagnation : int, optional
        End the run after so many evaluations without improvement.
    on_error : {"raise", "worst"}
        Let exceptions of `fun` out, with the best result so far in their attribute ``ter_result``; or record them,
        count them as +inf and go on. ``SystemExit`` and other BaseExceptions end the run in any case, and carry the
        result too.
    max_failures : int
        With ``"worst"``: end the run after so many exceptions in a row.
    evaluation_timeout : float or str, optional
        Seconds that a call of `fun` may take, or a text like ``"30s"``. One that takes longer is killed and counts as
        failed, as if it had raised :class:`ter.EvaluationTimeout`. With ``workers=1``, `fun` then runs in a process
        beside this one, on a Dask cluster in processes beside its workers; executors and maps are refused.

    Returns
    -------
    Result
        A ``scipy.optimize.OptimizeResult`` with the best point and the record of the run.

    Raises
    ------
    InvalidArgument
        If an argument breaks a rule; nothing was evaluated then.
    CheckpointError
        If the folder of the checkpoint is in use, damaged, or holds another run.
    ObjectiveError
        If the objective returns something that is not a number, or raises in a worker what cannot be sent from there.
    EvaluationLost
        If an evaluation ended its worker process three times, or took longer than `evaluation_timeout`.

    Examples
    --------
    >>> import ter
    >>> def sphere(x):
    ...     return float((x**2).sum())
    >>> result = ter.minimize(sphere, ter.box(-5, 5, dimension=20), budget=20_000, rng=1)
    >>> result.fun < 1e-6, result.nfev
    (True, 20000)
    """
    problem = as_problem(fun, bounds, vectorized=vectorized, args=args, x0=x0)
    limits = Budget.read(budget)
    profile = chosen_profile(
        problem.dimension, planned(checkpoint, limits), heuristics, scheduler, x0_given=x0 is not None
    )
    settings = Settings(
        target=target,
        stagnation=stagnation,
        on_error=on_error,
        max_failures=max_failures,
        evaluation_timeout=evaluation_timeout,
        callback=callback,
        step=step,
    )
    return run_profile(
        problem,
        profile,
        limits,
        settings,
        x0=x0,
        rng=rng,
        workers=workers,
        progress=progress,
        checkpoint=checkpoint_in(checkpoint),
    )
