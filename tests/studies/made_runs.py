"""Runs of the paper's plans, made up, so that every number in a test is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from studies.paper.results import Results, specs_of
from ter.core.action import Action
from ter.experiment import Record
from ter.experiment.spec import RunSpec
from tests.experiment.fake_pool import made

NAMES = {"L": "ls1", "C": "cc", "G": "gs"}


def made_run(spec: RunSpec, error: float, decisions: str = "LCG", rewards: tuple[float, ...] = ()) -> Record:
    """A run that ended with an error and made decisions, each of a thousand evaluations."""
    given = rewards or (1.0,) * len(decisions)
    actions = tuple(
        Action(i, NAMES[letter], 1000.0, 1000, 9.0, 8.0, reward)
        for i, (letter, reward) in enumerate(zip(decisions, given, strict=True))
    )
    return replace(made(spec), fun=error, f_opt=0.0, actions=actions, nfev=1000 * len(decisions), cpu=36.0)


def results_of(error: Callable[[RunSpec], float | None], *parts: str, runs: int = 3) -> Results:
    """The first runs of some parts, with the errors that a function says; None for a run that is missing."""
    specs = [spec for part in parts for spec in specs_of(part) if spec.run <= runs]
    return Results.of(made_run(spec, value) for spec in specs if (value := error(spec)) is not None)
