from __future__ import annotations

import shutil
from importlib import import_module, reload

import pytest

from ter.experiment.fingerprint import DECISIVE, SOURCE, code_of, fingerprint


@pytest.fixture
def copy(tmp_path):
    """A copy of some of the decisive sources."""
    shutil.copytree(SOURCE / "schedulers", tmp_path / "schedulers", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "benchmarks" / "data").mkdir(parents=True)
    return tmp_path


def edited(copy, name, before, after):
    file = copy / name
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after, 1), encoding="utf-8")
    fingerprint.cache_clear()
    return fingerprint(copy)


def test_everything_decisive_exists():
    assert all((SOURCE / name).exists() for name in DECISIVE)


def test_code_counts_and_comments_and_docstrings_do_not(copy):
    first = fingerprint(copy)
    assert edited(copy, "schedulers/ter.py", '"""TER: a window', '# a comment\n\n\n"""TER: one window') == first
    assert edited(copy, "schedulers/ter.py", "temperature: float = 0.2", "temperature: float = 0.3") != first


def test_data_counts(copy):
    first = fingerprint(copy)
    (copy / "benchmarks" / "data" / "more.npz").write_bytes(b"numbers")
    fingerprint.cache_clear()
    assert fingerprint(copy) != first


def test_a_module_of_the_users_counts(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "counted_module.py").write_text("x = 1\n")
    module = import_module("counted_module")

    first = code_of("counted_module:x", "ter")
    assert first != fingerprint()
    (tmp_path / "counted_module.py").write_text("x = 1  # explained\n")
    assert code_of("counted_module:x", "ter") == first
    (tmp_path / "counted_module.py").write_text("x = 2\n")
    reload(module)
    assert code_of("counted_module:x", "ter") != first
