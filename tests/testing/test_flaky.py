"""The simulator that misbehaves."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import ter
from ter.testing import FlakySimulator, SimulatedCrash

BOX = ter.box(-5, 5, dimension=4)
POINTS = np.random.default_rng(1).uniform(-5, 5, (4000, 4))


def sphere(x):
    return float((x * x).sum())


def test_so_many_points_misbehave_and_each_in_one_way():
    flaky = FlakySimulator(sphere, crash=0.1, hang=0.2, nan=0.3, exception=0.25, rng=3)
    fates = [flaky.fate(x) for x in POINTS]
    for kind, share in (("crash", 0.1), ("hang", 0.2), ("nan", 0.3), ("exception", 0.25), (None, 0.15)):
        assert fates.count(kind) / len(fates) == pytest.approx(share, abs=0.03)


def test_the_point_decides_and_the_seed_whatever_the_copy():
    first, again = FlakySimulator(sphere, nan=0.5, rng=1), FlakySimulator(sphere, nan=0.5, rng=1)
    other = FlakySimulator(sphere, nan=0.5, rng=2)
    copy = pickle.loads(pickle.dumps(first))
    fates = [[each.fate(x) for x in POINTS[:200]] for each in (first, again, copy, other)]
    assert fates[0] == fates[1] == fates[2] != fates[3]


def test_what_goes_wrong_shows():
    x = POINTS[0]
    assert math.isnan(FlakySimulator(sphere, nan=1)(x))
    with pytest.raises(SimulatedCrash, match="a simulated exception"):
        FlakySimulator(sphere, exception=1)(x)
    with pytest.raises(SimulatedCrash, match="a simulated crash"):  # this process made it, and must live on
        FlakySimulator(sphere, crash=1)(x)
    assert FlakySimulator(sphere)(x) == sphere(x)


def test_a_hang_takes_longer_than_anybody_waits(monkeypatch):
    slept = []
    monkeypatch.setattr("time.sleep", slept.append)
    with pytest.raises(SimulatedCrash, match="hang"):
        FlakySimulator(sphere, hang=1, delay=0.5)(POINTS[0])
    assert slept == [0.5, 3600]


def test_with_a_folder_for_notes_it_happens_once(tmp_path):
    flaky = FlakySimulator(sphere, exception=1, once_in=tmp_path)
    with pytest.raises(SimulatedCrash):
        flaky(POINTS[0])
    assert flaky(POINTS[0]) == pickle.loads(pickle.dumps(flaky))(POINTS[0]) == sphere(POINTS[0])
    with pytest.raises(SimulatedCrash):
        flaky(POINTS[1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"crash": 1.5}, r"crash must be a probability in \[0, 1\], got 1.5"),
        ({"nan": math.nan}, "nan must be a probability"),
        ({"nan": 0.7, "hang": 0.5}, "must add up to at most 1, got 1.2"),
        ({"delay": -1.0}, "delay must be a number of seconds >= 0, got -1.0"),
        ({"delay": "x"}, "delay must be a number of seconds >= 0, got 'x'"),
        ({"nan": "x"}, r"nan must be a probability in \[0, 1\], got 'x'"),
    ],
)
def test_wrong_settings_are_refused(arguments, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        FlakySimulator(sphere, **arguments)
