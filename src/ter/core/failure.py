"""A failed evaluation: what the objective raised, as data that can travel between processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ter.core.errors import UnsentError, add_note, attributes_of
from ter.core.sending import packed, reason_of, unpacked

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
    def fatal(self) -> bool:
        """Whether it ends the run in any case: somebody wants out, by ``sys.exit`` for example."""
        # Not isinstance, which asks the exception for its class; one that cannot be read would raise.
        if issubclass(type(self.error), UnsentError):
            return bool(attributes_of(self.error).get("fatal", False))
        return not issubclass(type(self.error), Exception)

    @property
    def reason(self) -> str:
        """The class of the exception and its message.

        Examples
        --------
        >>> Failure(3, ValueError("no mesh"), "Traceback ...").reason
        'ValueError: no mesh'
        """
        return str(self.error) if type(self.error) is SavedError else reason_of(self.error)

    def __reduce__(self) -> Any:
        """Travel between processes, whatever the exception is made of."""
        return _rebuilt, (self.evaluation, packed(self.error), reason_of(self.error), self.traceback, self.fatal)


def _rebuilt(evaluation: int, content: bytes | None, reason: str, text: str, fatal: bool) -> Failure:
    error = unpacked(content, reason, fatal=fatal)
    add_note(error, f"In a worker:\n{text.rstrip()}")  # frames do not travel; shown below the message
    return Failure(evaluation, error, text)
