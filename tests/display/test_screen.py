from __future__ import annotations

import io

from rich.console import Console
from rich.text import Text

from ter.display.screen import EVERY, Screen


def test_a_panel_that_fails_does_not_end_the_work():
    file = io.StringIO()
    screen = Screen(Console(file=file, force_terminal=True, width=80))

    def panel():
        raise ValueError("no numbers yet")

    assert screen.open(panel) and screen.live
    screen.close()
    assert "no display (no numbers yet)" in file.getvalue()


def test_lines_are_due_now_and_then():
    now = [100.0]
    screen = Screen(Console(file=io.StringIO()), clock=lambda: now[0])
    assert not screen.open(lambda: Text("panel"))
    assert screen.due() and not screen.due()
    now[0] += EVERY - 1.0
    assert not screen.due()
    now[0] += 1.0
    assert screen.due() and screen.gone == EVERY


def test_a_closed_stream_is_let_go():
    file = io.StringIO()
    screen = Screen(Console(file=file), clock=lambda: 1e9)
    screen.open(lambda: Text("panel"))
    file.close()
    screen.tell("nobody listens")
    assert not screen.due()


def test_letters_that_the_terminal_does_not_have_are_written_with_backslashes():
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    screen = Screen(Console(file=file), clock=lambda: 1e9)
    screen.open(lambda: Text("panel"))
    screen.tell("ValueError: caf\xe9 \udcff")
    assert file.buffer.getvalue() == b"ter: ValueError: caf\\xe9 \\udcff\n" and screen.due()
