"""``ter.Optimizer``: the loop in a thread, and the user's side of it."""

from __future__ import annotations

import math
import threading
import weakref
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ter.algorithms.forms import checkpoint_in, planned
from ter.algorithms.profiles import default_profile, with_parts
from ter.checkpoint.frames import CheckpointError
from ter.core.box import BoundsLike, Box, Vector
from ter.core.budget import Budget, BudgetLike
from ter.core.errors import InvalidArgument, ObjectiveError
from ter.core.heuristic import Heuristic
from ter.core.problem import Problem
from ter.core.profile import Profile
from ter.core.scheduler import Scheduler
from ter.core.stop import StopReason
from ter.core.streams import RandomSource, root_seed
from ter.display.result import Result
from ter.interface.batch import Batch
from ter.interface.exchange import Exchange, Posted
from ter.interface.resume import kept_run
from ter.interface.telling import read_told
from ter.run.durable import open_checkpoint
from ter.run.run import Run, read_points
from ter.run.settings import Settings

__all__ = ["Optimizer"]


class Optimizer:
    """Minimise with a loop of one's own: ask for points, tell their values.

    The same seed and budget give the same result as :func:`ter.minimize`, bit for bit, in whatever order the values
    of a batch are told.

    Parameters
    ----------
    bounds : Box, sequence of pairs, (lower, upper) arrays or scipy.optimize.Bounds
        The box.
    budget : int, float, str or Budget
        As for :func:`ter.minimize`. Seconds count from here on, the time between ask and tell included; when they
        are over, what was handed out may still be told and nothing more is handed out.
    x0, step, rng, heuristics, scheduler, target, stagnation
        As for :func:`ter.minimize`.
    checkpoint : path, optional
        A folder in which the run is kept; the same call again, or :meth:`resume`, goes on.

    Raises
    ------
    InvalidArgument
        If an argument breaks a rule.

    Notes
    -----
    A heuristic decides on its next batch when it knows all values of the last one. Batches are as large as the
    heuristic makes them: SHADE and CC ask for a population at a time, LS1 for one point.

    The loop runs in a daemon thread. It ends with the run, with :meth:`close`, at the end of a ``with`` block, or when
    the optimizer is no longer referenced; it never keeps the interpreter from exiting.

    Examples
    --------
    >>> import ter
    >>> opt = ter.Optimizer(ter.box(-5, 5, dimension=10), budget=2_000, rng=1)
    >>> while batch := opt.ask():
    ...     opt.tell(batch.ids, (batch.X**2).sum(axis=1))
    >>> opt.result.nfev, opt.result.fun < 1e-3
    (2000, True)
    """

    def __init__(
        self,
        bounds: BoundsLike,
        *,
        budget: BudgetLike,
        x0: ArrayLike | None = None,
        step: ArrayLike | None = None,
        rng: RandomSource = None,
        heuristics: Sequence[str | Heuristic] | None = None,
        scheduler: Scheduler | str | None = None,
        target: float | None = None,
        stagnation: int | None = None,
        checkpoint: str | Path | None = None,
    ) -> None:
        box, limits = Box.read(bounds, x0), Budget.read(budget)
        profile = with_parts(default_profile(box.dimension, planned(checkpoint, limits)), heuristics, scheduler)
        settings = Settings(target=target, stagnation=stagnation, step=step)
        self._start(box, profile, limits, settings, read_points(x0, box), rng, checkpoint)

    @classmethod
    def resume(cls, folder: str | Path, *, budget: BudgetLike | None = None) -> Optimizer:
        """Go on with a run that was begun with ``checkpoint=folder``.

        What was handed out and not told is handed out again, with the same ids; what was told is known.

        Parameters
        ----------
        folder : path
            The checkpoint.
        budget : int, float, str or Budget, optional
            A larger budget; by default that of the run.

        Raises
        ------
        CheckpointError
            As :func:`ter.resume`.

        Examples
        --------
        >>> import tempfile, ter
        >>> folder = tempfile.mkdtemp()
        >>> with ter.Optimizer(ter.box(-5, 5, dimension=3), budget=100, rng=1, checkpoint=folder) as opt:
        ...     first = opt.ask()
        ...     opt.tell(first.ids[:1], [1.0])
        >>> with ter.Optimizer.resume(folder) as opt:
        ...     bool((opt.ask().X == first.X[1:]).all() if len(first) > 1 else True)
        True
        """
        kept = kept_run(folder)
        if kept.manifest["kind"] != "ask":
            raise CheckpointError(f"a run of ter.minimize must go on with ter.resume, got {str(folder)!r}")
        made: Optimizer = object.__new__(cls)
        limits = kept.budget if budget is None else Budget.read(budget)
        seed, points = int(kept.manifest["seed"]), kept.arguments["x0"]
        made._start(kept.arguments["box"], kept.profile, limits, kept.settings(), points, seed, folder)
        return made

    def _start(
        self,
        box: Box,
        profile: Profile,
        limits: Budget,
        settings: Settings,
        points: NDArray[np.float64] | None,
        rng: RandomSource,
        folder: str | Path | None,
    ) -> None:
        problem, checkpoint, opened = Problem(_outside, box), checkpoint_in(folder), None
        if checkpoint is not None:
            opened = open_checkpoint(checkpoint, problem, profile, limits, settings, points, rng, kind="ask")
        seed = root_seed(rng) if opened is None else opened.seed
        self._exchange = Exchange(box.dimension, needs_costs=limits.cost is not None)
        self._run = Run(problem, profile, limits, settings, self._exchange, seed, opened=opened)
        # The thread must not refer to this object: it ends when this object is forgotten.
        self._thread = threading.Thread(
            target=_work, args=(self._run, points, self._exchange), name="ter.Optimizer", daemon=True
        )
        self._thread.start()
        forgotten = weakref.finalize(self, _shut, self._run, self._exchange)
        forgotten.atexit = False  # at exit the daemon thread simply stops

    def ask(self, max_size: int | None = None) -> Batch:
        """Return points to evaluate: those of the batch under way that were not handed out yet.

        Waits until the loop has decided on a batch. A batch without rows is false if the run is over, and true if
        values must be told before there is more to do.

        Parameters
        ----------
        max_size : int, optional
            Hand out at most so many; the others come with the next calls.

        Raises
        ------
        BaseException
            Whatever ended the loop, if it was not planned; the result so far is in its attribute ``ter_result``.
        """
        if max_size is not None and (max_size < 1 or max_size != int(max_size)):
            raise InvalidArgument(f"max_size must be a whole number >= 1, got {max_size!r}; leave it out for no limit")
        return self._exchange.hand_out(None if max_size is None else int(max_size))

    def tell(self, ids: Any, values: Any, costs: Any = None) -> None:
        """Tell the values of points handed out, in any order, one by one or many at a time.

        Parameters
        ----------
        ids : int or sequence of int
            Of points that were handed out and not told yet.
        values : float, None, Value, or a sequence of them
            One per id; None and NaN mean that the evaluation failed.
        costs : float or sequence of float, optional
            What the evaluations cost, in your own unit; :class:`ter.Value` says it, too.

        Raises
        ------
        InvalidArgument
            If an id is unknown or was told before, or the lengths differ; nothing was noted then.
        """
        self._exchange.take(read_told(ids, values, costs))

    @property
    def done(self) -> bool:
        """Whether the run is over; waits while the loop decides what to ask next."""
        return self._exchange.wait() is None

    @property
    def result(self) -> Result:
        """The result: final when the run is over, else what is known now, partly told batches included."""
        with self._exchange.changed:
            posted = self._exchange.wait()
            if posted is None:
                return self._exchange.ending()
            return _with_told(self._run.result(StopReason.RUNNING), posted)

    def close(self) -> None:
        """End the run now; points handed out and not told count as failed."""
        _shut(self._run, self._exchange)
        self._thread.join()

    def __enter__(self) -> Optimizer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _work(run: Run, points: NDArray[np.float64] | None, exchange: Exchange) -> None:
    """Run the loop to its end; this is the thread."""
    try:
        exchange.finish(run.go(points))
    except BaseException as error:  # noqa: BLE001 - it surfaces in the user's thread
        exchange.finish(error)


def _shut(run: Run, exchange: Exchange) -> None:
    """Make the loop end; it may be called twice, and by the garbage collector."""
    run.evaluator.interrupt()
    exchange.close()


def _outside(x: Vector) -> float:
    raise ObjectiveError("the objective of an optimizer lives outside; its values are told")


def _with_told(result: Result, posted: Posted) -> Result:
    """Add what was told of the batch under way, of which the loop has counted all rows and knows no value."""
    values = np.where(posted.told & np.isfinite(posted.values), posted.values, np.inf)
    row = int(values.argmin())
    if values[row] < result.fun:
        result.fun, result.x = float(values[row]), posted.points(row, row + 1)[0]
    result.nfev += posted.n_told - len(posted.values)
    result.nonfinite += int(np.count_nonzero(posted.told & ~np.isfinite(posted.values)))
    result.spent = replace(
        result.spent, evaluations=result.nfev, cost=result.spent.cost + float(np.nansum(posted.costs))
    )
    result.success = math.isfinite(result.fun)
    if result.success:
        result.message = StopReason.RUNNING.message
    return result
