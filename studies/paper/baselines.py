"""TER and its baselines on LSO13, and its other windows and temperatures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studies.kit.compared import Compared
from studies.paper.ranks import board_of, rank_table
from studies.paper.results import Results, errors_of
from studies.paper.verdicts import verdict_table
from ter.analysis import published
from ter.experiment import Record
from ter.report import Table

FUNCTIONS = tuple(f"lso13-raw/f{k}" for k in range(1, 16))
BASELINES = {"ter": "paper", "ran": "paper-ran", "ls": "paper-ls", "cc": "paper-cc", "gs": "paper-gs"}
SETTINGS = {"ter": "paper", "ter 1/6, 6": "paper-w6", "ter 1/7, 7": "paper-w7"}


def compared(
    records: Sequence[Record], label: str, name: str, problems: Sequence[str] = FUNCTIONS, dimension: int | None = None
) -> dict[str, Compared]:
    """Put the runs of an algorithm beside a column of the paper, function by function."""
    column = published(name)
    return {
        problem.partition("/")[2]: Compared.beside(
            errors_of(records, problem, label, dimension), column.find(problem, dimension=dimension)
        )
        for problem in problems
    }


def ter_tables(results: Results) -> list[Table]:
    """Return TER beside the paper's TER."""
    return [verdict_table("TER beside the paper's TER", compared(results.part("ter"), "ter", "paper"))]


def baseline_tables(results: Results) -> list[Table]:
    """Return the ranks of TER and its baselines, and each baseline beside the paper's."""
    records = results.part("ter", "baselines")
    ranks = rank_table("Ranks and tests of the baselines", board_of(records), BASELINES, "lso13_baselines")
    return [ranks, *_each(records, BASELINES)]


def setting_tables(results: Results) -> list[Table]:
    """Return the tests of TER's settings, and each of the other ones beside the paper's."""
    records = results.part("ter", "hyperparameters")
    ranks = rank_table("Ranks and tests of the settings", board_of(records), SETTINGS, "lso13_hyperparameters")
    return [ranks, *_each(records, SETTINGS)]


def _each(records: Sequence[Record], names: Mapping[str, str]) -> list[Table]:
    others = {label: name for label, name in names.items() if label != "ter"}
    return [
        verdict_table(f"{label} on LSO13, beside {published(name).title}", compared(records, label, name))
        for label, name in others.items()
    ]
