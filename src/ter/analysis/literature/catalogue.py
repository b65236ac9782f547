"""The names under which published results are found, and what one has to know about each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["ENTRIES", "Ackley", "Entry"]

Ackley = Literal["transformed", "raw", "unknown"]

BASELINE = "Baseline in TER's paper: {}. f14 was built with 1000 variables, 95 of them without influence."
OTHERS = "As run by the authors of TER's paper with their own program."
DATABASE = "From the database of the organisers of the competition."


@dataclass(frozen=True)
class Entry:
    """What is known about a set of results beside its numbers.

    Attributes
    ----------
    title : str
        The algorithm, as tables print it.
    ackley : {"transformed", "raw", "unknown"}
        Which version of Ackley's function stood behind f3, f6 and f10 of CEC'2013.
    note : str
        What a reader of the numbers should know.
    inferred : bool
        Whether the version of Ackley's function was concluded from the values only.
    """

    title: str
    ackley: Ackley
    note: str
    inferred: bool = False


ENTRIES: dict[str, Entry] = {
    "paper": Entry(
        "TER (paper)",
        "raw",
        "TER as its authors published it. f14 was built with 1000 variables, 95 of them without influence; on CEC'2008 "
        "f5 has a shift of its own, and beyond 1000 variables the shifts were drawn anew for every run.",
    ),
    "paper-bek": Entry("BEK (paper)", "raw", BASELINE.format("the best known sequence of decisions, found afterwards")),
    "paper-ran": Entry("RAN (paper)", "raw", BASELINE.format("heuristics chosen at random")),
    "paper-ls": Entry("LS (paper)", "raw", BASELINE.format("only the local search")),
    "paper-cc": Entry("CC (paper)", "raw", BASELINE.format("only cooperative coevolution")),
    "paper-gs": Entry("GS (paper)", "raw", BASELINE.format("only the global search")),
    "paper-w6": Entry("TER, τ = 1/6, w = 6 (paper)", "raw", "TER's paper, table of hyperparameters."),
    "paper-w7": Entry("TER, τ = 1/7, w = 7 (paper)", "raw", "TER's paper, table of hyperparameters."),
    "paper-mts": Entry("MTS (paper)", "raw", f"{OTHERS} It differs from the original MTS, which is 'mts'."),
    "paper-mos": Entry("MOS (paper)", "raw", OTHERS),
    "paper-cso": Entry("CSO (paper)", "raw", OTHERS),
    "paper-cc-cma-es": Entry("CC-CMA-ES (paper)", "raw", OTHERS),
    "paper-decc-dg2": Entry("DECC-DG2 (paper)", "raw", OTHERS),
    "paper-decc-d": Entry("DECC-D (paper)", "raw", OTHERS),
    "shade-ils": Entry(
        "SHADE-ILS", "transformed", "Published means; those at 120 000 and 600 000 evaluations could not be retrieved."
    ),
    "shade-ils-irrg": Entry(
        "SHADE-ILS (IRRG)",
        "transformed",
        "Run again by the authors of IRRG. On Python 3 the program of SHADE-ILS hardly ever starts L-BFGS-B; f7, f8 "
        "and f13 are worse than published.",
    ),
    "shade-ils-dtgsk": Entry(
        "SHADE-ILS (DT-GSK)",
        "transformed",
        "A port, run by the authors of DT-GSK. Its first milestone is 150 000 evaluations; 120 000 was not recorded.",
    ),
    "cbcc-rdg3": Entry("CBCC-RDG3", "transformed", "Run by the authors of IRRG, with CMA-ES inside."),
    "ccfr2-rdg3": Entry("CCFR2-RDG3", "transformed", "Run by the authors of IRRG, with CMA-ES inside."),
    "cbcc-irrg": Entry("CBCC-IRRG", "transformed", "Run by its authors, with CMA-ES inside."),
    "ccfr2-irrg": Entry("CCFR2-IRRG", "transformed", "Run by its authors, with CMA-ES inside."),
    "mlshade-spa": Entry("MLSHADE-SPA", "raw", "From the authors' files of results and curves."),
    "cosacc-ls1": Entry("COSACC-LS1", "transformed", "From the authors' curves; setting {1, 2, 4}."),
    "mos": Entry(
        "MOS", "raw", "Published at 3 000 000 evaluations; means before that from the database of the competition."
    ),
    "mos-dtgsk": Entry(
        "MOS (DT-GSK)",
        "transformed",
        "A port, run by the authors of DT-GSK on the transformed functions. Its first milestone is 150 000 evaluations",
    ),
    "ihdels": Entry("IHDELS", "transformed", f"{DATABASE} The version of 2015."),
    "cc-cma-es": Entry("CC-CMA-ES", "raw", DATABASE, inferred=True),
    "sacc": Entry("SACC", "raw", DATABASE, inferred=True),
    "vmode": Entry("VMODE", "raw", DATABASE, inferred=True),
    "deepso": Entry(
        "DEEPSO", "unknown", f"{DATABASE} From its values one cannot tell which version of Ackley's function it saw."
    ),
    "decc-g": Entry(
        "DECC-G",
        "raw",
        f"{DATABASE} On some functions it is worse after 600 000 evaluations than after 120 000, so the milestones "
        "cannot come from one set of runs. The paper of MOS prints other values.",
        inferred=True,
    ),
    "mts": Entry("MTS", "unknown", "CEC'2008 with 1000 variables, as its authors published it."),
}
