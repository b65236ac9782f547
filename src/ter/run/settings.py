"""When a run stops and whom it tells."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ter.core.budget import duration
from ter.core.errors import InvalidArgument
from ter.core.sink import Sink
from ter.display.result import Result
from ter.run.failures import OnError

__all__ = ["Callback", "Settings"]

Callback = Callable[[Result], Any]

MOST = 10**18  # evaluations that the ledger can count


@dataclass(frozen=True)
class Settings:
    """When to stop and whom to tell, checked.

    Examples
    --------
    >>> Settings(target=0.0).on_error
    'raise'
    """

    target: float | None = None
    stagnation: int | None = None
    on_error: OnError = "raise"
    max_failures: int = 100
    evaluation_timeout: float | str | None = None
    callback: Callback | None = None
    step: ArrayLike | None = None
    sink: Sink | None = None

    def __post_init__(self) -> None:
        if self.target is not None and not _is_number(self.target):
            raise InvalidArgument(f"target must be a number, got {_short(self.target)}; leave it out for no target")
        for name, value in (("stagnation", self.stagnation), ("max_failures", self.max_failures)):
            left_out = value is None and name == "stagnation"
            if not left_out and not (_is_number(value) and 1 <= value <= MOST and value % 1 == 0):  # type: ignore[operator]
                rule = f"{name} must be a whole number of evaluations >= 1"
                raise InvalidArgument(f"{rule}, got {_short(value)}; the largest that can be counted is {MOST:.0e}")
        if self.evaluation_timeout is not None:
            _seconds(self.evaluation_timeout)
        if self.on_error not in ("raise", "worst"):
            raise InvalidArgument(f"on_error must be 'raise' or 'worst', got {self.on_error!r}")
        if self.callback is not None and not callable(self.callback):
            raise InvalidArgument(f"callback must be callable, got {type(self.callback).__name__}")

    @property
    def timeout(self) -> float | None:
        """Seconds that an evaluation may take."""
        return None if self.evaluation_timeout is None else _seconds(self.evaluation_timeout)


def _is_number(value: object) -> bool:
    try:
        number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
        return number and not math.isnan(float(value))  # type: ignore[arg-type]
    except OverflowError:  # a whole number beyond the floats
        return False


def _seconds(value: float | str) -> float:
    try:
        return duration(math.nan if isinstance(value, bool) else value)
    except InvalidArgument as error:
        raise InvalidArgument(
            f"evaluation_timeout must be a number of seconds > 0 or a text like '30s', got {_short(value)}; leave it "
            "out for no limit"
        ) from error


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:12]}... ({len(text)} digits)"
