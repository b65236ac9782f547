"""Pages about runs of somebody who means harm: whatever a store or a result says is shown as text."""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import replace

import pytest

import ter
from ter.cli.main import main
from ter.core.failure import Failure
from ter.experiment.store import Store
from ter.report import Board, Study, as_latex, tables_of, write_report
from tests.experiment.helpers import failed, record

ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'--></style></script>"


@pytest.fixture
def store(tmp_path):
    """A store in which every text is an attack."""
    names = {"problem": f"a{ATTACK}/b", "algorithm": ATTACK, "parameters": ATTACK, "code": ATTACK, "label": ATTACK}
    facts = {ATTACK: ATTACK, "host": ATTACK, "ter": ATTACK}
    action = replace(record().actions[0], heuristic=ATTACK)
    settings = {"heuristics": (ATTACK, "cc"), "actions": (action,), "facts": facts, "started": ATTACK}
    with Store(tmp_path / "evil.sqlite", write=True) as store:
        for seed in (1, 2, 3):
            store.add(record(seed, **names, **settings))
            store.add(record(seed, 2.0, **names | {"algorithm": "ls", "label": f"2{ATTACK}"}, **settings))
        store.add(failed(4, **names, traceback=f"{ATTACK}\n{ATTACK}\n"))
    return tmp_path / "evil.sqlite"


def harmless(page: str) -> bool:
    """Whether the only scripts and pictures in a page are its own."""
    page = re.sub(r'<script type="text/plain" id="packed-\w+">[A-Za-z0-9+/=]*</script>', "", page)
    return page.count("<script") <= 1 and page.count("</script") <= 1 and "<img" not in page and "alert(1)<" not in page


@pytest.mark.slow
def test_everything_on_the_page_of_an_experiment_is_text(store, tmp_path):
    with Store(store) as opened:
        paths = write_report(opened.records(), tmp_path / "report", title=ATTACK)
    page = paths[0].read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)" in page and harmless(page)
    assert "default-src 'none'" in page
    for path in paths:
        if path.suffix == ".svg":
            assert "<script" not in path.read_text(encoding="utf-8")
        if path.suffix == ".md":
            assert re.search(r"(?<!\\)<", path.read_text(encoding="utf-8")) is None


@pytest.mark.slow
def test_the_charts_get_texts_as_data_only(store, tmp_path):
    with Store(store) as opened:
        page = write_report(opened.records(), tmp_path / "report")[0].read_text(encoding="utf-8")
    packed = re.search(r'id="packed-data">([^<]*)<', page)[1]
    assert ATTACK in json.loads(gzip.decompress(base64.b64decode(packed)))["labels"][0]["name"]


def test_no_text_of_a_store_is_a_command_for_latex():
    records = [record(seed, label=label) for seed in (1, 2, 3) for label in ("\\input{secret}", "other")]
    texts = [as_latex(table) for table in tables_of(Board.of(Study.of(records)))]
    assert not any("\\input" in text for text in texts)
    assert any("\\textbackslash{}input\\{secret\\}" in text for text in texts)


def test_everything_on_the_page_and_the_card_of_a_run_is_text(tmp_path):
    result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=3), budget=200, rng=1)
    result.problem = result.message = ATTACK
    result.heuristics = (ATTACK, *result.heuristics[1:])
    result.actions = tuple(replace(action, heuristic=ATTACK) for action in result.actions)
    result.failures = (Failure(1, RuntimeError(ATTACK), ATTACK),)
    result.save(tmp_path / "run.npz")
    loaded = ter.load_result(tmp_path / "run.npz")
    loaded.report(tmp_path / "run.html")
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)" in page and harmless(page)
    assert "&lt;script&gt;alert(1)" in loaded._repr_html_() and harmless(loaded._repr_html_())


def test_a_loaded_result_prints_no_commands(tmp_path):
    result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=3), budget=50, rng=1)
    result.problem = result.message = "\x1b]0;pwned\x07"
    result.save(tmp_path / "run.npz")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", str(ter.load_result(tmp_path / "run.npz")))


def test_the_terminal_gets_no_commands_either(tmp_path, capsys):
    commands = "\x1b]0;pwned\x07\x1b[2Jter\x9b31m"
    with Store(tmp_path / "evil.sqlite", write=True) as store:
        store.add(record(1, label=commands, problem=commands))
        store.add(failed(2, label=commands, traceback=f"{commands}\n"))
    for words in (["experiment", "status"], ["experiment", "check"]):
        main([*words, str(tmp_path / "evil.sqlite")])
    out, err = capsys.readouterr()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", out + err)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["\x1b]0;pwned\x07", "a\0b", "$\\frac{$", "\x9b31m$$"])
def test_figures_draw_any_name_without_a_word(name, tmp_path, recwarn):
    """Matplotlib cannot draw control characters; it raises, or quotes them in warnings."""
    records = [record(seed, label=label, problem=f"{name}/f1") for seed in (1, 2, 3) for label in (name, "other")]
    paths = write_report(records, tmp_path / "report")
    assert any(path.suffix == ".pdf" for path in paths)
    assert not any("Glyph" in str(warning.message) for warning in recwarn)
