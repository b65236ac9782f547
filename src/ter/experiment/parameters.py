"""Parameters of algorithms in a plan: what differs from the algorithm's own settings."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from ter.core.aliases import name_among
from ter.core.errors import InvalidArgument, UnknownName

if TYPE_CHECKING:
    from ter.core.profile import Profile

__all__ = ["as_text", "from_text", "tuned", "valid_names"]

Part = TypeVar("Part")
FRACTION = re.compile(r"\s*(\d+)\s*/\s*(\d*[1-9]\d*)\s*")
OF_PROFILE = ("share", "start_points")
PARTS = ("heuristics", "scheduler")


def as_text(parameters: Mapping[str, Any]) -> str:
    """Write parameters as JSON with sorted keys; equal settings give equal texts.

    A text like ``"1/7"`` is read as the fraction, since TOML has none.

    Examples
    --------
    >>> as_text({"window": 7.0, "temperature": "1/8", "cc": {"group": 100}})
    '{"cc": {"group": 100}, "temperature": 0.125, "window": 7}'
    """
    try:
        return json.dumps(_plain(parameters), sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"parameters must be numbers, texts, lists and tables of them, got {error}") from error


def from_text(text: str) -> dict[str, Any]:
    """Read what :func:`as_text` wrote.

    Raises
    ------
    InvalidArgument
        If it is something else.
    """
    try:
        read = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(f"parameters must be a JSON object, got {text[:40]!r} ({error})") from error
    if not isinstance(read, dict):
        raise InvalidArgument(f"parameters must be a JSON object, got {text[:40]!r}")
    return read


def tuned(profile: Profile, parameters: Mapping[str, Any], owner: str) -> Profile:
    """Apply parameters to a profile.

    Parameters
    ----------
    profile : Profile
        The algorithm's own settings.
    parameters : mapping
        ``heuristics`` (names) and ``scheduler`` (a name) choose other parts; settings of the scheduler and of the
        profile go by their names; the name of a heuristic of the portfolio holds a table of its settings.
    owner : str
        The algorithm's name, for messages.

    Raises
    ------
    UnknownName
        If there is no such parameter; the message names those there are.
    InvalidArgument
        If a value breaks a rule.

    Examples
    --------
    >>> from ter.algorithms.profiles import paper
    >>> changed = tuned(paper(), {"window": 7, "cc": {"group": 100}}, "ter")
    >>> changed.scheduler.window, changed.heuristics[1].group
    (7, 100)
    """
    from ter.algorithms.profiles import with_parts

    profile = with_parts(profile, parameters.get("heuristics"), parameters.get("scheduler"))
    known = valid_names(profile)
    given, parameters = parameters, {name_among(key, known): value for key, value in parameters.items()}
    if len(parameters) < len(given):
        raise InvalidArgument(f"parameters must name each heuristic once, got two names of one in {', '.join(given)}")
    for key in parameters:
        if key not in known:
            raise UnknownName.among(f"parameter of the algorithm {owner!r}", key, known)
    settings = set(_settings(profile.scheduler))
    scheduler = _changed(profile.scheduler, {k: v for k, v in parameters.items() if k in settings}, owner)
    heuristics = tuple(_changed(h, _table(parameters, h.name, owner), f"{owner}.{h.name}") for h in profile.heuristics)
    whole = {key: parameters[key] for key in OF_PROFILE if key in parameters}
    return _changed(replace(profile, scheduler=scheduler, heuristics=heuristics), whole, owner)


def valid_names(profile: Profile) -> list[str]:
    """Return the names of the parameters that a profile has.

    Examples
    --------
    >>> from ter.algorithms.profiles import paper
    >>> valid_names(paper())
    ['heuristics', 'scheduler', 'share', 'start_points', 'temperature', 'window', 'reward', 'ls1', 'cc', 'gs']
    """
    names = [heuristic.name for heuristic in profile.heuristics]
    return list(dict.fromkeys([*PARTS, *OF_PROFILE, *_settings(profile.scheduler), *names]))


def _settings(part: object) -> list[str]:
    return [field.name for field in fields(part) if field.init and field.name != "name"] if is_dataclass(part) else []


def _table(parameters: Mapping[str, Any], name: str, owner: str) -> Mapping[str, Any]:
    table = parameters.get(name, {})
    if not isinstance(table, Mapping):
        raise InvalidArgument(f"{owner}.{name} must be a table of settings, got {table!r}; see `ter list heuristics`")
    return table


def _changed(part: Part, settings: Mapping[str, Any], owner: str) -> Part:
    """Return the part with other settings, which its own rules check."""
    for key, value in settings.items():
        if key not in _settings(part):
            raise UnknownName.among(f"setting of {owner!r}", key, _settings(part))
        if isinstance(getattr(part, key), bool) != isinstance(value, bool):
            raise InvalidArgument(f"{key} of {owner!r} must be of the kind of {getattr(part, key)!r}, got {value!r}")
    given = {key: tuple(value) if isinstance(value, list) else value for key, value in settings.items()}
    try:
        return replace(part, **given) if given else part  # type: ignore[type-var]  # _settings: a dataclass
    except (TypeError, IndexError) as error:
        text = ", ".join(f"{key} = {value!r}" for key, value in given.items())
        raise InvalidArgument(f"settings of {owner!r} must be of the right kind, got {text}: {error}") from error


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, str) and (match := FRACTION.fullmatch(value)):
        value = int(match[1]) / int(match[2])
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
