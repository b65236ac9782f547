"""Local alignment in plain Python: the whole matrix of scores, as Smith and Waterman define it."""

from __future__ import annotations

from collections.abc import Sequence


def local_score(a: Sequence[object], b: Sequence[object], match: float, mismatch: float, gap: float) -> float:
    scores = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            paired = scores[i - 1][j - 1] + (match if a[i - 1] == b[j - 1] else mismatch)
            deleted = scores[i - 1][j] + gap
            inserted = scores[i][j - 1] + gap
            scores[i][j] = max(0.0, paired, deleted, inserted)
    return max(max(row) for row in scores)
