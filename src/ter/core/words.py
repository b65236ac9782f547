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


MOST = 500  # characters of a line that people read


def last_words(traceback: str) -> str:
    """Return the last line of a traceback that says something; the frame around a group of exceptions says nothing.

    Of a very long line the beginning is enough.

    Examples
    --------
    >>> last_words("  | KeyError: 'no'\\n  +-----------\\n")
    "KeyError: 'no'"
    """
    lines = [line.strip(" |") for line in traceback.splitlines()]
    words = next((line for line in reversed(lines) if any(map(str.isalnum, line))), "")
    return words if len(words) <= MOST else f"{words[:MOST]}…"
