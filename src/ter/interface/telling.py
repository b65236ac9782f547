"""Reading what was told: ids, values and costs in all the spellings that ``Optimizer.tell`` takes."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ter.core.errors import InvalidArgument, ObjectiveError
from ter.core.failure import Failure
from ter.core.sending import traceback_of
from ter.core.values import Value, read_number, read_value
from ter.interface.batch import Batch

__all__ = ["Told", "read_ids", "read_told"]


class Told(NamedTuple):
    """One value for one point; `cost` is NaN if none was named, `failure` is there if it was an exception."""

    id: int
    y: float
    cost: float
    failure: Failure | None = None


def read_ids(ids: Any) -> list[int]:
    """Read which points are meant.

    Examples
    --------
    >>> read_ids(3), read_ids(np.array([4, 5]))
    ([3], [4, 5])
    """
    if isinstance(ids, Batch):
        ids = ids.ids
    return [_read_id(i) for i in ([ids] if np.ndim(ids) == 0 else ids)]


def read_told(ids: Any, values: Any, costs: Any) -> list[Told]:
    """Check what was told, point by point.

    Examples
    --------
    >>> read_told([4, 3], [0.5, None], costs=[1.0, 2.0])
    [Told(id=4, y=0.5, cost=1.0, failure=None), Told(id=3, y=nan, cost=2.0, failure=None)]
    >>> read_told(4, ValueError("no mesh"), costs=None)[0].failure.reason
    'ValueError: no mesh'
    """
    numbers = read_ids(ids)
    if not isinstance(ids, Batch) and np.ndim(ids) == 0:
        values, costs = [values], None if costs is None else [costs]
    _require_length("values", values, len(numbers))
    told = [_read_value(i, value) for i, value in zip(numbers, values, strict=True)]
    if costs is None:
        return told
    _require_length("costs", costs, len(numbers))
    return [_with_cost(each, _read_cost(each.id, cost)) for each, cost in zip(told, costs, strict=True)]


def _require_length(name: str, given: Any, n: int) -> None:
    sized = hasattr(given, "__len__") and not isinstance(given, str)
    if not sized or len(given) != n:
        got = len(given) if sized else repr(given)
        raise InvalidArgument(f"{name} must hold one entry per id, got {got} for {n} ids")


def _read_id(i: Any) -> int:
    if isinstance(i, (int, np.integer)) and not isinstance(i, bool):
        return int(i)
    raise InvalidArgument(f"ids must be whole numbers, got {i!r}; pass those of batch.ids")


def _read_value(i: int, value: Any) -> Told:
    if value is None:
        return Told(i, math.nan, math.nan)
    if isinstance(value, Exception):
        return _read_failure(i, value)
    try:
        y = read_value(value.y if isinstance(value, Value) else value).y
    except ObjectiveError as error:
        raise InvalidArgument(
            f"values must be numbers, None, exceptions or ter.Value, got {type(value).__name__} for id {i}"
        ) from error
    return Told(i, y, _read_cost(i, value.cost) if isinstance(value, Value) else math.nan)


def _read_failure(i: int, error: Exception) -> Told:
    return Told(i, math.inf, math.nan, Failure(i, error, traceback_of(error)))


def _with_cost(told: Told, cost: float) -> Told:
    if told.failure is not None and cost:
        raise InvalidArgument(
            f"an exception must cost nothing, as in ter.minimize, got {cost} for id {told.id}; to charge a failed "
            "evaluation, tell ter.Value(float('nan'), cost=...)"
        )
    return told._replace(cost=cost)


def _read_cost(i: int, cost: Any) -> float:
    try:
        number = read_number(cost)
    except ObjectiveError:
        number = math.nan
    if not (number >= 0 and math.isfinite(number)):
        raise InvalidArgument(f"costs must be finite numbers >= 0, got {cost!r} for id {i}")
    return number
