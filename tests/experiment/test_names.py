"""Problems and algorithms of the user's in a plan."""

from __future__ import annotations

import pytest

from ter.core.errors import InvalidArgument, UnknownName
from ter.experiment.fingerprint import fingerprint
from ter.experiment.runner import run_plan
from ter.experiment.store import Store
from tests.experiment.helpers import small_plan

MODULE = """
import ter
from ter.algorithms.profiles import paper, with_parts


def sphere(x):
    return float((x**2).sum())


bowl = ter.Problem(sphere, ter.box(-2, 2, dimension=4), name="bowl", f_opt=0.0)
constant = 3


def bowls(dimension=5):
    return ter.Problem(sphere, ter.box(-2, 2, dimension=dimension))


def one():
    return bowl


def crash(x):
    raise RuntimeError("the simulator crashed")


def broken():
    return ter.Problem(crash, ter.box(-2, 2, dimension=4))


def mine(dimension, budget):
    return with_parts(paper(), heuristics=["ls1"])


registered = ter.algorithms.Algorithm("mine", "a test", mine)
"""


@pytest.fixture
def module(tmp_path, monkeypatch, request):
    """A module whose name is new each time, since modules are imported only once."""
    name = f"names_{abs(hash(request.node.nodeid))}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.setattr("sys.path", list(__import__("sys").path))
    return name


def own_plan(tmp_path, problem, algorithm="ls", **changes):
    return small_plan(problems=[problem], algorithms=[algorithm], dimensions=[], folder=tmp_path, **changes)


@pytest.mark.parametrize(("attribute", "dimension"), [("bowl", 4), ("bowls", 5), ("one", 4)])
def test_a_problem_by_module_and_attribute(tmp_path, module, attribute, dimension):
    plan = own_plan(tmp_path, f"{module}:{attribute}")
    assert {spec.key.dimension for spec in plan.specs()} == {dimension}
    assert run_plan(plan, tmp_path / "s.sqlite", workers=1).done
    with Store(tmp_path / "s.sqlite") as store:
        assert {record.key.problem for record in store.records()} == {f"{module}:{attribute}"}


def test_a_problem_in_several_sizes(tmp_path, module):
    plan = own_plan(tmp_path, {"name": f"{module}:bowls", "dimensions": [3, 6]})
    assert {spec.key.dimension for spec in plan.specs()} == {3, 6}
    assert run_plan(plan, tmp_path / "s.sqlite", workers=1).done


@pytest.mark.parametrize("attribute", ["mine", "registered"])
def test_an_algorithm_by_file_and_attribute(tmp_path, module, attribute):
    plan = small_plan(algorithms=[f"{module}.py:{attribute}"], folder=tmp_path)
    assert run_plan(plan, tmp_path / "s.sqlite", workers=1).done
    with Store(tmp_path / "s.sqlite") as store:
        assert {record.heuristics for record in store.records()} == {("ls1",)}


def test_the_users_code_is_part_of_the_key(tmp_path, module):
    assert {spec.key.code for spec in own_plan(tmp_path, f"{module}:bowl").specs()} != {fingerprint()}


def test_a_failing_objective_is_recorded_with_its_traceback(tmp_path, module):
    progress = run_plan(own_plan(tmp_path, f"{module}:broken", runs=1), tmp_path / "s.sqlite", workers=1)
    assert (progress.finished, progress.failed) == (0, 1)
    with Store(tmp_path / "s.sqlite") as store:
        (record,) = store.records()
    assert record.failed and record.fun != record.fun
    assert "in crash" in record.traceback and record.traceback.endswith("RuntimeError: the simulator crashed\n")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("{module}:bow", "unknown attribute of .* 'bow'; did you mean 'bow"),
        ("{module}:constant", "must be a ter.Problem or a function that makes one, got 3"),
        ("no_such_module:f", "a module that can be imported, got no module 'no_such_module'"),
        ("no_such_file.py:f", "must be in a file that exists, got 'no_such_file.py'"),
    ],
)
def test_bad_names_are_refused(tmp_path, module, name, message):
    with pytest.raises((InvalidArgument, UnknownName), match=message):
        own_plan(tmp_path, name.format(module=module))


def test_a_file_with_the_name_of_another_module_is_refused(tmp_path):
    (tmp_path / "json.py").write_text(MODULE)
    with pytest.raises(InvalidArgument, match="a module called 'json' is there already"):
        own_plan(tmp_path, "json.py:bowl")


def test_a_dimension_that_the_problem_does_not_have_is_refused(tmp_path, module):
    with pytest.raises(InvalidArgument, match="dimensions must agree with the problem"):
        own_plan(tmp_path, {"name": f"{module}:bowl", "dimensions": [5]})


def test_something_that_is_no_algorithm_is_refused(tmp_path, module):
    with pytest.raises(InvalidArgument, match="must be an algorithm or a function that makes a profile, got 3"):
        small_plan(algorithms=[f"{module}:constant"], folder=tmp_path)
