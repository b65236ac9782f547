"""Which runs there are, and what they took."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ter.display.texts import count_text, time_text
from ter.experiment.record import Record
from ter.report.board import Board
from ter.report.table import Cell, Row, Table

__all__ = ["run_table"]


def run_table(board: Board) -> Table:
    """Return the numbers of finished, failed and missing runs, and their mean times."""
    study, rows = board.study, []
    for label in study.labels:
        finished, failed, missing = study.count(label)
        records = [record for case in study.cases for record in study.group(case, label).finished]
        rows.append(
            Row(
                label,
                (
                    *(Cell(str(number), number) for number in (finished, failed, missing)),
                    _mean([float(record.nfev) for record in records], count_text),
                    _mean([record.cpu for record in records], time_text),
                    _mean([_rate(record) for record in records if record.cpu > 0], count_text),
                ),
            )
        )
    header = ("algorithm", "finished", "failed", "missing", "evaluations", "CPU time", "evaluations per CPU second")
    notes = ["Means over finished runs."]
    if study.superseded:
        notes.append(f"{study.superseded} older results of runs that were done again are not used.")
    if len(study.codes) > 1:
        notes.append(f"The runs were done by {len(study.codes)} versions of the code.")
    return Table("runs", "Runs", header, tuple(rows), tuple(notes))


def _rate(record: Record) -> float:
    return record.nfev / record.cpu


def _mean(values: list[float], text: Callable[[float], str]) -> Cell:
    if not values:
        return Cell()
    mean = float(np.mean(values))
    return Cell(text(mean), mean)
