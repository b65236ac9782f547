from __future__ import annotations

from pathlib import Path

import pytest

import ter

FOLDER = Path(__file__).parents[2] / "studies" / "decomposition"


@pytest.fixture
def study(monkeypatch):
    """The script as a module, found the way Python finds it when it is started."""
    monkeypatch.syspath_prepend(FOLDER)
    import study

    return study


def test_the_tables_of_the_pages_are_those_of_the_file(study):
    for page in study.PAGES:
        assert study.table(study.kept()) in page.read_text(encoding="utf-8")


def test_every_function_of_both_suites_is_there_with_both_methods(study):
    rows = {(row["suite"], row["function"], row["method"]) for row in study.kept()}
    suites, methods = ("lso13", "lso13-raw"), ("dg2", "rdg3")
    assert rows == {(s, f"f{n}", m) for s in suites for n in range(1, 16) for m in methods}


def test_another_program_found_the_same_groups_and_pairs(study):
    ours = {row["function"]: row for row in study.kept() if (row["suite"], row["method"]) == ("lso13", "dg2")}
    assert len(study.kept(study.INDEPENDENT)) == 8
    assert all(study.is_same(ours[other["function"]], other) for other in study.kept(study.INDEPENDENT))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "method"), [("lso13/f4", "dg2"), ("lso13/f8", "rdg3"), ("lso13-raw/f13", "rdg3")])
def test_a_row_that_is_repeated_is_the_same(study, name, method):
    row, _ = study.row_of(ter.problem(name), method)
    assert row in study.kept()


def test_true_pairs_of_a_chain_are_neighbours(study):
    assert study.true_pairs(ter.problem("lso13/f12")).sum() == 2 * 999
