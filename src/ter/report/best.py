"""Best known sequences of decisions, from the file of a search."""

from __future__ import annotations

from os import PathLike

from ter.report.board import BestSequence

__all__ = ["best_sequences"]


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
