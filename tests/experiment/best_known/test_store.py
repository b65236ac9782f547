from __future__ import annotations

import math
import sqlite3
from dataclasses import replace

import pytest

from ter.core.errors import InvalidArgument
from ter.experiment.best_known.proposals import GIVEN, Candidate, next_candidates
from ter.experiment.best_known.store import BestStore
from ter.experiment.store import Store, StoreError, StoreLocked
from tests.experiment.best_known.helpers import small_search
from tests.experiment.helpers import record


@pytest.fixture
def path(tmp_path):
    return tmp_path / "best.sqlite"


def filled(store, search, values):
    """Keep candidates with the same value in all runs."""
    number = store.begin(search)
    candidates = next_candidates(search, [], [])[: len(values)]
    store.plan(number, candidates)
    for candidate, value in zip(candidates, values, strict=True):
        for run in range(1, search.runs + 1):
            store.add(number, candidate.number, record(run, value, run=run))
    return candidates


def test_what_is_kept_comes_back(path):
    search = small_search()
    with BestStore(path, write=True) as store:
        candidates = filled(store, search, [3.0, 1.5, 2.0, 7.0])
        (best,) = store.known()
    with BestStore(path) as store:
        assert store.known("lso08/f1") == [best] and store.known("lso08/f2") == []
        assert store.known(dimension=4, budget="3150", algorithm="ter") == [best] and store.known(dimension=5) == []
        assert store.trials(1).candidates == candidates
    assert (best.sequence, best.value, best.values, best.seeds) == (candidates[1].sequence, 1.5, (1.5, 1.5), (1, 2))
    assert (best.number, best.origin, best.tried) == (2, "cc alone", 4)
    assert best.alone == {"ls1": 3.0, "cc": 1.5, "gs": 2.0} and best.heuristics == ("ls1", "cc", "gs")


def test_a_recorded_run_of_one_heuristic_is_that_heuristic_alone(path):
    search = small_search(runs=1)
    given = [
        Candidate(1, 1, GIVEN, search.space.alone("gs")),
        Candidate(2, 1, GIVEN, search.space.fitted(["cc", "gs"])),
    ]
    with BestStore(path, write=True) as store:
        number = store.begin(search)
        store.plan(number, given)
        for candidate in given:
            store.add(number, candidate.number, record(1, float(candidate.number), run=1))
        assert store.known()[0].alone == {"gs": 1.0}


@pytest.mark.parametrize("value", [-0.0, 0.0, 5e-324, 0.1 + 0.2, 1.7976931348623157e308 / 2, math.inf])
def test_values_keep_all_their_bits(path, value):
    with BestStore(path, write=True) as store:
        filled(store, small_search(runs=1), [value])
        (best,) = store.known()
    assert best.values[0].hex() == value.hex() and best.value == value


def test_a_candidate_counts_when_all_its_runs_are_there(path):
    search = small_search()
    with BestStore(path, write=True) as store:
        number = store.begin(search)
        store.plan(number, [Candidate(1, 1, "random", ("cc",)), Candidate(2, 1, "random", ("gs",))])
        assert store.known() == [] and store.walls(number) == []
        store.add(number, 1, record(1, 0.5, run=1))
        assert store.known() == []
        store.add(number, 1, record(2, 0.7, run=2))
        assert store.known()[0].value == 0.6 and store.walls(number) == [0.5, 0.5]


def test_a_run_is_kept_once(path):
    with BestStore(path, write=True) as store:
        filled(store, small_search(runs=1), [2.0])
        store.add(1, 1, record(1, 1.0, run=1))
        assert store.known()[0].value == 2.0


def test_a_generation_is_kept_as_a_whole_or_not_at_all(path):
    with BestStore(path, write=True) as store:
        number = store.begin(small_search())
        twice = [Candidate(1, 1, "random", ("cc",)), Candidate(1, 1, "random", ("gs",))]
        with pytest.raises(StoreError, match="could not be read or written"):
            store.plan(number, twice)
        assert store.trials(number).candidates == []


def test_runs_with_fresh_seeds_have_no_part_in_the_choice(path):
    with BestStore(path, write=True) as store:
        filled(store, small_search(runs=1), [2.0, 3.0])
        for run, fun in ((2, 8.0), (1, 9.0)):
            store.add(1, 1, record(100 + run, fun, run=run), fresh=True)
        (best,) = store.known()
    assert (best.value, best.fresh_seeds, best.fresh_values) == (2.0, (101, 102), (9.0, 8.0))


def test_a_search_goes_on_with_its_settings_only(path):
    with BestStore(path, write=True) as store:
        first = store.begin(small_search())
        assert store.begin(small_search()) == first
        assert store.begin(small_search(budget=2_150)) != first
        with pytest.raises(InvalidArgument, match=r"must go on with the settings .* got runs = 3 .* begun with 2"):
            store.begin(small_search(runs=3))
        with pytest.raises(InvalidArgument, match="got seed = 5 for lso08/f1, begun with 1"):
            store.begin(small_search(seed=5))


def test_the_newest_code_that_has_a_result_counts(path):
    search = small_search(runs=1)
    old = small_search(runs=1)
    object.__setattr__(old, "task", replace(search.task, code="old"))
    with BestStore(path, write=True) as store:
        candidates = filled(store, old, [2.0, 1.0])
        new = store.begin(search)
        assert [best.code for best in store.known()] == ["old"]
        assert store.earlier(search) == [candidates[1].sequence, candidates[0].sequence] and store.earlier(old) == []
        store.plan(new, candidates)
        store.add(new, 1, record(1, 5.0, run=1))
        assert [(best.code, best.value) for best in store.known()] == [(search.task.code, 5.0)]
        assert store.search_of(store.known()[0]) == search


def test_a_sequence_of_another_file_has_no_search_here(path):
    with BestStore(path, write=True) as store:
        filled(store, small_search(runs=1), [2.0])
        stranger = replace(store.known()[0], problem="lso08/f2")
        with pytest.raises(InvalidArgument, match="a sequence must be of this file, got one for lso08/f2"):
            store.search_of(stranger)


def test_one_process_writes_and_others_read(path):
    with BestStore(path, write=True) as store:
        filled(store, small_search(runs=1), [2.0])
        with pytest.raises(StoreLocked, match="written by one process at a time"):
            BestStore(path, write=True)
        with BestStore(path) as reader:
            assert reader.known() == store.known() and "process" in (reader.writer() or "")
            with pytest.raises(StoreError, match="is open for reading"):
                reader.begin(small_search(budget=2_150))
    BestStore(path, write=True).close()


def test_other_files_are_refused(path, tmp_path):
    with pytest.raises(StoreError, match="must be there to be read"):
        BestStore(path)
    with Store(path, write=True):
        pass
    with pytest.raises(StoreError, match=r"must be a file that `ter best` made, got .*another SQLite database"):
        BestStore(path, write=True)
    (tmp_path / "notes.txt").write_text("not a database at all, " * 100)
    with pytest.raises(StoreError, match=r"must be a file that `ter best` made, got .*something else"):
        BestStore(tmp_path / "notes.txt")
    BestStore(tmp_path / "new.sqlite", write=True).close()
    connection = sqlite3.connect(tmp_path / "new.sqlite")
    connection.execute("PRAGMA user_version = 9")
    connection.close()
    with pytest.raises(StoreError, match="has format 9, this version of ter reads 1"):
        BestStore(tmp_path / "new.sqlite")
    with pytest.raises(StoreError, match="a store must be a file that `ter experiment run` made"):
        Store(tmp_path / "new.sqlite")
