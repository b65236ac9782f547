from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest

from ter.cli.main import main

BOX = ("--box", "-5", "5", "--dimension", "4")
QUICK = ("--budget", "300", "--seed", "1", "--quiet")


def test_json_holds_the_answer_and_nothing_else_is_printed(module, capsys):
    assert main(["run", f"{module}:noisy_printer", *BOX, *QUICK, "--json"]) == 0
    out, err = capsys.readouterr()
    facts = json.loads(out)
    assert facts["nfev"] == 300
    assert facts["fun"] == pytest.approx(float((np.array(facts["x"]) ** 2).sum()))
    assert set(facts["sequence"]) == {"volleys", "rm-es", "quasi-newton"}
    assert facts["status"] == "budget"
    assert "hello from the objective" in err


def test_people_see_a_summary_and_how_to_repeat_the_run(module, capsys):
    words = ["run", f"{module}:sphere", *BOX, "--budget", "300 evaluations", "--quiet"]
    assert main(words) == 0
    out = capsys.readouterr().out
    best = re.search(r"best value\s+(\S+)", out)[1]
    strip = re.search(r"decisions\s+(\S+)", out)[1]
    seed = re.search(r"--seed (\d+)", out)[1]
    assert "the budget is used up" in out
    assert set(strip) == {"v", "r", "q"}
    assert "--budget '300 evaluations' --quiet --seed" in out
    main([*words, "--seed", seed])
    assert f"best value   {best}\n" in capsys.readouterr().out


def test_the_command_line_gives_what_minimize_gives(module, capsys):
    import ter

    main(["run", f"{module}:sphere", *BOX, *QUICK, "--json"])
    there = json.loads(capsys.readouterr().out)
    here = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=4), budget=300, rng=1)
    assert there["x"] == here.x.tolist()
    assert tuple(there["sequence"]) == here.sequence


@pytest.mark.parametrize(
    ("options", "code", "status"),
    [
        ((), 0, "budget"),
        (("--target", "1e-30"), 3, "budget"),  # the message is tested below
        (("--target", "-1e-3"), 3, "budget"),
        (("--target", "50"), 0, "target"),
        (("--stagnation", "1"), 0, "stagnation"),
        (("--stagnation", "1", "--target", "-1"), 3, "stagnation"),
    ],
)
def test_the_exit_code_tells_whether_the_target_was_reached(module, capsys, options, code, status):
    assert main(["run", f"{module}:sphere", *BOX, *QUICK, "--json", *options]) == code
    assert json.loads(capsys.readouterr().out)["status"] == status


def test_a_missed_target_is_told(module, capsys):
    assert main(["run", f"{module}:sphere", *BOX, *QUICK, "--target", "1e-30"]) == 3
    assert "ended        the budget is used up; the target 1e-30 was not reached\n" in capsys.readouterr().out
    assert main(["run", f"{module}:sphere", *BOX, *QUICK, "--target", "1e-30", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["success"] is False


def test_numbers_may_be_written_with_an_exponent(module, capsys):
    box = ("--box", "-5", "5", "--dimension", "1e1")
    assert main(["run", f"{module}:sphere", *box, *QUICK, "--stagnation", "1e3", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["x"]) == 10


def test_a_budget_may_be_a_time_of_several_units(module, capsys):
    assert main(["run", f"{module}:sphere", *BOX, "--budget", "1h30m, 300", "--quiet", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nfev"] == 300


BOUNDS = np.array([[-1.0, 1.0], [2.0, 3.0], [0.5, 0.5]])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("b.csv", "lower,upper\n-1,1\n2,3\n0.5,0.5\n"),
        ("b.csv", "\ufeff\nlower;upper  # of each\n\n-1;1\n2;3  # narrow\n# and\n0.5; 0.5"),
        ("b.txt", "-1 1\n 2\t3\n5e-1  0.5\n"),
        ("b.npy", None),
    ],
)
def test_each_variable_has_its_own_bounds_from_a_file(module, project, capsys, name, text):
    if text is None:
        np.save(project / name, BOUNDS)
    else:
        (project / name).write_text(text, encoding="utf-8")
    words = ["run", f"{module}:sphere", "--bounds", name, *QUICK, "--json"]
    assert main(words) == 0
    x = np.array(json.loads(capsys.readouterr().out)["x"])
    assert ((x >= BOUNDS[:, 0]) & (x <= BOUNDS[:, 1])).all() and x[2] == 0.5
    assert main([*words, "--dimension", "3"]) == 0
    capsys.readouterr()
    assert main([*words, "--dimension", "4"]) == 2
    assert "--dimension must agree with --bounds, got 4 and 3 pairs; leave it out" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "lower,upper\n0,1\n2\n",
            "--bounds must have two numbers per line, lower and upper, got '2' in line 3 of b.csv",
        ),
        ("0,1\n0,1,2\n", "two numbers per line, lower and upper, got '0,1,2' in line 2 of b.csv"),
        ("0,1\n0,a\n", "two numbers per line, lower and upper, got '0,a' in line 2 of b.csv"),
        ("0,1\nlower,upper\n", "got 'lower,upper' in line 2 of b.csv"),
        ("a,b\nlower,upper\n", "got 'lower,upper' in line 2 of b.csv"),
        ("0,1\n\n1,0\n", "--bounds must be finite with lower <= upper, got '1,0' in line 3 of b.csv"),
        ("0,inf\n", "--bounds must be finite with lower <= upper, got '0,inf' in line 1 of b.csv"),
        ("lower,upper\n", "--bounds must name a file with lower and upper of each variable, got nothing in b.csv"),
    ],
)
def test_a_file_of_bounds_that_breaks_a_rule_is_told_by_its_line(module, project, capsys, text, message):
    (project / "b.csv").write_text(text)
    assert main(["run", f"{module}:sphere", "--bounds", "b.csv", *QUICK]) == 2
    err = capsys.readouterr().err
    assert message in err and err.count("\n") == 1


