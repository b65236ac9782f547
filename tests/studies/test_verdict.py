"""The verdict: its problems, the count of evaluations, and tables of runs that were made up."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ter
from bench.solvers import Enough, run_solver
from studies.beyond import verdict_ours, verdict_peers, verdict_tables
from studies.beyond.unseen import UNSEEN, unseen
from studies.beyond.verdict_set import ABLATION, LARGE, TUNED_GALLERY, VERDICT, Entry, find
from studies.kit.blocks import block_of

SMALL, OTHER = Entry("small", 10, "made"), Entry("other", 20, "made")
KNOWN = {SMALL: 5.0, OTHER: None}


def peer(entry, who, value, *, seed=1, evaluations=None):
    count = 100 * entry.dimension if evaluations is None else evaluations
    return verdict_peers.Row(entry.name, entry.dimension, who, seed, count, value, 1.0)


def ours(entry, who, errors, *, seed=1, per_variable=100):
    budget = per_variable * entry.dimension
    value = errors[-1] + (KNOWN[entry] or 0.0)
    return verdict_ours.Row(entry.name, entry.dimension, who, seed, budget, "code", budget, value, 1.0, tuple(errors))


@pytest.mark.parametrize("name", UNSEEN)
def test_the_optimum_is_where_it_says(name):
    problem = unseen(name)
    assert np.all(np.abs(problem.x_opt) < 5.0)
    assert problem.f_opt != 0.0
    assert problem(problem.x_opt) == pytest.approx(problem.f_opt, abs=1e-9)
    rng = np.random.default_rng(1)
    for size in (1e-6, 1e-3, 1e-1, 1.0):
        steps = size * rng.standard_normal((20, problem.dimension))
        assert np.all(problem(np.clip(problem.x_opt + steps, -5.0, 5.0)) >= problem.f_opt - 1e-9)


def test_unseen_functions_are_the_same_every_time():
    x = np.linspace(-4.0, 4.0, 100)
    assert unseen("katsuura")(x) == unseen("katsuura")(x)


def test_nothing_of_the_verdict_was_tuned_on():
    names = {entry.name for entry in (*VERDICT, *LARGE)}
    assert names.isdisjoint(TUNED_GALLERY)
    assert names.isdisjoint(entry.name for entry in ABLATION)
    assert not any(name.startswith(("lso10/", "functions/")) for name in names)
    assert len({(entry.name, entry.dimension) for entry in VERDICT}) == len(VERDICT) == 41


@pytest.mark.parametrize("entry", [VERDICT[14], VERDICT[20], VERDICT[38], ABLATION[7]], ids=lambda entry: entry.name)
def test_a_problem_has_the_size_that_the_set_says(entry):
    assert entry.problem().dimension == entry.dimension
    assert find(entry.name, entry.dimension) is entry


def test_the_code_of_an_unseen_function_counts():
    assert find("unseen/levy", 200).code != find("lso13/f1", 1000).code


@pytest.fixture
def sphere():
    return ter.Problem(lambda x: float((x**2).sum()), ter.box(-1, 3, dimension=6))


def watched(problem, milestones, **settings):
    return verdict_peers.Watched(problem, problem.lower, problem.upper, milestones, **settings)


def test_nobody_evaluates_more_than_the_budget(sphere):
    seen = []
    counted = watched(in_the_box(sphere, seen), (3, 5))
    for k in range(5):
        counted(np.full(6, 3.0 - k / 2))
    with pytest.raises(Enough):
        counted(np.zeros(6))
    assert len(seen) == counted.count == 5
    assert counted.ends == [(3, 24.0), (5, 6.0)]


def in_the_box(problem, seen):
    def value(x):
        assert np.all((x >= problem.lower) & (x <= problem.upper))
        seen.append(x)
        return problem(x)

    return ter.Problem(value, problem.bounds)


def test_points_outside_are_mirrored(sphere):
    seen = []
    counted = watched(in_the_box(sphere, seen), (9,))
    for outside in (-1.5, 3.5, -6.0, 100.0):
        counted(np.full(6, outside))
    assert [float(x[0]) for x in seen] == pytest.approx([-0.5, 2.5, 2.0, 2.0])


def test_a_run_that_takes_too_long_is_cut_and_left_out(sphere):
    counted = watched(sphere, (100, 1000), seconds=-1.0)
    with pytest.raises(Enough):
        counted(np.zeros(6))
    assert counted.ends == [(0, math.inf)]
    cut = peer(SMALL, "a", 6.0, evaluations=700)
    assert verdict_tables.errors_of_peers([cut], KNOWN, 100) == {SMALL: {}, OTHER: {}}
    assert "a on small 10" in verdict_tables.cut_short([cut, peer(SMALL, "b", 6.0)])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("who", verdict_peers.PEERS)
def test_every_peer_uses_its_budget_and_no_more(sphere, who):
    solver = verdict_peers.PEERS[who]
    if isinstance(solver, str):
        rows = verdict_peers.run(Entry("sphere", 6, "made"), sphere, who, 1, (300, 900))
        assert [row.evaluations for row in rows] == [300, 900]
        assert rows[1].value <= rows[0].value
        return
    if not solver.installed:
        pytest.skip(f"{solver.package} is not installed")
    counted = watched(sphere, (300, 900))
    run_solver(solver, counted, sphere.lower, sphere.upper, 1)
    assert counted.count == 900
    assert [count for count, _ in counted.ends] == [300, 900]


def test_rows_are_read_as_they_were_written(tmp_path):
    file = tmp_path / "ours.csv"
    rows = [ours(SMALL, "default", [3.0, 0.1234]), ours(OTHER, "alone: ls1", [-1.0, -7.5])]
    verdict_ours.write(rows, file)
    assert verdict_ours.read(file) == rows
    theirs = tmp_path / "peers.csv"
    row = peer(SMALL, "a", 0.1 + 0.2)
    theirs.write_text(f"{','.join(verdict_peers.COLUMNS)}\n{','.join(row.texts)}\n", encoding="utf-8")
    assert verdict_peers.read(theirs) == [row]
    assert verdict_ours.read(tmp_path / "none.csv") == verdict_peers.read(tmp_path / "none.csv") == []


def test_errors_after_equal_shares():
    curve = np.array([[1.0, 9.0], [50.0, 7.0], [51.0, 6.0], [100.0, 5.5]])
    assert verdict_ours.at_shares(curve, 100, 2, 5.0) == (2.0, 0.5)
    assert verdict_ours.at_shares(curve, 100, 4, None) == (9.0, 7.0, 6.0, 5.5)


@pytest.mark.parametrize("who", ["default", "alone: volleys", "without: lines", "round-robin", "ter"])
def test_a_run_of_ours(who):
    entry = find("unseen/gallagher", 100)
    row = verdict_ours.run(entry, entry.problem(), who, 1, 6000)
    assert row.evaluations <= row.budget == 6000
    assert len(row.errors) == (2 if who.startswith("alone") else 50)
    assert row.errors[-1] == pytest.approx(row.value + 864.87)


def test_a_heuristic_alone_in_a_long_run_is_stopped_after_half_of_it(sphere):
    entry, budget = Entry("sphere", sphere.dimension, "made"), 1000 * sphere.dimension
    row, short = (verdict_ours.run(entry, sphere, "alone: volleys", 1, b) for b in (budget, budget - 6))
    assert (row.budget, row.evaluations, len(row.errors)) == (budget, budget // 2, 1)
    assert (short.budget, short.evaluations, len(short.errors)) == (budget - 6, budget - 6, 2)
    assert len(verdict_ours.run(entry, sphere, "default", 1, budget).errors) == 50


def test_of_a_run_that_somebody_has_ended_nothing_is_kept(sphere):
    def interrupted(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verdict_ours.run(Entry("cut", 6, "made"), ter.Problem(interrupted, sphere.box), "default", 1, 6000)


def test_what_other_code_has_done_stays_if_it_may(monkeypatch, tmp_path, capsys):
    """Of one problem with one seed: what is there is not run again, and what is missing is."""
    entry = find("unseen/gallagher", 100)
    monkeypatch.setattr(verdict_ours, "LONG_FILE", tmp_path / "long.csv")
    monkeypatch.setattr(verdict_ours, "_long_jobs", lambda seeds: [(entry, who, 1, 2000) for who in ("default", "ter")])
    old = verdict_ours.Row(*(entry.name, entry.dimension, "default", 1, 2000, "old", 2000, -1.0, 1.0, (2.0,)))
    verdict_ours.write([old], verdict_ours.LONG_FILE)
    verdict_ours.main(["--long", "--any-code"])
    rows = verdict_ours.read(verdict_ours.LONG_FILE)
    assert [row.who for row in rows] == ["default", "ter"] and rows[0] == old and rows[1].evaluations == 2000
    verdict_ours.main(["--long"])
    assert [row.code for row in verdict_ours.read(verdict_ours.LONG_FILE)] == [entry.code] * 2
    assert capsys.readouterr().out.count("unseen/gallagher") == 2


def test_more_than_1_is_always_worse():
    assert verdict_tables.quotient(3.0, 2.0) == 1.5
    assert verdict_tables.quotient(-2.0, -3.0) == 1.5
    assert verdict_tables.quotient(1.0, -3.0) == math.inf
    assert verdict_tables.quotient(-3.0, 1.0) == 0.0


def test_the_table_of_peers():
    theirs = [
        peer(SMALL, "a", 7.0),
        peer(SMALL, "a", 9.0, seed=2),
        peer(SMALL, "a", 8.0, seed=3),
        peer(SMALL, "b", 5.0 + 1e-12),
        peer(SMALL, "b", 6.0, evaluations=300),
        peer(OTHER, "a", -30.0),
    ]
    mine = [ours(SMALL, "default", [9.0, 2.0]), ours(OTHER, "default", [-1.0, -20.0])]
    errors = verdict_tables.errors_of_ours(mine, KNOWN, 100), verdict_tables.errors_of_peers(theirs, KNOWN, 100)
    assert verdict_tables.peers_table([SMALL, OTHER], *errors).splitlines()[2:] == [
        "| small | 10 | 2.00e+00 | 1.00e-08 | b | 2e+08 | 2 of 3 |",
        "| other | 20 | -2.00e+01 | -3.00e+01 | a | 1.5 | 2 of 2 |",
    ]
    summary = verdict_tables.summary_of(verdict_tables.lines_of([SMALL, OTHER], *errors), [SMALL, OTHER])
    assert summary == "First on 0, first or within a factor of 1.5 of the first on 1 of 2, 50 %. Mean rank 2.0."
    assert verdict_tables.wins_table([SMALL, OTHER], *errors).splitlines()[2:] == [
        "| a | 1 | 1 | 2 |",
        "| b | 1 | 1 | 1 |",
        "| ours | 0 | 1 | 2 |",
    ]


def test_the_best_heuristic_alone_in_the_place_of_the_default():
    errors = {SMALL: {"default": 9.0, "alone: x": 3.0, "alone: y": 2.0, "without: x": 1.0}, OTHER: {"default": 1.0}}
    assert verdict_tables.best_alone(errors) == {SMALL: {"default": 2.0}}


def test_what_has_not_been_run_is_a_dash():
    assert "| small | 10 | – | – | – | – | – |" in verdict_tables.peers_table([SMALL], {}, {SMALL: {"a": 1.0}})
    assert "1 of 1 problems have not been run" in verdict_tables.summary_of([], [SMALL])
    assert verdict_tables.regret_table([SMALL], {30: {}}).splitlines()[2] == "| small | 10 | – | – | – |"


def test_regret_is_what_the_default_needs_for_what_one_heuristic_reaches_in_half():
    assert verdict_tables.regret_ratio([9.0, 5.0, 5.0, 1.0], 5.0) == 1.0
    assert verdict_tables.regret_ratio([9.0, 5.0, 5.0, 1.0], 4.0) == 2.0
    assert verdict_tables.regret_ratio([9.0, 5.0], 4.0) == math.inf
    rows = [
        ours(SMALL, "alone: x", [4.0, 0.0]),
        ours(SMALL, "alone: y", [3.0, 1.0]),
        ours(SMALL, "default", [8.0, 8.0, 8.0, 3.0]),
        ours(OTHER, "alone: x", [-5.0, -9.0]),
        ours(OTHER, "default", [-1.0, -4.0]),
    ]
    found = verdict_tables.regrets_of(rows, KNOWN, 100)
    assert found[SMALL] == verdict_tables.Regret("y", 3.0, 2.0)
    assert found[OTHER] == verdict_tables.Regret("x", -5.0, math.inf)
    assert verdict_tables.regret_table([SMALL, OTHER], {100: found}).splitlines()[2:] == [
        "| small | 10 | y | 3.00e+00 | 2 |",
        "| other | 20 | x | -5.00e+00 | – |",
        "",
        "With 100 evaluations per variable 1 of 2 (50 %) have a ratio of at most 2; for 0 it is between 2 and 5, and "
        "for 1 above 5.",
    ]
    long = verdict_tables.regret_table([SMALL, OTHER], {100: found}, later=False)
    assert long.endswith("1 of 2 (50 %) have a ratio of at most 2; 1 are not there within their budget.")


def test_regret_by_part_and_budget():
    good, bad = verdict_tables.Regret("x", 1.0, 2.0), verdict_tables.Regret("x", 1.0, math.inf)
    apart = Entry("apart", 10, "another")
    found = {30: {SMALL: good, OTHER: bad, apart: good}, 1000: {SMALL: bad}}
    assert verdict_tables.regret_by_part([SMALL, OTHER, apart], found).splitlines()[2:] == [
        "| made | 1 of 2 | 0 of 1 |",
        "| another | 1 of 1 | – |",
        "| all | 2 of 3 | 0 of 1 |",
    ]


def test_a_longer_run_tells_how_late_the_default_is():
    rows = [
        ours(OTHER, "alone: x", [-5.0, -9.0]),
        ours(OTHER, "default", [-1.0, -4.0], seed=2),
        ours(OTHER, "default", [-2.0, -4.0, -4.0, -6.0, -6.0], seed=2, per_variable=250),
    ]
    late = verdict_tables.regrets_of(rows, KNOWN, 100)
    assert late[OTHER] == verdict_tables.Regret("x", -5.0, 4.0)  # 200 evaluations per variable instead of 50
    assert "at most 2; for 1 it is between 2 and 5" in verdict_tables.regret_table([OTHER], {100: late})
    # A longer run that is quicker by chance does not make up for one that was not there in time.
    rows[-1] = ours(OTHER, "default", [-6.0] * 5, seed=2, per_variable=250)
    assert verdict_tables.regrets_of(rows, KNOWN, 100)[OTHER].ratio > 2.0
    # Runs of other seeds say nothing about this one.
    rows[-1] = ours(OTHER, "default", [-6.0] * 5, seed=1, per_variable=250)
    assert verdict_tables.regrets_of(rows, KNOWN, 100)[OTHER].ratio == math.inf


def test_points_of_the_competition():
    tables = {10: np.array([[1.0, math.nan], [2.0, math.nan]]), 20: np.array([[1.0, 0.5], [2.0, math.nan]])}
    assert verdict_tables.league(tables, ["x", "y"]).splitlines()[2:] == [
        "| x | 50 | 43 | 93 |",
        "| y | – | 25 (1 functions) | 25 |",
    ]


def test_published_means_come_from_the_first_source_that_has_the_milestone():
    assert verdict_tables.published_means(("shade-ils", "shade-ils-dtgsk"), 3_000_000)[3] == 1.48e8
    assert verdict_tables.published_means(("shade-ils", "shade-ils-dtgsk"), 600_000)[3] == 1.53e9
    assert all(math.isnan(mean) for mean in verdict_tables.published_means(("shade-ils", "shade-ils-dtgsk"), 120_000))


def test_the_table_without_parts():
    errors = {SMALL: {"default": 2.0, "ter": 4.0}, OTHER: {"default": 3.0, "ter": 24.0, "without: x": 3.0}}
    assert verdict_tables.ablation_table([SMALL, OTHER], errors).splitlines()[2:] == [
        "| default | 2.00e+00 | 3.00e+00 | 1 |",
        "| ter | × 2 | × 8 | 4 |",
        "| without: x | – | × 1 | – |",
    ]


def test_the_page_has_the_tables_of_the_runs():
    made = verdict_tables.blocks()
    placed = verdict_tables.places(made)
    assert len(placed) == len(made) + 2
    for page, name in placed:
        assert block_of(page, f"<!-- {name}: made by verdict_tables.py -->", f"<!-- end of {name} -->") == made[name]
