from __future__ import annotations

import numpy as np

import ter
from ter.engines.copies import Copies


def test_memory_that_nobody_kept_is_used_again():
    copies = Copies()
    address = copies.copy_of(np.zeros(5)).ctypes.data
    again = copies.copy_of(np.ones(5))
    assert again.ctypes.data == address and again.tolist() == [1] * 5


def test_a_copy_that_was_kept_never_changes():
    copies = Copies()
    kept = [copies.copy_of(np.full(5, float(i))) for i in range(4)]
    view = copies.copy_of(np.full(5, 9.0))[1:3]
    copies.copy_of(np.zeros(5))
    assert [row.tolist() for row in kept] == [[i] * 5 for i in range(4)] and view.tolist() == [9, 9]


def test_points_that_an_objective_keeps_stay_as_they_were():
    kept: list[tuple[np.ndarray, list[float]]] = []

    def fun(x):
        kept.append((x, x.tolist()) if len(kept) % 3 else (x[:2], x[:2].tolist()))
        return float((x * x).sum())

    ter.minimize(fun, ter.box(-5, 5, dimension=4), budget=600, rng=1)
    assert len(kept) == 600 and all(x.tolist() == before for x, before in kept)
