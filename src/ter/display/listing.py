"""A result as a few aligned lines, in the manner of SciPy; plain ASCII, since any terminal may print it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ter.core.box import Vector
from ter.core.result import ResultData
from ter.display.shares import shares_of
from ter.display.texts import compiling_text, plain_text, share_text, time_text, workers_text

__all__ = ["listing_of"]


def listing_of(result: ResultData) -> str:
    """Return the facts of a run, one to a line; long ones are shortened, fields that are missing left out.

    Examples
    --------
    >>> import ter
    >>> print(ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=40), budget=400, rng=1))
       message: the budget is used up
       success: True
        status: 0
           fun: ...
             x: [...] (40 variables)
          nfev: 400
           nit: ...
         spent: 400 evaluations, ... s
    heuristics: volleys ... %, rm-es ... %, quasi-newton ... % of the evaluations
          seed: 1
    """
    rows = list(_rows(result))
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"{name:>{width}}: {plain_text(text)}" for name, text in rows) or f"{type(result).__name__}()"


def _rows(result: ResultData) -> Iterator[tuple[str, str]]:
    if result.get("problem"):
        yield "problem", result.problem
    for name in ("message", "success"):
        if name in result:
            yield name, str(result[name])
    if "status" in result:
        yield "status", str(int(result.status))
    if "fun" in result:
        yield "fun", repr(float(result.fun))
    if "x" in result:
        yield "x", _vector(result.x)
    for name in ("nfev", "nit"):
        if name in result:
            yield name, str(result[name])
    for name in ("nonfinite", "nfail"):
        if result.get(name):
            yield name, str(result[name])
    if "spent" in result:
        cost = f", {result.spent.cost:g} cost" if result.spent.cost else ""
        compiling = f", {text}" if (text := compiling_text(result.compile_seconds)) else ""
        yield "spent", f"{result.spent.evaluations} evaluations, {time_text(result.spent.seconds)}{cost}{compiling}"
    if busy := workers_text(result.get("workers_busy"), result.get("workers_idle", "")):
        yield "workers", busy
    if result.get("actions"):
        shares = ", ".join(f"{share.heuristic} {share_text(share.of_evaluations)}" for share in shares_of(result))
        yield "heuristics", f"{shares} of the evaluations"
    if "seed" in result:
        yield "seed", str(result.seed)


def _vector(x: Vector) -> str:
    numbers = np.array2string(
        np.asarray(x), threshold=5, edgeitems=2, max_line_width=200, formatter={"float_kind": lambda v: f"{v: .3e}"}
    )
    return f"{numbers} ({np.size(x)} variables)"
