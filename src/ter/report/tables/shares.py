"""What each heuristic used and brought."""

from __future__ import annotations

from ter.display.texts import share_text
from ter.report.board import Board
from ter.report.decisions import mean_shares
from ter.report.table import NONE, Cell, Row, Table

__all__ = ["share_table"]


def share_table(board: Board) -> Table | None:
    """Return the shares of the heuristics in the runs that made decisions, over all problems; None without one."""
    study, rows = board.study, []
    for label in study.deciding():
        records = [record for case in study.cases for record in study.group(case, label).finished]
        for share in mean_shares(records, study.heuristics):
            parts = (share.of_evaluations, share.of_improvement, share.of_magnitude)
            cells = [Cell(NONE if part is None else share_text(part), part) for part in parts]
            rows.append(Row(f"{label}: {share.heuristic}", (Cell(f"{share.starts:.1f}", share.starts), *cells)))
    if not rows:
        return None
    return Table(
        "shares",
        "What each heuristic used and brought, per run",
        ("algorithm: heuristic", "starts", "of the evaluations", "of the improvement", "of the orders of magnitude"),
        tuple(rows),
        (
            "Averages over the runs on all problems. The improvement is counted from the best start point; early "
            "actions make most of it. Orders of magnitude weigh late progress as much as early progress.",
        ),
    )
