"""Write the tables of verdict.md from the runs there are: ``python -m studies.beyond.verdict_tables``.

Errors are values above the known optimum; below `SOLVED` they are equal. Where no optimum is known, values are
compared: positive ones by their quotient, negative ones by the quotient the other way round, so that more than 1 is
always worse. Of several seeds the median counts. What has not been run is a dash.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from studies.beyond import verdict, verdict_ours, verdict_peers
from studies.beyond.verdict_set import ABLATION, LARGE, SOLVED, VERDICT, Entry
from studies.kit.blocks import write_block
from ter.analysis import MILESTONES, Score, formula1, published
from ter.experiment.store import Store

__all__ = [
    "Known",
    "Line",
    "Regret",
    "ablation_table",
    "best_alone",
    "errors_of_peers",
    "league",
    "line_of",
    "lines_of",
    "main",
    "peers_table",
    "places",
    "quotient",
    "regret_by_part",
    "regret_ratio",
    "regret_table",
    "regrets_of",
    "summary_of",
]

PAGE = Path(__file__).with_name("verdict.md")
# The pages with the tables, and which of them stand there; None for all.
PAGES: dict[Path, tuple[str, ...] | None] = {
    PAGE: None,
    Path(__file__).parents[2] / "docs" / "beyond.md": ("regret-parts", "ablation"),
}
STORE = Path(__file__).with_name("verdict.sqlite")
OURS, LATER, NEAR, DASH = "ours", "later", 1.5, "–"
# Sources of published means, in order of preference: the first that has a milestone stands for the algorithm.
LEAGUE: dict[str, tuple[str, ...]] = {
    "SHADE-ILS": ("shade-ils", "shade-ils-dtgsk"),
    "CBCC-RDG3": ("cbcc-rdg3",),
    "CCFR2-IRRG": ("ccfr2-irrg",),
    "COSACC-LS1": ("cosacc-ls1",),
    "MOS": ("mos-dtgsk", "mos"),
    "IHDELS": ("ihdels",),
}
FUNCTIONS = tuple(f"lso13/f{number}" for number in range(1, 16))

Known = Mapping[Entry, float | None]  # optimal values
Errors = dict[Entry, dict[str, float]]  # of each problem, by algorithm


@dataclass(frozen=True)
class Line:
    """Ours beside the others on a problem."""

    entry: Entry
    ours: float
    best: float
    who: str
    ratio: float
    rank: int
    algorithms: int

    @property
    def near(self) -> bool:
        """Whether ours is the first, or within a factor of the first."""
        return self.ratio <= NEAR


def error_of(value: float, f_opt: float | None) -> float:
    """Return the error of a value; the value itself where no optimum is known."""
    return value if f_opt is None else max(SOLVED, value - f_opt)


def quotient(a: float, b: float) -> float:
    """Return how many times worse `a` is than `b`."""
    if a > 0.0 and b > 0.0:
        return a / b
    if a < 0.0 and b < 0.0:
        return b / a
    return math.inf if a > b else 0.0


def _medians(values: Mapping[Entry, Mapping[str, Sequence[float]]]) -> Errors:
    return {
        entry: {who: statistics.median(found) for who, found in each.items() if found} for entry, each in values.items()
    }


def errors_of_peers(rows: Iterable[verdict_peers.Row], known: Known, per_variable: int) -> Errors:
    """Return the errors of peers after so many evaluations per variable; of runs that had them."""
    found: dict[Entry, dict[str, list[float]]] = {entry: defaultdict(list) for entry in known}
    entries = {(entry.name, entry.dimension): entry for entry in known}
    for row in rows:
        entry = entries.get((row.problem, row.dimension))
        if entry is not None and row.evaluations == per_variable * row.dimension:
            found[entry][row.peer].append(error_of(row.value, known[entry]))
    return _medians(found)


def errors_of_ours(rows: Iterable[verdict_ours.Row], known: Known, per_variable: int) -> Errors:
    """Return the errors of the default and its parts after so many evaluations per variable."""
    found: dict[Entry, dict[str, list[float]]] = {entry: defaultdict(list) for entry in known}
    entries = {(entry.name, entry.dimension): entry for entry in known}
    for row in rows:
        entry = entries.get((row.problem, row.dimension))
        if entry is not None and row.budget == per_variable * row.dimension:
            found[entry][row.who].append(error_of(row.value, known[entry]))
    return _medians(found)


def line_of(entry: Entry, ours: float, others: Mapping[str, float]) -> Line:
    """Compare ours with the others on a problem."""
    who = min(others, key=lambda name: others[name])
    better = sum(other < ours for other in others.values())
    return Line(entry, ours, others[who], who, quotient(ours, others[who]), 1 + better, 1 + len(others))


def lines_of(entries: Sequence[Entry], ours: Errors, peers: Errors) -> list[Line]:
    """Compare ours with the peers on each problem that both have."""
    both = [entry for entry in entries if verdict_ours.DEFAULT in ours.get(entry, {}) and peers.get(entry)]
    return [line_of(entry, ours[entry][verdict_ours.DEFAULT], peers[entry]) for entry in both]


def best_alone(ours: Errors) -> Errors:
    """Return the errors of the best heuristic alone in the place of the default's; who that is, is known afterwards."""
    alone = {
        entry: [error for who, error in each.items() if who.startswith(verdict_ours.ALONE)]
        for entry, each in ours.items()
    }
    return {entry: {verdict_ours.DEFAULT: min(errors)} for entry, errors in alone.items() if errors}


