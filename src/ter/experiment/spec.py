"""One run to be done, as a light value: workers make the problem and the algorithm from their names."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from ter.experiment.record import RunKey, run_name

__all__ = ["RunSpec", "seed_of"]


@dataclass(frozen=True)
class RunSpec:
    """What a worker needs to know.

    Attributes
    ----------
    key : RunKey
        What to run.
    label : str
        The algorithm's name in tables.
    run : int
        Number of the run, from 1.
    milestones : tuple of int
        Evaluations after which the best value is noted.
    folder : str
        Where modules of the user's are looked for.
    """

    key: RunKey
    label: str
    run: int
    milestones: tuple[int, ...] = ()
    folder: str = "."

    @property
    def name(self) -> str:
        """What displays call it."""
        return run_name(self.key, self.label, self.run)


def seed_of(base: int, problem: str, dimension: int, run: int) -> int:
    """Return the seed of a run: the same for all algorithms, and whatever else is in the plan.

    It fits into the signed integers of databases.

    Examples
    --------
    >>> seed_of(1, "lso13/f4", 1000, 1)
    1065959238969608336
    """
    path = f"{base}\0{problem}\0{dimension}\0{run}".encode()
    return int.from_bytes(hashlib.blake2b(path, digest_size=8).digest(), "big") >> 1
