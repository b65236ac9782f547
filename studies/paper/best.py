"""The best known sequences (BEK): their errors, and how alike the decisions of TER and its baselines are to them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from studies.kit.compared import Compared
from studies.paper.baselines import BASELINES, FUNCTIONS
from studies.paper.results import Results
from studies.paper.verdicts import verdict_table
from ter.analysis import friedman, paper_similarity_to_best, paper_tests, published
from ter.experiment import Record
from ter.experiment.best_known import BestKnown, similarity_to
from ter.report import Cell, Row, Table
from ter.report.table import NONE, error_text

Known = Mapping[str, BestKnown]


def errors_of_best(best: BestKnown | None) -> tuple[float, ...]:
    """Return the final errors of a sequence: of runs that had no part in its choice, where there are any."""
    return () if best is None else best.fresh_values or best.values


def best_tables(results: Results, known: Known) -> list[Table]:
    """Return BEK beside the paper's, and the similarities."""
    column = published("paper-bek")
    rows = {
        problem.partition("/")[2]: Compared.beside(errors_of_best(known.get(problem)), column.find(problem))
        for problem in FUNCTIONS
    }
    return [verdict_table("BEK on LSO13", rows), search_table(known), similarity_table(results, known)]


def search_table(known: Known) -> Table:
    """Return how each search went: how many sequences, which one won, and how much its choice flatters it."""
    rows = []
    for problem in FUNCTIONS:
        best = known.get(problem)
        cells = [NONE] * 5
        if best is not None:
            cells = [
                str(best.tried),
                f"no. {best.number} ({best.origin})",
                " / ".join(str(best.sequence.count(name)) for name in best.heuristics),
                _mean(best.values),
                _mean(best.fresh_values),
            ]
        rows.append(Row(problem.partition("/")[2], tuple(map(Cell, cells))))
    header = ("function", "sequences tried", "found as", "initiations of LS / CC / GS", "chosen by", "other seeds")
    note = "The last columns: means of the runs it was chosen by, and of others; in brackets how many."
    return Table("", "The searches for BEK", header, tuple(rows), (note,))


def _mean(errors: Sequence[float]) -> str:
    return f"{error_text(float(np.mean(errors)))} ({len(errors)})" if errors else NONE


def similarities(records: Sequence[Record], known: Known) -> dict[str, dict[str, float]]:
    """Return the mean similarity to the best known sequence by problem and label; NaN without runs."""
    found: dict[str, dict[str, float]] = {}
    for problem, best in known.items():
        runs = {
            label: [r.sequence for r in records if (r.key.problem, r.label) == (problem, label) and r.actions]
            for label in BASELINES
        }
        found[problem] = {label: similarity_to(best, each) if each else math.nan for label, each in runs.items()}
    return found


def similarity_table(results: Results, known: Known) -> Table:
    """Return the similarities to the best known sequences, in brackets the paper's, and their mean ranks."""
    mine, paper = similarities(results.part("ter", "baselines"), known), paper_similarity_to_best()
    rows = []
    for number, problem in enumerate(FUNCTIONS, start=1):
        cells = []
        for label, name in BASELINES.items():
            value, printed = mine.get(problem, {}).get(label, math.nan), paper.get((name, number))
            text = NONE if math.isnan(value) else f"{value:.1f}"
            cells.append(Cell(text if printed is None else f"{text} ({printed:.1f})"))
        rows.append(Row(f"f{number}", tuple(cells)))
    rows.append(_ranks(mine))
    note = "Mean ranks: 5 for the most similar. The paper leaves f1 out, and so do the ranks."
    return Table("", "Similarity to BEK, %", ("function", *BASELINES), tuple(rows), (note,))


def _ranks(mine: Mapping[str, Mapping[str, float]]) -> Row:
    printed = {test.name: test.value for test in paper_tests() if test.statistic == "friedman_rank_similarity"}
    table = np.array(
        [[row[label] for label in BASELINES] for problem, row in mine.items() if not problem.endswith("/f1")]
    )
    table = table.reshape(-1, len(BASELINES))
    whole = table[~np.isnan(table).any(axis=1)]
    ranks = [f"{rank:.2f}" for rank in friedman(whole).mean_ranks] if len(whole) else [NONE] * len(BASELINES)
    texts = [f"{rank} ({printed[name]})" for rank, name in zip(ranks, BASELINES.values(), strict=True)]
    return Row("mean rank", tuple(map(Cell, texts)), summary=True)
