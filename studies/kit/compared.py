"""Final errors of our runs beside a published mean."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from ter.analysis import PublishedResult, Summary, summary

SOLVED = 1e-8  # means below count as zero when they are compared


@dataclass(frozen=True)
class Compared:
    """The errors of some runs, and what was published.

    Attributes
    ----------
    errors : tuple of float
        Of our runs; there may be none.
    mean, std : float or None
        Published; None if nothing was.
    remark : str
        Why the published numbers are doubtful; then nothing is said of their ratio.
    """

    errors: tuple[float, ...]
    mean: float | None = None
    std: float | None = None
    remark: str = ""

    @classmethod
    def beside(cls, errors: tuple[float, ...], found: PublishedResult | None) -> Compared:
        """Put errors beside a published result."""
        if found is None or math.isnan(found.mean):
            return cls(errors)
        return cls(errors, found.mean, None if math.isnan(found.std) else found.std, found.remark)

    @cached_property
    def ours(self) -> Summary | None:
        """Mean, median and deviation of our runs; None without a run."""
        return summary(self.errors) if self.errors else None

    @property
    def solved(self) -> bool:
        """Whether both means count as zero."""
        return self.ours is not None and self.mean is not None and max(self.ours.mean, self.mean) < SOLVED

    @property
    def ratio(self) -> float | None:
        """Our mean over the published one; 1 if both are solved, None if one of them is not known or doubtful."""
        if self.ours is None or self.mean is None or self.remark:
            return None
        ours, theirs = (0.0 if mean < SOLVED else mean for mean in (self.ours.mean, self.mean))
        if ours == theirs:
            return 1.0
        return ours / theirs if theirs else math.inf

    def within(self, factor: float) -> bool:
        """Whether our mean is within a factor of the published one."""
        return self.ratio is not None and 1.0 / factor <= self.ratio <= factor

    def near(self, deviations: float) -> bool | None:
        """Whether our mean is at most so many published deviations from the published one; None if not known."""
        if self.ours is None or self.mean is None or self.std is None or self.remark:
            return None
        return self.solved or abs(self.ours.mean - self.mean) <= deviations * self.std
