from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import sys
from html.parser import HTMLParser
from importlib.resources import files

import pytest

from ter.core.errors import MissingExtra
from ter.report import BestSequence, Board, Cell, Row, Study, Table, tables_of
from ter.report.page import write_experiment_page
from ter.report.tables.sections import SECTIONS, Section
from tests.report.made import made_record, small_study

pytestmark = pytest.mark.slow

VOID = {"meta", "br"}
STATIC = files("ter.report").joinpath("static")


class Reader(HTMLParser):
    """Collects tags and texts, and checks that tags nest."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for key, value in attrs if key in ("src", "href")]
        self.ids += [value for key, value in attrs if key == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.texts.append(data.strip())


def page_of(records, folder, *names, **more):
    board = records if isinstance(records, Board) else Board.of(Study.of(records), names)
    write_experiment_page(board, folder / "report.html", **more)
    text = (folder / "report.html").read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    assert reader.open == [] and len(set(reader.ids)) == len(reader.ids)
    return text, reader


def unpacked(text, name):
    packed = re.search(rf'<script type="text/plain" id="packed-{name}">([^<]*)</script>', text)[1]
    return gzip.decompress(base64.b64decode(packed)).decode()


def test_the_page_needs_no_network(records, tmp_path):
    text, reader = page_of(records, tmp_path, "paper", "mos")
    assert all(link.startswith("#") and link[1:] in reader.ids for link in reader.links)
    assert not re.search(r"https?://|url\(|@import|fetch\(", text)
    assert "default-src 'none'" in text
    assert len(text) < 1_000_000


def test_the_chart_library_is_there_once_and_as_published(records, tmp_path):
    text, reader = page_of(records, tmp_path)
    library = unpacked(text, "plotly")
    assert (
        library.startswith("/**\n* plotly.js (basic - minified) v")
        and "Licensed under the MIT license" in library[:300]
    )
    digest = hashlib.sha256(library.encode()).hexdigest()
    assert f"SHA-256 of `plotly-basic.min.js`: {digest}" in STATIC.joinpath("README.md").read_text(encoding="utf-8")
    assert "MIT License" in STATIC.joinpath("plotly-LICENSE.txt").read_text(encoding="utf-8")
    assert reader.tags.count("script") == 3


def test_what_the_charts_show(records, tmp_path):
    text, _ = page_of(records, tmp_path, "mos", about={"lso13/f1": "A valley."})
    data = json.loads(unpacked(text, "data"))
    first, second = data["cases"]
    assert first["name"] == "f1" and first["facts"].startswith("A valley. · 1\xa0000 variables")
    assert [label["name"] for label in data["labels"]] == ["ter", "ran", "ls"]
    curve = first["curves"]["ran"]
    assert (curve["lowest"][-1], curve["low"][-1], curve["median"][-1]) == (10, 15.5, 21)
    assert len(first["x"]) == len(curve["median"]) and first["x"][-1] == 600_000
    assert first["scale"]["kind"] == "symlog" and second["scale"]["kind"] == "log"
    assert [strip["who"] for strip in first["strips"]["ter"]] == [[0, 1, 2, 2], [0, 1, 2, 2], [0, 1, 2, 0]]
    assert first["strips"]["ter"][0]["ends"] == [150_000, 300_000, 450_000, 600_000]
    assert first["chances"]["ter"]["p"][0][0] == 0.5
    assert first["quotes"] == [{"name": "mos", "x": 120_000, "y": 2.71e7}, {"name": "mos", "x": 600_000, "y": 3.48}]
    assert data["ranks"]["names"] == ["ter", "ls", "ran"] and data["ranks"]["groups"] == [[0, 2]]


def test_the_head_tells_what_was_run(records, tmp_path):
    _, reader = page_of(records, tmp_path, title="My study")
    assert "My study" in reader.texts
    assert "3 algorithms on 2 problems of lso13, 3 runs each, 600\xa0000 evaluations per run." in reader.texts
    joined = " ".join(reader.texts)
    assert "ter 0.1.0, python 3.11" in joined and "Abacus, Wood, 2 cores" in joined
    assert "failed runs" not in joined


def test_failed_and_missing_runs_are_told_at_the_top(tmp_path):
    records = [made_record(run=run) for run in (1, 2, 3)] + [made_record(label="ls", traceback="Trace\nBoom: it did\n")]
    _, reader = page_of(records, tmp_path)
    assert "1 failed and 2 missing runs" in reader.texts
    assert any("lso13/f1, ls, run 1: Boom: it did" in text for text in reader.texts)


def test_more_than_ten_failures_are_cut_with_a_note(tmp_path):
    records = [made_record(run=run, traceback="Boom\n") for run in range(1, 14)]
    _, reader = page_of(records, tmp_path)
    assert "3 more failed runs are in the store." in reader.texts


def test_names_and_tracebacks_are_escaped(tmp_path):
    attack = "</script><script>alert('x')</script>"
    records = [made_record(label=attack, problem=attack), made_record(label="b", problem=attack, traceback=attack)]
    text, reader = page_of(records, tmp_path, title=attack, about={attack: attack})
    assert "<script>alert" not in text and reader.tags.count("script") == 3


def test_tables_can_be_sorted_by_their_values(records, tmp_path):
    text, _ = page_of(records, tmp_path)
    table = re.search(r'<table data-table="errors">.*?</table>', text, flags=re.S)[0]
    assert re.findall(r'data-value="([^"]*)"', table) == ["2.0", "21.0", "0.0", "6000.0", repr(18_100 / 3), "91000.0"]
    assert table.count('<th scope="col"><button') == 4 and "<tfoot>" in table


def shown_tables(text):
    return re.findall(r'data-table="([^"]*)"', text)


def test_every_table_of_the_list_is_on_the_page_once(tmp_path):
    """With everything there is: published results, best known sequences, several sizes."""
    best = [BestSequence("lso13/f1", 1000, "600000", ("ls1", "cc"), (1.0, 2.0))]
    made = {"problem": "lso08/f1", "decisions": "LC", "milestones": {120_000: 2.0, 600_000: 1.0}}
    sizes = [made_record(dimension=d, run=run, **made) for d in (100, 200) for run in (1, 2)]
    board = Board.of(Study.of([*small_study(), *sizes]), ["paper", "mos"], best)
    names = [table.name for table in tables_of(board)]
    text, _ = page_of(board, tmp_path)
    assert shown_tables(text) == names and len(set(names)) == len(names)
    kinds = [make(board) for section in SECTIONS for make in section.makers]
    assert all(kinds)  # no kind of table is missing in this test


def test_odd_experiments_have_all_their_tables_on_the_page(partial, tmp_path):
    board = Board.of(Study.of(partial), ["paper", "mos"])
    text, reader = page_of(board, tmp_path)
    assert shown_tables(text) == [table.name for table in tables_of(board)]
    assert all(link[1:] in reader.ids for link in reader.links)
    assert "solved" in reader.ids  # its chart needs no table


def test_a_single_algorithm_is_ranked_beside_published_ones(tmp_path):
    text, reader = page_of([made_record(problem=f"lso13/f{i}") for i in (1, 2)], tmp_path, "mos")
    assert "ranks-published" in shown_tables(text) and "ranks-published-plot" in reader.ids


def test_decisions_are_compared_with_best_known_ones_even_if_no_run_decides(tmp_path):
    best = [BestSequence("lso13/f1", 1000, "600000", ("ls1", "cc"), (1.0, 2.0))]
    text, reader = page_of(Board.of(Study.of([made_record(decisions="LLL")]), best=best), tmp_path)
    assert "similarity-best-known" in shown_tables(text) and "shares-all" not in reader.ids


def test_a_table_that_is_added_to_the_list_is_on_the_page_and_in_the_files(board, tmp_path, monkeypatch):
    def new(board):
        return Table("new", "Something new", ("", "x"), (Row("f1", (Cell("1", 1),)),))

    monkeypatch.setattr("ter.report.tables.sections.SECTIONS", (*SECTIONS, Section("novelties", "Novelties", (new,))))
    text, reader = page_of(board, tmp_path)
    assert shown_tables(text)[-1] == "new" and "novelties" in reader.ids and "Novelties" in reader.texts
    assert tables_of(board)[-1].name == "new"


def test_published_results_are_named_with_their_sources(records, tmp_path):
    _, reader = page_of(records, tmp_path, "paper", "mos")
    joined = " ".join(reader.texts)
    assert (
        "They were not run here." in joined and "LaTorre, Muelas, Peña" in joined and "Zhao, Ge, Lian, Zhang" in joined
    )


def test_odd_experiments_make_a_page(partial, tmp_path):
    text, reader = page_of(partial, tmp_path, "paper", "mos")
    data = json.loads(unpacked(text, "data"), parse_constant=pytest.fail)  # neither NaN nor Infinity
    assert len(data["cases"]) >= 1 and "runs" in reader.ids
    assert "nan" not in " ".join(reader.texts).lower().replace("nano", "")


def test_without_jinja_the_error_names_the_extra(board, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ter\[report\]'"):
        write_experiment_page(board, tmp_path / "report.html")
