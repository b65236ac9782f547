"""The runs of the plans: which are planned, which are there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ter.experiment import Plan, Record, Store
from ter.experiment.record import RunKey
from ter.experiment.spec import RunSpec

HERE = Path(__file__).resolve().parent
COMPETITORS = HERE.parent / "competitors"
STORE, BEST, FINALS = HERE / "results.sqlite", HERE / "best.sqlite", HERE / "finals.sqlite"
OTHERS = COMPETITORS / "results.sqlite"

# The parts of the study, each with its plans. LSO13 runs of the competitors belong to their own study.
PARTS: dict[str, tuple[Path, ...]] = {
    "ter": (HERE / "ter.toml",),
    "baselines": (HERE / "baselines.toml",),
    "hyperparameters": (HERE / "hyperparameters.toml",),
    "scalability": tuple(HERE / f"scalability-{size}.toml" for size in (1000, 2500, 5000, 10000)),
    "ackley": (HERE / "ackley.toml",),
    "competitors on LSO08": (HERE / "competitors-lso08.toml", COMPETITORS / "lso08.toml"),
    "competitors on LSO13": tuple(COMPETITORS / f"{name}.toml" for name in ("lso13", "lso13-raw", "cso-015")),
}


@cache
def specs_of(part: str) -> tuple[RunSpec, ...]:
    """Return the planned runs of a part."""
    return tuple(spec for plan in PARTS[part] for spec in Plan.load(plan).specs())


@dataclass(frozen=True)
class Results:
    """The finished runs of some stores, by what they are runs of; of several versions of the code the newest counts."""

    found: dict[RunKey, Record]

    @classmethod
    def of(cls, records: Iterable[Record]) -> Results:
        """Keep the finished runs."""
        ended = sorted((record for record in records if not record.failed), key=lambda record: record.started)
        return cls({record.key.without_code: record for record in ended})

    @classmethod
    def read(cls, path: Path) -> Results:
        """Read a store; there are no runs in one that is not there."""
        if not path.exists():
            return cls({})
        with Store(path) as store:
            return cls.of(store.records(failed=False, newest=True))

    def joined(self, other: Results) -> Results:
        """Return these runs and those of another study; of runs that both have, these."""
        return Results(other.found | self.found)

    def part(self, *names: str) -> list[Record]:
        """Return the runs of parts that are there, with the names that their plans give them."""
        return [
            replace(self.found[key], label=spec.label, run=spec.run)
            for name in names
            for spec in specs_of(name)
            if (key := spec.key.without_code) in self.found
        ]


def errors_of(records: Iterable[Record], problem: str, label: str, dimension: int | None = None) -> tuple[float, ...]:
    """Return the final errors of an algorithm on a problem, run by run."""
    return tuple(
        record.error
        for record in sorted(records, key=lambda each: each.run)
        if (record.key.problem, record.label) == (problem, label) and dimension in (None, record.key.dimension)
    )
