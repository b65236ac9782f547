"""A failed evaluation: what the objective raised, as data that can travel between processes."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from traceback import format_exception_only
from typing import Any

__all__ = ["Failure", "SavedError"]


class SavedError(Exception):
    """Stands for an exception that was saved to a file: its text is the class and the message of the original."""


@dataclass(frozen=True)
class Failure:
    """An evaluation that raised an exception.

    Attributes
    ----------
    evaluation : int
        Its number in the run, from 1 (within a batch: the row).
    error : BaseException
        What the objective raised.
    traceback : str
        Its traceback as text.
    """

    evaluation: int
    error: BaseException
    traceback: str

    @property
    def reason(self) -> str:
        """The class of the exception and its message.

        Examples
        --------
        >>> Failure(3, ValueError("no mesh"), "Traceback ...").reason
        'ValueError: no mesh'
        """
        error = self.error
        return str(error) if isinstance(error, SavedError) else "".join(format_exception_only(error)).strip()

    def __reduce__(self) -> Any:
        """Travel between processes even if the exception cannot be made again from its own arguments."""
        error = self.error
        args = error.args if _picklable(error.args) else (str(error),)
        notes = {name: value for name, value in vars(error).items() if _picklable(value)}
        return _rebuilt, (self.evaluation, type(error), args, notes, self.traceback)


def _rebuilt(
    evaluation: int, kind: type[BaseException], args: tuple[Any, ...], state: dict[str, Any], text: str
) -> Failure:
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(state)
    note = f"In a worker:\n{text.rstrip()}"  # frames do not travel; shown below the message
    if note not in getattr(error, "__notes__", ()):
        error.add_note(note)
    return Failure(evaluation, error, text)


def _picklable(value: object) -> bool:
    try:
        pickle.dumps(value)
    except Exception:  # noqa: BLE001 - pickling runs anybody's code
        return False
    return True
