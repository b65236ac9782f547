"""Schedulers that do not learn: the baselines of the paper, and a replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ter.core.action import Action
from ter.core.aliases import name_among
from ter.core.errors import InvalidArgument, UnknownName
from ter.core.reward import improvement
from ter.core.scheduler import Choice

__all__ = ["Only", "RandomChoice", "Replay", "RoundRobin"]


class _Efficiency:
    """The reward of schedulers that ignore it; it is recorded all the same."""

    def reward_of(self, action: Action) -> float:
        """Return the improvement per resource."""
        return improvement(action)


def _certainly(index: int, names: Sequence[str]) -> Choice:
    return Choice(index, tuple(float(i == index) for i in range(len(names))))


@dataclass(frozen=True)
class RandomChoice(_Efficiency):
    """Start a heuristic at random, each with the same probability (RAN in the paper).

    Examples
    --------
    >>> import numpy as np
    >>> RandomChoice().choose([], ["ls1", "cc"], np.random.default_rng(1)).probabilities
    (0.5, 0.5)
    """

    def choose(self, history: Sequence[Action], names: Sequence[str], rng: np.random.Generator) -> Choice:
        """Choose uniformly."""
        return Choice(int(rng.integers(len(names))), (1.0 / len(names),) * len(names))


@dataclass(frozen=True)
class RoundRobin(_Efficiency):
    """Start the heuristics in turn.

    Examples
    --------
    >>> import numpy as np
    >>> RoundRobin().choose([], ["ls1", "cc"], np.random.default_rng(1)).index
    0
    """

    def choose(self, history: Sequence[Action], names: Sequence[str], rng: np.random.Generator) -> Choice:
        """Choose the next in portfolio order."""
        return _certainly(len(history) % len(names), names)


@dataclass(frozen=True)
class Only(_Efficiency):
    """Start one heuristic again and again (LS, CC and GS in the paper).

    Parameters
    ----------
    heuristic : str
        Its name.

    Examples
    --------
    >>> import numpy as np
    >>> Only("cc").choose([], ["ls1", "cc"], np.random.default_rng(1)).index
    1
    """

    heuristic: str

    def check(self, names: Sequence[str]) -> None:
        """Raise if there is no such heuristic in the portfolio."""
        _position(self.heuristic, names)

    def choose(self, history: Sequence[Action], names: Sequence[str], rng: np.random.Generator) -> Choice:
        """Choose that one."""
        return _certainly(_position(self.heuristic, names), names)


@dataclass(frozen=True)
class Replay(_Efficiency):
    """Start heuristics in a given sequence, then end the run or begin anew.

    Parameters
    ----------
    sequence : sequence of str
        Names of heuristics, for example ``result.sequence`` of another run.
    cycle : bool
        Begin anew at the end of the sequence instead of ending the run.

    Examples
    --------
    >>> import numpy as np
    >>> Replay(["cc", "ls1"]).choose([], ["ls1", "cc"], np.random.default_rng(1)).index
    1
    """

    sequence: Sequence[str]
    cycle: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.sequence, str) or len(self.sequence) == 0:
            raise InvalidArgument(f"sequence must be a list with at least one name, got {self.sequence!r}")
        object.__setattr__(self, "sequence", tuple(self.sequence))

    def check(self, names: Sequence[str]) -> None:
        """Raise if the sequence names a heuristic that is not in the portfolio."""
        for name in self.sequence:
            _position(name, names)

    def choose(self, history: Sequence[Action], names: Sequence[str], rng: np.random.Generator) -> Choice | None:
        """Choose the next of the sequence; None at its end."""
        turn = len(history)
        if turn >= len(self.sequence) and not self.cycle:
            return None
        return _certainly(_position(self.sequence[turn % len(self.sequence)], names), names)


def _position(name: str, names: Sequence[str]) -> int:
    known = name_among(name, names)
    if known not in names:
        raise UnknownName.among("heuristic in this portfolio", name, names)
    return list(names).index(known)
