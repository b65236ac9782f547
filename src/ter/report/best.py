"""Best known sequences of decisions, from the file of a search."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike

__all__ = ["BestSequence", "best_sequences"]


@dataclass(frozen=True)
class BestSequence:
    """The best known sequence of decisions on a problem.

    Attributes
    ----------
    problem, dimension, budget : str, int, str
        What it is good for.
    sequence : tuple of str
        The decisions.
    values : tuple of float
        Final values of its runs.
    flattered : bool
        Whether it was chosen by these runs.
    """

    problem: str
    dimension: int
    budget: str
    sequence: tuple[str, ...]
    values: tuple[float, ...]
    flattered: bool = False


def best_sequences(path: str | PathLike[str]) -> list[BestSequence]:
    """Read the best known sequences that ``ter best`` has found.

    Runs that had no part in the choice count, where there are any.

    Parameters
    ----------
    path : path
        The file of the search.
    """
    from ter.experiment.best_known import BestStore

    with BestStore(path) as store:
        return [
            BestSequence(
                best.problem,
                best.dimension,
                best.budget,
                best.sequence,
                best.fresh_values or best.values,
                flattered=not best.fresh_values,
            )
            for best in store.known()
        ]
