"""``ter.check``: look for breaches of the rules that an objective must keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from ter.core.box import BoundsLike
from ter.core.errors import InvalidArgument
from ter.core.problem import Problem, as_problem
from ter.core.streams import RandomSource, root_seed, stream
from ter.engines.choose import choose_engine
from ter.engines.engine import Engine
from ter.objectives.compiled import CompiledObjective
from ter.run.run import read_points
from ter.testing.checked import Checked, Finding
from ter.testing.subject import Subject
from ter.testing.trials import TRIALS, Trial

__all__ = ["check"]

FEWEST = 100  # evaluations


def check(
    fun: Callable[..., Any] | Problem,
    bounds: BoundsLike | None = None,
    *,
    args: Any = (),
    x0: ArrayLike | None = None,
    rng: RandomSource = None,
    vectorized: bool = False,
    evaluations: int = 500,
    tolerance: float = 0.0,
) -> Checked:
    """Try whether an objective keeps the rules that runs rely on, at random points of its box.

    Tried are: that every point has a value, and the same one again; that the argument is left as it is; that rows have
    the same values in blocks of any size; that moves have the values of full evaluations, also after commits and on
    several walks at a time; that compiled code does what its Python source does; and that the objective can be sent to
    workers. What an objective of its kind cannot break is skipped.

    Parameters
    ----------
    fun, bounds, args, x0, rng, vectorized
        As for :func:`ter.minimize`; points given as `x0` are tried, too.
    evaluations : int
        What may be spent, >= 100; it is shared evenly by what is tried. A move counts as one evaluation, and so does a
        call of the Python source of compiled code or of a copy.
    tolerance : float
        Relative difference up to which values of moves and of rows count as equal. By default bits must be.

    Returns
    -------
    Checked
        True if no rule is broken; prints as a table that names the rule, the values seen and the cure.

    Raises
    ------
    InvalidArgument
        If an argument breaks a rule; nothing was evaluated then.

    Examples
    --------
    >>> import ter
    >>> def sphere(x):
    ...     return float((x**2).sum())
    >>> checked = ter.check(sphere, ter.box(-5, 5, dimension=20), rng=1)
    >>> checked.ok
    True
    >>> print(checked)
    sphere: all rules kept
    values     kept      finite at all 125 points
    repeats    kept      62 points had the same values again, in another order
    argument   kept      left as it is
    rows       skipped   it is called point by point
    moves      skipped   it has no moves: no start, move and commit
    commits    skipped   it has no moves: no start, move and commit
    compiled   skipped   it is no Numba function
    workers    kept      its copy had the same values at 62 points
    Python function, 20 variables, 498 evaluations, seed 1
    """
    problem, seed = as_problem(fun, bounds, vectorized=vectorized, args=args, x0=x0), root_seed(rng)
    points = read_points(x0, problem.box)
    if int(evaluations) != evaluations or evaluations < FEWEST:
        raise InvalidArgument(f"evaluations must be a whole number >= {FEWEST}, got {evaluations!r}")
    if not tolerance >= 0:
        raise InvalidArgument(f"tolerance must be a number >= 0, got {tolerance!r}; 0 asks for the same bits")
    engine = choose_engine(problem, stop_at_failure=True)
    share = int(evaluations) // sum(not trial.skipped(problem, engine) for trial in TRIALS)
    findings: list[Finding] = []
    spent = 0
    for number, trial in enumerate(TRIALS):
        subject = Subject(problem, share, stream(seed, "check", number), points)
        findings.append(_tried(trial, subject, tolerance, findings))
        spent += subject.evaluator.count
    return Checked(problem.name, _kind(problem, engine), problem.dimension, spent, seed, tuple(findings))


def _tried(trial: Trial, subject: Subject, tolerance: float, before: list[Finding]) -> Finding:
    if before and before[0].outcome == "broken":
        return Finding(trial.name, trial.rule, "skipped", "not tried, since there are points without a value")
    reason = trial.skipped(subject.problem, subject.engine)
    if reason:
        return Finding(trial.name, trial.rule, "skipped", reason)
    try:
        return trial.run(subject, trial, tolerance)
    except Exception as error:  # noqa: BLE001 - whatever the user's function raises is a finding
        return trial.broken(f"after {subject.evaluator.count} evaluations, {type(error).__name__}: {error}")


def _kind(problem: Problem, engine: Engine) -> str:
    if engine.compiled is None:
        kind = "vectorized function" if problem.vectorized else "Python function"
        return "Python objective with moves" if engine.moving else kind
    kind = "compiled objective" if isinstance(problem.fun, CompiledObjective) else "Numba function"
    return f"{kind} with moves" if engine.moving else kind
