"""What the paper of TER prints beside means: ranks, tests and similarities of decision sequences."""

from __future__ import annotations

from dataclasses import dataclass

from ter.analysis.literature.files import read

__all__ = ["PrintedTest", "paper_similarity", "paper_similarity_to_best", "paper_tests"]


@dataclass(frozen=True)
class PrintedTest:
    """One rank, p-value or ``</≈/>`` string of the paper.

    Attributes
    ----------
    table : str
        "lso13_baselines", "lso13_algorithms", "lso13_hyperparameters" or "lso08_algorithms".
    statistic : str
        "friedman_rank_error", "friedman_rank_similarity", "friedman_chi2", "friedman_p_error",
        "friedman_p_similarity" or "paired_t_less_similar_greater".
    name : str
        The algorithm, a name for :func:`published`; empty if the statistic is about all of them.
    dimension : int or None
        Of CEC'2008.
    value : str
        As printed.
    remark : str
        What the printed numbers give instead, if something else.
    """

    table: str
    statistic: str
    name: str
    dimension: int | None
    value: str
    remark: str


def paper_tests() -> tuple[PrintedTest, ...]:
    """Return all ranks and tests of the paper, as printed.

    Examples
    --------
    >>> [test.value for test in paper_tests() if test.statistic == "friedman_chi2"]
    ['27.73']
    """
    return tuple(
        PrintedTest(
            table=row["table"],
            statistic=row["statistic"],
            name=row["name"],
            dimension=int(row["dimension"]) if row["dimension"] else None,
            value=row["value"],
            remark=row["remark"],
        )
        for row in read("paper-tests").rows
    )


def paper_similarity() -> dict[tuple[int, int, int], float]:
    """Return the paper's mean similarities across dimensions of CEC'2008, in percent.

    Returns
    -------
    dict from (function, dimension, larger dimension) to float

    Examples
    --------
    >>> paper_similarity()[1, 1000, 10_000]
    71.98
    """
    rows = read("paper-similarity-dimensions").rows
    return {
        (int(row["function"]), int(row["dimension_a"]), int(row["dimension_b"])): float(row["similarity_percent"])
        for row in rows
    }


def paper_similarity_to_best() -> dict[tuple[str, int], float]:
    """Return the paper's mean similarities to the best known sequences on CEC'2013, in percent.

    Returns
    -------
    dict from (name, function) to float
        For "paper" and its baselines; f1 is missing, since its best sequence is not unique.

    Examples
    --------
    >>> paper_similarity_to_best()["paper", 2]
    78.13
    """
    rows = read("paper-similarity-best").rows
    return {(row["name"], int(row["function"])): float(row["similarity_percent"]) for row in rows}
