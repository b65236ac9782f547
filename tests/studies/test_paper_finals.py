"""The finals between the best sequences of a search."""

from __future__ import annotations

from statistics import fmean

from studies.paper import finals
from ter.experiment.best_known import BestStore, find_best, run_again
from ter.experiment.best_known.proposals import Candidate
from tests.experiment.best_known.helpers import small_search


def candidate(number, *sequence):
    return Candidate(number, 1, "random", sequence)


def test_the_best_ones_and_the_best_heuristic_alone_are_in_the_final():
    ranked = [candidate(n, "ls1", "cc") for n in (7, 3, 9, 2)]
    singles = [candidate(5, "gs", "gs"), candidate(6, "cc")]
    assert [each.number for each in finals.finalists([*ranked, *singles])] == [7, 3, 9, 5]
    assert [each.number for each in finals.finalists([ranked[0], *singles, *ranked[1:]])] == [7, 5, 6]
    assert finals.finalists(ranked) == ranked[:3]


def test_the_lowest_mean_of_more_seeds_wins_and_keeps_its_number(tmp_path, monkeypatch):
    searched, path = tmp_path / "best.sqlite", tmp_path / "finals.sqlite"
    search = small_search(runs=1)
    find_best(search, searched, sequences=12, workers=1)
    first = run_again(search, searched, runs=2, workers=1)
    with BestStore(searched) as store:
        chosen = finals.finalists(store.ranked(first))
    monkeypatch.setattr(finals, "final_of", lambda problem: small_search(runs=finals.SEEDS, first=1))
    winner = finals.hold(search.problem, chosen, path, 1)
    assert winner == finals.hold(search.problem, chosen, path, 1)  # nothing is left to do
    with BestStore(path) as store:
        ranked = store.ranked(winner)
        means = [fmean(store.trials(1).values(each.number)) for each in ranked]
    assert {each.number for each in ranked} == {each.number for each in chosen} and means == sorted(means)
    assert (winner.number, winner.sequence) == (ranked[0].number, ranked[0].sequence)
    assert len(winner.values) == finals.SEEDS and len(winner.fresh_values) == finals.FRESH
    assert not set(winner.seeds) & set(winner.fresh_seeds)

    monkeypatch.setattr(finals, "BUDGET", search.budget)
    (best,) = finals.best_known(searched, path).values()
    assert best.sequence == winner.sequence and best.tried == first.tried
    assert finals.best_known(searched, tmp_path / "nothing.sqlite") == {first.problem: first}
    assert finals.best_known(tmp_path / "nothing.sqlite", tmp_path / "nothing.sqlite") == {}


def test_finals_are_held_where_the_search_is_complete(tmp_path, monkeypatch, capsys):
    searched = tmp_path / "best.sqlite"
    search = small_search(runs=1)
    best = find_best(search, searched, sequences=6, workers=1)
    held = []
    monkeypatch.setattr(finals, "BEST", searched)
    monkeypatch.setattr(finals, "BUDGET", search.budget)
    monkeypatch.setattr(finals, "hold", lambda problem, chosen, path, workers: held.append(problem) or best)
    finals.main([])
    assert not held
    run_again(search, searched, runs=1, workers=1)
    finals.main(["f2"])
    assert not held
    finals.main(["f1", "--store", str(tmp_path / "finals.sqlite")])
    assert held == ["lso08/f1"] and f"no. {best.number} ({best.origin})" in capsys.readouterr().out
