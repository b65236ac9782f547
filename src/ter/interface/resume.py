"""``ter.resume``: go on with a run that has a checkpoint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ter.algorithms.forms import checkpoint_in, kept_forms
from ter.checkpoint.folder import Folder
from ter.checkpoint.frames import CheckpointError
from ter.checkpoint.journal import budget_of
from ter.core.budget import Budget, BudgetLike
from ter.core.errors import InvalidArgument
from ter.core.problem import Problem, as_problem
from ter.core.profile import Profile
from ter.display.result import Result
from ter.display.texts import plain_text
from ter.run.run import run_profile
from ter.run.settings import Callback, Settings

__all__ = ["Kept", "kept_run", "problem_of", "resume"]


@dataclass(frozen=True)
class Kept:
    """What a checkpoint says about how its run was started."""

    manifest: dict[str, Any]
    arguments: dict[str, Any]
    profile: Profile
    budget: Budget

    def settings(self, callback: Callback | None = None, evaluation_timeout: float | str | None = None) -> Settings:
        """Return when to stop and whom to tell."""
        names = ("target", "stagnation", "on_error", "max_failures", "step")
        kept = {name: self.arguments[name] for name in names}
        return Settings(**kept, evaluation_timeout=evaluation_timeout, callback=callback)


def resume(
    folder: str | Path,
    fun: Callable[..., Any] | Problem | None = None,
    *,
    budget: BudgetLike | None = None,
    workers: Any = 1,
    evaluation_timeout: float | str | None = None,
    callback: Callback | None = None,
    progress: bool = False,
) -> Result:
    """Go on with a run that was begun with ``checkpoint=folder``, bit for bit as if nothing had happened.

    Parameters
    ----------
    folder : path
        The checkpoint.
    fun : callable or Problem, optional
        The objective of the run. It may be left out for problems that :func:`ter.problem` knows; nothing that a file
        names is imported. If the run had `args`, pass a function that has them.
    budget : int, float, str or Budget, optional
        A larger budget; by default that of the run. What was spent counts.
    workers, evaluation_timeout, callback, progress
        As for :func:`ter.minimize`.

    Returns
    -------
    Result
        That of the whole run.

    Raises
    ------
    CheckpointError
        If the folder holds no run, another process writes to it, it is damaged, or something that decides about the
        run has changed: the function's name or arguments, the bounds, versions, the code of this package.

    Notes
    -----
    Calling :func:`ter.minimize` again with the same arguments and the same `checkpoint` goes on, too. A run whose
    portfolio holds an object of one's own (a wrapped solver, for example) is continued in that way only.

    Examples
    --------
    >>> import tempfile, ter
    >>> folder = tempfile.mkdtemp()
    >>> def sphere(x):
    ...     return float((x**2).sum())
    >>> first = ter.minimize(sphere, ter.box(-5, 5, dimension=5), budget=500, rng=1, checkpoint=folder)
    >>> whole = ter.resume(folder, sphere, budget=1_000)
    >>> first.nfev, whole.nfev, whole.fun < first.fun
    (500, 1000, True)
    """
    kept = kept_run(folder)
    if kept.manifest["kind"] != "minimize":
        raise CheckpointError(
            f"a run of ter.Optimizer must go on with ter.Optimizer.resume(folder), got {str(folder)!r} for ter.resume"
        )
    problem = problem_of(kept, fun)
    return run_profile(
        problem,
        kept.profile,
        kept.budget if budget is None else Budget.read(budget),
        kept.settings(callback, evaluation_timeout),
        x0=kept.arguments["x0"],
        rng=int(kept.manifest["seed"]),
        workers=workers,
        progress=progress,
        checkpoint=checkpoint_in(folder),
    )


def kept_run(folder: str | Path) -> Kept:
    """Read how the run in a folder was started."""
    place = Folder(folder)
    manifest = place.manifest()
    arguments = place.arguments(kept_forms())
    if arguments["profile"] is None:
        raise CheckpointError(
            "the portfolio of a run must be made of what this package brings to be read from a file, got "
            f"{plain_text(', '.join(manifest['heuristics']))}; call ter.minimize again with the same arguments and "
            f"checkpoint={str(folder)!r}"
        )
    known, _, _ = place.known(manifest["run"])
    return Kept(manifest, arguments, arguments["profile"], known.budget or budget_of(manifest["budget"]))


def problem_of(kept: Kept, fun: Any) -> Problem:
    """Return the problem of a run: what was passed, or one that this package knows."""
    if isinstance(fun, Problem):
        return fun
    if fun is not None:
        return as_problem(fun, kept.arguments["box"], vectorized=bool(kept.manifest["vectorized"]))
    name = str(kept.manifest["objective"])
    if not kept.manifest["built_in"]:
        raise InvalidArgument(
            f"fun must be passed, since nothing that a file names is imported, got none for {plain_text(name)!r}; "
            "pass the function that began the run"
        )
    from ter.problems import problem

    return problem(name, dimension=int(kept.manifest["dimension"]))
