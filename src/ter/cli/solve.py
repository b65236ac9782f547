"""From the options of ``ter run`` to a result."""

from __future__ import annotations

import argparse
from dataclasses import replace

from ter.algorithms import algorithm
from ter.algorithms.forms import checkpoint_in, planned
from ter.algorithms.profiles import with_parts
from ter.cli.files import read_start
from ter.cli.target import problem_of
from ter.core.budget import Budget
from ter.core.errors import EvaluationLost, InvalidArgument, ObjectiveError, TerError
from ter.core.problem import Problem
from ter.core.scheduler import Scheduler
from ter.display.result import Result
from ter.run.run import run_profile
from ter.run.settings import Settings
from ter.schedulers.ter import TER
from ter.user_code import user_traceback

__all__ = ["result_in", "solve"]


def solve(args: argparse.Namespace) -> tuple[Problem, Result, str]:
    """Run what the options ask for.

    Returns
    -------
    Problem, Result, str
        What was solved, the result, and the traceback of the exception that ended the run, else an empty text.

    Raises
    ------
    InvalidArgument
        If an option breaks a rule.
    """
    problem = problem_of(args)
    budget = Budget.read(args.budget)
    names = None if args.heuristics is None else [name.strip() for name in args.heuristics.split(",") if name.strip()]
    profile = with_parts(
        algorithm(args.algorithm).make(problem.dimension, planned(args.checkpoint, budget)), names, args.scheduler
    )
    profile = replace(profile, scheduler=_tuned(profile.scheduler, args))
    settings = Settings(
        target=args.target,
        stagnation=args.stagnation,
        on_error=args.on_error,
        evaluation_timeout=args.evaluation_timeout,
    )
    try:
        result = run_profile(
            problem,
            profile,
            budget,
            settings,
            x0=read_start(args.x0),
            rng=args.seed,
            workers=args.workers,
            progress=not args.quiet,
            checkpoint=checkpoint_in(args.checkpoint),
        )
    except BaseException as error:  # noqa: BLE001 - the function may have called sys.exit
        return problem, *result_in(error)
    return problem, result, ""


def result_in(error: BaseException) -> tuple[Result, str]:
    """Return the result that an exception carries, and its traceback; raise it if it carries none."""
    so_far = getattr(error, "ter_result", None)
    if isinstance(error, TerError) and not isinstance(error, ObjectiveError | EvaluationLost):
        raise error
    if not isinstance(so_far, Result):
        raise error
    return so_far, user_traceback(error)


def _tuned(scheduler: Scheduler, args: argparse.Namespace) -> Scheduler:
    """Return the scheduler with TER's options."""
    given = {key: getattr(args, key) for key in ("temperature", "window", "reward") if getattr(args, key) is not None}
    if not given:
        return scheduler
    if not isinstance(scheduler, TER):
        raise InvalidArgument(
            f"--{next(iter(given))} must go with the scheduler ter, got {type(scheduler).__name__}; leave it out"
        )
    return replace(scheduler, **given)
