"""Which heuristic of the default ran when, in its long runs on LSO13: ``python -m studies.beyond.strips``.

Draws the first run of 3 million evaluations on each function into docs/pictures/beyond-strips.png.
"""

from __future__ import annotations

from pathlib import Path

from studies.beyond.verdict_tables import FUNCTIONS, STORE
from ter.experiment.store import Store
from ter.report.figures.decisions import decision_strips
from ter.report.figures.style import STYLE
from ter.report.study import Study

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "beyond-strips.png"
BUDGET, WIDTH = "3000000", 7.5


def main() -> None:
    """Draw the strips."""
    from matplotlib import rc_context

    with Store(STORE) as store:
        runs = [r for r in store.records(failed=False, newest=True) if r.run == 1 and r.key.budget == BUDGET]
    with rc_context(STYLE):
        figure = decision_strips(Study.of([run for run in runs if run.key.problem in FUNCTIONS], "default"))
        if figure is None:
            raise RuntimeError(f"{STORE.name} has no runs of {BUDGET} evaluations")
        figure.set_size_inches(WIDTH, figure.get_figheight())  # so that there is room for the names of all heuristics
        figure.savefig(PICTURE, dpi=130, metadata={"Software": None})


if __name__ == "__main__":
    main()
