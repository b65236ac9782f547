"""The first run of each kind again, with the code as it is now: the same bits, or what differs.

python -m studies.paper.sample                # does the runs, or the rest of them, and compares; hours of one core
python -m studies.paper.sample --compare      # only compares what is there

The committed runs are of several versions of the code; which one a run is of is in runs.csv. Where the committed run is
of the present code already, there is nothing to repeat. CC-CMA-ES and SHADE-ILS call LAPACK and BLAS, whose bits depend
on the processor: with OPENBLAS_CORETYPE=Haswell they are those of the committed runs, with SkylakeX for CC-CMA-ES on
lso13-raw. The repeated runs are in sample.sqlite, and what came of comparing is in sample.csv, which says which code
each of the two is of.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from studies.kit.rows import Row as CsvRow
from studies.kit.rows import in_order, read_rows, row_of, write_rows
from studies.paper.results import HERE, OTHERS, PARTS, STORE, Results, specs_of
from ter.experiment import Plan, Record, run_plan
from ter.experiment.fingerprint import fingerprint
from ter.experiment.spec import RunSpec
from ter.report import Cell, Row, Table

AGAIN, FILE = HERE / "sample.sqlite", HERE / "sample.csv"
COLUMNS = ("part", "suite", "function", "dimension", "algorithm", "run", "seed", "error", "before", "code", "differs")
NOTE = (
    "The first run of each kind, done again by the code of the last column. Same: final value, evaluations, milestones "
    "and all decisions, bit for bit. CC-CMA-ES and SHADE-ILS call LAPACK and BLAS, whose bits depend on the processor: "
    "the committed runs are of some for which OpenBLAS takes the kernels called Haswell (SkylakeX: CC-CMA-ES on the "
    "raw functions), and so are these."
)


def first_of(part: str) -> list[RunSpec]:
    """Return the first run of each kind that is planned."""
    return [spec for spec in specs_of(part) if spec.run == 1]


def differing(before: Record, now: Record) -> list[str]:
    """Return in what two runs with the same seed differ; nothing if they are the same to the last bit."""
    pairs = {
        "value": (before.fun, now.fun),
        "evaluations": (before.nfev, now.nfev),
        "milestones": (before.milestones, now.milestones),
        "decisions": (before.sequence, now.sequence),
    }
    return [name for name, (one, other) in pairs.items() if one != other]


def compared(part: str, before: Results, now: Results) -> list[CsvRow]:
    """Return the runs of a part that were repeated, and how the two differ."""
    rows = []
    for spec in first_of(part):
        key = spec.key.without_code
        if key in before.found and key in now.found:
            old, new = before.found[key], now.found[key]
            rows.append(
                row_of(new)
                | {
                    "part": part,
                    "dimension": str(spec.key.dimension),
                    "algorithm": spec.label,
                    "run": str(spec.run),
                    "before": old.key.code,
                    "code": new.key.code,
                    "differs": " ".join(differing(old, new)),
                }
            )
    return in_order(rows)


def write_sample(before: Results, now: Results, path: Path = FILE) -> list[CsvRow]:
    """Compare all parts, and write the file; what it says of runs that were not repeated this time stays."""
    rows = [row for part in PARTS for row in compared(part, before, now)]
    kept = {_kind(row): row for row in [*(read_rows(path) if path.exists() else []), *rows]}
    ordered = [row for part in PARTS for row in in_order(row for row in kept.values() if row["part"] == part)]
    write_rows(path, COLUMNS, [{name: row[name] for name in COLUMNS} for row in ordered])
    return rows


def _kind(row: CsvRow) -> tuple[str, ...]:
    """Return what a run is the first one of."""
    return tuple(row[name] for name in COLUMNS[: COLUMNS.index("error")])


def sample_tables(path: Path = FILE) -> list[Table]:
    """Return how many runs were repeated, and how many are the same; nothing if none was."""
    if not path.exists():
        return []
    kept = read_rows(path)
    rows = []
    for part in PARTS:
        there = [row for row in kept if row["part"] == part]
        same = sum(not row["differs"] for row in there)
        codes = ", ".join(sorted({row["code"] for row in there})) or "–"
        rows.append(Row(part, tuple(map(Cell, (str(len(first_of(part))), str(len(there)), str(same), codes)))))
    return [Table("", "The first runs again", ("part", "kinds", "repeated", "same", "code"), tuple(rows), (NOTE,))]


def to_repeat(plans: Iterable[Path], before: Results) -> list[Path]:
    """Return the plans with a first run that is there and is not of the present code."""
    code = fingerprint()

    def other(spec: RunSpec) -> bool:
        kept = before.found.get(spec.key.without_code)
        return kept is not None and kept.key.code != code

    return [path for path in plans if any(other(spec) for spec in Plan.load(path).shortened(1).specs())]


def main(words: Sequence[str] | None = None) -> int:
    """Repeat, compare, and return 1 if a run differs or if there is nothing to compare."""
    parser = argparse.ArgumentParser(description="Repeat the first run of each kind, and compare.")
    parser.add_argument("--compare", action="store_true", help="do no runs")
    parser.add_argument("--workers", type=int, default=-1, metavar="N", help="processes; one per core by default")
    options = parser.parse_args(words)
    before = Results.read(STORE).joined(Results.read(OTHERS))
    if not options.compare:
        for path in to_repeat((path for plans in PARTS.values() for path in plans), before):
            run_plan(Plan.load(path).shortened(1), AGAIN, workers=options.workers, any_code=True, progress=True)
    rows = write_sample(before, Results.read(AGAIN))
    different = [row for row in rows if row["differs"]]
    for row in different:
        sys.stdout.write(f"{row['suite']}/{row['function']} {row['algorithm']}: {row['differs']} differ\n")
    sys.stdout.write(f"{len(rows)} runs repeated, {len(rows) - len(different)} are the same to the last bit\n")
    return 0 if rows and not different else 1


if __name__ == "__main__":
    sys.exit(main())
