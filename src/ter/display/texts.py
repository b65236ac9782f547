"""Numbers as people read them, and cells as programs do."""

from __future__ import annotations

import math
import unicodedata

from ter.core.budget import Budget

__all__ = [
    "budget_text",
    "compiling_text",
    "count_text",
    "csv_cell",
    "number_text",
    "plain_text",
    "share_text",
    "time_text",
    "workers_text",
]

NOTICED = 0.5  # seconds
COMPUTED = ("=", "+", "-", "@")  # a cell that begins so is a formula for spreadsheets
BREAKS = ("\t", "\r", "\n")


def number_text(value: float) -> str:
    """Write a value of the objective, short.

    Examples
    --------
    >>> number_text(0.00012345678), number_text(1234567.0), number_text(float("inf"))
    ('0.000123457', '1.23457e+06', '∞')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:.6g}"


def count_text(value: float) -> str:
    """Write a number of evaluations or a rate, with spaces between thousands.

    Examples
    --------
    >>> count_text(1234567), count_text(2.5)
    ('1\xa0234\xa0567', '2.5')
    """
    whole = value == int(value) or abs(value) >= 100
    return (f"{value:,.0f}" if whole else f"{value:.3g}").replace(",", "\N{NO-BREAK SPACE}")


def share_text(share: float) -> str:
    """Write a share in percent.

    Examples
    --------
    >>> share_text(0.5), share_text(0.0004), share_text(0.0)
    ('50 %', '<0.1 %', '0 %')
    """
    percent = 100 * share
    if 0 < percent < 0.1:
        return "<0.1 %"
    return f"{percent:.0f} %" if percent >= 10 or percent == 0 else f"{percent:.1f} %"


def time_text(seconds: float) -> str:
    """Write a time span.

    Examples
    --------
    >>> time_text(0.25), time_text(12.3), time_text(125), time_text(7325), time_text(200_000)
    ('0.25 s', '12.3 s', '2 min 05 s', '2 h 02 min', '2 d 07 h')
    """
    if not math.isfinite(seconds):
        return "∞"
    if seconds < 59.95:
        return f"{seconds:.3g} s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    if whole < 86400:
        return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
    return f"{whole // 86400} d {whole % 86400 // 3600:02d} h"


def compiling_text(seconds: float) -> str:
    """Write how long compiling took; nothing if nobody would have noticed.

    Examples
    --------
    >>> compiling_text(12.3), compiling_text(0.4)
    ('after 12.3 s of compiling', '')
    """
    return f"after {time_text(seconds)} of compiling" if seconds > NOTICED else ""


def budget_text(budget: Budget) -> str:
    """Write what may be spent.

    Examples
    --------
    >>> budget_text(Budget.read("100 evaluations, 6h"))
    '100 evaluations, 6 h 00 min'
    """
    parts = []
    if budget.evaluations is not None:
        parts.append(f"{count_text(budget.evaluations)} evaluations")
    if budget.seconds is not None:
        parts.append(time_text(budget.seconds))
    if budget.cost is not None:
        parts.append(f"{number_text(budget.cost)} cost")
    return ", ".join(parts)


def plain_text(text: str) -> str:
    """Return a text of a file for the terminal, without the characters that would move its cursor or change its title.

    Examples
    --------
    >>> plain_text("ter\\x1b[2J")
    'ter\ufffd[2J'
    """
    return "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(c) in ("Cc", "Cf") else c for c in text)


def csv_cell(value: object) -> object:
    """Return what to write into a cell of a CSV file: an apostrophe goes before texts that a spreadsheet would compute.

    Every line break becomes a newline, since Python puts no quotes around others, and they would end the row.

    Examples
    --------
    >>> csv_cell("=1+1"), csv_cell("ter"), csv_cell(-1.5)
    ("'=1+1", 'ter', -1.5)
    """
    if not isinstance(value, str):
        return value
    # What cannot be seen does not count, and wide forms of a character are taken for it.
    seen = next((character for character in value if unicodedata.category(character)[0] not in "CZ"), "")
    computed = value.startswith(BREAKS) or unicodedata.normalize("NFKC", seen) in COMPUTED
    text = f"'{value}" if computed else value
    return text.replace("\r\n", "\n").replace("\r", "\n")


def workers_text(busy: float | None, why: str = "") -> str:
    """Say how busy workers were, and why if they were not.

    Examples
    --------
    >>> workers_text(0.93), workers_text(None)
    ('93 % busy', '')
    >>> workers_text(0.07, "starting them took most of the time")
    '7.0 % busy: starting them took most of the time'
    """
    if busy is None:
        return ""
    return f"{share_text(busy)} busy{f': {why}' if why else ''}"
