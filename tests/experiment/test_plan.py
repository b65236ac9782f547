from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from ter.core.errors import InvalidArgument, UnknownName
from ter.experiment.fingerprint import fingerprint
from ter.experiment.plan import Plan
from ter.experiment.planned import PlannedAlgorithm, PlannedProblem
from ter.experiment.spec import seed_of
from tests.experiment.helpers import small_plan

TOML = """
name = "a comparison"
problems = ["lso13/f1", {name = "lso08/f2", dimensions = [10, 20]}]
runs = 3
budget = 2e4
milestones = [1_000, 2e4]
seed = 7

[[algorithms]]
name = "ls"

[[algorithms]]
name = "ter"
label = "ter-7"
window = 7
temperature = "1/7"
[algorithms.cc]
group = 100
"""


def loaded(tmp_path, text):
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
    return Plan.load(tmp_path / "plan.toml")


def test_a_plan_from_a_file_is_the_one_from_python(tmp_path):
    plan = loaded(tmp_path, TOML)
    assert plan == Plan(
        name="a comparison",
        problems=[PlannedProblem("lso13/f1"), PlannedProblem("lso08/f2", (10, 20))],
        algorithms=["ls", PlannedAlgorithm("ter", "ter-7", {"window": 7, "temperature": 1 / 7, "cc": {"group": 100}})],
        runs=3,
        budget=20_000.0,
        milestones=[1_000, 20_000],
        seed=7,
    )
    assert plan.folder == str(tmp_path.resolve())


def test_the_runs_of_a_plan(tmp_path):
    specs = loaded(tmp_path, TOML).specs()
    assert len(specs) == len({spec.key for spec in specs}) == 3 * 2 * 3
    assert [spec.run for spec in specs] == [1] * 6 + [2] * 6 + [3] * 6  # everything is seen early
    assert [(s.key.problem, s.key.dimension, s.label) for s in specs[:6]] == [
        ("lso13/f1", 1000, "ls"),
        ("lso13/f1", 1000, "ter-7"),
        ("lso08/f2", 10, "ls"),
        ("lso08/f2", 10, "ter-7"),
        ("lso08/f2", 20, "ls"),
        ("lso08/f2", 20, "ter-7"),
    ]
    assert specs[1].key.parameters == '{"cc": {"group": 100}, "temperature": 0.14285714285714285, "window": 7}'
    assert {spec.key.code for spec in specs} == {fingerprint()} and specs[0].milestones == (1_000, 20_000)


def test_seeds_are_paired_across_algorithms_and_differ_otherwise(tmp_path):
    specs = loaded(tmp_path, TOML).specs()
    seeds: dict[tuple[str, int, int], set[int]] = {}
    for spec in specs:
        seeds.setdefault((spec.key.problem, spec.key.dimension, spec.run), set()).add(spec.key.seed)
    assert all(len(found) == 1 for found in seeds.values())
    assert len(set.union(*seeds.values())) == len(seeds)
    assert all(0 <= spec.key.seed < 2**63 for spec in specs)


def test_a_seed_does_not_depend_on_the_rest_of_the_plan():
    one = {s.key.seed for s in small_plan(algorithms=["ls"], runs=1).specs()}
    many = {s.key.seed for s in small_plan(problems=["lso08/f2", "lso08/f1"], runs=5).specs()}
    assert one < many
    assert one.isdisjoint(s.key.seed for s in small_plan(algorithms=["ls"], runs=1, seed=2).specs())
    assert one == {seed_of(1, "lso08/f1", 10, 1)}


def test_seeds_may_be_given(tmp_path):
    plan = loaded(tmp_path, 'problems = ["lso13/f1", "lso13/f2"]\nalgorithms = ["ls", "gs"]\nseeds = [5, 3, 8.0]\n')
    assert plan.runs == 3
    assert [(spec.run, spec.key.seed) for spec in plan.specs()] == [(1, 5)] * 4 + [(2, 3)] * 4 + [(3, 8)] * 4
    assert replace(plan, seeds=[7], runs=1).specs()[0].key.seed == 7


def test_seeds_and_a_root_of_seeds_are_refused():
    with pytest.raises(InvalidArgument, match=r"got seeds = \[1, 2\], runs = 2 and seed = 7; drop"):
        small_plan(seeds=[1, 2], seed=7)


def test_suites_are_all_their_problems():
    specs = Plan(problems=["lso13", {"name": "lso08", "dimensions": [50]}], algorithms=["ls"]).specs()
    assert [spec.key.problem for spec in specs] == [f"lso13/f{i}" for i in range(1, 16)] + [
        f"lso08/f{i}" for i in range(1, 7)
    ]
    assert {spec.key.budget for spec in specs} == {"3000000", "250000"}


def test_specs_are_light():
    assert len(pickle.dumps(Plan(problems=["lso13/f8"], algorithms=["ter"]).specs()[0])) < 1_000


