from __future__ import annotations

import sys
from pathlib import Path

import pytest

MODULE = """
import sys
import time

import ter

calls = 0


def sphere(x):
    return float((x**2).sum())


def rows(X):
    return (X**2).sum(axis=1)


def noisy_printer(x):
    print("hello from the objective")
    return sphere(x)


def slow(x):
    time.sleep(0.01)
    print("started", file=sys.stderr, flush=True)
    return sphere(x)


def breaks(x):
    global calls
    calls += 1
    if calls > 60:
        raise RuntimeError("the simulator crashed")
    return sphere(x)


def breaks_inside(x):
    return breaks(x)


def hangs(x):
    global calls
    calls += 1
    if calls > 5:
        time.sleep(600)
    return sphere(x)


def exits(x):
    global calls
    calls += 1
    if calls > 60:
        sys.exit(0)
    return sphere(x)


def interrupts_itself(x):
    global calls
    calls += 1
    if calls > 60:
        raise KeyboardInterrupt
    return sphere(x)


def mumbles(x):
    raise RuntimeError("caf\\xe9 \\udcff")


def texts(x):
    return "a text"


problem = ter.Problem(sphere, ter.box(-2, 2, dimension=4), name="mine")
constant = 3
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """A folder with a module of functions; its name is new each time, since modules are imported only once."""
    name = f"functions_{abs(hash(request.node.nodeid))}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    return tmp_path


@pytest.fixture
def module(project: Path) -> str:
    return next(project.glob("functions_*.py")).stem
