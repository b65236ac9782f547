"""How far an experiment is, as numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ter.experiment.forecast import Forecast
from ter.experiment.progress import missing
from ter.experiment.record import RunKey
from ter.experiment.spec import RunSpec
from ter.experiment.store import Line

__all__ = ["CellStatus", "Status", "status_of"]


@dataclass(frozen=True)
class CellStatus:
    """Runs of one algorithm on one problem.

    Attributes
    ----------
    problem, dimension, budget, label : str, int, str, str
        Which.
    finished, failed, missing : int
        Runs; nothing is missing without a plan.
    seconds : float or None
        Mean time of the finished ones.
    codes : tuple of str
        Versions of the code that did them.
    """

    problem: str
    dimension: int
    budget: str
    label: str
    finished: int
    failed: int
    missing: int
    seconds: float | None
    codes: tuple[str, ...]


@dataclass(frozen=True)
class Status:
    """All runs of a store, or of a plan in a store.

    Attributes
    ----------
    cells : tuple of CellStatus
        One for each problem and algorithm, in the order of the plan or of the store.
    codes : dict of str to int
        Versions of the code, the newest first, with the number of their runs.
    other_code : int
        Runs in the store that would be in the plan but for the version of the code.
    seconds_left : float
        What the missing runs will take one worker, judging by those there are; infinite if there are none.
    """

    cells: tuple[CellStatus, ...]
    codes: dict[str, int]
    other_code: int = 0
    seconds_left: float = 0.0

    @property
    def mixed(self) -> bool:
        """Whether several versions of the code have done runs of the same algorithm on the same problem."""
        return any(len(cell.codes) > 1 for cell in self.cells)

    @property
    def finished(self) -> int:
        """Finished runs."""
        return sum(cell.finished for cell in self.cells)

    @property
    def failed(self) -> int:
        """Failed runs."""
        return sum(cell.failed for cell in self.cells)

    @property
    def missing(self) -> int:
        """Runs of the plan that are not in the store."""
        return sum(cell.missing for cell in self.cells)


def status_of(lines: Sequence[Line], specs: Sequence[RunSpec] | None = None, *, any_code: bool = False) -> Status:
    """Count the runs of a store; with a plan, those of the plan.

    Parameters
    ----------
    lines : sequence of Line
        Of the store.
    specs : sequence of RunSpec, optional
        Of the plan.
    any_code : bool
        Whether runs that other versions of the code have done count for the plan.
    """
    absent: list[RunSpec] = []
    counted, other = list(lines), 0
    if specs is not None:
        counted = _of_plan(lines, specs, any_code)
        absent = missing(specs, lines, any_code=any_code)
        other = len(absent) - len(missing(specs, lines, any_code=True))
    forecast = Forecast()
    forecast.wait_for(spec.key for spec in absent)
    for line in lines:
        if not line.failed:
            forecast.add(line.key, line.wall)
    return Status(tuple(_cells(counted, absent, specs or ())), _codes(lines), other, forecast.left(slots=1))


def _of_plan(lines: Iterable[Line], specs: Iterable[RunSpec], any_code: bool) -> list[Line]:
    """Return one line for each run of the plan that is there: the one of the plan's code if there are several."""
    wanted = {spec.key.without_code: spec.key.code for spec in specs}
    found: dict[RunKey, Line] = {}
    for line in lines:
        run = line.key.without_code
        if run in wanted and (any_code or line.key.code == wanted[run]):
            best = found.get(run)
            if best is None or best.failed or (line.key.code == wanted[run] and not line.failed):
                found[run] = line
    return list(found.values())


def _cells(lines: Iterable[Line], absent: Iterable[RunSpec], specs: Iterable[RunSpec]) -> list[CellStatus]:
    names: dict[tuple[str, int, str, str], None] = dict.fromkeys(_cell(spec.key, spec.label) for spec in specs)
    numbers: dict[tuple[str, int, str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    walls: dict[tuple[str, int, str, str], list[float]] = defaultdict(list)
    codes: dict[tuple[str, int, str, str], dict[str, None]] = defaultdict(dict)
    labels = {(spec.key.algorithm, spec.key.parameters): spec.label for spec in specs}
    for line in lines:
        cell = _cell(line.key, labels.get((line.key.algorithm, line.key.parameters), line.label))
        names.setdefault(cell)
        numbers[cell][int(line.failed)] += 1
        codes[cell].setdefault(line.key.code)
        if not line.failed:
            walls[cell].append(line.wall)
    for spec in absent:
        numbers[_cell(spec.key, spec.label)][2] += 1
    cells = []
    for cell in names:
        seconds = sum(walls[cell]) / len(walls[cell]) if walls[cell] else None
        finished, failed, absences = numbers[cell]
        cells.append(CellStatus(*cell, finished, failed, absences, seconds, tuple(codes[cell])))
    return cells


def _cell(key: RunKey, label: str) -> tuple[str, int, str, str]:
    return key.problem, key.dimension, key.budget, label


def _codes(lines: Iterable[Line]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for line in sorted(lines, key=lambda line: line.started, reverse=True):
        numbers[line.key.code] = numbers.get(line.key.code, 0) + 1
    return numbers
