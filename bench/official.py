"""The official C++ functions of CEC'2013 as something to time, each in a process of its own.

They come from the package cec2013lsgo in the environment that ``python -m tools.build_reference`` makes.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from types import TracebackType

import numpy as np

__all__ = ["Official", "is_there"]

PYTHON = Path(__file__).parent.parent / ".venv-reference" / "bin" / "python"
WORKER = Path(__file__).parent / "official_worker.py"


def is_there() -> bool:
    """Tell whether the environment has the package."""
    command = [str(PYTHON), "-W", "ignore", "-c", "import cec2013lsgo.cec2013"]
    return PYTHON.exists() and subprocess.run(command, capture_output=True).returncode == 0


class Official:
    """One official function, ready to be called at fixed points.

    Parameters
    ----------
    number : int
        Of the function, from 1.
    X : array of shape (n, D)
        The points, taken in turn.
    """

    def __init__(self, number: int, X: np.ndarray) -> None:
        self._folder = tempfile.TemporaryDirectory()
        points = Path(self._folder.name) / "points.npy"
        np.save(points, X)
        self._process = subprocess.Popen(
            [str(PYTHON), "-W", "ignore", str(WORKER), str(number), str(points)],
            cwd=self._folder.name,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.version = self._read()

    def __call__(self, calls: int) -> float:
        """Make the calls and return the seconds of the processor."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{calls}\n")
        self._process.stdin.flush()
        return float(self._read())

    def _read(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def __enter__(self) -> Official:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()
        self._folder.cleanup()
