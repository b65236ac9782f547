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
    low: float
    high: float
    home: float
    best: Place
    period: float = 0.0
    known: list[Place] = field(default_factory=list)  # in ascending order
    brackets: list[list[Place]] = field(default_factory=list)  # left, middle, right, and perhaps a spare one
    all_brackets: list[list[Place]] = field(default_factory=list)  # those that were given up, too
    little: float = 0.0

    @property
    def range(self) -> float:
        return self.high - self.low

    def ends(self, margin: float = 0.0) -> tuple[int, int]:
        below, above = (self.low - self.home) / self.period, (self.high - self.home) / self.period
        return math.ceil(below + margin), math.floor(above - margin)

    def place(self, k: int) -> float:
        return min(self.high, max(self.low, self.home + k * self.period))

    def index(self, v: float) -> int:
        return math.floor((v - self.home) / self.period + 0.5)


@dataclass
class NaiveLineSearch:
    fun: Callable[[list[float]], float]
    x: list[float]
    y: float
    lower: list[float]
    upper: list[float]
    random: SplitMix
    points: int
    first: int
    minima: int
    steps: int
    most: int  # lines of a group
    study: int  # lines
    now: tuple[int, int] = (0, 0)  # points and minima of the last pass that looked at whole lines
    width: int = 0
    alone: int = 0
    patience: int = 4
    passes: int = 0
    period: float = 0.0  # as a share of the range, like the spacings
    spacing: float = 0.0
    spacings: list[float] = field(default_factory=list)
    tests: list[bool] = field(default_factory=list)
    reach: dict[int, float] = field(default_factory=dict)
    asked: list[list[float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.width = min(4, self.most)

    @property
    def studying(self) -> bool:
        return len(self.spacings) < self.study

    @property
    def hopping(self) -> bool:
        return self.period > 0 and (self.passes == 1 or self.passes % 3 != 1)

    def _next_pass(self) -> None:
        self.passes += 1
        if self.hopping:
            return
        points, minima = max(self.first, 2 * self.now[0]), self.now[1] + 1
        if self.spacing > 0 and self.period == 0:
            points, minima = max(points, int(2.5 / self.spacing)), self.minima
        self.now = min(self.points, points), min(self.minima, minima)

    def sweep(self) -> None:
        self._next_pass()
        order: list[int] = []
        for k in range(len(self.x)):
            j = self.random.below(k + 1)
            order.append(k)
            order[k], order[j] = order[j], k
        movable = [i for i in order if self.lower[i] < self.upper[i]]
        while movable:
            width = min(self.width, self.study - len(self.spacings)) if self.studying else self.width
            group, movable = movable[:width], movable[width:]
            lines = [Line(i, self.lower[i], self.upper[i], self.x[i], (self.x[i], self.y)) for i in group]
            if self.hopping:
                self._hop(lines, self.now[0])
            else:
                self._look(lines, *self.now)
            self._join(sorted((line for line in lines if line.best[1] < self.y), key=lambda line: line.best[1]))
            if self.width == 1 and self.most > 1:
                self.alone += 1
                if self.alone >= self.patience:
                    self.width, self.alone = 2, 0

    def _ask(self, moves: dict[int, float]) -> float:
        point = [moves.get(i, v) for i, v in enumerate(self.x)]
        self.asked.append(point)
        return self.fun(point)

    def _look(self, lines: list[Line], points: int, minima: int) -> None:
        for line in lines:
            offset = self.random.uniform()
            even = (min(line.high, line.low + (k + offset) / points * line.range) for k in range(points))
            line.known = [line.best]
            self._plan(line, [v for v in [line.low, *even, line.high] if v != line.home])
        self._scan(lines)
        for line in lines:
            self._take(line, _best_dips(line.known, minima))
        first = self.passes == 1 and not self.studying
        self._refine(lines, min(self.steps, 6) if first else self.steps)
        if self.studying:
            self._study(lines)

    def _study(self, lines: list[Line]) -> None:
        for line in lines:
            middle = line.all_brackets[0][1] if line.all_brackets else line.best
            m = line.home = middle[0]
            side = 1 if line.high - m >= m - line.low else -1
            room = max(line.high - m, m - line.low) / line.range
            count = int(math.log(room / 2**-10) / math.log(1.3)) + 1
            away = [m + side * line.range * 2**-10 * 1.3**k for k in range(count)]
            line.known = [middle]
            self._plan(line, sorted(v for v in away if line.low < v < line.high and v != m))
        self._scan(lines)
        for line in lines:
            outwards = list(range(len(line.known)))
            if line.known[0][0] != line.home:
                outwards.reverse()
            ys = [line.known[k][1] for k in outwards]
            dips = [k for k in range(1, len(ys) - 1) if ys[k] < ys[k - 1] and ys[k] <= ys[k + 1] < math.inf]
            self._take(line, [outwards[k] for k in dips[:1]])
            if dips:
                line.little = 1e-8 * (min(ys[dips[0] - 1], ys[dips[0] + 1]) - ys[dips[0]])
        self._refine(lines, self.steps)
        for line in lines:
            line.period = abs(line.all_brackets[0][1][0] - line.home) if line.all_brackets else 0.0
            self.spacings.append(line.period / line.range)
            line.known = []
            wanted = []
            if line.period > 0:
                first, last = line.ends(0.25)
                wanted = [line.place(k) + q * line.period / 4 for k in _spread(first, last, 4) for q in (-1, 0, 1)]
            self._plan(line, wanted)
        self._scan(lines)
        for line in lines:
            ys = [y for _, y in line.known]
            self.tests += [ys[k] < ys[k - 1] and ys[k] < ys[k + 1] for k in range(1, len(ys), 3)]
        if not self.studying:
            self._learn()

    def _learn(self) -> None:
        found = sorted(v for v in self.spacings if v > 0)
        if len(found) < 0.75 * self.study:
            return
        self.spacing = found[len(found) // 2]
        alike = [v for v in found if abs(v - self.spacing) <= 0.03 * self.spacing]
        if len(alike) >= 0.75 * self.study and sum(self.tests) >= 0.75 * len(self.tests):
            self.period = self.spacing

    def _hop(self, lines: list[Line], points: int) -> None:
        for line in lines:
            line.period = self.period * line.range
            first, last = line.ends()
            if self.passes == 1:
                wanted = _spread(first, last, max(2, points))
            else:
                wanted = _spread(max(first, -1), min(last, 1), 3)
            line.known = [line.best]
            self._plan(line, [line.place(k) for k in wanted if k != 0])
        self._scan(lines)
        for line in lines:
            self._take(line, _best_dips(line.known, 1))
        self._refine(lines, min(self.steps, 8), hopping=True)
        for line in lines:
            m = line.best
            reach = self.reach.get(line.variable, 1.0) if m[0] == line.home else 1.0
            distance = line.period * min(1 / 3, max(2**-12, reach))
            outer = [line.all_brackets[0][0], line.all_brackets[0][2]] if line.all_brackets else []
            line.known = [m]
            if outer and outer[0][0] < m[0] - distance:
                line.known.insert(0, outer[0])
            if outer and outer[1][0] > m[0] + distance:
                line.known.append(outer[1])
            beside = [max(line.low, m[0] - distance), min(line.high, m[0] + distance)]
            self._plan(line, [v for v in beside if v != m[0]])
        self._scan(lines)
        for line in lines:
            self._take(line, _best_dips(line.known, 1))
        self._refine(lines, min(self.steps, 2) if self.passes == 1 else (self.steps + 1) // 2)
        for line in lines:
            self.reach[line.variable] = math.inf
            for left, middle, right, *_ in line.all_brackets:
                far = [abs(end[0] - middle[0]) for end in (left, right) if end[0] != middle[0]]
                if middle[0] == line.best[0] and far:
                    self.reach[line.variable] = min(far) / line.period

    @staticmethod
    def _plan(line: Line, wanted: list[float]) -> None:
        line.known = sorted([*line.known, *((v, math.nan) for v in wanted)], key=lambda place: place[0])

    def _scan(self, lines: list[Line]) -> None:
        for line in lines:
            for k, (v, y) in enumerate(line.known):
                if math.isnan(y):
                    line.known[k] = (v, self._ask({line.variable: v}))
                    if line.known[k][1] < line.best[1]:
                        line.best = line.known[k]

    def _take(self, line: Line, dips: list[int]) -> None:
        finite = [y for _, y in line.known if y < math.inf]
        line.little = 0.0
        if finite and min(finite) < max(finite):
            span = max(finite) - min(finite)
            line.little = min(1e-12 * span, 2.0**-50 * abs(min(finite)))
            if self.passes == 1 and not self.studying:
                line.little = 1e-9 * span
        last = len(line.known) - 1
        line.brackets = []
        for k in dips:
            spare = [line.known[{0: 2, last: last - 2}[k]]] if last > 1 and k in (0, last) else []
            line.brackets.append([line.known[max(k - 1, 0)], line.known[k], line.known[min(k + 1, last)], *spare])
        line.all_brackets = list(line.brackets)

    def _refine(self, lines: list[Line], steps: int, *, hopping: bool = False) -> None:
        for made in range(steps):
            choose = self._hopped if hopping else self._stepped
            trials = [(line, b, choose(line, b, made)) for line in lines for b in line.brackets]
            for line in lines:
                line.brackets = [b for owner, b, trial in trials if owner is line and trial is not None]
            for line, bracket, trial in trials:
                if trial is not None:
                    y = self._ask({line.variable: trial})
                    if y < line.best[1]:
                        line.best = trial, y
                    _narrow(bracket, (trial, y))

    @staticmethod
    def _hopped(line: Line, bracket: list[Place], made: int) -> float | None:
        a, b, c = (line.index(place[0]) for place in bracket[:3])
        first, last = line.ends()
        if a == c:
            return None
        if a == b:
            k = max(first, b - 2 * (c - b))
        elif b == c:
            k = min(last, b + 2 * (b - a))
        else:
            shift, _ = _vertex(bracket[:3])
            if shift is None:
                return None
            k = min(c - 1, max(a + 1, line.index(bracket[1][0] - shift)))
        return line.place(k) if k != b else None

    def _stepped(self, line: Line, bracket: list[Place], made: int) -> float | None:
        (a, _), (b, fb), (c, _) = bracket[:3]
        if c - a <= 1e-15 * line.range:
            return None
        if line.low < b < line.high and a == b:
            return max(line.low, b - 3 * (c - b))
        if line.low < b < line.high and b == c:
            return min(line.high, b + 3 * (b - a))
        if a == b or b == c:
            return self._stepped_from_end(line, bracket, made)
        short, wide = sorted([b - a, c - b])
        part = GOLD * wide if wide < 16 * short else math.sqrt(short * wide)
        trial = b - part if b - a > c - b else b + part
        shift, gain = _vertex(bracket[:3])
        if shift is not None:
            if made >= 2 and fb - 2 * gain > line.best[1] and not self.studying:
                return None
            if made > 0 and gain <= line.little:
                return None
            if a < b - shift < c and made % 4 != 3:
                trial = b - shift
        return trial if a < trial < c and trial != b else None

    @staticmethod
    def _stepped_from_end(line: Line, bracket: list[Place], made: int) -> float | None:
        end, near = bracket[1], bracket[2] if bracket[0] == bracket[1] else bracket[0]
        trial = end[0] + GOLD * (near[0] - end[0])
        if len(bracket) > 3:
            spare = bracket[3]
            rises = (near[1] - end[1]) / abs(near[0] - end[0])
            if rises < (spare[1] - near[1]) / abs(spare[0] - near[0]) < math.inf:
                shift, gain = _vertex(sorted([end, near, spare]))
                low, high = sorted([end[0], near[0]])
                if shift is not None and low < near[0] - shift < high and near[1] - gain < end[1] - line.little:
                    trial = near[0] - shift
                elif made > 0:
                    return None
        return trial if min(end[0], near[0]) < trial < max(end[0], near[0]) else None

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


def _spread(first: int, last: int, n: int) -> list[int]:
    """Return `n` whole numbers from the first to the last, or fewer if some are the same."""
    if first > last:
        return []
    return sorted({first + math.floor(k * (last - first) / (n - 1) + 0.5) for k in range(n)})


def _best_dips(known: list[Place], wanted: int) -> list[int]:
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
    return best[:wanted]


def _narrow(bracket: list[Place], new: Place) -> None:
    left, middle, right = bracket[:3]
    if new[1] < middle[1]:
        if new[0] < middle[0]:
            bracket[:3] = [new if new[0] < left[0] else left, new, middle]
        else:
            bracket[:3] = [middle, new, new if new[0] > right[0] else right]
    elif new[0] < middle[0]:
        bracket[:] = [new, middle, right, left]
    else:
        bracket[:] = [left, middle, new, right]


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
