"""Run all measurements, or those named: ``python -m bench [start] [overhead] [peers] [memory] [problems] [quality]
[suites] [blocks] [wrapped] [algorithms] [checkpoint] [workers] [rounds]``.

Arguments after the name of a single part are handed to it.
"""

from __future__ import annotations

import importlib
import sys
import time

from threadpoolctl import threadpool_limits

PARTS = (
    "start",
    "overhead",
    "peers",
    "memory",
    "problems",
    "quality",
    "suites",
    "blocks",
    "wrapped",
    "algorithms",
    "checkpoint",
    "workers",
    "rounds",
)


def main(arguments: list[str]) -> None:
    if arguments and arguments[0] not in PARTS:
        sys.exit(f"unknown part {arguments[0]!r}; parts: {', '.join(PARTS)}")
    if len(arguments) > 1 and arguments[1] not in PARTS:
        chosen, rest = arguments[:1], arguments[1:]
    else:
        chosen, rest = arguments or list(PARTS), []
    for part in chosen:
        if not rest:
            print(f"== {part}", flush=True)
        started = time.perf_counter()
        with threadpool_limits(1):  # threads of BLAS make the time of a dot product a matter of luck
            importlib.import_module(f"bench.{part}").main(rest)
        if not rest:
            print(f"{part} took {time.perf_counter() - started:.0f} s\n", flush=True)


main(sys.argv[1:])
