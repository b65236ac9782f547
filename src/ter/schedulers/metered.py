"""Metered: a race whose lengths are parts of the seconds or of the cost, for runs of an unknown number of evaluations.

The lengths of a race are parts of the budget. Where seconds or cost end a run, nobody knows its evaluations before. The
price of an evaluation shows in the opening, and then it is known what the run can afford: enough for a race of all
heuristics, or too little to find out who fits, so that TER chooses among those that get to work at once.

Both count in evaluations. They are told what the initiations have used of the budget, as if all evaluations had the
price of the first ones, and what they ask for is lent as a part of the budget. So heuristics whose evaluations are
cheap, since they move few variables of a function that can make use of it, get no less time than others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ter.core.action import Action
from ter.core.budget import Budget
from ter.core.errors import InvalidArgument
from ter.core.reward import improvement
from ter.core.scheduler import Choice
from ter.heuristics.checks import require_in, require_whole
from ter.schedulers.halving import Halving
from ter.schedulers.ter import TER

__all__ = ["Metered"]

IN_TIME = 1.4  # times the least that a heuristic is good for
SHORT = TER(temperature=1 / 5, window=5, reward="improvement")


@dataclass(frozen=True)
class Metered:
    """Look what an evaluation takes while the first heuristic opens; then race, or let TER choose if there is no time.

    Parameters
    ----------
    budget : Budget
        Of the run.
    dimension : int
        Number of variables.
    opening : int
        Evaluations of the first heuristic at most, before anything is decided.
    least : int
        Evaluations from which a race pays.
    racing : tuple of str
        The heuristics of the race, first of all the one that opens.
    ready : tuple of (str, int)
        The heuristics among which TER chooses if the run is shorter, and the least evaluations that an initiation of
        each is good for. Those take part for which the run has time.
    turn : float
        What an initiation gets in such a short run: a part of the budget, in (0, 1]. The opening gets twice as much.

    Examples
    --------
    >>> import ter
    >>> budget = ter.Budget(cost=3_000, unit="cost")
    >>> scheduler = Metered(budget, 4, opening=20, least=2_000,
    ...                     racing=("gs", "ls1", "cc"), ready=(("gs", 1), ("ls1", 1)))
    >>> result = ter.minimize(lambda x: ter.Value(float((x**2).sum()), cost=1.0), ter.box(-1, 1, dimension=4),
    ...                       budget=budget, rng=1, heuristics=["gs", "ls1", "cc"], scheduler=scheduler)
    >>> result.nfev, [action.origin for action in result.actions][:4]
    (3000, ['incumbent', 'own', 'own', 'own'])
    """

    budget: Budget
    dimension: int
    opening: int
    least: int
    racing: tuple[str, ...]
    ready: tuple[tuple[str, int], ...]
    turn: float = 1 / 40

    def __post_init__(self) -> None:
        for name in ("dimension", "opening", "least"):
            require_whole(name, getattr(self, name), low=1)
        require_in("turn", self.turn, low=0.0, high=1.0, open_low=True)

    def check(self, names: Sequence[str]) -> None:
        """Refuse a portfolio without those that race and those that are ready."""
        for title, wanted in (("racing", self.racing), ("ready", [name for name, _ in self.ready])):
            if not wanted or not set(wanted) <= set(names):
                raise InvalidArgument(
                    f"{title} must name some of the heuristics, got {', '.join(wanted) or 'none'} among "
                    f"{', '.join(names)}; add what is missing"
                )

    def reward_of(self, action: Action) -> float:
        """Return the improvement per resource."""
        return improvement(action)

    def choose(self, history: Sequence[Action], names: Sequence[str], rng: np.random.Generator) -> Choice | None:
        """Open; when it is known what the run can afford, race or let TER choose."""
        if not history:
            opener = Choice(0, tuple(float(name == self.racing[0]) for name in self.racing), self.opening)
            return replace(_among(opener, self.racing, names), share=min(1.0, 2 * self.turn))
        affordable = self.affordable(history[0])
        told = self._in_evaluations(history, affordable)
        if affordable < self.least:
            choice: Choice | None = self._soon(told, names, rng, affordable)
        else:
            raced = Halving.fitted(self.dimension, affordable).choose(told, self.racing, rng)
            choice = None if raced is None else _among(raced, self.racing, names)
        if choice is None:
            return None
        own = [(new, old) for new, old in zip(told, history, strict=True) if old.heuristic == names[choice.index]]
        return self._in_shares(choice, affordable, own)

    def affordable(self, first: Action) -> int:
        """Return how many evaluations the budget is enough for, if all of them take what those of an action took.

        If those took nothing, there is time for a race.
        """
        used = self._used(first, began=0.0)
        return max(1, int(first.nfev / used)) if used > 0.0 else self.least

    def _soon(
        self, history: Sequence[Action], names: Sequence[str], rng: np.random.Generator, affordable: int
    ) -> Choice:
        """Let TER choose among those that are ready and can do something in the time there is."""
        ready = {name: least for name, least in self.ready if IN_TIME * least <= affordable} or dict(self.ready[:1])
        choice = _among(SHORT.choose(history, list(ready), rng), list(ready), names)
        return replace(choice, evaluations=max(ready[names[choice.index]], int(self.turn * affordable)))

    def _used(self, action: Action, began: float) -> float:
        """Return which part of the budget an action has used, of the resource that it used most of."""
        budget, parts = self.budget, [0.0]
        if budget.evaluations is not None:
            parts.append(action.nfev / budget.evaluations)
        if budget.seconds is not None:
            seconds = action.cost if budget.unit == "seconds" else action.seconds - began
            parts.append(seconds / budget.seconds)
        if budget.cost is not None and budget.unit == "cost":  # otherwise an action does not say what it has cost
            parts.append(action.cost / budget.cost)
        return max(parts)

    def _in_evaluations(self, history: Sequence[Action], affordable: int) -> list[Action]:
        """Tell what actions have used as evaluations at the first price."""
        told, began = [], 0.0
        for action in history:
            nfev = max(1, round(self._used(action, began) * affordable)) if action.nfev else 0
            told.append(replace(action, nfev=nfev))
            began = action.seconds
        return told

    def _in_shares(self, choice: Choice, affordable: int, own: Sequence[tuple[Action, Action]]) -> Choice:
        """Lend a part of the budget: so many evaluations at the heuristic's own price, and no more than that part."""
        asked = choice.evaluations or affordable
        told, made = (sum(action.nfev for action in actions) for actions in zip(*own, strict=True)) if own else (1, 1)
        evaluations = max(1, round(asked * made / told)) if told else asked
        return replace(choice, evaluations=evaluations, share=min(1.0, asked / affordable))


def _among(choice: Choice, some: Sequence[str], names: Sequence[str]) -> Choice:
    """Return a choice among some heuristics as one among all of them."""
    probabilities = dict(zip(some, choice.probabilities, strict=True))
    return replace(
        choice,
        index=names.index(some[choice.index]),
        probabilities=tuple(probabilities.get(name, 0.0) for name in names),
    )
