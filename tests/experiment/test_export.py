from __future__ import annotations

import csv
import json

import pytest

from ter.core.errors import InvalidArgument, MissingExtra, UnknownName
from ter.experiment.export import export
from ter.experiment.store import Store
from tests.experiment.helpers import failed, record


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "results.sqlite", write=True) as store:
        store.add(record(1, 0.1 + 0.2))
        store.add(failed(2))
        store.add(record(3, float("inf"), milestones={500: 1e-300}, f_opt=None, facts={"host": "there", "os": "x"}))
        yield store


def read_csv(path):
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def read_parquet(path):
    return pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()


READERS = {".csv": read_csv, ".parquet": read_parquet}


def exported(store, tmp_path, ending, what):
    path = tmp_path / "tables" / f"table{ending}"
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    number = export(store, path, what)
    rows = READERS[ending](path)
    assert len(rows) == number
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    return rows


@pytest.mark.parametrize("ending", READERS)
def test_runs(store, tmp_path, ending):
    rows = exported(store, tmp_path, ending, "runs")
    assert [int(row["run"]) for row in rows] == [1, 2, 3]
    assert float(rows[0]["fun"]) == 0.1 + 0.2 and float(rows[2]["fun"]) == float("inf")
    assert float(rows[0]["at_1000"]) == 2.0 and float(rows[2]["at_500"]) == 1e-300 and rows[2]["at_1000"] in ("", None)
    assert (rows[0]["sequence"], rows[2]["host"], rows[0]["os"] or "") == ("ls1", "there", "")
    assert rows[1]["traceback"] == "Boom: it did\n" and not rows[0]["traceback"]
    assert (rows[0]["problem"], rows[0]["parameters"], rows[0]["code"]) == ("lso13/f1", "{}", "abc")


@pytest.mark.parametrize("ending", READERS)
def test_curves(store, tmp_path, ending):
    rows = exported(store, tmp_path, ending, "curves")
    assert [(int(row["run"]), int(row["evaluations"]), float(row["value"])) for row in rows] == [
        (1, 1, 9.0), (1, 50, 2.0), (1, 2_900, 0.1 + 0.2), (3, 1, 9.0), (3, 50, 2.0), (3, 2_900, float("inf")),
    ]  # fmt: skip


@pytest.mark.parametrize("ending", READERS)
def test_actions(store, tmp_path, ending):
    first, last = exported(store, tmp_path, ending, "actions")
    assert (int(first["run"]), int(last["run"]), first["heuristic"], int(first["nfev"])) == (1, 3, "ls1", 2950)
    assert json.loads(first["probabilities"]) == [1.0, 0.0]
    assert float(first["reward"]) == 0.1 and float(last["after"]) == float("inf")
    assert (float(first["seconds"]), first["entered"] or None, first["left"] or None) == (0.0, None, None)
    assert (first["origin"], first["grade"] or None, first["remark"] or None) == ("incumbent", None, None)


def test_parquet_has_numbers_where_there_are_numbers(store, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    export(store, tmp_path / "runs.parquet")
    kinds = {field.name: str(field.type) for field in parquet.read_schema(tmp_path / "runs.parquet")}
    assert (kinds["seed"], kinds["fun"], kinds["at_500"], kinds["label"]) == ("int64", "double", "double", "string")


def test_many_rows_are_written_in_pieces(store, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    monkeypatch.setattr("ter.experiment.export.CHUNK", 4)
    assert len(exported(store, tmp_path, ".parquet", "curves")) == 6


def test_an_old_table_is_replaced(store, tmp_path):
    (tmp_path / "runs.csv").write_text("old")
    assert export(store, tmp_path / "runs.csv") == 3
    assert len(read_csv(tmp_path / "runs.csv")) == 3


def test_without_pyarrow_parquet_is_refused_with_the_cure(store, tmp_path, monkeypatch):
    monkeypatch.setattr("ter.experiment.export.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'ter\[parquet\]'"):
        export(store, tmp_path / "runs.parquet")


@pytest.mark.parametrize(
    ("name", "what", "error", "message"),
    [
        ("runs.xlsx", "runs", InvalidArgument, "ending in .csv or .parquet, got .*xlsx"),
        ("runs.csv", "curve", UnknownName, "unknown table 'curve'; did you mean 'curves'"),
        ("results.sqlite/runs.csv", "runs", InvalidArgument, "a file that can be written"),
    ],
)
def test_bad_requests_are_refused(store, tmp_path, name, what, error, message):
    with pytest.raises(error, match=message):
        export(store, tmp_path / name, what)


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_texts_that_cannot_be_encoded_are_stored_and_written_with_backslashes(tmp_path, ending):
    with Store(tmp_path / "odd.sqlite", write=True) as store:
        store.add(failed(1, traceback="Boom: caf\xe9 \udcff\n", facts={"host": "\udcff"}))
        (row,) = exported(store, tmp_path, ending, "runs")
    assert (row["traceback"], row["host"]) == ("Boom: café \\udcff\n", "\\udcff")


def test_a_link_in_the_place_of_a_file_under_way_is_not_followed(store, tmp_path):
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "runs.csv.partial").symlink_to(tmp_path / "precious")
    export(store, tmp_path / "runs.csv")
    assert (tmp_path / "precious").read_text() == "precious"


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1+cmd", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\x0b=1", "\ufeff=1", "\uff1d1"]
)
def test_a_text_that_a_spreadsheet_would_compute_is_quoted_in_csv(tmp_path, text):
    with Store(tmp_path / "results.sqlite", write=True) as store:
        store.add(record(1, -2.5, label=text, facts={text: text}))
        export(store, tmp_path / "runs.csv")
    (row,) = read_csv(tmp_path / "runs.csv")
    quoted = f"'{text}".replace("\r", "\n")
    assert row["label"] == quoted and row[quoted] == quoted
    assert row["fun"] == "-2.5"  # numbers are numbers
