"""Build the arrays of the benchmark suites: CEC'2008 and CEC'2013 from the official texts, CEC'2010 drawn again.

Run from the project root::

    python -m tools.build_data [--sdist cec2013lsgo-2.2.tar.gz] [--wheel opfunu-1.0.4-py3-none-any.whl]

An archive that is not given is downloaded. Numbers of a text are stored as parsed, bit for bit. The texts of CEC'2010
have 9 digits only; stored is what the organisers' generator draws, with all bits, after every number of the texts has
turned out to be the drawn one, rounded. `src/ter/benchmarks/data/PROVENANCE.md` says what the arrays mean.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.archives import CEC2013LSGO, OPFUNU, ROOT, read, sha256
from tools.arrays import write_arrays
from tools.lso10_generator import Randomizer

TARGET = ROOT / "src" / "ter" / "benchmarks" / "data"

Text = Callable[[str], str]
Arrays = dict[str, NDArray[Any]]

ROTATION_SIZES = (25, 50, 100)
LSO13_GROUPED = (4, 5, 6, 7, 8, 9, 10, 11, 13, 14)
LSO13_BOX = {2: 5.0, 3: 32.0, 5: 5.0, 6: 32.0, 9: 5.0, 10: 32.0}
LSO10_UNGROUPED = (1, 2, 3, 19, 20)
LSO10_ROTATED = (4, 5, 6, 9, 10, 11, 14, 15, 16)
LSO10_ROSENBROCK = (8, 13, 18, 20)
LSO10_BOX = {2: 5.0, 3: 32.0, 5: 5.0, 6: 32.0, 10: 5.0, 11: 32.0, 15: 5.0, 16: 32.0}
LSO08_FILES = {1: "sphere", 2: "schwefel", 3: "rosenbrock", 4: "rastrigin", 5: "griewank", 6: "ackley"}
LSO08_BOX = {4: 5.0, 5: 600.0, 6: 32.0}
WIDEST_BOX = 100.0


def numbers(text: str) -> NDArray[np.float64]:
    """All numbers of a file whose separators are commas, blanks or line ends."""
    return np.array([float(word) for word in text.replace(",", " ").split()], dtype=np.float64)


def whole(values: NDArray[np.float64]) -> NDArray[np.int16]:
    """The same numbers as small integers."""
    converted = values.astype(np.int16)
    if not np.array_equal(converted, values):
        raise SystemExit("a file of whole numbers holds something else")
    return converted


def square(text: str) -> NDArray[np.float64]:
    """A square matrix, one row per line."""
    values = numbers(text)
    size = math.isqrt(values.size)
    return values.reshape(size, size)


def permutation(values: NDArray[np.float64]) -> NDArray[np.int16]:
    """A permutation that starts at 0 from one that starts at 1."""
    if not np.array_equal(np.sort(values), np.arange(1, values.size + 1)):
        raise SystemExit("a permutation file does not hold every number from 1 on exactly once")
    return whole(values - 1)


def demand(condition: bool, message: str) -> None:
    """Stop when the data are not what the definitions promise."""
    if not condition:
        raise SystemExit(message)


def demand_rotation(name: str, matrix: NDArray[np.float64], tolerance: float) -> None:
    """Stop when a matrix is not orthogonal to the digits that its file carries."""
    defect = float(np.abs(matrix @ matrix.T - np.eye(matrix.shape[0])).max())
    demand(defect < tolerance, f"{name} is not orthogonal: defect {defect:.1e}")


def lso13(text: Text) -> Arrays:
    """CEC'2013: shifts, permutations, group sizes, weights and rotations."""
    arrays: Arrays = {}
    for n in range(1, 16):
        shift = numbers(text(f"F{n}-xopt.txt"))
        demand(shift.size == (905 if n == 13 else 1000), f"f{n} has {shift.size} shifts")
        # The optimum of f12 is shift + 1, and its shift reaches down to -100.61.
        optimum = shift + 1.0 if n == 12 else shift
        demand(float(np.abs(optimum).max()) <= LSO13_BOX.get(n, WIDEST_BOX), f"the optimum of f{n} leaves its box")
        arrays[f"f{n}_shift"] = shift
        if n not in LSO13_GROUPED:
            continue
        order = permutation(numbers(text(f"F{n}-p.txt")))
        sizes = whole(numbers(text(f"F{n}-s.txt")))
        weights = numbers(text(f"F{n}-w.txt"))
        demand(order.size == (905 if n in (13, 14) else 1000), f"f{n} permutes {order.size} variables")
        demand(int(sizes.sum()) == (300 if n <= 7 else 1000), f"the groups of f{n} have {sizes.sum()} members")
        demand(sizes.size == weights.size and bool(np.all(weights > 0)), f"f{n} needs a positive weight per group")
        arrays |= {f"f{n}_permutation": order, f"f{n}_sizes": sizes, f"f{n}_weights": weights}
        for size in ROTATION_SIZES:
            rotation = square(text(f"F{n}-R{size}.txt"))
            demand(rotation.shape == (size, size), f"f{n}_r{size} has the shape {rotation.shape}")
            demand_rotation(f"f{n}_r{size}", rotation, 1e-13)
            arrays[f"f{n}_r{size}"] = rotation
    return arrays


def printed_lso10(text: Text) -> Arrays:
    """CEC'2010 in 9 digits: shifts, permutations and rotations, each from the file with the function's own number."""
    arrays: Arrays = {}
    for n in range(1, 21):
        if n in LSO10_UNGROUPED:
            shift, order = numbers(text(f"f{n:02}_o.txt")), None
        else:
            shift, order = np.split(numbers(text(f"f{n:02}_op.txt")), 2)
        arrays[f"f{n}_shift"] = shift
        if order is not None:
            arrays[f"f{n}_permutation"] = permutation(order)
        if n in LSO10_ROTATED:
            arrays[f"f{n}_rotation"] = square(text(f"f{n:02}_m.txt"))
    return arrays


