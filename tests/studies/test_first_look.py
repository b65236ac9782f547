from __future__ import annotations

import csv
import math
import re
import statistics
from dataclasses import replace
from pathlib import Path

import pytest

from ter.core.action import Action
from ter.experiment import Store
from tests.experiment.fake_pool import made

FOLDER = Path(__file__).parents[2] / "studies" / "first-look"
NAMES = {"L": "ls1", "C": "cc", "G": "gs"}


@pytest.fixture
def check(monkeypatch):
    """The script as a module, found the way Python finds it when it is started."""
    monkeypatch.syspath_prepend(FOLDER)
    import check

    return check


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.sqlite"


def all_specs(check):
    return [spec for plan in check.plans() for spec in plan.specs()]


def as_kept(check, spec):
    """A record of a run that ended as the file says."""
    kept = check.kept()[spec.key.problem, spec.key.algorithm, spec.key.seed, spec.key.budget]
    names = [NAMES[letter] for letter in kept["decisions"]]
    actions = tuple(Action(i, name, 1.0, 1, kept["start"], kept["value"]) for i, name in enumerate(names))
    return replace(made(spec), fun=kept["value"], nfev=kept["evaluations"], actions=actions)


def store_of(path, records):
    with Store(path, write=True) as store:
        for record in records:
            assert store.add(record)


def test_the_plans_are_the_runs_in_the_file(check):
    specs = all_specs(check)
    runs = {(spec.key.problem, spec.key.algorithm, spec.key.seed, spec.key.budget) for spec in specs}
    assert runs == set(check.kept()) and len(specs) == 141 == 15 * 5 + 4 * 6 * 2 + 6 * 3
    assert {spec.key.budget for spec in specs} == {"3000000", "5000000"}


def test_the_first_run_of_each_kind(check):
    specs = [spec for plan in check.plans(first=True) for spec in plan.specs()]
    assert len(specs) == 15 + 4 * 6 + 6 and {spec.key.seed for spec in specs} == {1}
    (one,) = check.plans(["lso13-raw/f12"], ["ls"])
    assert [(spec.key.problem, spec.label, spec.key.seed) for spec in one.specs()] == [
        ("lso13-raw/f12", "ls", 1),
        ("lso13-raw/f12", "ls", 2),
    ]


@pytest.mark.slow
def test_the_same_endings_are_the_same(check, path, capsys):
    store_of(path, [as_kept(check, spec) for spec in all_specs(check)])
    assert check.main([str(path)]) == 0
    assert "141 runs compared, 0 not there; the same values and decisions, to the last digit" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (lambda r: {"fun": math.nextafter(r.fun, 1)}, "value 1.2223102270688721e-24 instead of 1.222310227068872e-24"),
        (lambda r: {"actions": (*r.actions[:-1], replace(r.actions[-1], heuristic="cc"))}, "LLLCLGC' instead of '"),
        (lambda r: {"nfev": 2_999_999}, "evaluations 2999999 instead of 3000000"),
        (lambda r: {"actions": (replace(r.actions[0], before=1.0), *r.actions[1:])}, "start 1.0 instead of 391567281"),
        (lambda r: {"traceback": "Boom\n"}, "run 1 failed"),
    ],
)
def test_the_last_digit_and_every_decision_count(check, path, capsys, changed, told):
    first, second, *_ = [as_kept(check, spec) for spec in all_specs(check)]
    store_of(path, [replace(first, **changed(first)), second])
    assert check.main([str(path)]) == 1
    out = capsys.readouterr().out
    assert f"{first.name}" in out and told in out and "2 runs compared, 139 not there; differences: 1" in out


def test_runs_of_other_studies_are_not_compared(check, path, capsys):
    first = as_kept(check, all_specs(check)[0])
    store_of(path, [replace(first, key=replace(first.key, seed=77))])
    assert check.main([str(path)]) == 1
    assert "0 runs compared, 141 not there" in capsys.readouterr().out


@pytest.mark.slow
def test_a_run_that_is_repeated_has_the_same_bits(check, path, capsys):
    words = ["--repeat", "first", "--only", "lso13-raw/f12", "--algorithms", "ls", "--workers", "1"]
    assert check.main([str(path), *words]) == 0
    assert "1 runs compared, 140 not there; the same values" in capsys.readouterr().out


def test_the_tables_are_those_of_the_file(check):
    values: dict[tuple[str, str], list[float]] = {}
    with (FOLDER / "runs.csv").open(newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            values.setdefault((f"{row['suite']} f{row['function']}", row["algorithm"]), []).append(float(row["value"]))
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    shown = {}
    for title, section in re.findall(r"^## (.*?)\n(.*?)(?=^## )", text, flags=re.M | re.S):
        suite = "lso08-unbiased" if "LSO08" in title else "lso13-raw"
        for function, algorithm, mean, median in re.findall(
            r"^\| (f\d+) +\|(?: (\w+) +\|)? ([^|]*?) +\| ([^|]*?) +\|", section, flags=re.M
        ):
            shown[f"{suite} {function}", algorithm or "ter"] = mean, median
    assert shown == {
        key: (
            f"{statistics.fmean(own):.3g} ± {statistics.stdev(own):.1e} ({len(own)})",
            f"{statistics.median(own):.3g}",
        )
        for key, own in values.items()
    }
