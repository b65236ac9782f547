from __future__ import annotations

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from ter.core.errors import MissingExtra
from ter.core.failure import Failure
from ter.core.problem import Problem
from ter.core.stop import StopReason
from ter.display.page import write_page

VOID = {"meta", "img", "path", "rect"}


class Reader(HTMLParser):
    """Collects tags and checks that they nest."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for key, value in attrs if key in ("src", "href")]
        if tag not in VOID or (tag == "path" and self.get_starttag_text()[-2] != "/"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def page_of(result, folder, problem=None):
    write_page(result, folder / "run.html", problem=problem)
    text = (folder / "run.html").read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    return text, reader


def test_the_page_tells_value_reason_and_seed(make_result, actions, tmp_path):
    text, _ = page_of(make_result(actions), tmp_path)
    assert re.search(r'class="best">1<', text)
    assert "the budget is used up" in text
    assert "rng=7" in text


def test_the_page_needs_no_network(make_result, actions, tmp_path):
    text, reader = page_of(make_result(actions), tmp_path)
    assert reader.links == []
    assert not re.search(r"https?://|url\(|@import", text)


def test_every_action_has_a_block_and_a_row(make_result, actions, tmp_path):
    text, reader = page_of(make_result(actions), tmp_path)
    assert reader.tags.count("rect") == 3
    assert "Action 2: ls1, 20 evaluations, 10 → 1. Probabilities were ls1 75 %, cc 25 %." in text


def test_more_than_500_actions_are_cut_with_a_note(make_result, actions, tmp_path):
    many = tuple(replace(actions[i % 3], index=i, nfev=1) for i in range(700))
    text, reader = page_of(make_result(many, nfev=750), tmp_path)
    assert "200 more are in" in text
    assert reader.tags.count("rect") <= 600
    assert "each block shows the longest one" in text


def test_tracebacks_and_names_are_escaped(make_result, tmp_path):
    attack = "</pre><script>alert('x')</script>"
    result = make_result(failures=(Failure(3, ValueError(attack), f"Traceback: {attack}"),))
    result.problem = attack
    text, reader = page_of(result, tmp_path)
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text
    assert reader.tags.count("script") == 1


@pytest.mark.parametrize("curve", [[], [(1, 0.0)], [(1, -5.0), (9, -7.0)], [(1, 1e9), (2, 0.0), (3, -1e3)]])
def test_tiny_and_negative_results_make_a_page(make_result, curve, tmp_path):
    text, _ = page_of(make_result(curve=curve), tmp_path)
    assert ("no finite value" in text) == (not curve)
    assert "nan" not in re.sub(r"<script>.*</script>", "", text, flags=re.S).replace("nano", "")


def test_an_interrupted_run_of_no_evaluations_makes_a_page(make_result, tmp_path):
    text, _ = page_of(make_result(curve=[], nfev=0, status=StopReason.INTERRUPTED), tmp_path)
    assert 'class="badge bad">interrupted' in text


def test_the_page_tells_what_the_problem_is_about_and_the_error(make_result, tmp_path):
    problem = Problem(lambda x: 0.0, [(-1, 1)] * 3, about="Three <knobs>.", f_opt=0.75)
    text, _ = page_of(make_result(), tmp_path, problem)
    assert "Three &lt;knobs&gt;." in text
    assert "<b>0.25</b><span>above the best value known" in text


def test_a_solution_that_can_be_drawn_is_part_of_the_page(make_result, tmp_path):
    problem = Problem(lambda x: 0.0, [(-1, 1)] * 3, draw=lambda x, axes: axes.plot(x))
    _, reader = page_of(make_result(), tmp_path, problem)
    assert [link[:22] for link in reader.links] == ["data:image/png;base64,"]


def test_without_jinja_the_error_names_the_extra(make_result, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ter\[report\]'"):
        write_page(make_result(), tmp_path / "run.html")
