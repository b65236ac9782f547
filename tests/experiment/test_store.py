from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from ter.core.errors import DamageWarning
from ter.experiment.rows import record_of, row_of
from ter.experiment.store import Merged, Store, StoreError, StoreLocked
from tests.experiment.helpers import failed, record, records, whole


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.sqlite"


def filled(path, *kept):
    with Store(path, write=True) as store:
        for each in kept:
            store.add(each)
    return path


def stored(path, **asked):
    with Store(path) as store:
        return list(store.records(**asked))


@given(records)
def test_a_record_comes_back_with_the_same_bits(original):
    assert whole(record_of(row_of(original))) == whole(original)


@given(records)
def test_a_record_survives_the_database_with_the_same_bits(tmp_path_factory, original):
    path = tmp_path_factory.mktemp("store") / "results.sqlite"
    assert [whole(each) for each in stored(filled(path, original))] == [whole(original)]


def test_nan_infinity_and_minus_zero_survive(path):
    odd = [record(1, float("nan")), record(2, float("inf")), record(3, -0.0), record(4, 5e-324)]
    assert [whole(each) for each in stored(filled(path, *odd))] == [whole(each) for each in odd]


def test_numbers_are_columns_for_people_who_ask_sqlite(path):
    filled(path, record(1, 2.5), record(2, 3.5))
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT label, avg(fun), count(*) FROM runs GROUP BY label").fetchall() == [
            ("ter", 3.0, 2)
        ]
    connection.close()


def test_a_finished_run_is_never_replaced_and_a_failed_one_always(path):
    with Store(path, write=True) as store:
        assert store.add(failed(1)) and store.add(failed(1, traceback="Boom: again\n"))
        assert [each.traceback for each in store.records()] == ["Boom: again\n"]
        assert store.add(record(1, 3.0))
        assert not store.add(record(1, 4.0)) and not store.add(failed(1))
        assert [each.fun for each in store.records()] == [3.0] and len(store) == 1


def test_records_can_be_asked_for(path):
    filled(path, record(1), record(2, problem="lso13/f2"), record(3, label="ls"), record(4, code="new"), failed(5))
    assert [each.run for each in stored(path)] == [1, 2, 3, 4, 5]
    assert [each.run for each in stored(path, problem="lso13/f2")] == [2]
    assert [each.run for each in stored(path, label="ter", problem="lso13/f1", code="abc")] == [1, 5]
    assert [each.run for each in stored(path, failed=True)] == [5]
    assert [each.run for each in stored(path, failed=False, code="new")] == [4]


def test_of_several_versions_the_newest_counts_but_rather_a_finished_run(path):
    early, late = "2030-01-01T00:00:00.000+00:00", "2030-02-01T00:00:00.000+00:00"
    with Store(path, write=True) as store:
        store.add(record(1, 1.0, code="new", started=late))
        store.add(record(1, 2.0, code="old", started=early))
        store.add(record(2, 3.0, code="old", started=early))
        store.add(failed(2, code="new", started=late))
        store.add(failed(3, code="new", started=late))
        assert [(each.run, each.key.code) for each in store.records(newest=True)] == [
            (1, "new"),
            (2, "old"),
            (3, "new"),
        ]
        assert [each.run for each in store.records(newest=True, failed=False)] == [1, 2]


def test_names_of_files_may_be_odd(tmp_path):
    path = tmp_path / "a b?c#d%20.sqlite"
    assert len(stored(filled(path, record(1)))) == 1 and path.is_file()
    with Store(tmp_path / "other.sqlite", write=True) as store:
        assert store.merge(path).added == 1


@pytest.mark.slow
def test_more_records_than_are_read_at_once(path):
    many = [record(seed) for seed in range(1, 124)]
    assert [each.run for each in stored(filled(path, *many))] == list(range(1, 124))


