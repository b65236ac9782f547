"""The tables that set our runs beside the paper's, from runs that are made up."""

from __future__ import annotations

import math
import shutil
from dataclasses import astuple, replace

import pytest

from studies.kit.blocks import block_of
from studies.kit.compared import Compared
from studies.kit.rows import read_rows
from studies.paper import figures, search
from studies.paper.baselines import BASELINES, baseline_tables, setting_tables, ter_tables
from studies.paper.best import best_tables, similarities
from studies.paper.competitors import competitor_tables, on_suite
from studies.paper.finals import best_known, winners
from studies.paper.pages import BLOCKS, COLUMNS, PAGE, RUNS, marks, rows_of, text_of, write_page, write_runs
from studies.paper.ranks import board_of, tally_of
from studies.paper.results import BEST, HERE, PARTS, STORE, Results, errors_of, specs_of
from studies.paper.sample import AGAIN
from studies.paper.scalability import scalability_tables
from studies.paper.scheduler import regret_table, return_table, returns_of
from studies.paper.times import time_table
from studies.paper.verdicts import cells_of, counted
from ter.analysis import published
from ter.experiment import Store
from ter.experiment.best_known import BestStore
from tests.experiment.best_known.helpers import known
from tests.studies.made_runs import made_run, results_of

LEVELS = {"ter": 1.0, "ran": 2.0, "ls": 3.0, "cc": 4.0, "gs": 5.0}
NOBODY = Results.of([])


def texts(table, row):
    (found,) = [each for each in table.rows if each.title == row]
    return [f"{cell.text}{cell.mark}" for cell in found.cells]


def like_the_paper(spec):
    return published(BASELINES[spec.label]).find(spec.key.problem).mean


def by_level(spec):
    return LEVELS[spec.label] * 1000 + spec.run


def test_nothing_is_planned_twice_and_everything_is_planned():
    keys = [spec.key for part in PARTS for spec in specs_of(part)]
    assert len(set(keys)) == len(keys)
    planned = {part: len(specs_of(part)) for part in PARTS}
    assert (
        planned["ter"] == 15 * 20 and planned["baselines"] == 15 * 4 * 10 and planned["hyperparameters"] == 15 * 2 * 10
    )
    assert planned["scalability"] == 6 * (20 + 10 + 5 + 2) and planned["ackley"] == 3 * 20
    small = {(spec.label, spec.run) for spec in specs_of("competitors on LSO08")}
    names = ("mts", "mos", "cso", "cso 0.15", "cc-cma-es", "decc-d", "decc-dg2", "shade-ils")
    assert small == {(name, run) for name in names for run in range(1, 6)}


def test_only_finished_runs_of_the_plan_count_and_the_newest_of_each():
    first, second, *_ = specs_of("ter")
    old = replace(made_run(first, 7.0), started="2030-01-01")
    new = replace(made_run(first, 8.0), started="2031-01-01", key=replace(first.key, code="new"), label="other name")
    failed = replace(made_run(second, math.nan), traceback="Boom")
    stranger = replace(made_run(first, 9.0), key=replace(first.key, seed=1))
    (kept,) = Results.of([new, old, failed, stranger]).part("ter")
    assert (kept.fun, kept.label, kept.run) == (8.0, "ter", 1)


def test_stores_that_are_not_there_are_empty(tmp_path):
    with Store(tmp_path / "results.sqlite", write=True) as store:
        store.add(made_run(specs_of("ter")[0], 5.0))
    found = Results.read(tmp_path / "nothing.sqlite").joined(Results.read(tmp_path / "results.sqlite"))
    assert errors_of(found.part("ter"), "lso13-raw/f1", "ter") == (5.0,)


def test_a_row_says_what_the_numbers_say():
    row = [cell.text for cell in cells_of(Compared((4.0, 8.0), 3.5, 1.0))]
    assert row == ["6.00e0 ± 2.8e0 (2)", "6.00e0", "3.50e0 ± 1.0e0", "1.7", "yes", "yes", "no"]
    assert [cell.text for cell in cells_of(Compared((), 3.5, 1.0))] == ["–", "–", "3.50e0 ± 1.0e0", "–", "–", "–", "–"]
    assert [cell.text for cell in cells_of(Compared((1e-20,), 0.0, 0.0))][3:] == ["both solved", "yes", "yes", "yes"]


