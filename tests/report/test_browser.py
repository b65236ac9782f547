"""The page in a real browser: headless Chromium, without a network."""

from __future__ import annotations

import os
import shutil

import pytest

from ter.report import Board, Study
from ter.report.page import write_experiment_page
from tests.report.conftest import PARTIAL
from tests.report.made import small_study

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'ter[test]'")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium on the PATH: apt-get install chromium"),
]

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESKTOP, PHONE = {"width": 1200, "height": 900}, {"width": 390, "height": 844}
READY = "html[data-ready=true]"
# The last finite value of each line of a chart that is in the legend, and how wide its line is on the screen.
LINES = """id => {
  const chart = document.getElementById(id), drawn = chart.querySelectorAll('.scatterlayer .trace');
  return chart._fullData.map((trace, i) => [trace, drawn[i]])
    .filter(([trace]) => trace.showlegend !== false && trace.mode === 'lines')
    .map(([trace, group]) => ({
      name: trace.name, last: trace.customdata[trace.customdata.length - 1], points: trace.y.length,
      width: (group.querySelector('path.js-line') || chart).getBoundingClientRect().width,
    }));
}"""


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_experiment_page(Board.of(Study.of(small_study()), ["paper", "mos"]), path)
    return path


@pytest.fixture
def visit(browser):
    """Open a file; whatever the page complains about, or wants from elsewhere, makes the test fail."""
    contexts, troubles = [], []

    def opened(path, viewport=DESKTOP, scheme="light", address=""):
        context = browser.new_context(viewport=viewport, color_scheme=scheme, offline=True)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on(
            "console", lambda message: troubles.append(message.text) if message.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on(
            "request",
            lambda request: (
                troubles.append(request.url) if not request.url.startswith(("file:", "blob:", "data:")) else None
            ),
        )
        page.goto(f"{path.as_uri()}{address}")
        page.wait_for_selector(READY)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert troubles == []


def overflow(page):
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def test_a_click_on_a_function_shows_its_curves(visit, file):
    page = visit(file)
    page.click("#chips button >> text=f2")
    assert page.inner_text("#panel-title") == "f2 (lso13/f2)"
    assert page.get_attribute("#chips button >> text=f2", "aria-pressed") == "true"
    assert page.is_visible("#curves svg.main-svg")
    lines = page.evaluate(LINES, "curves")
    assert [line["name"] for line in lines] == ["ter", "ran", "ls"]
    assert lines[0]["last"] == "6000 (5500 to 6500)" and all(
        line["points"] > 100 and line["width"] > 200 for line in lines
    )
    page.click("#chips button >> text=f1")
    assert page.evaluate(LINES, "curves")[1]["last"] == "21 (15.5 to 26.5)"


def test_a_function_in_the_table_leads_to_its_curves(visit, file):
    page = visit(file)
    page.click("table[data-table=errors] tbody th button >> text=f2")
    page.wait_for_function("document.getElementById('panel').getBoundingClientRect().top < window.innerHeight")
    assert page.inner_text("#panel-title").startswith("f2") and "#problem=" in page.url


def test_an_address_with_a_problem_opens_it(visit, file):
    page = visit(file, address="#problem=lso13%2Ff2%3A1000%3A600000")
    assert page.inner_text("#panel-title").startswith("f2")


def test_bands_and_axes_can_be_chosen(visit, file):
    page = visit(file)
    filled = "document.getElementById('curves').data.filter(trace => trace.fill === 'tonexty')"
    bands = f"{filled}.map(trace => trace.y.at(-1))"
    page.click("#chips button >> text=f2")
    assert page.evaluate(bands)[0] == 6500
    page.click("[data-choice=band] >> text=all runs")
    assert page.evaluate(bands)[0] == 7000
    page.click("[data-choice=band] >> text=none")
    assert page.evaluate(bands) == []
    axis = "document.getElementById('curves')._fullLayout.xaxis.type"
    assert page.evaluate(axis) == "log"
    page.click("[data-choice=axis] >> text=linear")
    assert page.evaluate(axis) == "linear"


def test_the_decisions_of_the_chosen_algorithm_are_shown(visit, file):
    page = visit(file)
    starts = "document.getElementById('strips').data.map(trace => trace.base.length)"
    assert page.evaluate(starts) == [4, 3, 5]  # LCGG, LCGG, LCGL
    page.click("[data-choice=decider] >> text=ran")
    assert page.evaluate(starts) == [5, 4, 3]  # GGLC, CLGC, LLLC
    assert page.locator("#strips .barlayer .point").count() == 12
    assert page.is_visible("#chances svg.main-svg") and page.is_visible("#shares svg.main-svg")


def test_a_phone_needs_no_sideways_scrolling(visit, file):
    page = visit(file, PHONE)
    assert overflow(page) == 0
    page.click("#chips button >> text=f2")
    assert overflow(page) == 0 and page.evaluate(LINES, "curves")[0]["width"] > 150
    box = page.locator(".scroll:has(table[data-table=errors])")
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")  # the table scrolls in its own box
    page.set_viewport_size({"width": 320, "height": 600})
    for _ in range(100):  # charts follow after a moment
        if overflow(page) == 0:
            break
        page.wait_for_timeout(50)
    assert overflow(page) == 0


def test_every_button_can_be_reached_and_used_with_the_keyboard(visit, file):
    page = visit(file)
    page.focus("#chips button >> text=f1")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.inner_text("#panel-title").startswith("f2")
    page.focus("#after")
    page.keyboard.press("Space")
    assert page.inner_text("#panel-title").startswith("f1")  # the last one is followed by the first
    outside = "Array.from(document.querySelectorAll('[onclick], [tabindex=\"-1\"]:not(.modebar *)')).length"
    assert page.evaluate(outside) == 0


def test_tables_can_be_sorted(visit, file):
    page = visit(file)
    cells = "document.querySelectorAll('table[data-table=errors] tbody th')"
    names = f"Array.from({cells}).map(cell => cell.textContent.trim())"
    header = page.locator("table[data-table=errors] thead").get_by_role("button", name="ls", exact=False).last
    header.click()
    assert page.evaluate(names) == ["f1", "f2"]
    header.click()
    assert page.evaluate(names) == ["f2", "f1"]
    assert page.get_attribute("table[data-table=errors] thead th:has-text('ls') >> nth=-1", "aria-sort") == "descending"
    assert page.inner_text("table[data-table=errors] tfoot tr >> nth=-1").startswith("mean rank")


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_light_and_dark(visit, file, scheme, dark):
    page = visit(file, scheme=scheme)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    ink = page.evaluate("document.getElementById('curves')._fullLayout.font.color")
    assert (paper == "rgb(15, 20, 25)") == dark and (ink == "#e6edf3") == dark


@pytest.mark.parametrize("name", ["all failed", "unknown optimum", "several sizes", "odd names"])
def test_odd_experiments_open_without_complaints(visit, name, tmp_path):
    study = Study.of(PARTIAL[name])
    write_experiment_page(Board.of(study, ["paper"]), tmp_path / "report.html")
    page = visit(tmp_path / "report.html", PHONE)
    assert overflow(page) == 0
    assert page.inner_text("#panel-title").startswith(study.cases[0].name)
    if name == "odd names":
        legend = page.text_content("#curves .legend")
        assert all(label in legend for label in study.labels)
