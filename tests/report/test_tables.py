from __future__ import annotations

from dataclasses import replace

import pytest
from scipy import stats

from ter.report import BestSequence, Board, Study, tables_of
from ter.report.table import p_text
from ter.report.tables.one import case_table
from tests.report.made import made_record, small_study


def tables(records, *names, against=None):
    return {table.name: table for table in tables_of(Board.of(Study.of(records, against), names))}


def texts(table):
    return {row.title: [cell.whole for cell in row.cells] for row in table.rows}


def test_means_deviations_and_signs(records):
    table = tables(records)["errors"]
    assert table.title == "Mean final error after 600\xa0000 evaluations"
    assert table.header == ("lso13", "ter", "ran", "ls")
    assert texts(table) == {
        "f1": ["2.00e0 ± 1.0e0", "2.10e1 ± 1.1e1 ≈", "0 ± 0 ≈"],
        "f2": ["6.00e3 ± 1.0e3", "6.03e3 ± 1.0e3 ≈", "9.10e4 ± 1.7e3 <"],
        "t-test </≈/>": ["", "0/2/0", "1/1/0"],
        "mean rank": ["1.50", "2.50", "2.00"],
    }
    assert [[cell.best for cell in row.cells] for row in table.rows[:2]] == [[False, False, True], [True, False, False]]
    assert [cell.level for cell in table.rows[0].cells] == [0.5, 1.0, 0.0]


def test_another_reference_turns_the_signs(records):
    table = tables(records, against="ls")["errors"]
    assert table.header == ("lso13", "ls", "ter", "ran")
    assert texts(table)["f2"][1].endswith(">") and "where ls is significantly better" in table.notes[1]


def test_published_columns_are_marked(records):
    table = tables(records, "paper", "mos", "mlshade-spa")["errors"]
    assert table.header[4:] == ("TER (paper)", "MOS", "MLSHADE-SPA")
    cells = table.rows[0].cells
    assert cells[3].mark == "†" and cells[3].faint and cells[3].level is None
    assert cells[4].mark == "" and cells[4].value == 3.48 and cells[4].level is not None
    assert table.notes[-1].startswith("† published after another number of evaluations (3\xa0000\xa0000)")


def test_ackley_is_a_dash_with_a_footnote():
    records = [made_record(run=run, problem="lso13/f3", label=label) for run in (1, 2) for label in ("ter", "ls")]
    table = tables(records, "mos", "cosacc-ls1")["errors"]
    cells = table.rows[0].cells
    assert (cells[2].whole, cells[2].value) == ("–‡", None) and cells[3].value is not None
    assert "‡ published for the other version of Ackley's function: never compared." in table.notes


def test_failed_and_missing_runs_are_told_beside_the_numbers():
    records = [made_record(run=run) for run in (1, 2, 3)]
    records += [made_record(label="ls"), made_record(label="ls", run=2, traceback="Boom\n")]
    found = tables(records)
    assert texts(found["errors"])["f1"][1] == "∞° ≈"
    assert (
        found["errors"].notes[-1]
        == "° ls on f1: 1 failed and 1 missing of 3 runs. A failed run counts as infinitely bad."
    )
    assert texts(found["medians"])["f1"][1].startswith("∞ (1.0e0 to ∞)")
    assert texts(found["runs"])["ls"][:3] == ["1", "1", "1"]


def test_ranks_and_tests(records):
    table = tables(records)["ranks"]
    assert [row.title for row in table.rows] == ["ter", "ls", "ran"]
    # On two problems nothing can be significant: p is 1/2 where both agree, times two by Holm.
    assert texts(table)["ran"] == ["2.50", "0", "0/2/0", "0.78", "1 ≈"]
    assert "Friedman's test: χ² = 1.00" in table.notes[0] and "cannot be told apart" in table.notes[0]


def test_ranks_beside_published_results_say_what_was_left_out(records):
    table = tables(records, "mos", "shade-ils")["ranks-published"]
    assert {row.title for row in table.rows} == {"ter", "ran", "ls", "MOS"}
    assert table.notes[-1] == "Without results to compare with: SHADE-ILS."


def test_milestones_and_points(records):
    found = tables(records)
    assert texts(found["milestones"])["f1 after 120\xa0000"] == ["6.00e0", "6.30e1", "0"]
    points = texts(found["points"])
    assert points == {"ter": ["43", "43", "86"], "ls": ["40", "40", "80"], "ran": ["33", "33", "66"]}


