"""A whole algorithm as one heuristic: its heuristics, chosen by its scheduler, inside the allowances it gets."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ter.core.action import Action
from ter.core.allowance import Allowance
from ter.core.box import Box
from ter.core.errors import InvalidArgument
from ter.core.heuristic import State
from ter.core.profile import Profile
from ter.core.scheduler import Choice
from ter.core.streams import Seed
from ter.heuristics.checks import require_in
from ter.run.decisions import Decisions
from ter.run.loop import IDLE_TURNS
from ter.run.portfolio import Portfolio

__all__ = ["Nested", "NestedState"]


@dataclass
class Turn:
    """A choice that is being carried out; an allowance may end in the middle of it."""

    choice: Choice
    left: int  # evaluations
    before: float  # the incumbent's value
    entered: float  # the value where it works
    ended: float = math.inf  # the same by now
    used: int = 0  # evaluations
    grade: float | None = None
    remark: str = ""
    investing: bool = False

    def note(self, state: State) -> None:
        """Take note of what a part of the turn is worth."""
        self.remark, self.investing = getattr(state, "remark", ""), getattr(state, "investing", False)
        grade = getattr(state, "grade", None)
        if grade is not None:
            self.grade = grade + (self.grade or 0.0)

    def action(self, index: int, names: Sequence[str], after: float) -> Action:
        """Record it."""
        choice = self.choice
        return Action(
            index=index,
            heuristic=names[choice.index],
            cost=float(self.used),
            nfev=self.used,
            before=self.before,
            after=after,
            probabilities=choice.probabilities,
            own=None if choice.origin == "incumbent" else (self.entered, self.ended),
            origin=choice.origin,
            grade=self.grade,
            remark=self.remark,
            investing=self.investing,
        )


@dataclass
class NestedState:
    """An algorithm under way.

    Attributes
    ----------
    seed : int
        Root of its random streams.
    portfolio, decisions : Portfolio, Decisions
        None before the first initiation.
    actions : list of Action
        What its heuristics did so far.
    turn : Turn or None
        What is under way.
    calls : int
        How often a heuristic was called; one turn may take several calls.
    """

    seed: Seed
    portfolio: Portfolio | None = None
    decisions: Decisions | None = None
    actions: list[Action] = field(default_factory=list)
    turn: Turn | None = None
    calls: int = 0

    @property
    def remark(self) -> str:
        """Say which of its heuristics it has come to."""
        return self.actions[-1].heuristic if self.actions else ""

    def close(self) -> None:
        """Close the states of its heuristics."""
        if self.portfolio is not None:
            self.portfolio.close()


@dataclass(frozen=True)
class Nested:
    """An algorithm as a heuristic: it pauses when the allowance ends, and goes on at its next initiation.

    It begins at the incumbent. What it found is its own afterwards: trajectories of its own stay where they are, and
    whatever works on the incumbent works on that of the run.

    Parameters
    ----------
    name : str
        Its name.
    make : callable
        Returns the profile for a number of variables; its start points are left out.
    evaluations : float
        Evaluations per initiation and variable.

    Examples
    --------
    >>> import ter
    >>> from ter.algorithms.profiles import paper
    >>> inner = Nested("inner", lambda dimension: paper(), evaluations=40)
    >>> ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=4), budget=1_000, rng=1,
    ...              heuristics=["ls1", inner]).sequence[:3]
    ('ls1', 'inner', 'ls1')
    """

    name: str
    make: Callable[[int], Profile]
    evaluations: float = 25.0

    def __post_init__(self) -> None:
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)
        if not callable(self.make):
            raise InvalidArgument(f"make must be a function of the number of variables, got {self.make!r}")

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation."""
        return max(1, int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> NestedState:
        """Begin without anything; the first initiation knows the incumbent."""
        return NestedState(int(rng.integers(2**63)))

    def act(self, state: NestedState, allowance: Allowance, rng: np.random.Generator) -> NestedState:
        """Carry out what the algorithm's scheduler chooses, until the allowance or the algorithm is at its end."""
        profile = self.make(allowance.dimension)
        if state.portfolio is None or state.decisions is None:
            state.portfolio = Portfolio(allowance, profile.heuristics, state.seed)
            state.decisions = Decisions(profile.scheduler, state.portfolio.names, state.seed)
        idle = 0  # turns in a row that evaluated nothing
        while allowance.remaining and idle < IDLE_TURNS * len(profile.heuristics):
            if state.turn is None:
                choice = state.decisions.next(state.actions)
                if choice is None:
                    break
                where = state.portfolio.place(choice, allowance)
                state.turn = Turn(choice, state.portfolio.cost(choice), allowance.y, where.y)
            idle = 0 if self._go_on(state, state.turn, state.portfolio, allowance) else idle + 1
            if state.turn.left <= 0 or allowance.remaining:
                action = state.turn.action(len(state.actions), state.portfolio.names, allowance.y)
                state.actions.append(replace(action, reward=profile.scheduler.reward_of(action)))
                state.turn = None
        return state

    def warm_up(self, *, compiled: bool) -> None:
        """Compile what its heuristics need."""
        for heuristic in self.make(2).heuristics:
            prepare = getattr(heuristic, "warm_up", None)
            if prepare is not None:
                prepare(compiled=compiled)

    @staticmethod
    def _go_on(state: NestedState, turn: Turn, portfolio: Portfolio, allowance: Allowance) -> int:
        """Go on with what is under way; return how many evaluations that took."""
        count, where = allowance.count, portfolio.place(turn.choice, allowance)
        try:
            with allowance.part(turn.left):
                inner = portfolio.act(turn.choice, where, state.calls)
                turn.note(inner)
        finally:
            state.calls += 1
            turn.choice = replace(turn.choice, anew=False)  # what is left of the turn goes on
            used = allowance.count - count
            turn.left, turn.used, turn.ended = turn.left - used, turn.used + used, where.y
        return used
