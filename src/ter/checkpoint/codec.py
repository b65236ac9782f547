"""States as bytes and back, without running anything: numbers, texts, arrays, generators, and classes that are listed.

The structure is JSON, the arrays are raw bytes behind it. A class is written by its name and looked up in a list that
is part of this program: a name that is not in the list is refused, and nothing is imported.
"""

from __future__ import annotations

import json
import struct
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter.checkpoint.frames import CheckpointError

__all__ = ["Forms", "StateForm", "Unsavable", "decode", "encode", "forms_of"]

KINDS = ("<f8", "<f4", "<i8", "<u8", "|b1", "<i4", "<u4", "|u1", "|i1")
LENGTH = struct.Struct("<Q")


class Unsavable(TypeError):
    """A value that cannot be written; the run is repeated from its journal instead."""


@dataclass(frozen=True)
class StateForm:
    """How values of a class are taken apart and put together again."""

    take: Callable[[Any], Any]
    make: Callable[[Any], Any]


Forms = Mapping[type, tuple[str, StateForm]]
"""The classes that may be written, with their names."""


def forms_of(classes: list[type]) -> dict[type, tuple[str, StateForm]]:
    """Return the forms of dataclasses, named tuples and plain classes; exceptions and the like are left out."""
    found: dict[type, tuple[str, StateForm]] = {}
    for cls in classes:
        if is_dataclass(cls) or hasattr(cls, "_fields") or (type(cls) is type and not issubclass(cls, BaseException)):
            found[cls] = (f"{cls.__module__}:{cls.__qualname__}", _form(cls))
    return found


def _form(cls: type) -> StateForm:
    if issubclass(cls, tuple):
        return StateForm(tuple, lambda content: cls(*content))
    if not is_dataclass(cls):
        return StateForm(lambda value: dict(vars(value)), lambda content: _filled(cls, content))
    names = [each.name for each in fields(cls)]

    def make(content: Any) -> Any:
        if len(content) != len(names):
            raise ValueError(f"there must be {len(names)} fields")
        return _filled(cls, dict(zip(names, content, strict=True)))

    return StateForm(lambda value: [getattr(value, name) for name in names], make)


def _filled(cls: Any, content: dict[str, Any]) -> Any:
    made: Any = object.__new__(cls)
    for name, value in content.items():
        object.__setattr__(made, name, value)
    return made


def encode(value: Any, forms: Forms) -> bytes:
    """Write a value.

    Raises
    ------
    Unsavable
        If there is something in it that has no form.

    Examples
    --------
    >>> decode(encode({"a": [1, (2.5, None)]}, {}), {})
    {'a': [1, (2.5, None)]}
    """
    writer = _Writer(forms)
    text = json.dumps(writer.write(value)).encode()
    writer.require_apart()
    return LENGTH.pack(len(text)) + text + b"".join(writer.blobs)


def decode(data: bytes, forms: Forms) -> Any:
    """Read a value.

    Raises
    ------
    CheckpointError
        If it is not what was written.
    """
    try:
        (size,) = LENGTH.unpack_from(data)
        text = data[LENGTH.size : LENGTH.size + size]
        reader = _Reader(dict(forms.values()), memoryview(data)[LENGTH.size + size :])
        return reader.read(json.loads(text))
    except (ValueError, TypeError, KeyError, IndexError, struct.error, RecursionError) as error:
        raise CheckpointError(f"a state must be as it was written, got {type(error).__name__}: {error}") from error


