from __future__ import annotations

import pickle
import subprocess
import threading
import traceback
from dataclasses import dataclass

import pytest

from ter.core.errors import ObjectiveError
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


@dataclass(frozen=True, slots=True)
class FrozenSlots(Exception):
    code: int


class Slotted(Exception):
    __slots__ = ("code",)


class Silent(Exception):
    """Its text is made of something that cannot be sent."""

    def __init__(self):
        super().__init__("here")
        self.lock = threading.Lock()

    def __str__(self):
        return f"held by {type(self.lock).__name__}"


class Elsewhere(Exception):
    pass


def undecodable():
    try:
        b"\xff".decode()
    except UnicodeDecodeError as error:
        return error


def slotted():
    error = Slotted("no")
    error.code = 3
    return error


@pytest.mark.parametrize(
    ("error", "names"),
    [
        (FileNotFoundError(2, "not there", "wing.msh"), ("errno", "strerror", "filename")),
        (undecodable(), ("encoding", "object", "start", "end", "reason")),
        (SystemExit(3), ("code",)),
        (StopIteration(3), ("value",)),
        (KeyError("mine"), ()),
        (FrozenSlots(3), ("code",)),
        (slotted(), ("code",)),
        (ImportError("no", name="wing", path="here"), ("name", "path")),
        (subprocess.CalledProcessError(3, ["mesh"], b"out"), ("returncode", "cmd", "output")),
    ],
)
def test_an_exception_has_all_its_attributes_when_it_arrives(error, names):
    there = sent(Failure(1, error, "text")).error
    assert type(there) is type(error) and str(there) == str(error) and there.args == error.args
    assert [getattr(there, name) for name in names] == [getattr(error, name) for name in names]


def test_what_cannot_be_sent_is_replaced_by_an_error_that_shows_it():
    there = sent(Failure(1, Silent(), 'Traceback:\n  File "wing.py", line 3, in drag\n')).error
    assert isinstance(there, ObjectiveError)
    shown = "".join(traceback.format_exception(there))
    assert "Silent: held by lock; the result so far is in the attribute ter_result of this error" in shown
    assert 'File "wing.py", line 3, in drag' in shown


def test_an_exception_whose_class_is_not_known_here_is_replaced_too(monkeypatch):
    content = pickle.dumps(Failure(1, Elsewhere("no"), "text"))
    monkeypatch.delitem(globals(), "Elsewhere")
    there = pickle.loads(content).error
    assert isinstance(there, ObjectiveError) and "Elsewhere: no" in str(there)


@dataclass(frozen=True)
class Frozen(Exception):
    code: int


class Hidden(Exception):
    """Its dictionary is nobody's business."""

    @property
    def __dict__(self):
        raise RuntimeError("not for you")


@pytest.mark.parametrize(
    "error",
    [
        ExceptionGroup("mine", [ValueError("one"), Frozen(3)]),
        BaseExceptionGroup("mine", [KeyboardInterrupt(), Frozen(3)]),
        Hidden("mine"),
    ],
    ids=repr,
)
def test_groups_of_what_can_be_written_but_not_read_arrive(error):
    there = sent(Failure(1, error, "text")).error
    assert type(there) is type(error) and str(there) == str(error)
    if isinstance(error, BaseExceptionGroup):
        assert [repr(each) for each in there.exceptions] == [repr(each) for each in error.exceptions]


class Locked(BaseException):
    """It wants out, and cannot be sent."""

    def __init__(self):
        super().__init__("here")
        self.lock = threading.Lock()

    def __str__(self):
        return f"held by {type(self.lock).__name__}"


def test_what_stands_for_somebody_who_wants_out_ends_the_run_as_well():
    assert sent(Failure(1, Locked(), "text")).fatal and not sent(Failure(1, Silent(), "text")).fatal


class Leaving(Exception):
    """To pickle it is to leave."""

    def __reduce__(self):
        raise SystemExit(3)


def test_an_exception_that_exits_while_it_is_pickled_arrives_from_its_parts():
    there = sent(Failure(1, Leaving("no", 2), "text")).error
    assert type(there) is Leaving and there.args == ("no", 2)
