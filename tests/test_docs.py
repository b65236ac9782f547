"""The Python blocks of the README and of the documentation run, in order, each file in a module of its own."""

import re
import sys
import types
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
BLOCK = re.compile(r"(<!-- not run -->\s*)?^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """Yield the line number and the source of each block that is to be run."""
    text = page.read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        if match[1] is None:
            yield text.count("\n", 0, match.start(2)), match[2]


def test_there_are_blocks_in_the_readme_and_in_the_guide():
    assert all(list(blocks(ROOT / name)) for name in ("README.md", "docs/guide.md", "docs/extending.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
@pytest.mark.slow
def test_code_on_the_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # A real module, since pickle looks classes up by the name of their module.
    module = types.ModuleType(f"page_{page.stem}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for line, source in blocks(page):
        # Blank lines put the line numbers of the page into tracebacks.
        code = compile("\n" * line + source, str(page), "exec")
        exec(code, module.__dict__)  # noqa: S102 - our own pages


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page):
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)", prose):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
