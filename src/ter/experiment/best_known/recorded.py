"""Sequences of recorded runs, as a start for a search."""

from __future__ import annotations

from os import PathLike

from ter.core.errors import InvalidArgument
from ter.experiment.best_known.search import Search
from ter.experiment.best_known.space import Decisions
from ter.experiment.store import Store

__all__ = ["recorded_sequences"]

MOST = 20


def recorded_sequences(path: str | PathLike[str], search: Search, *, most: int = MOST) -> list[Decisions]:
    """Return the sequences of decisions of the best runs of an experiment, the best first.

    Runs count if they had the same problem, number of variables and budget, and started only heuristics of the
    portfolio.

    Parameters
    ----------
    path : path
        The store of the experiment.
    search : Search
        What they are for.
    most : int
        How many at most.

    Raises
    ------
    InvalidArgument
        If there is none.
    """
    task, names = search.task, set(search.space.names)
    best: dict[Decisions, float] = {}
    with Store(path) as store:
        for record in store.records(problem=task.problem, failed=False):
            same = (record.key.dimension, record.key.budget) == (task.dimension, task.budget)
            if same and record.actions and names.issuperset(record.sequence):
                sequence = search.space.fitted(record.sequence)
                best[sequence] = min(record.fun, best.get(sequence, record.fun))
    if not best:
        raise InvalidArgument(
            f"the store must have runs of {task.problem} with {task.dimension} variables and {task.budget} evaluations "
            f"that start {', '.join(search.space.names)} only, got none in {str(path)!r}"
        )
    return sorted(best, key=lambda sequence: best[sequence])[:most]