def test_at_a_milestone_a_failed_run_is_infinitely_bad_too(records):
    broken = made_record(problem="lso13/f1", label="ran", run=3, traceback="Boom\n")
    found = tables([broken if (r.label, r.run, r.key.problem) == ("ran", 3, "lso13/f1") else r for r in records])
    assert texts(found["milestones"])["f1 after 120\xa0000"] == ["6.00e0", "∞", "0"]


def test_without_common_milestones_there_are_no_points(records):
    changed = [replace(records[0], milestones={}), *records[1:]]
    assert "points" not in tables(changed) and "milestones" in tables(records)


def test_running_times_until_the_median_of_the_reference(records):
    table = tables(records)["running-times"]
    ter, ran, ls = table.rows[0].cells
    assert table.rows[0].title == "f1: 2.00e0" and ran.text == "∞"
    # Two of three runs reach it with their last but one evaluation, the third spends all.
    assert ter.value == pytest.approx((2 * 599_999 + 600_000) / 2) and ls.value < ter.value


def test_shares_and_similarities(records):
    found = tables(records)
    shares = texts(found["shares"])
    assert list(shares) == [f"{label}: {name}" for label in ("ter", "ran") for name in ("ls1", "cc", "gs")]
    assert shares["ter: gs"][:2] == ["1.7", "42 %"]
    similar = found["similarity"]
    assert similar.header == ("algorithm", "ter", "ran") and similar.rows[0].cells[0].value == pytest.approx(250 / 3)
    assert similar.rows[0].cells[1].value == similar.rows[1].cells[0].value


def test_sizes_of_a_problem_are_compared_as_in_the_paper():
    records = [
        made_record(problem="lso08/f1", dimension=d, budget=1000 * d, run=run, decisions=decisions)
        for d in (100, 200)
        for run, decisions in ((1, "LCGG"), (2, "LCGG"))
    ]
    table = tables(records)["similarity-ter-lso08-f1"]
    assert table.header == ("size", "D = 100", "D = 200")
    assert [[cell.value for cell in row.cells] for row in table.rows] == [[100, 100], [100, 100]]


def test_one_problem_in_words(records):
    board = Board.of(Study.of(records), ["mos"])
    found = texts(case_table(board, board.study.cases[1]))
    p = stats.ttest_rel((5e3, 6e3, 7e3), (9e4, 9e4, 9.3e4)).pvalue
    assert found["ls"][4:] == ["3", f"better, p = {p_text(p)}"]
    assert found["ter"][5] == "" and found["MOS"][:2] == ["1.78e3", ""]


def test_every_experiment_has_tables(partial):
    found = tables(partial, "paper", "mos")
    assert {"errors", "medians", "runs"} <= set(found)
    for table in found.values():
        assert "nan" not in " ".join(cell.whole for row in table.rows for cell in row.cells).lower().replace("nano", "")


def test_superseded_runs_and_several_versions_of_the_code_are_told():
    again = [replace(record, key=replace(record.key, code="new"), started="2031") for record in small_study()[:2]]
    notes = tables([*small_study(), *again])["runs"].notes
    assert notes[1:] == (
        "2 older results of runs that were done again are not used.",
        "The runs were done by 2 versions of the code.",
    )


def test_decisions_are_compared_with_the_best_known_sequences():
    records = [
        *(made_record(2.0 + run, run=run, decisions="LCGG", f_opt=-10.0) for run in (1, 2)),
        *(made_record(2.0, label="ran", run=run, decisions="GLLL", f_opt=-10.0) for run in (1, 2)),
        made_record(5.0, label="shade", f_opt=-10.0),
        made_record(1.0, problem="lso13/f2", decisions="LC"),
    ]
    best = [
        BestSequence("lso13/f1", 1000, "600000", ("ls1", "cc", "gs"), (-9.0, -7.0)),
        BestSequence("lso13/f2", 1000, "3000000", ("ls1",), (1.0,)),  # of another budget
    ]
    table = {t.name: t for t in tables_of(Board.of(Study.of(records), best=best))}["similarity-best-known"]
    assert table.header == ("lso13", "best known", "ter", "ran")  # shade decides nothing
    assert texts(table) == {"f1": ["2.00e0 ± 1.4e0", "100.0", "33.3"], "mean": ["", "100.0", "33.3"]}
    assert len(table.notes) == 1


def test_a_best_known_sequence_judged_by_the_runs_that_chose_it_is_marked(records):
    best = [BestSequence("lso13/f1", 1000, "600000", ("cc",), (3.0,), flattered=True)]
    table = {t.name: t for t in tables_of(Board.of(Study.of(records), best=best))}["similarity-best-known"]
    assert table.rows[0].cells[0].whole == "3.00e0§" and "flatter" in table.notes[1]
    assert "similarity-best-known" not in tables(records)
