"""The heuristics of a run, with what they keep: their states, and trajectories beside the incumbent."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from ter.core.allowance import Allowance, Branch, KeptBranch
from ter.core.box import Vector
from ter.core.errors import AllowanceSpent
from ter.core.heuristic import Heuristic, State
from ter.core.scheduler import Choice
from ter.core.streams import Seed, stream

__all__ = ["Portfolio"]


class Portfolio:
    """Starts heuristics as a scheduler chooses.

    Parameters
    ----------
    incumbent : Allowance
        Where the search begins; the first points were evaluated already. All trajectories begin where it is when the
        first of them is asked for.
    heuristics : sequence of Heuristic
        The members.
    seed : int
        Root of all random streams.
    """

    def __init__(self, incumbent: Allowance, heuristics: Sequence[Heuristic], seed: Seed) -> None:
        self.names = [heuristic.name for heuristic in heuristics]
        self._heuristics, self._seed, self._box = heuristics, seed, incumbent.box
        self._begin: tuple[Vector, float] | None = None  # where trajectories begin: where the first of them did
        self._trajectories: dict[str | int, Branch | KeptBranch] = {}
        self._states: dict[tuple[str, str], State] = {}
        for index in range(len(heuristics)):
            self._state_for(index)

    def cost(self, choice: Choice) -> int:
        """Return for how many evaluations a choice is."""
        return choice.evaluations or self._heuristics[choice.index].cost(self._box.dimension)

    def place(self, choice: Choice, incumbent: Allowance) -> Allowance:
        """Return where a choice is to work: the incumbent, or the point that a trajectory has come to."""
        if choice.origin == "incumbent":
            return incumbent
        name = choice.index if choice.origin == "own" else choice.origin
        if self._begin is None:
            self._begin = np.array(incumbent.x), incumbent.y
        kept = self._trajectories.get(name)
        branch = incumbent.branch(*self._begin) if kept is None else incumbent.branch(kept)
        self._trajectories[name] = branch
        return branch

    def act(self, choice: Choice, allowance: Allowance, turn: int) -> State:
        """Run one initiation and return its state; what that is if it is cut, the contract of heuristics says."""
        heuristic = self._heuristics[choice.index]
        key = self._state_for(choice.index, choice.origin)
        if choice.anew:
            _close(self._states[key])
            self._states[key] = heuristic.start(self._box, stream(self._seed, f"{key[0]}/anew", turn))
        with suppress(AllowanceSpent):
            self._states[key] = heuristic.act(self._states[key], allowance, stream(self._seed, heuristic.name, turn))
        return self._states[key]

    def kept(self) -> dict[str, Any]:
        """Return what changes while it is used."""
        return {"begin": self._begin, "trajectories": dict(self._trajectories), "states": dict(self._states)}

    def restore(self, kept: dict[str, Any]) -> None:
        """Put back what was kept."""
        self.close()
        self._begin, self._trajectories, self._states = kept["begin"], kept["trajectories"], kept["states"]

    def close(self) -> None:
        """Close the states that want it."""
        for state in self._states.values():
            _close(state)

    def _state_for(self, index: int, origin: str = "incumbent") -> tuple[str, str]:
        """Return where a heuristic's state is kept; it is started if it is new."""
        heuristic = self._heuristics[index]
        plain = origin in ("incumbent", "own") or getattr(heuristic, "one_state", False)
        shared = "" if plain else origin
        key = getattr(heuristic, "family", heuristic.name), shared
        if key not in self._states:
            path = f"{key[0]}/start/{shared}" if shared else f"{key[0]}/start"
            self._states[key] = heuristic.start(self._box, stream(self._seed, path))
        return key


def _close(state: State) -> None:
    close = getattr(state, "close", None)
    if close is not None:
        close()
