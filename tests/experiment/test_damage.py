"""Damaged files: what is damaged is named, the rest is read, and nothing is written to them."""

from __future__ import annotations

import shutil
import sqlite3
import tracemalloc
import zlib
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from ter.core.action import Action
from ter.core.errors import DamageWarning
from ter.experiment.best_known.store import BestStore
from ter.experiment.rows import COLUMNS, record_of, row_of
from ter.experiment.runner import run_plan
from ter.experiment.store import Store, StoreError
from tests.experiment.best_known.helpers import small_search
from tests.experiment.best_known.test_store import filled as filled_best
from tests.experiment.helpers import failed, record, results, small_plan, whole

FORMAT1 = Path(__file__).parents[1] / "data" / "stores"  # made by the version that had no checksums


@pytest.fixture
def path(tmp_path):
    """A store of five runs."""
    with Store(tmp_path / "results.sqlite", write=True) as store:
        for seed in range(1, 5):
            store.add(record(seed))
        store.add(failed(5))
    return tmp_path / "results.sqlite"


def change(path, *statements):
    """Change a file behind the back of ter."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(*statement) if isinstance(statement, tuple) else connection.execute(statement)


def read(path, named):
    """The runs of a store in which some are damaged, after a warning that names them."""
    with pytest.warns(DamageWarning, match=named), Store(path) as store:
        return [each.run for each in store.records()]


def test_one_bad_blob_is_named_and_the_others_are_read(path):
    change(path, "UPDATE runs SET detail = x'0102' WHERE run = 2")
    assert read(path, r"lso13/f1 D=1000 ter run 2: its checksum .*merge NEW .*results.sqlite.*run PLAN") == [1, 3, 4, 5]


@pytest.mark.parametrize("column", COLUMNS)
def test_no_column_can_change_unseen(path, column):
    kind = COLUMNS[column].split()[0]
    value = {"TEXT": "'changed'", "INTEGER": "7", "REAL": "0.125", "BLOB": "x'00'"}[kind]
    change(path, f"UPDATE runs SET {column} = {value} WHERE run = 3")
    named = column in ("problem", "dimension", "label", "run")
    name = "row 3 of runs, which is called .* or lso13/f1 D=1000 ter run 3" if named else "lso13/f1 D=1000 ter run 3"
    assert read(path, f"{name}: its checksum is that of something else") == [1, 2, 4, 5]


def test_a_row_in_the_place_of_another_is_noticed(path):
    swapped = "UPDATE runs SET (curve, detail) = (SELECT curve, detail FROM runs WHERE run = 5) WHERE run = 2"
    change(path, swapped, "UPDATE runs SET id = id + 100 WHERE id = 4")
    assert read(path, "run 2: its checksum .*run 4: it is lost; row 104 of runs: it has no checksum") == [1, 3, 5]


def test_a_lost_record_is_named(path):
    change(path, "DELETE FROM runs WHERE run = 4")
    assert read(path, "lso13/f1 D=1000 ter run 4: it is lost") == [1, 2, 3, 5]


def test_a_record_that_is_lost_with_its_seal_is_noticed(path):
    change(path, "DELETE FROM runs WHERE run = 5", "DELETE FROM seals WHERE row = 5")
    assert read(path, "the seals of runs: 5 were written, 4 are there") == [1, 2, 3, 4]


def test_a_file_that_was_cut_in_its_last_page_does_not_lose_a_record_silently(tmp_path):
    """Of every length: all records are there, or the missing ones are told, or the file is refused."""
    path = tmp_path / "results.sqlite"
    with Store(path, write=True) as store:
        for seed in range(1, 40):
            store.add(record(seed))
    content = path.read_bytes()
    for length in range(len(content) - 4095, len(content), 273):
        path.write_bytes(content[:length])
        with pytest.MonkeyPatch.context() as patch:
            told = []
            patch.setattr("warnings.warn", lambda message, **_: told.append(str(message)))  # noqa: B023
            try:
                with Store(path) as store:
                    runs = [each.run for each in store.records()]
            except StoreError:
                continue
        assert runs == list(range(1, 40)) or told


def test_rows_of_the_wrong_kind_are_named(path):
    change(path, "UPDATE runs SET dimension = 'many' WHERE run = 1", "UPDATE runs SET facts = x'ff' WHERE run = 2")
    assert read(path, "run 1: it holds values of the wrong kind; .*run 2: it holds values of the wrong kind") == [
        3,
        4,
        5,
    ]


def test_a_damaged_store_is_not_written_to_and_its_runs_can_be_done_again(tmp_path):
    plan, path = small_plan(), tmp_path / "results.sqlite"
    run_plan(plan, path, workers=1)
    with Store(path) as store:
        expected = results(store.records())
    change(path, "UPDATE runs SET fun = 0.5 WHERE id = 2")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"must be whole to be written to; .*run 1: its checksum .*merge NEW"):
        run_plan(plan, path, workers=1)
    assert path.read_bytes() == before
    with Store(tmp_path / "new.sqlite", write=True) as store, pytest.warns(DamageWarning, match="run 1"):
        assert store.merge(path).added == 3
    progress = run_plan(plan, tmp_path / "new.sqlite", workers=1)
    assert (progress.new, progress.finished) == (1, 4)
    with Store(tmp_path / "new.sqlite") as store:
        assert results(store.records()) == expected


def test_a_damaged_index_hides_nothing_from_readers_and_stops_writers(path):
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'runs'"
        ).fetchone()
    content = bytearray(path.read_bytes())
    content[(root - 1) * 4096 + 8 : root * 4096] = bytes(4088)
    path.write_bytes(content)
    with Store(path) as store:
        assert [each.run for each in store.records(problem="lso13/f1")] == [1, 2, 3, 4, 5]
    with pytest.raises(StoreError, match=r"must be whole to be written to; .*the file: "):
        Store(path, write=True)


# Sealed, but nothing that ter writes: somebody meant harm.
HOSTILE = {
    "no JSON": zlib.compress(b"{"),
    "deep JSON": zlib.compress(b"[" * 100_000),
    "a list": zlib.compress(b"[]"),
    "other bytes": b"PK\x03\x04",
    "not all of it": row_of(record(3))[-1][:-1],
    "too much": row_of(record(3))[-1] + b"more",
    "a huge number": zlib.compress(b'{"fun": 1' + b"0" * 400 + b"}"),
    "no text": zlib.compress(b"\xff\xfe"),
}


@pytest.mark.parametrize("detail", HOSTILE.values(), ids=HOSTILE)
def test_what_has_the_right_checksum_and_is_no_record_is_named_too(path, detail):
    with Store(path, write=True) as store, store.transaction():
        store.connection.execute("UPDATE runs SET detail = ? WHERE run = 3", (detail,))
        store.seal(store.form.sheets[0], 3)
    with Store(path) as store, pytest.warns(DamageWarning, match=r"run 3: it is no record"):
        assert [each.run for each in store.records()] == [1, 2, 4, 5]
    with pytest.raises(StoreError, match=r"must be whole to be written to; .*run 3: it is no record"):
        Store(path, write=True)


@pytest.mark.parametrize("column", ["curve", "detail"])
def test_a_small_blob_does_not_fill_the_memory(column):
    row = list(row_of(record(1)))
    bomb = zlib.compress(bytes(1 << 27), 9)
    row[list(COLUMNS).index(column)] = bomb
    tracemalloc.start()
    with pytest.raises(ValueError, match="larger than can be"):
        record_of(row)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(bomb) < 2e5 and most < 100 * len(bomb)


def test_what_packs_too_well_is_kept_all_the_same():
    actions = tuple(Action(0, "ls1", 0.0, 0, 0.0, 0.0) for _ in range(30_000))
    original = record(1, actions=actions, curve=np.column_stack([np.arange(1e5), np.zeros(100_000)]))
    assert whole(record_of(row_of(original))) == whole(original)


STRANGE = {
    "a trigger spy": "CREATE TRIGGER spy AFTER INSERT ON runs BEGIN SELECT 1; END",
    "a view spy": "CREATE VIEW spy AS SELECT * FROM runs",
    "a table spy": "CREATE TABLE spy (x)",
    "a table words": "CREATE VIRTUAL TABLE words USING fts5(x)",
    "an? index spy": "CREATE INDEX spy ON runs (label)",
    "no table runs": "ALTER TABLE runs ADD COLUMN spy AS (abs(-9223372036854775808))",
}


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize("told", STRANGE)
def test_a_file_with_anything_else_in_it_is_not_read(path, told, write):
    change(path, STRANGE[told])
    with pytest.raises(StoreError, match=rf"made, got .*results.sqlite', which has {told}.*do not trust it"):
        Store(path, write=write)


class TestFormat1:
    """Files that were made before there were checksums."""

    @pytest.fixture
    def old(self, tmp_path):
        return Path(shutil.copy(FORMAT1 / "format1.sqlite", tmp_path))

    @pytest.fixture
    def expected(self):
        values = [1 / 3, 2 / 3, -0.0, 4 / 3]
        return [*(whole(record(seed, fun)) for seed, fun in enumerate(values, 1)), whole(failed(5))]

    def test_they_are_read_as_they_are(self, old, expected):
        before = old.read_bytes()
        with Store(old) as store:
            assert [whole(each) for each in store.records()] == expected and not store.sealed
            assert len(store.check().damaged) == 0
        assert old.read_bytes() == before

    def test_they_get_checksums_when_they_are_written_to(self, old, expected):
        with Store(old, write=True) as store:
            assert store.sealed and store.add(record(6))
        with Store(old) as store:
            assert [whole(each) for each in store.records()] == [*expected, whole(record(6))]
        change(old, "UPDATE runs SET wall = 7.0 WHERE run = 1")
        assert read(old, "run 1: its checksum") == [2, 3, 4, 5, 6]

    def test_a_bad_blob_is_named_and_such_a_file_is_left_as_it_is(self, old):
        change(old, "UPDATE runs SET curve = x'00' WHERE run = 2")
        before = old.read_bytes()
        with Store(old) as store, pytest.warns(DamageWarning, match="run 2: it is no record"):
            assert [each.run for each in store.records()] == [1, 3, 4, 5]
        with pytest.raises(StoreError, match=r"must be whole to be written to; .*run 2"):
            Store(old, write=True)
        assert old.read_bytes() == before

    def test_they_can_be_merged(self, old, tmp_path, expected):
        with Store(tmp_path / "new.sqlite", write=True) as store:
            assert store.merge(old).added == 5
            assert [whole(each) for each in store.records()] == expected

    def test_best_known_sequences_too(self, tmp_path):
        old = shutil.copy(FORMAT1 / "format1-best.sqlite", tmp_path)
        with BestStore(old) as store:
            (best,) = store.known()
            assert (best.values, best.number, best.tried, best.fresh_values) == ((0.1 + 0.2,) * 2, 2, 4, (9.0,))
        with BestStore(old, write=True) as store:
            assert store.known() == [best] and store.sealed
            store.add(1, 2, record(102, 8.0, run=2), fresh=True)
        with BestStore(old) as store:
            assert store.known()[0].fresh_values == (9.0, 8.0)


class TestBestKnown:
    @pytest.fixture
    def best(self, tmp_path):
        with BestStore(tmp_path / "best.sqlite", write=True) as store:
            filled_best(store, small_search(), [3.0, 1.5, 2.0, 7.0])
        return tmp_path / "best.sqlite"

    @pytest.mark.parametrize(
        ("statement", "told", "left"),
        [
            ("UPDATE runs SET fun = '0.5' WHERE number = 4 AND run = 1", r"run 1 \(fresh: 0\) of no. 4 of search 1", 3),
            ("UPDATE runs SET fun = 'zero' WHERE number = 4 AND run = 1", "no. 4 of search 1: its checksum", 3),
            ("DELETE FROM runs WHERE number = 2", "no. 2 of search 1: it is lost", 3),
            ("UPDATE candidates SET sequence = '[' WHERE number = 2", "no. 2 of search 1: its checksum", 3),
            ("UPDATE candidates SET generation = 9 WHERE number = 2", "no. 2 of search 1: its checksum", 3),
            ("UPDATE searches SET settings = '{}'", "search 1 .lso08/f1, D=4, ter, 3150.: its checksum", 0),
        ],
    )
    def test_what_is_damaged_is_named_and_the_rest_is_read(self, best, statement, told, left):
        change(best, statement)
        with pytest.warns(DamageWarning, match=told), BestStore(best) as store:
            assert sum(each.tried for each in store.known()) == left
        with pytest.raises(StoreError, match="a file of best known sequences must be whole to be written to"):
            BestStore(best, write=True)

    @pytest.mark.parametrize(
        ("sheet", "statement"),
        [
            (0, "UPDATE searches SET heuristics = '{}'"),
            (0, "UPDATE searches SET settings = '[1]'"),
            (0, "UPDATE searches SET settings = replace(settings, '\"runs\": 2', '\"runs\": 1000000000000')"),
            (0, "UPDATE searches SET settings = replace(settings, '\"runs\": 2', '\"runs\": 0')"),
            (0, "UPDATE searches SET settings = replace(settings, '\"seed\"', '\"folder\"')"),
            (0, "UPDATE searches SET parameters = '['"),
            (0, "UPDATE searches SET budget = 'much'"),
            (0, "UPDATE searches SET budget = '10s'"),
            (0, "UPDATE searches SET dimension = 0"),
            (1, "UPDATE candidates SET sequence = '[1]' WHERE number = 1"),
            (2, "UPDATE runs SET fun = 'x' WHERE rowid = 1"),
        ],
    )
    def test_what_has_the_right_checksum_and_makes_no_sense_is_named_too(self, best, sheet, statement):
        with BestStore(best, write=True) as store, store.transaction():
            assert store.connection.execute(statement).rowcount == 1
            store.seal(store.form.sheets[sheet], 1)
        with BestStore(best) as store, pytest.warns(DamageWarning, match="it says nothing that a search writes"):
            store.known()


class TestMerge:
    """Equal keys with other results."""

    @pytest.mark.parametrize(
        "detail",
        [
            {"fun": 2.0},
            {"nfev": 2_999},
            {"f_opt": -1.0},
            {"milestones": {1000: 2.5}},
            {"heuristics": ("ls1", "gs")},
            {"actions": (Action(0, "ls1", 2950.0, 2950, 9.0, 1.0, 0.1, (0.9, 0.1)),)},
            {"curve": np.array([[1.0, 9.0], [50.0, 2.5], [2_900.0, 1.0]])},
        ],
        ids=lambda detail: next(iter(detail)),
    )
    def test_a_conflict_in_any_detail_is_named(self, path, tmp_path, detail):
        with Store(tmp_path / "other.sqlite", write=True) as store:
            store.add(record(2, **detail))
        with Store(path, write=True) as store:
            merged = store.merge(tmp_path / "other.sqlite")
            assert (merged.kept, merged.differing) == (1, ("lso13/f1 D=1000 ter run 2",))
            assert whole(list(store.records())[1]) == whole(record(2))

    def test_another_machine_and_other_milestones_are_no_conflict(self, path, tmp_path):
        other = record(
            2, wall=9.0, cpu=8.0, started="2031", facts={"host": "there"}, label="TER", milestones={500: 2.0}
        )
        with Store(tmp_path / "other.sqlite", write=True) as store:
            store.add(other)
        with Store(path, write=True) as store:
            assert store.merge(tmp_path / "other.sqlite").differing == ()


def test_a_damaged_schema_whose_bytes_are_no_text_is_refused_in_our_words(path):
    """SQLite quotes them in its message, which then cannot be read."""
    content = path.read_bytes()
    assert b"tablerunsruns" in content and b"CREATE TABLE runs" in content  # kind, name, table and text of the schema
    content = content.replace(b"tablerunsruns", b"table\xe9\x8ansruns").replace(
        b"CREATE TABLE runs", b"CREATE XABLE runs"
    )
    path.write_bytes(content)
    for write in (False, True):
        with pytest.raises(StoreError, match=r"is damaged|must be a file that"):
            Store(path, write=write)
