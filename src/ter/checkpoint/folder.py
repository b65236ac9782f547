"""The folder of a checkpoint: manifest, arguments, journal, two snapshots, the best point, a lock, a wish to stop."""

from __future__ import annotations

import json
import os
import secrets
import stat
import struct
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from ter.checkpoint.codec import Forms, Unsavable, decode, encode
from ter.checkpoint.frames import CheckpointError, read_single, scan, single, unwritten
from ter.checkpoint.journal import Journal, Known
from ter.core.box import Vector
from ter.core.lock import FileLock, ForeignLock
from ter.display.archive import bytes_of, whole_file
from ter.display.texts import plain_text

__all__ = ["Folder", "Snapshot"]

MANIFEST, ARGUMENTS, JOURNAL, BEST, STOP = "manifest.json", "arguments", "journal", "best.npy", "stop"
SNAPSHOTS = ("snapshot.0", "snapshot.1")
KIND_ARGUMENTS, KIND_SNAPSHOT = 101, 102
LARGEST = 1 << 34  # bytes of a journal that is read
LARGEST_MANIFEST = 1 << 24
PLACE = struct.Struct("<IQQQ")  # of a snapshot: run, frames, values and actions in the journal
NOFOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


class Snapshot(NamedTuple):
    """Where a run was when a snapshot was taken, its state, and which of the two files it is in."""

    frames: int
    values: int
    actions: int
    state: bytes
    place: int


