"""What came of checking an objective: one finding per rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ter.core.errors import ObjectiveError

__all__ = ["Checked", "Finding", "Outcome"]

Outcome: TypeAlias = Literal["kept", "broken", "skipped"]


@dataclass(frozen=True)
class Finding:
    """How one rule was kept.

    Attributes
    ----------
    name : str
        One word for what was tried.
    rule : str
        What must hold.
    outcome : {"kept", "broken", "skipped"}
        Rules that an objective of this kind cannot break are skipped.
    seen : str
        The values seen, or why the rule was skipped.
    cure : str
        What to do about a broken rule.
    """

    name: str
    rule: str
    outcome: Outcome
    seen: str
    cure: str = ""

    def lines(self) -> Iterator[str]:
        """Yield what a table says about it."""
        if self.outcome != "broken":
            yield self.seen
            return
        yield f"rule: {self.rule}"
        yield f"seen: {self.seen}"
        yield f"cure: {self.cure}"


@dataclass(frozen=True)
class Checked:
    """What :func:`ter.check` found; true if no rule is broken.

    Attributes
    ----------
    problem, kind : str
        What was checked: its name, and what kind of objective it is.
    dimension, evaluations, seed : int
        Number of variables, evaluations spent, and what to pass as ``rng`` to repeat the check.
    findings : tuple of Finding
        One per rule.

    Examples
    --------
    >>> kept = Finding("values", "one number per point", "kept", "all finite")
    >>> broken = Finding("repeats", "the same point has the same value", "broken", "1.0, then 2.0", "seed it")
    >>> checked = Checked("noise", "Python function", 3, 20, 1, (kept, broken))
    >>> bool(checked), [finding.name for finding in checked.broken]
    (False, ['repeats'])
    >>> print(checked)
    noise: 1 rule broken
    values    kept      all finite
    repeats   BROKEN    rule: the same point has the same value
                        seen: 1.0, then 2.0
                        cure: seed it
    Python function, 3 variables, 20 evaluations, seed 1
    """

    problem: str
    kind: str
    dimension: int
    evaluations: int
    seed: int
    findings: tuple[Finding, ...]

    @property
    def broken(self) -> tuple[Finding, ...]:
        """The findings of broken rules."""
        return tuple(finding for finding in self.findings if finding.outcome == "broken")

    @property
    def ok(self) -> bool:
        """Whether no rule is broken."""
        return not self.broken

    def __bool__(self) -> bool:
        return self.ok

    def raise_if_broken(self) -> None:
        """Raise an ObjectiveError with the table if a rule is broken.

        Raises
        ------
        ObjectiveError
            If a rule is broken.
        """
        if self.broken:
            raise ObjectiveError(f"the objective must keep the rules, see the table\n{self}")

    def __str__(self) -> str:
        rules = len(self.broken)
        result = f"{rules} rule{'s' * (rules != 1)} broken" if rules else "all rules kept"
        width = max(len(finding.name) for finding in self.findings) + 3
        rows = [f"{self.problem or 'the objective'}: {result}"]
        for finding in self.findings:
            outcome = finding.outcome.upper() if finding.outcome == "broken" else finding.outcome
            first = f"{finding.name:<{width}}{outcome:<10}"
            rows += [f"{first if i == 0 else ' ' * len(first)}{line}" for i, line in enumerate(finding.lines())]
        variables = f"{self.dimension} variable{'s' * (self.dimension != 1)}"
        return "\n".join([*rows, f"{self.kind}, {variables}, {self.evaluations} evaluations, seed {self.seed}"])

    __repr__ = __str__
