"""Plans: which algorithms run on which problems, how often and how long."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from os import PathLike
from pathlib import Path
from typing import Any

from ter.core.budget import Budget
from ter.core.errors import InvalidArgument, UnknownName
from ter.experiment.budgets import BudgetPlan, milestones_within, read_milestones
from ter.experiment.fingerprint import code_of
from ter.experiment.names import algorithm_named, problem_named
from ter.experiment.parameters import as_text, from_text, tuned
from ter.experiment.record import RunKey
from ter.experiment.spec import RunSpec, seed_of
from ter.user_code import is_user_code

__all__ = ["Plan", "PlannedAlgorithm", "PlannedProblem"]

IN_FILES = (
    "algorithms",
    "budget",
    "budget_per_variable",
    "dimensions",
    "milestones",
    "name",
    "problems",
    "runs",
    "seed",
)


@dataclass(frozen=True)
class PlannedProblem:
    """A problem or a suite of a plan.

    Attributes
    ----------
    name : str
        A suite (``"lso13"``), a problem (``"lso13/f4"``, ``"deblurring"``), or ``"module:attribute"`` of your own.
    dimensions : tuple of int
        Numbers of variables; empty for the default one.
    """

    name: str
    dimensions: tuple[int, ...] = ()

    @classmethod
    def read(cls, entry: object, dimensions: Sequence[int]) -> PlannedProblem:
        """Read an entry of the list `problems`: a name, or a table with `name` and `dimensions`."""
        if isinstance(entry, PlannedProblem):
            return entry if entry.dimensions else replace(entry, dimensions=_dimensions(dimensions))
        if isinstance(entry, Mapping):
            _require_known("key of a problem", entry, ("name", "dimensions"))
            return cls(_name("problem", entry), _dimensions(entry.get("dimensions", dimensions)))
        return cls(_name("problem", {"name": entry}), _dimensions(dimensions))

    @property
    def names(self) -> tuple[str, ...]:
        """The problems: all of a suite, or the one."""
        from ter.benchmarks import SUITES
        from ter.problems import GALLERY

        if self.name in SUITES:
            return SUITES[self.name].names
        alone = [entry.name for entry in GALLERY]
        if "/" not in self.name and not is_user_code(self.name) and self.name not in alone:
            raise UnknownName.among("suite or problem", self.name, [*SUITES, *alone])
        return (self.name,)


@dataclass(frozen=True)
class PlannedAlgorithm:
    """An algorithm of a plan.

    Attributes
    ----------
    name : str
        As :func:`ter.algorithm` reads it, or ``"module:attribute"`` of your own.
    label : str
        Its name in tables, unique in the plan; by default the name, with the parameters if there are any.
    parameters : str
        What differs from the algorithm's own settings; a mapping is written as JSON.
    """

    name: str
    label: str = ""
    parameters: str | Mapping[str, Any] = "{}"

    def __post_init__(self) -> None:
        text = self.parameters if isinstance(self.parameters, str) else as_text(self.parameters)
        object.__setattr__(self, "parameters", text)
        if not self.label:
            object.__setattr__(self, "label", self.name if text == "{}" else f"{self.name} {_short(text)}")

    @classmethod
    def read(cls, entry: object) -> PlannedAlgorithm:
        """Read an entry of the list `algorithms`: a name, or a table with `name`, `label` and parameters."""
        if isinstance(entry, PlannedAlgorithm):
            return entry
        table = dict(entry) if isinstance(entry, Mapping) else {"name": entry}
        name, label = _name("algorithm", table), table.pop("label", "")
        if not isinstance(label, str):
            raise InvalidArgument(f"label must be a text, got {label!r}")
        return cls(name, label, {key: value for key, value in table.items() if key != "name"})


@dataclass(frozen=True)
class Plan:
    """What to run: problems × algorithms × runs, each with a budget.

    Parameters
    ----------
    problems : sequence of str, mapping or PlannedProblem
        Names of suites and problems; ``{"name": "lso08", "dimensions": [100, 1000]}`` for sizes of its own.
    algorithms : sequence of str, mapping or PlannedAlgorithm
        Names; ``{"name": "ter", "label": "ter-7", "window": 7, "cc": {"group": 100}}`` for other settings.
    runs : int
        Repetitions, each with a seed of its own; the seeds are the same for all algorithms.
    budget : number, str or Budget
        ``"official"``: what the rules of the suite say; otherwise as :func:`ter.minimize` reads it.
    budget_per_variable : number, optional
        Evaluations per variable, instead of `budget`.
    milestones : sequence of int, optional
        Evaluations after which the best value is noted, of three significant digits at most; by default those of the
        suite's rules, and the budget.
    seed : int
        The root of all seeds.
    dimensions : sequence of int
        Numbers of variables of all problems that do not name theirs.
    name : str
        A title.
    folder : path
        Where modules of yours are looked for; for a plan from a file, where the file is.

    Examples
    --------
    >>> plan = Plan(problems=["lso13/f1", "lso13/f4"], algorithms=["ter", "ls"], runs=3, budget=20_000)
    >>> specs = plan.specs()
    >>> len(specs), specs[0].name, specs[0].milestones
    (12, 'lso13/f1 D=1000 ter run 1', (20000,))
    """

    problems: Sequence[Any]
    algorithms: Sequence[Any]
    runs: int = 1
    budget: Any = None
    budget_per_variable: float | None = None
    milestones: Sequence[float] | None = None
    seed: int = 1
    dimensions: Sequence[int] = ()
    name: str = ""
    folder: str | PathLike[str] = field(default=".", compare=False)
    _cells: tuple[RunSpec, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        dimensions = _dimensions(self.dimensions)
        problems = tuple(PlannedProblem.read(entry, dimensions) for entry in _list("problems", self.problems))
        algorithms = tuple(PlannedAlgorithm.read(entry) for entry in _list("algorithms", self.algorithms))
        milestones = None if self.milestones is None else read_milestones(self.milestones)
        for name, value in (("problems", problems), ("algorithms", algorithms), ("milestones", milestones)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "runs", _whole("runs", self.runs, low=1))
        object.__setattr__(self, "seed", _whole("seed", self.seed, low=0))
        object.__setattr__(self, "dimensions", dimensions)
        object.__setattr__(self, "folder", str(Path(self.folder).resolve()))
        labels = [algorithm.label for algorithm in algorithms]
        for label in labels:
            if labels.count(label) > 1:
                raise InvalidArgument(f"labels must be unique in a plan, got {label!r} twice; add label = ...")
        # Whatever is wrong with a plan is found before anything runs.
        object.__setattr__(self, "_cells", self._all_cells())

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Plan:
        """Read a plan from a TOML file.

        Raises
        ------
        InvalidArgument
            If the file is not there, is not TOML, or breaks a rule of plans.
        """
        file = Path(path)
        try:
            with file.open("rb") as stream:
                read = tomllib.load(stream)
        except OSError as error:
            raise InvalidArgument(f"a plan must be a TOML file that can be read, got {error}") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InvalidArgument(f"a plan must be written in TOML, got {file}: {error}") from error
        try:
            return cls.from_dict(read, folder=file.parent)
        except InvalidArgument as error:
            raise InvalidArgument(f"{file}: {error}") from error

    @classmethod
    def from_dict(cls, table: Mapping[str, Any], folder: str | PathLike[str] = ".") -> Plan:
        """Make a plan of what a TOML file holds.

        Examples
        --------
        >>> Plan.from_dict({"problems": ["lso13/f1"], "algorithms": ["ter"], "run": 3})
        Traceback (most recent call last):
            ...
        ter.core.errors.UnknownName: unknown key of a plan 'run'; did you mean 'runs'? Valid names: algorithms, budget,
        budget_per_variable, dimensions, milestones, name, problems, runs, seed
        """
        _require_known("key of a plan", table, IN_FILES)
        for needed in ("problems", "algorithms"):
            if needed not in table:
                raise InvalidArgument(f"a plan must have the key {needed!r}, got {', '.join(table) or 'nothing'}")
        given = {name.name: table[name.name] for name in fields(cls) if name.init and name.name in table}
        return cls(**given, folder=folder)

    def specs(self) -> list[RunSpec]:
        """Return all runs, the first run of everything first, so that all problems are seen early."""
        return [self._numbered(cell, run) for run in range(1, self.runs + 1) for cell in self._cells]

    def _all_cells(self) -> tuple[RunSpec, ...]:
        """Return one run of each algorithm on each problem, without a number yet."""
        limits = BudgetPlan.read(self.budget, self.budget_per_variable)
        cells: list[RunSpec] = []
        for planned in self.problems:
            for name in planned.names:
                for dimension in planned.dimensions or (None,):
                    cells += self._cell(name, dimension, limits)
        if len({cell.key for cell in cells}) < len(cells):
            raise InvalidArgument(f"a plan must name everything once, got {_twice(cells)} twice")
        return tuple(cells)

    def _cell(self, name: str, dimension: int | None, limits: BudgetPlan) -> list[RunSpec]:
        problem = problem_named(name, dimension, str(self.folder))
        budget = limits.of(problem, name)
        milestones = milestones_within(budget, self.milestones, problem)
        specs = []
        for algorithm in self.algorithms:
            made = algorithm_named(algorithm.name, str(self.folder)).make(problem.dimension, Budget.read(budget))
            tuned(made, from_text(algorithm.parameters), algorithm.name)
            code = code_of(name, algorithm.name)
            key = RunKey(name, problem.dimension, algorithm.name, algorithm.parameters, budget, 0, code)
            specs.append(RunSpec(key, algorithm.label, 0, milestones, str(self.folder)))
        return specs

    def _numbered(self, cell: RunSpec, run: int) -> RunSpec:
        seed = seed_of(self.seed, cell.key.problem, cell.key.dimension, run)
        return replace(cell, run=run, key=replace(cell.key, seed=seed))


def _list(what: str, entries: object) -> Sequence[Any]:
    if isinstance(entries, str) or not isinstance(entries, Sequence) or not entries:
        raise InvalidArgument(f"{what} must be a list with at least one entry, got {entries!r}")
    return entries


def _name(kind: str, table: Mapping[str, Any]) -> str:
    name = table.get("name")
    if not isinstance(name, str) or not name:
        raise InvalidArgument(f"each {kind} of a plan must have a name, got {name!r}")
    return name


def _dimensions(numbers: object) -> tuple[int, ...]:
    if isinstance(numbers, str) or not isinstance(numbers, Sequence):
        raise InvalidArgument(f"dimensions must be a list of numbers, got {numbers!r}; write for example [100, 1000]")
    return tuple(_whole("dimensions", number, low=1) for number in numbers)


def _whole(what: str, number: object, *, low: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int | float) or number < low or number % 1 != 0:
        raise InvalidArgument(f"{what} must be a whole number >= {low}, got {number!r}")
    return int(number)


def _require_known(kind: str, table: Mapping[str, Any], valid: Sequence[str]) -> None:
    for key in table:
        if key not in valid:
            raise UnknownName.among(kind, key, valid)


def _twice(cells: Sequence[RunSpec]) -> str:
    keys = [cell.key for cell in cells]
    key = next(key for key in keys if keys.count(key) > 1)
    return f"{key.problem} with {key.dimension} variables and the algorithm {key.algorithm} {key.parameters}"


def _short(parameters: str) -> str:
    """Write parameters for a label, such as ``cc.group=100 temperature=0.1429``."""
    shown: dict[str, Any] = {}
    for key, value in from_text(parameters).items():
        inner = value.items() if isinstance(value, dict) else [("", value)]
        shown |= {f"{key}.{name}".rstrip("."): number for name, number in inner}
    return " ".join(f"{key}={f'{v:.4g}' if isinstance(v, float) else v}" for key, v in shown.items())
