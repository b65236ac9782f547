"""Blocks of a page that a program writes, between two marks; people write the rest."""

from __future__ import annotations

from pathlib import Path


def block_of(page: Path, begin: str, end: str) -> str:
    """Return what stands between two marks of a page."""
    _, found, rest = page.read_text(encoding="utf-8").partition(begin)
    text, closed, _ = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"{page.name} must have the marks {begin!r} and {end!r}, in this order")
    return text.strip("\n")


def write_block(page: Path, begin: str, end: str, text: str) -> None:
    """Replace what stands between two marks of a page."""
    block_of(page, begin, end)
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    _, _, after = rest.partition(end)
    page.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")
