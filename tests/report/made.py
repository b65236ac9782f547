"""Records made by hand, so that every number in a test is known."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ter.core.action import Action
from ter.experiment.record import Record, RunKey

FACTS = {"processor": "Abacus", "system": "Wood", "cores": "2", "ter": "0.1.0", "python": "3.11"}


def made_record(
    final: float = 1.0,
    *,
    problem: str = "lso13/f1",
    label: str = "ter",
    run: int = 1,
    dimension: int = 1000,
    budget: int | str = 600_000,
    decisions: str = "",
    curve: Sequence[tuple[float, float]] | None = None,
    milestones: Mapping[int, float] | None = None,
    f_opt: float | None = 0.0,
    code: str = "abc",
    started: int | None = None,
    parameters: str = "{}",
    traceback: str | None = None,
) -> Record:
    """One run. The curve falls from 1e6 to the final value; the decisions are letters of L, C and G."""
    nfev = budget if isinstance(budget, int) else 1000
    rows = [(1, 1e6), (nfev // 2, 2 * abs(final) + 1), (nfev - 1, final)] if curve is None else list(curve)
    optimum = f_opt or 0.0
    order = {"ter": 0, "ran": 1, "ls": 2}.get(label, 3)
    second = 1000 * run + 10 * order if started is None else started
    return Record(
        key=RunKey(problem, dimension, label.split()[0], parameters, str(budget), 100 + run, code),
        label=label,
        run=run,
        fun=math.nan if traceback else final + optimum,
        f_opt=f_opt,
        nfev=0 if traceback else nfev,
        milestones=dict(milestones) if milestones is not None else {},
        curve=np.empty((0, 2)) if traceback else np.array(rows, dtype=np.float64).reshape(-1, 2) + [0, optimum],
        heuristics=("ls1", "cc", "gs") if decisions else (),
        actions=made_actions(decisions, nfev),
        wall=2.0,
        cpu=1.5,
        started=f"2030-01-01T00:{second // 60 % 60:02d}:{second % 60:02d}.000+00:00",
        facts=FACTS,
        traceback=traceback,
    )


def made_actions(decisions: str, nfev: int) -> tuple[Action, ...]:
    """As many actions as letters, of equal length; each halves the best value."""
    names = {"L": "ls1", "C": "cc", "G": "gs"}
    each = nfev // max(1, len(decisions))
    return tuple(
        Action(i, names[letter], each, each, 2.0**-i * 1e6, 2.0 ** -(i + 1) * 1e6, 1.0, (0.5, 0.25, 0.25))
        for i, letter in enumerate(decisions)
    )


def small_study() -> list[Record]:
    """Two problems, three algorithms, three runs; `ter` and `ran` decide."""
    finals = {
        ("lso13/f1", "ter"): (1.0, 2.0, 3.0),
        ("lso13/f1", "ran"): (10.0, 21.0, 32.0),
        ("lso13/f1", "ls"): (0.0, 0.0, 0.0),
        ("lso13/f2", "ter"): (5e3, 6e3, 7e3),
        ("lso13/f2", "ran"): (5.1e3, 5.9e3, 7.1e3),
        ("lso13/f2", "ls"): (9e4, 9e4, 9.3e4),
    }
    sequences = {"ter": ("LCGG", "LCGG", "LCGL"), "ran": ("GGLC", "CLGC", "LLLC"), "ls": ("", "", "")}
    return [
        made_record(
            final,
            problem=problem,
            label=label,
            run=run + 1,
            decisions=sequences[label][run],
            milestones={120_000: 3 * final, 600_000: final},
        )
        for (problem, label), values in finals.items()
        for run, final in enumerate(values)
    ]
