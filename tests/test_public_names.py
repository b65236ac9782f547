from __future__ import annotations

import ast
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ter

HEAVY = (
    "numpy",
    "typing",
    "numba",
    "scipy",
    "scipy.stats",
    "matplotlib",
    "rich",
    "sklearn",
    "jinja2",
    "plotly",
    "loky",
)


def test_every_public_name_resolves_and_is_listed():
    for name in ter.__all__:
        assert getattr(ter, name) is not None, name
    assert set(ter.__all__) == set(dir(ter))
    assert len(set(ter.__all__)) == len(ter.__all__)


@pytest.mark.parametrize(
    "name",
    [
        "minimize", "scipy_method", "box", "Box", "Budget", "Value", "Optimizer", "wrap", "problem", "algorithm",
        "exploitation_bounds", "suggest", "heuristics", "schedulers", "Problem", "Result", "StopReason",
        "load_result", "decompose", "Decomposition",
    ],
)  # fmt: skip
def test_the_names_that_users_rely_on_are_there(name):
    assert hasattr(ter, name)


def test_type_checkers_are_told_the_same_names_from_the_same_places():
    source = Path(ter.__file__).read_text(encoding="utf-8")
    told = {
        (alias.asname, node.module if node.module != "ter" else f"ter.{alias.name}")
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ter")
        for alias in node.names
    }
    homes = {(name, home) for home, names in ter._HOMES.items() for name in names}
    assert told == homes | {(name, f"ter.{name}") for name in ter._MODULES}


SCRIPT = """
import numpy as np
import scipy.optimize
from numpy.typing import NDArray

import ter


def sphere(x: NDArray[np.float64]) -> float:
    return float((x**2).sum())


result = ter.minimize(sphere, ter.box(-5, 5, dimension=10), budget=1_000, heuristics=[ter.heuristics.LS1(), "cc"])
value: float = result.fun
point: NDArray[np.float64] = result.x
reached: bool = result.status is ter.StopReason.TARGET
optimizer = ter.Optimizer([(0, 1)] * 3, budget="10min", scheduler=ter.schedulers.TER())
best: float | None = ter.problem("lso13/f1").f_opt
plan = ter.experiment.Plan(problems=["lso13/f1"], algorithms=["ter"])
found = scipy.optimize.minimize(
    sphere, np.zeros(10), bounds=scipy.optimize.Bounds(-1, 1), method=ter.scipy_method, options={"maxfev": 100}
)
ter.minimise  # type: ignore[attr-defined]
"""


@pytest.mark.slow
def test_a_script_of_a_user_passes_the_strictest_type_check(tmp_path, pytestconfig):
    pytest.importorskip("mypy")
    pytest.importorskip("scipy-stubs")
    (tmp_path / "script.py").write_text(SCRIPT)
    # As in an installed package: our own modules are read, not checked. The cache makes later runs of this test short.
    words = ["--strict", "--config-file=", "--follow-imports=silent", "script.py"]
    cache = pytestconfig.cache.mkdir("mypy") if hasattr(pytestconfig, "cache") else tmp_path / "cache"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", f"--cache-dir={cache}", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(Path(ter.__file__).parent.parent)},
    )
    assert done.stdout == "Success: no issues found in 1 source file\n", done.stdout[:2000] + done.stderr


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
        "decomposition",
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
