"""NumPy's global generator, exchanged while a solver of another library runs."""

from __future__ import annotations

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
        self._pending = (0, 0.0)  # the second number of a pair of Gaussians, which is not part of the generator
        self._outer: Any = None
        self._outer_pending = (0, 0.0)

    def __enter__(self) -> None:
        self._outer, self._outer_pending = _LEGACY.get_bit_generator(), _pending()
        _exchange(self._private, self._pending)

    def __exit__(self, *_: object) -> None:
        self._pending = _pending()
        _exchange(self._outer, self._outer_pending)


def _pending() -> tuple[int, float]:
    state = _LEGACY.get_state(legacy=False)
    return state["has_gauss"], state["gauss"]


def _exchange(generator: Any, pending: tuple[int, float]) -> None:
    _LEGACY.set_bit_generator(generator)  # which drops the second number of a pair: put it back
    if pending[0]:
        state = _LEGACY.get_state(legacy=False)
        state.update(has_gauss=pending[0], gauss=pending[1])
        _LEGACY.set_state(state)
