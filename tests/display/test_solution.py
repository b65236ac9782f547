from __future__ import annotations

import numpy as np

from ter.core.box import Box
from ter.display.solution import places_of


def test_every_free_variable_is_counted_once():
    rng = np.random.default_rng(1)
    box = Box(rng.uniform(-9, 0, 500), rng.uniform(1, 9, 500))
    places = places_of(box.lower + rng.random(500) * box.width, box)
    assert sum(places.counts) == 500 and len(places.counts) == 20
    assert min(places.counts) > 0 and (places.at_lower, places.at_upper, places.fixed) == (0, 0, 0)


def test_a_variable_within_a_millionth_of_its_range_is_at_its_bound():
    box = Box([-1e6, -1.0, -1.0, -1.0], [1e6, 1.0, 1.0, 1.0])
    places = places_of(np.array([-1e6 + 1.0, 1 - 1e-9, -1 + 1e-5, 0.0]), box)
    assert (places.at_lower, places.at_upper) == (1, 1)


def test_the_bounds_themselves_belong_to_the_outer_parts():
    places = places_of(np.array([0.0, 1.0, 1.0]), Box([0, 0, 0], [1, 1, 1]))
    assert (places.counts[0], places.counts[-1]) == (1, 2)


def test_a_point_without_a_free_variable_has_only_fixed_ones():
    places = places_of(np.ones(2), Box([1, 1], [1, 1]))
    assert sum(places.counts) == 0 and places.fixed == 2