def test_keys_and_lines(path):
    with Store(filled(path, record(1), failed(2))) as store:
        assert store.keys() == {record(1).key, record(2).key}
        assert store.keys(failed=True) == {record(2).key} and store.keys(failed=False) == {record(1).key}
        assert [(line.run, line.wall, line.failed) for line in store.lines()] == [(1, 0.5, False), (2, 0.5, True)]


def test_only_one_may_write_but_others_may_read(path):
    with Store(path, write=True) as writer:
        writer.add(record(1))
        with pytest.raises(StoreLocked, match=rf"process {os.getpid()} on .* writes to; wait for it"):
            Store(path, write=True)
        with Store(path) as reader:
            assert len(reader) == 1 and f"process {os.getpid()}" in reader.writer()
            writer.add(record(2))
            assert len(reader) == 2
    with Store(path) as reader:
        assert reader.writer() is None
    Store(path, write=True).close()
    assert sorted(file.name for file in path.parent.iterdir()) == ["results.sqlite"]  # nothing is left behind


@pytest.mark.slow
def test_a_reader_that_takes_its_time_does_not_stop_the_writer(path):
    filled(path, *(record(seed) for seed in range(1, 101)))
    with Store(path, write=True) as writer, Store(path) as reader:
        reading = reader.records()
        next(reading)
        assert writer.add(record(101))
        assert len(list(reading)) == 99


def test_a_reader_does_not_write(path):
    with Store(filled(path, record(1))) as store:
        for change in (lambda: store.add(record(2)), lambda: store.merge(path), lambda: store.relabel({})):
            with pytest.raises(StoreError, match=r"open for reading; open it as Store\(path, write=True\)"):
                change()


def test_a_lock_file_left_behind_blocks_nobody(path):
    path.with_name("results.sqlite.lock").write_text("process 1 on elsewhere\n")
    filled(path, record(1))
    assert len(stored(path)) == 1


def test_a_store_that_is_not_there_cannot_be_read(path):
    with pytest.raises(StoreError, match="must be there to be read"):
        Store(path)
    assert not path.exists()


@pytest.mark.parametrize("write", [True, False])
def test_other_files_are_refused_and_left_alone(path, write):
    path.write_bytes(b"a text, and not a database" * 100)
    with pytest.raises(StoreError, match="a store must be a file that `ter experiment run` made"):
        Store(path, write=write)
    assert path.read_bytes() == b"a text, and not a database" * 100


@pytest.mark.parametrize("write", [True, False])
def test_other_databases_are_refused_and_left_alone(path, write):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE runs (x)")
    connection.close()
    with pytest.raises(StoreError, match="another SQLite database; name another file"):
        Store(path, write=write)


def test_a_newer_format_is_refused(path):
    with sqlite3.connect(filled(path, record(1))) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="has format 99, this version of ter reads 1"):
        Store(path)


@pytest.mark.slow
def test_what_is_left_of_a_badly_damaged_store_is_read_and_the_rest_is_named(path):
    filled(path, *(record(seed) for seed in range(1, 200)))
    originals = {seed: whole(record(seed)) for seed in range(1, 200)}
    content = bytearray(path.read_bytes())
    content[8192 : len(content) - 4096] = b"\xff" * (len(content) - 12288)
    path.write_bytes(bytes(content))
    with pytest.warns(DamageWarning, match=r"is damaged, and this is left out: .* cannot be read"):
        left = stored(path)
    assert len(left) < 199 and all(whole(each) == originals[each.run] for each in left)


def test_an_empty_file_becomes_a_store(path):
    path.touch()  # what is left if everything is killed before the first commit
    assert len(stored(filled(path, record(1)))) == 1


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="must be in a folder that can be written to"):
        Store(tmp_path / "file" / "results.sqlite", write=True)


