"""A sum of terms over groups, as plain as it can be written; the order of the additions is that of the tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

__all__ = ["block_value", "halved_sum"]


def halved_sum(terms: list[float]) -> float:
    """Add the second half to the first, term by term, until one number is left."""
    while len(terms) > 1:
        half = (len(terms) + 1) // 2
        first, second = terms[:half], terms[half:]
        terms = [a + b for a, b in zip(first, second, strict=False)] + first[len(second) :]
    return terms[0]


def block_value(
    term: Callable[[np.ndarray, int, np.ndarray], float],
    groups: Sequence[Sequence[int]],
    data: np.ndarray,
    x: np.ndarray,
) -> float:
    """Evaluate every term on a copy of its variables and add them up."""
    return halved_sum([float(term(x[list(group)].copy(), k, data)) for k, group in enumerate(groups)])
