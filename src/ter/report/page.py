"""One self-contained HTML page about an experiment: no network, readable on a phone, light and dark."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ter.core.errors import MissingExtra
from ter.display.colors import lines_of
from ter.report.board import Board
from ter.report.gradient import color_at, hex_of
from ter.report.headline import cards_of, facts_of, lacking_of, lead_of, sources_of
from ter.report.payload import payload_of
from ter.report.runtimes import TARGETS
from ter.report.table import Cell, Table
from ter.report.tables.sections import Section, sections_of

__all__ = ["write_experiment_page"]

FAILURES = 10  # tracebacks shown at most


def write_experiment_page(
    board: Board,
    path: str | PathLike[str],
    *,
    title: str = "",
    about: Mapping[str, str] | None = None,
    sections: Mapping[Section, Sequence[Table]] | None = None,
) -> None:
    """Write one HTML file about an experiment.

    Parameters
    ----------
    board : Board
        A study beside published results.
    path : path
        Where to write.
    title : str
        Of the page.
    about : mapping from str to str, optional
        A line about a problem, by its name.
    sections : mapping from Section to tables, optional
        Those of the board, if they have been made already.

    Raises
    ------
    MissingExtra
        If Jinja2 is not installed.
    """
    try:
        from jinja2 import Environment, StrictUndefined
        from markupsafe import Markup
    except ImportError as error:
        raise MissingExtra.named("jinja2", "report", "writing a page") from error
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["attributes"] = lambda cell: Markup(_attributes(cell))  # made of numbers only
    template = environment.from_string(_text("templates/report.html"))
    facts = _facts(board, sections_of(board) if sections is None else sections, title or "Experiment report")
    packed = {
        "css": _text("static/report.css"),
        "script": _text("static/report.js"),
        "data": _packed(_json(payload_of(board, about or {}))),
        "plotly": base64.b64encode(_file("static/plotly-basic.min.js.gz").read_bytes()).decode(),
    }
    own = {name: Markup(text) for name, text in packed.items()}  # our own files, and base64
    Path(path).write_text(template.render(**facts, **own), encoding="utf-8", errors="backslashreplace")


def _facts(board: Board, sections: Mapping[Section, Sequence[Table]], title: str) -> dict[str, Any]:
    study = board.study
    failed = [record for record in study.records if record.failed]
    return {
        "title": title,
        "lead": lead_of(study),
        "lacking": lacking_of(study),
        "cards": cards_of(study),
        # The chart of running times needs no table.
        "sections": [(section, tables) for section, tables in sections.items() if tables or section.name == "speed"],
        "cases": _chips(board),
        "targets": TARGETS,
        "failures": [
            {"title": f"{r.key.problem}, {r.label}, run {r.run}: {r.reason[:200]}", "text": r.traceback}
            for r in failed[:FAILURES]
        ],
        "more_failures": max(0, len(failed) - FAILURES),
        "facts": facts_of(study),
        "sources": sources_of(board.sources),
    }


def _chips(board: Board) -> list[dict[str, str]]:
    colors = {label: color for label, (color, _) in lines_of(board.study.labels).items()}
    chips = []
    for case, means in zip(board.study.cases, board.means(board.own), strict=True):
        best = board.own[int(np.nanargmin(means))].name if np.isfinite(means).any() else ""
        chips.append({"name": case.name, "best": best, "color": colors.get(best, "")})
    return chips


def _attributes(cell: Cell) -> str:
    names = [name for name, on in (("best", cell.best), ("faint", cell.faint), ("hue", cell.level is not None)) if on]
    parts = [f'class="{" ".join(names)}"'] if names else []
    if cell.level is not None:
        parts.append(f'style="--hue: {hex_of(color_at(min(1.0, max(0.0, cell.level))))}"')
    if isinstance(cell.value, int | float):
        parts.append(f'data-value="{cell.value!r}"')
    return " ".join(parts)


def _json(payload: dict[str, Any]) -> bytes:
    text = json.dumps(payload, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    return text.encode(errors="backslashreplace")  # which are escapes of JSON


def _packed(content: bytes) -> str:
    """Compress text for the page; the browser unpacks it."""
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()


def _file(name: str) -> Any:
    return files("ter.report").joinpath(name)


def _text(name: str) -> str:
    return str(_file(name).read_text(encoding="utf-8"))
