"""The tree over many terms in plain Python: all levels as lists."""

from __future__ import annotations

from collections.abc import Callable

from ter.objectives.tree import MAX, PRODUCT, SUM

OPERATIONS: dict[int, Callable[[float, float], float]] = {
    SUM: lambda a, b: a + b,
    PRODUCT: lambda a, b: a * b,
    MAX: max,
}


def levels(operation: int, terms: list[float]) -> list[list[float]]:
    """The terms, then level by level the first half combined with the second, up to a single number.

    If there is one term more in the first half, it goes up as it is.
    """
    found = [terms]
    while len(found[-1]) > 1:
        below = found[-1]
        half = (len(below) + 1) // 2
        first, second = below[:half], below[half:]
        combined = [OPERATIONS[operation](a, b) for a, b in zip(first, second, strict=False)]
        found.append(combined + first[len(second) :])
    return found
