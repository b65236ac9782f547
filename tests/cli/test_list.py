from __future__ import annotations

import json

import pytest

from ter.benchmarks import SUITES
from ter.cli.main import main
from ter.heuristics.catalogue import HEURISTICS
from ter.problems import PROBLEMS
from ter.schedulers.catalogue import SCHEDULERS


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["list", *words]) == 0
    return capsys.readouterr().out.splitlines()


def entries(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    return json.loads("\n".join(printed(capsys, *words, "--json")))


@pytest.mark.parametrize(
    ("kind", "name", "about"),
    [
        ("algorithms", "default", "what ter.minimize runs"),
        ("heuristics", "ls1", "MTS-LS1"),
        ("schedulers", "round-robin", "in turn"),
    ],
)
def test_a_list_names_and_explains_its_entries(kind, name, about, capsys):
    lines = printed(capsys, kind)
    assert lines[0].split() == ["name", "about"]
    assert any(line.startswith(name) and about in line for line in lines)


def test_a_heuristic_is_listed_with_its_other_name(capsys):
    assert [line.split("  ")[0] for line in printed(capsys, "heuristics")][:4] == ["name", "ls1", "cc", "gs (SHADE)"]
    assert [entry["name"] for entry in entries(capsys, "heuristics")] == list(HEURISTICS)


def test_json_lists_the_whole_catalogue(capsys):
    assert [entry["name"] for entry in entries(capsys, "schedulers")] == list(SCHEDULERS)
    assert [entry["name"] for entry in entries(capsys, "problems")] == list(PROBLEMS)
    assert [entry["name"] for entry in entries(capsys, "suites")] == list(SUITES)


def test_problems_come_with_their_suite_and_dimension(capsys):
    found = {entry["name"]: entry for entry in entries(capsys, "problems")}
    assert (found["deblurring"]["suite"], found["deblurring"]["dimension"]) == ("gallery", 4096)
    assert (found["lso13/f14"]["suite"], found["lso13/f14"]["dimension"]) == ("lso13", 905)
    assert all(entry["about"] for entry in found.values())


def test_problems_are_grouped_by_suite(capsys):
    lines = printed(capsys, "problems")
    assert lines[0].split() == ["name", "dimension", "about"]
    groups = "\n".join(line.rstrip() for line in lines[1:]).split("\n\n")
    names = [[line.split()[0] for line in group.splitlines()] for group in groups]
    gallery = [name for name in PROBLEMS if "/" not in name]
    assert names == [gallery, *(list(suite.names) for suite in SUITES.values())]


@pytest.mark.parametrize("suite", SUITES)
def test_the_problems_of_one_suite(suite, capsys):
    names = list(SUITES[suite].names)
    assert [line.split()[0] for line in printed(capsys, "problems", suite)] == ["name", *names]
    assert [entry["name"] for entry in entries(capsys, "problems", suite)] == names


def test_the_problems_of_the_gallery(capsys):
    names = [entry["name"] for entry in entries(capsys, "problems", "gallery")]
    assert "deblurring" in names and not any("/" in name for name in names)


def test_an_unknown_suite_is_code_2_with_those_there_are(capsys):
    assert main(["list", "problems", "lso31"]) == 2
    message = "ter: error: unknown suite 'lso31'; did you mean 'lso13'? Valid names: gallery, lso08, lso08-unbiased, "
    assert capsys.readouterr().err.startswith(message)


def test_only_problems_are_listed_by_suite(capsys):
    assert main(["list", "heuristics", "lso13"]) == 2
    message = "ter: error: only problems can be listed by suite, got 'lso13' after 'heuristics'; leave it out\n"
    assert capsys.readouterr().err == message


def test_suites_come_with_their_number_of_functions(capsys):
    lines = printed(capsys, "suites")
    assert lines[0].split() == ["name", "functions", "about"]
    assert [line.split()[:2] for line in lines[1:]] == [[name, str(len(suite))] for name, suite in SUITES.items()]
    assert all(len(line.split()) > 2 for line in lines[1:])


def test_an_unknown_kind_is_code_2(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["list", "nonsense"])
    assert "invalid choice" in capsys.readouterr().err
