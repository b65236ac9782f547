"""How much faster runs could be with workers, by their batches alone: ``python -m bench rounds [names]``.

Nothing sleeps and nothing is measured: workers, and the seconds that evaluations take, are simulated, so the figures do
not depend on the machine. Evaluations take one second each, or times that differ much: lognormal with sigma 1 and mean
one second, the point decides. Sending points takes no time, so this is what a run could reach at best.
"""

from __future__ import annotations

import math
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from typing import Any
from unittest.mock import patch

import numpy as np

import ter
from bench.report import save, table
from ter.engines import choose

__all__ = ["main"]

DIMENSION, PER_VARIABLE = 300, 60
WIDTHS, SIGMAS = (2, 16, 64), (0.0, 1.0)
RUNS: dict[str, list[str] | None] = {"default": None} | {
    name: [name] for name in ("volleys", "lines", "groups", "rm-es", "lbfgsb")
}


def squares(x: np.ndarray) -> float:
    """A sum of squares."""
    return float((x * x).sum())


def rastrigin(x: np.ndarray) -> float:
    """Many minima, separable."""
    return float((x * x - 10 * np.cos(2 * np.pi * x) + 10).sum())


def pairs(x: np.ndarray) -> float:
    """Rosenbrock's function of each pair of neighbours."""
    return float((100 * (x[1::2] - x[::2] ** 2) ** 2 + (1 - x[::2]) ** 2).sum())


class Simulated:
    """A backend whose workers take the time that the point says."""

    takes_single_points, keeps_base = True, False

    def __init__(self, width: int, sigma: float) -> None:
        self.width, self._sigma = width, sigma
        self.now = self.busy = 0.0
        self.ends: list[float] = []  # of each evaluation, in the order in which they came back

    def prepare(self, task: Any) -> None:
        """There is nothing to start."""

    def close(self) -> None:
        """There is nothing to end."""

    def run(self, task: Any, blocks: Sequence[Any], go_on: Callable[[], bool]) -> Iterator[Any]:
        """Hand out blocks in order to whoever is free first."""
        under_way, free, seen = list[tuple[float, int, Any]](), [self.now] * self.width, 0
        while under_way or seen < len(blocks):
            for k in range(seen, len(blocks)):
                answer, seconds = task(blocks[k]), sum(map(self._seconds, blocks[k].points()))
                answer.outcome.busy = seconds
                end = max(heappop(free), self.now) + seconds
                heappush(free, end)
                heappush(under_way, (end, k, answer))
                seen = k + 1
            self.now, _, answer = heappop(under_way)
            self.busy += answer.outcome.busy
            self.ends += [self.now] * answer.length
            yield answer

    def _seconds(self, x: np.ndarray) -> float:
        luck = np.random.default_rng(zlib.crc32(x.tobytes())).standard_normal() if self._sigma else 0.0
        return math.exp(self._sigma * luck - 0.5 * self._sigma**2)


def measure(fun: Callable[..., float], names: list[str] | None, width: int, sigma: float) -> dict[str, float]:
    """Return how many workers were busy on average, in all and while each heuristic was at work."""
    workers = Simulated(width, sigma)
    with patch.object(choose, "choose_backend", lambda *_: workers):
        box = ter.box(-5, 4, dimension=DIMENSION)
        result = ter.minimize(fun, box, budget=PER_VARIABLE * DIMENSION, rng=1, workers=width, heuristics=names)
    found, count, seconds = {"": workers.busy / workers.now}, defaultdict[str, int](int), defaultdict[str, float](float)
    last = result.nfev - sum(action.nfev for action in result.actions)
    for action in result.actions:
        first, last = last, last + action.nfev
        count[action.heuristic] += action.nfev
        seconds[action.heuristic] += workers.ends[last - 1] - workers.ends[max(0, first - 1)]
    return found | {name: count[name] / seconds[name] for name in count if seconds[name]}


def main(arguments: Sequence[str]) -> None:
    """Simulate all runs, or those whose names are given."""
    head = ["function", "run", *(f"{w} workers, {'different' if s else 'equal'} times" for w in WIDTHS for s in SIGMAS)]
    rows = []
    for fun in (squares, rastrigin, pairs):
        for name, heuristics in RUNS.items():
            if not arguments or name in arguments:
                found = [measure(fun, heuristics, width, sigma) for width in WIDTHS for sigma in SIGMAS]
                lines = [part for part in found[0] if part == "" or len(found[0]) > 2]
                for part in lines:
                    title = f"{name}: {part}" if part else name
                    rows.append([fun.__name__, title, *(f"{each.get(part, math.nan):.2f}" for each in found)])
                print(*rows[-len(lines)], flush=True)
    about = f"How many workers are busy, by the sizes of batches alone; D = {DIMENSION}, {PER_VARIABLE} evaluations per"
    text = f"{about} variable.\nTimes are all equal, or lognormal with sigma 1.\n\n{table(head, rows)}"
    if not arguments:
        save("rounds", "Rounds", text, {" ".join(row[:2]): row[2:] for row in rows})
