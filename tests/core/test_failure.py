from __future__ import annotations

import pickle
import traceback

from ter.core.failure import Failure


class Picky(Exception):
    """An exception that cannot be made again from its arguments."""

    def __init__(self, a, b):
        super().__init__(f"{a} {b}")


def sent(failure):
    return pickle.loads(pickle.dumps(failure))


def test_a_failure_travels_with_its_exception_and_text():
    there = sent(Failure(3, Picky("no", "licence"), "the traceback\n"))
    assert (there.evaluation, there.traceback) == (3, "the traceback\n")
    assert isinstance(there.error, Picky) and str(there.error) == "no licence"


def test_an_exception_from_a_worker_shows_the_workers_traceback_once():
    there = sent(sent(Failure(1, ValueError("no"), 'Traceback:\n  File "wing.py", line 3, in drag\nValueError: no\n')))
    shown = "".join(traceback.format_exception(there.error))
    assert shown.count("In a worker:\n") == shown.count('File "wing.py", line 3, in drag') == 1


def test_notes_of_the_user_stay():
    error = ValueError("no")
    error.add_note("try again")
    assert sent(Failure(1, error, "text")).error.__notes__ == ["try again", "In a worker:\ntext"]
