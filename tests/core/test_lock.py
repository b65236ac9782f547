from __future__ import annotations

import os

import pytest

from ter.core.lock import FileLock
from ter.experiment.database import StoreError
from ter.experiment.store import Store


def test_a_lock_is_held_by_one(tmp_path):
    first, second = FileLock(tmp_path / "file"), FileLock(tmp_path / "file")
    assert first.acquire(patience=0) and not second.acquire(patience=0)
    assert "process" in second.holder()
    first.release()
    assert second.holder() is None and second.acquire(patience=0)
    second.release()
    assert list(tmp_path.iterdir()) == []


def test_locks_of_two_files_have_nothing_to_do_with_each_other(tmp_path):
    first, second = FileLock(tmp_path / "one"), FileLock(tmp_path / "two")
    assert first.acquire(patience=0) and second.acquire(patience=0)
    first.release()
    second.release()


def test_a_file_that_was_removed_meanwhile_is_not_a_lock(tmp_path, monkeypatch):
    lock, other = FileLock(tmp_path / "file"), FileLock(tmp_path / "file")
    there = FileLock._is_there

    def removed_once(self, file):  # as if the holder had released it between our opening and our locking
        monkeypatch.setattr(FileLock, "_is_there", there)
        lock.path.unlink()
        assert not there(self, file)
        return False

    monkeypatch.setattr(FileLock, "_is_there", removed_once)
    assert not lock.acquire(patience=0)
    assert other.acquire(patience=0)
    other.release()


def test_releasing_a_lock_that_is_not_held_does_nothing(tmp_path):
    held = FileLock(tmp_path / "file")
    assert held.acquire(patience=0)
    FileLock(tmp_path / "file").release()
    assert held.path.exists()
    held.release()


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_lock_that_is_another_file_is_refused_and_that_file_stays_as_it_is(tmp_path, link):
    (tmp_path / "precious").write_text("precious")
    link(tmp_path / "precious", tmp_path / "results.sqlite.lock")
    with pytest.raises(StoreError, match=r"a lock must be a file of its own, got .*results.sqlite.lock.*remove it"):
        Store(tmp_path / "results.sqlite", write=True)
    assert (tmp_path / "precious").read_text() == "precious"
    assert FileLock(tmp_path / "results.sqlite").holder() is None


def test_a_lock_that_is_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "results.sqlite.lock")
    with pytest.raises(StoreError, match="a lock must be a file of its own"):
        Store(tmp_path / "results.sqlite", write=True)
    assert FileLock(tmp_path / "results.sqlite").holder() is None
