"""The numbers of a live display: a run at one moment. No rendering here."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ter.core.action import Action
from ter.core.budget import Budget, Spent
from ter.display.texts import workers_text

__all__ = ["Row", "Snapshot", "Tally", "Watched", "snapshot"]


class Watched(Protocol):
    """What is read of a run (see :class:`ter.run.run.Run`)."""

    names: tuple[str, ...]
    budget: Budget
    actions: list[Action]
    evaluator: Any


@dataclass(frozen=True)
class Row:
    """One heuristic: its probability at the last choice, how often it was started, its share of the evaluations."""

    name: str
    probability: float
    initiations: int
    share: float


@dataclass(frozen=True)
class Snapshot:
    """A run at one moment.

    Attributes
    ----------
    best : float
        Best value so far; +inf before a finite one.
    spent, budget : Spent, Budget
        What was used, and what may be.
    fraction : float
        How much is used of the budget that ends first, from 0 to 1.
    seconds_left : float
        Until that one ends, at the present rate; +inf if there is no telling yet.
    rate : float
        Evaluations per second.
    running : str
        The heuristic under way; empty before the first choice.
    rows : tuple of Row
        One per heuristic, in portfolio order.
    failed, nonfinite : int
        Evaluations that raised, and those that were NaN or infinite.
    workers : str
        How busy workers were, and why if they were not; empty without workers.
    """

    best: float
    spent: Spent
    budget: Budget
    fraction: float
    seconds_left: float
    rate: float
    running: str
    rows: tuple[Row, ...]
    failed: int
    nonfinite: int
    workers: str = ""


class Tally:
    """Initiations and evaluations per heuristic, counted once per action however often one looks.

    Examples
    --------
    >>> tally = Tally()
    >>> tally.read([Action(0, "ls1", cost=5, nfev=5, before=2, after=1)])
    >>> tally.initiations["ls1"], tally.evaluations["ls1"]
    (1, 5)
    """

    def __init__(self) -> None:
        self.initiations: Counter[str] = Counter()
        self.evaluations: Counter[str] = Counter()
        self._seen = 0

    def read(self, actions: Sequence[Action]) -> None:
        """Count the actions that were not there at the last call."""
        for action in actions[self._seen :]:
            self.initiations[action.heuristic] += 1
            self.evaluations[action.heuristic] += action.nfev
        self._seen = len(actions)


def snapshot(
    run: Watched,
    tally: Tally,
    *,
    running: str = "",
    since: int = 0,
    probabilities: Sequence[float] = (),
    earlier: Spent | None = None,
) -> Snapshot:
    """Read the numbers of a run.

    Parameters
    ----------
    run : Run
        The run.
    tally : Tally
        Its actions so far are counted here.
    running : str
        The heuristic under way, empty between actions.
    since : int
        Evaluations when it was started.
    probabilities : sequence of float
        Those of the last choice, in portfolio order.
    earlier : Spent, optional
        What was used at an earlier moment; rates are measured from there.
    """
    tally.read(run.actions)
    spent: Spent = run.evaluator.spent
    rates = _rates(spent, earlier or Spent())
    fraction, left = _nearest_end(spent, run.budget, rates)
    under_way = {running: spent.evaluations - since} if running else {}
    shown = probabilities or (0.0,) * len(run.names)
    rows = tuple(
        Row(
            name,
            probability,
            tally.initiations[name] + (name == running),
            (tally.evaluations[name] + under_way.get(name, 0)) / max(1, spent.evaluations),
        )
        for name, probability in zip(run.names, shown, strict=True)
    )
    return Snapshot(
        best=run.evaluator.y,
        spent=spent,
        budget=run.budget,
        fraction=fraction,
        seconds_left=left,
        rate=rates.evaluations,
        running=running,
        rows=rows,
        failed=run.evaluator.failures.count,
        nonfinite=run.evaluator.nonfinite,
        workers=_workers(run),
    )


def _workers(run: Watched) -> str:
    engine = getattr(run.evaluator, "engine", None)
    return workers_text(getattr(engine, "utilisation", None), getattr(engine, "idle_because", ""))


@dataclass(frozen=True)
class _Rates:
    evaluations: float
    cost: float
    seconds: float = 1.0


def _rates(spent: Spent, earlier: Spent) -> _Rates:
    seconds = spent.seconds - earlier.seconds
    if seconds <= 0:
        return _Rates(0.0, 0.0)
    return _Rates((spent.evaluations - earlier.evaluations) / seconds, (spent.cost - earlier.cost) / seconds)


def _nearest_end(spent: Spent, budget: Budget, rates: _Rates) -> tuple[float, float]:
    """Return the fraction used and the seconds left of the budget that ends first."""
    ends = []
    for unit in ("evaluations", "seconds", "cost"):
        limit = getattr(budget, unit)
        if limit is not None:
            used, rate = getattr(spent, unit), getattr(rates, unit)
            left = max(0.0, limit - used) / rate if rate > 0 else math.inf
            ends.append((left, -min(1.0, used / limit)))
    left, fraction = min(ends)
    return -fraction, left
