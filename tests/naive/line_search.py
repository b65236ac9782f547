"""The global line search on a function of lists, written for reading: groups of lines, then all they found."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.naive.splitmix import SplitMix

GOLD = (3 - math.sqrt(5)) / 2

Place = tuple[float, float]  # a position on a line, and the value there


@dataclass
class Line:
    variable: int
    known: list[Place]  # in ascending order
    best: Place
    brackets: list[list[Place]] = field(default_factory=list)
    little: float = 0.0
    narrow: float = 0.0


@dataclass
class NaiveLineSearch:
    fun: Callable[[list[float]], float]
    x: list[float]
    y: float
    lower: list[float]
    upper: list[float]
    random: SplitMix
    steps: int
    most: int  # lines of a group
    width: int = 0
    alone: int = 0
    patience: int = 4
    asked: list[list[float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.width = min(4, self.most)

    def sweep(self, points: int, minima: int) -> None:
        order: list[int] = []
        for k in range(len(self.x)):
            j = self.random.below(k + 1)
            order.append(k)
            order[k], order[j] = order[j], k
        movable = [i for i in order if self.lower[i] < self.upper[i]]
        while movable:
            group, movable = movable[: self.width], movable[self.width :]
            self._search(group, points, minima)
            if self.width == 1 and self.most > 1:
                self.alone += 1
                if self.alone >= self.patience:
                    self.width, self.alone = 2, 0

    def _ask(self, moves: dict[int, float]) -> float:
        point = [moves.get(i, v) for i, v in enumerate(self.x)]
        self.asked.append(point)
        return self.fun(point)

    def _search(self, group: list[int], points: int, minima: int) -> None:
        places = {i: self._places(i, points) for i in group}
        lines = []
        for i in group:
            known = [(v, self._ask({i: v})) for v in places[i] if v != self.x[i]]
            known = sorted([*known, (self.x[i], self.y)], key=lambda place: place[0])
            lines.append(self._bracketed(i, known, minima))
        for made in range(self.steps):
            trials = [(line, b, self._trial(line, b, made)) for line in lines for b in line.brackets]
            for line in lines:
                line.brackets = [b for owner, b, trial in trials if owner is line and trial is not None]
            for line, bracket, trial in trials:
                if trial is not None:
                    y = self._ask({line.variable: trial})
                    if y < line.best[1]:
                        line.best = trial, y
                    self._narrow(bracket, (trial, y))
        self._join(sorted((line for line in lines if line.best[1] < self.y), key=lambda line: line.best[1]))

    def _join(self, lines: list[Line]) -> None:
        if not lines:
            return
        candidates = [(lines[0].best[1], 1)]
        if len(lines) > 1:
            promised, size = sum(self.y - line.best[1] for line in lines), len(lines)
            kept = False
            while size > 1 and not kept:
                y = self._ask({line.variable: line.best[0] for line in lines[:size]})
                candidates.append((y, size))
                if size == len(lines):
                    kept = self.y - y >= 0.95 * promised
                size //= 2
            if kept:
                self.width, self.patience = min(2 * self.width, self.most), 4
            else:
                self.width = max(1, self.width // 2)
                self.patience = min(64, 2 * self.patience) if self.width == 1 else self.patience
        y, size = min(candidates, key=lambda each: each[0])
        self.y = y
        for line in lines[:size]:
            self.x[line.variable] = line.best[0]

    def _places(self, i: int, points: int) -> list[float]:
        low, high, offset = self.lower[i], self.upper[i], self.random.uniform()
        return [low, *(min(high, low + (k + offset) / points * (high - low)) for k in range(points)), high]

    def _bracketed(self, i: int, known: list[Place], minima: int) -> Line:
        ys = [y for _, y in known]
        dips = [
            k
            for k, y in enumerate(ys)
            if y < math.inf and (k == 0 or y < ys[k - 1]) and (k == len(ys) - 1 or y <= ys[k + 1])
        ]
        promises = {k: ys[k] - (_vertex(known[k - 1 : k + 2])[1] if 0 < k < len(ys) - 1 else 0.0) for k in dips}
        best: list[int] = []
        for k in sorted(dips, key=promises.__getitem__):  # stable: of equal promises the first one counts
            if not best or promises[k] > promises[best[-1]]:
                best.append(k)
        finite = [y for y in ys if y < math.inf]
        here = next(place for place in known if place[0] == self.x[i])
        return Line(
            i,
            known,
            min([here, *known], key=lambda place: place[1]),
            [[known[max(k - 1, 0)], known[k], known[min(k + 1, len(ys) - 1)]] for k in best[:minima]],
            min(1e-12 * (max(finite) - min(finite)), 2.0**-50 * abs(min(finite))) if finite else 0.0,
            1e-15 * (self.upper[i] - self.lower[i]),
        )

    @staticmethod
    def _trial(line: Line, bracket: list[Place], made: int) -> float | None:
        (a, _), (b, fb), (c, _) = bracket
        if c - a <= line.narrow:
            return None
        trial = b - GOLD * (b - a) if b - a > c - b else b + GOLD * (c - b)
        shift, gain = _vertex(bracket)
        if shift is not None:
            if (made >= 2 and fb - 2 * gain > line.best[1]) or (made > 0 and gain <= line.little):
                return None
            if a < b - shift < c and made % 4 != 3:
                trial = b - shift
        return trial if a < trial < c and trial != b else None

    @staticmethod
    def _narrow(bracket: list[Place], new: Place) -> None:
        middle = bracket[1]
        if new[1] < middle[1]:
            bracket[:] = [bracket[0], new, middle] if new[0] < middle[0] else [middle, new, bracket[2]]
        elif new[0] < middle[0]:
            bracket[0] = new
        else:
            bracket[2] = new


def _vertex(bracket: list[Place]) -> tuple[float | None, float]:
    """Return how far left of the middle the vertex of a parabola lies, and how much lower."""
    (a, fa), (b, fb), (c, fc) = bracket
    if not (a < b < c and fa < math.inf and fc < math.inf):
        return None, 0.0
    p, q = (b - a) * (fb - fc), (b - c) * (fb - fa)
    if p == q:
        return None, 0.0
    shift = 0.5 * ((b - a) * p - (b - c) * q) / (p - q)
    return shift, shift * shift * abs(p - q) / ((b - a) * (c - b) * (c - a))
