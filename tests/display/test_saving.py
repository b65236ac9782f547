from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ter
from ter.core.action import Action
from ter.core.budget import Budget, Spent
from ter.core.failure import Failure
from ter.display import archive
from ter.display.archive import bytes_of
from tests.display.conftest import made_result
from tests.spies import same_run

FIELDS = ("nfev", "nit", "success", "status", "message", "spent", "budget", "heuristics", "seed", "problem")
numbers = st.floats(allow_nan=False)


def again(result, folder):
    result.save(folder / "run.npz")
    return ter.load_result(folder / "run.npz")


def sides(box):
    return box if box is None else (box.lower.tobytes(), box.upper.tobytes())


def same(a, b):
    return (
        all(a[name] == b[name] for name in (*FIELDS, "workers_busy", "compile_seconds", "nonfinite", "nfail"))
        and same_run(a, b)
        and [action.seconds for action in a.actions] == [action.seconds for action in b.actions]
        and sides(a.box) == sides(b.box)
    )


@pytest.fixture
def saved(make_result, actions, tmp_path):
    """A file, and its members to be changed."""
    make_result(actions).save(tmp_path / "run.npz")
    with zipfile.ZipFile(tmp_path / "run.npz") as file:
        return tmp_path / "run.npz", {name: file.read(name) for name in file.namelist()}


def rewrite(file, members, how=zipfile.ZIP_STORED):
    with zipfile.ZipFile(file, "w", how) as target:
        for name, content in members.items():
            target.writestr(name, content)


def changed(members, **facts):
    return {**members, "ter-result.json": json.dumps({**json.loads(members["ter-result.json"]), **facts}).encode()}


def test_a_run_comes_back_bit_for_bit(tmp_path):
    result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=7), budget=900, rng=3)
    result.compile_seconds = 0.1 + 0.2
    back = again(result, tmp_path)
    assert type(back) is ter.Result and same(back, result)
    assert set(back) == set(result) and type(back.status) is ter.StopReason
    assert back.x.flags.writeable and not back.box.lower.flags.writeable
    assert repr(back) == repr(result)


def test_a_run_without_a_finite_value_comes_back(tmp_path):
    result = ter.minimize(lambda x: float("nan"), ter.box(-5, 5, dimension=2), budget=30, rng=3)
    assert result.fun == np.inf
    assert same(again(result, tmp_path), result)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30)
@given(st.data())
def test_whatever_numbers_a_result_holds_come_back(tmp_path, data):
    draw, counts = data.draw, st.integers(0, 2**60)
    pairs = st.tuples(numbers, numbers)
    kinds = st.builds(
        Action, index=counts, heuristic=st.text(), cost=numbers, nfev=counts, before=numbers, after=numbers,
        reward=numbers, probabilities=pairs, seconds=numbers, own=st.none() | pairs,
    )  # fmt: skip
    actions = tuple(draw(st.lists(kinds, max_size=5)))
    result = made_result(actions, draw(st.lists(pairs, max_size=5)), nfev=draw(counts))
    result.x = np.array(draw(st.lists(st.floats(), max_size=9)))
    result.message, result.problem, result.seed = draw(st.text()), draw(st.text()), draw(st.integers(0, 2**130))
    result.spent = Spent(draw(counts), draw(numbers), draw(numbers))
    result.budget = Budget(evaluations=3, seconds=0.1 + 0.2, cost=1e-300, unit="cost")
    assert same(again(result, tmp_path), result)


def test_failures_come_back_as_text(make_result, tmp_path):
    class Strange(Exception):
        def __str__(self):
            raise RuntimeError("no text")

    failures = (Failure(3, KeyError("mesh"), "Traceback:\n  ü"), Failure(9, Strange(), "Traceback"))
    result = make_result(failures=failures)
    back = again(result, tmp_path)
    assert [(f.evaluation, f.traceback) for f in back.failures] == [(3, "Traceback:\n  ü"), (9, "Traceback")]
    assert str(back.failures[0].error) == "KeyError: 'mesh'"
    assert "Strange" in str(back.failures[1].error)
    twice = again(back, tmp_path)
    assert [str(f.error) for f in twice.failures] == [str(f.error) for f in back.failures]


def test_the_same_result_makes_the_same_file_and_numpy_reads_its_arrays(make_result, actions, tmp_path):
    result = make_result(actions)
    result.save(tmp_path / "a.npz")
    result.save(str(tmp_path / "new" / "b.npz"))  # the folder is made
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "new" / "b.npz").read_bytes()
    with np.load(tmp_path / "a.npz", allow_pickle=False) as arrays:
        assert arrays["x"].tolist() == [0, 0, 0] and arrays["curve"].tolist() == [[1, 100], [50, 1]]


