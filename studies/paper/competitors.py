"""TER and the algorithms of others, on LSO13 and on LSO08 with 1000 variables.

f3, f6 and f10 of LSO13 exist with two functions of Ackley, whose results are never put together. The other functions
are the same in both suites, so runs on either count for both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from studies.kit.compared import Compared
from studies.paper.baselines import compared
from studies.paper.ranks import board_of, rank_table
from studies.paper.results import Results, errors_of
from studies.paper.scalability import FUNCTIONS as LSO08
from studies.paper.verdicts import ours_text, verdict_table
from ter.analysis import published
from ter.analysis.literature.results import ACKLEY_FUNCTIONS
from ter.experiment import Record
from ter.report import Cell, Row, Table

# The paper gives CSO one phi for all functions, so its column is compared with that one.
RAW = {
    "ter": "paper",
    "mts": "paper-mts",
    "mos": "paper-mos",
    "cso 0.15": "paper-cso",
    "cc-cma-es": "paper-cc-cma-es",
    "decc-dg2": "paper-decc-dg2",
    "decc-d": "paper-decc-d",
}
OFFICIAL = dict.fromkeys(("ter", "shade-ils", "mts", "mos", "cso", "cc-cma-es", "decc-dg2", "decc-d"), "")
SMALL = {
    "ter": "paper",
    "mts": "paper-mts",
    "cso 0.15": "paper-cso",
    "cc-cma-es": "paper-cc-cma-es",
    "decc-dg2": "paper-decc-dg2",
    "decc-d": "paper-decc-d",
    "cso": "",
    "mos": "",
    "shade-ils": "",
}
ACKLEY = (
    "Mean ± standard deviation (runs) of the final error. Nearly everybody ends on a plateau: 20, 9.96e5 and 9.05e7."
)


def on_suite(records: Iterable[Record], suite: str) -> list[Record]:
    """Return the runs that count for a suite, under its name: all but those on the other functions of Ackley."""
    kept = []
    for record in records:
        own, _, function = record.key.problem.partition("/")
        if own == suite or int(function[1:]) not in ACKLEY_FUNCTIONS:
            kept.append(replace(record, key=replace(record.key, problem=f"{suite}/{function}")))
    return kept


def competitor_tables(results: Results) -> list[Table]:
    """Return ranks and tests on LSO13 with either Ackley and on LSO08, and each algorithm beside the paper's."""
    everyone = results.part("ter", "ackley", "competitors on LSO13")
    raw, official = on_suite(everyone, "lso13-raw"), on_suite(everyone, "lso13")
    small = [record for record in results.part("scalability", "competitors on LSO08") if record.key.dimension == 1000]
    tables = [
        rank_table("Competitors on LSO13 with the raw Ackley, as in the paper", board_of(raw), RAW, "lso13_algorithms"),
        rank_table("Competitors on LSO13 with the official Ackley, and SHADE-ILS", board_of(official), OFFICIAL, ""),
        rank_table("Competitors on LSO08, D = 1000", board_of(small), SMALL, "lso08_algorithms", 1000),
    ]
    for label, name in RAW.items():
        if label != "ter":
            tables.append(
                verdict_table(f"{label} on LSO13, beside {published(name).title}", compared(raw, label, name))
            )
    for label, name in SMALL.items():
        if name and label != "ter":
            rows = compared(small, label, name, LSO08, 1000)
            tables.append(verdict_table(f"{label} on LSO08, D = 1000, beside {published(name).title}", rows))
    return [*tables, ackley_table(official)]


def ackley_table(records: list[Record]) -> Table:
    """Return our own numbers on the official functions of Ackley, where the paper has none."""
    rows = []
    for number in ACKLEY_FUNCTIONS:
        errors = [errors_of(records, f"lso13/f{number}", label) for label in OFFICIAL]
        rows.append(Row(f"f{number}", tuple(Cell(ours_text(Compared(each))) for each in errors)))
    return Table("", "The official Ackley functions of LSO13", ("function", *OFFICIAL), tuple(rows), (ACKLEY,))
