"""The search as a whole: what it tries does not depend on workers and interruptions, and it finds good sequences."""

from __future__ import annotations

import itertools
import signal
import sys
from dataclasses import replace

import pytest

from ter.core.errors import InvalidArgument
from ter.core.streams import stream
from ter.experiment import Plan, run_plan
from ter.experiment.best_known import BestStore, Search, find_best, recorded_sequences, run_again
from ter.experiment.best_known.session import SearchError
from ter.experiment.coordinator import ATTEMPTS
from ter.experiment.pool import Lost
from ter.experiment.store import StoreLocked
from ter.experiment.watch import Watch
from ter.experiment.work import failed_record
from tests.experiment.best_known.helpers import content, made_up, searching_pool, small_search

SEQUENCES = 21  # in the middle of a generation


@pytest.fixture
def path(tmp_path):
    return tmp_path / "best.sqlite"


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """A search in one go with one worker."""
    path = tmp_path_factory.mktemp("undisturbed") / "best.sqlite"
    best = find_best(small_search(), path, sequences=SEQUENCES, workers=searching_pool(slots=1))
    candidates, runs = content(path)
    assert len(candidates) > SEQUENCES and len(runs) == 2 * SEQUENCES
    return best, candidates, runs


def known(path):
    with BestStore(path) as store:
        return store.known()


@pytest.mark.parametrize("last_first", [False, True])
@pytest.mark.parametrize("slots", [2, 3, 50])
def test_the_number_of_workers_and_their_order_do_not_matter(path, undisturbed, slots, last_first):
    pool = searching_pool(slots, last_first=last_first)
    assert find_best(small_search(), path, sequences=SEQUENCES, workers=pool) == undisturbed[0]
    assert content(path) == undisturbed[1:]
    assert pool.most == min(slots, 12) and pool.closed == 1 and len(pool.prepared) == 1


@pytest.mark.parametrize("steps", [1, 2, 5, 17])
def test_interruptions_do_not_matter_wherever_they_come(path, undisturbed, steps):
    for attempt in itertools.count():
        try:
            best = find_best(
                small_search(), path, sequences=SEQUENCES, workers=searching_pool(1 + attempt % 3, stop_after=steps)
            )
        except KeyboardInterrupt:
            assert len(content(path)[1]) == steps * (attempt + 1)
        else:
            break
    assert best == undisturbed[0] and content(path) == undisturbed[1:]


def test_more_sequences_later_are_the_same_as_all_at_once(path, undisturbed):
    for sequences in (1, 2, 8, 9, 20, SEQUENCES):
        tried = find_best(small_search(), path, sequences=sequences, workers=searching_pool()).tried
        assert tried == sequences == len(content(path)[1]) / 2
    assert content(path) == undisturbed[1:]


def test_nothing_is_done_twice(path, undisturbed):
    find_best(small_search(), path, sequences=SEQUENCES, workers=searching_pool())
    pool = searching_pool()
    assert find_best(small_search(), path, sequences=SEQUENCES, workers=pool) == undisturbed[0]
    assert find_best(small_search(), path, sequences=5, workers=pool) == undisturbed[0]
    assert not pool.submitted and not pool.prepared


@pytest.mark.slow
def test_it_finds_better_sequences_the_longer_it_takes(path):
    values = [
        find_best(small_search(), path, sequences=sequences, workers=searching_pool()).value
        for sequences in (6, 60, 300)
    ]
    (best,) = known(path)
    assert values[2] < values[1] < values[0] and values[2] < 0.15 < 0.4 < min(best.alone.values())
    assert best.tried == 300 and best.value == values[2]
    specs = [small_search().spec(best.sequence, run) for run in (1, 2)]
    assert best.values == tuple(made_up(spec) for spec in specs)


def test_a_search_ends_when_there_is_nothing_new(path):
    best = find_best(small_search(budget=50 + 200), path, sequences=100, workers=searching_pool())
    assert best.tried == 7


def test_given_sequences_are_tried(path):
    good = ["cc"] * 5 + ["gs"] * 5
    search = small_search()
    best = find_best(search, path, sequences=10, given=[good], workers=searching_pool())
    assert content(path)[0][0][2] == "given"
    later = find_best(search, path, sequences=20, given=[good, ["gs", "cc"]], workers=searching_pool())
    assert later.value <= best.value
    assert [origin for _, _, origin, _ in content(path)[0]].count("given") == 2


def test_what_other_code_has_found_is_tried_first(path):
    old = small_search()
    object.__setattr__(old, "task", replace(old.task, code="old"))
    before = find_best(old, path, sequences=40, workers=searching_pool())
    after = find_best(small_search(), path, sequences=4, workers=searching_pool())
    assert (before.code, after.code) == ("old", small_search().task.code)
    assert (after.sequence, after.origin, after.number) == (before.sequence, "given", 1)


