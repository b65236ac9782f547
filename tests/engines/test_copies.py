from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import ter
from ter.engines.copies import Copies

BOX = ter.box(-5, 5, dimension=4)


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


def reads_only(x):
    x.setflags(write=False)
    return float((x * x).sum())


def reshapes(x):
    x.shape = (1, x.size)
    return float((x * x).sum())


def reads_as_integers(x):
    value = float((x * x).sum())
    x.dtype = np.int64
    return value


def repeats_one(x):
    value = float((x * x).sum())
    np.lib.stride_tricks.as_strided(x, strides=(0,))
    x.strides = (0,)
    return value


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("heuristic", ["ls1", "cc", "gs"])
@pytest.mark.parametrize("fun", [reads_only, reshapes, reads_as_integers, repeats_one], ids=lambda fun: fun.__name__)
def test_an_objective_may_do_with_its_argument_what_it_likes(fun, heuristic):
    options = {"budget": 300, "rng": 1, "heuristics": [heuristic]}
    box = ter.box(-5, 5, dimension=4)
    found, plain = ter.minimize(fun, box, **options), ter.minimize(lambda x: float((x * x).sum()), box, **options)
    assert found.x.tobytes() == plain.x.tobytes() and found.nfev == 300


class Careless:
    """Moves that write to all they are given."""

    def __call__(self, x):
        x.setflags(write=False)
        return float((x * x).sum())

    def start(self, x):
        return x

    def move(self, base, coordinates, values):
        point = base.copy()
        point[coordinates] = values
        self.spoil(coordinates, values)
        return float((point * point).sum())

    def commit(self, base, coordinates, values):
        base[coordinates] = values
        self.spoil(coordinates, values)

    def spoil(self, coordinates, values):
        coordinates[:], values[:] = 0, 1e9
        coordinates.shape = (1, coordinates.size)
        values.setflags(write=False)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("heuristic", ["ls1", "cc", "gs"])
def test_moves_may_do_with_their_arguments_what_they_like(heuristic):
    options = {"budget": 300, "rng": 1, "heuristics": [heuristic]}
    box = ter.box(-5, 5, dimension=4)
    found, plain = (
        ter.minimize(Careless(), box, **options),
        ter.minimize(lambda x: float((x * x).sum()), box, **options),
    )
    assert found.x.tobytes() == plain.x.tobytes() and found.fun == plain.fun


def reshapes_rows(X):
    values = (X * X).sum(axis=1)
    X.shape = (-1,)
    return values


def overwrites_rows(X):
    X *= X
    values = X.sum(axis=1)
    X[:] = 0.0
    return values


@pytest.mark.parametrize("fun", [reshapes_rows, overwrites_rows])
@pytest.mark.parametrize("workers", ["threads", map])
def test_so_may_one_that_takes_rows_on_workers(fun, workers):
    options = {"budget": 400, "rng": 1, "heuristics": ["gs", "volleys"], "vectorized": True}
    with ThreadPoolExecutor(2) as pool:
        result = ter.minimize(fun, BOX, workers=pool if workers == "threads" else workers, **options)
    plain = ter.minimize(lambda X: (X * X).sum(axis=1), BOX, **options)
    assert result.nfev == 400 and result.x.tobytes() == plain.x.tobytes()
