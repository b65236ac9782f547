"""What the charts of a page need to know, as plain lists and numbers ready for JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ter.display.colors import NEUTRAL, colors_of, lines_of
from ter.display.scale import Scale
from ter.display.texts import count_text
from ter.display.trace import strip_of
from ter.experiment.record import Record
from ter.report.board import Board
from ter.report.case import Case
from ter.report.curves import Bands, bands_of, grid_of
from ter.report.decisions import MeanShare, chances_of, mean_shares
from ter.report.group import Group
from ter.report.numbers import compact, compact_all
from ter.report.quotes import quotes_on
from ter.report.ranking import Ranking, ranking_of
from ter.report.runtimes import Distribution, distribution_of
from ter.report.study import Study
from ter.report.tables.one import case_table

__all__ = ["payload_of"]

STRIP = 200  # blocks of a run's strip at most
TICKS = 6


def payload_of(board: Board, about: Mapping[str, str]) -> dict[str, Any]:
    """Return everything that the charts show.

    Parameters
    ----------
    board : Board
        The study beside published results.
    about : mapping from str to str
        A line about a problem, by its name.
    """
    study = board.study
    lines = lines_of(study.labels)
    records = {label: [r for case in study.cases for r in study.group(case, label).finished] for label in study.labels}
    return {
        "reference": study.reference,
        "labels": [{"name": name, "color": color, "dash": dash} for name, (color, dash) in lines.items()],
        "heuristics": [{"name": name, "color": color} for name, color in colors_of(study.heuristics).items()],
        "published": [{"name": source.name, "title": source.title} for source in board.sources],
        "neutral": NEUTRAL,
        "measure": "error" if study.knows_optima else "best value",
        "cases": [_case(board, case, about.get(case.problem, "")) for case in study.cases],
        "solved": _solved(distribution_of(study)),
        "shares": {label: _shares(mean_shares(records[label], study.heuristics)) for label in study.deciding()},
        "ranks": _ranks(ranking_of(board, board.own)),
        "ranksPublished": _ranks(ranking_of(board, board.columns)) if board.sources else None,
    }


def _case(board: Board, case: Case, about: str) -> dict[str, Any]:
    study = board.study
    grid = grid_of(study, case)
    groups = {label: study.group(case, label) for label in study.labels}
    curves = {label: bands_of(group.finished, grid) for label, group in groups.items()}
    quotes = quotes_on(board, case)
    table = case_table(board, case)
    deciding = study.deciding(case)
    return {
        "id": f"{case.problem}:{case.dimension}:{case.budget}",
        "name": case.name,
        "title": case.problem,
        "facts": " · ".join(filter(None, [about, f"{count_text(case.dimension)} variables", case.limits])),
        "scale": _scale([bands for bands in curves.values() if bands], [quote.mean for quote in quotes]),
        "x": [int(x) for x in grid],
        "curves": {label: _curve(bands, groups[label]) for label, bands in curves.items() if bands is not None},
        "quotes": [{"name": q.name, "x": q.evaluations, "y": compact(q.mean)} for q in quotes],
        "table": {
            "header": table.header,
            "rows": [[row.title, *(cell.whole for cell in row.cells)] for row in table.rows],
            "best": [any(cell.best for cell in row.cells) for row in table.rows],
            "notes": table.notes,
        },
        "strips": {label: [_strip(study, record) for record in groups[label].finished] for label in deciding},
        "chances": {label: _chances(study, groups[label]) for label in deciding},
        "shares": {label: _shares(mean_shares(groups[label].finished, study.heuristics)) for label in deciding},
        "solved": _solved(distribution_of(study, [case])),
    }


def _scale(bands: Sequence[Bands], others: Sequence[float]) -> dict[str, Any]:
    values = [value for each in bands for value in (*each.lowest, *each.highest) if math.isfinite(value)]
    scale = Scale.fit([*values, *others])
    ticks = scale.ticks(TICKS)
    return {
        "kind": scale.kind,
        "threshold": scale.threshold,
        "ticks": ticks,
        "texts": [f"{tick:g}" for tick in ticks],
    }


def _curve(bands: Bands, group: Group) -> dict[str, Any]:
    return {
        **{name: compact_all(getattr(bands, name)) for name in ("lowest", "low", "median", "high", "highest")},
        "runs": bands.runs,
        "failed": len(group.failed),
        "missing": group.missing,
    }


def _strip(study: Study, record: Record) -> dict[str, Any]:
    blocks = strip_of(record, STRIP)
    optimum = record.f_opt or 0.0
    return {
        "run": record.run,
        "start": blocks[0].first if blocks else 0,
        "ends": [block.last for block in blocks],
        "who": [study.heuristics.index(block.action.heuristic) for block in blocks],
        "before": compact_all((block.action.before - optimum for block in blocks), 3),
        "after": compact_all((block.action.after - optimum for block in blocks), 3),
    }


def _chances(study: Study, group: Group) -> dict[str, Any] | None:
    found = chances_of(group.finished, study.heuristics, points=120)
    if found is None:
        return None
    return {
        "x": [round(x) for x in found.evaluations],
        "p": [compact_all(column, 3) for column in found.probabilities.T],
    }


def _shares(shares: Sequence[MeanShare]) -> list[dict[str, Any]]:
    names = ("starts", "of_evaluations", "of_improvement", "of_magnitude")
    return [{"name": share.heuristic, **{name: compact(getattr(share, name), 3) for name in names}} for share in shares]


def _solved(found: Distribution | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "x": compact_all(found.at),
        "perVariable": found.per_variable,
        "targets": found.targets,
        "y": {label: compact_all(line) for label, line in found.solved.items()},
    }


def _ranks(ranking: Ranking | None) -> dict[str, Any] | None:
    if ranking is None:
        return None
    order = sorted(range(len(ranking.columns)), key=lambda j: ranking.test.mean_ranks[j])
    place = {j: i for i, j in enumerate(order)}
    return {
        "names": [ranking.columns[j].title for j in order],
        "own": [ranking.columns[j].source is None for j in order],
        "ranks": compact_all(ranking.test.mean_ranks[j] for j in order),
        "distance": compact(ranking.distance),
        "groups": [[place[group[0]], place[group[-1]]] for group in ranking.groups],
    }