def _number(value: float) -> str:
    return f"{value:.2e}" if math.isfinite(value) else DASH


def _times(ratio: float) -> str:
    return f"{ratio:.3g}" if math.isfinite(ratio) else DASH


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def summary_of(lines: Sequence[Line], entries: Sequence[Entry]) -> str:
    """Say on how many problems ours is the first, and near the first."""
    first, near = sum(line.rank == 1 for line in lines), sum(line.near for line in lines)
    missing = f" ({len(entries) - len(lines)} of {len(entries)} problems have not been run)" * (
        len(lines) < len(entries)
    )
    share = f", {100 * near / len(lines):.0f} %" if lines else ""
    mean = f" Mean rank {statistics.fmean(line.rank for line in lines):.1f}." if lines else ""
    found = f"First on {first}, first or within a factor of {NEAR} of the first on {near} of {len(lines)}"
    return f"{found}{share}{missing}.{mean}"


def peers_table(entries: Sequence[Entry], ours: Errors, peers: Errors, *, worst_first: bool = False) -> str:
    """Return a row for each problem: ours, the best peer, by how much, and the rank of ours."""
    lines = lines_of(entries, ours, peers)
    there = {line.entry: line for line in lines}
    rows = []
    for entry in sorted(entries, key=lambda e: -there[e].ratio if e in there else 0.0) if worst_first else entries:
        line = there.get(entry)
        if line is None:
            mine = ours.get(entry, {}).get(verdict_ours.DEFAULT, math.inf)
            rows.append([entry.name, str(entry.dimension), _number(mine), DASH, DASH, DASH, DASH])
            continue
        numbers = [_number(line.ours), _number(line.best), line.who, _times(line.ratio)]
        rows.append([entry.name, str(entry.dimension), *numbers, f"{line.rank} of {line.algorithms}"])
    return _table(["problem", "D", "ours", "best peer", "who", "ratio", "rank of ours"], rows)


