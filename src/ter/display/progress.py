"""Live progress of a run: a panel in a terminal or a notebook, a few plain lines elsewhere."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ter.core.budget import Budget, Spent
from ter.core.problem import Problem
from ter.display.colors import colors_of
from ter.display.screen import Screen
from ter.display.snapshot import Snapshot, Tally, Watched, snapshot
from ter.display.texts import budget_text, count_text, number_text, share_text, time_text

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["LiveDisplay", "line", "panel"]

MEMORY = 10.0  # seconds over which rates are measured
STEP = 0.25  # seconds between the moments remembered for that
FIRST_LINE = 2.0  # seconds until the first plain line


class LiveDisplay:
    """Shows a run while it is under way; whatever goes wrong here, the run goes on.

    Parameters
    ----------
    run : Run
        The run to watch.
    problem : Problem
        What is solved.
    budget : Budget
        What may be spent.
    console : rich.console.Console, optional
        Where to write; standard error by default.
    clock : callable
        Seconds.
    """

    def __init__(
        self,
        run: Watched,
        problem: Problem,
        budget: Budget,
        console: Console | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._run = run
        self._title = f"{problem.name or 'objective'}, D = {problem.dimension}"
        self._budget = budget
        self._screen = Screen(console, clock)
        self._tally = Tally()
        self._running, self._turn, self._since = "", 0, 0
        self._probabilities: tuple[float, ...] = ()
        self._past: deque[Spent] = deque([Spent()])
        self._told = -1  # evaluations in the last plain line

    def open(self) -> None:
        """Start the display."""
        if not self._screen.open(self._panel, first_line=FIRST_LINE, doubling=True):
            self._screen.tell(f"{self._title}, budget {budget_text(self._budget)}")

    def choice(self, name: str, probabilities: tuple[float, ...]) -> None:
        """Note which heuristic is started now."""
        self._running, self._probabilities = name, probabilities
        self._turn, self._since = len(self._run.actions), self._run.evaluator.count

    def update(self) -> None:
        """Print a plain line when one is due; a panel refreshes by itself."""
        if self._screen.live:
            return
        self._remember(self._run.evaluator.spent)
        if self._screen.due():
            self._screen.tell(line(self.snapshot()))
            self._told = self._run.evaluator.count

    def close(self) -> None:
        """End the display with its last state, and give the terminal back."""
        self._running = ""
        self._screen.close()
        if not self._screen.live and self._told != self._run.evaluator.count:  # else the last line has said it
            self._screen.tell(line(self.snapshot()))

    def snapshot(self) -> Snapshot:
        """Read the numbers shown."""
        under_way = len(self._run.actions) == self._turn  # else that action is in the record already
        now = snapshot(
            self._run,
            self._tally,
            running=self._running if under_way else "",
            since=self._since,
            probabilities=self._probabilities,
            earlier=self._past[0],
        )
        self._remember(now.spent)
        return now

    def _remember(self, spent: Spent) -> None:
        if spent.seconds - self._past[-1].seconds >= STEP:
            self._past.append(spent)
        while len(self._past) > 2 and spent.seconds - self._past[1].seconds > MEMORY:
            self._past.popleft()

    def _panel(self) -> Panel:
        return panel(self._title, self.snapshot(), self._screen.width)


def line(now: Snapshot) -> str:
    """Write a snapshot as one plain line."""
    parts = [
        f"best {number_text(now.best)}",
        f"{count_text(now.spent.evaluations)} evaluations in {time_text(now.spent.seconds)}",
        f"{share_text(now.fraction)} of the budget",
    ]
    if now.fraction < 1:
        parts.append(f"{_left(now)} left")
    parts += [f"{row.name} {share_text(row.share)}" for row in now.rows]
    if now.workers:
        parts.append(f"workers {now.workers}")
    if _trouble(now):
        parts.append(_trouble(now))
    return ", ".join(parts)


def panel(title: str, now: Snapshot, width: int) -> Panel:
    """Draw a snapshot as a panel."""
    bar = max(10, min(40, width - 50))
    budget = Table.grid(padding=(0, 2))
    budget.add_row(
        ProgressBar(total=1.0, completed=now.fraction, width=bar, complete_style="bold", finished_style="bold"),
        share_text(now.fraction),
        f"{time_text(now.spent.seconds)} gone, {_left(now)} left",
    )
    facts = Text.assemble(
        ("best ", "dim"), (number_text(now.best), "bold"),
        ("   evaluations ", "dim"), _used(now),
        ("   per second ", "dim"), count_text(float(f"{now.rate:.3g}")),
    )  # fmt: skip
    parts: list[RenderableType] = [facts, budget, Text(), _heuristics(now, bar)]
    if now.workers:
        parts.append(Text.assemble(("workers ", "dim"), now.workers))
    if _trouble(now):
        parts.append(Text(_trouble(now), style="yellow"))
    return Panel(
        Group(*parts), title=Text(title, style="bold not dim"), title_align="left", border_style="dim", expand=False
    )


def _heuristics(now: Snapshot, bar: int) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    table.add_column("")
    table.add_column("heuristic")
    table.add_column("probability", width=bar)
    for column in ("", "started", "evaluations"):
        table.add_column(column, justify="right")
    colors = colors_of([row.name for row in now.rows])
    for row in now.rows:
        color = colors[row.name]
        table.add_row(
            Text("▶" if row.name == now.running else " ", style=color),
            Text(row.name, style=color),
            ProgressBar(total=1.0, completed=row.probability, width=bar, complete_style=color, finished_style=color),
            share_text(row.probability),
            str(row.initiations),
            share_text(row.share),
        )
    return table


def _used(now: Snapshot) -> str:
    used = count_text(now.spent.evaluations)
    return used if now.budget.evaluations is None else f"{used} / {count_text(now.budget.evaluations)}"


def _left(now: Snapshot) -> str:
    return time_text(now.seconds_left) if math.isfinite(now.seconds_left) else "?"


def _trouble(now: Snapshot) -> str:
    parts = []
    if now.failed:
        parts.append(f"{count_text(now.failed)} evaluations raised an exception")
    if now.nonfinite > now.failed:
        parts.append(f"{count_text(now.nonfinite - now.failed)} were not finite")
    return ", ".join(parts)
