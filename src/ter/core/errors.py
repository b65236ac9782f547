"""Every exception that ``ter`` raises on its own account.

::

    TerError
    ├── InvalidArgument (also a ValueError)     an argument breaks a rule; nothing was evaluated
    │   └── UnknownName                         a name that no catalogue holds
    ├── ObjectiveError (also a TypeError)       the objective broke its contract (shape, type, missing cost)
    │   └── UnsentError                         stands for an exception that could not be sent from its worker
    ├── EvaluationLost (also a RuntimeError)    an evaluation came to no end: its workers died
    │   └── EvaluationTimeout (a TimeoutError)  it took longer than it may
    ├── ClusterError (also a RuntimeError)      a cluster is out of reach, or its workers lack something
    └── MissingExtra (also an ImportError)      an optional dependency is not installed

    AllowanceSpent (a BaseException)            ends an action; never reaches the user
    Aborted (a KeyboardInterrupt)               the second Ctrl-C
    DamageWarning (a UserWarning)               parts of a file are damaged; the others are read

Whatever the user's own objective raises comes out as it is, ``SystemExit`` and other BaseExceptions too, with the best
result so far in its attribute ``ter_result``. Only what cannot be sent from a worker is replaced, by an UnsentError.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Any

__all__ = [
    "Aborted",
    "AllowanceSpent",
    "ClusterError",
    "DamageWarning",
    "EvaluationLost",
    "EvaluationTimeout",
    "InvalidArgument",
    "MissingExtra",
    "ObjectiveError",
    "TerError",
    "UnknownName",
    "UnsentError",
    "add_note",
    "attributes_of",
]


class TerError(Exception):
    """Base class of the exceptions of this package."""


class InvalidArgument(TerError, ValueError):
    """An argument breaks a rule; the message names the rule, the value and the cure."""


class UnknownName(InvalidArgument):
    """A name that the catalogue asked does not hold."""

    @classmethod
    def among(cls, kind: str, name: object, valid: Iterable[str]) -> UnknownName:
        """Build the error for `name`, listing the valid names and the nearest one.

        Examples
        --------
        >>> str(UnknownName.among("heuristic", "ls2", ["ls1", "cc"]))
        "unknown heuristic 'ls2'; did you mean 'ls1'? Valid names: cc, ls1"
        """
        names = sorted(valid, key=_counted)
        near = difflib.get_close_matches(str(name), names, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        return cls(f"unknown {kind} {name!r}; {hint}Valid names: {', '.join(names)}")


def _counted(name: str) -> list[str | int]:
    """The key by which f2 comes before f10."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)]


class ObjectiveError(TerError, TypeError):
    """The objective returned something that is not one number per point, or raised what cannot be shown as it is."""


class UnsentError(ObjectiveError):
    """Stands for an exception of the objective that could not be sent from its worker.

    Attributes
    ----------
    fatal : bool
        Whether that was no ``Exception``, but somebody who wants out.
    """

    fatal = False


class EvaluationLost(TerError, RuntimeError):
    """An evaluation came to no end: its worker died each time it was tried."""


class EvaluationTimeout(EvaluationLost, TimeoutError):
    """An evaluation took longer than ``evaluation_timeout``, and was ended."""


class ClusterError(TerError, RuntimeError):
    """Nothing can be done on a cluster: it is out of reach, or its workers lack something."""


class MissingExtra(TerError, ImportError):
    """A feature needs a package that is not installed."""

    @classmethod
    def named(cls, package: str, extra: str, purpose: str) -> MissingExtra:
        """Build the error that tells which extra to install."""
        return cls(f"{purpose} needs {package}, which is not installed; install it with: pip install 'ter[{extra}]'")


class AllowanceSpent(BaseException):
    """Raised by an allowance that has nothing left; the loop catches it at the end of the action.

    It is a BaseException so that a wrapped solver with a broad ``except Exception`` cannot go on
    evaluating after its allowance.
    """


class DamageWarning(UserWarning):
    """Parts of a file are damaged; the message names them, and the others are read."""


class Aborted(KeyboardInterrupt):
    """The user does not want to wait until the evaluation under way is done.

    It may come up anywhere, so nothing is known for certain about the run that it ends.
    """


def add_note(error: BaseException, note: str) -> None:
    """Add a note to an exception, once, even if it takes no attributes (a frozen dataclass, for example).

    Examples
    --------
    >>> error = ValueError("no mesh")
    >>> add_note(error, "at the wing tip")
    >>> error.__notes__
    ['at the wing tip']
    """
    attributes = attributes_of(error)
    notes = attributes.get("__notes__", [])
    if note not in notes:
        attributes["__notes__"] = [*notes, note]


def attributes_of(error: BaseException) -> dict[str, Any]:
    """Return the attributes of an exception as they are kept, to read and to write.

    Its class may refuse both: a frozen dataclass, properties, a ``__getattribute__`` of its own.

    Examples
    --------
    >>> error = ValueError("no mesh")
    >>> attributes_of(error)["place"] = "wing tip"
    >>> error.place
    'wing tip'
    """
    attributes: dict[str, Any] = vars(BaseException)["__dict__"].__get__(error)
    return attributes
