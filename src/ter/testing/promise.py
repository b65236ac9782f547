"""How a contract speaks: every check keeps one promise, and a failure names it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from ter.heuristics.global_generator import GlobalGenerator

__all__ = ["global_state", "promise", "require", "same", "seeded_globals"]

Contract = TypeVar("Contract")


def promise(text: str) -> Callable[[Callable[[Contract], None]], Callable[[Contract], None]]:
    """Make whatever goes wrong in a check an AssertionError that names the promise.

    Examples
    --------
    >>> @promise("one is one")
    ... def test_one(self):
    ...     raise KeyError("two")
    >>> test_one(None)
    Traceback (most recent call last):
        ...
    AssertionError: broken promise: one is one: KeyError: 'two'
    """

    def decorate(check: Callable[[Contract], None]) -> Callable[[Contract], None]:
        @wraps(check)
        def checked(self: Contract) -> None:
            try:
                check(self)
            except AssertionError as error:
                raise AssertionError(f"broken promise: {text}: {error}") from error
            except Exception as error:
                raise AssertionError(f"broken promise: {text}: {type(error).__name__}: {error}") from error

        return checked

    return decorate


def require(condition: bool, message: str) -> None:
    """Raise an AssertionError with this message unless the condition holds; also under ``python -O``.

    Examples
    --------
    >>> require(1 < 2, "numbers are in order")
    """
    if not condition:
        raise AssertionError(message)


def same(a: Any, b: Any) -> bool:
    """Tell whether two values are equal in every bit that counts: arrays, numbers, containers, objects.

    Examples
    --------
    >>> same({"x": np.array([1.0, np.nan])}, {"x": np.array([1.0, np.nan])})
    True
    >>> same([1, 2], [1, 3])
    False
    """
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")
    if isinstance(a, Mapping):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, np.random.Generator):
        return same(a.bit_generator.state, b.bit_generator.state)
    if hasattr(a, "__dict__"):
        return same(vars(a), vars(b))
    return bool(a == b) or (a != a and b != b)


def global_state() -> tuple[Any, ...]:
    """Return the state of the generators that belong to everybody: Python's and NumPy's."""
    legacy: Any = np.random
    return random.getstate(), legacy.get_state(legacy=False)


@contextmanager
def seeded_globals(seed: int) -> Iterator[None]:
    """Seed these generators inside the block, and restore them after it."""
    before = random.getstate()
    random.seed(seed)
    try:
        with GlobalGenerator(np.random.default_rng(seed)):
            yield
    finally:
        random.setstate(before)
