"""The store: all runs of an experiment in one SQLite file, each committed when it ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from os import PathLike
from typing import Any

from ter.experiment.database import Database, Form, StoreError, StoreLocked
from ter.experiment.record import Record, RunKey, thinned
from ter.experiment.rows import COLUMNS, KEY, UNREADABLE, record_of, row_of
from ter.experiment.seals import DamagedRow
from ter.experiment.sheets import Sheet

__all__ = ["Line", "Merged", "Store", "StoreError", "StoreLocked"]

APPLICATION = 0x74657231  # "ter1", written into the file's header
RUNS = Sheet(
    "runs",
    {"id": "INTEGER PRIMARY KEY", **COLUMNS},
    f"UNIQUE ({', '.join(KEY)})",
    "{problem} D={dimension} {label} run {run}",
)
INSERT = f"""INSERT INTO runs ({", ".join(COLUMNS)}) VALUES ({", ".join("?" * len(COLUMNS))})
    ON CONFLICT ({", ".join(KEY)}) DO UPDATE SET
    {", ".join(f"{name} = excluded.{name}" for name in COLUMNS if name not in KEY)}
    WHERE runs.traceback IS NOT NULL"""
RESCUE = (
    "Take over what is whole with `ter experiment merge NEW {0}`, and do the other runs again with "
    "`ter experiment run PLAN --store NEW`"
)


@dataclass(frozen=True)
class Line:
    """What a list of runs shows of one; see :class:`Record` for the meanings."""

    key: RunKey
    label: str
    run: int
    wall: float
    started: str
    failed: bool


@dataclass(frozen=True)
class Merged:
    """What came of a merge.

    Attributes
    ----------
    added, replaced, kept : int
        Runs that are new here, that replaced a failed one, and that were here already.
    differing : tuple of str
        The names of those among the ones kept that have another result there, be it in a detail; equal keys should give
        equal results.
    """

    added: int
    replaced: int
    kept: int
    differing: tuple[str, ...]


class Store(Database):
    """Runs in a file.

    Parameters
    ----------
    path : path
        The file.
    write : bool
        Open it for writing, alone, and make it if it is not there. By default it is read only, and may be read while
        another process writes.

    Raises
    ------
    StoreError
        If the file is not a store, was made by a newer version, or is damaged and to be written to.
    StoreLocked
        If another process writes to it.

    Warns
    -----
    DamageWarning
        If runs are damaged; they are named, and the others are read.

    Examples
    --------
    >>> import tempfile
    >>> from ter.experiment import Plan, run_plan
    >>> path = tempfile.mkdtemp() + "/results.sqlite"
    >>> plan = Plan(problems=["lso08/f1"], dimensions=[10], algorithms=["ls"], budget=1_000)
    >>> run_plan(plan, path, workers=1)
    PlanProgress(total=1, finished=1, failed=0, new=1)
    >>> with Store(path) as store:
    ...     [(record.label, record.nfev) for record in store.records()]
    [('ls', 1000)]
    """

    form = Form("a store", "ter experiment run", APPLICATION, (RUNS,), RESCUE)

    def add(self, record: Record) -> bool:
        """Keep a record for good before returning; tell whether it was kept.

        A finished run is never replaced: a second result of the same key is not kept. A failed one is replaced by
        any later attempt.
        """
        with self.transaction():
            return self._put(row_of(record))

    def __len__(self) -> int:
        return len(self.lines())

    def keys(self, *, failed: bool | None = None) -> set[RunKey]:
        """Return the keys of the runs: all, or the failed or the finished ones."""
        return {line.key for line in self.lines() if failed in (None, line.failed)}

    def lines(self) -> list[Line]:
        """Return a line about each run, in the order they were stored; this is faster than reading the records."""
        return list(self._lines().values())

    def records(
        self,
        *,
        problem: str | None = None,
        label: str | None = None,
        code: str | None = None,
        failed: bool | None = None,
        newest: bool = False,
    ) -> Iterator[Record]:
        """Yield records in the order they were stored; all, or those that agree with what is given.

        Parameters
        ----------
        problem, label, code : str, optional
            Only runs of this problem, of this algorithm, of this version of the code.
        failed : bool, optional
            Only failed runs, or only finished ones.
        newest : bool
            If several versions of the code have done a run, only what the newest one did, but rather a finished run
            than a failed one.
        """
        lines = self._lines()
        asked = (problem, label, code, failed)
        wanted = []
        for number in _newest(lines) if newest else lines:
            line = lines[number]
            facts = (line.key.problem, line.label, line.key.code, line.failed)
            if all(want in (None, fact) for want, fact in zip(asked, facts, strict=True)):
                wanted.append(number)
        for _, values in self.rows(RUNS, wanted):
            record = self._record(values)
            if record is not None:
                yield record

    def relabel(self, labels: Mapping[tuple[str, str], str]) -> int:
        """Give algorithms other labels; return how many runs changed.

        Parameters
        ----------
        labels : mapping
            From algorithm and parameters to the label.
        """
        with self.transaction():
            changed = [
                (label, number)
                for number, line in self._lines().items()
                if (label := labels.get((line.key.algorithm, line.key.parameters), line.label)) != line.label
            ]
            for label, number in changed:
                self.connection.execute("UPDATE runs SET label = ? WHERE id = ?", (label, number))
                self.seal(RUNS, number)
        return len(changed)

    def merge(self, other: str | PathLike[str], *, thin: bool = False) -> Merged:
        """Take over the runs of another store, all or none; algorithms that are here keep their labels.

        Runs that are damaged there are left out, with a warning.

        Parameters
        ----------
        other : path
            The other store.
        thin : bool
            Keep of the curves that are taken over no more than what is exact at counts of two digits. That takes a
            tenth of the room; milestones and decisions stay as they are.
        """
        labels = {meaning: label for label, meanings in self.labels().items() for meaning in meanings}
        added, replaced, kept, differing = 0, 0, 0, []
        with self.transaction(), Store(other) as theirs:
            for _, values in theirs.rows(RUNS):
                record = theirs._record(values)
                if record is None:
                    continue
                if thin:
                    record = replace(record, curve=thinned(record.curve))
                mine = self._found(record.key)
                if mine is not None and (not mine.failed or record.failed):
                    kept += 1
                    if not mine.failed and not record.failed and not _same_result(mine, record):
                        differing.append(record.name)
                else:
                    self._put(row_of(record))
                    added, replaced = added + (mine is None), replaced + (mine is not None)
            self.relabel(labels)
        return Merged(added, replaced, kept, tuple(differing))

    def labels(self) -> dict[str, set[tuple[str, str]]]:
        """Return what each label stands for: algorithm and parameters, once unless plans disagreed."""
        found: dict[str, set[tuple[str, str]]] = {}
        for line in self.lines():
            found.setdefault(line.label, set()).add((line.key.algorithm, line.key.parameters))
        return found

    def require_readable(self, sheet: Sheet, values: Sequence[Any]) -> None:
        """Raise `DamagedRow` if values are no record."""
        _read(values)

    def _put(self, row: Sequence[Any]) -> bool:
        done = self.connection.execute(INSERT, row)
        if done.rowcount > 0:
            self.seal(RUNS, self._number(row[: len(KEY)]) or 0)
        return done.rowcount > 0

    def _number(self, key: Sequence[Any]) -> int | None:
        where = " AND ".join(f"{name} = ?" for name in KEY)
        found = self.connection.execute(f"SELECT id FROM runs WHERE {where}", key).fetchone()
        return None if found is None else int(found[0])

    def _found(self, key: RunKey) -> Record | None:
        number = self._number(astuple(key))
        rows = self.rows(RUNS, [] if number is None else [number])
        return next((self._record(values) for _, values in rows), None)

    def _record(self, values: Sequence[Any]) -> Record | None:
        try:
            return _read(values)
        except DamagedRow as damaged:
            self.warn([damaged])
            return None

    def _lines(self) -> dict[int, Line]:
        """Return a line about each run, by its number in the file."""
        found = {}
        for number, values in self.rows(RUNS):
            named = dict(zip(RUNS.columns, values, strict=True))
            key = RunKey(*(named[name] for name in KEY))
            failed = named["traceback"] is not None
            found[number] = Line(key, named["label"], named["run"], named["wall"], named["started"], failed)
        return found


def _read(values: Sequence[Any]) -> Record:
    try:
        return record_of(values[1:])
    except UNREADABLE as error:
        raise DamagedRow(RUNS.title_of(values), f"it is no record ({error})") from error


def _newest(lines: Mapping[int, Line]) -> list[int]:
    """Return one run of each key but for the code: rather a finished one, then the newest."""
    best: dict[RunKey, int] = {}
    for number in sorted(lines, key=lambda number: (not lines[number].failed, lines[number].started, number)):
        best[lines[number].key.without_code] = number
    return sorted(best.values())


def _same_result(one: Record, other: Record) -> bool:
    """Tell whether all is equal that does not depend on the machine, its clock, or the milestones of a plan.

    Either store may have thinned its curves.
    """
    common = one.milestones.keys() & other.milestones.keys()
    return _result(one, common) == _result(other, common)


def _result(record: Record, milestones: Iterable[int]) -> tuple[object, ...]:
    timeless = [repr(replace(action, seconds=0.0)) for action in record.actions]
    values = [repr(record.milestones[count]) for count in sorted(milestones)]
    # As text, in which NaN is NaN and the signs of zero differ.
    return (
        repr((record.fun, record.f_opt, record.nfev, record.heuristics)),
        values,
        timeless,
        thinned(record.curve).tobytes(),
    )
