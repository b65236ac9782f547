"""What the loop asks of a checkpoint: put the last snapshot back, take new ones, write actions down."""

from __future__ import annotations

from ter.checkpoint.codec import Forms
from ter.core.action import Action
from ter.run.evaluator import Evaluator
from ter.run.logbook import Logbook
from ter.run.portfolio import Portfolio
from ter.run.snapshots import bound, restore, taken

__all__ = ["Checkpointing"]


class Checkpointing:
    """The checkpoint of a run, as the loop sees it.

    Parameters
    ----------
    evaluator : Evaluator
        Of the run.
    record : Logbook
        Writes and repeats.
    forms : Forms
        Of the states.
    """

    def __init__(self, evaluator: Evaluator, record: Logbook, forms: Forms) -> None:
        self._evaluator, self._record, self._forms = evaluator, record, forms

    def restore(self, portfolio: Portfolio, actions: list[Action]) -> int:
        """Put the snapshot back that the run goes on from; return how many actions in a row evaluated nothing."""
        if self._record.state is None:
            return 0
        return restore(self._record.state, self._forms, self._evaluator, portfolio, actions)

    def offer(self, portfolio: Portfolio, actions: list[Action], idle: int) -> None:
        """Take a snapshot if one is due; this is where a resumed run begins."""
        evaluator, record = self._evaluator, self._record
        evaluator.forget_preparations()
        if evaluator.goes_on and record.due:
            state = taken(evaluator, portfolio, actions, idle)
            record.keep(evaluator.count, len(actions), state, bound(self._forms, evaluator), state["best"])

    def repeated(self, action: Action) -> Action:
        """Return an action as it is known from the journal, or as it is."""
        return self._record.repeated(action)

    def acted(self, action: Action, *, whole: bool) -> None:
        """Write an action down."""
        self._record.acted(action, whole=whole and self._evaluator.goes_on)
