from __future__ import annotations

import numpy as np
import pytest

import ter
from ter.core.streams import root_seed, stream


def test_a_stream_depends_on_its_seed_name_and_action_only():
    first = stream(1, "cc", action=17).random(4)
    stream(1, "cc", action=17).random(100)
    assert (stream(1, "cc", action=17).random(4) == first).all()
    for other in (stream(2, "cc", 17), stream(1, "ls1", 17), stream(1, "cc", 18)):
        assert not (other.random(4) == first).any()


def test_streams_of_many_names_and_actions_are_all_different():
    draws = {stream(1, name, action).integers(2**62) for name in map(str, range(50)) for action in range(50)}
    assert len(draws) == 2500


def test_seeds_beyond_64_bits_are_told_apart():
    assert stream(2**200, "a").random() != stream(2**200 + 1, "a").random()


def test_integers_are_their_own_seed():
    assert root_seed(7) == 7 and root_seed(np.int64(7)) == 7 and root_seed(2**100) == 2**100


def test_a_generator_is_advanced_and_a_seed_sequence_is_not():
    generator = np.random.default_rng(1)
    assert root_seed(generator) != root_seed(generator)
    assert root_seed(np.random.default_rng(1)) == root_seed(np.random.default_rng(1))
    sequence = np.random.SeedSequence(1)
    assert root_seed(sequence) == root_seed(sequence)


def test_none_gives_a_new_seed_each_time():
    assert root_seed(None) != root_seed(None)


def test_negative_seeds_are_refused():
    with pytest.raises(ter.InvalidArgument, match="rng must be a non-negative integer, got -1"):
        root_seed(-1)


@pytest.mark.parametrize("rng", [1.5, "1", True, np.random.RandomState(1)])
def test_other_sources_are_refused(rng):
    with pytest.raises(ter.InvalidArgument, match=r"rng must be an integer, a numpy\.random\.Generator"):
        root_seed(rng)