def lso10() -> Arrays:
    """CEC'2010 with all bits, drawn as the organisers did: shifts, permutations and rotations."""
    arrays: Arrays = {}
    for n in range(1, 21):
        random = Randomizer(n)
        half = LSO10_BOX.get(n, WIDEST_BOX)
        # The optimum of these functions is the shift plus 1, which has to fit into the box.
        upper = half - 1.0 if n in LSO10_ROSENBROCK else half
        arrays[f"f{n}_shift"] = random.shift(-half, upper)
        if n not in LSO10_UNGROUPED:
            arrays[f"f{n}_permutation"] = random.permutation()
        if n in LSO10_ROTATED:
            arrays[f"f{n}_rotation"] = random.rotation()
            demand_rotation(f"f{n}_rotation", arrays[f"f{n}_rotation"], 2e-12)
    return arrays


def demand_rounding(printed: Arrays, drawn: Arrays) -> None:
    """Stop unless every printed number is the drawn one, rounded to 9 digits."""
    demand(printed.keys() == drawn.keys(), "the texts of CEC'2010 and the generator disagree about which arrays exist")
    for name, array in drawn.items():
        rounded = np.array([float(f"{value:.8e}") for value in array.ravel().tolist()]).reshape(array.shape)
        demand(
            printed[name].shape == array.shape, f"the text of {name} of CEC'2010 has the shape {printed[name].shape}"
        )
        wrong = int(np.sum(printed[name] != rounded))
        demand(wrong == 0, f"{wrong} numbers in the text of {name} of CEC'2010 are not the drawn ones, rounded")


def demand_common_shift(drawn: Arrays, parsed13: Arrays) -> None:
    """Stop unless f4 of CEC'2013, printed with 16 digits, has the shift and the permutation of f8 of CEC'2010."""
    rounded = [float(f"{value:.15e}") for value in drawn["f8_shift"].tolist()]
    demand(np.array_equal(parsed13["f4_shift"], rounded), "f8 of CEC'2010 and f4 of CEC'2013 differ in their shifts")
    demand(
        np.array_equal(parsed13["f4_permutation"], drawn["f8_permutation"]),
        "f8 of CEC'2010 and f4 of CEC'2013 differ in their permutations",
    )


def lso08(text: Text) -> Arrays:
    """CEC'2008: shifts."""
    arrays: Arrays = {}
    for n, name in LSO08_FILES.items():
        shift = numbers(text(f"{name}_shift_func_data.txt"))
        demand(shift.size == 1000, f"f{n} has {shift.size} shifts")
        demand(float(np.abs(shift).max()) <= LSO08_BOX.get(n, WIDEST_BOX), f"the shift of f{n} leaves its box")
        arrays[f"f{n}_shift"] = shift
    return arrays


def write(suite: str, arrays: Arrays) -> dict[str, Any]:
    """Write one suite and return its checksums; those of the arrays do not depend on the compression."""
    path = TARGET / f"{suite}.npz"
    write_arrays(path, arrays)
    written = path.read_bytes()
    sums = {name: sha256(array.tobytes()) for name, array in arrays.items()}
    return {"sha256": sha256(written), "bytes": len(written), "arrays": sums}


def text_in_sdist(sdist: tarfile.TarFile, name: str) -> str:
    """A data file of the source archive of cec2013lsgo."""
    member = sdist.extractfile(f"cec2013lsgo-{CEC2013LSGO.version}/cec2013lsgo/cdatafiles/{name}")
    if member is None:
        raise SystemExit(f"{name} is not a file of {CEC2013LSGO.filename}")
    return member.read().decode("ascii")


def text_in_wheel(wheel: zipfile.ZipFile, name: str) -> str:
    """A data file of the wheel of opfunu."""
    return wheel.read(f"opfunu/cec_based/{name}").decode("ascii")


def open_wheel(path: Path | None = None) -> zipfile.ZipFile:
    """The wheel of opfunu, from `path` or from the index."""
    return zipfile.ZipFile(io.BytesIO(read(OPFUNU, path)))


def texts_of_lso10(wheel: zipfile.ZipFile) -> Arrays:
    """The data of CEC'2010 as opfunu has them."""
    return printed_lso10(lambda name: text_in_wheel(wheel, f"data_2010/{name}"))


def main() -> None:
    """Build all suites."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sdist", type=Path, help=f"a copy of {CEC2013LSGO.filename}")
    parser.add_argument("--wheel", type=Path, help=f"a copy of {OPFUNU.filename}")
    arguments = parser.parse_args()

    with (
        tarfile.open(fileobj=io.BytesIO(read(CEC2013LSGO, arguments.sdist))) as sdist,
        open_wheel(arguments.wheel) as wheel,
    ):
        suites = {
            "lso08": lso08(lambda name: text_in_wheel(wheel, f"data_2008/{name}")),
            "lso10": lso10(),
            "lso13": lso13(lambda name: text_in_sdist(sdist, name)),
        }
        demand_rounding(texts_of_lso10(wheel), suites["lso10"])
    demand_common_shift(suites["lso10"], suites["lso13"])
    TARGET.mkdir(parents=True, exist_ok=True)
    checksums = {f"{suite}.npz": write(suite, arrays) for suite, arrays in suites.items()}
    (TARGET / "checksums.json").write_text(json.dumps(checksums, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
