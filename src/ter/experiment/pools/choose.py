"""Make a pool of what the user passed as ``workers``."""

from __future__ import annotations

from typing import Any

from ter.core.errors import InvalidArgument
from ter.experiment.machine import usable_cores
from ter.experiment.pool import Pool

__all__ = ["choose_pool"]


def choose_pool(workers: Any) -> Pool:
    """Return the pool for a number of processes, a Dask client or the address of a Dask scheduler.

    A pool is returned as it is.

    Examples
    --------
    >>> type(choose_pool(1)).__name__
    'SerialPool'
    """
    from ter.engines.dask import is_client
    from ter.experiment.pools.dask import DaskPool
    from ter.experiment.pools.processes import ProcessPool
    from ter.experiment.pools.serial import SerialPool

    if isinstance(workers, str) or is_client(workers):
        return DaskPool(workers)
    if isinstance(workers, Pool):
        return workers
    if isinstance(workers, bool) or not isinstance(workers, int) or workers == 0 or workers < -1:
        raise InvalidArgument(
            f"workers must be a number of processes >= 1, -1 for one per core, a Dask client or the address of a Dask "
            f"scheduler, got {workers!r}"
        )
    width = usable_cores() if workers == -1 else workers
    return SerialPool() if width == 1 else ProcessPool(width)
