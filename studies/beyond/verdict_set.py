"""The problems of the verdict, in one place: nothing was tuned on them.

Of the gallery the default was tuned on `digits` and `dispatch`; so those two are the half for tuning, and all others,
in their default size and in a small one, belong to the verdict. Parts of the default are left out on a few problems for
tuning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import ter
from studies.beyond.functions import make_value
from studies.beyond.unseen import UNSEEN, unseen
from ter.experiment.fingerprint import code_of

__all__ = ["ABLATION", "LARGE", "SOLVED", "TUNED_GALLERY", "VERDICT", "Entry", "find"]

TUNED_GALLERY = ("digits", "dispatch")
SOLVED = 1e-8  # errors below are equal


@dataclass(frozen=True)
class Entry:
    """A problem of the set: its name, its variables, and the part of the set it belongs to."""

    name: str
    dimension: int
    part: str

    def problem(self) -> ter.Problem:
        """Build the problem."""
        prefix, _, name = self.name.partition("/")
        if prefix == "unseen":
            return unseen(name)
        if prefix == "functions":
            box = ter.box(-5, 5, dimension=self.dimension)
            return ter.Problem(make_value(name, self.dimension), box, name=self.name, f_opt=0.0)
        return ter.problem(self.name, dimension=self.dimension)

    @property
    def code(self) -> str:
        """Fingerprint of the code that decides about runs on it."""
        prefix = self.name.partition("/")[0]
        return code_of(f"studies.beyond.{prefix}:__doc__") if prefix in ("unseen", "functions") else code_of()


def _entries() -> Iterator[Entry]:
    for name, (_, _, dimension) in UNSEEN.items():
        yield Entry(f"unseen/{name}", dimension, "unseen")
    for name, sizes in (("lennard-jones", (114, 1050)), ("trajectory", (200, 1000)), ("deblurring", (1024, 4096))):
        for dimension in sizes:
            yield Entry(name, dimension, "gallery")
    for number in range(1, 7):
        yield Entry(f"lso08-unbiased/f{number}", 1000, "lso08")
    for number in range(1, 16):
        yield Entry(f"lso13/f{number}", 905 if number in (13, 14) else 1000, "lso13")


VERDICT: tuple[Entry, ...] = tuple(_entries())
LARGE: tuple[Entry, ...] = tuple(Entry(f"lso08-unbiased/f{number}", 10_000, "large") for number in range(1, 7))
ABLATION: tuple[Entry, ...] = (
    *(Entry(f"lso10/f{number}", 1000, "tuning") for number in (2, 4, 8, 10, 13, 18, 20)),
    *(Entry(f"functions/{name}", 320, "tuning") for name in ("ellipsoid", "rosenbrock", "rastrigin")),
    Entry("dispatch", 1200, "tuning"),
)


def find(name: str, dimension: int) -> Entry:
    """Return the problem of that name and size."""
    entries = (*VERDICT, *LARGE, *ABLATION)
    return next(entry for entry in entries if (entry.name, entry.dimension) == (name, dimension))