def test_a_run_whose_worker_died_is_done_again(path, undisturbed):
    pool = searching_pool(3, trouble=lambda spec, attempt: Lost("it died") if attempt < ATTEMPTS else None)
    listener = Listener()
    find_best(small_search(), path, sequences=SEQUENCES, workers=pool, progress=listener)
    assert content(path) == undisturbed[1:]
    assert listener.told.count("lso08/f1 D=4 no. 1 run 2: it died") == ATTEMPTS - 1 and listener.closed


@pytest.mark.parametrize(("lost", "attempts"), [(Lost("it died"), ATTEMPTS), (Lost("it died", final=True), 1)])
def test_a_run_that_always_kills_its_worker_ends_the_search(path, undisturbed, lost, attempts):
    def trouble(spec, attempt):
        return lost if spec.run == 2 else None

    pool = searching_pool(1, trouble=trouble)
    with pytest.raises(SearchError, match=f"(?s)failure in run 2 of no. 1 of .* died {attempts} times.\nit died"):
        find_best(small_search(), path, sequences=SEQUENCES, workers=pool)
    assert pool.closed == 1 and len(content(path)[1]) == 1
    find_best(small_search(), path, sequences=SEQUENCES, workers=searching_pool())
    assert content(path) == undisturbed[1:]


def test_a_run_that_fails_ends_the_search_and_is_tried_again(path, undisturbed):
    def trouble(spec, attempt):
        return failed_record(spec, "Traceback\nValueError: the simulator broke\n") if spec.run == 2 else None

    with pytest.raises(SearchError, match=r"(?s)got a failure in run 2 of no. 1 of lso08/f1; .*ValueError: the simul"):
        find_best(small_search(), path, sequences=SEQUENCES, workers=searching_pool(1, trouble=trouble))
    find_best(small_search(), path, sequences=SEQUENCES, workers=searching_pool())
    assert content(path) == undisturbed[1:]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_objective_that_exits_ends_the_search_with_its_words(path, tmp_path, monkeypatch, workers):
    (tmp_path / f"exiting_{workers}.py").write_text(
        "import sys, ter\n"
        "def fun(x):\n"
        "    sys.exit('caf\\xe9 \\udcff')\n"
        "problem = ter.Problem(fun, ter.box(-1, 1, dimension=4))\n"
    )
    monkeypatch.setattr("sys.path", [*sys.path])
    search = small_search(problem=f"exiting_{workers}:problem", dimension=None, folder=tmp_path)
    with pytest.raises(SearchError, match=r"(?s)got a failure in run [12] .*, in fun\n.*SystemExit: caf"):
        find_best(search, path, sequences=2, workers=workers)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_what_has_ended_and_stops(path, number):
    pool = searching_pool(2, trouble=lambda spec, attempt: spec.run == 2 and signal.raise_signal(number))
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt):
        find_best(small_search(), path, sequences=SEQUENCES, workers=pool)
    assert len(content(path)[1]) == len(pool.submitted) == 3  # nothing more was handed out
    assert pool.closed == 1 and signal.getsignal(number) is before


def test_two_searches_do_not_write_to_one_file(path):
    with BestStore(path, write=True) as store:
        with pytest.raises(StoreLocked):
            find_best(small_search(), path, sequences=3, workers=searching_pool())
        assert find_best(small_search(), store, sequences=3, workers=searching_pool()).tried == 3
        assert len(store.known()) == 1  # it stays open


class Listener(Watch):
    def __init__(self):
        self.seen, self.runs, self.told, self.closed = [], [], [], False

    def open(self, progress, forecast):
        self.seen.append(progress)
        self.forecast, self.left = forecast, forecast.left(slots=1)

    def update(self, progress, workload):
        self.seen.append(progress)
        self.runs.append(self.forecast.runs)

    def lost(self, spec, reason):
        self.told.append(f"{spec.name}: {reason}")

    def close(self):
        self.closed = True


def test_progress_is_told(path):
    listener = Listener()
    best = find_best(small_search(), path, sequences=SEQUENCES, workers=searching_pool(2), progress=listener)
    first, last = listener.seen[0], listener.seen[-1]
    assert (first.total, first.tried, first.best) == (SEQUENCES, 0, None)
    assert (last.tried, last.best, last.number, last.sequence) == (SEQUENCES, best.value, best.number, best.sequence)
    assert "lso08/f1, 4 variables, 3150 evaluations, 2 runs per sequence" in last.title
    tried = [progress.tried for progress in listener.seen]
    values = [progress.best for progress in listener.seen if progress.best is not None]
    assert tried == sorted(tried) and values == sorted(values, reverse=True)
    assert listener.runs[0] == 2 * SEQUENCES and listener.runs[-1] == 0
    assert listener.runs == sorted(listener.runs, reverse=True)


def test_the_time_left_is_known_from_the_runs_in_the_file(path):
    find_best(small_search(), path, sequences=6, workers=searching_pool())
    listener = Listener()
    find_best(small_search(), path, sequences=10, workers=searching_pool(), progress=listener)
    assert listener.runs[0] == 4 * 2
    assert listener.left == 4 * 2 * 0.5


