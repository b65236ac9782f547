"""Random streams by name: the same seed and the same path give the same numbers, whatever else was drawn.

Adding a heuristic, changing the number of workers or resuming a run leaves every other stream as it was.
"""

from __future__ import annotations

import hashlib
from typing import TypeAlias

import numpy as np

from ter.core.errors import InvalidArgument

__all__ = ["RandomSource", "Seed", "root_seed", "stream"]

Seed: TypeAlias = int
"""The root of all streams of a run: a non-negative integer of any size."""

RandomSource: TypeAlias = int | np.random.Generator | np.random.SeedSequence | None
"""What users may pass as ``rng`` (SPEC 7)."""


def root_seed(rng: RandomSource) -> Seed:
    """Turn what the user passed as ``rng`` into one integer, recorded in the result.

    Examples
    --------
    >>> root_seed(7)
    7
    """
    if rng is None:
        return int(np.random.SeedSequence().generate_state(2, np.uint64)[0])
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(0, 2**63, dtype=np.int64))
    if isinstance(rng, np.random.SeedSequence):
        return int(rng.generate_state(1, np.uint64)[0])
    if isinstance(rng, (int, np.integer)) and not isinstance(rng, bool):
        if rng < 0:
            raise InvalidArgument(f"rng must be a non-negative integer, got {rng}; drop the sign")
        return int(rng)
    raise InvalidArgument(
        f"rng must be an integer, a numpy.random.Generator, a SeedSequence or None, got {type(rng).__name__}; "
        "pass for example rng=1"
    )


def stream(seed: Seed, name: str, action: int = 0) -> np.random.Generator:
    """Open the stream called `name` for action number `action`.

    Parameters
    ----------
    seed : int
        Root of the run.
    name : str
        Who draws: a heuristic's name, ``"scheduler"``, ``"start"``.
    action : int
        Number of the action in the run.

    Examples
    --------
    >>> a = stream(1, "cc", action=17).random()
    >>> a == stream(1, "cc", action=17).random(), a == stream(1, "ls1", action=17).random()
    (True, False)
    """
    digest = hashlib.blake2b(name.encode(), digest_size=16).digest()
    words = tuple(int(word) for word in np.frombuffer(digest, dtype="<u4"))
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(*words, action))))
