"""Described functions of any shape: the values of the plain twin, and moves with the bits of full evaluations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ter
from ter.benchmarks.definitions import Base, Transform
from ter.benchmarks.layout import Layout, Part
from ter.benchmarks.objective import LayoutObjective
from tests.benchmarks.walks import Walk
from tests.naive import layout as naive

pytestmark = pytest.mark.slow

# Relative; the largest difference seen is 2e-14.
TOLERANCE = 1e-12
LARGEST = 70


def is_possible(base: Base, transform: Transform, *, rotated: bool) -> bool:
    """The evaluator knows the kinds of parts that the suites are made of.

    What is rotated is a sum of terms that vanish at zero. The two components of a link of Rosenbrock's function are not
    transformed.
    """
    if rotated:
        return base in (Base.SPHERE, Base.ELLIPTIC, Base.RASTRIGIN, Base.ACKLEY, Base.SCHWEFEL)
    return base is not Base.ROSENBROCK or transform is Transform.NONE


EVERY_KIND = [(base, transform, rotated) for base in Base for transform in Transform for rotated in (False, True)]
POSSIBLE = [kind for kind in EVERY_KIND if is_possible(kind[0], kind[1], rotated=kind[2])]
IMPOSSIBLE = [kind for kind in EVERY_KIND if kind not in POSSIBLE]
UNROTATED = [(base, transform) for base, transform, rotated in POSSIBLE if not rotated]
UNTRANSFORMED = [(base, rotated) for base, transform, rotated in POSSIBLE if transform is Transform.NONE]


def part_of(
    rng: np.random.Generator,
    dimension: int,
    size: int,
    base: Base,
    transform: Transform = Transform.NONE,
    *,
    rotated: bool = False,
    in_a_row: bool = False,
    weight: float = 1.0,
) -> Part:
    """A part with random numbers, in the ranges that the suites have."""
    if in_a_row:
        coordinates = np.arange(size) + int(rng.integers(dimension - size + 1))
    else:
        coordinates = rng.choice(dimension, size, replace=False)
    constants = factors = None
    if transform is Transform.SKEWED:
        constants, factors = rng.uniform(0.01, 0.2, size), rng.uniform(1.0, 3.2, size)
    elif base is Base.ELLIPTIC:
        constants = 10 ** rng.uniform(0.0, 6.0, size)
    elif base is Base.GRIEWANK:
        constants = rng.uniform(0.01, 1.0, size)
    rotation = np.linalg.qr(rng.normal(size=(size, size)))[0] if rotated else None
    return Part(base, coordinates, rng.uniform(-2, 2, size), transform, constants, factors, rotation, weight)


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    """Several parts, any of which may share variables with others; some variables may belong to none.

    There are two kinds of parts at most, rotated or not, so that neighbours are often of one kind and are evaluated
    together.
    """
    kinds = st.sampled_from(draw(st.lists(st.sampled_from(UNROTATED), min_size=1, max_size=2)))
    sizes = st.integers(1, LARGEST)
    weights = st.floats(-3.0, 3.0).map(lambda exponent: 10**exponent)
    chosen = draw(st.lists(st.tuples(kinds, sizes, weights, st.booleans(), st.booleans()), min_size=1, max_size=6))
    dimension = max(size for _, size, *_ in chosen) + draw(st.integers(1, 20))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    parts = [
        part_of(
            rng,
            dimension,
            max(size, 2) if base is Base.ROSENBROCK else size,
            base,
            transform,
            rotated=rotated and is_possible(base, transform, rotated=True),
            in_a_row=in_a_row,
            weight=weight,
        )
        for (base, transform), size, weight, rotated, in_a_row in chosen
    ]
    return Layout(dimension, parts, bias=draw(st.sampled_from([0.0, -450.0])))


def value_of(layout: Layout, x: np.ndarray) -> float:
    return LayoutObjective.of(layout)(x)


def closely(wanted: float, layout: Layout) -> object:
    """Up to rounding, where the bias cancels a part of the value."""
    return pytest.approx(wanted, rel=0, abs=TOLERANCE * (abs(wanted) + 2 * abs(layout.bias)))


@settings(max_examples=80)
@given(layouts(), st.integers(0, 2**32))
def test_any_layout_has_the_values_of_its_twin(layout, seed):
    rng = np.random.default_rng(seed)
    for scale in (3.0, 0.1, 0.0):
        x = rng.uniform(-scale, scale, layout.dimension)
        assert value_of(layout, x) == closely(naive.evaluate(layout, x), layout)


@settings(max_examples=80)
@given(layouts(), st.integers(0, 2**32))
def test_moves_in_any_layout_have_the_bits_of_full_evaluations(layout, seed):
    rng = np.random.default_rng(seed)
    walk = Walk(LayoutObjective.of(layout), rng.uniform(-3, 3, layout.dimension))
    for _ in range(25):
        count = int(rng.integers(1, layout.dimension + 1)) if rng.random() < 0.5 else int(rng.integers(1, 4))
        which = rng.choice(layout.dimension, min(count, layout.dimension), replace=False)
        values = walk.x[which] if rng.random() < 0.2 else rng.uniform(-3, 3, len(which))
        walk.checked_move(which, values)
        if rng.random() < 0.6:
            walk.commit(which, values)
    walk.assert_like_new()


@pytest.mark.parametrize(("base", "transform", "rotated"), POSSIBLE)
def test_every_size_has_the_values_of_its_twin(base, transform, rotated, rng):
    for size in range(2, LARGEST + 1):
        layout = Layout(size, [part_of(rng, size, size, base, transform, rotated=rotated)])
        x = rng.uniform(-3, 3, size)
        assert value_of(layout, x) == closely(naive.evaluate(layout, x), layout), size


@pytest.mark.parametrize(("base", "transform", "rotated"), IMPOSSIBLE)
def test_what_the_evaluator_cannot_do_is_refused(base, transform, rotated, rng):
    with pytest.raises(ter.InvalidArgument):
        part_of(rng, 5, 5, base, transform, rotated=rotated)


def test_a_single_variable_has_no_link_of_rosenbrocks_function(rng):
    with pytest.raises(ter.InvalidArgument, match="two variables or more"):
        part_of(rng, 5, 1, Base.ROSENBROCK)


# How moves are evaluated depends on how many variables of a part they touch: one; few, which are replaced in the tree
# one by one; more, for which the terms are combined anew; so many that the whole part is evaluated. The borders lie
# somewhere between 1 and all; for 300 variables there is something between any two of them.


@pytest.mark.parametrize("in_a_row", [False, True])
@pytest.mark.parametrize(("base", "transform", "rotated"), POSSIBLE)
def test_any_number_of_variables_can_be_moved_at_once(base, transform, rotated, in_a_row, rng):
    size = 100 if rotated else 300  # a rotated part is evaluated in one way only, block by block
    dimension = size + 10
    part = part_of(rng, dimension, size, base, transform, rotated=rotated, in_a_row=in_a_row)
    walk = Walk(LayoutObjective.of(Layout(dimension, [part])), rng.uniform(-3, 3, dimension))
    for count in [*range(1, size + 1), dimension]:
        scattered = rng.choice(dimension, count, replace=False)
        together = np.asarray(part.coordinates)[: min(count, size)][::-1].copy()
        for which in (scattered, together):
            values = rng.uniform(-3, 3, len(which))
            walk.checked_move(which, values)
            if count % 3 == 0:
                walk.commit(which, values)
        if count % 30 == 0:
            walk.assert_like_new()


@pytest.mark.parametrize("base", Base)
@pytest.mark.parametrize("size", [1983, 1984, 1985, 4001])
def test_parts_of_very_many_variables_can_be_moved(base, size, rng):
    # Schwefel 1.2 counts its blocks in the bits of an integer, so that their length grows with the part.
    part = part_of(rng, size, size, base)
    walk = Walk(LayoutObjective.of(Layout(size, [part])), rng.uniform(-3, 3, size))
    for count in [1, 2, 3, 10, 30, 100, size // 4 - 1, size // 4, size // 4 + 1, size]:
        for which in (rng.choice(size, count, replace=False), np.arange(size - count, size)):
            values = rng.uniform(-3, 3, count)
            walk.checked_move(which, values)
            walk.commit(which, values)
        walk.assert_like_new()


@pytest.mark.parametrize(("base", "rotated"), UNTRANSFORMED)
def test_a_variable_that_no_part_has_changes_nothing(base, rotated, rng):
    part = Part(base, np.array([4, 0, 2]), np.zeros(3), rotation=np.eye(3) if rotated else None)
    walk = Walk(LayoutObjective.of(Layout(6, [part])), rng.uniform(-3, 3, 6))
    before = value_of(Layout(6, [part]), walk.x)
    for which in ([1], [5, 1, 3]):
        assert walk.move(np.array(which), np.full(len(which), 1e3)) == before
    walk.commit(np.array([1, 3, 5]), np.full(3, 1e3))
    walk.assert_like_new()


def test_parts_are_added_with_their_weights_and_the_bias():
    parts = [Part(Base.ELLIPTIC, np.array([i]), np.zeros(1), weight=w) for i, w in enumerate((1.0, 10.0, 100.0))]
    layout = Layout(3, parts, bias=-1000.0)
    assert value_of(layout, np.array([1.0, 2.0, 3.0])) == 1 + 40 + 900 - 1000


def test_a_matrix_is_multiplied_with_a_column():
    # The first component becomes x[1], the second -x[0]; with a transposed matrix the signs would be the other way.
    quarter_turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    part = Part(Base.SCHWEFEL, np.array([0, 1]), np.zeros(2), rotation=quarter_turn)
    assert value_of(Layout(2, [part]), np.array([2.0, 5.0])) == 5**2 + (5 - 2) ** 2
