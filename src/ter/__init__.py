"""Large-scale black-box optimisation that learns while it runs which heuristic to start next.

>>> import ter
>>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=10), budget=5_000, rng=1)
>>> result.nfev
5000
"""

__version__ = "0.1.0"

# Public names by where they live. Nothing is imported before it is asked for: `import ter` must stay fast.
_MODULES = (
    "algorithms", "analysis", "benchmarks", "decomposition", "experiment", "heuristics", "problems", "schedulers",
    "testing",
)  # fmt: skip
_HOMES = {
    "ter.algorithms": ("algorithm",),
    "ter.benchmarks": ("suite",),
    "ter.checkpoint.frames": ("CheckpointError",),
    "ter.core.action": ("Action",),
    "ter.core.allowance": ("Allowance",),
    "ter.core.box": ("Box", "box"),
    "ter.core.budget": ("Budget",),
    "ter.core.errors": (
        "EvaluationLost", "EvaluationTimeout", "InvalidArgument", "MissingExtra", "ObjectiveError", "TerError",
        "UnknownName",
    ),
    "ter.core.problem": ("Problem",),
    "ter.core.stop": ("StopReason",),
    "ter.core.values": ("Value",),
    "ter.display.decomposition": ("Decomposition",),
    "ter.display.result": ("Result",),
    "ter.display.saving": ("load_result",),
    "ter.heuristics.wrapped": ("wrap",),
    "ter.interface.decompose": ("decompose",),
    "ter.interface.minimize": ("minimize",),
    "ter.interface.optimizer": ("Optimizer",),
    "ter.interface.resume": ("resume",),
    "ter.interface.scipy_method": ("scipy_method",),
    "ter.objectives.blocks": ("BlockObjective",),
    "ter.objectives.compiled": ("CompiledObjective",),
    "ter.problems": ("problem",),
    "ter.schedulers.bounds": ("exploitation_bounds", "suggest"),
    "ter.testing.checked": ("Checked",),
    "ter.testing.objective": ("check",),
}  # fmt: skip

TYPE_CHECKING = False  # type checkers read it as true; importing it from `typing` takes longer than all the rest
if TYPE_CHECKING:  # the same names, each `as` itself, which says that users may import it from here
    from ter import algorithms as algorithms
    from ter import analysis as analysis
    from ter import benchmarks as benchmarks
    from ter import decomposition as decomposition
    from ter import experiment as experiment
    from ter import heuristics as heuristics
    from ter import problems as problems
    from ter import schedulers as schedulers
    from ter import testing as testing
    from ter.algorithms import algorithm as algorithm
    from ter.benchmarks import suite as suite
    from ter.checkpoint.frames import CheckpointError as CheckpointError
    from ter.core.action import Action as Action
    from ter.core.allowance import Allowance as Allowance
    from ter.core.box import Box as Box
    from ter.core.box import box as box
    from ter.core.budget import Budget as Budget
    from ter.core.errors import EvaluationLost as EvaluationLost
    from ter.core.errors import EvaluationTimeout as EvaluationTimeout
    from ter.core.errors import InvalidArgument as InvalidArgument
    from ter.core.errors import MissingExtra as MissingExtra
    from ter.core.errors import ObjectiveError as ObjectiveError
    from ter.core.errors import TerError as TerError
    from ter.core.errors import UnknownName as UnknownName
    from ter.core.problem import Problem as Problem
    from ter.core.stop import StopReason as StopReason
    from ter.core.values import Value as Value
    from ter.display.decomposition import Decomposition as Decomposition
    from ter.display.result import Result as Result
    from ter.display.saving import load_result as load_result
    from ter.heuristics.wrapped import wrap as wrap
    from ter.interface.decompose import decompose as decompose
    from ter.interface.minimize import minimize as minimize
    from ter.interface.optimizer import Optimizer as Optimizer
    from ter.interface.resume import resume as resume
    from ter.interface.scipy_method import scipy_method as scipy_method
    from ter.objectives.blocks import BlockObjective as BlockObjective
    from ter.objectives.compiled import CompiledObjective as CompiledObjective
    from ter.problems import problem as problem
    from ter.schedulers.bounds import exploitation_bounds as exploitation_bounds
    from ter.schedulers.bounds import suggest as suggest
    from ter.testing.checked import Checked as Checked
    from ter.testing.objective import check as check
else:  # hidden from type checkers, which would take any name for one of ours
    _HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

    def __getattr__(name):
        from importlib import import_module

        if name in _MODULES:
            value = import_module(f"ter.{name}")
        elif name in _HOME_OF:
            value = getattr(import_module(_HOME_OF[name]), name)
        else:
            raise AttributeError(f"module 'ter' has no attribute {name!r}")
        globals()[name] = value
        return value


__all__ = ["__version__", *sorted(name for names in _HOMES.values() for name in names), *_MODULES]


def __dir__() -> list[str]:
    return sorted(__all__)
