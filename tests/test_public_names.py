from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

import ter

HEAVY = ("numba", "scipy", "scipy.stats", "matplotlib", "rich", "sklearn", "jinja2", "plotly", "loky")


def test_every_public_name_resolves_and_is_listed():
    for name in ter.__all__:
        assert getattr(ter, name) is not None, name
    assert set(ter.__all__) == set(dir(ter))
    assert len(set(ter.__all__)) == len(ter.__all__)


@pytest.mark.parametrize(
    "name",
    [
        "minimize", "box", "Box", "Budget", "Value", "Optimizer", "wrap", "problem", "algorithm", "exploitation_bounds",
        "suggest", "heuristics", "schedulers", "Problem", "Result", "StopReason",
        "load_result",
    ],
)  # fmt: skip
def test_the_names_that_users_rely_on_are_there(name):
    assert hasattr(ter, name)


def test_unknown_names_raise_the_usual_error():
    with pytest.raises(AttributeError, match="module 'ter' has no attribute 'minimise'"):
        ter.minimise  # noqa: B018


@pytest.mark.parametrize(
    "package",
    [
        "heuristics",
        "schedulers",
        "algorithms",
        "analysis",
        "experiment",
        "experiment.best_known",
        "problems",
        "testing",
    ],
)
def test_packages_list_what_they_offer(package):
    module = importlib.import_module(f"ter.{package}")
    assert module.__all__
    for name in module.__all__:
        assert hasattr(module, name), name


def test_importing_the_package_imports_nothing_heavy():
    code = "import json, sys, ter; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(json.loads(done.stdout)).isdisjoint(HEAVY)


def test_the_package_is_typed():
    assert (Path(ter.__file__).parent / "py.typed").is_file()


def test_the_version_is_a_version():
    assert [part.isdigit() for part in ter.__version__.split(".")][:2] == [True, True]