@pytest.mark.parametrize("array", [np.zeros(3), np.zeros((3, 3)), np.array([[0.0, np.inf]])])
def test_an_array_that_is_no_bounds_is_refused(module, project, capsys, array):
    np.save(project / "b.npy", array)
    assert main(["run", f"{module}:sphere", "--bounds", "b.npy", *QUICK]) == 2
    assert "--bounds must name a .npy or text file of two columns, got b.npy: " in capsys.readouterr().err


def test_a_file_a_problem_and_a_vectorized_function_are_targets(project, module, capsys):
    assert main(["run", str(project / f"{module}.py") + ":sphere", *BOX, *QUICK]) == 0
    assert main(["run", f"{module}:problem", *QUICK]) == 0
    assert main(["run", f"{module}:rows", *BOX, *QUICK, "--vectorized"]) == 0
    assert capsys.readouterr().out.count("best value") == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("{m}:missing", *BOX), "unknown attribute of {m} 'missing'"),
        (("{m}:spher", *BOX), "did you mean 'sphere'?"),
        (("no_such_module_x:f", *BOX), "got no module 'no_such_module_x', looked for in "),
        (("{m}", *BOX), "'{m}' is a module; name the function in it, as in {m}:sphere"),
        (("{m}.py", *BOX), "'{m}.py' is a file; name the function in it, as in {m}.py:sphere"),
        ((".", *BOX), "'.' is a folder; name a function in one of its files"),
        (("lso13",), "'lso13' is a suite; name one of its functions, lso13/f1 to lso13/f15"),
        (("LSO13/F1",), "unknown problem 'LSO13/F1'; did you mean 'lso13/f1'?"),
        (("deblurring", "--vectorized"), "--vectorized must be left out for the problem 'deblurring'"),
        (("lso13/f99",), "unknown problem 'lso13/f99'; did you mean 'lso13/f9'? Valid names: lso13/f1, lso13/f2, "),
        (("missing.py:f", *BOX), "a file that exists, got 'missing.py'"),
        (("{m}:constant", *BOX), "got int '{m}:constant'"),
        (("{m}:sphere",), "--box and --dimension must be given"),
        (("{m}:sphere", "--box", "5", "-5", "--dimension", "3"), "got lower = 5.0 > upper = -5.0 at variable 0"),
        (
            ("{m}:sphere", "--bounds", "missing.csv"),
            "--bounds must name a .npy or text file of two columns, got missing",
        ),
        (("{m}:problem", *BOX[:3]), "--box must be left out for the problem '{m}:problem', which brings its own"),
        (("{m}:problem", "--bounds", "b.csv"), "--bounds must be left out for the problem '{m}:problem'"),
        (("{m}:problem", "--dimension", "7"), "got 7 and 4"),
        (("{m}:sphere", *BOX, "--heuristics", "ls1,nope"), "unknown heuristic 'nope'"),
        (("{m}:sphere", *BOX, "--heuristics", ","), "heuristics must hold at least one"),
        (("{m}:sphere", *BOX, "--algorithm", "nope"), "unknown algorithm 'nope'"),
        (("{m}:sphere", *BOX, "--temperature", "0"), "temperature must be a finite number > 0"),
        (("{m}:sphere", *BOX, "--algorithm", "ran", "--window", "3"), "--window must go with the scheduler ter"),
        (("{m}:sphere", *BOX, "--x0", "missing.npy"), "--x0 must name a .npy, .npz or text file"),
        (("{m}:sphere", *BOX, "--output", "x.csv"), "--output must end in .npz or .npy"),
        (("{m}:sphere", *BOX, "--picture", "x.html"), "--picture must end in .png"),
        (("{m}:sphere", *BOX, "--workers", "0"), "workers must be >= 1"),
        (("{m}:sphere", *BOX, "--evaluation-timeout", "soon"), "evaluation_timeout must be a number of seconds > 0"),
    ],
)
def test_a_wrong_option_is_one_line_and_code_2(module, capsys, words, message):
    assert main(["run", *(word.format(m=module) for word in words), *QUICK]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("ter: error: ")
    assert err.count("\n") == 1
    assert message.format(m=module) in err


def test_a_wrong_budget_is_code_2(module, capsys):
    assert main(["run", f"{module}:sphere", *BOX, "--budget", "a lot"]) == 2
    assert "got 'a lot'" in capsys.readouterr().err
    assert main(["run", f"{module}:sphere", *BOX, "--budget", "0"]) == 2
    assert "evaluations must be a whole number >= 1, got 0.0; a budget is for example" in capsys.readouterr().err


@pytest.mark.parametrize(("budget", "used"), [("1", "1 evaluation in "), ("2000", "2 000 evaluations in ")])
def test_the_summary_counts_evaluations_with_plain_spaces(module, capsys, budget, used):
    assert main(["run", f"{module}:sphere", *BOX, "--budget", budget, "--quiet"]) == 0
    assert f"used         {used}" in capsys.readouterr().out


def test_a_missing_budget_is_code_2(module, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["run", f"{module}:sphere", *BOX])
    assert "--budget" in capsys.readouterr().err


def test_an_exception_shows_the_users_traceback_and_keeps_the_best_point(module, project, capsys):
    options = ("--json", "--output", "best.npz")
    assert main(["run", f"{module}:breaks", *BOX, *QUICK, *options]) == 1
    out, err = capsys.readouterr()
    facts = json.loads(out)
    assert (facts["status"], facts["nfev"]) == ("error", 61)
    assert facts["error"] == "RuntimeError: the simulator crashed"
    assert err.startswith("Traceback")
    assert err.count('  File "') == 1 and f'{module}.py", line ' in err
    assert np.load(project / "best.npz")["x"].tolist() == facts["x"]


def test_an_exception_in_a_worker_shows_the_users_traceback(module, capsys):
    assert main(["run", f"{module}:breaks_inside", *BOX, *QUICK, "--workers", "2", "--heuristics", "cc", "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["error"] == "RuntimeError: the simulator crashed"
    assert re.findall(r", line \d+, in (\w+)\n", err) == ["breaks_inside", "breaks"]
    assert err.count(f"{module}.py") == 2 and err.count("Traceback") == 1


def test_an_evaluation_that_hangs_is_killed_and_the_best_point_is_kept(module, project, capsys):
    words = ["run", f"{module}:hangs", *BOX, *QUICK, "--evaluation-timeout", "2s", "--output", "best.npz", "--json"]
    assert main(words) == 1
    facts = json.loads(capsys.readouterr().out)
    assert facts["status"] == "error" and facts["error"].startswith("ter.core.errors.EvaluationTimeout: an evaluation")
    assert np.load(project / "best.npz")["x"].tolist() == facts["x"]


@pytest.mark.parametrize(
    ("function", "code", "status", "error"),
    [("exits", 1, "error", "SystemExit: 0"), ("interrupts_itself", 4, "interrupted", "KeyboardInterrupt")],
)
@pytest.mark.parametrize("policy", ["raise", "worst"])
def test_a_function_that_wants_out_ends_the_run_and_the_best_point_is_kept(
    module, project, capsys, function, code, status, error, policy
):
    options = ("--json", "--output", "best.npz", "--on-error", policy)
    assert main(["run", f"{module}:{function}", *BOX, *QUICK, *options]) == code
    out, err = capsys.readouterr()
    facts = json.loads(out)
    assert (facts["status"], facts["nfev"], facts["error"]) == (status, 61, error)
    assert err.startswith("Traceback") and err.count('  File "') == 1
    assert np.load(project / "best.npz")["x"].tolist() == facts["x"]


def test_a_picture_that_exits_loses_nothing(module, project, capsys):
    name = f"{module}_drawn"
    (project / f"{name}.py").write_text(
        "import sys, ter\n"
        "box = ter.box(-1, 1, dimension=3)\n"
        "problem = ter.Problem(lambda x: float((x**2).sum()), box, draw=lambda x, ax: sys.exit(0))\n"
    )
    assert main(["run", f"{name}:problem", *QUICK, "--picture", "run.png", "--output", "x.npy"]) == 1
    out, err = capsys.readouterr()
    assert "best value" in out and "run.png could not be written" in err and (project / "x.npy").exists()


def test_a_module_that_exits_when_it_is_imported_is_an_error(project, capsys):
    (project / "exits_on_import.py").write_text("import sys\nsys.exit(0)\n")
    assert main(["run", "exits_on_import:f", *BOX, *QUICK]) == 1
    err = capsys.readouterr().err
    assert "importing exits_on_import failed" in err and "SystemExit: 0" in err


def test_texts_that_cannot_be_encoded_are_written_with_backslashes(module, project):
    command = [sys.executable, "-m", "ter", "run", f"{module}:mumbles", *BOX, *QUICK, "--report", "run-\xe9.html"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=project, env=environment)
    assert done.returncode == 1, done.stderr
    assert r"RuntimeError: caf\xe9 \udcff" in done.stderr
    assert r"wrote        run-\xe9.html" in done.stdout
    assert r"RuntimeError: café \udcff" in (project / "run-\xe9.html").read_text(encoding="utf-8")


def test_exceptions_can_be_counted_as_worst(module, capsys):
    code = main(["run", f"{module}:breaks", *BOX, *QUICK, "--json", "--on-error", "worst"])
    facts = json.loads(capsys.readouterr().out)
    assert code == 1  # a hundred failures in a row end the run
    assert facts["status"] == "failures"
    assert facts["nfail"] >= 100


def test_an_objective_that_returns_no_number_is_code_1(module, capsys):
    assert main(["run", f"{module}:texts", *BOX, *QUICK]) == 1
    message = "ObjectiveError: the objective must return one number per point, got str; return a float\n"
    assert capsys.readouterr().err == f"ter.core.errors.{message}"


def test_a_module_that_cannot_be_imported_shows_its_traceback(project, capsys):
    (project / "broken_on_import.py").write_text("import no_such_package_y\n")
    assert main(["run", "broken_on_import:f", *BOX, *QUICK]) == 1
    err = capsys.readouterr().err
    assert "importing broken_on_import failed" in err
    assert "No module named 'no_such_package_y'" in err
    assert "importlib" not in err


def test_files_are_written_and_folders_made(module, project, capsys):
    files = ("--output", "out/x.npy", "--picture", "out/run.png", "--report", "out/run.html")
    assert main(["run", f"{module}:problem", *QUICK, *files]) == 0
    assert np.load(project / "out/x.npy").shape == (4,)
    assert (project / "out/run.png").stat().st_size > 1000
    assert "<!doctype html>" in (project / "out/run.html").read_text(encoding="utf-8")
    assert capsys.readouterr().out.count("wrote") == 3


def test_a_file_that_cannot_be_written_does_not_lose_the_result(module, project, capsys):
    (project / "run.html").mkdir()
    assert main(["run", f"{module}:problem", *QUICK, "--report", "run.html", "--output", "x.npy"]) == 1
    out, err = capsys.readouterr()
    assert "best value" in out
    assert "run.html could not be written" in err
    assert (project / "x.npy").exists()


@pytest.mark.parametrize("ending", ["npy", "npz", "txt"])
def test_a_run_starts_from_the_points_of_a_file(module, project, capsys, ending):
    point = np.full(4, 1e-3)
    path = project / f"start.{ending}"
    {"npy": np.save, "txt": np.savetxt, "npz": lambda p, x: np.savez(p, x=x)}[ending](path, point)
    main(["run", f"{module}:sphere", *BOX, "--budget", "1", "--quiet", "--json", "--x0", str(path)])
    assert json.loads(capsys.readouterr().out)["x"] == point.tolist()


def test_options_of_the_method_reach_the_run(module, capsys):
    options = ("--heuristics", "cc, ls1", "--temperature", "1e9", "--window", "2", "--reward", "log", "--seed", "2")
    main(["run", f"{module}:sphere", *BOX, "--budget", "300", "--quiet", "--json", *options])
    facts = json.loads(capsys.readouterr().out)
    assert facts["heuristics"] == ["cc", "ls1"]
    assert facts["seed"] == 2
    main(["run", f"{module}:sphere", *BOX, *QUICK, "--json", "--scheduler", "round-robin"])
    assert json.loads(capsys.readouterr().out)["sequence"][:4] == ["volleys", "rm-es", "quasi-newton", "volleys"]
    main(["run", f"{module}:sphere", *BOX, *QUICK, "--json", "--algorithm", "cc"])
    assert set(json.loads(capsys.readouterr().out)["sequence"]) == {"cc"}


def test_progress_is_shown_unless_quiet(module, capfd):
    main(["run", f"{module}:sphere", *BOX, "--budget", "300"])
    assert "ter: sphere, D = 4, budget 300 evaluations" in capfd.readouterr().err
    main(["run", f"{module}:sphere", *BOX, *QUICK])
    assert capfd.readouterr().err == ""


def test_the_last_line_of_a_log_is_not_told_twice(module, capfd, monkeypatch):
    monkeypatch.setattr("ter.display.progress.FIRST_LINE", 0.0)  # the end of the one action is told at once
    main(["run", f"{module}:sphere", *BOX, "--budget", "2"])
    assert capfd.readouterr().err.count("2 evaluations in") == 1


def test_the_summary_and_the_options_know_both_names_of_shade(module, capsys):
    assert main(["run", f"{module}:sphere", *BOX, *QUICK, "--heuristics", "shade"]) == 0
    assert "started      gs (SHADE) " in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="SIGINT cannot be sent to one process there")
@pytest.mark.slow
def test_ctrl_c_ends_the_run_with_its_best_value(module, project):
    command = [sys.executable, "-m", "ter", "run", f"{module}:slow", *BOX, "--budget", "1e6", "--output", "best.npy"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=project) as process:
        for line in process.stderr:
            if line == "started\n":
                process.send_signal(signal.SIGINT)
                break
        out, err = process.communicate(timeout=60)
    assert process.returncode == 4, err
    assert re.search(r"best value\s+\d", out)
    assert "interrupted" in out
    assert "Traceback" not in err
    assert np.load(project / "best.npy").shape == (4,)


@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminals there")
@pytest.mark.slow
def test_in_a_terminal_the_display_is_live_and_gives_the_cursor_back(module, project):
    import pty

    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "ter", "run", f"{module}:sphere", *BOX, "--budget", "300"]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=follower, cwd=project, env=environment) as process:
        os.close(follower)
        shown = b""
        while chunk := _read(leader):
            shown += chunk
    os.close(leader)
    assert process.returncode == 0
    assert "sphere, D = 4" in shown.decode()
    assert shown.rfind(b"\x1b[?25h") > shown.rfind(b"\x1b[?25l") >= 0


