"""Tracebacks that begin where the user's code begins."""

from __future__ import annotations

import importlib
import traceback
from pathlib import Path
from types import TracebackType

import ter

__all__ = ["user_traceback"]


def user_traceback(error: BaseException) -> str:
    """Return the traceback of an exception in the user's code, without the frames that lead there."""
    frames: TracebackType | None = error.__traceback__
    while frames is not None and _leads_there(frames.tb_frame.f_code.co_filename):
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames))


def _leads_there(filename: str) -> bool:
    ours = (Path(ter.__file__).parent, Path(importlib.__file__).parent)
    return filename.startswith("<frozen importlib") or any(Path(filename).is_relative_to(folder) for folder in ours)
