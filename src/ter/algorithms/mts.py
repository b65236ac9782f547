"""MTS, multiple trajectory search: agents that try three local searches and go on with the best of them.

References
----------
.. [1] L.-Y. Tseng, C. Chen, "Multiple trajectory search for large scale global optimization", CEC 2008.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from ter.core.action import Action
from ter.core.profile import Profile
from ter.core.scheduler import Choice
from ter.core.script import Script, Story
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.mts_searches import LS2, LS3, AgentLS1
from ter.heuristics.placing import OrthogonalArray

__all__ = ["MTSStory", "mts"]


def mts(parameters: MTSStory | None = None) -> Profile:
    """Return the profile, with the published parameters or others.

    Agents begin at the points of a simulated orthogonal array; the point that a run begins with is one more.

    Examples
    --------
    >>> [heuristic.name for heuristic in mts().heuristics]
    ['place', 'ls1', 'ls2', 'ls3']
    """
    story = MTSStory() if parameters is None else parameters
    return Profile(
        heuristics=(OrthogonalArray(story.agents), AgentLS1(sweeps=1), LS2(sweeps=1), LS3(sweeps=1)),
        scheduler=story,
        start_points=1,
    )


@dataclass(frozen=True)
class MTSStory(Script):
    """Each agent tests its local searches and goes on with the best one; the agents with the best grades stay.

    The portfolio is what places an agent, then the local searches, the one for the best agent first.

    Parameters
    ----------
    agents : int
        How many there are.
    foreground : int
        How many of them take part in an iteration; all in the first one.
    tests : int
        Trials of each local search.
    repetitions : int
        How often the best of them is repeated then.
    for_the_best : int
        How often the first local search is applied to the best agent at the end of an iteration.
    """

    agents: int = 5
    foreground: int = 3
    tests: int = 3
    repetitions: int = 100
    for_the_best: int = 150

    def __post_init__(self) -> None:
        for name in ("agents", "foreground", "tests", "repetitions"):
            require_whole(name, getattr(self, name), low=1)
        require_whole("for_the_best", self.for_the_best, low=0)
        require_in("foreground", self.foreground, low=1, high=self.agents)

    def story(self, names: Sequence[str]) -> Story:
        """Tell the iterations."""
        place, *searches = range(len(names))
        agents = [f"agent {k + 1}" for k in range(self.agents)]
        values, grades = dict.fromkeys(agents, float("inf")), dict.fromkeys(agents, 0.0)

        def apply(search: int, agent: str, times: int) -> Generator[Choice, Action, float]:
            total = 0.0
            for _ in range(times):
                action = yield self.choice(search, names, origin=agent)
                total += action.grade or 0.0
                values[agent] = action.own[1] if action.own else action.after
            return total

        for agent in agents:
            yield from apply(place, agent, 1)
        enabled = agents
        while True:
            for agent in enabled:
                tested = {}
                for search in searches:
                    tested[search] = yield from apply(search, agent, self.tests)
                best = max(searches, key=tested.__getitem__)
                grades[agent] = yield from apply(best, agent, self.repetitions)
            yield from apply(searches[0], min(agents, key=values.__getitem__), self.for_the_best)
            enabled = sorted(agents, key=lambda agent: -grades[agent])[: self.foreground]
