"""The largest of many terms, which few variables matter in at a time: ``python -m studies.beyond.largest``.

Functions for tuning `middles`, of 300 variables in the box from -5 to 5: the largest of distances, with weights from 1
to 1000, of weighted squares, of distances that count three times on one side, of sums over groups of five, of
distances with ripples, and of valleys of two variables.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

import ter

D, PER_VARIABLE = 300, (30, 100, 300)
ALONE = ("middles", "ls1", "rm-es", "quasi-newton", "wide-es", "sep-cma-es")
BOX = ter.box(-5, 5, dimension=D)


def functions() -> dict[str, Callable[[np.ndarray], float]]:
    """Return the functions; the least value of all of them is 0."""
    rng = np.random.default_rng(1)
    optimum, weights = rng.uniform(-4, 4, D), 10 ** rng.uniform(0, 3, D)

    def rippled(x: np.ndarray) -> float:
        z = x - optimum
        return float((np.abs(z) + 0.3 * (1 - np.cos(6 * z))).max())

    def valleys(x: np.ndarray) -> float:
        one, other = x[::2], x[1::2]
        return float((10 * (one - other) ** 2 + (one - 1) ** 2).max())

    return {
        "distance": lambda x: float(np.abs(x - optimum).max()),
        "weighted": lambda x: float((weights * np.abs(x - optimum)).max()),
        "squares": lambda x: float((weights * (x - optimum) ** 2).max()),
        "lopsided": lambda x: float(np.maximum(x - optimum, 3 * (optimum - x)).max()),
        "groups": lambda x: float(np.abs(x - optimum).reshape(-1, 5).sum(axis=1).max()),
        "rippled": rippled,
        "valleys": valleys,
    }


def main() -> None:
    """Write the table: the default, then single heuristics; values after 30, 100 and 300 evaluations per variable."""
    head = ("", "default", *(f"`{name}`" for name in ALONE))
    sys.stdout.write(f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n")
    for title, fun in functions().items():
        cells = [title]
        for name in (None, *ALONE):
            heuristics = None if name is None else [name]
            values = [ter.minimize(fun, BOX, budget=n * D, rng=1, heuristics=heuristics).fun for n in PER_VARIABLE]
            cells.append(", ".join(f"{value:.2g}" for value in values))
        sys.stdout.write(f"| {' | '.join(cells)} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
