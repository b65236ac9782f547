"""Check that a wheel and a source archive hold what they need.

python -m tools.check_package dist
"""

from __future__ import annotations

import argparse
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Beside the package, what it takes to run the tests of an unpacked source archive.
BESIDE = ("tests", "tools", "docs", "studies", "Makefile", "pyproject.toml", "README.md", "CHANGELOG.md",
          "CONTRIBUTING.md", "RELEASING.md", "CITATION.cff", "LICENSE")  # fmt: skip
MADE = {"__pycache__", "_build", "api"}


def files_of(place: Path, root: Path) -> set[str]:
    """Return the files of a folder, or the file itself, seen from `root`."""
    files = [place] if place.is_file() else [path for path in place.rglob("*") if path.is_file()]
    return {path.relative_to(root).as_posix() for path in files if MADE.isdisjoint(path.parts)}


def missing_from(folder: Path) -> list[str]:
    """Return what the archives in a folder lack."""
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        installed = set(archive.namelist())
    with tarfile.open(source) as archive:
        unpacked = {name.partition("/")[2] for name in archive.getnames()}
    package = files_of(ROOT / "src" / "ter", ROOT / "src")
    project = set.union(*(files_of(ROOT / name, ROOT) for name in ("src", *BESIDE)))
    lacking = [f"{wheel.name} lacks {name}" for name in sorted(package - installed)]
    return lacking + [f"{source.name} lacks {name}" for name in sorted(project - unpacked)]


def main() -> int:
    """Print what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    missing = missing_from(parser.parse_args().folder)
    sys.stdout.writelines(f"{line}\n" for line in missing or ["both archives are complete"])
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
