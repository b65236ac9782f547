from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from ter.experiment.best_known.display import COMPILING, EVERY, Display
from ter.experiment.best_known.watch import Standing

BEGUN = Standing("lso13/f7, 1000 variables", 40, runs=120)
GOING = Standing("lso13/f7, 1000 variables", 40, 10, 1234.5, 7, ("gs",) * 30 + ("cc", "ls1"), runs=90, seconds=4.0)


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def plain():
    clock, console = Clock(), Console(file=io.StringIO(), width=100)
    return Display(console, clock), clock, console.file


def test_plain_lines_tell_how_far_it_is():
    display, clock, out = plain()
    display.open(BEGUN)
    for _ in range(2):
        display.update(BEGUN, 0, compiling=True)
    clock.now = EVERY
    display.update(BEGUN, 2, compiling=False)
    display.update(GOING, 2, compiling=False)
    display.update(GOING, 2, compiling=False)
    display.tell("a run of no. 3 was lost")
    display.update(replace(GOING, tried=40, runs=0), 2, compiling=False)
    display.close()
    assert out.getvalue().splitlines() == [
        "ter: lso13/f7, 1000 variables",
        f"ter: {COMPILING}",
        "ter: 10/40 sequences, best 1234.5 (no. 7), 10 s gone, 3 min 00 s left",
        "ter: a run of no. 3 was lost",
        "ter: 40/40 sequences, best 1234.5 (no. 7), 10 s gone",
    ]


def test_plain_lines_are_few():
    display, clock, out = plain()
    display.open(BEGUN)
    for _ in range(50):
        clock.now += EVERY / 10
        display.update(GOING, 2, compiling=False)
    assert len(out.getvalue().splitlines()) == 1 + 5


@pytest.mark.parametrize("standing", [BEGUN, GOING])
def test_a_terminal_shows_the_bar_the_times_and_the_best(standing):
    clock = Clock()
    console = Console(file=io.StringIO(), width=120, force_terminal=True, legacy_windows=False)
    display = Display(console, clock)
    display.open(standing)
    try:
        clock.now = 30.0
        display.update(standing, 2, compiling=standing is BEGUN)
        console.file.truncate(0)
        console.print(display.panel())
        shown = console.file.getvalue().replace("\N{NO-BREAK SPACE}", " ")
    finally:
        display.close()
    expected = (
        ["0 / 40 sequences", "30 s gone, ? left", COMPILING]
        if standing is BEGUN
        else ["10 / 40 sequences", "30 s gone, 3 min 00 s left", "best 1234.5 (no. 7)", "gs×30 cc ls1"]
    )
    assert all(text in shown for text in expected)


def test_long_sequences_are_cut():
    console = Console(file=io.StringIO(), width=120)
    display = Display(console)
    display.open(replace(GOING, sequence=("gs", "cc") * 100))
    console.print(display.panel())
    assert "gs cc gs" in console.file.getvalue() and "…" in console.file.getvalue()


def test_a_closed_standard_error_does_not_end_the_search():
    display, clock, out = plain()
    out.close()
    display.open(BEGUN)
    clock.now = EVERY
    display.update(GOING, 2, compiling=False)
    display.close()
