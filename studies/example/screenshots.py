"""Pictures of the example's report for the documentation: the page in a headless Chromium, and two figures.

Run from the project root::

    python studies/example/screenshots.py
"""

from __future__ import annotations

import shutil
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from ter.experiment.store import Store
from ter.report import Board, Study
from ter.report.figures import figures_of

HERE = Path(__file__).parent
PICTURES = HERE.parents[1] / "docs" / "pictures"
CHROMIUM = shutil.which("chromium") or "chromium"
PUBLISHED = ["paper", "mos", "mlshade-spa", "cosacc-ls1"]
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


def shoot(browser: Browser, name: str, width: int, height: int, scale: float, *, scroll: bool) -> None:
    """Open the page, click a function, and save what the window shows."""
    context = browser.new_context(viewport={"width": width, "height": height}, device_scale_factor=scale, offline=True)
    page = context.new_page()
    page.goto((HERE / "report" / "report.html").as_uri())
    page.wait_for_selector("html[data-ready=true]")
    page.click("#chips button >> text=f4")
    page.wait_for_timeout(1000)
    # On a phone the curves of the function, on a desktop all from the top.
    page.evaluate(f"window.scrollTo(0, {'window.scrollY' if scroll else '0'})")
    page.mouse.move(0, 0)
    page.wait_for_timeout(500)
    path = PICTURES / f"report-{name}.png"
    page.screenshot(path=path)
    context.close()
    shrink(path)


def shrink(path: Path) -> None:
    """Save a picture with a palette: few colours are used, and the file becomes a third as large."""
    Image.open(path).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def main() -> None:
    """Make all pictures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        shoot(browser, "desktop", 1200, 1500, 1, scroll=False)
        shoot(browser, "phone", 390, 844, 1.5, scroll=True)
        browser.close()
    with Store(HERE / "results.sqlite") as store:
        board = Board.of(Study.of(store.records()), PUBLISHED)
    for name, figure in figures_of(board):
        if name in ("convergence", "decisions"):
            figure.savefig(PICTURES / f"report-{name}.png", dpi=150)
            shrink(PICTURES / f"report-{name}.png")


if __name__ == "__main__":
    main()
