"""Everything that is made of the runs: runs.csv, the tables of docs/paper.md, its curves, and the reports.

python -m studies.paper
"""

from __future__ import annotations

import sys

from studies.paper.figures import write_curves, write_reports
from studies.paper.finals import best_known
from studies.paper.pages import PAGE, RUNS, write_page, write_runs
from studies.paper.results import OTHERS, STORE, Results


def main() -> None:
    """Write everything."""
    own = Results.read(STORE)
    results = own.joined(Results.read(OTHERS))
    curves = write_curves(results)
    write_runs(own.found.values())
    write_page(results, best_known())
    written = [RUNS, PAGE, *curves, *write_reports(results)]
    sys.stdout.writelines(f"wrote {path}\n" for path in written)


if __name__ == "__main__":
    main()
