"""TER on LSO08 with 1000 to 10 000 variables, and how alike its decisions are across sizes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from studies.paper.baselines import compared
from studies.paper.results import Results
from studies.paper.verdicts import verdict_table
from ter.analysis import mean_similarity, paper_similarity
from ter.experiment import Record
from ter.report import Cell, Row, Table
from ter.report.table import NONE

FUNCTIONS = tuple(f"lso08-unbiased/f{k}" for k in range(1, 7))
SIZES = (1000, 2500, 5000, 10_000)
NOTE = (
    "Smith–Waterman local alignment of the sequences of decisions, in percent of the shorter one, mean over all pairs "
    "of runs; in brackets the paper's, whose scores and normalisation are not printed. The first columns compare runs "
    "of one size with each other; the paper has nothing there."
)


def scalability_tables(results: Results) -> list[Table]:
    """Return TER beside the paper's for each size, and the similarities across sizes."""
    records = results.part("scalability")
    errors = [
        verdict_table(f"TER on LSO08, D = {size}", compared(records, "ter", "paper", FUNCTIONS, size)) for size in SIZES
    ]
    return [*errors, similarity_table(records)]


def similarity_table(records: Sequence[Record]) -> Table:
    """Return the similarities of decisions: within each size, and between two."""
    pairs = [*((size, size) for size in SIZES), *combinations(SIZES, 2)]
    rows = []
    for number, problem in enumerate(FUNCTIONS, start=1):
        rows.append(Row(f"f{number}", tuple(Cell(_text(records, problem, number, *pair)) for pair in pairs)))
    header = ("function", *(f"{a}" if a == b else f"{a} – {b}" for a, b in pairs))
    return Table("", "Similarity of TER's decisions across sizes, %", header, tuple(rows), (NOTE,))


def _text(records: Sequence[Record], problem: str, number: int, size: int, other: int) -> str:
    first, second = (sequences_of(records, problem, each) for each in (size, other))
    printed = paper_similarity().get((number, size, other))
    beside = "" if printed is None else f" ({printed:.1f})"
    if not first or not second or (size == other and len(first) < 2):
        return f"{NONE}{beside}"
    return f"{mean_similarity(first, None if size == other else second):.1f}{beside}"


def sequences_of(records: Sequence[Record], problem: str, dimension: int) -> list[tuple[str, ...]]:
    """Return the decisions of the runs on a problem of one size."""
    return [r.sequence for r in records if (r.key.problem, r.key.dimension) == (problem, dimension) and r.actions]
