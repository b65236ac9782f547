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
from ter.algorithms.profiles import chosen_profile
from ter.checkpoint.frames import CheckpointError
from ter.core.box import BoundsLike, Box, Vector
from ter.core.budget import Budget, BudgetLike
from ter.core.errors import InvalidArgument, ObjectiveError
from ter.core.heuristic import Heuristic
from ter.core.ledger import Integers
from ter.core.problem import Problem
from ter.core.profile import Profile
from ter.core.scheduler import Scheduler
from ter.core.stop import StopReason
from ter.core.streams import RandomSource, root_seed
from ter.display.result import Result
from ter.interface.batch import Batch
from ter.interface.exchange import Exchange
from ter.interface.posted import Posted
from ter.interface.resume import kept_run
from ter.interface.telling import read_ids, read_told
from ter.run.durable import open_checkpoint
from ter.run.run import Run, read_points
from ter.run.settings import Settings

__all__ = ["Optimizer"]


class Optimizer:
    """Minimise with a loop of one's own: ask for points, tell their values.

    The same seed and budget give the same result as :func:`ter.minimize`, bit for bit, in whatever pieces points are
    asked for, and in whatever order their values are told.

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
    A heuristic decides on its next points when it knows all values of the last ones. How many there are at a time is up
    to the heuristic: SHADE and CC want a population, LS1 wants one point. They may be asked for in any pieces, by any
    number of workers, so several batches are outstanding at once. When all are, :meth:`ask` returns an empty batch,
    which is false; it says what is waited for, and why.

    Points that will never be told (a worker died, a job was cancelled) must be given back, see :meth:`give_back`: the
    run cannot go on without a value for each of them.

    All methods may be called by several threads at the same time.

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
        profile = chosen_profile(
            box.dimension, planned(checkpoint, limits), heuristics, scheduler, x0_given=x0 is not None
        )
        settings = Settings(target=target, stagnation=stagnation, step=step, on_error="worst")
        self._start(box, profile, limits, settings, read_points(x0, box), rng, checkpoint)

    @classmethod
    def resume(cls, folder: str | Path, *, budget: BudgetLike | None = None) -> Optimizer:
        """Go on with a run that was begun with ``checkpoint=folder``.

        What was handed out and not told is handed out again, with the same ids; what was told is known. Values that
        still come for points handed out before may be told, too, whether or not these were handed out again: of
        several values for a point the first one counts.

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
        >>> folder, starts = tempfile.mkdtemp(), [[1, 1], [2, 2], [3, 3]]
        >>> with ter.Optimizer(ter.box(-5, 5, dimension=2), budget=100, rng=1, x0=starts, checkpoint=folder) as opt:
        ...     first = opt.ask()
        ...     opt.tell(first.ids[1], 8.0)
        >>> with ter.Optimizer.resume(folder) as opt:
        ...     again = opt.ask()
        >>> first.ids, again.ids, again.X
        (array([0, 1, 2]), array([0, 2]), array([[1., 1.],
               [3., 3.]]))
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
        reopened = opened is not None and opened.reopened
        self._exchange = Exchange(box.dimension, needs_costs=limits.cost is not None, reopened=reopened)
        self._run = Run(problem, profile, limits, settings, self._exchange, seed, opened=opened)
        # The thread must not refer to this object: it ends when this object is forgotten.
        self._thread = threading.Thread(
            target=_work, args=(self._run, points, self._exchange), name="ter.Optimizer", daemon=True
        )
        self._thread.start()
        forgotten = weakref.finalize(self, _shut, self._run, self._exchange)
        forgotten.atexit = False  # at exit the daemon thread simply stops

    def ask(self, max_size: int | None = None, *, wait: bool | float = False) -> Batch:
        """Return points to evaluate that nobody else has: those given back first, then those not handed out yet.

        It waits while the loop decides on points.

        Parameters
        ----------
        max_size : int, optional
            Hand out at most so many; the others come with the next calls.
        wait : bool or float
            What to do if all points that can be evaluated now are handed out. By default, return a batch without
            points at once. With True, wait until other threads have told or given back what they have, so that a
            batch without points means that the run is over; with a number, wait for at most so many seconds.

        Returns
        -------
        Batch
            It is false if it has no points. Then ``batch.over`` tells whether the run is over; if not,
            ``batch.waiting_for`` has the ids whose values are needed first, and ``batch.reason`` says why.

        Raises
        ------
        BaseException
            Whatever ended the loop, if it was not planned; the result so far is in its attribute ``ter_result``.

        Examples
        --------
        >>> import ter
        >>> opt = ter.Optimizer(ter.box(-5, 5, dimension=2), budget=100, rng=1, x0=[[1, 1], [2, 2]])
        >>> first, second, third = opt.ask(1), opt.ask(1), opt.ask(1)
        >>> len(first), len(second), bool(third), third.waiting_for
        (1, 1, False, array([0, 1]))
        >>> third.reason
        'the points to start from must be told before there are more: 2 of them are under way'
        """
        if max_size is not None and (max_size < 1 or max_size != int(max_size)):
            raise InvalidArgument(f"max_size must be a whole number >= 1, got {max_size!r}; leave it out for no limit")
        patience = _read_patience(wait)
        with self._exchange.changed:
            batch = self._exchange.hand_out(None if max_size is None else int(max_size), patience)
            return batch if batch else replace(batch, reason=self._reason(batch))

    def _reason(self, batch: Batch) -> str:
        if batch.over:
            return f"the run is over: {self._exchange.ending().message}"
        n = len(batch.waiting_for)
        whose = f"the points of {self._run.acting}" if self._run.acting else "the points to start from"
        after = "the run ends" if self._exchange.ended else "there are more"
        return f"{whose} must be told before {after}: {n} of them {'is' if n == 1 else 'are'} under way"

    def tell(self, ids: Any, values: Any, costs: Any = None) -> None:
        """Tell the values of points handed out, in any order, one by one or many at a time.

        Parameters
        ----------
        ids : int, sequence of int or Batch
            Of points that were handed out and not told yet.
        values : float, None, Exception, Value, or a sequence of them
            One per id. None and NaN mean that the evaluation failed. So does an exception, which is kept in
            ``result.failures``; a hundred of them in a row end the run.
        costs : float or sequence of float, optional
            What the evaluations cost, in your own unit; :class:`ter.Value` says it, too.

        Raises
        ------
        InvalidArgument
            If an id is unknown or was told before, or the lengths differ; nothing was noted then.

        Notes
        -----
        A second value for a point is a mistake, unless the point was given back, or handed out before the run was
        resumed: then two workers may well have had it. The value that is told first counts, and the second one is
        ignored.
        """
        self._exchange.take(read_told(ids, values, costs))

    def give_back(self, ids: Any) -> None:
        """Give points back that will not be told, because a worker was lost for example; they are handed out again.

        They keep their ids and count as one evaluation each, however often they are handed out. If a value comes for
        one of them all the same, tell it: the first value counts.

        Parameters
        ----------
        ids : int, sequence of int or Batch
            Of points that were handed out. Those that were told stay told, and those that were given back already
            stay so.

        Raises
        ------
        InvalidArgument
            If an id is not of a point that was handed out; nothing was taken back then.

        Examples
        --------
        >>> import ter
        >>> opt = ter.Optimizer(ter.box(-5, 5, dimension=3), budget=100, rng=1)
        >>> lost = opt.ask()
        >>> opt.give_back(lost)
        >>> opt.ask().ids.tolist() == lost.ids.tolist()
        True
        """
        self._exchange.take_back(read_ids(ids))

    @property
    def outstanding(self) -> Integers:
        """Ids of the points that were handed out and neither told nor given back.

        ``opt.give_back(opt.outstanding)`` gives all of them back.
        """
        return self._exchange.outstanding()

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
        """End the run now; points handed out and not told count as failed.

        With a checkpoint they are handed out again when the run is resumed.
        """
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


