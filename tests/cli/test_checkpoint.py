"""``ter run --checkpoint``, ``ter resume``, ``ter status`` and ``ter stop``."""

from __future__ import annotations

import json

import pytest

from ter.checkpoint.folder import Folder
from ter.cli.main import main

RUN = ["run", "lso08/f1", "--dimension", "10", "--budget", "600", "--seed", "1", "--quiet"]


@pytest.fixture
def folder(tmp_path):
    assert main([*RUN, "--json", "--checkpoint", str(tmp_path / "run")]) == 0
    return tmp_path / "run"


def printed(capsys):
    return json.loads(capsys.readouterr().out.splitlines()[-1])


def test_a_run_goes_on_with_a_larger_budget(folder, capsys):
    assert main(["resume", str(folder), "--budget", "900", "--json", "--quiet"]) == 0
    assert printed(capsys)["nfev"] == 900
    assert main(["resume", str(folder), "--json", "--quiet"]) == 0
    assert printed(capsys)["nfev"] == 900


def test_the_same_command_goes_on(folder, capsys):
    assert main([*RUN, "--json", "--checkpoint", str(folder)]) == 0
    assert printed(capsys)["nfev"] == 600


def test_another_command_is_refused(folder, capsys):
    assert main([*RUN[:-1], "--heuristics", "cc", "--quiet", "--checkpoint", str(folder)]) == 1
    assert "a run must go on as it began, got names = ['cc']" in capsys.readouterr().err


def test_a_function_must_be_named_again(tmp_path, capsys):
    (tmp_path / "mine.py").write_text("def bowl(x):\n    return float((x * x).sum())\n")
    target, run = f"{tmp_path / 'mine.py'}:bowl", str(tmp_path / "run")
    assert main(["run", target, "--box", "-1", "1", "--dimension", "3", "--budget", "100", "--quiet", "--json",
                 "--checkpoint", run]) == 0  # fmt: skip
    assert main(["resume", run]) == 2
    assert "nothing that a file names is imported" in capsys.readouterr().err
    assert main(["resume", run, target, "--budget", "150", "--json", "--quiet"]) == 0
    assert printed(capsys)["nfev"] == 150


def test_the_status_shows_the_decisions_and_the_best_value(folder, capsys):
    assert main(["status", str(folder), "--json"]) == 0
    facts = printed(capsys)
    assert facts["best"] == pytest.approx(-450.0) and facts["evaluations"] == 600 and facts["ending"] == "BUDGET"
    assert (
        facts["fraction"] == 1.0
        and facts["sequence"][:3] == ["volleys", "rm-es", "quasi-newton"]
        and facts["runs_in"] is None
    )
    assert main(["status", str(folder), "--watch"]) == 0
    shown = capsys.readouterr().out
    assert "lso08/f1, D = 10" in shown and "ended: budget" in shown and "vrq" in shown


def test_a_run_is_watched_until_it_ends_in_a_file_too(folder, capsys, monkeypatch):
    """Everything new is printed, and nothing twice."""
    holder, looks = Folder(folder), []
    holder.acquire()

    def look(seconds):
        looks.append(seconds)
        if len(looks) == 3:
            holder.close()

    monkeypatch.setattr("ter.cli.status.time.sleep", look)
    assert main(["status", str(folder), "--watch"]) == 0
    shown = capsys.readouterr().out
    assert len(looks) == 3 and shown.count("in use by process") == 1 and shown.count("ended: budget") == 1
    holder.acquire()
    looks.clear()
    assert main(["status", str(folder), "--watch", "--json"]) == 0
    facts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["runs_in"] is None for each in facts] == [False, True]


def test_the_command_that_goes_on_once_more_is_named(folder, capsys):
    assert main(["resume", str(folder), "--budget", "700", "--quiet"]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("repeat with"))
    assert line.split()[2:] == ["ter", "resume", str(folder), "--budget", "700", "--quiet"]


def test_a_run_under_way_is_asked_to_stop(folder, capsys):
    assert main(["stop", str(folder)]) == 0
    assert "nobody runs it" in capsys.readouterr().out
    holder = Folder(folder)
    holder.acquire()
    assert main(["stop", str(folder)]) == 0
    assert holder.stop_wanted and "asked process" in capsys.readouterr().out
    assert main(["status", str(folder)]) == 0
    assert "in use by process" in capsys.readouterr().out
    holder.close()


@pytest.mark.parametrize("command", ["resume", "status", "stop"])
def test_a_folder_without_a_run_is_refused(command, tmp_path, capsys):
    assert main([command, str(tmp_path)]) == 1
    assert "has no manifest.json" in capsys.readouterr().err
