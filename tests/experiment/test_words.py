"""One word, one meaning: what experiments and reports call something is not the name of something else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import ter

SOURCE = Path(ter.__file__).parent
SHARED = {"Row"}  # of a table, here as there


def classes(path):
    return {node.name for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef)}


HOMES = {
    path: {name for name in classes(path) if not name.startswith("_")} - SHARED for path in sorted(SOURCE.rglob("*.py"))
}
OURS = [path for path in HOMES if path.relative_to(SOURCE).parts[0] in ("experiment", "report") and HOMES[path]]


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_class_has_a_name_of_its_own(path):
    elsewhere = {name: other for other, names in HOMES.items() if other != path for name in names}
    assert {name: str(elsewhere[name]) for name in HOMES[path] if name in elsewhere} == {}
