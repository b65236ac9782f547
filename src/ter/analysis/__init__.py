"""Statistics of experiments: pure functions on arrays, and published results to compare with.

Importing this package loads NumPy only; SciPy and Numba are loaded by the functions that need them.
"""

from __future__ import annotations

from ter.analysis.effects import a12, cliffs_delta, magnitude, rank_biserial
from ter.analysis.literature import (
    PrintedTest,
    Published,
    PublishedResult,
    paper_similarity,
    paper_similarity_to_best,
    paper_tests,
    published,
    published_names,
    published_table,
)
from ter.analysis.outcome import Outcome, Tally, tally
from ter.analysis.paired import compare, paired_t, welch_t
from ter.analysis.ranks import Friedman, friedman, indistinct, nemenyi_distance, rank_rows
from ter.analysis.runtime import expected_running_time, fraction_solved, hitting_times, targets_between
from ter.analysis.scoring import CATEGORIES, MILESTONES, Score, formula1, formula1_points
from ter.analysis.sequences import Scoring, local_alignment, mean_similarity, similarity, similarity_matrix
from ter.analysis.signed_rank import holm, wilcoxon, wilcoxon_holm
from ter.analysis.statistics import Summary, summary

__all__ = [
    "CATEGORIES",
    "MILESTONES",
    "Friedman",
    "Outcome",
    "PrintedTest",
    "Published",
    "PublishedResult",
    "Score",
    "Scoring",
    "Summary",
    "Tally",
    "a12",
    "cliffs_delta",
    "compare",
    "expected_running_time",
    "formula1",
    "formula1_points",
    "fraction_solved",
    "friedman",
    "hitting_times",
    "holm",
    "indistinct",
    "local_alignment",
    "magnitude",
    "mean_similarity",
    "nemenyi_distance",
    "paired_t",
    "paper_similarity",
    "paper_similarity_to_best",
    "paper_tests",
    "published",
    "published_names",
    "published_table",
    "rank_biserial",
    "rank_rows",
    "similarity",
    "similarity_matrix",
    "summary",
    "tally",
    "targets_between",
    "welch_t",
    "wilcoxon",
    "wilcoxon_holm",
]
