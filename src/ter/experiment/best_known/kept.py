"""What the file of a search holds, read from its rows: tasks, trials, and the best of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any, TypeAlias

from ter.core.budget import Budget
from ter.experiment.best_known.best import BestKnown
from ter.experiment.best_known.proposals import Candidate
from ter.experiment.best_known.schema import CANDIDATES, SEARCHES
from ter.experiment.best_known.search import STATISTICS, SearchTask
from ter.experiment.best_known.trials import Trials
from ter.experiment.parameters import from_text
from ter.experiment.seals import DamagedRow
from ter.experiment.sheets import Sheet

__all__ = ["Kept", "best_of", "read_row", "task_of", "trials_of", "values_of"]

Kept: TypeAlias = dict[str, Any]  # a row by the names of its columns
SETTINGS = {"runs": int, "statistic": str, "first": int, "generation": int, "keep": int, "seed": int}
MOST_RUNS = 1_000_000


def read_row(sheet: Sheet, values: Sequence[Any]) -> Kept:
    """Read the values of a row.

    Raises
    ------
    DamagedRow
        If they say nothing that a search writes.
    """
    row = dict(zip(sheet.columns, values, strict=True))
    try:
        if sheet is SEARCHES:
            from_text(row["parameters"])
            if row["dimension"] < 1 or Budget.read(row["budget"]).evaluations is None:
                raise ValueError("its numbers are impossible")
            return row | {"heuristics": _names(row["heuristics"]), "settings": _settings(row["settings"])}
        if sheet is CANDIDATES:
            return row | {"sequence": _names(row["sequence"])}
        return row | {"fun": float(row["fun"])}
    except (ValueError, TypeError, RecursionError) as error:
        raise DamagedRow(sheet.title_of(values), f"it says nothing that a search writes ({error})") from error


def task_of(search: Kept) -> SearchTask:
    """Return the task of a search."""
    return SearchTask(*(search[field.name] for field in fields(SearchTask)))


def trials_of(search: Kept, candidates: Iterable[Kept], runs: Iterable[Kept]) -> Trials:
    """Return what a search has tried."""
    planned = [Candidate(each["number"], each["generation"], each["origin"], each["sequence"]) for each in candidates]
    planned.sort(key=lambda candidate: candidate.number)
    trials = Trials(search["settings"]["runs"], search["settings"]["statistic"], planned)
    for run in runs:
        if not run["fresh"]:
            trials.note(run["number"], run["run"], run["fun"])
    return trials


def values_of(runs: Iterable[Kept], number: int, *, fresh: bool) -> dict[int, tuple[int, float]]:
    """Return seed and value of the runs of a candidate, by their number, in order."""
    found = {run["run"]: (run["seed"], run["fun"]) for run in runs if run["number"] == number and run["fresh"] == fresh}
    return dict(sorted(found.items()))


def best_of(search: Kept, candidates: Iterable[Kept], runs: Sequence[Kept]) -> BestKnown | None:
    """Return the best sequence of a search; None if there is none yet."""
    trials = trials_of(search, candidates, runs)
    ranked = trials.ranked()
    if not ranked:
        return None
    first, task, heuristics = ranked[0], task_of(search), search["heuristics"]
    chosen, fresh = values_of(runs, first.number, fresh=False), values_of(runs, first.number, fresh=True)
    scored = {c.number: value for c in ranked if (value := trials.value(c.number)) is not None}
    singles = {c.only: scored[c.number] for c in ranked}  # a recorded run may be one, whatever its origin
    return BestKnown(
        problem=task.problem,
        dimension=task.dimension,
        budget=task.budget,
        algorithm=task.algorithm,
        parameters=task.parameters,
        heuristics=heuristics,
        sequence=first.sequence,
        value=scored[first.number],
        statistic=search["settings"]["statistic"],
        seeds=tuple(seed for seed, _ in chosen.values()),
        values=tuple(fun for _, fun in chosen.values()),
        number=first.number,
        origin=first.origin,
        tried=len(ranked),
        seed=search["settings"]["seed"],
        code=task.code,
        alone={name: singles[name] for name in heuristics if name in singles},
        fresh_seeds=tuple(seed for seed, _ in fresh.values()),
        fresh_values=tuple(fun for _, fun in fresh.values()),
    )


def _names(text: str) -> tuple[str, ...]:
    read = json.loads(text)
    if not isinstance(read, list) or not read or not all(isinstance(name, str) for name in read):
        raise ValueError("it has no list of names")
    return tuple(read)


def _settings(text: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(text)
    if not isinstance(read, dict) or {name: type(value) for name, value in read.items()} != SETTINGS:
        raise ValueError("it does not have the settings of a search")
    if not 1 <= read["runs"] <= MOST_RUNS or read["statistic"] not in STATISTICS:
        raise ValueError("its settings are impossible")
    return read
