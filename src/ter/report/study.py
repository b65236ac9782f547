"""The runs of an experiment in order: problems × algorithms × runs, with what is missing and what failed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ter.core.errors import InvalidArgument, UnknownName
from ter.experiment.record import Record
from ter.report.case import Case, cases_of
from ter.report.group import Group, position_of

__all__ = ["Study", "common"]


@dataclass(frozen=True)
class Study:
    """An experiment, ready to be reported.

    Attributes
    ----------
    cases : tuple of Case
        The problems, in natural order.
    labels : tuple of str
        The algorithms: the reference first, then in the order in which they were started.
    groups : dict
        From case and label to the runs, where there are any.
    superseded : int
        Results of runs that were done again later by other code, and are not used.
    codes : tuple of str
        Fingerprints of the code behind the runs that are used; more than one is worth a warning.
    """

    cases: tuple[Case, ...]
    labels: tuple[str, ...]
    groups: dict[tuple[Case, str], Group]
    superseded: int = 0
    codes: tuple[str, ...] = ()

    @classmethod
    def of(cls, records: Iterable[Record], against: str | None = None) -> Study:
        """Put records in order.

        Parameters
        ----------
        records : iterable of Record
            At least one.
        against : str, optional
            The label of the algorithm that the others are compared with; by default the one that was started first.

        Raises
        ------
        InvalidArgument
            If there is no record.
        UnknownName
            If no algorithm has the label `against`.

        Examples
        --------
        >>> import numpy as np
        >>> from ter.experiment.record import RunKey
        >>> curve = np.array([[1.0, 9.0], [80.0, 2.0]])
        >>> key = RunKey("lso08/f1", 10, "ls", "{}", "100", 7, "abc")
        >>> record = Record(key, "ls", 1, 2.0, 0.0, 100, {100: 2.0}, curve, (), (), 0.1, 0.1, "2030-01-01T00:00:00")
        >>> study = Study.of([record])
        >>> study.labels, study.suite, study.cases[0].name, study.group(study.cases[0], "ls").errors
        (('ls',), 'lso08', 'f1', array([2.]))
        """
        named = _with_unique_labels(list(records))
        if not named:
            raise InvalidArgument("a report needs at least one run, got none; has the experiment been started?")
        kept, superseded = _newest(named)
        cases = cases_of(record.key for record in kept)
        labels = list(dict.fromkeys(record.label for record in sorted(kept, key=lambda each: each.started)))
        if against is not None:
            if against not in labels:
                raise UnknownName.among("algorithm in the results", against, labels)
            labels = [against, *(label for label in labels if label != against)]
        codes = tuple(dict.fromkeys(record.key.code for record in kept))
        return cls(tuple(cases), tuple(labels), _groups(kept, cases, labels), superseded, codes)

    @property
    def reference(self) -> str:
        """The algorithm that the others are compared with."""
        return self.labels[0]

    @cached_property
    def suite(self) -> str:
        """The suite, if all problems are of the same; otherwise empty."""
        suites = {case.suite for case in self.cases}
        return suites.pop() if len(suites) == 1 else ""

    @cached_property
    def records(self) -> list[Record]:
        """All runs that are used."""
        return [record for group in self.groups.values() for record in group.records]

    @cached_property
    def heuristics(self) -> tuple[str, ...]:
        """All heuristics that some run could start or did start, in portfolio order."""
        names = (name for record in self.records for name in (*record.heuristics, *record.sequence))
        return tuple(dict.fromkeys(names))

    @cached_property
    def knows_optima(self) -> bool:
        """Whether the optimum of every problem is known, so that values are errors."""
        return all(record.f_opt is not None for record in self.records if not record.failed)

    def optimum(self, problem: str, dimension: int) -> float:
        """Return the optimum of a problem, which errors are measured from; 0 if it is not known."""
        keys = ((record.key.problem, record.key.dimension, record.f_opt) for record in self.records)
        return next((f_opt for name, size, f_opt in keys if (name, size) == (problem, dimension) and f_opt), 0.0)

    def group(self, case: Case, label: str) -> Group:
        """Return the runs of an algorithm on a problem; an empty group if there are none."""
        return self.groups.get((case, label), Group())

    def deciding(self, case: Case | None = None) -> tuple[str, ...]:
        """Return the algorithms whose runs started different heuristics: on a problem, or on any."""
        cases = self.cases if case is None else (case,)
        return tuple(label for label in self.labels if any(self.group(each, label).decides for each in cases))

    def count(self, label: str) -> tuple[int, int, int]:
        """Return how many runs of an algorithm are finished, failed and missing."""
        groups = [self.group(case, label) for case in self.cases]
        return (
            sum(len(group.finished) for group in groups),
            sum(len(group.failed) for group in groups),
            sum(group.missing for group in groups),
        )


def common(there: Sequence[Sequence[bool]]) -> tuple[list[int], list[int]]:
    """Return which rows and columns to compare: all columns, in the rows that all of them have.

    If there is no such row, the column with the fewest entries is left out, the last of equal ones, and so on.

    Examples
    --------
    >>> common([[True, True, False], [True, True, True], [True, False, False]])
    ([1], [0, 1, 2])
    >>> common([[True, False], [True, False]])
    ([0, 1], [0])
    """
    table = np.asarray(there, dtype=bool).reshape(len(there), -1)
    columns = [j for j in range(table.shape[1]) if table[:, j].any()]
    while columns:
        rows = [i for i in range(table.shape[0]) if table[i, columns].all()]
        if rows:
            return rows, columns
        fewest = min(reversed(columns), key=lambda j: int(table[:, j].sum()))
        columns.remove(fewest)
    return [], []


def _with_unique_labels(records: list[Record]) -> list[Record]:
    """Stores that were merged may use one label for several settings: then the settings become part of the label."""
    meanings: dict[str, set[tuple[str, str]]] = {}
    for record in records:
        meanings.setdefault(record.label, set()).add((record.key.algorithm, record.key.parameters))
    return [
        record
        if len(meanings[record.label]) == 1
        else replace(record, label=f"{record.label} ({record.key.algorithm} {record.key.parameters})")
        for record in records
    ]


def _newest(records: list[Record]) -> tuple[list[Record], int]:
    """Keep one record of each run: finished rather than failed, then the newest. Say how many were left out."""
    found: dict[tuple[str, int, str, str, int], Record] = {}
    for record in sorted(records, key=lambda each: (not each.failed, each.started)):
        key = record.key
        found[key.problem, key.dimension, key.budget, record.label, key.seed] = record
    return list(found.values()), len(records) - len(found)


def _groups(records: Sequence[Record], cases: Sequence[Case], labels: Sequence[str]) -> dict[tuple[Case, str], Group]:
    own = {(case.problem, case.dimension, case.budget): case for case in cases}
    members: dict[tuple[Case, str], list[Record]] = {(case, label): [] for case in cases for label in labels}
    seeds: dict[Case, set[int]] = {case: set() for case in cases}
    for record in sorted(records, key=position_of):
        case = own[record.key.problem, record.key.dimension, record.key.budget]
        members[case, record.label].append(record)
        seeds[case].add(record.key.seed)
    return {
        (case, label): Group(
            finished=tuple(record for record in found if not record.failed),
            failed=tuple(record for record in found if record.failed),
            missing=len(seeds[case]) - len(found),
        )
        for (case, label), found in members.items()
    }
