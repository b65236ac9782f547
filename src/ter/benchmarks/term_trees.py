"""What moves know about a sum of terms: all levels of the tree over them, one tree per channel."""

from __future__ import annotations

from ter._jit import inner
from ter.benchmarks.base_functions import (
    ELLIPTIC,
    MAXIMUM,
    ROSENBROCK,
    SCHWEFEL,
    SPHERE,
    combined_value,
    has_two_channels,
    link,
    operation_of,
    second_operation_of,
    terms_of,
)
from ter.benchmarks.by_address import call_fill_tree, call_terms, call_transform
from ter.benchmarks.layout import (
    BASE,
    BEGIN,
    CONSTANTS,
    COORDINATES,
    FACTORS,
    MEMORY,
    SCRATCH_ARRAYS,
    SECOND_TREE,
    SHIFTS,
    SIZE,
    TOTAL,
    TRANSFORM,
    UNTRANSFORMED,
)
from ter.benchmarks.scratch import scratch_of
from ter.objectives.tree import levels, tree_root, tree_set
from ter.objectives.unchecked import Floats, Ints, as_ints

__all__ = ["are_few", "are_many", "fill_trees", "new_terms", "set_terms", "touched_terms", "tree_value"]

# If more than one in so many positions is touched, all are evaluated: sooner where a term is cheap.
MANY = 4
MANY_CHEAP = 32
# Replacing one term costs, per level of the tree, as much as adding up so many terms in a loop.
LEVEL_COST = 8


@inner
def are_many(row: Ints, touched: int) -> bool:
    """Tell whether it is cheaper to evaluate the whole part than to look for what is touched."""
    base = row[BASE]
    simple = (base == SPHERE) | (base == ELLIPTIC) | (base == MAXIMUM) | (base == ROSENBROCK)
    cheap = simple & (row[TRANSFORM] == UNTRANSFORMED)
    return touched * (MANY_CHEAP if cheap else MANY) > row[SIZE]


@inner
def are_few(row: Ints, terms: int) -> bool:
    """Tell whether it is cheaper to replace terms one by one than to combine all terms."""
    return terms * levels(row[SIZE]) * LEVEL_COST < row[SIZE]


@inner
def touched_terms(memory: Floats, ints: Ints) -> Ints:
    """Return where `new_terms` writes which terms are touched: in the last array of the scratch."""
    return as_ints(scratch_of(memory, ints) + (SCRATCH_ARRAYS - 1) * ints[TOTAL])


@inner
def new_terms(x: Floats, memory: Floats, floats: Floats, ints: Ints, row: Ints, touched: Ints, n: int) -> int:
    """Compute the terms that some positions touch, into the first two arrays of the scratch; return how many they are.

    A term of Rosenbrock's function may be there twice. Schwefel 1.2 has components instead of terms.
    """
    base, begin, total, which = row[BASE], row[BEGIN], ints[TOTAL], touched_terms(memory, ints)
    z, coordinates, shift = (
        scratch_of(memory, ints),
        ints + (ints[COORDINATES] + begin),
        floats + (ints[SHIFTS] + begin),
    )
    if base == ROSENBROCK:
        count = 0
        for k in range(n):
            own = touched[k] - begin
            for i in range(max(own - 1, 0), min(own + 1, row[SIZE] - 1)):
                which[count] = i
                z[count] = link(x[coordinates[i]] - shift[i], x[coordinates[i + 1]] - shift[i + 1])
                count += 1
        return count
    all_constants, all_factors = floats + (ints[CONSTANTS] + begin), floats + (ints[FACTORS] + begin)
    constants, factors = z + 3 * total, z + 4 * total
    for k in range(n):
        i = touched[k] - begin
        which[k] = i
        z[k] = x[coordinates[i]] - shift[i]
        constants[k] = all_constants[i]
        factors[k] = all_factors[i]
    if row[TRANSFORM] != UNTRANSFORMED:
        call_transform(ints, row[TRANSFORM], z, n, constants, factors, z + 2 * total)
    if base != SCHWEFEL:
        call_terms(ints, base, z, n, constants, z + total)
    return n


@inner
def fill_trees(memory: Floats, ints: Ints, row: Ints) -> None:
    """Compute the levels above the terms."""
    base = row[BASE]
    n = terms_of(base, row[SIZE])
    call_fill_tree(ints, operation_of(base), memory, row[MEMORY], n)
    if has_two_channels(base):
        call_fill_tree(ints, second_operation_of(base), memory, row[SECOND_TREE], n)


@inner
def set_terms(memory: Floats, row: Ints, which: Ints, n: int, terms: Floats, others: Floats) -> None:
    """Replace some terms in the trees, one by one."""
    base = row[BASE]
    size = terms_of(base, row[SIZE])
    for k in range(n):
        tree_set(operation_of(base), memory, row[MEMORY], size, which[k], terms[k])
        if has_two_channels(base):
            tree_set(second_operation_of(base), memory, row[SECOND_TREE], size, which[k], others[k])


@inner
def tree_value(memory: Floats, row: Ints) -> float:
    """Evaluate a part from its trees."""
    base, size, second = row[BASE], row[SIZE], 0.0
    n = terms_of(base, size)
    if has_two_channels(base):
        second = tree_root(memory, row[SECOND_TREE], n)
    return combined_value(base, size, tree_root(memory, row[MEMORY], n), second)
