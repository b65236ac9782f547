from __future__ import annotations

import subprocess
import sys

import pytest

import ter
from ter.cli.exits import exit_code
from ter.cli.main import main
from ter.cli.summary import letters_of, repeat_command
from ter.core.stop import StopReason


def run_python(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=60, check=False)


def test_the_version_is_told(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"ter {ter.__version__}\n"


def test_help_is_printed_without_importing_anything_heavy():
    script = (
        "import sys\nfrom ter.cli.main import main\n"
        "try:\n    main(['run', '--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'scipy', 'numba', 'rich', 'matplotlib', 'jinja2'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    ran = run_python("-c", script)
    assert ran.returncode == 0, ran.stderr
    assert "--budget" in ran.stdout


def test_the_package_runs_as_a_module():
    ran = run_python("-m", "ter", "nonsense")
    assert ran.returncode == 2
    assert "invalid choice: 'nonsense'" in ran.stderr


def test_without_a_command_the_help_is_shown(capsys):
    with pytest.raises(SystemExit, match="0"):
        main([])
    out = capsys.readouterr().out
    assert "usage: ter [-h] [--version] COMMAND" in out and "ter run deblurring --budget 10s" in out


def test_the_help_of_a_run_keeps_its_examples_line_by_line(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["run", "--help"])
    lines = capsys.readouterr().out.splitlines()
    assert "  ter run deblurring --budget 30s --picture result.png" in lines
    assert "  0 done, 1 error, 2 wrong usage, 3 the target was missed, 4 interrupted" in lines


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run"], "the following arguments are required: TARGET, --budget; see `ter run --help`"),
        (["experiment"], "the following arguments are required: COMMAND; see `ter experiment --help`"),
        (["run", "a:b", "--dimension", "ten"], "argument --dimension: must be a whole number such as 1000 or 1e3, got"),
        (["run", "a:b", "--dimension", "2.5"], "must be a whole number such as 1000 or 1e3, got '2.5'"),
        (["run", "a:b", "--dimension", "1e999"], "must be a whole number"),
        (["run", "a:b", "--dimension", "nan"], "must be a whole number"),
        (["run", "a:b", "--seed", "-1"], "argument --seed: must be a whole number >= 0, got '-1'"),
        (["list"], "the following arguments are required: KIND; see `ter list --help`"),
        (["run", "a:b", "--box", "0", "1", "--bounds", "b.csv"], "argument --bounds: not allowed with argument --box"),
    ],
)
def test_words_that_no_command_knows_are_answered_in_one_line(words, message, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(words)
    err = capsys.readouterr().err
    assert err.startswith("ter: error: ") and message in err and err.count("\n") == 1


def test_a_closed_pipe_makes_no_traceback():
    script = f"{sys.executable} -m ter list schedulers --json"
    with subprocess.Popen(script.split(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        error = process.stderr.read()
    assert process.returncode == 1
    assert error == b""


def test_ctrl_c_before_the_run_is_code_4(monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("ter.cli.solve.problem_of", interrupted)
    assert main(["run", "any:thing", "--budget", "10"]) == 4
    assert capsys.readouterr().err == "ter: interrupted\n"


@pytest.mark.parametrize(
    ("status", "found", "target", "code"),
    [
        (StopReason.BUDGET, True, None, 0),
        (StopReason.STAGNATION, True, None, 0),
        (StopReason.TARGET, True, 1.0, 0),
        (StopReason.BUDGET, True, 1.0, 3),
        (StopReason.INTERRUPTED, True, 1.0, 4),
        (StopReason.INTERRUPTED, False, None, 4),
        (StopReason.ERROR, True, None, 1),
        (StopReason.FAILURES, True, None, 1),
        (StopReason.BUDGET, False, None, 1),
    ],
)
def test_exit_codes(status, found, target, code):
    assert exit_code(status, found=found, target=target) == code


def test_letters_are_unique_as_long_as_there_are_letters():
    letters = letters_of([f"ls{i}" for i in range(20)])
    assert len(set(letters.values())) == 20


@pytest.mark.parametrize("seed", [["--seed", "3"], ["--seed=3"]])
def test_a_seed_that_was_given_is_not_given_twice(seed):
    assert repeat_command(["run", "a:b", *seed], 3).count("--seed") == 1