class Folder:
    """A checkpoint on disk.

    Parameters
    ----------
    path : path
        The folder.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = FileLock(self.path / JOURNAL)
        self._run = 0
        self._turn = 0  # which of the two snapshots is written next
        self.journal: Journal | None = None
        self._descriptor: int | None = None

    @property
    def exists(self) -> bool:
        """Whether there is a run in it."""
        return (self.path / MANIFEST).is_file()

    # Writing

    def acquire(self) -> None:
        """Be the only one who writes.

        Raises
        ------
        CheckpointError
            If another process does.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            ours = self._lock.acquire()
        except (ForeignLock, OSError) as error:
            raise CheckpointError(f"a checkpoint must be a folder that can be written to, got {error}") from error
        if not ours:
            raise CheckpointError(
                f"a checkpoint must be written by one run at a time, got {str(self.path)!r}, which "
                f"{self._lock.holder() or 'another process'} has; wait for it, or end it with `ter stop`"
            )

    def create(self, manifest: dict[str, Any], arguments: dict[str, Any], forms: Forms) -> None:
        """Begin a new run; the manifest is written last, so that a folder with a manifest is complete."""
        others = [each.name for each in self.path.iterdir() if each.name in (JOURNAL, *SNAPSHOTS, ARGUMENTS)]
        if JOURNAL in others and (self.path / JOURNAL).lstat().st_size:
            raise self._damaged(MANIFEST, "it is not there, but a journal is")
        if others:  # from a run that was killed before it had a manifest, which has evaluated nothing
            for name in others:
                (self.path / name).unlink()
        run = secrets.randbits(32)
        try:
            kept = encode(arguments, forms)
        except Unsavable:  # the portfolio holds something of the user's own, which must be passed again
            kept = encode({**arguments, "profile": None}, forms)
        self._write(ARGUMENTS, single(KIND_ARGUMENTS, kept))
        self._open(os.O_CREAT | os.O_EXCL)
        whole = {"run": run, **manifest}
        text = json.dumps({**whole, "checksum": _checksum(whole)}, indent=1)
        self._write(MANIFEST, f"{text}\n".encode())
        self._start(run, 0, 0)

    def go_on(self, known_frames: int, end: int, count: int, run: int) -> None:
        """Open the journal to write behind its last whole frame; what is torn is cut."""
        self._open(0)
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, end)
            os.lseek(self._descriptor, 0, os.SEEK_END)
        self._start(run, known_frames, count)

    def snapshot(self, count: int, actions: int, state: dict[str, Any], forms: Forms, best: Vector) -> bool:
        """Keep a state beside the last one; return False if it cannot be written."""
        if self.journal is None:
            return False
        try:
            kept = encode(state, forms)
        except Unsavable:
            return False
        self.journal.flush(sync=True)  # a snapshot is never ahead of the journal
        place = PLACE.pack(self._run, self.journal.number, count, actions)
        self._write(SNAPSHOTS[self._turn], single(KIND_SNAPSHOT, place + kept))
        self._turn = 1 - self._turn
        self._write(BEST, bytes_of(best))
        return True

    def close(self) -> None:
        """Write what waits, and let others write."""
        descriptor, journal = self._descriptor, self.journal
        self._descriptor = self.journal = None
        try:
            if journal is not None:
                journal.flush(sync=True)
        finally:
            if descriptor is not None:
                os.close(descriptor)
            self._lock.release()

    # Reading

    def manifest(self) -> dict[str, Any]:
        """Read the manifest.

        Raises
        ------
        CheckpointError
            If there is none.
        """
        try:
            found = json.loads(self._read(MANIFEST, LARGEST_MANIFEST))
        except FileNotFoundError as error:
            raise CheckpointError(
                f"a checkpoint must be a folder with a run in it, got {str(self.path)!r}, which has no {MANIFEST}; "
                "begin one with checkpoint=..."
            ) from error
        except (OSError, ValueError) as error:
            raise self._damaged(MANIFEST, error) from error
        if not isinstance(found, dict) or found.pop("checksum", None) != _checksum(found):
            raise self._damaged(MANIFEST, "its checksum is that of something else")
        return found

    def arguments(self, forms: Forms) -> dict[str, Any]:
        """Read the arguments of the run."""
        content = read_single(self._bytes(ARGUMENTS), KIND_ARGUMENTS)
        if content is None:
            raise self._damaged(ARGUMENTS, "its checksum is that of something else")
        found: dict[str, Any] = decode(content, forms)
        return found

    def known(self, run: int) -> tuple[Known, int, int]:
        """Read the journal: what it says, how many frames that is, and where they end.

        Raises
        ------
        CheckpointError
            If it is damaged elsewhere than at its end.
        """
        found = scan(self._bytes(JOURNAL), run)
        known = Known.read(found.frames)
        if found.damaged:
            raise CheckpointError(
                f"a journal must be whole up to its end, got {str(self.path / JOURNAL)!r}, which is damaged at byte "
                f"{found.end}, after {known.count} evaluations; put a copy of it back, or shorten the file to "
                f"{found.end} bytes to go on from there"
            )
        return known, len(found.frames), found.end

    def snapshots(self, run: int) -> list[Snapshot]:
        """Return the snapshots of the run that are whole, the newest first."""
        there = []
        for number, name in enumerate(SNAPSHOTS):
            with suppress(CheckpointError):
                content = read_single(self._bytes(name), KIND_SNAPSHOT) or b""
                if len(content) <= PLACE.size:
                    continue
                owner, frames, values, actions = PLACE.unpack_from(content)
                if owner == run:
                    there.append(Snapshot(frames, values, actions, content[PLACE.size :], number))
        return sorted(there, reverse=True)

    def forget_snapshots(self, keep: int | None) -> None:
        """Remove the snapshots but the one that a run goes on from."""
        for place, name in enumerate(SNAPSHOTS):
            if place != keep:
                with suppress(OSError):
                    (self.path / name).unlink()
        self._turn = 0 if keep is None else 1 - keep

    def holder(self) -> str | None:
        """Say who writes to it; None if nobody does."""
        return self._lock.holder()

    # The wish to stop

    def ask_to_stop(self) -> None:
        """Ask whoever runs it to stop."""
        self._write(STOP, b"")

    @property
    def stop_wanted(self) -> bool:
        """Whether somebody has asked to stop."""
        return os.path.lexists(self.path / STOP)

    def forget_stop(self) -> None:
        """Remove the wish to stop."""
        with suppress(OSError):
            (self.path / STOP).unlink()

    # Inside

    def _write(self, name: str, content: bytes) -> None:
        try:
            with whole_file(self.path / name) as stream:
                stream.write(content)
        except OSError as error:
            raise unwritten(error) from error

    def _open(self, flags: int) -> None:
        try:
            self._descriptor = os.open(self.path / JOURNAL, os.O_RDWR | NOFOLLOW | flags, 0o666)
        except OSError as error:
            raise self._damaged(JOURNAL, error) from error

    def _start(self, run: int, number: int, count: int) -> None:
        self._run = run
        if self._descriptor is not None:
            self.journal = Journal(self._descriptor, run, number, count)

    def _bytes(self, name: str) -> bytes:
        try:
            return self._read(name, LARGEST)
        except (OSError, ValueError) as error:
            raise self._damaged(name, error) from error

    def _read(self, name: str, largest: int) -> bytes:
        descriptor = os.open(self.path / name, os.O_RDONLY | NOFOLLOW)
        with open(descriptor, "rb") as stream:  # noqa: PTH123 - the descriptor, not the path
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode) or found.st_size > largest:
                raise ValueError(f"it must be a file of at most {largest} bytes")
            return stream.read(found.st_size)

    def _damaged(self, name: str, reason: object) -> CheckpointError:
        return CheckpointError(
            plain_text(
                f"a checkpoint must be whole, got {str(self.path / name)!r}, which cannot be read: {reason}; "
                "put a copy of it back, or begin anew in another folder"
            )
        )


def _checksum(manifest: dict[str, Any]) -> int:
    return zlib.crc32(json.dumps(manifest, sort_keys=True).encode())