def test_functions_are_counted():
    rows = {"f1": Compared((2.1,), 1.0, 1.0), "f2": Compared((20.0,), 1.0, 1.0), "f3": Compared((1.9,), 1.0, 0.1)}
    assert counted(rows).startswith(
        "Of 3 functions: 2 of the same order of magnitude, 1 within a factor of 2, 1 inside"
    )
    assert counted({"f1": Compared((), 1.0)}) == "Nothing to compare yet."


def test_runs_like_the_papers_get_its_ranks():
    results = results_of(like_the_paper, "ter", "baselines")
    (table,) = ter_tables(results)
    assert "Of 15 functions: 15 of the same order of magnitude, 15 within a factor of 2, 15 inside" in table.notes[0]
    ranks, *others = baseline_tables(results)
    assert [texts(ranks, label)[0] for label in BASELINES] == ["1.63", "2.53", "3.70", "4.47", "2.67"]  # an erratum
    assert [texts(ranks, label)[1] for label in BASELINES] == ["1.63", "2.53", "3.70", "4.67", "2.67"]
    assert "p = 7.4e-6" in ranks.notes[0] and ranks.notes[1] == "The paper's p is 7.38e-6."
    assert len(others) == 4 and "beside RAN (paper)" in others[0].title


def test_tests_are_paired_by_seeds():
    ranks, *_ = baseline_tables(results_of(by_level, "ter", "baselines"))
    assert texts(ranks, "ran") == ["2.00", "2.53", "15/0/0", "9/5/1"]
    assert texts(ranks, "ter")[2] == "–"


def test_runs_without_seeds_in_common_are_compared_by_welch():
    results = results_of(lambda spec: (1.0 if spec.label == "ter" else 50.0) + spec.run, "ter", "competitors on LSO13")
    board = board_of(on_suite(results.part("ter", "competitors on LSO13"), "lso13-raw"))
    (mts,) = [column for column in board.own if column.name == "mts"]
    assert str(tally_of(board, mts)) == "15/0/0"


def test_errors_below_the_precision_share_their_rank():
    results = results_of(lambda spec: {"ter": 1e-25, "ls": 1e-30}.get(spec.label, 1e-3), "ter", "baselines")
    ranks, *_ = baseline_tables(results)
    assert [texts(ranks, label)[0] for label in BASELINES] == ["1.50", "4.00", "1.50", "4.00", "4.00"]


def test_the_two_functions_of_ackley_are_never_put_together():
    parts = ("ter", "ackley", "competitors on LSO13")
    results = results_of(lambda spec: 2.0 if spec.key.problem.startswith("lso13-raw") else 1.0, *parts, runs=1)
    everyone = results.part(*parts)
    for suite, on_ackley in (("lso13-raw", 2.0), ("lso13", 1.0)):
        kept = on_suite(everyone, suite)
        assert {record.key.problem.partition("/")[0] for record in kept} == {suite}
        for label in ("ter", "mos", "mts"):
            assert errors_of(kept, f"{suite}/f3", label) == (on_ackley,)
            assert len(errors_of(kept, f"{suite}/f4", label)) == 1
    titles = {table.title: table for table in competitor_tables(results)}
    assert texts(titles["The official Ackley functions of LSO13"], "f10")[:2] == ["1.00e0 (1)", "1.00e0 (1)"]
    assert texts(titles["mos on LSO13, beside MOS (paper)"], "f6")[0] == "2.00e0 (1)"
    ranked = titles["Competitors on LSO13 with the raw Ackley, as in the paper"]
    assert "shade-ils" not in [row.title for row in ranked.rows] and "all of them have runs on: 15." in ranked.notes[0]


def test_settings_have_doubtful_numbers_marked():
    tables = setting_tables(results_of(lambda spec: 2.7e6, "ter", "hyperparameters", runs=1))
    row = texts(tables[1], "f5")
    assert row[2:4] == ["2.72e8 ± 5.1e5*", "–"] and any("surely 2.72E+06" in note for note in tables[1].notes)


def test_sizes_and_similarities_across_them():
    specs = [spec for spec in specs_of("scalability") if spec.run <= 2]
    decisions = {1000: "LCGG", 2500: "LCGG", 5000: "LCLL", 10_000: "CCCC"}
    results = Results.of(made_run(spec, 26.0, decisions[spec.key.dimension]) for spec in specs)
    *errors, alike = scalability_tables(results)
    assert [table.title.rpartition(" ")[2] for table in errors] == ["1000", "2500", "5000", "10000"]
    assert texts(errors[0], "f2")[3] == "1" and texts(errors[3], "f2")[3] == "0.18"
    row = dict(zip(alike.header[1:], texts(alike, "f1"), strict=True))
    assert row["1000"] == "100.0" and row["1000 – 2500"] == "100.0 (85.4)"
    assert row["1000 – 5000"] == "50.0 (78.5)" and row["5000 – 10000"] == "25.0 (77.3)"


