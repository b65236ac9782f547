"""What the files around the package say of it: versions, commands, bounds."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import ter

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_citation_names_this_version():
    assert re.search(r"^version: (.*)$", read("CITATION.cff"), flags=re.MULTILINE)[1] == ter.__version__


def test_only_versions_of_python_that_were_run_are_claimed():
    claimed = [name.rsplit(" ", 1)[1] for name in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", name)]
    assert re.findall(r"^\| (3\.\d+)\.\d+ \|", read("RELEASING.md"), flags=re.MULTILINE) == claimed


@pytest.mark.skipif(not (ROOT / ".github").is_dir(), reason="a source archive has no workflow")
def test_the_public_ci_runs_the_versions_that_are_claimed():
    claimed = [name.rsplit(" ", 1)[1] for name in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", name)]
    matrix = re.search(r"^ +python: \[(.*)\]$", read(".github/workflows/ci.yml"), flags=re.MULTILINE)[1]
    assert re.findall(r"3\.\d+", matrix) == claimed


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "RELEASING.md"])
def test_commands_of_the_makefile_exist(page):
    targets = set(re.findall(r"^([a-z]+):", read("Makefile"), flags=re.MULTILINE))
    assert set(re.findall(r"`make ([a-z]+)", read(page))) <= targets


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "RELEASING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)", read(page)):
        assert "://" in target or (ROOT / target).exists(), target


def test_every_dependency_is_bounded_on_both_sides():
    extras = PROJECT["optional-dependencies"].values()
    for needed in [*PROJECT["dependencies"], *(name for extra in extras for name in extra)]:
        assert needed.startswith("ter[") or re.fullmatch(r"[\w-]+>=[\d.]+,<[\d.]+", needed), needed
