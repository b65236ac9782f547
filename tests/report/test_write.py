from __future__ import annotations

import pytest

from ter.core.errors import UnknownName
from ter.report import Board, Study, tables_of, write_report
from ter.report.figures import figures_of
from tests.report.made import made_record

pytestmark = pytest.mark.slow


def test_a_report_is_a_page_with_tables_and_figures_beside_it(records, tmp_path):
    paths = write_report(iter(records), tmp_path / "new" / "report", published=["mos"], against="ls", title="T")
    assert paths[0] == tmp_path / "new" / "report" / "report.html"
    assert all(path.is_file() and path.stat().st_size > 0 for path in paths) and len(set(paths)) == len(paths)
    names = {str(path.relative_to(tmp_path / "new" / "report")) for path in paths}
    board = Board.of(Study.of(records, "ls"), ["mos"])
    tables = {f"tables/{table.name}.{ending}" for table in tables_of(board) for ending in ("md", "tex", "csv")}
    figures = {f"figures/{name}.{ending}" for name, _ in figures_of(board) for ending in ("pdf", "svg")}
    assert names == {"report.html", *tables, *figures}
    first = (tmp_path / "new" / "report" / "tables" / "errors.csv").read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("lso13,ls,ls std,ter,ter std,ter sign")


def test_a_board_can_be_reported_again_into_the_same_folder(tmp_path):
    board = Board.of(Study.of([made_record()]))
    assert write_report(board, tmp_path) == write_report(board, tmp_path)


@pytest.mark.parametrize("names", [{"published": ["papers"]}, {"against": "tre"}])
def test_unknown_names_write_nothing(records, tmp_path, names):
    with pytest.raises(UnknownName, match="did you mean"):
        write_report(records, tmp_path / "report", **names)
    assert not (tmp_path / "report").exists()
