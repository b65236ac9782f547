from __future__ import annotations

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from ter.core.box import Box
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
    text, _ = page_of(make_result(actions), tmp_path)
    blocks = re.findall(r'data-text="(.*?)"', text)
    assert len(blocks) == 4
    assert blocks[0] == "Start points: 10 evaluations."
    assert blocks[3] == "Action 2: ls1, 20 evaluations, 10 → 1. Probabilities were ls1 75 %, cc 25 %."


def test_more_than_500_actions_are_cut_with_a_note(make_result, actions, tmp_path):
    many = tuple(replace(actions[i % 3], index=i, nfev=1) for i in range(700))
    text, reader = page_of(make_result(many, nfev=750), tmp_path)
    assert "200 more are in" in text
    assert reader.tags.count("rect") <= 601
    assert "each block shows the longest one" in text


def test_tracebacks_and_names_are_escaped(make_result, tmp_path):
    attack = "</pre><script>alert('x')</script>"
    result = make_result(failures=(Failure(3, ValueError(attack), f"Traceback: {attack}"),))
    result.problem = attack
    text, reader = page_of(result, tmp_path)
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text
    assert "Evaluation 3: ValueError: &lt;/pre&gt;" in text
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


def test_times_stand_below_the_evaluations_if_they_are_known(make_result, actions, tmp_path):
    text, _ = page_of(make_result(actions), tmp_path)
    assert '<div class="label">evaluations' in text and '<div class="label">time' not in text
    timed = tuple(replace(action, seconds=t) for action, t in zip(actions, (10.0, 20.0, 40.0), strict=True))
    text, _ = page_of(make_result(timed), tmp_path)
    times = text[text.index('<div class="label">time') : text.index("</p>", text.index('<div class="label">time'))]
    assert re.findall(r'left: ([0-9.]+)%">([^<]*)<', times) == [
        ("0.00", "0 s"), ("50.00", "10 s"), ("80.00", "20 s"), ("100.00", "40 s"),
    ]  # fmt: skip
    assert "It ended after 20 s." in text


def test_the_page_tells_where_the_variables_lie_in_the_box(make_result, tmp_path):
    result = make_result()
    result.x, result.box = np.array([0.0, 0.5, 1.0, 1.0, 7.0]), Box([0, 0, 0, 0, 7], [1, 1, 1, 1, 7])
    text, _ = page_of(result, tmp_path)
    plain = re.sub(r"\s+", " ", text)
    assert "1 of 5 are at their lower bound, 2 at their upper one; 1 are fixed by equal bounds" in plain
    assert "50 to 55 % of the range: 1 variables" in plain
    assert "a wider box may hold better points" in plain
    result.x = np.array([0.2, 0.5, 0.7, 0.9, 7.0])
    assert "a wider box" not in page_of(result, tmp_path)[0]


def test_the_box_may_come_from_the_problem(make_result, tmp_path):
    problem = Problem(lambda x: 0.0, [(-1, 1)] * 3)
    assert "The solution" not in page_of(make_result(), tmp_path)[0]
    assert "0 of 3 are at their lower bound" in page_of(make_result(), tmp_path, problem)[0]
    assert "The solution" not in page_of(make_result(curve=[]), tmp_path, problem)[0]  # nothing was found


def test_long_compiling_is_told(make_result, tmp_path):
    result = make_result()
    assert "compiling" not in page_of(result, tmp_path)[0]
    result.compile_seconds = 41.0
    text, _ = page_of(result, tmp_path)
    assert "<span>time, after 41 s of compiling</span>" in text
    assert "<td>compiling</td><td>41 s</td><td>not counted</td>" in text


def test_orders_of_magnitude_are_left_out_where_they_are_undefined(make_result, actions, tmp_path):
    assert "of the orders of magnitude" in page_of(make_result(actions), tmp_path)[0]
    negative = (*actions, replace(actions[2], index=3, before=1.0, after=-1.0))
    assert "of the orders of magnitude" not in page_of(make_result(negative, nfev=120), tmp_path)[0]


def test_every_number_of_the_table_has_its_name_beside_it_for_narrow_screens(make_result, actions, tmp_path):
    text, _ = page_of(make_result(actions), tmp_path)
    table = text[text.index('<table class="rows">') : text.index("</table>")]
    names = re.findall(r"<th>(.*?)</th>", table)[1:]
    for row in re.findall(r"<tr>(.*?)</tr>", table, flags=re.S)[2:]:
        assert re.findall(r'data-name="(.*?)"', row) == names


def test_without_jinja_the_error_names_the_extra(make_result, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ter\[report\]'"):
        write_page(make_result(), tmp_path / "run.html")


def test_a_traceback_that_cannot_be_encoded_is_shown_with_backslashes(make_result, tmp_path):
    result = make_result(failures=(Failure(3, ValueError("caf\xe9 \udcff"), "Traceback: caf\xe9 \udcff"),))
    result.report(tmp_path / "run.html")
    assert r"Traceback: café \udcff" in (tmp_path / "run.html").read_text(encoding="utf-8")
