"""Tables of a store for other programs: CSV, or Parquet if pyarrow is there."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, Literal, get_args

from ter.core.action import Action
from ter.core.errors import InvalidArgument, MissingExtra, UnknownName
from ter.display.archive import whole_file
from ter.display.texts import csv_cell
from ter.experiment.record import Record
from ter.experiment.rows import KEY
from ter.experiment.store import Store

__all__ = ["What", "export"]

What = Literal["runs", "curves", "actions"]
Values = tuple[Any, ...]
NUMBERS = ("dimension", "seed", "run", "nfev", "evaluations", "index", "investing")
RUN = (*KEY, "label", "run")
RUNS = (*RUN, "fun", "f_opt", "error", "nfev", "wall", "cpu", "started", "sequence", "traceback")
CURVES = (*RUN, "evaluations", "value")
ACTIONS = (*RUN, "index", "heuristic", "cost", "nfev", "before", "after", "reward", "probabilities", "seconds",
           "entered", "left", "origin", "grade", "remark", "investing")  # fmt: skip
ENDINGS = (".csv", ".parquet")
CHUNK = 50_000  # rows written at once


def export(store: Store, path: str | PathLike[str], what: What = "runs") -> int:
    """Write a table of a store; return the number of rows.

    Parameters
    ----------
    store : Store
        What to read.
    path : path
        Where to write: ``.csv`` or ``.parquet``. The file appears when it is complete. In CSV, texts that a
        spreadsheet would compute, such as ``=1+1``, have an apostrophe before them.
    what : {"runs", "curves", "actions"}
        One row per run, with the values at milestones in columns ``at_120000`` and so on, and facts about the machine;
        one per point of the convergence curves; or one per decision. Curves and actions are of finished runs.
    """
    file = Path(path)
    if what not in get_args(What):
        raise UnknownName.among("table", what, get_args(What))
    if file.suffix.lower() not in ENDINGS:
        raise InvalidArgument(f"a table must be written to a file ending in {' or '.join(ENDINGS)}, got {str(path)!r}")
    if file.suffix.lower() == ".parquet" and find_spec("pyarrow") is None:
        raise MissingExtra.named("pyarrow", "parquet", "writing Parquet")
    names, rows = _table(store, what)
    write = _write_csv if file.suffix.lower() == ".csv" else _write_parquet
    try:
        with whole_file(file) as stream:
            return write(stream, names, rows)
    except OSError as error:
        raise InvalidArgument(f"a table must go to a file that can be written, got {error}") from error


def _table(store: Store, what: What) -> tuple[Sequence[str], Iterator[Values]]:
    if what == "runs":
        return _runs(list(store.records()))
    finished = store.records(failed=False)
    if what == "curves":
        return CURVES, ((*_run(r), int(count), value) for r in finished for count, value in r.curve.tolist())
    return ACTIONS, ((*_run(r), *_action(a)) for r in finished for a in r.actions)


def _runs(records: Sequence[Record]) -> tuple[Sequence[str], Iterator[Values]]:
    milestones = sorted({count for record in records for count in record.milestones})
    facts = sorted({fact for record in records for fact in record.facts})
    names = [*RUNS, *(f"at_{count}" for count in milestones), *facts]
    rows = (
        (
            *_run(record),
            record.fun,
            record.f_opt,
            record.error,
            record.nfev,
            record.wall,
            record.cpu,
            record.started,
            " ".join(record.sequence),
            record.traceback,
            *(record.milestones.get(count) for count in milestones),
            *(record.facts.get(fact) for fact in facts),
        )
        for record in records
    )
    return names, rows


def _run(record: Record) -> Values:
    return (*astuple(record.key), record.label, record.run)


def _action(action: Action) -> Values:
    numbers = (action.index, action.heuristic, action.cost, action.nfev, action.before, action.after, action.reward)
    ends = action.own or (None, None)
    remarks = (action.origin, action.grade, action.remark, int(action.investing))
    return (*numbers, json.dumps(action.probabilities), action.seconds, *ends, *remarks)


def _write_csv(file: BinaryIO, names: Sequence[str], rows: Iterable[Values]) -> int:
    number = 0
    stream = io.TextIOWrapper(file, newline="", encoding="utf-8", errors="backslashreplace")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(map(csv_cell, names))
    for row in rows:
        writer.writerow(map(csv_cell, row))  # floats with all their digits
        number += 1
    stream.detach()
    return number


def _write_parquet(file: BinaryIO, names: Sequence[str], rows: Iterable[Values]) -> int:
    import pyarrow as arrow
    from pyarrow.parquet import ParquetWriter

    schema = arrow.schema([(name, _kind(name, arrow)) for name in names])
    number = 0
    with ParquetWriter(file, schema) as writer:
        for chunk in _chunks(rows):
            columns = zip(*chunk, strict=True)
            arrays = [arrow.array(values, type=field.type) for values, field in zip(columns, schema, strict=True)]
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))
            number += len(chunk)
    return number


def _kind(name: str, arrow: Any) -> Any:
    if name in NUMBERS:
        return arrow.int64()
    values = (
        "fun",
        "f_opt",
        "error",
        "wall",
        "cpu",
        "value",
        "cost",
        "before",
        "after",
        "reward",
        "seconds",
        "entered",
        "left",
        "grade",
    )
    return arrow.float64() if name in values or name.startswith("at_") else arrow.string()


def _chunks(rows: Iterable[Values]) -> Iterator[list[Values]]:
    chunk: list[Values] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
