from __future__ import annotations

import io

import pytest
from rich.console import Console

from ter.display.screen import EVERY
from ter.experiment.display import COMPILING
from ter.experiment.forecast import Forecast
from ter.experiment.plan_display import PlanDisplay
from ter.experiment.progress import PlanProgress
from ter.experiment.watch import Workload
from tests.experiment.helpers import failed, record, small_plan


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def specs():
    return small_plan().specs()


def forecast_of(specs, clock):
    forecast = Forecast(clock)
    forecast.add(specs[0].key, 60.0)
    forecast.wait_for(spec.key for spec in specs)
    return forecast


def plain():
    clock = Clock()
    console = Console(file=io.StringIO(), width=100)
    return PlanDisplay(console, clock), clock, console.file


def test_plain_lines_tell_how_far_it_is(specs):
    display, clock, out = plain()
    display.open(PlanProgress(4, 0, 0), forecast_of(specs, clock))
    display.update(PlanProgress(4, 0, 0), Workload((), 0, True))
    display.update(PlanProgress(4, 0, 0), Workload((), 0, True))
    display.update(PlanProgress(4, 0, 0), Workload(tuple(specs[:2]), 2))
    clock.now = 5.0
    display.ended(record(1, 0.125))
    display.update(PlanProgress(4, 1, 0), Workload(tuple(specs[1:3]), 2))
    assert out.getvalue().splitlines() == [
        "ter: 4 runs",
        f"ter: {COMPILING}",
        "ter: 1/4, 5 s gone, 2 min 00 s left; lso13/f1 D=1000 ter run 1: 0.125",
    ]


def test_plain_lines_tell_once_that_there_are_no_workers(specs):
    display, clock, out = plain()
    display.open(PlanProgress(4, 0, 0), forecast_of(specs, clock))
    for _ in range(3):
        display.update(PlanProgress(4, 0, 0), Workload((), 0))
    assert out.getvalue().splitlines() == ["ter: 4 runs", "ter: waiting for workers"]


def test_plain_lines_are_few_but_failures_are_told_at_once(specs):
    display, clock, out = plain()
    display.open(PlanProgress(100, 7, 1), forecast_of(specs, clock))
    for seed in range(1, 60):
        clock.now += EVERY / 20
        display.ended(record(seed))
        display.update(PlanProgress(100, 7 + seed, 1), Workload(tuple(specs[:2]), 2))
    display.ended(failed(60))
    display.lost(specs[0], "the worker died")
    display.close()
    lines = out.getvalue().splitlines()
    assert lines[0] == "ter: 100 runs, 7 of them done, 1 failed"
    assert len([line for line in lines if line.startswith("ter: ") and "gone" in line]) == 4
    assert "ter: lso13/f1 D=1000 ter run 60 failed: Boom: it did" in lines
    assert "ter: lso08/f1 D=10 ter run 1 was lost, the worker died" in lines


def test_a_terminal_shows_bar_times_and_runs_under_way(specs):
    clock = Clock()
    console = Console(file=io.StringIO(), width=120, force_terminal=True, legacy_windows=False)
    display = PlanDisplay(console, clock)
    display.open(PlanProgress(4, 1, 0), forecast_of(specs, clock))
    try:
        display.update(PlanProgress(4, 1, 1), Workload(tuple(specs[:2]), 2))
        clock.now = 30.0
        console.file.truncate(0)
        console.print(display.panel())
        shown = console.file.getvalue()
    finally:
        display.close()
    for text in (
        "1 / 4 runs",
        "1 failed",
        "30 s gone, 2 min 00 s left",
        "lso08/f1 D=10 ter run 1",
        "of about 1 min 00 s",
    ):
        assert text in shown.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(("compiling", "text"), [(True, "compiling"), (False, "waiting for workers")])
def test_a_terminal_tells_why_nothing_happens(specs, compiling, text):
    console = Console(file=io.StringIO(), width=120)
    display = PlanDisplay(console)
    display.open(PlanProgress(4, 0, 0), Forecast())
    display.update(PlanProgress(4, 0, 0), Workload((), 0, compiling))
    console.print(display.panel())
    assert text in console.file.getvalue()


def test_many_runs_under_way_are_not_all_shown():
    specs = small_plan(runs=10).specs()
    console = Console(file=io.StringIO(), width=120)
    display = PlanDisplay(console)
    display.open(PlanProgress(20, 0, 0), Forecast())
    display.update(PlanProgress(20, 0, 0), Workload(tuple(specs), 20))
    console.print(display.panel())
    assert "and 12 more" in console.file.getvalue()


def test_a_closed_standard_error_does_not_end_the_experiment(specs):
    display, clock, out = plain()
    out.close()
    display.open(PlanProgress(4, 0, 0), forecast_of(specs, clock))
    display.ended(failed(1))
    display.update(PlanProgress(4, 1, 0), Workload((), 1))
    display.close()
