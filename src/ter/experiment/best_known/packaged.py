"""The best known sequences that come with the package: a file with one JSON object in each line."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources

from ter.experiment.best_known.best import BestKnown
from ter.experiment.names import require_own

__all__ = ["FILE", "packaged_sequences", "read_sequences", "written_sequences"]

FILE = "sequences.jsonl"


def packaged_sequences(
    problem: str | None = None,
    *,
    dimension: int | None = None,
    budget: str | None = None,
    algorithm: str | None = None,
) -> list[BestKnown]:
    """Return the best known sequences that come with the package: all, or those that agree with what is given.

    Parameters
    ----------
    problem : str, optional
        As :func:`ter.problem` reads it.
    dimension : int, optional
        Number of variables.
    budget : str, optional
        As :class:`ter.Budget` reads it, such as ``"3000000"``.
    algorithm : str, optional
        Whose portfolio.

    Examples
    --------
    >>> {best.algorithm for best in packaged_sequences()}
    {'ter'}
    >>> packaged_sequences("no/such-problem")
    []
    """
    asked = {"problem": problem, "dimension": dimension, "budget": budget, "algorithm": algorithm}
    place = resources.files("ter.experiment.best_known").joinpath("data", FILE)
    found = read_sequences(place.read_text(encoding="utf-8"))
    return [best for best in found if all(wanted in (None, getattr(best, name)) for name, wanted in asked.items())]


def read_sequences(text: str) -> list[BestKnown]:
    """Read what :func:`written_sequences` wrote.

    Raises
    ------
    InvalidArgument
        If a line is something else, or names code of somebody's own, which is never imported.
    """
    found = [BestKnown.from_json(line) for line in text.splitlines() if line]
    require_own((name for best in found for name in (best.problem, best.algorithm)), ())
    return found


def written_sequences(found: Iterable[BestKnown]) -> str:
    """Write sequences, one in each line; all values keep their bits."""
    return "".join(f"{best.to_json()}\n" for best in found)
