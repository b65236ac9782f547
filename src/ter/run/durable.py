"""Opening a checkpoint: a new run begins, or one that is there goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter.checkpoint.codec import Forms
from ter.checkpoint.folder import Folder
from ter.checkpoint.frames import CheckpointError
from ter.checkpoint.journal import BUDGET, Known, budget_of
from ter.checkpoint.manifest import describe, larger, require_same
from ter.core.budget import Budget
from ter.core.errors import InvalidArgument
from ter.core.problem import Problem
from ter.core.profile import Profile
from ter.core.streams import RandomSource, root_seed
from ter.run.logbook import Logbook
from ter.run.settings import Settings

__all__ = ["Checkpoint", "Opened", "open_checkpoint"]


@dataclass(frozen=True)
class Checkpoint:
    """Where a run is kept.

    Attributes
    ----------
    folder : path
        The folder; it is made if need be.
    forms : callable
        Returns the forms of the states that may be in it.
    """

    folder: str | Path
    forms: Callable[[], Forms]

    def __post_init__(self) -> None:
        if not isinstance(self.folder, str | Path) or not str(self.folder) or "\0" in str(self.folder):
            raise InvalidArgument(f"checkpoint must be the path of a folder, got {self.folder!r}")


@dataclass(frozen=True)
class Opened:
    """An open checkpoint: the record, the run's seed, its first budget, and the one that counts.

    `reopened` means that another process had the run before, and that it does now exactly what it would have done.
    """

    record: Logbook
    forms: Forms
    seed: int
    planned: Budget
    budget: Budget
    reopened: bool = False


def open_checkpoint(
    checkpoint: Checkpoint,
    problem: Problem,
    profile: Profile,
    budget: Budget,
    settings: Settings,
    points: NDArray[np.float64] | None,
    rng: RandomSource,
    kind: str = "minimize",
) -> Opened:
    """Begin a run in a folder, or go on with the one that is there, if it is the same.

    Raises
    ------
    CheckpointError
        If somebody else writes to it, it is damaged, or it is of another run.
    """
    folder, forms = Folder(checkpoint.folder), checkpoint.forms()
    folder.acquire()
    try:
        there = folder.manifest() if folder.exists else None
        seed = int(there["seed"]) if there is not None and rng is None else root_seed(rng)
        arguments = {
            "target": settings.target,
            "stagnation": settings.stagnation,
            "on_error": settings.on_error,
            "max_failures": settings.max_failures,
            "step": settings.step,
        }
        now = describe(problem, profile, budget, arguments, points, seed, kind)
        if there is None:
            kept = {"box": problem.box, "x0": points, "profile": profile, **arguments}
            folder.create({**now, "begun": time.strftime("%Y-%m-%d %H:%M:%S")}, kept, forms)
            return Opened(_record(folder, Known(), None, extended=False), forms, seed, budget, budget)
        require_same(folder.path, there, now)
        return _gone_on(folder, there, budget, forms, seed)
    except BaseException:
        folder.close()
        raise


def _gone_on(folder: Folder, there: dict[str, Any], budget: Budget, forms: Forms, seed: int) -> Opened:
    known, frames, end = folder.known(there["run"])
    planned = budget_of(there["budget"])
    before = known.budget or planned
    raised = larger(before, budget)
    usable = [
        each
        for each in folder.snapshots(there["run"])
        if each.frames <= frames and each.values <= known.count and each.actions <= len(known.actions)
    ]
    snapshot = usable[0] if usable else None
    folder.forget_stop()
    folder.forget_snapshots(None if snapshot is None else snapshot.place)
    folder.go_on(frames, end, known.count, there["run"])
    if raised and folder.journal is not None:
        folder.journal.note(BUDGET, asdict(budget))
    if snapshot is not None:
        known = known.since(snapshot.values, snapshot.actions)
    state = None if snapshot is None else snapshot.state
    # The last action before a budget was raised knew that it would be cut, and may now do other things.
    extended = raised or known.budget is not None
    return Opened(_record(folder, known, state, extended=extended), forms, seed, planned, budget, not extended)


def _record(folder: Folder, known: Known, state: bytes | None, *, extended: bool) -> Logbook:
    if folder.journal is None:
        raise CheckpointError(f"the journal of {str(folder.path)!r} must be open, got none")
    return Logbook(folder, folder.journal, known, state, extended=extended)
