"""Experiments: a plan, its runs, and the store that keeps them.

>>> import tempfile
>>> from ter.experiment import Plan, Store, run_plan
>>> plan = Plan(problems=["lso08/f1"], dimensions=[20], algorithms=["ter", "ls"], runs=2, budget=1_000)
>>> path = tempfile.mkdtemp() + "/results.sqlite"
>>> run_plan(plan, path, workers=1).done
True
>>> with Store(path) as store:
...     len(list(store.records(label="ls")))
2
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Nothing is imported before it is asked for: the command line must start fast.
_HOMES = {
    "Plan": "ter.experiment.plan",
    "PlannedAlgorithm": "ter.experiment.planned",
    "PlannedProblem": "ter.experiment.planned",
    "Record": "ter.experiment.record",
    "RunKey": "ter.experiment.record",
    "Store": "ter.experiment.store",
    "StoreError": "ter.experiment.store",
    "PlanProgress": "ter.experiment.progress",
    "run_plan": "ter.experiment.runner",
}

__all__ = [
    "Plan",
    "PlanProgress",
    "PlannedAlgorithm",
    "PlannedProblem",
    "Record",
    "RunKey",
    "Store",
    "StoreError",
    "run_plan",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ter.experiment' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


if TYPE_CHECKING:
    from ter.experiment.plan import Plan
    from ter.experiment.planned import PlannedAlgorithm, PlannedProblem
    from ter.experiment.progress import PlanProgress
    from ter.experiment.record import Record, RunKey
    from ter.experiment.runner import run_plan
    from ter.experiment.store import Store, StoreError