@pytest.mark.parametrize("sequences", [0, -3, 2.5, True, "ten", float("nan")])
def test_bad_numbers_of_sequences_are_refused(path, sequences):
    with pytest.raises(InvalidArgument, match="sequences must be a whole number >= 1, got"):
        find_best(small_search(), path, sequences=sequences)
    assert not path.exists()


def test_fresh_runs_are_done_and_kept(path):
    search = small_search()
    find_best(search, path, sequences=10, workers=searching_pool())
    pool = searching_pool(3)
    best = run_again(search, path, runs=4, workers=pool)
    assert {spec.key.seed for spec in pool.submitted} == set(best.fresh_seeds)
    assert not set(best.fresh_seeds) & set(best.seeds) and len(best.fresh_values) == 4
    more = run_again(search, path, runs=6, workers=searching_pool())
    assert more.fresh_values[:4] == best.fresh_values and len(more.fresh_values) == 6
    with pytest.raises(KeyboardInterrupt):
        run_again(search, path, runs=9, workers=searching_pool(1, stop_after=1))
    assert len(known(path)[0].fresh_values) == 7
    pool = searching_pool()
    assert find_best(search, path, sequences=10, workers=pool).value == best.value and not pool.submitted


@pytest.mark.parametrize("runs", [0, -1, True, 2.5])
def test_bad_numbers_of_fresh_runs_are_refused(path, runs):
    with pytest.raises(InvalidArgument, match="runs must be a whole number >= 1, got"):
        run_again(small_search(), path, runs=runs)


def test_fresh_runs_need_a_sequence(path):
    with pytest.raises(InvalidArgument, match="there must be a sequence that this version of the code has found"):
        run_again(small_search(), path, workers=searching_pool())
    assert content(path) == ([], [])


def test_sequences_of_recorded_runs(tmp_path):
    store = tmp_path / "results.sqlite"
    plan = Plan(
        problems=[{"name": "lso08/f1", "dimensions": [4, 5]}],
        algorithms=["ter", "ran", "cc"],
        runs=3,
        budget=3_150,
    )
    assert run_plan(plan, store, workers=1).done
    search = small_search()
    found = recorded_sequences(store, search)
    assert len(found) == 7  # three of TER, three random ones, cc alone
    assert search.space.alone("cc") in found and all(search.space.fitted(sequence) == sequence for sequence in found)
    assert recorded_sequences(store, search, most=2) == found[:2]
    with pytest.raises(InvalidArgument, match=r"the store must have runs of lso08/f1 .* 3151 evaluations that start"):
        recorded_sequences(store, small_search(budget=3_151))
    with pytest.raises(InvalidArgument, match="that start ls1, gs only, got none"):
        recorded_sequences(store, small_search(dimension=4, parameters={"heuristics": ["ls1", "gs"]}, budget=3_149))


PLANTED = '''
"""Second halves the second coordinate; first makes the first one small, but only once the second is small."""
from dataclasses import dataclass

import ter
from ter.core.profile import Profile
from ter.schedulers import Replay


@dataclass(frozen=True)
class Step:
    name: str

    def cost(self, dimension):
        return 1

    def start(self, box, rng):
        return None

    def act(self, state, allowance, rng):
        x = allowance.x.copy()
        if self.name == "second":
            x[1] *= 0.5
        elif x[1] < 0.1:
            x[0] *= 0.2
        allowance.evaluate(x[None, :])
        return state


def portfolio(dimension, budget):
    return Profile((Step("first"), Step("second")), Replay(["first"], cycle=True), start_points=1)


problem = ter.Problem(lambda x: float(x.sum()), ter.box(0, 1, dimension=2), name="planted")
'''


def planted_value(seed, sequence):
    """What following a sequence comes to, worked out by hand."""
    x = stream(seed, "start").random((1, 2))[0]
    for name in sequence:
        if name == "second":
            x[1] *= 0.5
        elif x[1] < 0.1:
            x[0] *= 0.2
    return float(x.sum())


@pytest.mark.slow
def test_where_the_order_matters_it_finds_what_no_heuristic_does_alone(path, tmp_path, monkeypatch):
    (tmp_path / "planted.py").write_text(PLANTED)
    monkeypatch.syspath_prepend(tmp_path)
    search = Search(
        "planted:problem", budget=1 + 12, algorithm="planted:portfolio", runs=2, first=10, keep=3, folder=tmp_path
    )
    best = find_best(search, path, sequences=120, workers=1)
    assert best.value < 0.1 * min(best.alone.values()) and set(best.alone) == {"first", "second"}
    assert best.values == tuple(planted_value(seed, best.sequence) for seed in best.seeds)
    values = {
        sequence: sum(planted_value(seed, sequence) for seed in best.seeds) / 2
        for sequence in itertools.product(("first", "second"), repeat=12)
    }
    assert best.value == pytest.approx(min(values.values()))
