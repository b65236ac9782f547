"""NumPy's global generator, exchanged while a solver of another library runs."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np

__all__ = ["GlobalGenerator"]

# NumPy's functions around its global generator, some of which its stubs leave out.
_LEGACY: Any = np.random


class GlobalGenerator:
    """Exchange NumPy's global generator for a private one inside a ``with`` block, as often as needed.

    Parameters
    ----------
    rng : Generator
        Seeds the private one.

    Examples
    --------
    >>> legacy = np.random
    >>> with GlobalGenerator(np.random.default_rng(1)):
    ...     first = legacy.random()
    >>> with GlobalGenerator(np.random.default_rng(1)):
    ...     first == legacy.random()
    True
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._private = np.random.MT19937(int(rng.integers(2**63)))
        self._outer: Any = None
        self._before: Any = None

    def __enter__(self) -> None:
        self._outer = _LEGACY.get_bit_generator()
        self._before = _LEGACY.get_state(legacy=False)
        _LEGACY.set_bit_generator(self._private)

    def __exit__(self, *_: object) -> None:
        _LEGACY.set_bit_generator(self._outer)
        # Setting a generator drops the second number of a pair of Gaussians that was drawn before: put it back.
        state = _LEGACY.get_state(legacy=False)
        state.update(has_gauss=self._before["has_gauss"], gauss=self._before["gauss"])
        _LEGACY.set_state(state)

    def returned(self) -> AbstractContextManager[None]:
        """Give the outer generator back for the time of an evaluation."""
        return _Exchanged(self._outer, self._private)


class _Exchanged:
    """One generator inside a ``with`` block and another one after it.

    It is a class, since a generator with ``contextmanager`` writes into the exceptions that pass, and some refuse.
    """

    def __init__(self, inside: Any, after: Any) -> None:
        self._inside, self._after = inside, after

    def __enter__(self) -> None:
        _LEGACY.set_bit_generator(self._inside)

    def __exit__(self, *_: object) -> None:
        _LEGACY.set_bit_generator(self._after)
