"""``ter decompose``."""

import json

import pytest

from ter.cli.main import main


def test_groups_are_printed_and_drawn(module, project, capsys):
    words = ["decompose", f"{module}:sphere", "--box", "-1", "2", "--dimension", "6", "--picture", "pairs.svg"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "separable: 6 variables" in out and "complete: True" in out
    assert (project / "pairs.svg").read_text().startswith("<?xml")


def test_json_is_one_object_and_nothing_else(module, capsys):
    words = [
        "decompose",
        f"{module}:noisy_printer",
        "--box",
        "-1",
        "2",
        "--dimension",
        "3",
        "--json",
        "--method",
        "dg2",
    ]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["separable"] == [0, 1, 2] and told["nfev"] == 7 and told["method"] == "dg2"


def test_an_exception_is_told_with_what_is_known(module, capsys):
    words = ["decompose", f"{module}:breaks", "--box", "-1", "2", "--dimension", "40"]
    assert main(words) == 1
    told = capsys.readouterr()
    assert "RuntimeError: the simulator crashed" in told.err and "the objective raised an exception" in told.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--method", "dg3"], "unknown method 'dg3'; did you mean 'rdg3'?"),
        (["--picture", "pairs.doc"], "--picture must"),
        (["--budget", "soon"], "budget must read like"),
    ],
)
def test_wrong_usage_is_one_line(module, capsys, words, message):
    assert main(["decompose", f"{module}:sphere", "--box", "-1", "2", "--dimension", "3", *words]) == 2
    err = capsys.readouterr().err
    assert message in err and err.count("\n") == 1


def test_a_budget_ends_it_as_planned(module, capsys):
    words = ["decompose", f"{module}:sphere", "--box", "-1", "2", "--dimension", "30", "--budget", "20"]
    assert main(words) == 0
    assert "undecided: 24 variables" in capsys.readouterr().out
