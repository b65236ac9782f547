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

__all__ = ["GOLDEN", "RandomState", "below", "bits", "cauchy", "mix", "normal", "normals", "seed_random", "uniform"]

RandomState: TypeAlias = NDArray[np.uint64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # step of the counter


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
def normals(random: RandomState, rows: NDArray[np.float64], r: int) -> None:
    """Fill row `r` with standard normal numbers (Marsaglia's polar method; half the time of Box and Muller's)."""
    k = rows.shape[1]
    for j in range(0, k, 2):
        u = v = square = 0.0
        while not 0.0 < square < 1.0:
            u, v = 2.0 * uniform(random) - 1.0, 2.0 * uniform(random) - 1.0
            square = u * u + v * v
        factor = math.sqrt(-2.0 * math.log(square) / square)
        rows[r, j] = factor * u
        if j + 1 < k:
            rows[r, j + 1] = factor * v


@inner
def cauchy(random: RandomState) -> float:
    """Draw from the standard Cauchy distribution."""
    return math.tan(math.pi * (uniform(random) - 0.5))


@inner
def below(random: RandomState, n: int) -> int:
    """Draw one of 0, 1, ..., n - 1."""
    return int(uniform(random) * n)
