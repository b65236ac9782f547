"""Random numbers inside kernels: a counter-based generator (SplitMix64), seeded from the action's own stream.

A crossover needs one number per coordinate and trial; drawing these with ``numpy.random`` costs 3 ns each against 1 ns
here, and a matrix of the population's size in memory.

References
----------
.. [1] G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ter._jit import inner
from ter.objectives.unchecked import Floats

__all__ = [
    "GOLDEN",
    "RandomState",
    "below",
    "bits",
    "cauchy",
    "fill_bell",
    "fill_normal",
    "mix",
    "normal",
    "seed_random",
    "uniform",
]

RandomState: TypeAlias = NDArray[np.uint64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # step of the counter

SHORT = np.uint64(0xFFFF)
BELL_UNIT = 1.0 / math.sqrt(4.0 * (2.0**32 - 1.0) / 12.0)  # the deviation of a sum of four numbers below 2**16


def seed_random(rng: np.random.Generator) -> RandomState:
    """Seed the generator used in kernels from a stream."""
    return rng.integers(0, 2**64, size=1, dtype=np.uint64)


@inner
def bits(random: RandomState) -> np.uint64:
    """Draw 64 random bits (SplitMix64)."""
    random[0] += GOLDEN
    return mix(random[0])


@inner
def mix(z: np.uint64) -> np.uint64:
    """Scramble a counter into random bits."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.uint64(z ^ (z >> np.uint64(31)))


@inner
def uniform(random: RandomState) -> float:
    """Draw from the uniform distribution on [0, 1)."""
    return (bits(random) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@inner
def normal(random: RandomState) -> float:
    """Draw from the standard normal distribution (Box and Muller; one of the pair is dropped)."""
    return math.sqrt(-2.0 * math.log(1.0 - uniform(random))) * math.cos(2.0 * math.pi * uniform(random))


@inner
def fill_normal(random: RandomState, out: NDArray[np.float64]) -> None:
    """Fill an array from the standard normal distribution (Marsaglia's polar method; both of a pair are used)."""
    for pair in range((out.shape[0] + 1) // 2):
        u = v = square = 0.0
        while square >= 1.0 or square == 0.0:
            u, v = 2.0 * uniform(random) - 1.0, 2.0 * uniform(random) - 1.0
            square = u * u + v * v
        factor = math.sqrt(-2.0 * math.log(square) / square)
        out[2 * pair] = u * factor
        if 2 * pair + 1 < out.shape[0]:
            out[2 * pair + 1] = v * factor


@inner
def fill_bell(random: RandomState, out: Floats, n: int) -> None:
    """Write `n` nearly normal numbers of mean 0 and variance 1, an order faster than with normal ones.

    Each is the sum of four uniform numbers of 16 bits, cut from one draw of 64, and lies within 3.5 deviations. Where
    hundreds of them are added up, as in the step of a strategy on all variables, nothing tells them from normal ones.
    """
    counter = random[0]  # advanced in a local variable, the loop vectorises
    for j in range(n):
        z = mix(counter + np.uint64(j + 1) * GOLDEN)
        total = (z & SHORT) + ((z >> np.uint64(16)) & SHORT) + ((z >> np.uint64(32)) & SHORT) + (z >> np.uint64(48))
        out[j] = np.int32(np.int64(total) - 131070) * BELL_UNIT  # processors convert integers of 32 bits side by side
    random[0] = counter + np.uint64(n) * GOLDEN


@inner
def cauchy(random: RandomState) -> float:
    """Draw from the standard Cauchy distribution."""
    return math.tan(math.pi * (uniform(random) - 0.5))


@inner
def below(random: RandomState, n: int) -> int:
    """Draw one of 0, 1, ..., n - 1."""
    return int(uniform(random) * n)
