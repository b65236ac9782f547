"""The recipes of CONTRIBUTING.md, followed to the letter in a copy of the package.

The files, the changes and the commands are taken out of the text as they stand there. Nothing is compiled in the copy,
since it would all have to be compiled anew.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
RECIPES = ("A heuristic", "A scheduler", "An algorithm", "A problem")
PATH = re.compile(r"`((?:src|tests)/[\w/]+\.py)`")
BLOCK = re.compile(r"^   ```(\w+)\n(.*?)^   ```$", re.MULTILINE | re.DOTALL)


class Step(NamedTuple):
    """One file to write or to change."""

    path: str
    kind: str
    text: str


class Recipe(NamedTuple):
    """The steps of a recipe, and the words of the command that checks them."""

    steps: list[Step]
    command: list[str]


def recipe(title: str) -> Recipe:
    """Read a recipe: numbered steps, each with the path of a file and what it shall hold; the last one is a command."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = re.split("^##", text.partition(f"\n### {title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    *numbered, last = re.split(r"^\d\. ", section, flags=re.MULTILINE)[1:]
    steps = []
    for words in numbered:
        ((kind, block),) = BLOCK.findall(words)
        steps.append(Step(PATH.findall(words)[0], kind, textwrap.dedent(block)))
    ((_, command),) = BLOCK.findall(last)
    python, *rest = shlex.split(command)
    assert python == "python"
    return Recipe(steps, rest)


@contextmanager
def followed(steps: list[Step], folder: Path) -> Iterator[None]:
    """Follow some steps, and take everything back afterwards."""
    for step in steps:
        place = folder / step.path
        if step.kind == "python":
            assert not place.exists()
            place.write_text(step.text, encoding="utf-8")
        else:
            place.write_text(changed(place.read_text(encoding="utf-8"), step.text), encoding="utf-8")
    yield
    for step in steps:
        if step.kind == "python":
            (folder / step.path).unlink()
        else:
            shutil.copy2(ROOT / step.path, folder / step.path)


def changed(text: str, change: str) -> str:
    """Apply a change: lines that are there, each below the last one, lines to be added there, and lines to go."""
    lines, at = text.splitlines(), 0
    for line in change.splitlines():
        sign, words = line[:1], line[1:]
        if sign == "+":
            lines.insert(at, words)
            at += 1
        else:
            at = lines.index(words, at)
            if sign == "-":
                del lines[at]
            else:
                at += 1
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package and its tests; one copy for all tests here, so that Python reads it fast after the first time."""
    folder = tmp_path_factory.mktemp("copy")
    for name in ("src", "tests", "tools", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "_build"))
    shutil.copy2(ROOT / "pyproject.toml", folder)
    return folder


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    env |= {"PYTHONPATH": f"{folder / 'src'}{os.pathsep}{folder}", "NUMBA_DISABLE_JIT": "1"}
    return subprocess.run([sys.executable, *words], cwd=folder, env=env, capture_output=True, text=True)


def checked(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return run([*command, "-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", "--hypothesis-profile=few"], folder)


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_that_is_followed_is_green(title, copy):
    given = recipe(title)
    with followed(given.steps, copy):
        done = checked(given.command, copy)
    assert done.returncode == 0, done.stdout + done.stderr


STEPS = [(title, step) for title in RECIPES for step in recipe(title).steps]
CHANGES = [(title, step.path) for title, step in STEPS if step.kind == "diff"]


@pytest.mark.parametrize("title", RECIPES)
def test_new_files_are_modules_and_the_test_that_the_command_runs(title):
    """So a file that is left out is noticed: nothing can be imported or run that is not there."""
    given = recipe(title)
    *modules, test = (step.path for step in given.steps if step.kind == "python")
    assert all(path.startswith("src/") for path in modules) and given.command[2] == test


@pytest.mark.parametrize(("title", "path"), CHANGES, ids=[path for _, path in CHANGES])
def test_a_change_that_is_left_out_is_noticed(title, path, copy):
    given = recipe(title)
    with followed([step for step in given.steps if step.path != path], copy):
        done = checked(given.command[:3], copy)  # the new test alone is red, and so the whole command
    assert done.returncode != 0


@pytest.mark.skipif(find_spec("ruff") is None, reason="ruff is not installed")
def test_what_the_recipes_write_has_the_style_of_the_project(copy):
    steps = [step for _, step in STEPS]
    with followed(steps, copy):
        for words in (["check"], ["format", "--check"]):
            done = run(["-m", "ruff", *words, "--no-cache", *(step.path for step in steps)], copy)
            assert done.returncode == 0, done.stdout


def test_every_recipe_was_read_whole():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert len(STEPS) == len(re.findall(r"^   ```(?:python|diff)$", text, flags=re.MULTILINE)) == 13


def test_changes_are_found_below_each_other():
    assert changed("a\nb\na\nc\n", " b\n a\n+new\n-c\n") == "a\nb\na\nnew\n"
    with pytest.raises(ValueError, match="'d' is not in list"):
        changed("a\n", " d\n+new\n")
