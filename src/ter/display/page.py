"""One self-contained HTML page about a run: no network, readable on a phone, light and dark."""

from __future__ import annotations

import platform
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ter import __version__
from ter.core.errors import MissingExtra
from ter.core.problem import Problem
from ter.core.result import ResultData
from ter.display.charts import charts_of
from ter.display.colors import NEUTRAL, colors_of
from ter.display.shares import PARTS, shares_of
from ter.display.solution import drawing_of, places_of
from ter.display.texts import budget_text, compiling_text, count_text, number_text, share_text, time_text

__all__ = ["write_page"]

ROWS = 500  # actions listed at most
FAILURES = 5  # tracebacks shown at most


def write_page(result: ResultData, path: str | PathLike[str], *, problem: Problem | None = None) -> None:
    """Write one HTML file about a run.

    Parameters
    ----------
    result : ResultData
        A run.
    path : path
        Where to write.
    problem : Problem, optional
        What was solved: what it is about is told, if its optimum is known the error is drawn, and if it has `draw`,
        the solution.

    Raises
    ------
    MissingExtra
        If Jinja2 is not installed.

    Examples
    --------
    >>> import tempfile, ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=4), budget=400, rng=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_page(result, f"{folder}/run.html")
    ...     Path(f"{folder}/run.html").read_text(encoding="utf-8")[:15]
    '<!doctype html>'
    """
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError as error:
        raise MissingExtra.named("jinja2", "report", "writing a page") from error
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(number=number_text, count=count_text, share=share_text, time=time_text)
    source = files("ter.display").joinpath("templates/page.html").read_text(encoding="utf-8")
    text = environment.from_string(source).render(_facts(result, problem))
    # A traceback may hold what cannot be encoded.
    Path(path).write_text(text, encoding="utf-8", errors="backslashreplace")


def _facts(result: ResultData, problem: Problem | None) -> dict[str, Any]:
    f_opt = problem.f_opt if problem is not None else None
    found = bool(np.isfinite(result.fun))
    box = result.box if result.box is not None or problem is None else problem.box
    shares = shares_of(result, f_opt)
    left_out = max(0, len(result.actions) - ROWS)
    return {
        "result": result,
        "title": result.problem or "A run of ter",
        "about": problem.about if problem is not None else "",
        "found": found,
        "error": None if f_opt is None else result.fun - f_opt,
        "spent": _spent(result),
        "budget": budget_text(result.budget),
        "charts": charts_of(result, f_opt),
        "drawing": drawing_of(result.x, problem),
        "places": places_of(result.x, box) if found and box is not None else None,
        "compiling": compiling_text(result.compile_seconds),
        "measure": "best value" if f_opt is None else "best value − optimum",
        "shares": shares,
        "parts": {
            part: name for part, name in PARTS.items() if all(getattr(share, part) is not None for share in shares)
        },
        "start": result.nfev - sum(action.nfev for action in result.actions),
        "colors": colors_of(result.heuristics),
        "neutral": NEUTRAL,
        "actions": result.actions[:ROWS],
        "left_out": left_out,
        "failures": result.failures[:FAILURES],
        "versions": {"ter": __version__, "Python": platform.python_version(), "NumPy": np.__version__},
    }


def _spent(result: ResultData) -> list[tuple[str, str, str]]:
    """Return rows (resource, used, limit)."""
    spent, budget = result.spent, result.budget
    limits = (budget.evaluations, budget.seconds, budget.cost)
    used = (count_text(spent.evaluations), time_text(spent.seconds), number_text(spent.cost))
    texts = (count_text, time_text, number_text)
    rows = zip(("evaluations", "time", "cost"), used, limits, texts, strict=True)
    listed = [(name, amount, "no limit" if limit is None else text(limit)) for name, amount, limit, text in rows]
    if not (spent.cost or budget.cost):
        listed.pop()
    if compiling_text(result.compile_seconds):
        listed.append(("compiling", time_text(result.compile_seconds), "not counted"))
    return listed
