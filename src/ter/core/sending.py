"""Exceptions that travel between processes, whatever they are made of.

Many cannot be pickled: they hold a lock, are a frozen dataclass, or their ``__init__`` wants other arguments than those
that Python remembers. So what is sent is checked where it was raised.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from traceback import format_exception, format_exception_only, format_tb
from types import MemberDescriptorType
from typing import Any

from ter.core.errors import Aborted, UnsentError, attributes_of

__all__ = ["packed", "reason_of", "traceback_of", "unpacked"]


def reason_of(error: BaseException) -> str:
    """Return the class of an exception and its message, as far as the exception lets itself be read.

    Examples
    --------
    >>> reason_of(ValueError("no mesh"))
    'ValueError: no mesh'
    """
    return _read(lambda: "".join(format_exception_only(error)).strip(), _unreadable(error))


def traceback_of(error: BaseException) -> str:
    """Return the traceback of an exception as text; where it was raised is told also of one that cannot be read.

    Examples
    --------
    >>> traceback_of(ValueError("no mesh"))
    'ValueError: no mesh\\n'
    """
    frames = "".join(format_tb(vars(BaseException)["__traceback__"].__get__(error)))
    unread = f"Traceback (most recent call last):\n{frames}{_unreadable(error)}\n"
    return _read(lambda: "".join(format_exception(error)), unread)


def _read(text: Callable[[], str], otherwise: str) -> str:
    try:
        return text()
    except Aborted:
        raise
    except BaseException:  # noqa: BLE001 - looking at an exception runs anybody's code
        return otherwise


def _unreadable(error: BaseException) -> str:
    return f"{type(error).__qualname__}: <an exception that cannot be read>"


def packed(error: BaseException) -> bytes | None:
    """Write an exception down so that the same comes out elsewhere; None if that cannot be done.

    Examples
    --------
    >>> unpacked(packed(FileNotFoundError(2, "not there", "wing.msh")), "").filename
    'wing.msh'
    """
    ways: tuple[Callable[[BaseException], Any], ...] = (_as_it_is, _Parts)
    for way in ways:
        with suppress(BaseException):  # pickling runs anybody's code
            content = _dumped(way(error))
            again = pickle.loads(content)  # noqa: S301 - written a line above
            same_state = way is _Parts or _dumped(_state(again)) == _dumped(_state(error))
            if type(again) is type(error) and reason_of(again) == reason_of(error) and same_state:
                return content
    return None


def unpacked(content: bytes | None, reason: str, *, fatal: bool = False) -> BaseException:
    """Make the exception again, or one that stands for it if that cannot be done here.

    Parameters
    ----------
    content : bytes or None
        What `packed` wrote.
    reason : str
        Its class and message.
    fatal : bool
        Whether it ends a run in any case.
    """
    if content is not None:
        with suppress(BaseException):  # its class may be one that this process cannot import
            error: BaseException = pickle.loads(content)  # noqa: S301 - from a worker, which runs the user's code anyway
            return error
    unsent = UnsentError(
        f"the objective raised an exception that cannot be sent from its worker, {reason}; "
        "the result so far is in the attribute ter_result of this error"
    )
    unsent.fatal = fatal
    return unsent


def _as_it_is(error: BaseException) -> BaseException:
    return error


class _Parts:
    """An exception that is put together again from its class, its arguments and its attributes.

    Attributes that cannot be pickled are left behind. The exceptions of a group are sent one by one.
    """

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def __reduce__(self) -> Any:
        error, args = self._error, self._error.args
        if isinstance(error, BaseExceptionGroup):
            args = (error.message, [_Member(each) for each in error.exceptions])
        elif not _picklable(args):
            args = (str(error),)
        return _put_together, (type(error), args, _state(error))


class _Member:
    """An exception of a group."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def __reduce__(self) -> Any:
        return unpacked, (packed(self._error), reason_of(self._error))


def _put_together(kind: type[BaseException], args: tuple[Any, ...], state: dict[str, Any]) -> BaseException:
    error = kind.__new__(kind, *args)  # not called: its __init__ may want other arguments
    BaseException.__setattr__(error, "args", args)
    for name, value in state.items():
        with suppress(AttributeError, TypeError):  # it cannot be written, but `args` have set it
            BaseException.__setattr__(error, name, value)  # not its own way, which may refuse
    return error


def _state(error: BaseException) -> dict[str, Any]:
    """Return the attributes that can be pickled: slots, what Python's own exceptions have, and all others."""
    slots = {name for kind in type(error).__mro__ for name, each in vars(kind).items() if _is_slot(each)}
    values = {name: getattr(error, name) for name in sorted(slots) if hasattr(error, name)} | attributes_of(error)
    return {name: value for name, value in values.items() if _picklable(value)}


def _is_slot(attribute: object) -> bool:
    return isinstance(attribute, MemberDescriptorType)


def _dumped(value: object) -> bytes:
    import cloudpickle  # which knows functions and classes of notebooks, as those who send objectives do

    content: bytes = cloudpickle.dumps(value)
    return content


def _picklable(value: object) -> bool:
    try:
        pickle.loads(_dumped(value))  # noqa: S301 - a frozen dataclass can be written, but not read
    except BaseException:  # noqa: BLE001 - pickling runs anybody's code
        return False
    return True
