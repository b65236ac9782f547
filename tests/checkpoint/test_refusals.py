"""What is refused, with the rule, the value and the cure; and damage, which never leads to another run."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import ter
from ter.checkpoint import manifest as manifests
from ter.checkpoint.folder import Folder
from tests.checkpoint.dying import assert_same, busy, killed_after  # noqa: F401

pytestmark = pytest.mark.usefixtures("busy")
BOX = ter.box(-5, 5, dimension=5)


def rugged(x):
    return float((x * x + 0.3 * np.cos(5 * x)).sum())


@pytest.fixture
def killed(tmp_path):
    with killed_after(500):
        ter.minimize(rugged, BOX, budget=900, rng=1, checkpoint=tmp_path / "run")
    return tmp_path / "run"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"bounds": ter.box(-5, 6, dimension=5)}, r"got bounds = .*; pass the same bounds"),
        ({"rng": 2}, r"got seed = 2 where the checkpoint .* has 1"),
        ({"target": 0.5}, r"got target = '0.5'"),
        ({"heuristics": ["cc"]}, r"got names = \['cc'\]"),
        ({"scheduler": "random"}, r"got scheduler = 'RandomChoice\(\)'"),
        ({"budget": 800}, r"a budget must not be smaller .* got evaluations = 800 after 900"),
        ({"fun": lambda point: 0.0}, r"got objective = '<lambda>\(point\)'.*; pass the function that began the run"),
        ({"x0": np.zeros(5)}, r"got x0 = "),
    ],
)
def test_another_run_is_refused(killed, change, words):
    call = {"fun": rugged, "bounds": BOX, "budget": 900, "rng": 1, **change}
    with pytest.raises(ter.CheckpointError, match=words):
        ter.minimize(call.pop("fun"), call.pop("bounds"), **call, checkpoint=killed)


def test_other_code_is_refused(killed, monkeypatch):
    monkeypatch.setattr(manifests, "code", lambda: "other")
    with pytest.raises(ter.CheckpointError, match=r"got code = 'other' .* resume with the code that began the run"):
        ter.resume(killed, rugged)


def test_another_version_is_refused(killed, monkeypatch):
    monkeypatch.setattr(ter, "__version__", "0.0.1")
    with pytest.raises(ter.CheckpointError, match=r"got ter = '0.0.1' .* resume with that version of ter"):
        ter.resume(killed, rugged)


def test_a_function_must_be_passed_again(killed):
    with pytest.raises(ter.InvalidArgument, match=r"nothing that a file names is imported, got none for 'rugged"):
        ter.resume(killed)


def test_a_built_in_problem_is_found_by_its_name(tmp_path):
    run = {"budget": 600, "rng": 1}
    plain = ter.minimize(ter.problem("lso08/f1", dimension=10), **run)
    with killed_after(300):
        ter.minimize(ter.problem("lso08/f1", dimension=10), **run, checkpoint=tmp_path)
    assert_same(plain, ter.resume(tmp_path))


def test_an_empty_folder_is_no_checkpoint(tmp_path):
    with pytest.raises(ter.CheckpointError, match=r"got .*, which has no manifest\.json; begin one"):
        ter.resume(tmp_path, rugged)


def test_a_journal_without_a_manifest_is_not_overwritten(killed):
    (killed / "manifest.json").unlink()
    before = (killed / "journal").read_bytes()
    with pytest.raises(ter.CheckpointError, match=r"manifest\.json.* it is not there, but a journal is"):
        ter.minimize(rugged, BOX, budget=900, rng=1, checkpoint=killed)
    assert (killed / "journal").read_bytes() == before


def test_two_writers_are_refused(killed):
    holder = Folder(killed)
    holder.acquire()
    with pytest.raises(ter.CheckpointError, match=r"must be written by one run at a time, got .* which process"):
        ter.resume(killed, rugged)
    holder.close()
    assert ter.resume(killed, rugged).nfev == 900


def test_a_link_in_place_of_the_journal_is_not_followed(killed, tmp_path):
    (tmp_path / "mine").write_bytes((killed / "journal").read_bytes())
    (killed / "journal").unlink()
    (killed / "journal").symlink_to(tmp_path / "mine")
    with pytest.raises(ter.CheckpointError, match=r"journal.* cannot be read"):
        ter.resume(killed, rugged)


def test_an_objective_with_other_values_is_refused_where_it_can_be_seen(tmp_path):
    """A compiled objective is evaluated again from the last snapshot on, and must give the same bits."""
    from tests.spies import spy_on

    problem = ter.Problem(spy_on("compiled", BOX).objective, BOX, name="spy")
    with killed_after(500):
        ter.minimize(problem, budget=900, rng=1, checkpoint=tmp_path)
    for each in ("snapshot.0", "snapshot.1"):
        (tmp_path / each).unlink(missing_ok=True)
    other = ter.Problem(spy_on("compiled", BOX, nan_above=0.0).objective, BOX, name="spy")
    with pytest.raises(ter.CheckpointError, match=r"from the objective, which was .* before"):
        ter.resume(tmp_path, other)


def test_a_run_that_goes_another_way_says_what_it_did(killed, monkeypatch):
    for each in ("snapshot.0", "snapshot.1"):
        (killed / each).unlink(missing_ok=True)
    monkeypatch.setattr("ter.heuristics.volleys.FAR", 0.75)
    with pytest.raises(ter.CheckpointError, match="got one that asks for another point than before, at evaluation"):
        ter.resume(killed, rugged)


@pytest.mark.parametrize("way", ["cut", "bit"])
@pytest.mark.parametrize("name", ["journal", "snapshot.0", "snapshot.1", "manifest.json", "arguments"])
def test_damage_is_refused_or_repaired(killed, tmp_path, name, way):
    plain = ter.minimize(rugged, BOX, budget=900, rng=1)
    rng = np.random.default_rng([len(name), way == "cut"])
    for number in range(5):
        copy = tmp_path / str(number)
        shutil.copytree(killed, copy)
        data = bytearray((copy / name).read_bytes())
        place = int(rng.integers(len(data)))
        if way == "cut":
            del data[place:]
        else:
            data[place] ^= 1 << int(rng.integers(8))
        (copy / name).write_bytes(data)
        try:
            resumed = ter.resume(copy, rugged)
        except ter.CheckpointError as error:
            assert name.split(".")[0] in str(error)
        else:
            assert_same(plain, resumed)


def test_damage_in_the_middle_says_where_to_cut(killed):
    journal = killed / "journal"
    data = bytearray(journal.read_bytes())
    data[len(data) // 2] ^= 4
    journal.write_bytes(data)
    with pytest.raises(
        ter.CheckpointError, match=r"damaged at byte (\d+), after \d+ evaluations; .* shorten"
    ) as caught:
        ter.resume(killed, rugged)
    end = int(str(caught.value).split("at byte ")[1].split(",")[0])
    journal.write_bytes(data[:end])
    assert_same(ter.minimize(rugged, BOX, budget=900, rng=1), ter.resume(killed, rugged))


def test_an_array_class_that_is_not_listed_is_refused():
    from ter.checkpoint.codec import decode, encode, forms_of

    class Known:
        pass

    data = encode([Known()], forms_of([Known]))
    with pytest.raises(ter.CheckpointError, match=r"a state must be as it was written, got KeyError"):
        decode(data, {})
