"""What those have in common whose workers end at any time: a queue.

It is a :class:`queue.Queue`. The ``get`` of :class:`queue.SimpleQueue` in CPython waits forever if a signal arrives
when less time is left than its handler takes.
"""

from __future__ import annotations

import queue
from collections.abc import Iterator
from typing import TypeVar

__all__ = ["ended_within"]

Item = TypeVar("Item")


def ended_within(ended: queue.Queue[Item], seconds: float) -> Iterator[Item]:
    """Yield what is in a queue; if there is nothing, wait for the first, but not longer than this.

    Examples
    --------
    >>> ended = queue.Queue()
    >>> ended.put("a")
    >>> list(ended_within(ended, 1.0)), list(ended_within(ended, 0))
    (['a'], [])
    """
    try:
        yield ended.get(timeout=seconds)
        while True:
            yield ended.get_nowait()
    except queue.Empty:
        return
