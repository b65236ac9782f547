"""Economic dispatch: which power station delivers how much in each hour of a day?

The cost curve with valve points is that of D. C. Walters, G. B. Sheble, "Genetic algorithm solution of economic
dispatch with valve point loading", IEEE Trans. Power Systems 8 (1993) 1325-1332. The units are not those of any
system: they are drawn from ranges like those of the classic 40-unit test system (N. Sinha, R. Chakrabarti,
P. K. Chattopadhyay, "Evolutionary programming techniques for economic load dispatch", IEEE Trans. Evolutionary
Computation 7 (2003) 83-94), with the stream ``stream(0, "dispatch")`` of :mod:`ter.core.streams`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Vector, box
from ter.core.errors import InvalidArgument
from ter.core.problem import Problem
from ter.core.streams import stream
from ter.objectives.compiled import CompiledObjective
from ter.problems.kernels.economic_dispatch import HOURS, LIMIT, LOW, WIDTH, B, commit, move, start, value

__all__ = ["power_dispatch"]

SHAPE = (
    0.62, 0.59, 0.57, 0.56, 0.57, 0.61, 0.68, 0.75, 0.80, 0.83, 0.84, 0.84,
    0.82, 0.81, 0.80, 0.79, 0.80, 0.83, 0.87, 0.88, 0.86, 0.80, 0.73, 0.66,
)  # demand by hour, as a fraction of all units' power  # fmt: skip


def power_dispatch(units: int = 50) -> Problem:
    """Return the cost of a day's schedule for `units` generating units.

    Parameters
    ----------
    units : int
        Number of units, >= 2; the dimension is ``24 * units``.

    Examples
    --------
    >>> day = power_dispatch(units=50)
    >>> day.dimension, day.facts["violation"](np.full(1200, 0.5)) > 0
    (1200, True)
    """
    if int(units) != units or units < 2:
        raise InvalidArgument(f"units must be a whole number >= 2, got {units!r}")
    table = unit_table(units)
    demand = np.array(SHAPE) * float((table[LOW] + table[WIDTH]).sum())
    objective = CompiledObjective(
        value,
        floats=np.concatenate([demand, table.ravel()]),
        ints=[units],
        start=start,
        move=move,
        commit=commit,
        memory=3 * HOURS * units + 3 * HOURS,
    )
    day = Day(table, demand)
    return Problem(
        objective,
        box(0.0, 1.0, dimension=HOURS * units),
        name="dispatch",
        about=(
            f"{units} generating units share the demand of each of 24 hours. Variable {units} * hour + unit is the "
            "unit's power in that hour, from its smallest (0) to its largest (1). The value is the cost of the fuel "
            "in thousand dollars, plus penalties for power missing or in surplus and for changes from one hour to the "
            "next beyond a unit's ramp limit."
        ),
        draw=day.draw,
        facts={
            "traits": ("non-smooth", "multimodal", "constraints as penalties", "partially separable"),
            "cost": "cheap",
            "violation": day.violation,
        },
    )


def unit_table(units: int) -> NDArray[np.float64]:
    """Draw the units: least power, range, the cost's coefficients a, b, c, e, f, and the ramp limit, row by row."""
    draws = stream(0, "dispatch").random((units, 6)).T
    size = draws[0]  # 0: a small unit, 1: a large one
    largest = 100 + 450 * size
    low = np.round(largest * (0.2 + 0.3 * draws[1]))
    width = np.round(largest) - low
    a = 100 + 900 * size * (0.5 + draws[2])
    b = 5.5 + 7.5 * draws[3]
    c = 0.0016 + 0.0099 * draws[4]
    e, f = 100 + 200 * size, 0.084 - 0.049 * size
    return np.stack([low, width, a, b, c, e, f, width * (0.2 + 0.2 * draws[5])])


@dataclass(frozen=True, eq=False)
class Day:
    """Reads a schedule."""

    table: NDArray[np.float64]
    demand: Vector

    def power(self, x: Vector) -> NDArray[np.float64]:
        """Return the power in MW, by hour and unit."""
        return np.asarray(self.table[LOW] + np.asarray(x).reshape(HOURS, -1) * self.table[WIDTH])

    def violation(self, x: Vector) -> float:
        """Return the sum of all missing or surplus power and of all ramping beyond the limits, in MW."""
        power = self.power(x)
        steps = np.abs(np.diff(power, axis=0)) - self.table[LIMIT]
        return float(np.abs(power.sum(axis=1) - self.demand).sum() + np.maximum(steps, 0).sum())

    def draw(self, x: Vector, axes: Any) -> None:
        """Paint the units' power as a stack under the line of the demand."""
        from matplotlib import colormaps

        order = np.argsort(self.table[B])  # the cheap ones below
        power = self.power(x)[:, order].T / 1000
        hours = np.arange(HOURS)
        colours = colormaps["Spectral_r"](np.linspace(0.05, 0.95, len(power)))
        axes.stackplot(hours, power, colors=colours, edgecolor="white", linewidth=0.2)
        axes.plot(hours, self.demand / 1000, color="black", linewidth=2, linestyle="--", label="demand")
        axes.set(xlim=(0, HOURS - 1), ylim=(0, 1.12 * self.demand.max() / 1000), xlabel="hour", ylabel="power in GW")
        axes.set_xticks(range(0, HOURS, 3))
        axes.legend(loc="upper left", frameon=False)
        axes.set_title(f"{len(power)} units, cheap ones below; violation {self.violation(x):.1f} MW")
