"""What may be in a checkpoint: the classes of this package that states and settings are made of."""

from __future__ import annotations

import pkgutil
from functools import lru_cache
from importlib import import_module
from pathlib import Path

import ter.algorithms
import ter.decomposition
import ter.heuristics
import ter.schedulers
from ter.checkpoint.codec import Forms, StateForm, forms_of
from ter.checkpoint.folder import Folder
from ter.checkpoint.journal import budget_of
from ter.core.budget import Budget
from ter.heuristics.paused import PausedSolver
from ter.heuristics.subspace import Workspace
from ter.run.decisions import Decisions
from ter.run.durable import Checkpoint
from ter.run.portfolio import Portfolio

__all__ = ["checkpoint_in", "kept_forms", "planned"]

CORE = ("action", "allowance", "box", "budget", "pairs", "profile", "scheduler")
FOLDERS = (ter.algorithms, ter.decomposition, ter.heuristics, ter.schedulers)


def checkpoint_in(folder: str | Path | None) -> Checkpoint | None:
    """Return the checkpoint in a folder; None if none is wanted."""
    return None if folder is None else Checkpoint(folder, kept_forms)


def planned(folder: str | Path | None, budget: Budget) -> Budget:
    """Return the budget that a run was planned for: a larger one later does not change its settings."""
    checkpoint = checkpoint_in(folder)
    place = None if checkpoint is None else Folder(checkpoint.folder)
    return budget_of(place.manifest()["budget"]) if place is not None and place.exists else budget


@lru_cache
def kept_forms() -> Forms:
    """Return the forms of all dataclasses and named tuples in the folders above.

    The list depends on this package alone: a checkpoint names classes in it, and nothing else is ever looked up.

    Examples
    --------
    >>> sorted(name for name, _ in kept_forms().values() if "CC" in name)[:2]
    ['ter.heuristics.cc:CC', 'ter.heuristics.cc:CCState']
    """
    names = [f"ter.core.{name}" for name in CORE]
    for folder in FOLDERS:
        names += [f"{folder.__name__}.{module.name}" for module in pkgutil.iter_modules(folder.__path__)]
    found: list[type] = []
    for name in names:
        members = vars(import_module(name)).values()
        found += [each for each in members if isinstance(each, type) and each.__module__ == name]
    return {**forms_of(found), **_special()}


def _special() -> dict[type, tuple[str, StateForm]]:
    """Return the forms of classes that are neither."""
    return {
        PausedSolver: ("solver", StateForm(lambda solver: list(solver.__reduce__()[1]), PausedSolver.restored)),
        Decisions: ("decisions", StateForm(lambda each: list(each.__getstate__()), lambda kept: Decisions(*kept))),
        Workspace: ("workspace", StateForm(lambda each: None, lambda _: Workspace())),
        **forms_of([Portfolio]),
    }
