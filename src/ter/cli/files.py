"""Files that the command line reads and writes; all paths are checked before the run, not after it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Box
from ter.core.errors import InvalidArgument, MissingExtra

if TYPE_CHECKING:
    from ter.core.problem import Problem
    from ter.display.result import Result

__all__ = ["Outputs", "read_bounds", "read_start", "require_picture"]

PICTURES = (".png", ".svg", ".pdf", ".jpg", ".jpeg", ".webp")


class Outputs:
    """What to write when the run has ended.

    Parameters
    ----------
    output, picture, report : path, optional
        For the best point, the picture and the page.

    Raises
    ------
    InvalidArgument
        If the ending of a path is not known.
    MissingExtra
        If a package needed to write one of them is missing.
    """

    def __init__(self, output: Path | None, picture: Path | None, report: Path | None) -> None:
        self._output, self._picture, self._report = output, picture, report
        _require_ending("--output", output, (".npz", ".npy"))
        require_picture(picture)
        _require_ending("--report", report, (".html", ".htm"))
        if report is not None and find_spec("jinja2") is None:
            raise MissingExtra.named("jinja2", "report", "--report")
        for path in (output, report):
            if path is not None:
                _require_folder(path)
        self.written: list[Path] = []

    def write(self, result: Result, problem: Problem) -> list[str]:
        """Write everything asked for, the best point first; return what went wrong, since a result must not be lost."""
        writers: list[tuple[Path | None, Callable[[Path], object]]] = [
            (self._output, lambda path: _save_point(result, path)),
            (self._picture, lambda path: result.plot(path, problem=problem)),
            (self._report, lambda path: result.report(path, problem=problem)),
        ]
        unwritten = []
        for path, writer in writers:
            if path is not None:
                try:
                    writer(path)
                except (Exception, SystemExit) as error:  # noqa: BLE001 - a full disk, or the `draw` of the user's problem
                    unwritten.append(f"{path} could not be written: {error}")
                else:
                    self.written.append(path)
        return unwritten


def require_picture(path: Path | None) -> None:
    """Raise unless a picture can be written there."""
    _require_ending("--picture", path, PICTURES)
    if path is not None and find_spec("matplotlib") is None:
        raise MissingExtra.named("matplotlib", "report", "--picture")
    if path is not None:
        _require_folder(path)


def _save_point(result: Result, path: Path) -> None:
    if path.suffix == ".npy":
        np.save(path, result.x)
    else:
        np.savez(path, x=result.x, fun=result.fun, nfev=result.nfev, curve=result.curve)


def read_start(path: Path | None) -> NDArray[np.float64] | None:
    """Read points to start from: a ``.npy``, the ``x`` of a ``.npz``, or numbers in a text file."""
    if path is None:
        return None
    try:
        if path.suffix == ".npy":
            return np.asarray(np.load(path, allow_pickle=False), dtype=np.float64)
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as archive:
                return np.asarray(archive["x"], dtype=np.float64)
        return np.loadtxt(path, dtype=np.float64, ndmin=1)
    except (OSError, ValueError, KeyError) as error:
        raise InvalidArgument(f"--x0 must name a .npy, .npz or text file of numbers, got {path}: {error}") from error


def read_bounds(path: Path) -> Box:
    """Read the bounds of each variable: an array of two columns in a ``.npy``, or two numbers per line of a text file.

    The numbers may be separated by commas, semicolons or blanks; a first line of words and what follows ``#`` are left
    out.
    """
    try:
        if path.suffix == ".npy":
            return Box.read(np.load(path, allow_pickle=False))
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise InvalidArgument(f"--bounds must name a .npy or text file of two columns, got {path}: {error}") from error
    pairs: list[tuple[float, float]] = []
    words_may_come = True
    for number, line in enumerate(lines, 1):
        cells = [cell for cell in re.split(r"[,;\s]+", line.partition("#")[0].strip()) if cell]
        if not cells or (words_may_come and not any(map(_is_number, cells))):
            words_may_come = words_may_come and not cells
            continue
        words_may_come = False
        pairs.append(_read_pair(cells, f"{line.strip()!r} in line {number} of {path}"))
    if not pairs:
        raise InvalidArgument(f"--bounds must name a file with lower and upper of each variable, got nothing in {path}")
    return Box.read(pairs)


def _read_pair(cells: list[str], where: str) -> tuple[float, float]:
    if len(cells) != 2 or not all(map(_is_number, cells)):
        raise InvalidArgument(f"--bounds must have two numbers per line, lower and upper, got {where}")
    lower, upper = map(float, cells)
    if not (math.isfinite(lower) and math.isfinite(upper) and lower <= upper):
        raise InvalidArgument(f"--bounds must be finite with lower <= upper, got {where}")
    return lower, upper


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _require_ending(option: str, path: Path | None, endings: tuple[str, ...]) -> None:
    if path is not None and path.suffix.lower() not in endings:
        raise InvalidArgument(f"{option} must end in {' or '.join(endings)}, got {str(path)!r}")


def _require_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidArgument(f"the folder of {str(path)!r} must be one that can be made, got: {error}") from error
