from __future__ import annotations

import re
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

import ter
from ter.core.failure import Failure
from ter.core.stop import StopReason


class Nesting(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def card(result):
    text = result._repr_html_()
    reader = Nesting()
    reader.feed(text)
    assert reader.open == []
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_a_notebook_gets_facts_curve_strip_and_heuristics(make_result, actions):
    text = card(make_result(actions))
    for fact in (">1</b>", "the budget is used up", "made · 3 variables · 100 evaluations in 2 s · 3 actions · seed 7"):
        assert fact in text
    assert text.count("<rect") == 4 and text.count("<svg") == 2
    assert re.findall(r"<td>(.*?)</td>", text) == ["2", "60", "60 %", "100 %", "1", "30", "30 %", "0 %"]


def test_the_card_needs_no_other_package_and_no_network(make_result, actions, monkeypatch):
    for name in ("matplotlib", "jinja2", "IPython"):
        monkeypatch.setitem(sys.modules, name, None)
    assert not re.search(r"https?://|url\(|<script|<style|class=", card(make_result(actions)))


def test_names_and_messages_are_escaped(make_result, actions):
    result = make_result(actions)
    result.problem, result.message, result.heuristics = "<script>", "a < b", ("ls1", "cc", "<i>")
    text = card(result)
    assert "&lt;script&gt;" in text and "a &lt; b" in text and "&lt;i&gt;" in text and "<script" not in text


def test_a_card_of_many_actions_stays_small(make_result, actions):
    result = make_result(
        actions * 3000, np.column_stack([np.arange(1, 9000), np.geomspace(1e9, 1, 8999)]), nfev=270_010
    )
    assert len(card(result)) < 60_000


@pytest.mark.parametrize("curve", [[], [(1, 0.0)], [(1, -5.0), (9, -7.0)]])
def test_a_run_that_did_nothing_has_a_card(make_result, curve):
    text = card(make_result(curve=curve, nfev=10, status=StopReason.INTERRUPTED))
    assert "interrupted" in text and "<table" not in text and ("<svg" in text) == bool(curve)


def test_cost_failures_and_compiling_are_told_where_there_are_any(make_result):
    result = make_result(failures=(Failure(3, ValueError("no"), "Traceback"),))
    result.spent, result.compile_seconds = ter.core.budget.Spent(100, 2.0, 7.5), 41.0
    text = card(result)
    assert "100 evaluations in 2 s after 41 s of compiling · 7.5 cost" in text and "1 evaluations failed" in text


def test_a_result_made_by_hand_is_shown_as_text():
    assert ter.Result(x=np.zeros(2), fun=1.0)._repr_html_() is None
