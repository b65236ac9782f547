"""Make an engine of what the user passed as ``workers``."""

from __future__ import annotations

from typing import Any

from ter.core.errors import InvalidArgument
from ter.experiment.facts import usable_cores
from ter.experiment.pool import Engine

__all__ = ["choose_engine"]


def choose_engine(workers: Any) -> Engine:
    """Return the engine for a number of processes, a Dask client or the address of a Dask scheduler.

    An engine is returned as it is.

    Examples
    --------
    >>> type(choose_engine(1)).__name__
    'SerialEngine'
    """
    from ter.experiment.pools.dask import DaskEngine, is_client
    from ter.experiment.pools.processes import ProcessEngine
    from ter.experiment.pools.serial import SerialEngine

    if isinstance(workers, str) or is_client(workers):
        return DaskEngine(workers)
    if isinstance(workers, Engine):
        return workers
    if isinstance(workers, bool) or not isinstance(workers, int) or workers == 0 or workers < -1:
        raise InvalidArgument(
            f"workers must be a number of processes >= 1, -1 for one per core, a Dask client or the address of a Dask "
            f"scheduler, got {workers!r}"
        )
    width = usable_cores() if workers == -1 else workers
    return SerialEngine() if width == 1 else ProcessEngine(width)
