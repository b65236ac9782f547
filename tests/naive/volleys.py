"""Volleys in plain Python, one coordinate at a time, from the description of the method."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["NaiveVolleys"]


class NaiveVolleys:
    """Lists and loops; steps are never drawn anew."""

    def __init__(
        self,
        fun: Callable[[list[float]], float],
        bounds: list[tuple[float, float]],
        steps: list[float],
        order: list[int],
        most: int,
    ):
        self.fun, self.bounds, self.steps = fun, bounds, list(steps)
        self.order, self.position, self.gains = list(order), 0, [0.0] * len(steps)
        self.most, self.batch, self.promised = most, min(4, most), 0.0
        self.upward: list[int] = []
        self.pending: list[tuple[int, float, float]] = []  # coordinate, target, value
        self.sizes = 1

    def volley(self, x: list[float], y: float) -> tuple[list[list[float]], list[float], float]:
        """Fire one volley from `x`; return its points, and where it goes with which value."""
        n = self.batch
        unions = [len(self.pending) >> k for k in range(min(self.sizes, n)) if len(self.pending) >> k]
        probes = self.probes(x, n - len(unions))
        points = [self.moved(x, [each[:2] for each in self.pending[:size]]) for size in unions]
        points += [self.moved(x, [(i, v)]) for i, v, _ in probes]
        values = [self.fun(point) for point in points]
        together, alone = values[: len(unions)], values[len(unions) :]
        if self.pending:
            kept = unions and y - together[0] >= 0.95 * self.promised
            self.batch = min(2 * self.batch, self.most) if kept else max(self.batch // 2, min(2, self.most))
        goes, taken = -1, -1
        if unions and min(together) < y:
            goes = together.index(min(together))
            self.sizes = 1 if goes == 0 else 3
        else:
            self.sizes = 3 if unions else self.sizes
            if alone and min(alone) < y:
                taken = alone.index(min(alone))
                goes = len(unions) + taken
        self.pending = []
        for k, ((i, v, up), value) in enumerate(zip(probes, alone, strict=True)):
            self.gains[i] = y - value if value < y else 0.0
            if value < y:
                if k != taken:
                    self.pending.append((i, v, value))
            elif up or value == y:
                self.steps[i] *= 0.5
            else:
                self.upward.append(i)
        self.promised = sum(y - value for _, _, value in self.pending)
        self.pending.sort(key=lambda each: each[2])
        return points, (points[goes] if goes >= 0 else x), (values[goes] if goes >= 0 else y)

    def moved(self, x: list[float], moves: list[tuple[int, float]]) -> list[float]:
        point = list(x)
        for i, v in moves:
            point[i] = v
        return point

    def probes(self, x: list[float], n: int) -> list[tuple[int, float, bool]]:
        found: list[tuple[int, float, bool]] = []
        busy = {i for i, _, _ in self.pending}
        first, self.upward = self.upward[:n], self.upward[n:]
        for i in first:
            self.add(found, i, x, upward=True)
        busy |= {*first, *self.upward}
        wrapped = False
        late: list[int] = []
        while len(found) < n:
            if self.position == len(self.order):
                if wrapped:
                    break
                wrapped, self.position, late = True, 0, []
                self.order = sorted(range(len(x)), key=lambda i: -self.gains[i])
            i = self.order[self.position]
            self.position += 1
            if i in busy:
                late.append(i)
            else:
                busy.add(i)
                self.add(found, i, x, upward=False)
        self.order[self.position : self.position] = late
        return found

    def add(self, found: list[tuple[int, float, bool]], i: int, x: list[float], *, upward: bool) -> None:
        low, high = self.bounds[i]
        down, up = max(x[i] - self.steps[i], low), min(x[i] + 0.5 * self.steps[i], high)
        if not upward and down != x[i]:
            found.append((i, down, False))
        elif up != x[i]:
            found.append((i, up, True))
        else:
            self.steps[i] *= 0.5
            self.gains[i] = 0.0
