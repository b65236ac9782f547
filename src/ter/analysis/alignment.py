"""Smith and Waterman's local alignment, compiled.

References
----------
.. [1] T. F. Smith, M. S. Waterman, "Identification of common molecular subsequences", J. Mol. Biol. 147, 1981.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ter._jit import kernel
from ter.core.box import Vector

__all__ = ["Codes", "local_scores", "smith_waterman"]

Codes = NDArray[np.int64]


@kernel
def smith_waterman(a: Codes, b: Codes, match: float, mismatch: float, gap: float, row: Vector) -> float:
    """Return the score of the best local alignment; `row` is work space, longer than `b` by one at least."""
    best = 0.0
    for j in range(b.size + 1):
        row[j] = 0.0
    for i in range(a.size):
        corner = 0.0  # the score up to the previous letters of both
        for j in range(b.size):
            diagonal = corner + (match if a[i] == b[j] else mismatch)
            corner = row[j + 1]
            row[j + 1] = max(0.0, diagonal, row[j] + gap, corner + gap)
            best = max(best, row[j + 1])
    return best


@kernel
def local_scores(
    letters: Codes, starts: Codes, first: Codes, second: Codes, match: float, mismatch: float, gap: float, out: Vector
) -> None:
    """Score pairs of sequences; sequence s is ``letters[starts[s]:starts[s + 1]]``."""
    longest = 0
    for s in range(starts.size - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    row = np.empty(longest + 1)
    for k in range(first.size):
        a = letters[starts[first[k]] : starts[first[k] + 1]]
        b = letters[starts[second[k]] : starts[second[k] + 1]]
        out[k] = smith_waterman(a, b, match, mismatch, gap, row)