@pytest.mark.parametrize(
    ("decisions", "rewards", "counts"),
    [
        ("LCGLLL", (1, 1, 1, 1, 1, 1), (6, 0, 0, 0.0, 0.0)),  # first starts are no returns
        ("LCGLLLLC", (1, 1, 1, 1, 1, 1, 1, 0.5), (8, 1, 0, 1 / 8, 0.0)),
        ("LCGLLLLC", (1, 1, 1, 1, 1, 1, 1, 0.01), (8, 1, 1, 1 / 8, 1 / 8)),
        ("LCGLLLLCG", (1, 1, 1, 1, 1, 1, 1, 0.01, 0.0), (9, 2, 2, 2 / 9, 2 / 9)),
        ("LCGLLLLC", (1, 1, 0, 0, 0, 0, 0, 0), (8, 1, 0, 1 / 8, 0.0)),  # nothing brings anything any more
    ],
)
def test_forced_returns_are_counted(decisions, rewards, counts):
    found = returns_of(made_run(specs_of("ter")[0], 1.0, decisions, tuple(map(float, rewards))))
    assert astuple(found) == counts


def test_returns_are_averaged_over_runs():
    first, second = (spec for spec in specs_of("ter") if spec.key.problem == "lso13-raw/f4" and spec.run <= 2)
    records = [made_run(first, 1.0, "LCGLLLLC", (1.0,) * 7 + (0.01,)), made_run(second, 1.0, "LCGLLL")]
    assert texts(return_table(records), "f4") == ["7.0", "0.5", "0.5", "6 %", "6 %"]
    assert texts(return_table(records), "f5") == ["–"] * 5


def test_regret_to_the_best_heuristic_and_to_bek():
    records = results_of(by_level, "ter", "baselines").part("ter", "baselines")
    best = known(
        problem="lso13-raw/f4", dimension=1000, budget="3000000", values=(9e9, 9e9), fresh_values=(200.0, 200.8)
    )
    table = regret_table(records, {"lso13-raw/f4": best})
    assert texts(table, "f4") == ["1.00e3", "ls 3.00e3", "0.33", "2.00e2", "5"]
    assert texts(table, "f5")[3:] == ["–", "–"]
    without = [record for record in records if record.label != "gs"]
    assert texts(regret_table(without, {}), "f4") == ["1.00e3", "–", "–", "–", "–"]


def test_bek_and_the_similarity_to_it():
    results = results_of(by_level, "ter", "baselines")
    best = known(problem="lso13-raw/f2", sequence=("ls1", "cc", "cc"), values=(0.03, 0.03), fresh_values=())
    errors, searches, alike = best_tables(results, {"lso13-raw/f2": best})
    assert texts(errors, "f2")[:4] == ["3.00e-2 ± 0 (2)", "3.00e-2", "2.25e-2 ± 1.0e-2", "1.3"]
    assert texts(searches, "f2") == ["9", "no. 7 (swap in no. 3)", "1 / 2 / 0", "3.00e-2 (2)", "–"]
    assert texts(searches, "f3") == ["–"] * 5
    assert texts(alike, "f2")[:2] == ["66.7 (78.1)", "66.7 (31.6)"] and texts(alike, "f1") == ["–"] * 5
    assert texts(alike, "mean rank")[0] == "3.00 (4.29)"  # all are equally similar
    assert math.isnan(similarities([], {"lso13-raw/f2": best})["lso13-raw/f2"]["ter"])


def test_runs_and_hours_are_counted(tmp_path):
    table = time_table(results_of(by_level, "ter", "baselines"), [tmp_path / "nothing.sqlite"])
    assert texts(table, "ter") == ["300", "45", "0.45"] and texts(table, "ackley") == ["60", "0", "0.00"]
    assert texts(table, "all")[1:] == ["225", "2.25"]


def test_a_page_without_runs_has_dashes_only(tmp_path):
    page = tmp_path / "paper.md"
    shutil.copy(PAGE, page)
    write_page(NOBODY, {}, page)
    text = page.read_text(encoding="utf-8")
    assert "| f4 | – | – | 6.98e8 ± 2.5e8 | – | – | – | – |" in text and "Of " not in block_of(page, *marks("ter"))
    assert "![" not in text  # no picture was drawn there
    outside = [part.split("<!-- end of")[-1] for part in text.split("made by studies/paper/pages.py -->")]
    before = [part.split("<!-- end of")[-1] for part in PAGE.read_text().split("made by studies/paper/pages.py -->")]
    assert outside == before


