"""The heuristics of a run, with what they keep: their states and their own trajectories."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ter.core.errors import AllowanceSpent
from ter.core.heuristic import Heuristic, State
from ter.core.scheduler import Choice
from ter.core.streams import Seed, stream
from ter.run.evaluator import Evaluator
from ter.run.walker import Walker

__all__ = ["Portfolio"]


class Portfolio:
    """Starts heuristics as a scheduler chooses.

    Parameters
    ----------
    evaluator : Evaluator
        Lends the allowances; the first points were evaluated already.
    heuristics : sequence of Heuristic
        The members.
    seed : int
        Root of all random streams.
    """

    def __init__(self, evaluator: Evaluator, heuristics: Sequence[Heuristic], seed: Seed) -> None:
        self.names = [heuristic.name for heuristic in heuristics]
        self._evaluator, self._heuristics, self._seed = evaluator, heuristics, seed
        self._states: list[State] = [h.start(evaluator.box, stream(seed, f"{h.name}/start")) for h in heuristics]
        self._start = evaluator.x, evaluator.y
        self._trajectories: dict[int, Walker] = {}

    def lend(self, choice: Choice, share: float) -> Walker:
        """Lend what a choice says, around the incumbent or the heuristic's own point."""
        cost = choice.evaluations or self._heuristics[choice.index].cost(self._evaluator.box.dimension)
        incumbent = self._evaluator.lend(cost, share)
        if choice.origin == "incumbent":
            return incumbent
        if choice.index not in self._trajectories:
            self._trajectories[choice.index] = self._evaluator.branch(*self._start)
        return self._trajectories[choice.index]

    def act(self, choice: Choice, allowance: Walker, turn: int) -> None:
        """Run one initiation; if it is cut, its state is what :class:`ter.core.heuristic.Heuristic` says."""
        i, name = choice.index, self.names[choice.index]
        with suppress(AllowanceSpent):
            self._states[i] = self._heuristics[i].act(self._states[i], allowance, stream(self._seed, name, turn))

    def close(self) -> None:
        """Close the states that want it."""
        for state in self._states:
            close = getattr(state, "close", None)
            if close is not None:
                close()
