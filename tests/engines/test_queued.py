"""Waiting for workers, while signals arrive."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import queue, signal, time
from ter.engines.queued import ended_within

signal.signal(signal.SIGALRM, lambda *_: time.sleep(0.1))  # longer than what is left of the waiting time
signal.setitimer(signal.ITIMER_REAL, 0.01)
print(list(ended_within(queue.Queue(), 0.05)))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs an alarm")
def test_a_signal_whose_handler_takes_long_does_not_make_it_wait_forever():
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60, check=False)
    assert ran.stdout == "[]\n", ran.stderr
