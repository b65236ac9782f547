"""Progress in a notebook, with IPython's `display` replaced by one that remembers."""

from __future__ import annotations

import io
import sys
import threading
from types import ModuleType

import pytest
from rich.console import Console
from rich.text import Text

from ter.display import screen
from ter.display.notebook import NotebookPanel
from ter.display.screen import Screen


class Cell:
    """The output of a cell: what is displayed, and how often it was replaced."""

    def __init__(self) -> None:
        self.shown: list[dict[str, str]] = []
        self.replaced = threading.Semaphore(0)
        self.broken = False

    def display(self, bundle, *, raw, display_id):
        assert raw and display_id is True
        self.shown.append(bundle)
        return self

    def update(self, bundle, *, raw):
        assert raw
        if self.broken:
            raise RuntimeError("the kernel is gone")
        self.shown[-1] = bundle
        self.replaced.release()


@pytest.fixture
def cell(monkeypatch):
    found = Cell()
    module = ModuleType("IPython.display")
    module.display = found.display
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    monkeypatch.setattr(screen, "find_spec", lambda name: object())
    return found


def console():
    return Console(file=io.StringIO(), force_jupyter=True, width=80)


def test_a_notebook_gets_one_display_that_is_replaced_in_place(cell):
    count = iter(range(10**6))
    shown = Screen(console())
    assert shown.open(lambda: Text(f"step {next(count)}", style="bold"))
    assert cell.shown[0]["text/plain"] == "step 0\n"
    assert cell.replaced.acquire(timeout=60) and cell.replaced.acquire(timeout=60)  # by itself
    assert not shown.due()  # there are no lines beside it
    shown.close()
    assert len(cell.shown) == 1
    last = next(count) - 1
    assert cell.shown[0]["text/plain"] == f"step {last}\n" and f"step {last}</span>" in cell.shown[0]["text/html"]


def test_the_last_state_is_the_one_that_stays(cell):
    state = ["under way"]
    panel = NotebookPanel(lambda: Text(state[0]), 80, refresh=0.001)
    panel.start()
    state[0] = "done"
    panel.stop()
    assert cell.shown[0]["text/plain"] == "done\n"


def test_nothing_is_replaced_after_the_end(cell):
    panel = NotebookPanel(lambda: Text("panel"), 80, refresh=1000)
    panel.start()
    panel.stop()
    while cell.replaced.acquire(blocking=False):
        pass
    assert not cell.replaced.acquire(timeout=0.02)


def test_a_notebook_that_is_gone_does_not_end_the_run(cell):
    panel = NotebookPanel(lambda: Text("panel"), 80, refresh=1000)
    panel.start()
    cell.broken = True
    panel.stop()
    assert len(cell.shown) == 1


def test_lines_told_in_a_notebook_go_to_standard_error(cell):
    target = console()
    shown = Screen(target)
    shown.open(lambda: Text("panel"))
    shown.tell("a run failed")
    shown.close()
    assert target.file.getvalue() == "ter: a run failed\n"


def test_a_notebook_without_ipython_gets_plain_lines(monkeypatch):
    monkeypatch.setattr(screen, "find_spec", lambda name: None)
    shown = Screen(console())
    assert not shown.open(lambda: Text("panel")) and shown.due()
