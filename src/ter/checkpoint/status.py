"""How a run is, read from its checkpoint while it goes on."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ter.checkpoint.folder import Folder
from ter.checkpoint.journal import budget_of
from ter.core.action import Action
from ter.core.box import Vector
from ter.core.budget import Budget, Spent
from ter.display.texts import plain_text

__all__ = ["RunStatus", "status_of"]


@dataclass(frozen=True)
class RunStatus:
    """A run as its checkpoint shows it.

    Attributes
    ----------
    problem, dimension : str, int
        What is solved.
    best : float
        Best value so far; +inf before a finite one.
    spent, budget : Spent, Budget
        What was used, and what may be.
    heuristics, actions : tuple
        The portfolio, and what was started and ended.
    nfev : int
        Evaluations when the last of these ended.
    nonfinite, nfail : int
        Values that were not finite, and evaluations that raised.
    ending : str
        Why it ended; empty if it did not.
    holder : str or None
        Who runs it.
    """

    problem: str
    dimension: int
    best: float
    spent: Spent
    budget: Budget
    heuristics: tuple[str, ...]
    actions: tuple[Action, ...]
    nfev: int
    nonfinite: int
    nfail: int
    ending: str
    holder: str | None

    @property
    def curve(self) -> Vector:
        """No curve is kept."""
        return np.empty((0, 2))

    @property
    def fraction(self) -> float:
        """How much is used of the budget that ends first."""
        units = ("evaluations", "seconds", "cost")
        limits = [(getattr(self.spent, unit), getattr(self.budget, unit)) for unit in units]
        return min(1.0, max(float(used / limit) for used, limit in limits if limit is not None))

    def facts(self) -> dict[str, Any]:
        """Return plain numbers and texts, ready for JSON."""
        return {
            "problem": self.problem,
            "dimension": self.dimension,
            "best": self.best if math.isfinite(self.best) else None,
            "evaluations": self.spent.evaluations,
            "seconds": self.spent.seconds,
            "cost": self.spent.cost,
            "fraction": self.fraction,
            "sequence": [action.heuristic for action in self.actions],
            "nonfinite": self.nonfinite,
            "nfail": self.nfail,
            "ending": self.ending or None,
            "runs_in": self.holder,
        }


def status_of(path: str | Path) -> RunStatus:
    """Read a checkpoint, without a lock; it may be written to in the meantime.

    Raises
    ------
    CheckpointError
        If there is no run in the folder, or it is damaged.
    """
    folder = Folder(path)
    manifest = folder.manifest()
    known, _, _ = folder.known(int(manifest["run"]))
    actions = tuple(replace(action, heuristic=plain_text(action.heuristic)) for action in known.actions)
    told = np.array([each[:2] for each in known.told.values()]).reshape(-1, 2)  # of the batch under way: value, cost
    values = np.concatenate([known.values, told[:, 0]])
    finite = values[np.isfinite(values)]
    seconds = known.times[-1][1] if known.times else 0.0
    return RunStatus(
        problem=str(manifest["objective"]),
        dimension=int(manifest["dimension"]),
        best=float(finite.min()) if finite.size else math.inf,
        spent=Spent(values.size, seconds, float(np.nansum(known.costs) + np.nansum(told[:, 1]))),
        budget=known.budget or budget_of(manifest["budget"]),
        heuristics=tuple(
            dict.fromkeys([plain_text(str(name)) for name in manifest["names"]] + [a.heuristic for a in actions])
        ),
        actions=actions,
        nfev=known.acted,
        nonfinite=values.size - finite.size,
        nfail=len(known.failures),
        ending=known.ending,
        holder=folder.holder(),
    )
