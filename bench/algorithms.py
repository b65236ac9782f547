"""The algorithms of others: what they cost beyond the objective, what their matrices cost, and whole runs.

``python -m bench algorithms`` measures everything, ``python -m bench algorithms official`` only what is named: `cost`
(time per evaluation beyond the objective), `matrix` (our evolution strategy beside the package cmaes on groups of 50),
and `official` (whole runs of SHADE-ILS on LSO13 beside the official objective alone). With ``--quick`` all is shorter,
and nothing is saved.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib import import_module
from typing import Any

import numpy as np

import ter
from bench.overhead import Figure, compiled_sphere, plain_sphere, seconds_per_call
from bench.parts import Effort, Part, measure_parts
from bench.report import table
from bench.suites import whole_runs
from bench.timing import in_turn, timed
from ter.heuristics import CCCMAES
from ter.heuristics.ma_es import MAES, adapt, draw
from ter.heuristics.splitmix import seed_random

__all__ = ["main"]

DIMENSION = 1000
EVALUATIONS = 300_000  # enough for each part of an iteration
DG2 = DIMENSION * (DIMENSION + 1) // 2 + 1
LENGTHS = {"decc-dg2": DG2 + EVALUATIONS}  # so that it gets beyond its analysis
WHO = ("ter", "default", "mts", "mos", "cso", "cc-cma-es", "decc-d", "decc-dg2", "shade-ils")
BOX = (-5.0, 5.0)
OBJECTIVES: dict[str, Any] = {"compiled": compiled_sphere(), "plain Python": plain_sphere}


def minimise(who: str, objective: str, evaluations: int, seed: int) -> float:
    """Run once and return the seconds of the processor."""
    problem = ter.Problem(OBJECTIVES[objective], ter.box(*BOX, dimension=DIMENSION))
    started = time.process_time()
    ter.algorithm(who).minimize(problem, budget=evaluations, rng=seed)
    return time.process_time() - started


def warm(who: str) -> None:
    """Compile what an algorithm needs around both objectives."""
    for heuristic in ter.algorithm(who).make(DIMENSION, ter.Budget(evaluations=1)).heuristics:
        for compiled in (True, False):
            if hasattr(heuristic, "warm_up"):
                heuristic.warm_up(compiled=compiled)
    for objective in OBJECTIVES:
        minimise(who, objective, 2_000, 0)


def figure(who: str, objective: str, effort: Effort) -> Figure:
    """Measure the run and the objective alone in turn, and take medians of both."""
    evaluations = int(effort.short * LENGTHS.get(who, EVALUATIONS))
    whole, own = [], []
    for seed in range(effort.repeats):
        started = time.process_time()
        seconds_per_call(objective, DIMENSION, evaluations)
        own.append((time.process_time() - started) / evaluations)
        whole.append(minimise(who, objective, evaluations, seed) / evaluations)
    medians = [1e6 * statistics.median(times) for times in (whole, own)]
    return Figure(who, objective, DIMENSION, evaluations, *medians)


def cost(effort: Effort) -> Part:
    """Measure what each algorithm costs per evaluation beyond the objective."""
    seconds_per_call("compiled", 10, 10)
    figures, rows = [], []
    for who in WHO:
        warm(who)
        for objective in OBJECTIVES:
            one = figure(who, objective, effort)
            figures.append(asdict(one) | {"beyond": one.beyond})
            rows.append([who, objective, one.evaluations, f"{one.whole:.2f}", f"{one.own:.2f}", f"{one.beyond:.2f}"])
            print(f"{who:10} {objective:13} {one.beyond:8.2f} us beyond {one.own:.2f} us", flush=True)
    text = (
        f"Microseconds per evaluation on the sphere, D = {DIMENSION}, medians of {effort.repeats} runs. "
        "The objective evaluates whole points, also for moves of one coordinate. The longer run of decc-dg2 has its "
        "analysis in it.\n\n"
    )
    head = ["algorithm", "objective", "evaluations", "whole", "objective alone", "beyond"]
    return Part("Time per evaluation beyond the objective", text + table(head, rows), figures)


def our_clocks(group: int, population: int) -> dict[str, Callable[[int], float]]:
    """Return clocks of generations on a group: points drawn only, and a whole generation with its update."""
    maes, box = MAES(population, 0.5, bounds="clip", active=False), ter.box(*BOX, dimension=group)
    random, rates = seed_random(np.random.default_rng(1)), maes._rates(group)
    strategy, points, _ = maes._begin(np.zeros(group), (box.lower, box.upper, box.scale), 0.01, np.eye(group), random)
    values = np.random.default_rng(2).random((64, population))  # at random: the matrix changes, but does not degenerate

    def draws(n: int) -> None:
        for _ in range(n):
            draw(strategy, True, points)

    def generations(n: int) -> None:
        for k in range(n):
            draw(strategy, True, points)
            adapt(strategy, rates, values[k % 64])

    return {"draw": timed(draws), "generation": timed(generations)}


def their_clock(group: int, population: int) -> Callable[[int], float]:
    """Return a clock of generations of the package cmaes, with the same sizes and bounds."""
    bounds = np.array([BOX] * group)
    strategy = import_module("cmaes").CMA(
        mean=np.zeros(group), sigma=0.1, bounds=bounds, seed=1, population_size=population
    )
    values = np.random.default_rng(2).random((64, population))

    def generations(n: int) -> None:
        for k in range(n):
            points = [strategy.ask() for _ in range(population)]
            strategy.tell(list(zip(points, values[k % 64].tolist(), strict=True)))

    return timed(generations)


def matrix(effort: Effort) -> Part:
    """Measure the update of the matrix beside a whole run of CC-CMA-ES, and the package cmaes."""
    heuristic: Any = CCCMAES()
    clocks = our_clocks(heuristic.group, heuristic.population)
    try:
        clocks["cmaes"] = their_clock(heuristic.group, heuristic.population)
    except ModuleNotFoundError:
        print("the package cmaes is not installed, so it was not measured", flush=True)
    times = {name: micro / heuristic.population for name, micro in in_turn(clocks, effort.rounds).items()}
    warm("cc-cma-es")
    one = figure("cc-cma-es", "compiled", effort)
    update = times["generation"] - times["draw"]
    rows = [
        ["whole run, objective included", f"{one.whole:.2f}", "1"],
        ["the objective", f"{one.own:.2f}", f"{one.own / one.whole:.2f}"],
        ["points drawn", f"{times['draw']:.2f}", f"{times['draw'] / one.whole:.2f}"],
        ["update of the matrix, the path and the mean", f"{update:.2f}", f"{update / one.whole:.2f}"],
    ]
    text = (
        f"Microseconds per evaluation of CC-CMA-ES on the sphere, D = {DIMENSION}, groups of {heuristic.group}, "
        f"{heuristic.population} points per generation, {one.evaluations:,} evaluations.\n\n"
        + table(["what", "microseconds", "share of the run"], rows)
    )
    if "cmaes" in times:
        ours, theirs = times["generation"], times["cmaes"]
        text += (
            f"\n\nThe package cmaes takes {theirs:.1f} microseconds per evaluation for its `ask` and `tell` on such a "
            f"group, our strategy {ours:.2f}: {theirs / ours:.0f} times less. With cmaes the run would take "
            f"{one.whole - ours + theirs:.1f} microseconds per evaluation instead of {one.whole:.2f}, "
            f"{theirs / (one.whole - ours + theirs):.0%} of them in the strategy."
        )
    return Part("The matrix of CC-CMA-ES", text, asdict(one) | {"per_evaluation": times, "update": update})


def official(effort: Effort) -> Part:
    """Measure whole runs of SHADE-ILS."""
    return whole_runs("shade-ils", "as in the paper", effort)


PARTS = {"cost": cost, "matrix": matrix, "official": official}
HOW = "Times are seconds of the processor. Clocks that are compared take turns, and the least of several is shown."


def main(arguments: Sequence[str] = ()) -> None:
    """Measure, print, save."""
    measure_parts("algorithms", "Speed of the algorithms of others", HOW, PARTS, arguments)
