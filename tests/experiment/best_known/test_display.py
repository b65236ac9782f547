from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from ter.display.screen import EVERY
from ter.experiment.best_known.display import SearchDisplay
from ter.experiment.best_known.trials import SearchProgress
from ter.experiment.display import COMPILING
from ter.experiment.forecast import Forecast
from ter.experiment.record import RunKey
from ter.experiment.watch import Workload
from tests.experiment.best_known.helpers import small_search

BEGUN = SearchProgress("lso13/f7, 1000 variables", 40)
GOING = SearchProgress("lso13/f7, 1000 variables", 40, 10, 1234.5, 7, ("gs",) * 30 + ("cc", "ls1"))
KEY = RunKey("lso13/f7", 1000, "", "", "3000", 1, "")


def forecast_of(runs, seconds=None):
    forecast = Forecast()
    forecast.expect(KEY, runs)
    if seconds is not None:
        forecast.add(KEY, seconds)
    return forecast


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def plain():
    clock, console = Clock(), Console(file=io.StringIO(), width=100)
    return SearchDisplay(console, clock), clock, console.file


def test_plain_lines_tell_how_far_it_is():
    display, clock, out = plain()
    forecast = forecast_of(90, 4.0)
    display.open(BEGUN, forecast)
    for _ in range(2):
        display.update(BEGUN, Workload(compiling=True))
    clock.now = EVERY
    display.update(BEGUN, Workload(slots=2))
    display.update(GOING, Workload(slots=2))
    display.update(GOING, Workload(slots=2))
    display.lost(small_search().spec(("cc",), 2, label="no. 3"), "its worker died")
    forecast.expect(KEY, 0)
    display.update(replace(GOING, tried=40), Workload(slots=2))
    display.close()
    assert out.getvalue().splitlines() == [
        "ter: lso13/f7, 1000 variables",
        f"ter: {COMPILING}",
        "ter: 10/40 sequences, best 1234.5 (no. 7), 10 s gone, 3 min 00 s left",
        "ter: lso08/f1 D=4 no. 3 run 2 was lost, its worker died",
        "ter: 40/40 sequences, best 1234.5 (no. 7), 10 s gone",
    ]


def test_plain_lines_are_few():
    display, clock, out = plain()
    display.open(BEGUN, forecast_of(120))
    for _ in range(50):
        clock.now += EVERY / 10
        display.update(GOING, Workload(slots=2))
    assert len(out.getvalue().splitlines()) == 1 + 5


@pytest.mark.parametrize(
    ("progress", "forecast", "workload", "expected"),
    [
        (BEGUN, forecast_of(120), Workload(compiling=True), ["0 / 40 sequences", "30 s gone, ? left", COMPILING]),
        (
            GOING,
            forecast_of(90, 4.0),
            Workload((small_search().spec(("cc",), 2, label="no. 11"),), slots=2),
            [
                "10 / 40 sequences",
                "30 s gone, 3 min 00 s left",
                "lso08/f1 D=4 no. 11 run 2",
                "best 1234.5 (no. 7)",
                "gs×30 cc ls1",
            ],
        ),
    ],
)
def test_a_terminal_shows_the_bar_the_times_the_runs_and_the_best(progress, forecast, workload, expected):
    clock = Clock()
    console = Console(file=io.StringIO(), width=120, force_terminal=True, legacy_windows=False)
    display = SearchDisplay(console, clock)
    display.open(progress, forecast)
    try:
        clock.now = 30.0
        display.update(progress, workload)
        console.file.truncate(0)
        console.print(display.panel())
        shown = console.file.getvalue().replace("\N{NO-BREAK SPACE}", " ")
    finally:
        display.close()
    assert all(text in shown for text in ["lso13/f7, 1000 variables", *expected])


def test_long_sequences_are_cut():
    console = Console(file=io.StringIO(), width=120)
    display = SearchDisplay(console)
    display.open(replace(GOING, sequence=("gs", "cc") * 100), Forecast())
    console.print(display.panel())
    assert "gs cc gs" in console.file.getvalue() and "…" in console.file.getvalue()


def test_a_closed_standard_error_does_not_end_the_search():
    display, clock, out = plain()
    out.close()
    display.open(BEGUN, Forecast())
    clock.now = EVERY
    display.update(GOING, Workload(slots=2))
    display.close()
