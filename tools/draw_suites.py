"""Draw the pictures of the benchmark suites in the documentation: every function along two of its variables.

Run from the project root, with matplotlib installed::

    python -m tools.draw_suites

It writes one picture per suite, and one of what the transformations of CEC'2013 do, into `docs/pictures/suites`.

Two variables run through the whole box, all others stay at the optimum: those of one group, the first and the one a
third of the way, in the order of the group; for Rosenbrock's function, which couples neighbours, the first two. The
group is the one with the largest weight. The optimum of f14 of CEC'2013 is not known; its variables stay at the shift
of the first group that they belong to. LSO08 is drawn in two dimensions, where nothing else is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

import ter
from ter.benchmarks.definitions import LSO10, LSO13, Base, Function
from ter.benchmarks.describe import part_of
from ter.benchmarks.layout import Layout
from ter.benchmarks.objective import LayoutObjective
from tests.reference_points import centre
from tests.reference_values import data
from tools.archives import ROOT

TARGET = ROOT / "docs" / "pictures" / "suites"
POINTS = 161  # along each axis
LEVELS = 16
LOWEST = 0.005  # share of the points below the lowest level, where levels are logarithmic
COLORS = "viridis"  # grows steadily brighter, so it can be read in grey too
NEAR = (10.0, 10.0, 2.0, 1.5, 12.0, 3.0)  # what is shown around the optimum of each function of LSO08
HALF = 2.0  # of the box in which transformations are shown
INCH = 1.55  # of a panel
DPI = 120

TITLES = {Base.ELLIPTIC: "elliptic", Base.RASTRIGIN: "Rastrigin", Base.ACKLEY: "Ackley", Base.SCHWEFEL: "Schwefel 1.2"}

Rows = Callable[[NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True)
class Panel:
    """One small picture: a function of two numbers."""

    title: str
    function: Rows
    horizontal: tuple[float, float]
    vertical: tuple[float, float]
    middle: tuple[float, float]
    logarithmic: bool
    known: bool = True  # whether the middle is the optimum


def is_logarithmic(about: str) -> bool:
    """Bowls and valleys need logarithmic levels; the others are bounded, or their ripples would be lost."""
    return not about.startswith(("Rastrigin", "Ackley", "Griewank", "Schwefel 2.21"))


def variables(problem: ter.Problem) -> tuple[int, int]:
    """The two variables that run."""
    groups, weights = problem.facts["groups"], problem.facts["weights"]
    group = groups[int(np.argmax(weights))] if groups else problem.facts["separable"]
    return int(group[0]), int(group[1 if problem.about.startswith("Rosenbrock") else len(group) // 3])


def slice_of(name: str, title: str) -> Panel:
    """A function of a suite through its optimum."""
    problem = ter.problem(name)
    known = problem.x_opt is not None
    at = problem.x_opt if problem.x_opt is not None else centre("lso13", 14, data("lso13"))
    pair = variables(problem)

    def function(points: NDArray[np.float64]) -> NDArray[np.float64]:
        rows = np.tile(at, (len(points), 1))
        rows[:, pair] = points
        return np.asarray(problem(rows))

    first, second = ((float(problem.lower[i]), float(problem.upper[i])) for i in pair)
    middle = (float(at[pair[0]]), float(at[pair[1]]))
    return Panel(title, function, first, second, middle, is_logarithmic(problem.about), known)


def plane(name: str, title: str, near: float | None = None) -> Panel:
    """A function of LSO08 in two dimensions; the whole box, or what is near to the optimum."""
    problem = ter.problem(name, dimension=2)
    x, y = (float(number) for number in np.asarray(problem.x_opt))
    if near is None:
        half = float(problem.upper[0])
        return Panel(title, problem, (-half, half), (-half, half), (x, y), is_logarithmic(problem.about))
    sides = ((x - near, x + near), (y - near, y + near))
    return Panel(f"{title[:2]} within {near:g}", problem, *sides, (x, y), is_logarithmic(problem.about))


def base(function: Function, title: str) -> Panel:
    """The base function of two variables, with the transformation that it has in a function, not shifted."""
    part = part_of(function, function.base, np.arange(2), np.zeros(2))
    objective = LayoutObjective.of(Layout(2, [part]))
    return Panel(title, objective.rows, (-HALF, HALF), (-HALF, HALF), (0.0, 0.0), is_logarithmic(title))


def paint(panel: Panel, axes: Any) -> None:
    """Paint one panel."""
    u, v = (np.linspace(*side, POINTS) for side in (panel.horizontal, panel.vertical))
    points = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
    values = panel.function(points).reshape(POINTS, POINTS)
    values = values - min(values.min(), panel.function(np.array([panel.middle]))[0])
    if panel.logarithmic:
        with np.errstate(divide="ignore"):
            shown = np.log10(values)
        levels = np.linspace(np.quantile(shown, LOWEST), shown.max(), LEVELS)
        shown = np.maximum(shown, levels[0])
    else:
        shown, levels = values, np.linspace(0.0, values.max(), LEVELS)
    axes.contourf(u, v, shown, levels, cmap=COLORS, antialiased=False)
    axes.plot(*panel.middle, "+" if panel.known else "x", color="white", markersize=7, markeredgewidth=1.4)
    axes.set_title(panel.title, fontsize=8, pad=3)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_aspect("equal")


def draw(name: str, panels: Sequence[Panel], columns: int) -> None:
    """Draw panels row by row, and save them as a small file."""
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(INCH * columns, (INCH + 0.17) * rows), dpi=DPI, layout="constrained")
    canvas = FigureCanvasAgg(figure)
    for panel, axes in zip(panels, np.ravel(figure.subplots(rows, columns)), strict=True):
        paint(panel, axes)
    canvas.draw()
    picture = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    TARGET.mkdir(parents=True, exist_ok=True)
    picture.quantize(64, dither=Image.Dither.NONE).save(TARGET / f"{name}.png", optimize=True)


def titled(suite: str) -> list[tuple[str, str]]:
    """The names of a suite's functions, and what to write above their panels."""
    functions = ter.benchmarks.SUITES[suite].functions
    return [
        (f.name, f"f{f.number} {f.about.partition(',')[0].partition(':')[0].partition(' on')[0]}") for f in functions
    ]


def transformations() -> list[Panel]:
    """The base functions that CEC'2013 transforms, above without and below with the transformations."""
    plain, transformed = ([f for f in rows if f.base in TITLES and not f.groups] for rows in (LSO10, LSO13))
    return [base(f, TITLES[f.base]) for f in plain] + [base(f, f"{TITLES[f.base]}, transformed") for f in transformed]


def main() -> None:
    """Draw all pictures."""
    names = titled("lso08")
    below = [plane(*one, near) for one, near in zip(names, NEAR, strict=True)]
    draw("lso08", [plane(*one) for one in names] + below, columns=6)
    draw("lso10", [slice_of(*one) for one in titled("lso10")], columns=5)
    raw = [(f"lso13-raw/f{n}", f"f{n} Ackley, raw") for n in (3, 6, 10)]
    draw("lso13", [slice_of(*one) for one in [*titled("lso13"), *raw]], columns=6)
    draw("transformations", transformations(), columns=4)


if __name__ == "__main__":
    main()
