"""Described functions as objectives: what is compiled, and that addresses are good where they are used."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

import ter
from ter.benchmarks.by_address import FILL_PART, SLOTS, TERM, TERMS, TRANSFORM, Slot
from ter.benchmarks.definitions import Base, Transform
from ter.benchmarks.layout import Layout, Part
from ter.benchmarks.objective import LayoutObjective, called_for_moves, called_for_points
from tests.benchmarks.suites import SUITES, problem, problems, random_points


def part(base: Base, transform: Transform = Transform.NONE, *, rotated: bool = False) -> Part:
    return Part(base, np.arange(3), np.zeros(3), transform, rotation=np.eye(3) if rotated else None)


def compiled_for(*parts: Part) -> set[int]:
    """The slots that hold an address."""
    return set(np.flatnonzero(LayoutObjective.of(Layout(3, parts)).data[1][:SLOTS]).tolist())


def of_kind(slot: Slot, kind: int) -> int:
    return slot.place + kind


def test_nothing_is_compiled_for_parts_that_are_not_there():
    sphere = compiled_for(part(Base.ELLIPTIC))
    assert of_kind(TERMS, Base.ELLIPTIC) in sphere
    others = {of_kind(TERMS, base) for base in Base if base is not Base.ELLIPTIC}
    assert not sphere & (others | {of_kind(TRANSFORM, transform) for transform in Transform})
    assert compiled_for(part(Base.ACKLEY, Transform.SKEWED)) - sphere == {
        of_kind(TERMS, Base.ACKLEY),
        of_kind(TERM, Base.ACKLEY),
        of_kind(TRANSFORM, Transform.SKEWED),
        of_kind(TRANSFORM, Transform.SKEWED) + len(Transform),  # for one component
    }


def test_parts_share_what_they_have_in_common():
    parts = [part(Base.ELLIPTIC), part(Base.SCHWEFEL, Transform.SKEWED, rotated=True)]
    assert compiled_for(*parts) == compiled_for(parts[0]) | compiled_for(parts[1])


@pytest.mark.parametrize("suite", SUITES)
def test_every_slot_belongs_to_one_function(suite):
    for made in problems(suite):
        places = [slot.place for called in (called_for_points, called_for_moves) for slot in called(made.fun.kinds)]
        assert len(set(places)) == len(places) and min(places) >= 0 and max(places) < SLOTS


def test_a_point_is_evaluated_without_what_moves_need():
    objective = LayoutObjective.of(Layout(3, [part(Base.RASTRIGIN), part(Base.ELLIPTIC, rotated=True)]))
    assert not objective._data[1][:SLOTS].any()
    assert objective(np.ones(3)) == 6.0
    assert objective._data[1][TERMS.place + Base.RASTRIGIN] and not objective._data[1][FILL_PART.place]
    assert objective.data[1][FILL_PART.place]


def test_addresses_of_another_process_are_replaced():
    made = problem("lso13", 4)
    x = random_points(made, 1)[0]
    copy = pickle.loads(pickle.dumps(made))
    copy.fun._data[1][:SLOTS] = -1
    assert copy(x) == made(x)
    used = made.fun.data[1][:SLOTS] != 0
    assert (copy.fun.data[1][:SLOTS][used] == made.fun.data[1][:SLOTS][used]).all()


@pytest.mark.slow
def test_a_pickled_problem_has_the_same_values_in_another_process(tmp_path):
    made = ter.problem("lso13/f7")
    x = random_points(made, 1)[0]
    made(x)
    (tmp_path / "problem").write_bytes(pickle.dumps((made, x)))
    code = "import pickle, sys; made, x = pickle.load(open(sys.argv[1], 'rb')); print(made(x).hex())"
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "problem"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == made(x).hex()
