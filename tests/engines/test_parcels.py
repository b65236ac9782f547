"""Objectives with much data do not travel with every block."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import ter
from ter.engines.parcels import LIGHT

BOX = ter.box(-5, 5, dimension=4)
OPTIONS = {"budget": 300, "rng": 1, "heuristics": ["gs"]}


class Heavy:
    """Notes in which processes it is made again."""

    def __init__(self, folder, size):
        self.folder, self.data = str(folder), np.zeros(size, dtype=np.uint8)

    def __call__(self, x):
        return float((x * x).sum() + self.data[-1])

    def __setstate__(self, state):
        self.__dict__.update(state)
        place = Path(self.folder) / str(os.getpid())
        place.write_text(place.read_text() + "+" if place.exists() else "+")


@pytest.mark.parametrize("kind", ["executor", "map"])
@pytest.mark.parametrize("size", [10, 2 * LIGHT])
def test_it_is_made_once_in_each_process(tmp_path, kind, size):
    import loky

    serial = ter.minimize(Heavy(tmp_path, size), BOX, **OPTIONS)
    if kind == "executor":
        with loky.ProcessPoolExecutor(2) as pool:
            runs = [ter.minimize(Heavy(tmp_path, size), BOX, workers=pool, **OPTIONS) for _ in range(2)]
    else:
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            workers = lambda task, blocks: list(pool.map(task, blocks))  # noqa: E731
            runs = [ter.minimize(Heavy(tmp_path, size), BOX, workers=workers, **OPTIONS) for _ in range(2)]
    assert all(run.x.tobytes() == serial.x.tobytes() and run.nfev == 300 for run in runs)
    made = [place.read_text() for place in tmp_path.iterdir()]
    assert 1 <= len(made) <= 2 and set(made) <= {"+", "++"}  # two objectives, one after the other


def test_threads_get_the_objective_itself(tmp_path):
    with ThreadPoolExecutor(2) as pool:
        ter.minimize(Heavy(tmp_path, 10), BOX, workers=pool, **OPTIONS)
    assert not list(tmp_path.iterdir())
