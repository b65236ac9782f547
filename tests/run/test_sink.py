"""The seam for journals: every value, in order, from every engine."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ter
from ter.algorithms.profiles import default_profile
from ter.run import evaluator as module
from ter.run.run import run_profile
from ter.run.settings import Settings
from tests.spies import CompiledSpy, RowsSpy, spy_on


class Tape:
    def __init__(self) -> None:
        self.values: list[float] = []
        self.costs: list[float] = []

    def write(self, values, costs):
        self.values += values.tolist()
        self.costs += [math.nan] * len(values) if costs is None else costs.tolist()


def run(fun, box, tape, budget=4000, **options):
    problem = ter.Problem(fun, box, vectorized=isinstance(fun, RowsSpy))
    limits = ter.Budget.read(budget)
    workers = options.pop("workers", 1)
    settings = Settings(sink=tape, **options)
    return run_profile(problem, default_profile(box.dimension, limits), limits, settings, rng=3, workers=workers)


@pytest.mark.parametrize("engine", ["python", "vectorized", "moving", "compiled", "compiled moving"])
def test_the_sink_gets_every_value_in_order(engine):
    box = ter.box(-5, 5, dimension=4)
    reference = []

    def plain(x):
        y = spy_on("python", box, nan_above=3.0)(x)
        reference.append(y)
        return y

    expected = run(plain, box, Tape())
    tape = Tape()
    spy = spy_on(engine, box, nan_above=3.0)
    result = run(spy.objective if isinstance(spy, CompiledSpy) else spy, box, tape)
    assert len(tape.values) == result.nfev == 4000 and result.fun == expected.fun
    np.testing.assert_array_equal(tape.values, reference)
    assert min(v for v in tape.values if math.isfinite(v)) == result.fun


def test_long_compiled_sweeps_do_not_overwrite_the_tape(monkeypatch):
    monkeypatch.setattr(module, "TAPE", 64)
    box = ter.box(-5, 5, dimension=6)
    tapes = {}
    for engine in ("python", "compiled"):
        tapes[engine] = Tape()
        spy = spy_on(engine, box)
        run(spy.objective if engine == "compiled" else spy, box, tapes[engine])
    assert tapes["compiled"].values == tapes["python"].values


def test_failures_are_written_as_what_is_not_finite():
    box = ter.box(-5, 5, dimension=3)
    for engine in ("python", "compiled"):
        tape, spy = Tape(), spy_on(engine, box, raise_below=-1.0)
        result = run(getattr(spy, "objective", spy), box, tape, budget=600, on_error="worst")
        assert len(tape.values) == 600
        assert sum(not math.isfinite(v) for v in tape.values) == result.nfail > 0


def test_costs_are_written_too():
    tape = Tape()
    box = ter.box(-5, 5, dimension=3)
    result = run(lambda x: ter.Value(float(x @ x), cost=float(x[0] ** 2)), box, tape, budget=300)
    assert sum(tape.costs) == pytest.approx(result.spent.cost) and len(tape.costs) == 300


def test_the_sink_gets_the_values_of_workers_in_order():
    box = ter.box(-5, 5, dimension=3)
    tapes = [Tape(), Tape()]
    for tape, workers in zip(tapes, (1, map), strict=True):
        run(spy_on("python", box), box, tape, budget=500, workers=workers)
    assert tapes[0].values == tapes[1].values
