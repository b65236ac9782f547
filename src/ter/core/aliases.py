"""Other names of heuristics. The name itself must stay: random streams are opened by it, and records hold it."""

from __future__ import annotations

from collections.abc import Collection

__all__ = ["ALIASES", "name_among", "titled"]

ALIASES = {"shade": "gs"}  # the paper says GS, everybody else SHADE
_TITLES = {name: alias.upper() for alias, name in ALIASES.items()}


def name_among(name: str, names: Collection[str]) -> str:
    """Return the one of `names` that a user means by `name`; what nobody knows is returned as it is.

    Examples
    --------
    >>> name_among("shade", ["ls1", "gs"]), name_among("shade", ["gs", "shade"]), name_among("cc", [])
    ('gs', 'shade', 'cc')
    """
    return ALIASES[name] if name not in names and ALIASES.get(name) in names else name


def titled(name: str) -> str:
    """Write a name as lists show it, with the other name behind.

    Examples
    --------
    >>> titled("gs"), titled("cc")
    ('gs (SHADE)', 'cc')
    """
    return f"{name} ({_TITLES[name]})" if name in _TITLES else name
