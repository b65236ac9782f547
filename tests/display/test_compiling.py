"""Compiling is announced when it takes more than a moment."""

from __future__ import annotations

import sys
import threading

import pytest

import ter
from ter.display import compiling
from ter.display.compiling import TEXT, announced


def waited(wanted, told):
    """Stay inside until the line was said, or would have been."""
    with announced(wanted) as measured:
        told.wait(0.2)
    return measured


@pytest.fixture
def told(monkeypatch):
    said = threading.Event()
    tell = compiling._tell
    monkeypatch.setattr(compiling, "PATIENCE", 0.0)
    monkeypatch.setattr(compiling, "_tell", lambda: (tell(), said.set()))
    return said


def test_a_user_who_wants_progress_is_told(capsys, told):
    assert waited(True, told).seconds > 0
    assert capsys.readouterr().err == TEXT + "\n"


def test_a_log_file_is_not(capsys, told):
    waited(False, told)
    assert capsys.readouterr().err == ""


def test_a_terminal_is_told_in_any_case(capsys, told, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    waited(False, told)
    assert capsys.readouterr().err == TEXT + "\n"


def test_nothing_is_said_if_there_is_no_standard_error(told, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert waited(True, told).seconds > 0


def test_a_result_knows_how_long_compiling_took():
    result = ter.minimize(lambda x: float((x * x).sum()), ter.box(-1, 1, dimension=3), budget=50, rng=1)
    assert result.compile_seconds > 0
