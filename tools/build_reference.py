"""Take the reference values of the benchmark functions, from foreign implementations wherever these are right.

Run from the project root, after `python -m tools.build_data`::

    python -m tools.build_reference

It installs cec2013lsgo (the official C++ code of CEC'2013) and opfunu (CEC'2008 and CEC'2010) into an environment of
their own and evaluates them, as they are, at the points of `tests/reference_points.py`. It stops when one of them is
further from our plain NumPy twins in `tests/naive` than rounding explains. opfunu has the data of CEC'2010 in 9 digits
only, so there the twin is compared on these data, and the stored values are those of the twin on the exact data,
beside the ones of opfunu. `tests/data/reference/README.md` describes the files.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.reference_points import FUNCTIONS, KINDS, checksum, points
from tests.reference_values import WRONG_IN_OPFUNU, Data, data, largest_difference, tolerance, values
from tools.archives import (
    BUILD_REQUIREMENTS,
    CEC2013LSGO,
    OPFUNU,
    ROOT,
    Archive,
    download,
    environment_python,
    read,
    run,
)
from tools.arrays import write_arrays
from tools.build_data import open_wheel, texts_of_lso10

Values = dict[str, NDArray[np.float64]]
Differences = dict[str, str]

TARGET = ROOT / "tests" / "data" / "reference"
WORKER = Path(__file__).parent / "reference_worker.py"
OPFUNU_REQUIREMENTS = ("matplotlib==3.8.4", "pillow==10.4.0", "requests==2.32.3")


def prepare(archive: Archive, python: Path) -> None:
    """Install a foreign package from its pinned archive."""
    read(archive)
    options = ("--quiet", "--disable-pip-version-check", "--no-build-isolation", "--no-deps")
    run(python, "-m", "pip", "install", *options, download(archive))


def twin_values(suite: str, n: int, made: Values, given: Data) -> Values:
    """The values of our twin by kind of points."""
    return {kind: values(suite, n, made[kind], given) for kind in KINDS}


def foreign_values(suite: str, n: int, made: Values, python: Path) -> Values:
    """The values of a foreign implementation by kind of points, computed in a process and a folder of its own."""
    rows = np.concatenate([made[kind] for kind in KINDS])
    with tempfile.TemporaryDirectory() as folder:
        given, taken = Path(folder) / "points.npy", Path(folder) / "values.npy"
        np.save(given, rows)
        command = [python, "-W", "ignore::DeprecationWarning", WORKER, suite, n, given, taken]
        subprocess.run([str(part) for part in command], check=True, cwd=folder)
        found: NDArray[np.float64] = np.load(taken)
    ends = np.cumsum([len(made[kind]) for kind in KINDS])
    return dict(zip(KINDS, np.split(found, ends[:-1]), strict=True))


def differences(a: Values, b: Values) -> Differences:
    """The largest relative difference by kind of points, to two digits."""
    return {kind: f"{largest_difference(a[kind], b[kind]):.1e}" for kind in KINDS}


def demand_agreement(suite: str, n: int, twin: Values, foreign: Values) -> Differences:
    """Stop when the twin and the foreign implementation are further apart than rounding explains."""
    found = differences(twin, foreign)
    if not all(float(difference) <= tolerance(suite, n) for difference in found.values()):
        raise SystemExit(f"the twin of f{n} of {suite} differs from the foreign implementation: {found}")
    return found


def build(suite: str, given: Data, printed: Data, python: Path) -> tuple[Values, dict[str, Differences]]:
    """All values of one suite, and how far the foreign ones are from our twin on the `printed` data."""
    arrays: Values = {}
    apart: dict[str, Differences] = {}
    for n in FUNCTIONS[suite]:
        made = points(suite, n, given)
        if suite == "lso10":
            arrays |= {f"f{n}_{kind}": found for kind, found in twin_values(suite, n, made, given).items()}
            if n in WRONG_IN_OPFUNU:
                continue
        foreign = foreign_values(suite, n, made, python)
        apart[f"f{n}"] = demand_agreement(suite, n, twin_values(suite, n, made, printed), foreign)
        ending = "_opfunu" if suite == "lso10" else ""
        arrays |= {f"f{n}_{kind}{ending}": found for kind, found in foreign.items()}
        sys.stdout.write(f"{suite} f{n}: {apart[f'f{n}']}\n")
    return arrays, apart


def provenance() -> dict[str, object]:
    """What computed the values."""
    compiler = subprocess.run(["g++", "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
    return {
        "archives": {archive.filename: archive.sha256 for archive in (CEC2013LSGO, OPFUNU)},
        "environment": [*BUILD_REQUIREMENTS, *OPFUNU_REQUIREMENTS],
        "compiler": compiler,
        "machine": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy of the twins": np.__version__,
    }


def write_json(name: str, content: object) -> None:
    """Write a small file beside the values."""
    (TARGET / name).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Build all suites."""
    python = environment_python()
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *OPFUNU_REQUIREMENTS)
    prepare(CEC2013LSGO, python)
    prepare(OPFUNU, python)
    with open_wheel() as wheel:
        texts = texts_of_lso10(wheel)
    TARGET.mkdir(parents=True, exist_ok=True)
    sums: dict[str, dict[str, dict[str, str]]] = {}
    apart: dict[str, dict[str, Differences]] = {}
    for suite in FUNCTIONS:
        given = data(suite)
        arrays, apart[suite] = build(suite, given, texts if suite == "lso10" else given, python)
        write_arrays(TARGET / f"{suite}.npz", arrays)
        sums[suite] = {
            f"f{n}": {kind: checksum(rows) for kind, rows in points(suite, n, given).items()} for n in FUNCTIONS[suite]
        }
    write_json("points.json", sums)
    write_json("provenance.json", provenance() | {"largest relative differences from the twins": apart})


if __name__ == "__main__":
    main()
