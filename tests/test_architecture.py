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
from tools import draw_packages

SOURCE = Path(ter.__file__).parent
ROOT = Path(__file__).parent.parent
MODULES = sorted(SOURCE.rglob("*.py"))
LONGEST_MODULE, LONGEST_FUNCTION = 400, 70

# The order of the packages: each imports from earlier ones only, inside functions and for type checkers too.
ORDER = (
    "_jit",
    "core",
    "objectives",
    "engines",
    "decomposition",
    "display",
    "checkpoint",
    "run",
    "heuristics",
    "schedulers",
    "algorithms",
    "benchmarks",
    "problems",
    "interface",
    "testing",
    "analysis",
    "user_code",
    "experiment",
    "report",
    "cli",
    "__main__",
)


def named(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def package_of(path: Path) -> str:
    return path.relative_to(SOURCE).with_suffix("").parts[0]


def imported(path: Path) -> set[str]:
    """The packages of ``ter`` that a module imports anywhere in its source."""
    names: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("ter.")} - {"__version__"}


def test_the_source_is_found():
    assert len(MODULES) > 30 and SOURCE / "run" / "loop.py" in MODULES


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


@pytest.mark.parametrize("path", [path for path in MODULES if path.parent != SOURCE or path.stem in ORDER], ids=named)
def test_imports_go_one_way(path):
    own = package_of(path)
    earlier = ORDER[: ORDER.index(own)]
    assert not {name for name in imported(path) - {own} if name not in earlier}


def test_every_package_has_its_place_in_the_order():
    assert {package_of(path) for path in MODULES} == {*ORDER, "__init__"}


def test_the_diagram_of_the_packages_is_that_of_the_code():
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    diagram = draw_packages.text().split("```")[1]
    assert f"```{diagram}```" in page, "run: python -m tools.draw_packages"


def test_imports_inside_functions_are_seen():
    assert "report" in imported(SOURCE / "cli" / "report.py")
    assert "core" in imported(SOURCE / "heuristics" / "cc.py")


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


@pytest.mark.parametrize("name", sorted(set(SCHEDULERS) - {"metered", "opening", "plunge", "only", "replay"}))
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
