"""How closely the benchmark functions agree with the stored reference values, as a table for every suite.

Run from the project root::

    python -m tools.agreement

The figures are the largest relative differences over all points of a kind, 0 where all values have the same bits.
`tests/data/reference/README.md` says where the values come from and what the kinds of points are; the tables in
`docs/benchmarks.md` are the output of this program.
"""

from __future__ import annotations

import sys

import ter
from tests.reference_points import FUNCTIONS, KINDS, points
from tests.reference_values import WRONG_IN_OPFUNU, data, largest_difference, reference

# The suites, what they are compared with, and what is added to the names of the stored values.
WITNESSES = {
    "lso13": {"official C++ code": ""},
    "lso10": {"NumPy twin": "", "opfunu, data in 9 digits": "_opfunu"},
    "lso08": {"opfunu": ""},
}


def differences(suite: str, n: int, ending: str) -> list[float]:
    """The largest relative difference for every kind of points."""
    made = ter.problem(f"{suite}/f{n}")
    at = points(suite, n, data(suite))
    return [largest_difference(made(at[kind]), reference(suite)[f"f{n}_{kind}{ending}"]) for kind in KINDS]


def cells(suite: str, n: int, ending: str) -> list[str]:
    """The differences as texts; none where the other program is wrong."""
    if ending and n in WRONG_IN_OPFUNU:
        return ["-"] * len(KINDS)
    return ["0" if found == 0.0 else f"{found:.0e}" for found in differences(suite, n, ending)]


def main() -> None:
    """Write the tables to the standard output."""
    for suite, witnesses in WITNESSES.items():
        head = ["f", *(f"{witness}: {kind}" for witness in witnesses for kind in KINDS)]
        rows = [
            [str(n), *(cell for ending in witnesses.values() for cell in cells(suite, n, ending))]
            for n in FUNCTIONS[suite]
        ]
        lines = [head, ["---"] * len(head), *rows]
        text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        sys.stdout.write(f"{suite}\n\n{text}\n\n")


if __name__ == "__main__":
    main()
