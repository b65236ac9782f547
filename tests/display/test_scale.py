from __future__ import annotations

import math

import pytest

from ter.display.scale import Scale, nice_steps, time_steps


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1e6, 1e-9], "log"),
        ([1e6, 0.0], "linear"),
        ([1e6, 3.0, -600.0], "symlog"),
        ([-0.2, -0.4], "linear"),
        ([5.0, 4.0], "linear"),
        ([3.0], "linear"),
        ([0.0], "linear"),
        ([], "linear"),
        ([math.inf, math.nan], "linear"),
        ([1e300, -1e300, 1e-300], "symlog"),
        ([1.0, 5e-324, 0.0], "symlog"),
    ],
)
def test_the_scale_fits_the_values(values, kind):
    scale = Scale.fit(values)
    assert scale.kind == kind
    assert scale.low < scale.high
    finite = [value for value in values if math.isfinite(value)]
    assert all(-1e-9 <= scale.position(value) <= 1 + 1e-9 for value in finite)


@pytest.mark.parametrize("values", [[1e6, 1e-9], [1e6, 0.0], [1e9, -637.0, 1.0], [-0.2, -0.4], [50.0, 1.5], [3.0]])
def test_ticks_lie_between_the_ends_in_order_and_are_few(values):
    scale = Scale.fit(values)
    ticks = scale.ticks()
    assert 1 <= len(ticks) <= 14
    assert ticks == sorted(set(ticks))
    assert all(-1e-6 <= scale.position(tick) <= 1 + 1e-6 for tick in ticks)


def test_positions_keep_the_order_of_values_across_zero():
    scale = Scale.fit([1e5, 10.0, -400.0, 0.5])
    positions = [scale.position(value) for value in (-400.0, -1.0, 0.0, 0.3, 10.0, 1e5)]
    assert positions == sorted(positions)
    assert positions[0] == 0.0
    assert positions[-1] == 1.0


def test_steps_are_round_numbers():
    assert nice_steps(0, 1234, 4) == [0.0, 500.0, 1000.0]
    assert nice_steps(2, 2, 4) == [2]


@pytest.mark.parametrize(
    ("total", "texts"),
    [(0.3, ["0 s", "0.1 s", "0.2 s", "0.3 s"]), (100, ["0 s", "50 s", "100 s"]), (7_200, ["0 h", "1 h", "2 h"]),
     (4 * 86_400, ["0 d", "2 d", "4 d"])],
)  # fmt: skip
def test_times_are_round_in_a_unit_that_suits_them(total, texts):
    assert [text for _, text in time_steps(total, 3)] == texts
    assert all(0 <= time <= total * 1.001 for time, _ in time_steps(total, 3))
