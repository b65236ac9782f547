"""The file of a search: every sequence that was planned, every run that ended.

A generation is committed as a whole before its first run, a run when it ends. So whatever is killed, the search goes on
as if nothing had happened.

It is a file of its own, not a table in the store of an experiment: its runs belong to hundreds of sequences, which
tables and reports of an experiment would take for as many algorithms, and they need neither curves nor actions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import astuple, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ter.core.errors import InvalidArgument
from ter.experiment.best_known.best import BestKnown
from ter.experiment.best_known.proposals import Candidate, alone
from ter.experiment.best_known.schema import FORM
from ter.experiment.best_known.search import Search, SearchTask
from ter.experiment.best_known.space import Decisions
from ter.experiment.best_known.trials import Trials
from ter.experiment.database import Database
from ter.experiment.record import Record

__all__ = ["BestStore"]

TASK = ", ".join(field.name for field in fields(SearchTask))


class BestStore(Database):
    """Searches in a file, one per task.

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
        If the file is something else, or was made by a newer version.
    StoreLocked
        If another process writes to it.

    Examples
    --------
    >>> import tempfile
    >>> with BestStore(tempfile.mkdtemp() + "/best.sqlite", write=True) as store:
    ...     store.known()
    []
    """

    form = FORM

    def find(self, search: Search) -> int | None:
        """Return the number of a search in this file; None if its task is not there.

        Raises
        ------
        InvalidArgument
            If the task is there with other settings.
        """
        where = " AND ".join(f"{field.name} = ?" for field in fields(SearchTask))
        with self.guarded():
            found = self.connection.execute(
                f"SELECT id, settings FROM searches WHERE {where}", astuple(search.task)
            ).fetchone()
        if found is None:
            return None
        _require_same(search, json.loads(found[1]), self.path)
        return int(found[0])

    def begin(self, search: Search) -> int:
        """Return the number of a search in this file; it is added if its task is new."""
        found = self.find(search)
        if found is not None:
            return found
        row = (*astuple(search.task), json.dumps(search.space.names), json.dumps(search.settings), _now())
        places = ", ".join("?" * len(row))
        with self.transaction():
            done = self.connection.execute(
                f"INSERT INTO searches ({TASK}, heuristics, settings, begun) VALUES ({places})", row
            )
            return int(done.lastrowid or 0)

    def search_of(self, best: BestKnown, folder: str = ".") -> Search:
        """Return the search that found a sequence, so that it can go on; its code is the present one."""
        task = SearchTask(best.problem, best.dimension, best.algorithm, best.parameters, best.budget, best.code)
        where = " AND ".join(f"{field.name} = ?" for field in fields(SearchTask))
        with self.guarded():
            found = self.connection.execute(f"SELECT settings FROM searches WHERE {where}", astuple(task)).fetchone()
        if found is None:
            raise InvalidArgument(
                f"a sequence must be of this file, got one for {best.problem} that is not in {self.path}"
            )
        settings = json.loads(found[0])
        return Search(
            best.problem,
            best.dimension,
            best.budget,
            best.algorithm,
            best.parameters,
            folder=folder,
            **settings,
        )

    def plan(self, search: int, candidates: Iterable[Candidate]) -> None:
        """Keep the candidates of a generation, all or none."""
        rows = [(search, c.number, c.generation, c.origin, json.dumps(c.sequence)) for c in candidates]
        with self.transaction():
            self.connection.executemany("INSERT INTO candidates VALUES (?, ?, ?, ?, ?)", rows)

    def add(self, search: int, number: int, record: Record, *, fresh: bool = False) -> None:
        """Keep a run of a candidate for good before returning."""
        seed, fun = record.key.seed, repr(record.fun)
        row = (search, number, fresh, record.run, seed, fun, len(record.actions), record.wall, _now())
        with self.transaction():
            self.connection.execute("INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def trials(self, search: int) -> Trials:
        """Return what a search has tried."""
        with self.guarded():
            ask = self.connection.execute
            settings = json.loads(ask("SELECT settings FROM searches WHERE id = ?", (search,)).fetchone()[0])
            planned = ask(
                "SELECT number, generation, origin, sequence FROM candidates WHERE search = ? ORDER BY number",
                (search,),
            ).fetchall()
            runs = ask("SELECT number, run, fun FROM runs WHERE search = ? AND NOT fresh", (search,)).fetchall()
        candidates = [Candidate(n, g, origin, tuple(json.loads(text))) for n, g, origin, text in planned]
        trials = Trials(settings["runs"], settings["statistic"], candidates)
        for number, run, fun in runs:
            trials.note(number, run, float(fun))
        return trials

    def walls(self, search: int) -> list[float]:
        """Return the seconds that each run of a search took."""
        with self.guarded():
            found = self.connection.execute("SELECT wall FROM runs WHERE search = ?", (search,)).fetchall()
        return [float(wall) for (wall,) in found]

    def fresh(self, search: int, number: int) -> dict[int, tuple[int, float]]:
        """Return seed and value of the runs of a candidate that had no part in the choice, by their number."""
        with self.guarded():
            found = self.connection.execute(
                "SELECT run, seed, fun FROM runs WHERE search = ? AND number = ? AND fresh ORDER BY run",
                (search, number),
            ).fetchall()
        return {run: (seed, float(fun)) for run, seed, fun in found}

    def earlier(self, search: Search) -> list[Decisions]:
        """Return the best sequences that other code has found for the same task, the newest code first."""
        task = search.task
        with self.guarded():
            found = self.connection.execute(
                "SELECT id FROM searches WHERE problem = ? AND dimension = ? AND algorithm = ? AND parameters = ? AND "
                "budget = ? AND code <> ? ORDER BY id DESC",
                astuple(task),
            ).fetchall()
        ranked = [self.trials(other).ranked()[: search.keep] for (other,) in found]
        return [candidate.sequence for best in ranked for candidate in best]

    def known(
        self,
        problem: str | None = None,
        *,
        dimension: int | None = None,
        budget: str | None = None,
        algorithm: str | None = None,
    ) -> list[BestKnown]:
        """Return the best known sequences: of all tasks, or of those that agree with what is given.

        If several versions of the code have searched for the same task, the last one that has a result counts.
        """
        asked = {"problem": problem, "dimension": dimension, "budget": budget, "algorithm": algorithm}
        given = {name: value for name, value in asked.items() if value is not None}
        clauses = ["true", *(f"{name} = :{name}" for name in given)]
        with self.guarded():
            rows = self.connection.execute(
                f"SELECT id, heuristics, settings, {TASK} FROM searches WHERE {' AND '.join(clauses)} ORDER BY id",
                given,
            ).fetchall()
        found: dict[tuple[Any, ...], BestKnown] = {}
        for search, heuristics, settings, *task in rows:
            best = self._best(search, SearchTask(*task), tuple(json.loads(heuristics)), json.loads(settings))
            if best is not None:
                found[tuple(task[:-1])] = best
        return list(found.values())

    def _best(
        self, search: int, task: SearchTask, heuristics: tuple[str, ...], settings: dict[str, Any]
    ) -> BestKnown | None:
        trials = self.trials(search)
        ranked = trials.ranked()
        if not ranked:
            return None
        first = ranked[0]
        with self.guarded():
            seeds = self.connection.execute(
                "SELECT seed FROM runs WHERE search = ? AND number = ? AND NOT fresh ORDER BY run",
                (search, first.number),
            ).fetchall()
        fresh = self.fresh(search, first.number).values()
        scored = {c.number: value for c in ranked if (value := trials.value(c.number)) is not None}
        origins = {candidate.origin: scored[candidate.number] for candidate in ranked}
        return BestKnown(
            problem=task.problem,
            dimension=task.dimension,
            budget=task.budget,
            algorithm=task.algorithm,
            parameters=task.parameters,
            heuristics=heuristics,
            sequence=first.sequence,
            value=scored[first.number],
            statistic=settings["statistic"],
            seeds=tuple(seed for (seed,) in seeds),
            values=trials.values(first.number),
            number=first.number,
            origin=first.origin,
            tried=len(ranked),
            seed=settings["seed"],
            code=task.code,
            alone={name: origins[alone(name)] for name in heuristics if alone(name) in origins},
            fresh_seeds=tuple(seed for seed, _ in fresh),
            fresh_values=tuple(fun for _, fun in fresh),
        )


def _require_same(search: Search, stored: dict[str, Any], path: Path) -> None:
    for name, value in search.settings.items():
        if stored[name] != value:
            raise InvalidArgument(
                f"a search must go on with the settings it was begun with, got {name} = {value!r} for "
                f"{search.task.problem}, begun with {stored[name]!r} in {str(path)!r}; name another file to begin anew"
            )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
