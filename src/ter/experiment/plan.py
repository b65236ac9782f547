"""Plans: which algorithms run on which problems, how often and how long."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from os import PathLike
from pathlib import Path
from typing import Any

from ter.core.budget import Budget
from ter.core.errors import InvalidArgument
from ter.experiment.budgets import BudgetPlan, milestones_within, read_milestones
from ter.experiment.checks import require_known, require_list, whole_number
from ter.experiment.fingerprint import code_of
from ter.experiment.names import algorithm_named, problem_named
from ter.experiment.parameters import from_text, tuned
from ter.experiment.planned import PlannedAlgorithm, PlannedProblem, read_dimensions
from ter.experiment.record import RunKey
from ter.experiment.spec import RunSpec, seed_of

__all__ = ["Plan"]

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
    "seeds",
)
LARGEST = 2**63  # databases have no larger ones


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
    seeds : sequence of int
        The seeds of the runs themselves, the same for all problems, instead of `runs` and `seed`.
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
    seeds: Sequence[int] = ()
    dimensions: Sequence[int] = ()
    name: str = ""
    folder: str | PathLike[str] = field(default=".", compare=False)
    _cells: tuple[RunSpec, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        dimensions = read_dimensions(self.dimensions)
        problems = tuple(PlannedProblem.read(entry, dimensions) for entry in require_list("problems", self.problems))
        algorithms = tuple(PlannedAlgorithm.read(entry) for entry in require_list("algorithms", self.algorithms))
        runs, seed = whole_number("runs", self.runs, low=1), whole_number("seed", self.seed, low=0)
        seeds = _seeds(self.seeds, runs, seed)
        checked: dict[str, Any] = {
            "problems": problems,
            "algorithms": algorithms,
            "runs": len(seeds) or runs,
            "milestones": None if self.milestones is None else read_milestones(self.milestones),
            "seed": seed,
            "seeds": seeds,
            "dimensions": dimensions,
            "folder": str(Path(self.folder).resolve()),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)
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
        budget_per_variable, dimensions, milestones, name, problems, runs, seed, seeds
        """
        require_known("key of a plan", table, IN_FILES)
        for needed in ("problems", "algorithms"):
            if needed not in table:
                raise InvalidArgument(f"a plan must have the key {needed!r}, got {', '.join(table) or 'nothing'}")
        given = {name.name: table[name.name] for name in fields(cls) if name.init and name.name in table}
        return cls(**given, folder=folder)

    def shortened(self, runs: int) -> Plan:
        """Return the plan with so many runs at most: the first ones, with the same seeds.

        Examples
        --------
        >>> plan = Plan(problems=["lso13/f1"], algorithms=["ter"], runs=20)
        >>> plan.shortened(2).specs() == plan.specs()[:2]
        True
        """
        few = min(self.runs, whole_number("runs", runs, low=1))
        return replace(self, runs=few, seeds=self.seeds[:few])

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
        seed = self.seeds[run - 1] if self.seeds else seed_of(self.seed, cell.key.problem, cell.key.dimension, run)
        return replace(cell, run=run, key=replace(cell.key, seed=seed))


def _seeds(numbers: object, runs: int, seed: int) -> tuple[int, ...]:
    if isinstance(numbers, str) or not isinstance(numbers, Sequence):
        raise InvalidArgument(f"seeds must be a list of numbers, got {numbers!r}; write for example [1, 2, 3]")
    seeds = tuple(whole_number("seeds", number, low=0) for number in numbers)
    if any(number >= LARGEST for number in seeds) or len(set(seeds)) < len(seeds):
        raise InvalidArgument(f"seeds must be different numbers below 2**63, got {list(seeds)}")
    if seeds and (runs not in (1, len(seeds)) or seed != 1):
        raise InvalidArgument(
            f"a plan must have seeds, or runs and seed, got seeds = {list(seeds)}, runs = {runs} and seed = {seed}; "
            "drop the one or the other"
        )
    return seeds


def _twice(cells: Sequence[RunSpec]) -> str:
    keys = [cell.key for cell in cells]
    key = next(key for key in keys if keys.count(key) > 1)
    return f"{key.problem} with {key.dimension} variables and the algorithm {key.algorithm} {key.parameters}"