def _read(descriptor):
    try:
        return os.read(descriptor, 65536)
    except OSError:  # how Linux tells that the other end was closed
        return b""


def test_a_built_in_problem_runs(capsys):
    # Without the sweeps of ls1, which are compiled for each objective.
    assert main(["run", "deblurring", "--budget", "500", "--quiet", "--json", "--heuristics", "cc,gs"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["problem"], facts["nfev"], len(facts["x"])) == ("deblurring", 500, 4096)


def test_a_built_in_problem_comes_in_its_own_sizes_and_box(capsys):
    assert main(["run", "deblurring", "--dimension", "65", *QUICK]) == 2
    assert "the nearest are 64 and 81" in capsys.readouterr().err
    assert main(["run", "deblurring", "--box", "0", "1", *QUICK]) == 2
    assert "--box must be left out" in capsys.readouterr().err
    assert main(["run", "debluring", *QUICK]) == 2
    assert "did you mean 'deblurring'?" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("heuristic", "words"), [("ls1", "busy: many batches had fewer points than there are workers"), ("gs", "")]
)
def test_the_summary_tells_how_busy_workers_were_and_why_they_were_not(tmp_path, capsys, heuristic, words):
    module = tmp_path / f"sleeper_{heuristic}.py"
    module.write_text("import time\n\ndef fun(x):\n    time.sleep(0.02)\n    return float((x * x).sum())\n")
    box = ("--box", "-1", "1", "--dimension", "20")
    options = ("--budget", "200", "--workers", "4", "--heuristics", heuristic, "--quiet", "--seed", "1")
    assert main(["run", f"{module}:fun", *box, *options]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("workers "))
    assert words in line and ("point by point" in line) == bool(words)
