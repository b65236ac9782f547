"""The page of a run in a real browser: headless Chromium, without a network, as wide as a phone and as a screen."""

from __future__ import annotations

import os
import shutil
from itertools import pairwise

import numpy as np
import pytest

from ter.core.action import Action
from ter.core.box import Box
from tests.display.conftest import made_result

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'ter[test]'")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium on the PATH: apt-get install chromium"),
]

QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
HIDDEN = "found => found.map(each => each.scrollWidth - each.clientWidth)"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    names = ("ls1", "cc", "a heuristic with a long name")
    actions = tuple(
        Action(i, names[i % 3], 30_000, 30_000, 1e9 / (i + 1), 1e9 / (i + 2), 1.0, (0.5, 0.25, 0.25), seconds=20.0 * i)
        for i in range(40)
    )
    result = made_result(actions, [(1, 1e9), (1_200_000, 1e9 / 41)], nfev=1_200_000)
    result.heuristics, result.x, result.box = names, np.linspace(0, 1, 500), Box(np.zeros(500), np.ones(500))
    result.problem = "a problem whose name is so long that it needs a second line on a phone"
    path = tmp_path_factory.mktemp("page") / "run.html"
    result.report(path)
    return path


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield launched
        launched.close()


@pytest.mark.parametrize("width", [390, 1200])
def test_the_page_fits_the_screen_and_tells_about_a_block(browser, file, width):
    context = browser.new_context(viewport={"width": width, "height": 844}, offline=True)
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda request: troubles.append(request.url) if not request.url.startswith("file:") else None)
    page.goto(file.as_uri())
    assert page.eval_on_selector_all("html, .scroll:has(.rows)", HIDDEN) == [0, 0]
    labels = page.eval_on_selector_all(
        ".x", "found => found.map(row => [...row.children].map(each => each.getBoundingClientRect().toJSON()))"
    )
    assert len(labels) == 3  # evaluations, times, places of the solution
    for row in labels:
        assert all(left["right"] < right["left"] for left, right in pairwise(row))
    page.locator("#strip rect").nth(4).dispatch_event("pointerdown")
    assert page.locator("#said").inner_text().startswith("Action 4: cc, 30\u00a0000 evaluations")
    assert troubles == []
    context.close()
