"""The two published archives that hold the official benchmark data, and the environment that can download them.

The archives are pinned by their sha256, so whatever is built from them is built from the same bytes.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
CACHE = ROOT / ".cache" / "archives"
ENVIRONMENT = ROOT / ".venv-reference"

# An old setuptools, because cec2013lsgo imports pkg_resources at run time; Python 3.11, because opfunu refuses others.
BUILD_REQUIREMENTS = ("numpy==1.26.4", "cython==3.0.11", "setuptools==69.5.1", "wheel==0.45.1")
PYTHON_VERSION = (3, 11)


@dataclass(frozen=True, slots=True)
class Archive:
    """A released file on the Python Package Index."""

    package: str
    version: str
    filename: str
    sha256: str
    license: str


CEC2013LSGO = Archive(
    package="cec2013lsgo",
    version="2.2",
    filename="cec2013lsgo-2.2.tar.gz",
    sha256="e1f46e3fa5b576b7e4d19078867f345a7fdb5269549d12113bd8cba7982d03d5",
    license="GPL-3.0-or-later",
)
OPFUNU = Archive(
    package="opfunu",
    version="1.0.4",
    filename="opfunu-1.0.4-py3-none-any.whl",
    sha256="ca2af1816552cb28ac4eb71519627bc32e8000514b6b7b34a654f70afbbd2240",
    license="GPL-3.0",
)


def sha256(content: bytes) -> str:
    """The hexadecimal sha256 of some bytes."""
    return hashlib.sha256(content).hexdigest()


def run(*command: str | Path) -> None:
    """Run a program and stop when it fails."""
    subprocess.run([str(part) for part in command], check=True)


def environment_python() -> Path:
    """The interpreter of the environment for foreign packages, which is created on first use."""
    python = ENVIRONMENT / "bin" / "python"
    ready = ENVIRONMENT / ".ready"
    if ready.exists():
        return python
    if sys.version_info[:2] != PYTHON_VERSION:
        raise SystemExit(f"the reference packages need Python 3.11, this is {sys.version.split()[0]}")
    venv.create(ENVIRONMENT, with_pip=True, clear=True)
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *BUILD_REQUIREMENTS)
    ready.touch()
    return python


def download(archive: Archive) -> Path:
    """Fetch an archive into the cache, unless it is there already.

    pip asks a source archive for its metadata, which runs its setup script; that is why this happens in an environment
    where the build requirements are installed, without build isolation.
    """
    target = CACHE / archive.filename
    if not target.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        kind = "--no-binary" if archive.filename.endswith(".tar.gz") else "--only-binary"
        options = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", kind, archive.package)
        requirement = f"{archive.package}=={archive.version}"
        run(environment_python(), "-m", "pip", "download", *options, "--dest", CACHE, requirement)
    return target


def read(archive: Archive, path: Path | None = None) -> bytes:
    """The bytes of an archive, from `path` or from the index, after its checksum was compared."""
    path = download(archive) if path is None else path
    content = path.read_bytes()
    if sha256(content) != archive.sha256:
        raise SystemExit(
            f"{path} is not {archive.filename}: its sha256 is {sha256(content)}, expected {archive.sha256}"
        )
    return content
