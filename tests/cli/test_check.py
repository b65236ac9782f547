"""``ter check``: the table and the exit codes."""

from __future__ import annotations

import pytest

from ter.cli.main import main

BOX = ["--box", "-5", "5", "--dimension", "6", "--seed", "1"]


def test_a_right_function_is_done(module, capsys):
    assert main(["check", f"{module}:sphere", *BOX]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("sphere: all rules kept\n")
    assert shown.endswith("Python function, 6 variables, 498 evaluations, seed 1\n")


def test_options_of_run_are_understood(module, capsys):
    assert main(["check", f"{module}:rows", *BOX, "--vectorized", "--evaluations", "1e3"]) == 0
    assert "vectorized function, 6 variables" in capsys.readouterr().out
    assert main(["check", f"{module}:problem", "--seed", "1"]) == 0
    assert capsys.readouterr().out.startswith("mine: all rules kept\n")


@pytest.mark.parametrize("name", ["breaks", "texts"])
def test_a_broken_rule_is_an_error(module, capsys, name):
    assert main(["check", f"{module}:{name}", *BOX]) == 1
    assert "BROKEN    rule: every point of the box has a value" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sphere"], "--box and --dimension must be given for the function"),
        (["sphere", *BOX, "--evaluations", "7"], "evaluations must be a whole number >= 100, got 7"),
        (["sphere", *BOX, "--tolerance", "-1"], "tolerance must be a number >= 0, got -1.0"),
    ],
)
def test_wrong_usage_is_told_in_one_line(module, capsys, words, message):
    assert main(["check", f"{module}:{words[0]}", *words[1:]]) == 2
    assert message in capsys.readouterr().err
