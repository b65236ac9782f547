"""Where the optima are, and that nothing is left out: every variable and every number of the data matters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import ter
from ter.benchmarks import FUNCTIONS as ROWS
from ter.benchmarks import Function, describe
from ter.benchmarks.definitions import LSO10, LSO13, Base
from ter.benchmarks.layout import Layout
from ter.benchmarks.objective import LayoutObjective
from tests.benchmarks.suites import KIND, SUITES, has_optimum, numbers, problem, random_points
from tests.naive.lso08 import BIAS
from tests.reference_points import FUNCTIONS, centre, half_width
from tests.reference_values import data

pytestmark = pytest.mark.slow

# Functions with Rosenbrock's, whose optimum is at shift + 1: the sum rounds, and so does the difference x - shift.
ROUNDED = {("lso08", 3), ("lso10", 8), ("lso10", 13), ("lso10", 18), ("lso10", 20), ("lso13", 12)}
STEP = 1e-3  # of the range


# optima


def with_optimum(suite: str) -> list[ter.Problem]:
    return [problem(suite, n) for n in numbers(suite) if has_optimum(suite, n)]


@pytest.mark.parametrize("suite", SUITES)
def test_optima_are_where_and_what_the_definitions_say(suite):
    kind = KIND[suite]
    for n in numbers(suite):
        made = problem(suite, n)
        if not has_optimum(suite, n):
            assert made.x_opt is None and made.f_opt is None
            continue
        assert np.max(np.abs(made.x_opt - centre(kind, n, data(kind)))) <= (3e-14 if (kind, n) in ROUNDED else 0.0)
        assert made.box.contains(made.x_opt)
        assert made.f_opt == (BIAS[n] if suite == "lso08" else 0.0)


def test_the_box_is_the_definitions():
    for suite in SUITES:
        for n in numbers(suite):
            half = half_width(KIND[suite], n)
            made = problem(suite, n)
            assert set(made.lower.tolist()) == {-half} and set(made.upper.tolist()) == {half}


@pytest.mark.parametrize("suite", SUITES)
def test_the_value_at_the_optimum_is_exact_up_to_the_rounding_of_the_point(suite):
    """Rounding level: not above what moving every variable to the next floating-point number makes of the value.

    Where x_opt is the shift itself, x - shift is zero, and so is the value.
    """
    for made in with_optimum(suite):
        error = made(made.x_opt) - made.f_opt
        ulps = [made(np.nextafter(made.x_opt, side)) - made.f_opt for side in (-np.inf, np.inf)]
        assert 0.0 <= error <= max(ulps), made.name
        rounded = (KIND[suite], made.facts["function"]) in ROUNDED
        assert error <= (1e-24 if rounded else 0.0), made.name


@pytest.mark.parametrize("suite", SUITES)
def test_nothing_is_below_the_optimum(suite):
    for made in with_optimum(suite):
        towards = random_points(made, 40) - made.x_opt
        for radius in (1.0, 1e-2, 1e-4, 1e-6, 1e-9):
            assert (made(made.x_opt + radius * towards) >= made.f_opt).all(), made.name


# variables


def stepped(base: np.ndarray, half: float, share: float = STEP) -> np.ndarray:
    """One row per variable, in which it is moved by a share of the range towards the middle of the box."""
    rows = np.tile(base, (len(base), 1))
    rows[np.diag_indices(len(base))] += share * 2 * half * np.where(base > 0, -1.0, 1.0)
    return rows


@pytest.mark.parametrize("suite", SUITES)
def test_every_variable_matters(suite):
    for n in numbers(suite):
        made = problem(suite, n)
        half = half_width(KIND[suite], n)
        if made.x_opt is not None:
            assert (made(stepped(made.x_opt, half)) > made(made.x_opt)).all(), made.name
        else:  # no point is known where all groups are small, so that it takes a larger step to see the light ones
            base = random_points(made, 1)[0]
            assert (made(stepped(base, half, share=0.1)) != made(base)).all(), made.name


@pytest.mark.parametrize("suite", SUITES)
def test_every_variable_matters_in_each_of_its_groups(suite):
    """One part at a time, so that no heavy group hides a light one; at a random point."""
    for n in numbers(suite):
        made = problem(suite, n)
        base, half = random_points(made, 1)[0], half_width(KIND[suite], n)
        rows = stepped(base, half)
        unseen = set(range(made.dimension))
        for part in describe.layout_of(ROWS[made.name], made.dimension).parts:
            alone = LayoutObjective.of(Layout(made.dimension, [part]))
            changed = set(np.flatnonzero(alone.rows(rows) != alone(base)).tolist())
            own = set(np.asarray(part.coordinates).tolist())
            if part.base is Base.MAXIMUM:  # the largest coordinate decides alone
                assert len(changed) == 1 and changed <= own
            else:
                assert changed == own, made.name
            unseen -= own
        assert not unseen


@pytest.mark.parametrize("size", [2, 3, 100, 2500])
def test_every_variable_of_lso08_matters_in_any_dimension(size):
    for n in FUNCTIONS["lso08"]:
        made = problem("lso08", n, size)
        assert (made(stepped(made.x_opt, made.upper[0])) > made.f_opt).all(), made.name


@pytest.mark.parametrize("suite", ["lso10", "lso13"])
def test_the_last_variable_of_a_group_matters_as_much_as_others(suite):
    # A forgotten last prefix sum of Schwefel 1.2, or a last column of a rotation, would make it matter less or not.
    for made in with_optimum(suite):
        changes = made(stepped(made.x_opt, made.upper[0])) - made.f_opt
        for group in made.facts["groups"]:
            assert changes[group[-1]] >= 1e-4 * np.median(changes[group]), made.name


# the numbers of the data


class Arrays:
    """Stands for the class that reads the data, with some arrays replaced."""

    def __init__(self, kind: str, replaced: dict[str, np.ndarray]) -> None:
        self._arrays = {**data(kind), **replaced}

    def __call__(self, function: Function) -> dict[str, np.ndarray]:
        prefix = f"f{function.number}_"
        return {name.removeprefix(prefix): array for name, array in self._arrays.items() if name.startswith(prefix)}


def first_exchanged(share: float) -> Callable[[np.ndarray], np.ndarray]:
    """Exchange the first element, which is in a group, with another: neighbours in a sphere would mean nothing."""

    def change(array: np.ndarray) -> np.ndarray:
        other = int(share * (len(array) - 1))
        array[[0, other]] = array[[other, 0]]
        return array

    return change


def scaled(at: int) -> Callable[[np.ndarray], np.ndarray]:
    """Change one number by a hundredth."""

    def change(array: np.ndarray) -> np.ndarray:
        array.flat[at] *= 1.01
        return array

    return change


CHANGES: dict[str, list[Callable[[np.ndarray], np.ndarray]]] = {
    "shift": [scaled(0), scaled(-1)],
    "permutation": [first_exchanged(0.5), first_exchanged(1.0), lambda order: order[::-1].copy()],
    "weights": [scaled(0), scaled(-1), lambda weights: weights[::-1].copy()],
    "sizes": [lambda sizes: sizes[::-1].copy()],
    "rotation": [scaled(0), scaled(-1), np.transpose],
    "r25": [scaled(0), scaled(-1), np.transpose],
    "r50": [scaled(0), scaled(-1), np.transpose],
    "r100": [scaled(0), scaled(-1), np.transpose],
}


@pytest.mark.parametrize("functions", [LSO10, LSO13], ids=["lso10", "lso13"])
def test_every_array_of_the_data_matters(functions, monkeypatch):
    kind = functions[0].competition
    # With weights of the same size, since a heavy group would hide what changes in a light one.
    even = {name: np.linspace(1, 2, len(array)) for name, array in data(kind).items() if name.endswith("_weights")}

    def value(number: int, x: np.ndarray, replaced: dict[str, np.ndarray]) -> float:
        monkeypatch.setattr(describe, "OfficialNumbers", Arrays(kind, even | replaced))
        return LayoutObjective.of(describe.layout_of(functions[number - 1], len(x)))(x)

    for name, array in (data(kind) | even).items():
        number, what = int(name[1 : name.index("_")]), name.partition("_")[2]
        x = centre(kind, number, data(kind)) + 1e-3 * random_points(problem(kind, number), 1)[0]
        original = value(number, x, {})
        for change in CHANGES[what]:
            assert value(number, x, {name: change(array.copy())}) != original, name
