"""What a search for the best sequence looks for, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from ter.core.budget import Budget
from ter.core.errors import InvalidArgument
from ter.experiment.best_known.replayed import TAKEN, replayed_name, replayed_profile
from ter.experiment.best_known.space import Decisions, Space
from ter.experiment.budgets import BudgetPlan
from ter.experiment.checks import whole_number
from ter.experiment.fingerprint import code_of
from ter.experiment.names import problem_named
from ter.experiment.parameters import as_text, from_text
from ter.experiment.record import RunKey
from ter.experiment.spec import RunSpec, seed_of

__all__ = ["STATISTICS", "Search", "SearchTask"]

STATISTICS = ("mean", "median")


@dataclass(frozen=True)
class SearchTask:
    """What a sequence is the best one for; sequences for the same task can be compared.

    Attributes
    ----------
    problem, dimension, algorithm, parameters, budget, code : str, int, str, str, str, str
        As in :class:`ter.experiment.RunKey`; the algorithm gives the portfolio, its scheduler is not used.
    """

    problem: str
    dimension: int
    algorithm: str
    parameters: str
    budget: str
    code: str


@dataclass(frozen=True)
class Search:
    """A search for the best sequence of decisions on a problem.

    A sequence is judged by the final values of runs that follow it, one per seed; the seeds are the same for all
    sequences. The search draws sequences at random, then varies the best ones; see :mod:`.proposals`. What it tries
    depends on these settings and on the values found, on nothing else.

    Parameters
    ----------
    problem : str
        As :func:`ter.problem` reads it, or ``"module:attribute"`` of your own.
    dimension : int, optional
        Number of variables; the problem's own by default.
    budget : number or str, optional
        Evaluations of a run; by default what the rules of the suite say.
    algorithm : str
        Whose portfolio: a name of ``ter list algorithms``; or ``"module:attribute"`` of a function that makes a profile
        with the scheduler :class:`ter.schedulers.Replay`.
    parameters : mapping
        What differs from the algorithm's own settings, as in a plan: ``{"cc": {"group": 100}}``.
    runs : int
        Seeds per sequence. With one seed the winner is lucky rather than good.
    statistic : {"mean", "median"}
        What the values of the runs are put together by.
    first : int
        Sequences of the first phase: each heuristic alone, then random ones.
    generation : int
        Sequences that are made from the same knowledge afterwards, and may be evaluated at the same time.
    keep : int
        How many of the best are varied.
    seed : int
        Of the search and of the runs.
    folder : path
        Where modules of yours are looked for.

    Examples
    --------
    >>> search = Search("lso13/f7", budget=300_000)
    >>> search.space.names, search.space.costs, search.task.dimension
    (('ls1', 'cc', 'gs'), (25000, 75000, 25000), 1000)
    """

    problem: str
    dimension: int | None = None
    budget: Any = None
    algorithm: str = "ter"
    parameters: str | Mapping[str, Any] = "{}"
    runs: int = 3
    statistic: Literal["mean", "median"] = "mean"
    first: int = 50
    generation: int = 8
    keep: int = 5
    seed: int = 1
    folder: str | PathLike[str] = field(default=".", compare=False)
    task: SearchTask = field(init=False, repr=False)
    space: Space = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name, low in (("runs", 1), ("first", 1), ("generation", 1), ("keep", 1), ("seed", 0)):
            object.__setattr__(self, name, whole_number(name, getattr(self, name), low=low))
        if self.statistic not in STATISTICS:
            raise InvalidArgument(f"statistic must be one of {', '.join(STATISTICS)}, got {self.statistic!r}")
        object.__setattr__(self, "folder", str(Path(self.folder).resolve()))
        text = self.parameters if isinstance(self.parameters, str) else as_text(self.parameters)
        object.__setattr__(self, "parameters", text)
        for name in TAKEN:
            if name in from_text(text):
                raise InvalidArgument(f"the search chooses {name}, got it among the parameters; leave it out")
        task = self._task(text)
        object.__setattr__(self, "task", task)
        object.__setattr__(self, "dimension", task.dimension)
        object.__setattr__(self, "budget", task.budget)
        object.__setattr__(self, "space", self._space(task))

    @property
    def settings(self) -> dict[str, Any]:
        """What decides, besides the task, about what is tried."""
        names = ("runs", "statistic", "first", "generation", "keep", "seed")
        return {name: getattr(self, name) for name in names}

    def spec(self, sequence: Decisions, run: int, *, label: str = "best known", fresh: bool = False) -> RunSpec:
        """Return a run that follows a sequence.

        Parameters
        ----------
        sequence : tuple of str
            Decisions.
        run : int
            Number of the run, from 1.
        label : str
            What displays call the sequence.
        fresh : bool
            Take the seed of that run in a plan with the same `seed`; the search itself uses other ones.
        """
        task = self.task
        seed = seed_of(self.seed, task.problem if fresh else f"{task.problem} best known", task.dimension, run)
        parameters = as_text({**from_text(task.parameters), "sequence": sequence, "cycle": True})
        name = replayed_name(task.algorithm)
        key = RunKey(task.problem, task.dimension, name, parameters, task.budget, seed, task.code)
        return RunSpec(key, label, run, (), str(self.folder))

    def _task(self, parameters: str) -> SearchTask:
        problem = problem_named(self.problem, self.dimension, str(self.folder))
        budget = BudgetPlan.read(self.budget).of(problem, self.problem)
        limits = Budget.read(budget)
        if limits.evaluations is None or limits.seconds is not None or limits.cost is not None:
            raise InvalidArgument(
                f"the budget of a search must be a number of evaluations, got {budget!r}; with other units runs cannot "
                "be repeated"
            )
        name = replayed_name(self.algorithm)
        replayed_profile(self.algorithm, from_text(parameters), problem.dimension, limits, str(self.folder))
        code = code_of(self.problem, name)
        return SearchTask(self.problem, problem.dimension, self.algorithm, parameters, budget, code)

    def _space(self, task: SearchTask) -> Space:
        limits = Budget.read(task.budget)
        parameters = from_text(task.parameters)
        made = replayed_profile(task.algorithm, parameters, task.dimension, limits, str(self.folder))
        names = tuple(heuristic.name for heuristic in made.heuristics)
        costs = tuple(heuristic.cost(task.dimension) for heuristic in made.heuristics)
        return Space(names, costs, (limits.evaluations or 0) - made.start_points)
