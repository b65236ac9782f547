"""The best known sequences that come with the package."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import ter
from ter.core.budget import Budget
from ter.core.errors import InvalidArgument
from ter.experiment.best_known import packaged_sequences, replay
from ter.experiment.best_known.packaged import read_sequences, written_sequences
from ter.experiment.best_known.search import Search
from tests.experiment.best_known.helpers import known
from tools.build_best_known import merged

PACKAGED = packaged_sequences()


def test_what_is_written_is_read():
    sequences = [
        known(),
        known(problem="lso08/f2", values=(float("inf"), -0.0), fresh_values=(1e-300,), fresh_seeds=(5,)),
    ]
    text = written_sequences(sequences)
    assert read_sequences(text) == sequences and text.count("\n") == 2
    assert read_sequences("") == []


@pytest.mark.parametrize("name", ["problem", "algorithm"])
def test_a_file_that_names_code_is_refused(name, tmp_path, monkeypatch):
    (tmp_path / "wicked.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InvalidArgument, match=r"code that a file names must be named by you too.*'wicked:thing'"):
        read_sequences(written_sequences([known(**{name: "wicked:thing"})]))


@pytest.mark.parametrize("line", ["{}", "[1]", "no JSON", json.dumps({"problem": "lso08/f1"})])
def test_a_line_that_is_something_else_is_refused(line):
    with pytest.raises(InvalidArgument, match="must be the JSON object that to_json wrote"):
        read_sequences(f"{line}\n")


def test_there_is_a_sequence_for_the_paper():
    (best,) = packaged_sequences("lso13-raw/f12", budget="3000000")
    assert best.dimension == 1000 and best.algorithm == "ter"
    assert packaged_sequences("lso13-raw/f12", dimension=905) == [] == packaged_sequences(algorithm="ran")


@pytest.mark.parametrize("best", PACKAGED, ids=lambda best: f"{best.problem}-{best.budget}")
def test_every_sequence_is_whole(best):
    search = Search(best.problem, best.dimension, best.budget, best.algorithm, best.parameters)
    assert search.space.fitted(best.sequence) == best.sequence and search.space.names == best.heuristics
    assert len(best.seeds) == len(best.values) >= 1 and len(best.fresh_seeds) == len(best.fresh_values)
    assert len(best.values) + len(best.fresh_values) >= 2
    assert Budget.read(best.budget).evaluations == ter.problem(best.problem).facts["budget"]
    assert best.value == pytest.approx(sum(best.values) / len(best.values))
    assert best.value <= min(best.alone.values())


@pytest.mark.slow
def test_a_replay_gives_the_value_that_the_package_says():
    (best,) = packaged_sequences("lso13-raw/f12", budget="3000000")
    result = replay(best)
    assert result.fun.hex() == best.values[0].hex() and result.sequence == best.sequence


def test_the_better_one_is_kept_in_natural_order():
    old = [known(problem="lso08/f10"), known(problem="lso08/f2", value=1.0)]
    new = [known(problem="lso08/f2", value=0.5, number=8), known(problem="lso08/f10", value=0.9, number=9)]
    assert [(best.problem, best.number) for best in merged(old, new)] == [("lso08/f2", 8), ("lso08/f10", 7)]
    fresh = [replace(best, code="new") for best in new]
    assert [best.number for best in merged(old, fresh)] == [8, 9]  # old values may not come out any more


def test_runs_without_a_part_in_the_choice_decide():
    lucky = known(value=0.1, fresh_values=(9.0, 9.0), number=1)
    honest = known(value=0.2, fresh_values=(1.0, 2.0), number=2)
    assert [best.number for best in merged([lucky], [honest])] == [2]
    assert [best.number for best in merged([honest], [lucky])] == [2]
