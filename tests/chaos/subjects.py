"""The runs that chaos is let loose on, on every engine and by ask and tell, and what they must come to."""

from __future__ import annotations

import os
import random
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import ter
from ter.run import logbook as records
from tests.spies import CompiledSpy, spy_on

__all__ = ["BOX", "BUDGETS", "SUBJECTS", "facts", "go", "undisturbed"]

BOX = ter.box(-5, 5, dimension=8)
ENGINES = ("python", "vectorized", "moving", "compiled", "compiled moving")
ALGORITHMS = ("default", "ter", "mos", "shade-ils", "mts")
SUBJECTS = [(engine, ALGORITHMS[(i + k) % len(ALGORITHMS)]) for i, engine in enumerate(ENGINES) for k in range(2)]
SUBJECTS.append(("asked", "default"))
BUDGETS = {"python": 5_000, "vectorized": 5_000, "moving": 5_000, "compiled": 100_000, "compiled moving": 100_000}
BUDGETS["asked"] = 1_500


def go(engine: str, algorithm: str, folder: Path | None) -> ter.Result:
    """Begin the run, or go on with it."""
    # These runs are short, so snapshots are taken often. Nobody pulls the plug, so the disk may take its time.
    often = (patch.object(records, "SOONEST", 0.02), patch.object(records, "SHARE", 3.0))
    with often[0], often[1], patch.object(os, "fsync", lambda descriptor: None):
        if engine == "asked":
            return _asked(folder)
        spy = spy_on(engine, BOX)
        fun = spy.objective if isinstance(spy, CompiledSpy) else spy
        problem = ter.Problem(fun, BOX, name="spy", vectorized=engine == "vectorized")
        return ter.algorithm(algorithm).minimize(problem, budget=BUDGETS[engine], rng=7, checkpoint=folder)


def _asked(folder: Path | None) -> ter.Result:
    """Ask in pieces, tell in another order each time, and lose points."""
    spy, luck, out = spy_on("python", BOX), random.Random(os.getpid()), dict[int, Any]()
    opt = ter.Optimizer(BOX, budget=BUDGETS["asked"], rng=7, checkpoint=folder)
    while not opt.done:
        out.update(opt.ask(luck.randint(1, 20)))
        for i in luck.sample(sorted(out), luck.randint(0, len(out))):
            x = out.pop(i)
            if luck.random() < 0.1:
                opt.give_back(i)
            else:
                opt.tell(i, spy(x))
    return opt.result


def facts(result: ter.Result) -> dict[str, Any]:
    """Return what must be the same, as texts that show every bit."""
    return {
        "fun": result.fun.hex(),
        "x": result.x.tobytes().hex(),
        "nfev": result.nfev,
        "sequence": list(result.sequence),
        "rewards": [action.reward.hex() for action in result.actions],
        "curve": result.curve.tobytes().hex(),
    }


@cache
def undisturbed(engine: str, algorithm: str) -> dict[str, Any]:
    """Run without a checkpoint, once per process, and with one, so that forked processes find everything imported."""
    found = facts(go(engine, algorithm, None))
    with TemporaryDirectory() as folder:
        assert facts(go(engine, algorithm, Path(folder))) == found
    return found