def test_labels_by_default_tell_what_differs():
    tuned = {"name": "ter", "window": 7, "temperature": "1/7", "cc": {"group": 9, "depth": 5}}
    labels = [algorithm.label for algorithm in small_plan(algorithms=["ter", tuned]).algorithms]
    assert labels == ["ter", "ter cc.depth=5 cc.group=9 temperature=0.1429 window=7"]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("problems", [], "problems must be a list with at least one entry"),
        ("problems", "lso13", "problems must be a list with at least one entry, got 'lso13'"),
        ("problems", [3], "each problem of a plan must have a name, got 3"),
        ("problems", ["lso31"], "unknown suite or problem 'lso31'; did you mean 'lso13'"),
        ("problems", ["lso13/f16"], "unknown problem 'lso13/f16'.*lso13/f15"),
        ("problems", ["lso08/f1", "lso08"], "everything once, got lso08/f1 with 10 variables and the algorithm ter"),
        ("problems", [{"name": "lso08/f1", "dimension": 3}], "unknown key of a problem 'dimension'.*dimensions, name"),
        ("problems", ["lso13/f1"], "dimension must be 1000 for 'lso13/f1', which comes in one size, got 10"),
        ("dimensions", 10, r"dimensions must be a list of numbers, got 10; write for example \[100, 1000\]"),
        ("dimensions", [2.5], "dimensions must be a whole number >= 1, got 2.5"),
        ("algorithms", ["tar"], "unknown algorithm 'tar'; did you mean 'ter'"),
        ("algorithms", ["ter", "ter"], "labels must be unique in a plan, got 'ter' twice"),
        ("algorithms", [{"label": "ter"}], "each algorithm of a plan must have a name, got None"),
        ("algorithms", [{"name": "ter", "label": 3}], "label must be a text, got 3"),
        ("algorithms", [{"name": "ter", "windows": 3}], "did you mean 'window'"),
        ("runs", 0, "runs must be a whole number >= 1, got 0"),
        ("runs", "many", "runs must be a whole number >= 1, got 'many'"),
        ("seed", -1, "seed must be a whole number >= 0, got -1"),
        ("seeds", 3, r"seeds must be a list of numbers, got 3; write for example \[1, 2, 3\]"),
        ("seeds", [1, -2], "seeds must be a whole number >= 0, got -2"),
        ("seeds", [1, 2, 1], r"seeds must be different numbers below 2\*\*63, got \[1, 2, 1\]"),
        ("seeds", [2**63], r"seeds must be different numbers below 2\*\*63"),
        ("seeds", [1, 2, 3], r"must have seeds, or runs and seed, got seeds = \[1, 2, 3\], runs = 2 and"),
        ("budget", "a lot", "budget must read like"),
        ("milestones", [12345], "milestones must be whole numbers"),
    ],
)
def test_bad_plans_are_refused_before_anything_runs(key, value, message):
    with pytest.raises(InvalidArgument, match=message):
        small_plan(**{key: value})


def test_unknown_keys_of_a_file_are_refused_with_the_valid_ones(tmp_path):
    with pytest.raises(InvalidArgument, match=r"plan\.toml: unknown key of a plan 'run'; did you mean 'runs'\?.*seed"):
        loaded(tmp_path, 'problems = ["lso13"]\nalgorithms = ["ter"]\nrun = 3\n')


def test_keys_that_only_python_has_are_refused():
    with pytest.raises(UnknownName, match="unknown key of a plan 'folder'"):
        Plan.from_dict({"problems": ["lso13"], "algorithms": ["ter"], "folder": "x"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("problems = [", "a plan must be written in TOML"),
        ('problems = ["lso13"]', "a plan must have the key 'algorithms', got problems"),
        ("", "a plan must have the key 'problems', got nothing"),
    ],
)
def test_broken_files_are_refused(tmp_path, text, message):
    with pytest.raises(InvalidArgument, match=message):
        loaded(tmp_path, text)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InvalidArgument, match="a plan must be a TOML file that can be read"):
        Plan.load(tmp_path / "plan.toml")


def test_names_that_cannot_be_stored_are_refused():
    with pytest.raises(InvalidArgument, match=r"label must be a text that can be stored, got '\\udcff'; write label"):
        Plan(problems=["lso08/f1"], dimensions=[10], algorithms=[{"name": "ls", "label": "\udcff"}], budget=10)
    with pytest.raises(InvalidArgument, match=r"user code must have a name that can be stored, got 'w\\udcff.py:f'"):
        Plan(problems=["w\udcff.py:f"], algorithms=["ls"], budget=10)


def test_a_shortened_plan_has_the_first_runs_of_the_whole_one():
    plan = Plan(problems=["lso08/f1", "lso08/f2"], dimensions=[5], algorithms=["ls"], runs=4, budget=100)
    assert plan.shortened(2).specs() == plan.specs()[:4] and plan.shortened(9) == plan
    named = Plan(problems=["lso08/f1"], dimensions=[5], algorithms=["ls"], seeds=[7, 8, 9], budget=100)
    assert [spec.key.seed for spec in named.shortened(2).specs()] == [7, 8]
    with pytest.raises(InvalidArgument, match="runs must be a whole number >= 1"):
        plan.shortened(0)