def _read_patience(wait: Any) -> float:
    """Return for how many seconds to wait."""
    if isinstance(wait, bool):
        return math.inf if wait else 0.0
    if not isinstance(wait, int | float | np.integer | np.floating) or not wait >= 0:
        raise InvalidArgument(f"wait must be True, False or a number of seconds >= 0, got {wait!r}")
    return float(wait)


def _outside(x: Vector) -> float:
    raise ObjectiveError("the objective of an optimizer lives outside; its values are told")


def _with_told(result: Result, posted: Posted) -> Result:
    """Add what was told of the batch under way, of which the loop has counted all rows and knows no value."""
    told = posted.told
    values = np.where(told & np.isfinite(posted.values), posted.values, np.inf)
    row = int(values.argmin())
    if values[row] < result.fun:
        result.fun, result.x = float(values[row]), posted.points(np.array([row]))[0]
    result.nfev += int(np.count_nonzero(told)) - told.size
    result.nonfinite += int(np.count_nonzero(told & ~np.isfinite(posted.values)))
    result.nfail += len(posted.failures)
    result.spent = replace(result.spent, evaluations=result.nfev, cost=result.spent.cost + posted.cost)
    result.success = math.isfinite(result.fun)
    if result.success:
        result.message = StopReason.RUNNING.message
    return result
