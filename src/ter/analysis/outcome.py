"""What a test between two algorithms says, and the ``</≈/>`` string of the paper over several problems."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

__all__ = ["Outcome", "Sign", "Tally", "tally", "verdict"]

Sign = Literal["<", "≈", ">"]


@dataclass(frozen=True)
class Outcome:
    """The outcome of one test.

    Attributes
    ----------
    sign : {"<", "≈", ">"}
        ``<`` if the first algorithm gives significantly smaller values, that is, is better.
    p : float
        Two-sided p-value, after correction if there was one.
    statistic : float
        Of the test; negative values of t favour the first algorithm.
    """

    sign: Sign
    p: float
    statistic: float


class Tally(NamedTuple):
    """On how many problems the first algorithm is better, not different, worse.

    Examples
    --------
    >>> str(Tally(9, 5, 1))
    '9/5/1'
    """

    less: int
    similar: int
    greater: int

    def __str__(self) -> str:
        return f"{self.less}/{self.similar}/{self.greater}"


def tally(outcomes: Iterable[Outcome]) -> Tally:
    """Count the signs of several tests.

    Examples
    --------
    >>> str(tally([Outcome("<", 0.01, -3.0), Outcome("≈", 0.5, 0.6), Outcome("<", 0.0, -9.0)]))
    '2/1/0'
    """
    signs = [outcome.sign for outcome in outcomes]
    return Tally(signs.count("<"), signs.count("≈"), signs.count(">"))


def verdict(direction: float, p: float, alpha: float) -> Sign:
    """Put a p-value and the direction of the difference (negative: the first is smaller) into a sign."""
    if not p < alpha or direction == 0:
        return "≈"
    return "<" if direction < 0 else ">"
