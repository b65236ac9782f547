from __future__ import annotations

import pytest

from ter.experiment.record import Record
from ter.report import Board, Study
from tests.report.made import made_record, small_study


@pytest.fixture
def records() -> list[Record]:
    return small_study()


@pytest.fixture
def board(records: list[Record]) -> Board:
    return Board.of(Study.of(records))


PARTIAL = {
    "one run": [made_record()],
    "one algorithm": [made_record(run=run, decisions="LC") for run in (1, 2)],
    "one run each": [made_record(label=label) for label in ("ter", "ls")],
    "all failed": [made_record(run=run, traceback="Boom\n") for run in (1, 2)],
    "some failed": [made_record(), made_record(run=2, traceback="Boom\n"), made_record(3.0, label="ls")],
    "unknown optimum": [
        made_record(f_opt=None, problem="deblurring", curve=[(1, 5.0), (9, -7.0)], label=label)
        for label in ("ter", "ls")
    ],
    "exactly solved": [made_record(0.0, label=label, run=run) for label in ("ter", "ls") for run in (1, 2)],
    "no finite value": [made_record(float("inf"), curve=[], label=label) for label in ("ter", "ls")],
    "nothing improved": [made_record(7.0, curve=[(1, 7.0)], label=label, run=run) for label in "ab" for run in (1, 2)],
    "several sizes": [
        made_record(dimension=dimension, problem="lso08/f1", budget=10 * dimension, run=run, decisions=decisions)
        for dimension in (100, 1000)
        for run, decisions in ((1, "LCG"), (2, "LCL"))
    ],
    "seconds": [made_record(budget="10.0 seconds", label=label, run=run) for label in ("ter", "ls") for run in (1, 2)],
    "problems apart": [made_record(problem="lso13/f1"), made_record(problem="lso13/f2", label="ls")],
    "odd names": [
        made_record(problem="my_module:a$b$ & <i>|x|</i>", label=label, run=run, decisions="LC", dimension=7)
        for label in ("_x$1$_% {#}^~\\", "<script>alert(1)</script>")
        for run in (1, 2)
    ],
}


@pytest.fixture(params=PARTIAL, ids=lambda name: name.replace(" ", "-"))
def partial(request: pytest.FixtureRequest) -> list[Record]:
    """Records of experiments that are not as they should be."""
    return PARTIAL[request.param]
