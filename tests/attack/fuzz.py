"""Runs with settings drawn at random, held against every promise that a run makes."""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import ter
from ter.core.box import Box
from tests.spies import ENGINES, minimize_spied, same_run, spy_on

__all__ = ["attack", "campaign"]

ENGINES_THAT_COUNT = tuple(engine for engine in ENGINES if engine != "numba")
SIDES = (
    (-5.0, 5.0), (0.0, 1.0), (1.0, 1.0), (-0.0, 0.0), (-2.0, -0.0), (1.0, math.nextafter(1.0, 2.0)),
    (1e10, 1e10 + 1), (-1e300, 1e300), (-1e-300, 1e-310), (7.0, 700.0),
)  # fmt: skip


def look_around(fun: Any, x0: np.ndarray, bounds: Any, rng: np.random.Generator) -> None:
    """A solver of another library: it knows no budget, and draws from two generators."""
    for _ in range(40):
        fun(x0 + rng.normal(size=x0.size) * np.random.rand())  # noqa: NPY002 - the older one is meant


@dataclass(frozen=True)
class Attack:
    """What one fuzzed run is made of."""

    engine: str
    box: Box
    options: dict[str, Any]
    raise_below: float
    nan_above: float

    def run(self) -> tuple[ter.Result | BaseException, Any]:
        """Run it; an exception of the objective is an outcome like any other."""
        spy = spy_on(self.engine, self.box, self.raise_below, self.nan_above)
        try:
            return minimize_spied(spy, self.box, **self.options), spy
        except ValueError as error:
            if str(error) != "the simulator broke":
                raise
            return error, spy


def drawn(rng: np.random.Generator) -> Attack:
    """Draw a run."""
    heuristics = [
        ter.heuristics.LS1(evaluations=rng.uniform(1, 40)),
        ter.heuristics.LS1(scalar=True, name="scalar"),
        ter.heuristics.CC(group=int(rng.integers(1, 12)), evaluations=rng.uniform(2, 60)),
        ter.heuristics.CC(inner="sansde", name="sansde"),
        ter.heuristics.SHADE(population=int(rng.integers(4, 30)), keep=bool(rng.integers(2))),
        ter.wrap(look_around, cost=int(rng.integers(1, 90))),
    ]
    schedulers = [
        ter.schedulers.TER(window=int(rng.integers(1, 9)), reward=str(rng.choice(["improvement", "relative", "log"]))),
        ter.schedulers.RandomChoice(),
        ter.schedulers.RoundRobin(),
    ]
    if rng.random() < 0.5:
        box = ter.box(-5, 5, dimension=int(rng.integers(1, 41)))
    else:
        box = Box.read([SIDES[k] for k in rng.integers(len(SIDES), size=rng.integers(1, 13))])
    some = rng.permutation(len(heuristics))[: rng.integers(1, 5)]
    options: dict[str, Any] = {
        "budget": int(10 ** rng.uniform(0, 3.3)),
        "rng": int(rng.integers(2**62)),
        "heuristics": [heuristics[k] for k in some],
        "scheduler": schedulers[rng.integers(len(schedulers))],
    }
    if rng.random() < 0.3:
        options["x0"] = box.lower + rng.random(box.dimension) * (box.upper / 2 - box.lower / 2)
        if rng.random() < 0.5:
            options["step"] = float(10 ** rng.uniform(-3, 0))
    if rng.random() < 0.2:
        options["target"] = float(rng.uniform(0, 20))
    if rng.random() < 0.2:
        options["stagnation"] = int(rng.integers(1, 400))
    if rng.random() < 0.5:
        options |= {"on_error": "worst", "max_failures": int(rng.integers(1, 1000))}
    engine = str(rng.choice(ENGINES_THAT_COUNT))
    if "compiled" not in engine and rng.random() < 0.2:
        options["workers"] = map
    raising = box.lower[0] + 0.2 * rng.random() * (box.upper[0] / 2 - box.lower[0] / 2)
    return Attack(
        engine=engine,
        box=box,
        options=options,
        raise_below=float(raising) if rng.random() < 0.3 else -math.inf,
        nan_above=float(box.lower[0] / 2 + box.upper[0] / 2) if rng.random() < 0.3 else math.inf,
    )


def broken_promises(attack: Attack) -> Iterator[str]:
    """Run twice and tell what was broken."""
    outcome, spy = attack.run()
    again, _ = attack.run()
    if type(outcome) is not type(again):
        yield f"the same run ended as {type(outcome).__name__} and as {type(again).__name__}"
        return
    raised = isinstance(outcome, BaseException)
    result: ter.Result = outcome.ter_result if raised else outcome  # type: ignore[union-attr]
    repeated: ter.Result = again.ter_result if raised else again  # type: ignore[union-attr]
    if not same_run(result, repeated):
        yield "the same seed gave other bits"
    budget = attack.options["budget"]
    if not result.nfev <= budget:
        yield f"{result.nfev} evaluations of {budget}"
    # The evaluation that raised is counted; a compiled batch is looked into row by row after an exception.
    if attack.raise_below == -math.inf and spy.calls != result.nfev:
        yield f"{spy.calls} calls counted as {result.nfev}"
    if spy.outside:
        yield f"a point outside the box: {spy.outside[0]}"
    if not attack.box.contains(result.x):
        yield f"the answer is outside the box: {result.x}"
    if math.isfinite(result.fun):
        if result.fun != spy.lowest:
            yield f"the best value is {result.fun}, the objective has returned {spy.lowest}"
        value = spy_on("python", attack.box)(result.x)
        if value != result.fun:
            yield f"the answer's value is {value}, not {result.fun}"
    elif spy.lowest < math.inf:
        yield f"no answer, though the objective has returned {spy.lowest}"
    if (np.diff(result.curve[:, 1]) > 0).any() or (np.diff(result.curve[:, 0]) <= 0).any():
        yield "the curve goes up or back"
    if sum(action.nfev for action in result.actions) > result.nfev:
        yield "the actions have more evaluations than the run"
    with TemporaryDirectory() as folder:
        path = Path(folder) / "result.ter"
        result.save(path)
        if not same_run(ter.load_result(path), result):
            yield "the saved result is another one"
    print(result, file=io.StringIO())


def attack(seed: int) -> list[str]:
    """Attack once; return the promises that were broken."""
    drawn_attack = drawn(np.random.default_rng([seed, 10]))
    return [f"fuzz {seed}, {drawn_attack.engine}: {broken}" for broken in broken_promises(drawn_attack)]


def campaign(tries: int, seed: int = 1) -> tuple[Counter[str], list[str]]:
    """Attack so many times; return what was tried, and what was broken."""
    tried: Counter[str] = Counter()
    broken: list[str] = []
    for each in range(seed, seed + tries):
        tried["fuzzed runs (each twice)"] += 1
        broken += attack(each)
    return tried, broken