class TestMerge:
    def test_runs_are_taken_over_once(self, tmp_path):
        filled(tmp_path / "a", record(1), record(2), failed(3), failed(4))
        filled(tmp_path / "b", record(2), record(3, 7.0), failed(4), record(5), failed(6))
        with Store(tmp_path / "a", write=True) as store:
            assert store.merge(tmp_path / "b") == Merged(added=2, replaced=1, kept=2, differing=())
            assert store.merge(tmp_path / "b") == Merged(added=0, replaced=0, kept=5, differing=())
            assert [(each.run, each.failed) for each in store.records()] == [
                (1, False), (2, False), (3, False), (4, True), (5, False), (6, True),
            ]  # fmt: skip

    def test_everything_is_taken_over_bit_for_bit(self, tmp_path):
        filled(tmp_path / "b", record(1, -0.0), failed(2))
        with Store(tmp_path / "a", write=True) as store:
            store.merge(tmp_path / "b")
            assert [whole(each) for each in store.records()] == [whole(record(1, -0.0)), whole(failed(2))]

    def test_other_results_of_the_same_run_are_counted_and_not_taken(self, tmp_path):
        filled(tmp_path / "a", record(1, 1.0), record(2, 1.0))
        filled(tmp_path / "b", record(1, 1.0, wall=99.0), record(2, 2.0))
        with Store(tmp_path / "a", write=True) as store:
            assert store.merge(tmp_path / "b") == Merged(added=0, replaced=0, kept=2, differing=(record(2).name,))
            assert [each.fun for each in store.records()] == [1.0, 1.0]

    def test_thin_curves_are_exact_at_counts_of_two_digits_and_count_as_the_same_result(self, tmp_path):
        counts = np.arange(1, 3000, dtype=float)
        long = replace(record(1), curve=np.column_stack([counts, 1.0 / counts]))
        filled(tmp_path / "b", long)
        with Store(tmp_path / "a", write=True) as store:
            assert store.merge(tmp_path / "b", thin=True).added == 1
            assert store.merge(tmp_path / "b") == Merged(added=0, replaced=0, kept=1, differing=())
            (thin,) = store.records()
        assert len(thin.curve) == 100 + 90 + 20
        assert whole(replace(thin, curve=long.curve)) == whole(long)
        for count in (7, 99, 110, 990, 1100, 2900):
            assert thin.best_after(count) == 1.0 / count
        filled(tmp_path / "c", replace(long, curve=2.0 * long.curve))
        with Store(tmp_path / "a", write=True) as store:
            assert store.merge(tmp_path / "c").differing == (long.name,)

    def test_labels_of_the_store_stay(self, tmp_path):
        filled(tmp_path / "a", record(1))
        filled(tmp_path / "b", record(2, label="TER"), record(3, label="LS", algorithm="ls"))
        with Store(tmp_path / "a", write=True) as store:
            store.merge(tmp_path / "b")
            assert store.labels() == {"ter": {("ter", "{}")}, "LS": {("ls", "{}")}}

    def test_something_else_is_refused(self, tmp_path):
        (tmp_path / "b").write_text("nothing")
        with Store(tmp_path / "a", write=True) as store, pytest.raises(StoreError, match="must be a file"):
            store.merge(tmp_path / "b")


WRITER = """
import sys
from tests.experiment.helpers import record
from ter.experiment.store import Store

with Store(sys.argv[1], write=True) as store:
    for seed in range(1, 100_000):
        store.add(record(seed))
        print(seed, flush=True)
"""


@pytest.mark.parametrize("after", [1, 17])
def test_kill_9_loses_nothing_that_was_stored(path, after):
    command = [sys.executable, "-c", WRITER, str(path)]
    writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
    seen = [int(writer.stdout.readline()) for _ in range(after)][-1]
    os.kill(writer.pid, signal.SIGKILL)
    rest = writer.stdout.read().split()
    writer.wait()
    writer.stdout.close()
    seen = int(rest[-1]) if rest else seen
    runs = [each.run for each in stored(path)]
    assert runs == list(range(1, len(runs) + 1)) and len(runs) - seen in (0, 1)
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    with Store(path, write=True) as store:  # the lock died with its holder
        assert store.add(record(len(runs) + 1))