def wins_table(entries: Sequence[Entry], ours: Errors, peers: Errors) -> str:
    """Return for each algorithm how often it is the first, and near the first."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for entry in entries:
        everyone = dict(peers.get(entry, {}))
        if verdict_ours.DEFAULT in ours.get(entry, {}):
            everyone[OURS] = ours[entry][verdict_ours.DEFAULT]
        for who, error in everyone.items():
            ratio = quotient(error, min(everyone.values()))
            for k, yes in enumerate((error == min(everyone.values()), ratio <= NEAR, True)):
                counts[who][k] += yes
    order = sorted(counts, key=lambda who: (-counts[who][1], who))
    rows = [[who, *(str(count) for count in counts[who])] for who in order]
    return _table(["algorithm", "first", f"within {NEAR} of the first", "problems"], rows)


def cut_short(rows: Iterable[verdict_peers.Row]) -> str:
    """Say which runs were cut."""
    whole = {n * row.dimension for row in rows for n in verdict_peers.PER_VARIABLE}
    cut = sorted({f"{row.peer} on {row.problem} {row.dimension}" for row in rows if row.evaluations not in whole})
    if not cut:
        return "No run of a peer was cut for taking more than four minutes of the processor."
    return f"Cut after four minutes of the processor, and left out: {', '.join(cut)}."


def regret_ratio(errors: Sequence[float], target: float) -> float:
    """Return the evaluations until a target was reached, divided by half of the budget; infinite if it never was.

    Parameters
    ----------
    errors : sequence of float
        After equal shares of the budget.
    target : float
        What the best heuristic alone reaches in half of the budget.
    """
    reached = [k for k, error in enumerate(errors, start=1) if error <= target]
    return 2.0 * reached[0] / len(errors) if reached else math.inf


def later_ratio(errors: Sequence[float], later: Sequence[float], target: float) -> float:
    """Return the same; above 2 and of a run with 2.5 times the budget, if the budget is not enough."""
    ratio = regret_ratio(errors, target)
    if ratio < math.inf:
        return ratio
    return max(math.nextafter(2.0, math.inf), verdict_ours.LONGER * regret_ratio(later, target))


@dataclass(frozen=True)
class Regret:
    """The default beside the best of its heuristics alone, on a problem."""

    who: str
    target: float
    ratio: float  # infinite if it is not there after 2.5 times the budget, where that was run

    @property
    def cells(self) -> list[str]:
        """What the table says about it."""
        return [self.who, _number(self.target), _times(self.ratio)]


def regrets_of(rows: Iterable[verdict_ours.Row], known: Known, per_variable: int) -> dict[Entry, Regret]:
    """Return the regret on each problem that has runs of the default and of heuristics alone."""
    entries = {(entry.name, entry.dimension): entry for entry in known}
    runs: dict[Entry, dict[str, dict[int, list[float]]]] = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        entry = entries.get((row.problem, row.dimension))
        budget = per_variable * row.dimension
        if entry is not None and row.budget in (budget, verdict_ours.longer(budget)):
            who = row.who if row.budget == budget else LATER
            runs[entry][who][row.seed] = [_clamped(error, known[entry]) for error in row.errors]
    found = {}
    for entry, each in runs.items():
        halves = {
            who.removeprefix(verdict_ours.ALONE): statistics.median(errors[0] for errors in curves.values())
            for who, curves in each.items()
            if who.startswith(verdict_ours.ALONE)
        }
        if halves and verdict_ours.DEFAULT in each:
            best = min(halves, key=lambda who: halves[who])
            later = each.get(LATER, {})
            ratios = [
                later_ratio(errors, later.get(seed, []), halves[best])
                for seed, errors in each[verdict_ours.DEFAULT].items()
            ]
            found[entry] = Regret(best, halves[best], statistics.median(ratios))
    return found


def regret_table(entries: Sequence[Entry], regrets: Mapping[int, Mapping[Entry, Regret]], *, later: bool = True) -> str:
    """Return a row for each problem: the best heuristic alone, and the default's ratio, for each budget.

    `later` says whether there are runs with larger budgets, which tell how late the default is.
    """
    rows = [
        [entry.name, str(entry.dimension)]
        + [cell for each in regrets.values() for cell in (each[entry].cells if entry in each else [DASH] * 3)]
        for entry in entries
    ]
    head = [text for n in regrets for text in (f"{n} D: best alone", f"after {n / 2:g} D", "ratio")]
    ratios = {n: [each[entry].ratio for entry in entries if entry in each] for n, each in regrets.items()}
    summaries = [f"With {n} evaluations per variable {_regret_summary(found, later)}" for n, found in ratios.items()]
    return "\n\n".join([_table(["problem", "D", *head], rows), *summaries])


def regret_by_part(entries: Sequence[Entry], regrets: Mapping[int, Mapping[Entry, Regret]]) -> str:
    """Return on how many problems of each part the ratio is at most 2, of how many, for each budget."""
    parts = list(dict.fromkeys(entry.part for entry in entries))
    rows = []
    for title, within in [*((part, (part,)) for part in parts), ("all", tuple(parts))]:
        cells = []
        for each in regrets.values():
            ratios = [each[entry].ratio for entry in entries if entry in each and entry.part in within]
            cells.append(f"{sum(ratio <= 2.0 for ratio in ratios)} of {len(ratios)}" if ratios else DASH)
        rows.append([title, *cells])
    return _table(["evaluations per variable", *map(str, regrets)], rows)


def _clamped(error: float, f_opt: float | None) -> float:
    return error if f_opt is None else max(SOLVED, error)


def _regret_summary(ratios: Sequence[float], later: bool) -> str:
    if not ratios:
        return "nothing has been run."
    within, never = sum(ratio <= 2.0 for ratio in ratios), sum(math.isinf(ratio) for ratio in ratios)
    share = f"{within} of {len(ratios)} ({100 * within / len(ratios):.0f} %) have a ratio of at most 2"
    if not later:
        return f"{share}; {never} are not there within their budget."
    return f"{share}; for {len(ratios) - within - never} it is between 2 and 5, and for {never} above 5."


def published_means(sources: Sequence[str], evaluations: int) -> list[float]:
    """Return the means on LSO13 of the first source that has this milestone; NaN where there is none."""
    for name in sources:
        found = [published(name).find(problem, evaluations=evaluations) for problem in FUNCTIONS]
        if any(result is not None for result in found):
            return [math.nan if result is None else result.mean for result in found]
    return [math.nan] * len(FUNCTIONS)


def our_means(path: Path, evaluations: int) -> list[float]:
    """Return our means on LSO13 at a milestone of the runs of 3 million evaluations; NaN where there is no run."""
    values: dict[str, list[float]] = defaultdict(list)
    with Store(path) as store:
        for record in store.records(failed=False, newest=True):
            if record.key.problem in FUNCTIONS and record.key.budget == str(MILESTONES[-1]):
                values[record.key.problem].append(record.milestones.get(evaluations, math.nan))
    return [statistics.fmean(values[problem]) if values[problem] else math.nan for problem in FUNCTIONS]


def league(tables: Mapping[int, np.ndarray], names: Sequence[str]) -> str:
    """Return the points of each algorithm at each milestone; a dash where it has no result."""
    score: Score = formula1(tables, names)
    totals = score.totals()
    rows = []
    for who in totals:
        column, cells = names.index(who), []
        for milestone in sorted(tables):
            count = int(np.isfinite(tables[milestone][:, column]).sum())
            points = str(score.totals(milestone)[who]) if count else DASH
            cells.append(points if count in (0, len(tables[milestone])) else f"{points} ({count} functions)")
        rows.append([who, *cells, str(totals[who])])
    return _table(["algorithm", *(f"{milestone:g}" for milestone in sorted(tables)), "together"], rows)


def league_of(path: Path) -> str:
    """Return the league table of ours and the published ones."""
    names = [OURS, *LEAGUE]
    tables = {
        milestone: np.column_stack(
            [our_means(path, milestone), *(published_means(sources, milestone) for sources in LEAGUE.values())]
        )
        for milestone in MILESTONES
    }
    return league(tables, names)


def ablation_table(entries: Sequence[Entry], errors: Errors) -> str:
    """Return a row for each configuration: how many times its error is the default's, and the geometric mean."""
    names = list(dict.fromkeys(who for each in errors.values() for who in each))
    rows = []
    for who in names:
        found = {entry: errors[entry][who] for entry in entries if who in errors.get(entry, {})}
        ratios = {
            entry: quotient(error, errors[entry][verdict_ours.DEFAULT])
            for entry, error in found.items()
            if verdict_ours.DEFAULT in errors[entry]
        }
        logs = [math.log(ratio) for ratio in ratios.values() if 0.0 < ratio < math.inf]
        mean = f"{math.exp(statistics.fmean(logs)):.3g}" if len(logs) == len(entries) else DASH
        if who == verdict_ours.DEFAULT:
            cells = [_number(found[entry]) if entry in found else DASH for entry in entries]
        else:
            cells = [f"× {_times(ratios[entry])}" if entry in ratios else DASH for entry in entries]
        rows.append([who, *cells, mean])
    return _table(["", *(f"{entry.name} {entry.dimension}" for entry in entries), "geometric mean"], rows)


