"""Linear algebra on one thread while a solver is at work.

What L-BFGS-B does with its few vectors takes microseconds. Threads take longer to wake up than that, and stand in the
way of other processes: with 100 variables and two threads a run took 14 times the processor's time. And sums that are
cut into as many parts as there are threads have other last digits on other machines.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

__all__ = ["one_thread"]


def one_thread() -> AbstractContextManager[Any]:
    """Return a context in which BLAS has one thread; how many it had before is put back at the end.

    Examples
    --------
    >>> with one_thread():
    ...     pass
    """
    context: AbstractContextManager[Any] = _libraries().limit(limits=1, user_api="blas")
    return context


@cache
def _libraries() -> ThreadpoolController:
    """Return the libraries that are loaded; looking for them takes milliseconds, so it is done once."""
    import scipy.optimize  # noqa: F401 - brings a BLAS of its own
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
