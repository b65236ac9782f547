"""Kernels of the dispatch problem: power, fuel cost and ramps, summed by hours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ter._jit import kernel
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = [
    "BALANCE",
    "HOURS",
    "LIMIT",
    "LOW",
    "RAMP",
    "WIDTH",
    "A",
    "B",
    "C",
    "E",
    "F",
    "commit",
    "move",
    "start",
    "value",
]

HOURS = 24
BALANCE = 1e-3  # thousand dollars per squared MW of missing or surplus power
RAMP = 1e-3  # thousand dollars per squared MW of ramping beyond the limit
LOW, WIDTH, A, B, C, E, F, LIMIT = range(8)  # rows of the table of units


@kernel
def refresh_ramp(x: Vector, memory: Vector, data: NDArray[np.float64], i: int) -> None:
    """Write the squared excess of the ramp into the hour of variable `i`, if there is an hour before."""
    units = data.shape[1]
    if units <= i < HOURS * units:
        u = i % units
        excess = max(0.0, abs(data[WIDTH, u] * (x[i] - x[i - units])) - data[LIMIT, u])
        memory[2 * HOURS * units + i] = excess * excess


@kernel
def refresh_variable(x: Vector, memory: Vector, data: NDArray[np.float64], i: int) -> None:
    """Write the power and the fuel cost of variable `i` into memory, and the ramp into its hour."""
    units = data.shape[1]
    n, u = HOURS * units, i % units
    above = x[i] * data[WIDTH, u]
    power = data[LOW, u] + above
    memory[i] = power
    valve = abs(data[E, u] * np.sin(data[F, u] * above))
    memory[n + i] = data[A, u] + data[B, u] * power + data[C, u] * power * power + valve
    refresh_ramp(x, memory, data, i)


@kernel
def sum_hour(memory: Vector, units: int, hour: int, part: int) -> float:
    """Sum power (part 0), fuel cost (1) or ramp excess (2) over the units."""
    total = 0.0
    for entry in memory[(part * HOURS + hour) * units : (part * HOURS + hour + 1) * units]:
        total += entry
    return total


@kernel
def total_of(sums: Vector, demand: Vector) -> float:
    """Put the value together from the sums of the hours."""
    fuel, missing, ramp = 0.0, 0.0, 0.0
    for hour in range(HOURS):
        gap = sums[hour] - demand[hour]
        missing += gap * gap
        fuel += sums[HOURS + hour]
        ramp += sums[2 * HOURS + hour]
    return fuel / 1000.0 + BALANCE * missing + RAMP * ramp


@kernel
def start(x: Vector, memory: Vector, floats: Vector, ints: Integers) -> None:
    """Remember power, fuel cost and ramp excess of every variable, and their sums by hour."""
    units = ints[0]
    data = floats[HOURS:].reshape(8, units)
    memory[:] = 0.0
    for i in range(HOURS * units):
        refresh_variable(x, memory, data, i)
    for part in range(3):
        for hour in range(HOURS):
            memory[3 * HOURS * units + part * HOURS + hour] = sum_hour(memory, units, hour, part)


@kernel
def value(x: Vector, floats: Vector, ints: Integers) -> float:
    """Evaluate as `start` does, into a memory of its own."""
    memory = np.empty(3 * HOURS * ints[0] + 3 * HOURS)
    start(x, memory, floats, ints)
    return total_of(memory[3 * HOURS * ints[0] :], floats)


@kernel
def refresh_variables(x: Vector, memory: Vector, floats: Vector, units: int, coordinates: Integers) -> None:
    """Compute anew what is remembered of single variables, and the ramps into and out of their hours."""
    data = floats[HOURS:].reshape(8, units)
    for i in coordinates:
        refresh_variable(x, memory, data, i)
        refresh_ramp(x, memory, data, i + units)


@kernel
def refresh(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, sums: Vector) -> None:
    """Compute anew what the coordinates concern; the sums of these hours go to `sums`."""
    units = ints[0]
    refresh_variables(x, memory, floats, units, coordinates)
    done = -1
    for i in coordinates:
        hour = i // units
        if hour != done:  # groups come sorted, so this spares most repetitions
            sums[hour] = sum_hour(memory, units, hour, 0)
            sums[HOURS + hour] = sum_hour(memory, units, hour, 1)
            sums[2 * HOURS + hour] = sum_hour(memory, units, hour, 2)
            if hour + 1 < HOURS:
                sums[2 * HOURS + hour + 1] = sum_hour(memory, units, hour + 1, 2)
        done = hour


@kernel
def move(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> float:
    """Refresh the memory for the move, read the value, and refresh it back."""
    before = x[coordinates]
    sums = memory[3 * HOURS * ints[0] :].copy()
    x[coordinates] = values
    refresh(x, memory, floats, ints, coordinates, sums)
    x[coordinates] = before
    refresh_variables(x, memory, floats, ints[0], coordinates)
    return total_of(sums, floats)


@kernel
def commit(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> None:
    """Refresh the memory for good."""
    before = x[coordinates]
    x[coordinates] = values
    refresh(x, memory, floats, ints, coordinates, memory[3 * HOURS * ints[0] :])
    x[coordinates] = before
