from __future__ import annotations

import json

import pytest

from ter.cli.main import main
from ter.schedulers.catalogue import SCHEDULERS


@pytest.mark.parametrize(
    ("kind", "name", "about"),
    [
        ("algorithms", "default", "what ter.minimize runs"),
        ("heuristics", "ls1", "MTS-LS1"),
        ("schedulers", "round-robin", "in turn"),
    ],
)
def test_a_list_names_and_explains_its_entries(kind, name, about, capsys):
    assert main(["list", kind]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["name", "about"]
    assert any(line.startswith(name) and about in line for line in lines)


def test_json_lists_the_whole_catalogue(capsys):
    assert main(["list", "schedulers", "--json"]) == 0
    assert [entry["name"] for entry in json.loads(capsys.readouterr().out)] == list(SCHEDULERS)


def test_problems_come_with_their_dimension(capsys):
    assert main(["list", "problems", "--json"]) == 0
    entries = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert entries["deblurring"]["dimension"] > 100
    assert all(entry["about"] for entry in entries.values())


def test_an_unknown_kind_is_code_2(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["list", "nonsense"])
    assert "invalid choice" in capsys.readouterr().err
