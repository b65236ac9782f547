"""Large-scale black-box optimisation that learns while it runs which heuristic to start next.

>>> import ter
>>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=10), budget=5_000, rng=1)
>>> result.nfev
5000
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Public names and where they live. Nothing is imported before it is asked for: `import ter` must stay fast.
_HOMES = {
    "Action": "ter.core.action",
    "Allowance": "ter.core.allowance",
    "BlockObjective": "ter.objectives.blocks",
    "Box": "ter.core.box",
    "Budget": "ter.core.budget",
    "CompiledObjective": "ter.objectives.compiled",
    "InvalidArgument": "ter.core.errors",
    "MissingExtra": "ter.core.errors",
    "ObjectiveError": "ter.core.errors",
    "Optimizer": "ter.interface.optimizer",
    "Problem": "ter.core.problem",
    "Result": "ter.display.result",
    "StopReason": "ter.core.stop",
    "TerError": "ter.core.errors",
    "UnknownName": "ter.core.errors",
    "Value": "ter.core.problem",
    "algorithm": "ter.algorithms",
    "box": "ter.core.box",
    "exploitation_bounds": "ter.schedulers.bounds",
    "load_result": "ter.display.saving",
    "minimize": "ter.interface.minimize",
    "problem": "ter.problems",
    "suite": "ter.benchmarks",
    "suggest": "ter.schedulers.bounds",
    "wrap": "ter.heuristics.wrapped",
}
_MODULES = (
    "algorithms",
    "analysis",
    "benchmarks",
    "experiment",
    "heuristics",
    "problems",
    "schedulers",
    "testing",
)

__all__ = ["__version__", *sorted(_HOMES), *_MODULES]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    elif name in _MODULES:
        value = import_module(f"ter.{name}")
    else:
        raise AttributeError(f"module 'ter' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


if TYPE_CHECKING:
    from ter import (
        algorithms,
        analysis,
        benchmarks,
        experiment,
        heuristics,
        problems,
        schedulers,
        testing,
    )
    from ter.algorithms import algorithm
    from ter.benchmarks import suite
    from ter.core.action import Action
    from ter.core.allowance import Allowance
    from ter.core.box import Box, box
    from ter.core.budget import Budget
    from ter.core.errors import InvalidArgument, MissingExtra, ObjectiveError, TerError, UnknownName
    from ter.core.problem import Problem, Value
    from ter.core.stop import StopReason
    from ter.display.result import Result
    from ter.display.saving import load_result
    from ter.heuristics.wrapped import wrap
    from ter.interface.minimize import minimize
    from ter.interface.optimizer import Optimizer
    from ter.objectives.blocks import BlockObjective
    from ter.objectives.compiled import CompiledObjective
    from ter.problems import problem
    from ter.schedulers.bounds import exploitation_bounds, suggest
