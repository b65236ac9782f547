"""The best known sequence of a problem: replay it, and compare other sequences with it."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from ter.core.budget import Budget
from ter.core.errors import InvalidArgument
from ter.experiment.best_known.replayed import replayed_name, replayed_profile
from ter.experiment.best_known.space import Decisions
from ter.experiment.names import problem_named, require_own
from ter.experiment.parameters import from_text

if TYPE_CHECKING:
    from ter.analysis import Scoring
    from ter.core.streams import RandomSource
    from ter.display.result import Result
    from ter.experiment.planned import PlannedAlgorithm

__all__ = ["BestKnown", "replay", "similarity_to"]


@dataclass(frozen=True)
class BestKnown:
    """The best sequence that a search has found so far.

    Attributes
    ----------
    problem, dimension, budget : str, int, str
        What it is good for.
    algorithm, parameters, heuristics : str, str, tuple of str
        The portfolio: whose it is, what differs from that algorithm's own settings (JSON), and its names.
    sequence : tuple of str
        The decisions.
    value : float
        Mean or median final value of its runs.
    statistic : str
        Which of the two.
    seeds, values : tuple of int, tuple of float
        The runs by which it was chosen. It was chosen because they are good, so that they flatter it.
    fresh_seeds, fresh_values : tuple of int, tuple of float
        Runs that had no part in the choice; see :func:`run_again`.
    alone : dict of str to float
        The value of each heuristic alone, as far as the search has tried them.
    number, origin, tried : int, str, int
        How it was found: as which sequence, made how, of how many that were tried.
    seed : int
        Of the search.
    code : str
        Fingerprint of the code that found it.
    """

    problem: str
    dimension: int
    budget: str
    algorithm: str
    parameters: str
    heuristics: tuple[str, ...]
    sequence: Decisions
    value: float
    statistic: str
    seeds: tuple[int, ...]
    values: tuple[float, ...]
    number: int
    origin: str
    tried: int
    seed: int
    code: str
    alone: dict[str, float] = field(default_factory=dict)
    fresh_seeds: tuple[int, ...] = ()
    fresh_values: tuple[float, ...] = ()

    def to_json(self) -> str:
        """Write it as one JSON object; floats keep all their bits."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> BestKnown:
        """Read what :meth:`to_json` wrote.

        Raises
        ------
        InvalidArgument
            If the text is something else.
        """
        try:
            read: dict[str, Any] = json.loads(text)
            lists: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in read.items()}
            return cls(**{part.name: lists[part.name] for part in fields(cls)})
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InvalidArgument(
                f"a best known sequence must be the JSON object that to_json wrote, got {text[:40]!r} ({error!r})"
            ) from error

    def planned(self, label: str = "best known", *, own: Collection[str] = ()) -> PlannedAlgorithm:
        """Return an algorithm for a plan that follows the sequence.

        Parameters
        ----------
        label : str
            Its name in tables.
        own : collection of str
            Names of your own code that may be imported, as :func:`replay` takes them.

        Examples
        --------
        >>> from ter.experiment import Plan
        >>> best = BestKnown("lso08/f1", 10, "500", "ter", "{}", ("ls1", "cc", "gs"), ("cc",), 2.0, "mean", (1,),
        ...                  (2.0,), 1, "random", 1, 1, "")
        >>> [spec.label for spec in Plan(["lso08/f1"], ["ter", best.planned()], budget=500).specs()]
        ['ter', 'best known']
        """
        from ter.experiment.planned import PlannedAlgorithm

        require_own([self.algorithm], own)
        return PlannedAlgorithm(replayed_name(self.algorithm), label, _parameters(self))


def replay(best: BestKnown, rng: RandomSource = None, *, folder: str = ".", own: Collection[str] = ()) -> Result:
    """Run the problem with the decisions of the best known sequence.

    Parameters
    ----------
    best : BestKnown
        Of a search or of a file.
    rng : int, Generator, SeedSequence or None
        By default the first seed that it was found with. With a seed of ``best.seeds`` the final value is the one in
        ``best.values``, bit for bit, as long as the code is the same.
    folder : str
        Where modules of yours are looked for.
    own : collection of str
        Names of your own code, ``"module:attribute"``, that may be imported. What only `best` names, which may come
        from a file of somebody else's, is not.
    """
    from ter.experiment.work import OneThread
    from ter.run.run import run_profile
    from ter.run.settings import Settings

    require_own((best.problem, best.algorithm), own)
    problem = problem_named(best.problem, best.dimension, folder)
    budget = Budget.read(best.budget)
    profile = replayed_profile(best.algorithm, _parameters(best), problem.dimension, budget, folder)
    with OneThread():
        return run_profile(problem, profile, budget, Settings(), rng=best.seeds[0] if rng is None else rng)


def similarity_to(best: BestKnown, sequences: Sequence[Sequence[str]], scoring: Scoring | None = None) -> float:
    """Return how similar sequences of decisions are to the best known one, in percent.

    Parameters
    ----------
    best : BestKnown
        The best known sequence.
    sequences : sequence of sequences
        Such as ``[record.sequence for record in records]``; the mean over them is returned, as in the paper.
    scoring : Scoring, optional
        Scores of the alignment; see :mod:`ter.analysis.sequences`.

    Returns
    -------
    float
        From 0 (no heuristic in common) to 100.
    """
    from ter.analysis import mean_similarity
    from ter.analysis.sequences import PLAIN

    if isinstance(sequences, str) or any(isinstance(sequence, str) for sequence in sequences) or not len(sequences):
        raise InvalidArgument(
            f"sequences must be a list of lists of names with at least one entry, got {sequences!r}; "
            "for one sequence write [sequence]"
        )
    return mean_similarity([best.sequence], sequences, PLAIN if scoring is None else scoring)


def _parameters(best: BestKnown) -> dict[str, Any]:
    return {**from_text(best.parameters), "sequence": list(best.sequence), "cycle": True}
