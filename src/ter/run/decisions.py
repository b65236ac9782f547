"""Decisions: a scheduler, asked again and again in one run."""

from __future__ import annotations

from collections.abc import Sequence

from ter.core.action import Action
from ter.core.scheduler import Choice, Scheduler
from ter.core.script import Script, Story
from ter.core.streams import Seed, stream

__all__ = ["Decisions"]


class Decisions:
    """Asks a scheduler what comes next; the story of a script goes on where it is.

    Parameters
    ----------
    scheduler : Scheduler
        Who is asked.
    names : sequence of str
        The heuristics to choose from.
    seed : int
        Root of all random streams.
    """

    def __init__(self, scheduler: Scheduler, names: Sequence[str], seed: Seed) -> None:
        self._scheduler, self._names, self._seed = scheduler, names, seed
        self._story: Story | None = None
        self._told = 0  # actions that the story knows
        self._choice: Choice | None = None

    def next(self, history: Sequence[Action]) -> Choice | None:
        """Return the choice after these actions, which are those of the last time and new ones; None ends the run."""
        if not isinstance(self._scheduler, Script):
            return self._scheduler.choose(history, self._names, stream(self._seed, "scheduler", len(history)))
        try:
            if self._story is None:
                self._story = self._scheduler.story(self._names)
                self._choice = next(self._story)
            for action in history[self._told :]:
                self._choice = self._story.send(action)
        except StopIteration:
            self._choice = None
        self._told = len(history)
        return self._choice

    def __getstate__(self) -> tuple[Scheduler, Sequence[str], Seed]:
        """Leave the story behind: it is told again."""
        return self._scheduler, self._names, self._seed

    def __setstate__(self, kept: tuple[Scheduler, Sequence[str], Seed]) -> None:
        self.__init__(*kept)  # type: ignore[misc]
