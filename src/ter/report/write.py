"""A whole report in a folder: the page, the tables, the figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path

from ter.experiment.record import Record
from ter.report.board import Board
from ter.report.formats import as_csv, as_markdown
from ter.report.latex import as_latex
from ter.report.study import Study
from ter.report.table import Table
from ter.report.tables import sections_of

__all__ = ["write_report", "write_tables"]

WRITERS = {"md": as_markdown, "tex": as_latex, "csv": as_csv}


def write_report(
    records: Iterable[Record] | Board,
    folder: str | PathLike[str],
    *,
    published: Sequence[str] = (),
    against: str | None = None,
    title: str = "",
    about: Mapping[str, str] | None = None,
) -> list[Path]:
    """Write a report of an experiment: ``report.html``, ``tables/`` and ``figures/``.

    Parameters
    ----------
    records : iterable of Record, or Board
        The runs, such as ``Store("results.sqlite").records()``; or a board made of them already.
    folder : path
        Where to write; it is made if it is not there, and files of an earlier report are replaced.
    published : sequence of str
        Published results to put beside, see :func:`ter.analysis.published_names`.
    against : str, optional
        The algorithm that the others are compared with; by default the one that was started first.
    title : str
        Of the page.
    about : mapping from str to str, optional
        A line about a problem, by its name.

    Returns
    -------
    list of Path
        What was written, the page first.

    Raises
    ------
    InvalidArgument
        If there is no run, or a name is not known.
    MissingExtra
        If Matplotlib or Jinja2 is not installed.

    Examples
    --------
    >>> import tempfile
    >>> from ter.experiment import Plan, Store, run_plan
    >>> work = tempfile.mkdtemp()
    >>> plan = Plan(problems=["lso08/f1"], dimensions=[10], algorithms=["ter", "ls"], runs=2, budget=1_000)
    >>> run_plan(plan, f"{work}/results.sqlite", workers=1).done
    True
    >>> with Store(f"{work}/results.sqlite") as store:
    ...     paths = write_report(store.records(), f"{work}/report")
    >>> paths[0].name, sorted({path.suffix for path in paths})
    ('report.html', ['.csv', '.html', '.md', '.pdf', '.svg', '.tex'])
    """
    from ter.report.figures import write_figures
    from ter.report.page import write_experiment_page

    board = records if isinstance(records, Board) else Board.of(Study.of(records, against), published)
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    page = home / "report.html"
    sections = sections_of(board)
    write_experiment_page(board, page, title=title, about=about, sections=sections)
    tables = [table for found in sections.values() for table in found]
    return [page, *write_tables(tables, home / "tables"), *write_figures(board, home / "figures")]


def write_tables(tables: Iterable[Table], folder: Path) -> list[Path]:
    """Write tables as Markdown, LaTeX and CSV; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for table in tables:
        for ending, text in WRITERS.items():
            path = folder / f"{table.name}.{ending}"
            path.write_text(text(table), encoding="utf-8", errors="backslashreplace")
            paths.append(path)
    return paths
