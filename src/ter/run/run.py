"""One run: the parts put together, and the result at any time."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ter.checkpoint.frames import CheckpointError
from ter.core.action import Action
from ter.core.box import Box
from ter.core.budget import Budget
from ter.core.errors import Aborted, AllowanceSpent, InvalidArgument, attributes_of
from ter.core.problem import Problem
from ter.core.profile import Profile
from ter.core.stop import StopReason
from ter.core.streams import RandomSource, root_seed, stream
from ter.core.values import real_array
from ter.display.compiling import announced
from ter.display.result import Result
from ter.engines.choose import OpenedEngine
from ter.engines.engine import Engine
from ter.run.checkpointing import Checkpointing
from ter.run.confirm import full_value, told_the_truth
from ter.run.durable import Checkpoint, Opened, open_checkpoint
from ter.run.evaluator import Evaluator
from ter.run.interrupts import Interrupts
from ter.run.loop import run_loop
from ter.run.settings import Settings
from ter.run.start import look_around, start_points
from ter.run.warm import warm_up

__all__ = ["Run", "read_points", "run_profile"]


def read_points(x0: ArrayLike | None, box: Box) -> NDArray[np.float64] | None:
    """Check the points to start from."""
    if x0 is None:
        return None
    read = real_array(x0)
    if read is None:
        raise InvalidArgument(f"x0 must hold numbers, got {x0!r}")
    points = np.atleast_2d(read)
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
    checkpoint: Checkpoint | None = None,
) -> Result:
    """Run a profile on a problem; what :func:`minimize` and the algorithms share."""
    points = read_points(x0, problem.box)
    lets_out = settings.on_error == "raise"
    with OpenedEngine(problem, workers, stop_at_failure=lets_out, evaluation_timeout=settings.timeout) as engine:
        with announced(progress) as compiling:  # before the run, so that it does not count as time of the run
            warm_up(engine, profile.heuristics)
        opened = None
        if checkpoint is not None:
            opened = open_checkpoint(checkpoint, problem, profile, budget, settings, points, rng)
        seed = root_seed(rng) if opened is None else opened.seed
        run = Run(problem, profile, budget, settings, engine, seed, progress=progress, opened=opened)
        run.compile_seconds = compiling.seconds
        return run.go(points)


class Run:
    """One run: the parts, and the result at any time."""

    def __init__(
        self,
        problem: Problem,
        profile: Profile,
        budget: Budget,
        settings: Settings,
        engine: Engine,
        seed: int,
        *,
        progress: bool = False,
        opened: Opened | None = None,
    ) -> None:
        self.problem = problem
        self.profile = profile
        self.budget = budget
        self.settings = settings
        self.seed = seed
        self.actions: list[Action] = []
        self.acting = ""  # the heuristic whose turn it is
        self.compile_seconds = 0.0
        self._box = problem.box if settings.step is None else problem.box.within(settings.step)
        self._planned = budget if opened is None else opened.planned
        self._record = None if opened is None else opened.record
        self.names = tuple(h.name for h in profile.heuristics)
        check = getattr(profile.scheduler, "check", None)
        if check is not None:
            check(self.names)
        self._display = _display(self, problem, budget) if progress else None
        watched = self._display is not None or settings.callback is not None or opened is not None
        self.evaluator = Evaluator(
            problem.box,
            engine,
            budget,
            settings,
            observer=self._tell if watched else None,
            observe_every=0.2 if self._display is not None else 1.0,
            record=self._record,
        )
        self._checkpoint = None if opened is None else Checkpointing(self.evaluator, opened.record, opened.forms)

    def go(self, points: NDArray[np.float64] | None) -> Result:
        """Run to the end; whatever ends it before carries the result so far, but for the second Ctrl-C."""
        try:
            reason = self._go(points)
        except Aborted:
            if self._record is not None:
                self._record.abandon()
            raise
        except BaseException:  # it comes out, whatever the disk says
            with suppress(CheckpointError):
                self._close(StopReason.ERROR)
            raise
        self._close(reason)
        full = full_value(self.evaluator, reason)
        return told_the_truth(self.result(reason), full)

    def _close(self, reason: StopReason) -> None:
        if self._record is not None:
            try:
                self._record.close(reason.name)
            except CheckpointError as error:
                attributes_of(error)["ter_result"] = self.result(reason)
                raise

    def _go(self, points: NDArray[np.float64] | None) -> StopReason:
        if self.settings.step is not None and points is None:
            step = self.settings.step
            raise InvalidArgument(f"step says how far from x0 the answer may be, got step={step!r} without x0")
        with Interrupts(self.evaluator.interrupt):
            try:
                if self._display is not None:
                    self._display.open()
                if self._record is None or self._record.state is None:  # else it has begun already
                    self._begin(points)
                return run_loop(
                    self.evaluator,
                    self.profile.heuristics,
                    self.profile.scheduler,
                    self.seed,
                    actions=self.actions,
                    share=self.profile.share,
                    checkpoint=self._checkpoint,
                    on_choice=self._chosen,
                    on_action=self._tell,
                )
            except Aborted:
                raise
            except BaseException as error:
                interrupted = issubclass(type(error), KeyboardInterrupt)  # isinstance would ask it for its class
                so_far = self.result(StopReason.INTERRUPTED if interrupted else StopReason.ERROR)
                # Not the exception's own way to set attributes, which may refuse (a frozen dataclass).
                attributes_of(error)["ter_result"] = so_far
                raise
            finally:
                if self._display is not None:
                    self._display.close()

    def _begin(self, points: NDArray[np.float64] | None) -> None:
        """Evaluate the first points, and find the scale to search on."""
        with suppress(AllowanceSpent):
            start_points(self.evaluator, points, self.profile.start_points, stream(self.seed, "start"))
            self._choose_scale(points is not None)

    def _choose_scale(self, given: bool) -> None:
        """Search on the scale that the user names, or on one that a look around the given start shows."""
        if self._box is not self.problem.box:
            self.evaluator.box = self._box
        elif given and self.profile.looks_around:
            self.evaluator.box = look_around(self.evaluator, self._planned, stream(self.seed, "look around"))

    def result(self, reason: StopReason) -> Result:
        """Build the result from what is known now."""
        evaluator = self.evaluator
        found = math.isfinite(evaluator.y)
        planned = reason.success and found
        target = self.settings.target
        missed = planned and target is not None and evaluator.y > target and reason is not StopReason.RUNNING
        message = reason.message if found else f"{reason.message}; no evaluation gave a finite value"
        if missed:
            message = f"{message}; the target {target:g} was not reached"
        return Result(
            x=evaluator.x,
            fun=evaluator.y,
            nfev=evaluator.count,
            nit=len(self.actions),
            success=planned and not missed,
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
            workers_idle=getattr(evaluator.engine, "idle_because", ""),
            seed=self.seed,
            problem=self.problem.name,
            box=self.problem.box,
            compile_seconds=self.compile_seconds,
        )

    def _chosen(self, name: str, probabilities: tuple[float, ...]) -> None:
        self.acting = name
        if self._display is not None:
            self._display.choice(name, probabilities)

    def _tell(self) -> bool:
        if self._record is not None:
            if self._record.replaying:  # whoever looks has seen that
                return False
            if self._record.folder.stop_wanted:
                self._record.folder.forget_stop()
                self.evaluator.interrupt()
        if self._display is not None:
            self._display.update()
        if self.settings.callback is None:
            return False
        try:
            return bool(self.settings.callback(self.result(StopReason.RUNNING)))
        except StopIteration:
            return True


def _display(run: Run, problem: Problem, budget: Budget) -> Any:
    from ter.display.progress import LiveDisplay

    return LiveDisplay(run, problem, budget)