def test_every_block_of_the_page_is_written():
    for name in BLOCKS:
        assert block_of(PAGE, *marks(name))


def test_rows_keep_digits_milestones_and_decisions(tmp_path):
    run = replace(made_run(specs_of("ter")[0], 0.1 + 0.2, "LLLCG"), milestones={600_000: 1 / 3, 120_000: 2.0})
    (row,) = rows_of([run])
    assert row["decisions"] == "ls1×3 cc gs" and row["error"] == "0.30000000000000004" and row["dimension"] == "1000"
    assert row["milestones"] == "120000:2.0 600000:0.3333333333333333" and set(row) == set(COLUMNS)
    write_runs([run], tmp_path / "runs.csv")
    assert (tmp_path / "runs.csv").read_text(encoding="utf-8").splitlines()[0] == ",".join(COLUMNS)


def test_curves_are_drawn_of_what_is_there(tmp_path):
    assert figures.write_curves(NOBODY, tmp_path) == []
    results = results_of(by_level, "ter", "baselines", runs=1)
    (path,) = figures.write_curves(results, tmp_path)
    first = path.read_bytes()
    assert path.name == "paper-baselines.svg" and b"<svg" in first
    board = figures.board_of(results, figures.CURVES["paper-baselines"])
    assert [case.name for case in board.study.cases] == ["f7", "f8", "f15"] and board.study.reference == "ter"
    figures.write_curves(results, tmp_path)
    assert path.read_bytes() == first


def test_the_search_covers_all_functions(tmp_path, monkeypatch, capsys):
    asked = {}

    def find(wanted, store, *, sequences, given, workers, progress):
        asked[wanted.problem] = (sequences, wanted.first, wanted.runs, list(given))

    monkeypatch.setattr(search, "find_best", find)
    monkeypatch.setattr(search, "run_again", lambda wanted, *args, **settings: known(problem=wanted.problem))
    monkeypatch.setattr(search, "STORE", tmp_path / "nothing.sqlite")
    search.main(["--store", str(tmp_path / "best.sqlite")])
    assert list(asked) == [f"lso13-raw/f{k}" for k in range(1, 16)]
    assert asked["lso13-raw/f4"] == (67, 43, 1, []) and asked["lso13-raw/f6"][::2] == (91, 1)
    search.main(["f7", "--sequences", "60"])
    assert asked["lso13-raw/f7"][0] == 60


def test_recorded_runs_are_tried_first(tmp_path):
    path = tmp_path / "results.sqlite"
    good, bad = (spec for spec in specs_of("baselines") if spec.name == "lso13-raw/f4 D=1000 ran run 1" or spec.name
                 == "lso13-raw/f4 D=1000 ran run 2")  # fmt: skip
    with Store(path, write=True) as store:
        store.add(made_run(bad, 9.0, "C"))
        store.add(made_run(good, 1.0, "GL"))
    first, second = search.recorded(search.search_of("f4"), path)
    assert first[:3] == ("gs", "ls1", "gs") and set(second) == {"cc"}
    assert search.recorded(search.search_of("f5"), path) == []


def test_the_committed_search_goes_on_with_the_same_settings():
    with BestStore(BEST) as store:
        for problem, best in winners(BEST).items():
            function = problem.partition("/")[2]
            if function not in ("f1", "f3", "f12"):  # which were begun with more sequences, and are complete
                assert store.search_of(best).settings == search.search_of(function).settings


def test_what_is_committed_is_small_enough():
    kept = [path for path in (*HERE.glob("*.sqlite"), *HERE.glob("*.csv")) if path != AGAIN]
    assert sum(path.stat().st_size for path in kept) < 20_000_000


@pytest.mark.slow
def test_the_page_and_the_file_are_those_of_the_store():
    own = Results.read(STORE)
    rows = read_rows(RUNS)
    assert tuple(rows[0]) == COLUMNS and len(rows) == len(own.found)
    assert [row["error"] for row in rows] == [row["error"] for row in rows_of(own.found.values())]
    for name in sorted(set(BLOCKS) - {"competitors", "runs"}):  # the others read the store of the competitors too
        assert text_of(name, own, best_known()) == block_of(PAGE, *marks(name))
