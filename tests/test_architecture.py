"""Rules about the source: sizes, the direction of imports, catalogues."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import ter
from ter.core.heuristic import Heuristic
from ter.core.scheduler import Scheduler
from ter.heuristics import HEURISTICS
from ter.schedulers import SCHEDULERS

SOURCE = Path(ter.__file__).parent
ROOT = Path(__file__).parent.parent
MODULES = sorted(SOURCE.rglob("*.py"))
LONGEST_MODULE, LONGEST_FUNCTION = 400, 70

# What a package must not import at module level: the arrows of the architecture go the other way.
ABOVE = ("algorithms", "analysis", "experiment", "problems", "report", "cli", "testing", "profiles")
FORBIDDEN = {
    "core": (*ABOVE, "heuristics", "schedulers", "workers", "benchmarks"),
    "engines": (*ABOVE, "heuristics", "schedulers", "benchmarks"),
    "workers": (*ABOVE, "heuristics", "schedulers", "benchmarks"),
    "heuristics": (*ABOVE, "schedulers", "benchmarks"),
    "schedulers": (*ABOVE, "heuristics", "benchmarks"),
    "benchmarks": (*ABOVE, "heuristics", "schedulers"),
    "analysis": (*(set(ABOVE) - {"analysis"}), "heuristics", "schedulers", "benchmarks", "workers", "engines"),
    "experiment": ("report", "cli", "testing"),
    "problems": ("heuristics", "schedulers", "algorithms", "report", "cli", "testing", "profiles"),
    "algorithms": ("problems", "report", "cli", "testing", "benchmarks"),
    "report": ("heuristics", "schedulers", "algorithms", "cli", "testing", "profiles", "benchmarks"),
}


def named(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def module_level(node: ast.AST) -> list[ast.stmt]:
    """The statements that run on import; imports for type checkers do not."""
    found = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if isinstance(child, ast.stmt):
            found.append(child)
        found += module_level(child)
    return found


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for statement in module_level(tree(path)):
        if isinstance(statement, ast.Import):
            names |= {alias.name for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            names |= {statement.module} | {f"{statement.module}.{alias.name}" for alias in statement.names}
    return names


def test_the_source_is_found():
    assert len(MODULES) > 30 and SOURCE / "core" / "loop.py" in MODULES


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_modules_are_short_and_explained(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE
    assert ast.get_docstring(tree(path))


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_functions_are_short(path):
    long = {}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            lines = node.end_lineno - node.lineno + 1
            docstring = node.body[0] if ast.get_docstring(node) else None
            if docstring is not None and docstring.end_lineno is not None:
                lines -= docstring.end_lineno - docstring.lineno + 1
            if lines > LONGEST_FUNCTION:
                long[node.name] = lines
    assert not long


@pytest.mark.parametrize("package", sorted(FORBIDDEN))
def test_imports_go_one_way(package):
    wrong = {
        named(path): sorted(names)
        for path in sorted((SOURCE / package).rglob("*.py"))
        if (names := {n for n in imported(path) if any(_within(n, f"ter.{other}") for other in FORBIDDEN[package])})
    }
    assert not wrong


def _within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def test_the_direction_of_imports_can_be_seen():
    assert "ter.core.errors" in imported(SOURCE / "heuristics" / "cc.py")
    assert "ter.profiles" not in imported(SOURCE / "core" / "minimize.py")  # imported inside the function


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_nothing_prints_but_the_command_line(path):
    if path.is_relative_to(SOURCE / "cli"):
        return
    calls = [node.func for node in ast.walk(tree(path)) if isinstance(node, ast.Call)]
    assert not [call for call in calls if isinstance(call, ast.Name) and call.id == "print"]


@pytest.mark.parametrize("name", sorted(HEURISTICS))
def test_a_heuristic_has_a_module_of_its_own_and_keeps_the_contract(name):
    heuristic = HEURISTICS[name]()
    assert isinstance(heuristic, Heuristic) and heuristic.name == name
    owners = [other for other in HEURISTICS if type(HEURISTICS[other]()).__module__ == type(heuristic).__module__]
    assert owners == [name]
    assert type(heuristic).__module__.startswith("ter.heuristics.")
    assert heuristic.cost(1) >= 1 and isinstance(heuristic.cost(1000), int)


@pytest.mark.parametrize("name", sorted(HEURISTICS))
def test_a_heuristic_has_a_test_of_its_own(name):
    module = type(HEURISTICS[name]()).__module__.rsplit(".", 1)[1]
    assert (ROOT / "tests" / "heuristics" / f"test_{module}.py").is_file()


@pytest.mark.parametrize("name", sorted(set(SCHEDULERS) - {"only", "replay"}))
def test_a_scheduler_keeps_the_contract(name):
    assert isinstance(SCHEDULERS[name](), Scheduler)


def texts() -> list[Path]:
    """Every text file of the project that belongs to it."""
    endings = {".py", ".md", ".toml", ".html", ".css", ".js", ".txt", ".cfg", ".rst", ".yml", ".yaml"}
    folders = [ROOT / name for name in ("src", "tests", "docs", "bench", "tools", "studies", "examples", ".github")]
    inside = [path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in endings]
    return [*inside, *(path for path in sorted(ROOT.iterdir()) if path.suffix in endings or path.name == "Makefile")]


def test_the_project_stands_alone():
    outside = "/".join(["..", "shared"])
    assert not [str(path) for path in texts() if outside in path.read_text(encoding="utf-8")]


def test_kernels_use_no_fast_math():
    text = (SOURCE / "_jit.py").read_text(encoding="utf-8")
    assert "fastmath" not in text