def known_of(entries: Iterable[Entry]) -> Known:
    """Return the optimal values of problems."""
    return {entry: entry.problem().f_opt for entry in entries}


def blocks() -> dict[str, str]:
    """Return the text of each block of the page, by its name."""
    known = known_of((*VERDICT, *LARGE, *ABLATION))
    theirs, ours, long = verdict_peers.read(), verdict_ours.read(), verdict_ours.read(verdict_ours.LONG_FILE)
    codes = sorted({row.code for row in ours})
    at = {n: (errors_of_ours(ours, known, n), errors_of_peers(theirs, known, n)) for n in verdict_peers.PER_VARIABLE}
    said = [
        f"With {n} evaluations per variable, {whose}: {summary_of(lines_of(VERDICT, errors, at[n][1]), VERDICT)}"
        for n in at
        for whose, errors in (("the default", at[n][0]), ("the best of its heuristics alone", best_alone(at[n][0])))
    ]
    short = {n: regrets_of(ours, known, n) for n in (100, 30)}
    longer = {n: regrets_of(long, known, n) for n in verdict_ours.LONG_PER_VARIABLE}
    by_budget = dict(sorted((short | {n: found for n, found in longer.items() if found}).items()))
    return {
        "peers": "\n\n".join([peers_table(VERDICT, *at[100]), *said, cut_short(theirs)]),
        "algorithms": wins_table(VERDICT, *at[100]),
        "large": f"{peers_table(LARGE, *at[30])}\n\n{summary_of(lines_of(LARGE, *at[30]), LARGE)}",
        "regret": regret_table(VERDICT, short),
        "regret-long": regret_table(VERDICT, longer, later=False),
        "regret-parts": regret_by_part(VERDICT, by_budget),
        "league": league_of(STORE),
        "ablation": ablation_table(ABLATION, {entry: at[100][0][entry] for entry in ABLATION}),
        "long": verdict.table(STORE),
        "code": f"Runs of ours: {len(ours)}, of code {', '.join(codes) or DASH}. Runs of peers: "
        f"{len({(r.problem, r.dimension, r.peer, r.seed) for r in theirs})}.",
    }


def places(names: Iterable[str]) -> list[tuple[Path, str]]:
    """Return on which pages the blocks stand: those that tell most are on the page for users, too."""
    return [(page, name) for page, only in PAGES.items() for name in names if only is None or name in only]


def main() -> None:
    """Put the tables into the pages."""
    made = blocks()
    for page, name in places(made):
        write_block(page, f"<!-- {name}: made by verdict_tables.py -->", f"<!-- end of {name} -->", made[name])


if __name__ == "__main__":
    main()
