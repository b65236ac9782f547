"""Tell the story of a scheduler by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ter.core.action import Action
from ter.core.scheduler import Choice
from ter.core.script import Script


def told(
    scheduler: Script, names: Sequence[str], outcome: Callable[[int, Choice], tuple[float, float]], turns: int
) -> list[Choice]:
    """Return the first choices; `outcome` tells the values before and after each of them.

    On a trajectory of its own these are the values at its ends.
    """
    story = scheduler.story(names)
    choices = [next(story)]
    for turn in range(turns - 1):
        choice = choices[-1]
        before, after = outcome(turn, choice)
        n = choice.evaluations or 1
        own = None if choice.origin == "incumbent" else (before, after)
        action = Action(turn, names[choice.index], float(n), n, before, after, own=own, origin=choice.origin)
        choices.append(story.send(action))
    return choices
