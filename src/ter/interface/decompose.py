"""``ter.decompose``: find out which variables of a function interact."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal, TypeAlias

from ter.core.box import BoundsLike, Box
from ter.core.budget import Budget, BudgetLike
from ter.core.errors import AllowanceSpent, InvalidArgument, UnknownName
from ter.core.problem import Problem, as_problem
from ter.core.stop import StopReason
from ter.decomposition.dg2 import DG2State
from ter.decomposition.rdg3 import RDG3State
from ter.display.decomposition import Decomposition
from ter.engines.choose import OpenedEngine
from ter.run.evaluator import Evaluator
from ter.run.failures import OnError
from ter.run.interrupts import Interrupts
from ter.run.settings import Settings
from ter.run.warm import warm_up

__all__ = ["METHODS", "Method", "decompose"]

Method: TypeAlias = Literal["rdg3", "dg2"]
State: TypeAlias = DG2State | RDG3State

METHODS: tuple[Method, ...] = ("rdg3", "dg2")
LARGEST = 50
PLENTY = 2**62  # evaluations, if the budget names none


def decompose(
    fun: Callable[..., Any] | Problem,
    bounds: BoundsLike | None = None,
    *,
    method: Method = "rdg3",
    budget: BudgetLike | None = None,
    rng: object = None,
    largest: int | None = None,
    args: Any = (),
    workers: Any = 1,
    vectorized: bool = False,
    on_error: OnError = "raise",
    max_failures: int = 100,
    evaluation_timeout: float | str | None = None,
) -> Decomposition:
    """Find out which variables of a function interact, and which can be optimised by themselves.

    Parameters
    ----------
    fun, bounds, args, workers, vectorized, on_error, max_failures, evaluation_timeout
        As for :func:`ter.minimize`.
    method : {"rdg3", "dg2"}
        RDG3 halves sets of variables and takes about D log D evaluations. DG2 looks at every pair, with exactly
        D(D + 1)/2 + 1 evaluations and a number in memory for each pair; it takes at most 20 000 variables.
    budget : int, float, str or Budget, optional
        When to stop before all is known; without it, nothing but Ctrl-C ends it early.
    rng : object
        Not used: neither method draws anything at random, so the same function gives the same answer. It is there for
        calls that are written like those of :func:`ter.minimize`.
    largest : int, optional
        With RDG3: a group of this size is closed, 50 by default, so that groups that overlap are not joined to one.

    Returns
    -------
    Decomposition
        The groups. If it was ended early, what was known by then; `complete` is false.

    Raises
    ------
    InvalidArgument
        If an argument breaks a rule; nothing was evaluated then.

    Notes
    -----
    An exception of `fun` has the decomposition so far in its attribute ``ter_result``.

    Examples
    --------
    >>> import ter
    >>> def chained(x):
    ...     return float(((x[1:4] - x[:3] ** 2) ** 2).sum() + (x[4:] ** 2).sum())
    >>> found = ter.decompose(chained, ter.box(-5, 10, dimension=8))
    >>> [group.tolist() for group in found.groups], found.separable.tolist(), found.nfev
    ([[0, 1, 2, 3]], [4, 5, 6, 7], 46)
    """
    del rng
    problem = as_problem(fun, bounds, vectorized=vectorized, args=args)
    limits = Budget(evaluations=PLENTY) if budget is None else Budget.read(budget)
    settings = Settings(on_error=on_error, max_failures=max_failures, evaluation_timeout=evaluation_timeout)
    if method not in METHODS:
        raise UnknownName.among("method", method, METHODS)
    state = _begun(method, problem.box, largest, together=problem.vectorized or workers != 1)
    lets_out = on_error == "raise"
    with OpenedEngine(problem, workers, stop_at_failure=lets_out, evaluation_timeout=settings.timeout) as engine:
        warm_up(engine, [])
        if engine.compiled is not None:
            state.warm_up()
        evaluator = Evaluator(problem.box, engine, limits, settings)
        with Interrupts(evaluator.interrupt):
            try:
                with suppress(AllowanceSpent):
                    state.go_on(evaluator.lend(PLENTY))
            except Exception as error:
                error.ter_result = _result(problem, method, state, evaluator)  # type: ignore[attr-defined]
                raise
    return _result(problem, method, state, evaluator)


def _begun(method: Method, box: Box, largest: int | None, *, together: bool) -> State:
    if method == "rdg3":
        return RDG3State.begin(box, largest=LARGEST if largest is None else largest, together=together)
    if largest is not None:
        raise InvalidArgument(f"largest must be left out with dg2, which closes no group early, got {largest!r}")
    return DG2State.begin(box, together=together)


def _result(problem: Problem, method: Method, state: State, evaluator: Evaluator) -> Decomposition:
    groups, separable, undecided = state.structure()
    status = None if state.done else evaluator.stopped or StopReason.BUDGET
    return Decomposition(
        groups=groups,
        separable=separable,
        undecided=undecided,
        method=method,
        nfev=evaluator.count,
        thresholds=state.thresholds,
        pairs=state.pairs if isinstance(state, DG2State) else None,
        status=status,
        message=_message(state, status, undecided.size),
        spent=evaluator.spent,
        nonfinite=evaluator.nonfinite,
        problem=problem.name,
        dimension=problem.dimension,
    )


def _message(state: State, status: StopReason | None, undecided: int) -> str:
    if status is StopReason.INTERRUPTED:
        return "interrupted; what was known by then is returned"
    if status is not None:
        return status.message
    if state.base == float("inf"):
        return "the value at the lower bounds is not finite, so nothing can be told"
    return "some values were not finite" if undecided else "every variable was looked at"
