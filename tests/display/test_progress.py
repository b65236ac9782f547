from __future__ import annotations

import io
import math
import time
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

import ter
from ter.core.budget import Budget, Spent
from ter.core.problem import Problem
from ter.display.progress import LiveDisplay, line, panel
from ter.display.snapshot import Tally, snapshot

HALFWAY = Spent(50, 2.0, 0.0)
PROBLEM = Problem(lambda x: 0.0, [(-1, 1)] * 3, name="made")


def watched(actions=(), *, spent=HALFWAY, budget="100", failures=0, best=1.5):
    log = SimpleNamespace(count=failures)
    evaluator = SimpleNamespace(spent=spent, count=spent.evaluations, y=best, failures=log, nonfinite=failures)
    return SimpleNamespace(names=("ls1", "cc"), budget=Budget.read(budget), actions=list(actions), evaluator=evaluator)


def shown(run, *, terminal, clock=time.monotonic):
    console = Console(file=io.StringIO(), force_terminal=terminal, width=100, _environ={"TERM": "xterm-256color"})
    return LiveDisplay(run, PROBLEM, run.budget, console, clock), console.file


def test_shares_include_the_action_under_way(actions):
    run = watched(actions, spent=Spent(110, 2.0, 0.0))
    now = snapshot(run, Tally(), running="cc", since=100, probabilities=(0.2, 0.8))
    assert [(row.initiations, row.share) for row in now.rows] == [(2, 60 / 110), (2, 40 / 110)]
    assert [row.probability for row in now.rows] == [0.2, 0.8]


def test_a_tally_counts_every_action_once(actions):
    tally, listed = Tally(), list(actions[:1])
    tally.read(listed)
    listed += actions[1:]
    tally.read(listed)
    tally.read(listed)
    assert tally.initiations == {"ls1": 2, "cc": 1}
    assert tally.evaluations == {"ls1": 60, "cc": 30}


@pytest.mark.parametrize(
    ("budget", "fraction", "left"),
    [
        ("100 evaluations", 0.5, 2.0),
        ("100 evaluations, 3s", 2 / 3, 1.0),
        ("100 evaluations, 1h", 0.5, 2.0),
        ("1h, 10 cost", 0.4, 3.0),
    ],
)
def test_time_left_is_that_of_the_budget_nearest_to_its_end(budget, fraction, left):
    now = snapshot(watched(spent=Spent(50, 2.0, 4.0), budget=budget), Tally())
    assert now.fraction == pytest.approx(fraction)
    assert now.seconds_left == pytest.approx(left)


def test_rates_are_those_since_an_earlier_moment():
    now = snapshot(watched(spent=Spent(90, 10.0, 0.0)), Tally(), earlier=Spent(50, 8.0, 0.0))
    assert (now.rate, now.seconds_left) == (20.0, 0.5)


def test_before_the_first_evaluation_there_is_no_telling():
    now = snapshot(watched(spent=Spent(0, 0.0, 0.0), best=math.inf), Tally())
    assert (now.rate, now.fraction, now.seconds_left) == (0.0, 0.0, math.inf)
    assert "? left" in line(now)
    assert "best ∞" in line(now)


def test_an_action_is_under_way_from_its_choice_until_it_is_recorded(actions):
    run = watched()
    display, _ = shown(run, terminal=False)
    display.choice("cc", (0.0, 1.0))
    assert display.snapshot().running == "cc"
    run.actions += actions[:1]
    assert display.snapshot().running == ""


def test_the_panel_names_everything(actions):
    now = snapshot(watched(actions, failures=3), Tally(), running="ls1", probabilities=(0.25, 0.75))
    console = Console(file=io.StringIO(), width=100)
    console.print(panel("made, D = 3", now, 100))
    text = console.file.getvalue().replace("\N{NO-BREAK SPACE}", " ")
    for expected in ("made, D = 3", "best 1.5", "50 / 100", "25 %", "75 %", "▶", "3 evaluations raised an exception"):
        assert expected in text


def test_panel_and_line_tell_how_busy_workers_are(actions):
    run = watched(actions)
    run.evaluator.engine = SimpleNamespace(utilisation=0.07, idle_because="starting them took most of the time")
    now = snapshot(run, Tally())
    assert "workers 7.0 % busy: starting them took most of the time" in line(now)
    console = Console(file=io.StringIO(), width=120)
    console.print(panel("t", now, 120))
    assert "workers 7.0 % busy: starting them" in console.file.getvalue()


def test_a_terminal_gets_a_live_display_and_its_cursor_back():
    display, file = shown(watched(), terminal=True)
    display.open()
    display.choice("ls1", (1.0, 0.0))
    display.update()
    display.close()
    text = file.getvalue()
    assert "made, D = 3" in text
    assert text.rfind("\x1b[?25h") > text.rfind("\x1b[?25l") >= 0


def test_a_pipe_gets_sparse_plain_lines():
    now = [0.0]
    display, file = shown(watched(), terminal=False, clock=lambda: now[0])
    display.open()
    for _ in range(86_400):
        now[0] += 1.0
        display.update()
    display.close()
    lines = file.getvalue().splitlines()
    assert lines[0] == "ter: made, D = 3, budget 100 evaluations"
    assert 10 <= len(lines) <= 20
    assert "\x1b" not in file.getvalue()


def test_the_last_line_is_not_said_twice():
    now = [0.0]
    run = watched()
    display, file = shown(run, terminal=False, clock=lambda: now[0])
    display.open()
    now[0] += 2.0
    display.update()
    display.close()
    assert len(file.getvalue().splitlines()) == 2
    run.evaluator.count += 1
    display.close()
    assert len(file.getvalue().splitlines()) == 3


def test_rates_forget_what_is_longer_ago_than_a_few_seconds():
    run = watched(budget="1e6 evaluations")
    display, _ = shown(run, terminal=False)
    for second in range(1, 61):  # forty slow seconds, as when something is compiled, then twenty fast ones
        run.evaluator.spent = Spent(max(0, second - 40) * 1000, float(second), 0.0)
        display.update()
    assert display.snapshot().rate == pytest.approx(1000)


def test_a_closed_stream_does_not_end_the_run():
    display, file = shown(watched(), terminal=False)
    file.close()
    display.open()
    display.update()
    display.close()
    assert display.snapshot().best == 1.5  # it still knows, though nobody can read it


def test_a_display_that_fails_shows_so_and_goes_on():
    run = watched()
    display, file = shown(run, terminal=True)
    del run.evaluator.spent
    display.open()
    display.close()
    assert "no display" in file.getvalue()


def test_progress_changes_no_number_of_a_run(capfd):
    def sphere(x):
        return float((x**2).sum())

    plain, watched_run = (
        ter.minimize(sphere, ter.box(-5, 5, dimension=5), budget=500, rng=3, progress=progress) for progress in (0, 1)
    )
    assert np.array_equal(plain.x, watched_run.x)
    assert plain.sequence == watched_run.sequence
    out, err = capfd.readouterr()
    assert out == ""
    assert "500 evaluations" in err


def test_the_display_is_closed_when_the_objective_raises(capfd):
    def broken(x):
        raise RuntimeError("no licence")

    with pytest.raises(RuntimeError, match="no licence"):
        ter.minimize(broken, ter.box(-5, 5, dimension=5), budget=500, progress=True)
    assert "1 evaluations raised" in capfd.readouterr().err
