"""Snapshots: the state of a run at a decision, taken and put back."""

from __future__ import annotations

from typing import Any

import numpy as np

from ter.checkpoint.codec import Forms, StateForm, decode
from ter.checkpoint.frames import CheckpointError
from ter.core.action import Action
from ter.core.allowance import KeptBranch
from ter.core.box import Box
from ter.core.failure import Failure, SavedError
from ter.core.ledger import CURVE_SIZE
from ter.run.evaluator import Evaluator
from ter.run.portfolio import Portfolio
from ter.run.walker import IncumbentWalker, Walker

__all__ = ["bound", "restore", "taken"]


def bound(forms: Forms, evaluator: Evaluator) -> Forms:
    """Add the forms of walks, which belong to a run: a point is written, and becomes a walk of the run again."""
    own: dict[type, tuple[str, StateForm]] = {
        IncumbentWalker: ("incumbent", StateForm(lambda walker: None, lambda _: evaluator.incumbent)),
        Walker: (
            "branch",
            StateForm(
                lambda walker: [walker.x, walker.y, walker.follows],
                lambda kept: evaluator.incumbent.branch(KeptBranch(*kept)),
            ),
        ),
    }
    return {**forms, **own}


def taken(evaluator: Evaluator, portfolio: Portfolio, actions: list[Action], idle: int) -> dict[str, Any]:
    """Return all that decides about what comes next."""
    books, failures, walk = evaluator.books, evaluator.failures, evaluator.incumbent.walk
    return {
        "ledger": books.ledger.copy(),
        "marks": books.marks.copy(),
        "curve": books.curve[: books.ledger[CURVE_SIZE]].copy(),
        "best": evaluator.x,
        "walk": (walk.x.copy(), float(walk.y[0])),
        "has_point": evaluator.has_point,
        "scale": evaluator.box.scale.copy(),
        "cost": evaluator.cost,
        "elapsed": evaluator.clock.elapsed,
        "failures": [failures.count, failures.in_a_row, [(f.evaluation, f.reason, f.traceback) for f in failures.kept]],
        "portfolio": portfolio.kept(),
        "actions": list(actions),
        "idle": idle,
    }


def restore(state: bytes, forms: Forms, evaluator: Evaluator, portfolio: Portfolio, actions: list[Action]) -> int:
    """Put a state back; return how many actions in a row evaluated nothing."""
    kept = decode(state, bound(forms, evaluator))
    try:
        _restore_books(kept, evaluator)
        portfolio.restore(kept["portfolio"])
        actions[:] = kept["actions"]
        return int(kept["idle"])
    except (KeyError, ValueError, TypeError) as error:
        raise CheckpointError(f"a snapshot must be as it was written, got {type(error).__name__}: {error}") from error


def _restore_books(kept: dict[str, Any], evaluator: Evaluator) -> None:
    books, failures = evaluator.books, evaluator.failures
    books.ledger[:], books.marks[:] = kept["ledger"], kept["marks"]
    books.curve[: len(kept["curve"])] = kept["curve"]
    box = evaluator.box
    evaluator.box = Box(box.lower, box.upper, kept["scale"])
    evaluator.incumbent.begin_at(*kept["walk"])
    evaluator.best[:], evaluator.leader, evaluator.has_point = kept["best"], None, kept["has_point"]
    evaluator.cost = kept["cost"]
    evaluator.clock.freeze(kept["elapsed"])
    failures.count, failures.in_a_row, seen = kept["failures"]
    failures.kept = [Failure(n, SavedError(reason), text) for n, reason, text in seen]
    if evaluator.record is not None:
        evaluator.record.elapsed = kept["elapsed"]
    np.copyto(evaluator.incumbent.walk.best, evaluator.best)
