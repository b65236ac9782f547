"""The example that comes with the project is what its store gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from ter.experiment.plan import Plan
from ter.experiment.store import Store
from ter.report import Board, Study, as_markdown, best_sequences, tables_of

EXAMPLE = Path(__file__).parents[2] / "studies" / "example"
PUBLISHED = ["paper", "mos", "mlshade-spa", "cosacc-ls1"]


@pytest.fixture(scope="module")
def study():
    with Store(EXAMPLE / "results.sqlite") as store:
        return Study.of(store.records())


def test_the_store_holds_the_whole_plan(study):
    specs = Plan.load(EXAMPLE / "plan.toml").specs()
    planned = {(spec.key.problem, spec.label, spec.key.seed) for spec in specs}
    assert {(r.key.problem, r.label, r.key.seed) for r in study.records if not r.failed} == planned
    assert study.labels == ("ter", "ran", "ls", "cc", "gs") and len(study.codes) == 1


def test_the_tables_of_the_report_are_those_of_the_store(study):
    tables = tables_of(Board.of(study, PUBLISHED, best_sequences(EXAMPLE / "best.sqlite")))
    folder = EXAMPLE / "report" / "tables"
    assert {path.stem for path in folder.glob("*.md")} == {table.name for table in tables}
    for table in tables:
        assert (folder / f"{table.name}.md").read_text(encoding="utf-8") == as_markdown(table)


def test_the_files_are_small_enough_to_be_kept():
    assert (EXAMPLE / "results.sqlite").stat().st_size < 2_000_000
    assert (EXAMPLE / "report" / "report.html").stat().st_size < 1_000_000