def test_a_file_that_could_not_be_written_leaves_the_old_one(make_result, monkeypatch, tmp_path):
    make_result().save(tmp_path / "run.npz")
    old = (tmp_path / "run.npz").read_bytes()

    def full(descriptor):
        raise OSError("no space left on device")

    monkeypatch.setattr(archive.os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        make_result(nfev=200).save(tmp_path / "run.npz")
    assert (tmp_path / "run.npz").read_bytes() == old
    assert [file.name for file in tmp_path.iterdir()] == ["run.npz"]


def test_a_result_with_few_fields_is_refused(tmp_path):
    with pytest.raises(ter.InvalidArgument, match=r"all its fields to be saved, got one without nfev, nit.*heuristics"):
        ter.Result(x=np.zeros(2), fun=1.0).save(tmp_path / "run.npz")
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_missing_is_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        ter.load_result(tmp_path / "none.npz")


@pytest.mark.parametrize("content", [b"", b"{}", b"PK\x05\x06" + bytes(18), b"\x80\x04\x95ter-result", b"\x93NUMPY"])
def test_something_else_is_refused(content, tmp_path):
    (tmp_path / "run.npz").write_bytes(content)
    with pytest.raises(ter.InvalidArgument, match=r"a whole file that Result.save wrote, got something else"):
        ter.load_result(tmp_path / "run.npz")


def test_an_archive_of_numpy_is_refused_and_its_objects_are_not_made(tmp_path):
    np.savez(tmp_path / "run.npz", x=np.array([open], dtype=object))
    with pytest.raises(ter.InvalidArgument, match="got something else"):
        ter.load_result(tmp_path / "run.npz")


def test_a_file_of_a_newer_version_says_so(saved):
    file, members = saved
    rewrite(file, changed(members, version=2, actions="in another form"))
    with pytest.raises(ter.InvalidArgument, match=r"must be in format 1, got format 2 of a newer ter.*pip install"):
        ter.load_result(file)


def test_a_file_of_an_older_version_with_fewer_columns_is_read(saved):
    file, members = saved
    actions = json.loads(members["ter-result.json"])["actions"]
    del actions["reward"]
    rewrite(file, changed(members, actions=actions))
    assert [action.reward for action in ter.load_result(file).actions] == [0.0, 0.0, 0.0]


def test_compressed_members_are_refused_before_they_are_unpacked(saved):
    file, members = saved
    rewrite(file, {**members, "x.npy": members["x.npy"] + bytes(10**7)}, zipfile.ZIP_DEFLATED)
    assert file.stat().st_size < 10**5
    with pytest.raises(ter.InvalidArgument, match=r"got a damaged one.*must not be compressed"):
        ter.load_result(file)


def test_an_array_that_declares_more_than_there_is_is_refused(saved):
    file, members = saved
    rewrite(file, {**members, "x.npy": members["x.npy"].replace(b"(3,), }            ", b"(9000000000000,), }")})
    with pytest.raises(ter.InvalidArgument, match="an array must be as long as it says"):
        ter.load_result(file)


@pytest.mark.parametrize(
    "facts",
    [
        {"status": 99}, {"fun": None}, {"nfev": "many"}, {"actions": []}, {"actions": {"index": [1]}}, {"budget": {}},
        {"budget": {"evaluations": -1}}, {"failures": [1]}, {"spent": 3}, {"version": "1"}, {"heuristics": 5},
    ],
)  # fmt: skip
def test_facts_that_make_no_sense_are_damage(saved, facts):
    file, members = saved
    rewrite(file, changed(members, **facts))
    with pytest.raises(ter.InvalidArgument, match="got a damaged one"):
        ter.load_result(file)


@pytest.mark.parametrize(
    "members",
    [
        {"ter-result.json": b"[" * 100_000}, {"ter-result.json": b"null"}, {"ter-result.json": b"\xff"},
        {"x.npy": b""}, {"curve.npy": bytes_of(np.zeros(4))}, {"lower.npy": bytes_of(np.zeros(3))},
        {"lower.npy": bytes_of(np.ones(3)), "upper.npy": bytes_of(np.zeros(3))},
        {"lower.npy": bytes_of(np.zeros(4)), "upper.npy": bytes_of(np.ones(4))},
    ],
)  # fmt: skip
def test_members_that_make_no_sense_are_damage(saved, members):
    file, old = saved
    rewrite(file, {**old, **members})
    with pytest.raises(ter.InvalidArgument, match="got a damaged one"):
        ter.load_result(file)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=300)
@given(st.integers(0, 10**6), st.integers(1, 255))
def test_a_byte_that_is_wrong_is_noticed_or_does_no_harm(saved, at, bits):
    file, members = saved
    buffer = io.BytesIO()
    rewrite(buffer, members)
    content = bytearray(buffer.getvalue())
    content[at % len(content)] ^= bits
    file.write_bytes(content)
    try:
        back = ter.load_result(file)
    except ter.InvalidArgument as error:
        assert "a result must be" in str(error)
    else:
        assert back.nfev == 100 and back.x.tolist() == [0, 0, 0] and len(back.actions) == 3


def test_a_file_that_was_cut_off_is_damaged(saved):
    file, _ = saved
    content = file.read_bytes()
    for length in range(50, len(content) - 1, 97):
        file.write_bytes(content[:length])
        with pytest.raises(ter.InvalidArgument, match="got a damaged one"):
            ter.load_result(file)


def test_failures_that_cannot_be_encoded_come_back_all_the_same(make_result, tmp_path):
    back = again(make_result(failures=(Failure(3, ValueError("caf\xe9 \udcff"), "Traceback: \udcff"),)), tmp_path)
    assert (str(back.failures[0].error), back.failures[0].traceback) == (
        "ValueError: caf\xe9 \udcff",
        "Traceback: \udcff",
    )
