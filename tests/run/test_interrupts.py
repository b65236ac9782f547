from __future__ import annotations

import signal
import threading

import pytest

from ter.run.interrupts import Interrupts


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_notifies_once_and_the_second_raises(number):
    seen = []
    with Interrupts(lambda: seen.append(1)):
        signal.raise_signal(number)
        assert seen == [1]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert seen == [1]


def test_handlers_come_back():
    def mine(number, frame):
        pass

    before = signal.signal(signal.SIGTERM, mine)
    try:
        with Interrupts(lambda: None):
            assert signal.getsignal(signal.SIGTERM) is not mine
        assert signal.getsignal(signal.SIGTERM) is mine
    finally:
        signal.signal(signal.SIGTERM, before)


def test_other_threads_leave_the_handlers_alone():
    before = signal.getsignal(signal.SIGINT)
    seen = []

    def work():
        with Interrupts(lambda: None):
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]
