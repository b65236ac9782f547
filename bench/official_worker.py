"""Time one function of the official C++ package; runs inside the environment that holds it.

    python official_worker.py FUNCTION POINTS.npy

Each line of the input is a number of calls; the answer is a line with the seconds of the processor they took. One
process per function, because the package keeps a single function object. It writes files into the current folder.
"""

from __future__ import annotations

import sys
import time
from importlib import import_module, metadata

import numpy as np


def main(number: int, points: str) -> None:
    function = import_module("cec2013lsgo.cec2013").Benchmark().get_function(number)
    rows = [row.copy() for row in np.load(points)]
    print(f"cec2013lsgo {metadata.version('cec2013lsgo')}", flush=True)
    for line in sys.stdin:
        calls = int(line)
        started = time.process_time()
        for k in range(calls):
            function(rows[k % len(rows)])
        print(time.process_time() - started, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
