from __future__ import annotations

import re
import subprocess
import sys

import pytest

from ter.cli.main import main

pytestmark = pytest.mark.slow

LINE = re.compile(r"(.+?)  +[\d.]+ (s|min .*)")

FUNCTIONS = """
import numba

calls = []


def plain(x):
    calls.append(x)
    return 1.0


@numba.njit
def compiled(x):
    return x.sum()


constant = 3
"""

# What is compiled, or read from the cache, is in a dispatcher's overloads. A Numba function of the user's own is
# compiled when it is used first, and so is what dresses it as an objective: `value`, a function inside `objective_of`.
AFTERWARDS = """
import gc
import numba
from numba.core.dispatcher import Dispatcher
import ter
from ter.cli.main import main

def known():
    ours = [d for d in gc.get_objects() if issubclass(type(d), Dispatcher) and d.py_func.__module__.startswith("ter.")]
    ours = [d for d in ours if not d.py_func.__qualname__.startswith("objective_of.")]
    return {(d.py_func.__module__, d.py_func.__qualname__, str(signature)) for d in ours for signature in d.overloads}

main(["warm"])
before = known()
assert before
box = ter.box(-5, 5, dimension=20)
ter.minimize(lambda x: float((x**2).sum()), box, budget=3_000, rng=1)
ter.minimize(numba.njit(lambda x: (x**2).sum()), box, budget=3_000, rng=1)
for name in ("lso13/f8", "lso08/f3", "lso10/f5"):
    problem = ter.problem(name)
    ter.minimize(problem, budget=3_000, rng=1)
    problem([problem.lower, problem.upper])
assert known() == before, sorted(known() - before)
"""


@pytest.fixture
def functions(tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    name = f"warm_{abs(hash(request.node.nodeid))}"
    (tmp_path / f"{name}.py").write_text(FUNCTIONS)
    return name


def test_after_it_runs_of_every_kind_find_everything_compiled():
    ran = subprocess.run([sys.executable, "-c", AFTERWARDS], capture_output=True, text=True, timeout=900, check=False)
    assert ran.returncode == 0, ran.stderr
    labels = [LINE.fullmatch(line)[1] for line in ran.stdout.splitlines()]
    assert labels == ["Python functions", "Numba functions", "suites", "in all"]


def test_functions_of_ones_own_are_compiled_and_not_called(functions, capsys):
    assert main(["warm", f"{functions}:plain", f"{functions}.py:compiled", "lso08/f1"]) == 0
    module = sys.modules[functions]
    assert module.compiled.signatures and module.calls == []
    labels = [LINE.fullmatch(line)[1] for line in capsys.readouterr().out.splitlines()]
    assert labels == [f"{functions}:plain", f"{functions}.py:compiled", "lso08/f1", "in all"]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("{m}:plian", "did you mean 'plain'?"),
        ("{m}:constant", "fun must be callable, got int"),
        ("{m}.py", "is a file; name the function in it, as in {m}.py:plain"),
        ("lso08/f9", "unknown problem 'lso08/f9'; did you mean"),
    ],
)
def test_a_wrong_name_is_code_2_before_anything_is_compiled(functions, capsys, target, message):
    assert main(["warm", "lso08/f1", target.format(m=functions)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("ter: error: ") and message.format(m=functions) in err
