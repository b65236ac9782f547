"""Runs with settings drawn at random, held against every promise that a run makes."""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import ter
from ter.core.box import Box
from ter.heuristics.catalogue import HEURISTICS
from tests.spies import ENGINES, minimize_spied, same_run, spy_on

__all__ = ["attack", "campaign"]

ENGINES_THAT_COUNT = tuple(engine for engine in ENGINES if engine != "numba")
COMPETITORS = ("mts", "mos", "shade-ils", "decc-dg2")  # those that are no heuristic by the same name
SIDES = (
    (-5.0, 5.0), (0.0, 1.0), (1.0, 1.0), (-0.0, 0.0), (-2.0, -0.0), (1.0, math.nextafter(1.0, 2.0)),
    (1e10, 1e10 + 1), (-1e300, 1e300), (-1e-300, 1e-310), (7.0, 700.0),
)  # fmt: skip


def shuffled(task: Any, blocks: Any) -> list[Any]:
    """A map that returns its answers in another order."""
    answers = [task(block) for block in blocks]
    return answers[1::2] + answers[::2]


def in_threads(task: Any, blocks: Any) -> list[Any]:
    """A map of several threads."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(task, blocks))


WAYS = (1, map, shuffled, in_threads)  # to evaluate batches


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

    def elsewhere(self) -> Attack:
        """Return the same run with other workers, where the result must not depend on them.

        After an exception, workers end their blocks, and of a vectorized objective the whole block fails. A run that
        ends early ends with its batch, and probes are batches with any workers but points one by one without. Moves
        that end before the budget are confirmed by one more evaluation.
        """
        raising = self.raise_below > -math.inf
        lets_out = raising and self.options.get("on_error") != "worst"
        if lets_out or self.engine not in ("python", "vectorized") or (raising and self.engine == "vectorized"):
            return self
        workers = self.options.get("workers", 1)
        ways = WAYS
        if "target" in self.options or "stagnation" in self.options:
            ways = WAYS[1:] if workers in WAYS[1:] else WAYS[:1]
        return replace(self, options=self.options | {"workers": ways[(ways.index(workers) + 1) % len(ways)]})


def drawn(rng: np.random.Generator) -> Attack:
    """Draw a run, with any heuristic and any algorithm that there is."""
    heuristics: list[Any] = [
        ter.heuristics.LS1(evaluations=rng.uniform(1, 40)),
        ter.heuristics.LS1(scalar=True, name="scalar"),
        ter.heuristics.CC(group=int(rng.integers(1, 12)), evaluations=rng.uniform(2, 60)),
        ter.heuristics.CC(inner="sansde", name="sansde"),
        ter.heuristics.SHADE(population=int(rng.integers(4, 30)), keep=bool(rng.integers(2))),
        ter.wrap(look_around, cost=int(rng.integers(1, 90))),
        *(heuristic() for name, heuristic in HEURISTICS.items() if name not in ("ls1", "cc", "gs")),
        *(ter.algorithm(name).as_heuristic() for name in COMPETITORS),
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
    if "compiled" not in engine and rng.random() < 0.4:
        options["workers"] = WAYS[rng.integers(1, len(WAYS))]
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
    again, _ = attack.elsewhere().run()
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
    if spy.calls != result.nfev:
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


def attack(seed: int, tried: Counter[str] | None = None) -> list[str]:
    """Attack once; return the promises that were broken."""
    run = drawn(np.random.default_rng([seed, 10]))
    if tried is not None:
        tried["fuzzed runs (each twice)"] += 1
        tried[f"fuzzed runs: engine {run.engine}"] += 1
        tried["fuzzed runs: with exceptions"] += run.raise_below > -math.inf
        tried["fuzzed runs: with workers"] += "workers" in run.options
        tried.update(
            f"fuzzed runs: {name} among the heuristics" for name in {h.name for h in run.options["heuristics"]}
        )
    try:
        return [f"fuzz {seed}, {run.engine}: {broken}" for broken in broken_promises(run)]
    except Exception as error:
        return [f"fuzz {seed}, {run.engine}: {type(error).__name__}: {error}"]


def campaign(tries: int, seed: int = 1) -> tuple[Counter[str], list[str]]:
    """Attack so many times; return what was tried, and what was broken."""
    tried: Counter[str] = Counter()
    broken: list[str] = []
    for each in range(seed, seed + tries):
        broken += attack(each, tried)
    return tried, broken
