"""All figures of a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ter.core.errors import MissingExtra
from ter.report.board import Board
from ter.report.figures.convergence import convergence
from ter.report.figures.decisions import decision_strips, probabilities
from ter.report.figures.ranks import critical_difference
from ter.report.figures.runtimes import runtime_distribution
from ter.report.figures.shares import share_bars
from ter.report.figures.similarity import similarity_map
from ter.report.figures.style import STYLE, save
from ter.report.ranking import ranking_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["figures_of", "write_figures"]


def figures_of(board: Board) -> Iterator[tuple[str, Figure]]:
    """Yield the figures that the runs of a study allow, each with its name."""
    try:
        from matplotlib import rc_context
    except ImportError as error:
        raise MissingExtra.named("matplotlib", "report", "drawing figures") from error
    study = board.study
    makers: dict[str, Callable[[], Figure | None]] = {
        "convergence": lambda: convergence(board),
        "decisions": lambda: decision_strips(study),
        "probabilities": lambda: probabilities(study),
        "shares": lambda: share_bars(study),
        "similarity": lambda: similarity_map(study),
        "critical-difference": lambda: _ranks(board, published=False),
        "critical-difference-published": lambda: _ranks(board, published=True),
        "running-times": lambda: runtime_distribution(study),
    }
    for name, make in makers.items():
        with rc_context(STYLE):
            figure = make()
        if figure is not None:
            yield name, figure


def write_figures(board: Board, folder: Path) -> list[Path]:
    """Write all figures as SVG and PDF; return their paths."""
    from matplotlib import rc_context

    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, figure in figures_of(board):
        with rc_context(STYLE):
            paths += save(figure, folder, name)
    return paths


def _ranks(board: Board, *, published: bool) -> Figure | None:
    if published and not board.sources:
        return None
    ranking = ranking_of(board, board.columns if published else board.own)
    return None if ranking is None else critical_difference(ranking)
