"""Frames: records with a checksum, one after the other in a file that only grows.

A frame is a head (magic, kind, number, name of the run, length), the content and a checksum (CRC-32) over both.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

from ter.core.errors import TerError

__all__ = ["CheckpointError", "Frame", "Scan", "frame", "read_single", "scan", "single", "unwritten"]

MAGIC = b"\x93TER"
HEAD = struct.Struct("<4sBIII")
SUM = struct.Struct("<I")
LONGEST = 1 << 30  # bytes of one frame


class CheckpointError(TerError):
    """A checkpoint cannot be continued: it is damaged, in use, or of another run. The message says what to do."""


def unwritten(error: OSError) -> CheckpointError:
    """Return what is said when the disk takes nothing more.

    Examples
    --------
    >>> str(unwritten(OSError("it is full")))
    'a checkpoint must be written to the disk, got it is full; make room there, and go on with ter.resume'
    """
    return CheckpointError(
        f"a checkpoint must be written to the disk, got {error}; make room there, and go on with ter.resume"
    )


@dataclass(frozen=True)
class Frame:
    """A record: what kind it is of, and its content."""

    kind: int
    content: bytes


@dataclass(frozen=True)
class Scan:
    """What a file of frames holds.

    Attributes
    ----------
    frames : list of Frame
        From the beginning to the first that is not whole.
    end : int
        Where they end, in bytes.
    torn : int
        Bytes after that: a frame that was being written when the process was killed.
    damaged : bool
        Whether frames that are whole follow after one that is not: that is damage, and no torn end.
    """

    frames: list[Frame]
    end: int
    torn: int
    damaged: bool


def frame(kind: int, number: int, run: int, content: bytes) -> bytes:
    """Make a frame.

    Examples
    --------
    >>> scan(frame(7, 0, 42, b"abc"), run=42).frames
    [Frame(kind=7, content=b'abc')]
    """
    head = HEAD.pack(MAGIC, kind, number, run, len(content))
    return head + content + SUM.pack(zlib.crc32(content, zlib.crc32(head)))


def scan(data: bytes, run: int) -> Scan:
    """Read frames of a run in order, up to the first that is not whole.

    Examples
    --------
    >>> both = frame(1, 0, 42, b"a") + frame(1, 1, 42, b"b")
    >>> whole, cut = scan(both, run=42), scan(both[:-1], run=42)
    >>> len(whole.frames), len(cut.frames), cut.torn, cut.damaged
    (2, 1, 21, False)
    """
    view, frames, at = memoryview(data), list[Frame](), 0
    while (found := _frame_at(view, at, run)) is not None and found[0] == len(frames):
        frames.append(Frame(found[1], bytes(found[2])))
        at = found[3]
    return Scan(frames, at, len(data) - at, _whole_after(data, view, at, run))


def single(kind: int, content: bytes) -> bytes:
    """Make a file of one frame."""
    return frame(kind, 0, 0, content)


def read_single(data: bytes, kind: int) -> bytes | None:
    """Read a file of one frame; None if it is not what was written.

    Examples
    --------
    >>> read_single(single(3, b"abc"), 3), read_single(single(3, b"abc"), 4), read_single(b"", 3)
    (b'abc', None, None)
    """
    found = scan(data, run=0)
    one = found.frames[0] if len(found.frames) == 1 and found.end == len(data) else None
    return one.content if one is not None and one.kind == kind else None


def _frame_at(view: memoryview, at: int, run: int) -> tuple[int, int, memoryview, int] | None:
    """Return number, kind, content and end of the frame that begins here; None if none does."""
    if len(view) - at < HEAD.size + SUM.size:
        return None
    magic, kind, number, owner, length = HEAD.unpack_from(view, at)
    end = at + HEAD.size + length + SUM.size
    if magic != MAGIC or owner != run or length > LONGEST or end > len(view):
        return None
    (checksum,) = SUM.unpack_from(view, end - SUM.size)
    if zlib.crc32(view[at : end - SUM.size]) != checksum:
        return None
    return number, kind, view[at + HEAD.size : end - SUM.size], end


def _whole_after(data: bytes, view: memoryview, at: int, run: int) -> bool:
    """Tell whether a whole frame begins anywhere behind."""
    place = data.find(MAGIC, at)
    while place >= 0:
        if _frame_at(view, place, run) is not None:
            return True
        place = data.find(MAGIC, place + 1)
    return False
