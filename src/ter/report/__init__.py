"""Reports of experiments: tables, figures and a page from the records of many runs.

>>> import tempfile
>>> from ter.experiment import Plan, Store, run_plan
>>> from ter.report import Board, Study, tables_of
>>> path = tempfile.mkdtemp() + "/results.sqlite"
>>> plan = Plan(problems=["lso08/f1"], dimensions=[10], algorithms=["ter", "ls"], runs=2, budget=1_000)
>>> run_plan(plan, path, workers=1).done
True
>>> with Store(path) as store:
...     study = Study.of(store.records(), against="ls")
>>> study.labels, [case.name for case in study.cases]
(('ls', 'ter'), ['f1'])
>>> [table.name for table in tables_of(Board.of(study))][:3]
['errors', 'medians', 'ranks']
"""

from __future__ import annotations

from ter.report.best import BestSequence, best_sequences
from ter.report.board import Board, Column
from ter.report.case import Case
from ter.report.estimate import Estimate
from ter.report.formats import as_csv, as_markdown, as_terminal
from ter.report.group import Group
from ter.report.latex import as_latex
from ter.report.study import Study
from ter.report.table import Cell, Row, Table
from ter.report.tables import tables_of
from ter.report.write import write_report

__all__ = [
    "BestSequence",
    "Board",
    "Case",
    "Cell",
    "Column",
    "Estimate",
    "Group",
    "Row",
    "Study",
    "Table",
    "as_csv",
    "as_latex",
    "as_markdown",
    "as_terminal",
    "best_sequences",
    "tables_of",
    "write_report",
]
