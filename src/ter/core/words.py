"""Texts of others, which may hold anything: for files and for one line."""

from __future__ import annotations

__all__ = ["last_words", "storable"]


def storable(text: str) -> str:
    """Return a text that can be encoded: half a surrogate pair, as in names of files that are no UTF-8, is written out.

    Examples
    --------
    >>> storable("café \\udcff")
    'café \\\\udcff'
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def last_words(traceback: str) -> str:
    """Return the last line of a traceback that says something; the frame around a group of exceptions says nothing.

    Examples
    --------
    >>> last_words("  | KeyError: 'no'\\n  +-----------\\n")
    "KeyError: 'no'"
    """
    lines = [line.strip(" |") for line in traceback.splitlines()]
    return next((line for line in reversed(lines) if any(map(str.isalnum, line))), "")
