"""Files that are written at once or not at all; zip files of plain bytes and arrays, read without trust in them."""

from __future__ import annotations

import io
import math
import os
import re
import secrets
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

__all__ = ["array_of", "bytes_of", "read_member", "whole_file", "write_archive"]

HEADER = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '<f8', 'fortran_order': False, 'shape': \(([0-9]+),(?: ([0-9]+))?\), *\} *\n",
    re.DOTALL,
)


@contextmanager
def whole_file(file: Path) -> Iterator[BinaryIO]:
    """Write a file under another name; it appears when it is complete, and replaces one that is there.

    The other name is new, so that no link that somebody has put there is followed.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f"{file.name}.{secrets.token_hex(4)}.partial")
    try:
        with partial.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(partial, file)  # noqa: PTH105 - over a file that may be there, on all systems
    finally:
        with suppress(OSError):
            partial.unlink()  # there if something went wrong


def write_archive(file: Path, members: Mapping[str, bytes]) -> None:
    """Write members by their names, in order, all or nothing.

    Nothing is compressed, and the time is not recorded: the same members make the same bytes.
    """
    with whole_file(file) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Read a member that is not compressed, and so no larger than the archive.

    Raises
    ------
    ValueError
        If it is compressed: a small file could fill the memory.
    """
    info = archive.getinfo(name)
    if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
        raise ValueError(f"{name} must not be compressed")
    return archive.read(info)


def bytes_of(array: NDArray[np.float64]) -> bytes:
    """Write an array as the content of an ``.npy`` file."""
    file = io.BytesIO()
    np.lib.format.write_array(file, np.ascontiguousarray(array, dtype="<f8"), version=(1, 0), allow_pickle=False)
    return file.getvalue()


def array_of(content: bytes) -> NDArray[np.float64]:
    """Read an array that `bytes_of` wrote.

    NumPy would make room for the shape that a file declares before it looks whether there is so much in it.

    Examples
    --------
    >>> array_of(bytes_of(np.array([[1.0, 2.0]])))
    array([[1., 2.]])
    """
    header = HEADER.match(content)
    shape = tuple(int(n) for n in header.groups() if n is not None) if header else ()
    if header is None or 8 * math.prod(shape) != len(content) - header.end():
        raise ValueError("an array must be as long as it says")
    return np.frombuffer(content, dtype="<f8", offset=header.end()).reshape(shape).astype(np.float64)
