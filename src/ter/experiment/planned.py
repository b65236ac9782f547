"""Entries of a plan: problems with their sizes, algorithms with their settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ter.core.errors import InvalidArgument, UnknownName
from ter.core.words import storable
from ter.experiment.checks import require_known, whole_number
from ter.experiment.parameters import as_text, from_text
from ter.user_code import is_user_code

__all__ = ["PlannedAlgorithm", "PlannedProblem", "read_dimensions"]


@dataclass(frozen=True)
class PlannedProblem:
    """A problem or a suite of a plan.

    Attributes
    ----------
    name : str
        A suite (``"lso13"``), a problem (``"lso13/f4"``, ``"deblurring"``), or ``"module:attribute"`` of your own.
    dimensions : tuple of int
        Numbers of variables; empty for the default one.
    """

    name: str
    dimensions: tuple[int, ...] = ()

    @classmethod
    def read(cls, entry: object, dimensions: Sequence[int]) -> PlannedProblem:
        """Read an entry of the list `problems`: a name, or a table with `name` and `dimensions`."""
        if isinstance(entry, PlannedProblem):
            return entry if entry.dimensions else replace(entry, dimensions=read_dimensions(dimensions))
        if isinstance(entry, Mapping):
            require_known("key of a problem", entry, ("name", "dimensions"))
            return cls(_name("problem", entry), read_dimensions(entry.get("dimensions", dimensions)))
        return cls(_name("problem", {"name": entry}), read_dimensions(dimensions))

    @property
    def names(self) -> tuple[str, ...]:
        """The problems: all of a suite, or the one."""
        from ter.benchmarks import SUITES
        from ter.problems import GALLERY

        if self.name in SUITES:
            return SUITES[self.name].names
        alone = [entry.name for entry in GALLERY]
        if "/" not in self.name and not is_user_code(self.name) and self.name not in alone:
            raise UnknownName.among("suite or problem", self.name, [*SUITES, *alone])
        return (self.name,)


@dataclass(frozen=True)
class PlannedAlgorithm:
    """An algorithm of a plan.

    Attributes
    ----------
    name : str
        As :func:`ter.algorithm` reads it, or ``"module:attribute"`` of your own.
    label : str
        Its name in tables, unique in the plan; by default the name, with the parameters if there are any.
    parameters : str
        What differs from the algorithm's own settings; a mapping is written as JSON.
    """

    name: str
    label: str = ""
    parameters: str | Mapping[str, Any] = "{}"

    def __post_init__(self) -> None:
        text = self.parameters if isinstance(self.parameters, str) else as_text(self.parameters)
        object.__setattr__(self, "parameters", text)
        if not self.label:
            object.__setattr__(self, "label", self.name if text == "{}" else f"{self.name} {_short(text)}")
        if storable(self.label) != self.label:
            raise InvalidArgument(f"label must be a text that can be stored, got {self.label!r}; write label = ...")

    @classmethod
    def read(cls, entry: object) -> PlannedAlgorithm:
        """Read an entry of the list `algorithms`: a name, or a table with `name`, `label` and parameters."""
        if isinstance(entry, PlannedAlgorithm):
            return entry
        table = dict(entry) if isinstance(entry, Mapping) else {"name": entry}
        name, label = _name("algorithm", table), table.pop("label", "")
        if not isinstance(label, str):
            raise InvalidArgument(f"label must be a text, got {label!r}")
        return cls(name, label, {key: value for key, value in table.items() if key != "name"})


def read_dimensions(numbers: object) -> tuple[int, ...]:
    """Read a list of numbers of variables."""
    if isinstance(numbers, str) or not isinstance(numbers, Sequence):
        raise InvalidArgument(f"dimensions must be a list of numbers, got {numbers!r}; write for example [100, 1000]")
    return tuple(whole_number("dimensions", number, low=1) for number in numbers)


def _name(kind: str, table: Mapping[str, Any]) -> str:
    name = table.get("name")
    if not isinstance(name, str) or not name:
        raise InvalidArgument(f"each {kind} of a plan must have a name, got {name!r}")
    return name


def _short(parameters: str) -> str:
    """Write parameters for a label, such as ``cc.group=100 temperature=0.1429``."""
    shown: dict[str, Any] = {}
    for key, value in from_text(parameters).items():
        inner = value.items() if isinstance(value, dict) else [("", value)]
        shown |= {f"{key}.{name}".rstrip("."): number for name, number in inner}
    return " ".join(f"{key}={f'{v:.4g}' if isinstance(v, float) else v}" for key, v in shown.items())