class _Writer:
    def __init__(self, forms: Forms) -> None:
        self._forms, self._seen = forms, dict[int, int]()
        self._alive: list[Any] = []  # so that no address is used twice
        self._arrays: list[NDArray[Any]] = []
        self.blobs: list[bytes] = []
        self._at = 0

    def write(self, value: Any) -> Any:
        if value is None or type(value) in (bool, int, float, str):
            return value
        if isinstance(value, np.generic):
            return {"array": self._array(np.asarray(value)), "scalar": True}
        if id(value) in self._seen:
            return {"again": self._seen[id(value)]}
        if not isinstance(value, tuple) or hasattr(value, "_fields"):  # plain tuples have no identity that matters
            self._seen[id(value)] = len(self._alive)
            self._alive.append(value)
        return self._new(value)

    def _new(self, value: Any) -> Any:
        if type(value) in (list, tuple):
            return {type(value).__name__: [self.write(each) for each in value]}
        if type(value) is dict:
            return {"dict": [[self.write(key), self.write(each)] for key, each in value.items()]}
        if type(value) is np.ndarray:
            return {"array": self._array(value), "fixed": not value.flags.writeable}
        if type(value) is array and value.typecode == "d":
            return {"told": self._blob(value.tobytes())}
        if type(value) is np.random.Generator and type(value.bit_generator) is np.random.PCG64:
            return {"rng": self.write(value.bit_generator.state)}
        if type(value) not in self._forms:
            raise Unsavable(f"{type(value).__module__}.{type(value).__qualname__} has no form")
        name, form = self._forms[type(value)]
        return {"class": name, "content": self.write(form.take(value))}

    def _array(self, value: NDArray[Any]) -> Any:
        if value.dtype.str not in KINDS:
            raise Unsavable(f"arrays of {value.dtype} have no form")
        # Sums and compiled code may depend on how an array lies in memory: in rows, in columns, or with gaps.
        order = "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "A"
        self._arrays.append(value)
        return [value.dtype.str, list(value.shape), order, *self._blob(value.tobytes("F" if order == "F" else "C"))]

    def _blob(self, content: bytes) -> list[int]:
        self.blobs.append(content)
        self._at += len(content)
        return [self._at - len(content), len(content)]

    def require_apart(self) -> None:
        """Raise if two arrays share memory: apart from each other they would not mean the same."""
        spans = [(*_span(each), each) for each in self._arrays if each.nbytes]
        near: list[tuple[int, int, NDArray[Any]]] = []
        for start, end, each in sorted(spans, key=lambda span: span[0]):
            near = [other for other in near if other[1] > start]
            if any(np.shares_memory(each, other[2]) for other in near):
                raise Unsavable("arrays that share memory have no form")
            near.append((start, end, each))


def _span(values: NDArray[Any]) -> tuple[int, int]:
    """Return where an array begins and ends in memory."""
    steps = [(n - 1) * stride for n, stride in zip(values.shape, values.strides, strict=True)]
    start = int(values.__array_interface__["data"][0])
    return start + sum(min(0, s) for s in steps), start + sum(max(0, s) for s in steps) + values.itemsize


class _Reader:
    def __init__(self, forms: Mapping[str, StateForm], blobs: memoryview) -> None:
        self._forms, self._blobs = forms, blobs
        self._seen: list[Any] = []

    def read(self, kept: Any) -> Any:
        if not isinstance(kept, dict):
            if isinstance(kept, list):
                raise ValueError("a list must say what it is")
            return kept
        if "again" in kept:
            return self._seen[kept["again"]]
        if "tuple" in kept:
            return tuple(self.read(each) for each in kept["tuple"])
        if "scalar" in kept:
            return self._array(kept["array"])[()]
        place = len(self._seen)
        self._seen.append(None)
        if "list" in kept:
            self._seen[place] = []
            self._seen[place] += [self.read(each) for each in kept["list"]]
        elif "dict" in kept:
            self._seen[place] = {}
            self._seen[place].update({self.read(key): self.read(each) for key, each in kept["dict"]})
        else:
            self._seen[place] = self._single(kept)
        return self._seen[place]

    def _single(self, kept: dict[str, Any]) -> Any:
        if "array" in kept:
            found = self._array(kept["array"])
            found.flags.writeable = not kept["fixed"]
            return found
        if "told" in kept:
            told = array("d")
            told.frombytes(self._blob(*kept["told"]))
            return told
        if "rng" in kept:
            bits = np.random.PCG64()
            bits.state = self.read(kept["rng"])
            return np.random.Generator(bits)
        return self._forms[kept["class"]].make(self.read(kept["content"]))

    def _array(self, kept: list[Any]) -> NDArray[Any]:
        kind, shape, order, start, size = kept
        if kind not in KINDS or order not in ("A", "C", "F"):
            raise ValueError(f"no array of {kind}")
        flat = np.frombuffer(self._blob(start, size), dtype=np.dtype(kind))
        if order == "A":
            with_gaps: NDArray[Any] = np.repeat(flat.reshape(shape), 2, axis=-1)[..., ::2]
            return with_gaps
        return flat.reshape(shape, order=order).copy(order=order)

    def _blob(self, start: int, size: int) -> bytes:
        if not 0 <= start <= start + size <= len(self._blobs):
            raise ValueError("an array must lie in its file")
        return bytes(self._blobs[start : start + size])
