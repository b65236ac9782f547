"""Schedulers told as a story: what to start, and what comes of it, in the order of a method's own description."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from typing import TypeAlias

import numpy as np

from ter.core.action import Action
from ter.core.reward import improvement
from ter.core.scheduler import Choice

__all__ = ["Script", "Story"]

Story: TypeAlias = Generator[Choice, Action, None]
"""Yields a choice and is sent the action that came of it; its end ends the run."""


class Script(ABC):
    """A scheduler whose decisions are written as they follow each other.

    Methods of the literature come as a sequence of steps with loops and conditions. `story` is that sequence. Since it
    depends on nothing but the actions it is sent, a run can be replayed or resumed all the same.

    Examples
    --------
    >>> class TwiceEach(Script):
    ...     def story(self, names):
    ...         for index in range(len(names)):
    ...             first = yield self.choice(index, names)
    ...             if first.after < first.before:
    ...                 yield self.choice(index, names)
    >>> import ter
    >>> ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=4), budget=3_000, rng=1,
    ...              heuristics=["gs", "ls1"], scheduler=TwiceEach()).sequence
    ('gs', 'gs', 'ls1', 'ls1')
    """

    @abstractmethod
    def story(self, names: Sequence[str]) -> Story:
        """Tell which of the heuristics called `names` are started."""

    def reward_of(self, action: Action) -> float:
        """Return the improvement per resource; scripts look at what they need in the action itself."""
        return improvement(action)

    def choose(self, history: Sequence[Action], names: Sequence[str], rng: np.random.Generator) -> Choice | None:
        """Tell the story up to now; a run does not begin it anew each time."""
        story = self.story(names)
        try:
            choice = next(story)
            for action in history:
                choice = story.send(action)
        except StopIteration:
            return None
        return choice

    @staticmethod
    def choice(
        index: int,
        names: Sequence[str],
        *,
        evaluations: int | None = None,
        origin: str = "incumbent",
        anew: bool = False,
    ) -> Choice:
        """Return the choice of a heuristic that is certain."""
        return Choice(index, tuple(float(i == index) for i in range(len(names))), evaluations, origin, anew)
