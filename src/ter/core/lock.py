"""A lock beside a file: one process at a time may write to it.

The operating system holds the lock and drops it when the process ends, however it ends: a lock file that a killed
process left behind blocks nobody.
"""

from __future__ import annotations

import os
import platform
import stat
import sys
import time
from pathlib import Path
from typing import IO

__all__ = ["FileLock", "ForeignLock"]

# Links are not followed (also one that appears just now), and what is not a plain file does not make anybody wait.
PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
PATIENCE = 0.5  # seconds; somebody who only looks whether the lock is held holds it for microseconds


class ForeignLock(OSError):
    """Something else is in the place of the lock."""


class FileLock:
    """Hold the lock of a file until it is released.

    Parameters
    ----------
    path : path
        The file to protect; the lock is on the file of the same name with ``.lock`` added.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "results.sqlite"
    >>> lock = FileLock(path)
    >>> lock.acquire(), FileLock(path).acquire(patience=0)
    (True, False)
    >>> lock.release()
    """

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(f"{path.name}.lock")
        self._file: IO[str] | None = None

    def acquire(self, patience: float = PATIENCE) -> bool:
        """Try to take the lock; tell whether it is ours."""
        deadline = time.monotonic() + patience
        while not self._attempt():
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.05)
        return True

    def release(self) -> None:
        """Give the lock back and remove its file."""
        if self._file is not None:
            self.path.unlink(missing_ok=True)
            self._file.close()
            self._file = None

    def holder(self) -> str | None:
        """Say who holds the lock; None if nobody does."""
        try:
            file = self._open(os.O_RDWR)
        except OSError:
            return None
        with file:
            return None if _lock(file) else file.read().strip() or "a process"

    def _open(self, flags: int) -> IO[str]:
        """Open the lock file, and nothing else that may be in its place, since its content is replaced."""
        if self.path.is_symlink():
            raise self._foreign()
        descriptor = os.open(self.path, flags | PLAIN, 0o666)
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
            os.close(descriptor)
            raise self._foreign()
        return open(descriptor, "r+", encoding="utf-8")  # noqa: PTH123 - the descriptor, not the path

    def _foreign(self) -> ForeignLock:
        return ForeignLock(
            f"a lock must be a file of its own, got {str(self.path)!r}, which is a link or no file; remove it"
        )

    def _attempt(self) -> bool:
        file = self._open(os.O_RDWR | os.O_CREAT)
        # Whoever held it may have removed the file after we had opened it: then we locked nothing.
        if not _lock(file) or not self._is_there(file):
            file.close()
            return False
        file.truncate(0)
        file.write(f"process {os.getpid()} on {platform.node()}, since {time.strftime('%Y-%m-%d %H:%M:%S')}\n")
        file.flush()
        self._file = file
        return True

    def _is_there(self, file: IO[str]) -> bool:
        try:
            return os.path.samestat(os.fstat(file.fileno()), self.path.stat())
        except OSError:
            return False


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[str]) -> bool:
        file.seek(0x10000)  # beyond the text, which stays readable
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        file.seek(0)
        return True

else:
    import fcntl

    def _lock(file: IO[str]) -> bool:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
