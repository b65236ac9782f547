"""The books of a run, written for reading: a list for the curve, plain attributes for the rest."""

from __future__ import annotations

import math
from collections.abc import Iterable

TARGET, STAGNATION = 1, 2


class NaiveBooks:
    """Books values one after the other.

    The curve keeps the last improvement up to each count of three digits: 1, 2, ..., 1000, 1010, 1020, ...
    """

    def __init__(self, target: float, patience: int | None) -> None:
        self.target = target
        self.patience = math.inf if patience is None else patience
        self.count = 0
        self.best = math.inf
        self.improved_at = 0
        self.nonfinite = 0
        self.stop = -1
        self.curve: list[list[float]] = []

    @staticmethod
    def _cell(count: float) -> str:
        """The count rounded up to three digits, as text."""
        digits = str(int(count))
        if len(digits) <= 3:
            return digits
        up = int(digits[:3]) + (int(digits[3:]) > 0)
        return str(up) + "0" * (len(digits) - 3)

    def improve(self, count: int, y: float) -> None:
        self.best, self.improved_at = y, count
        if self.curve and self._cell(self.curve[-1][0]) == self._cell(count):
            self.curve.pop()
        self.curve.append([count, y])
        if y <= self.target and self.stop < 0:  # the first reason stands
            self.stop = TARGET

    def _book(self, y: float) -> bool:
        self.count += 1
        if math.isnan(y) or math.isinf(y):
            self.nonfinite += 1
            return False
        if y < self.best:
            self.improve(self.count, y)
            return True
        return False

    def _look_at_patience(self) -> None:
        if self.stop < 0 and self.count - self.improved_at >= self.patience:
            self.stop = STAGNATION

    def single(self, y: float) -> None:
        self._book(y)
        self._look_at_patience()

    def batch(self, values: Iterable[float]) -> int:
        """Book a batch; patience is looked at when it is done. Return the row of the best improvement, or -1."""
        best_row = -1
        for row, y in enumerate(values):
            if self._book(float(y)):
                best_row = row
        self._look_at_patience()
        return best_row
