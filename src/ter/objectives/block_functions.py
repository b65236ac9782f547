"""The four functions of a sum of terms: its value, and its moves at the cost of the terms they touch.

`ints` holds the address of the term and the groups, in both directions: the members of each group, and the groups that
each coordinate is a member of. `memory` holds the tree over the terms' values, then space to work in.

A compiled function that is left by an exception keeps the arrays that it owns, made by itself or handed to it, alive
for ever. So functions that let an exception out own no arrays: they get all of them by `lent`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types
from numba.np import arrayobj

from ter._jit import instruction, kernel
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.objectives.addresses import VECTOR, _at
from ter.objectives.groups import Groups
from ter.objectives.tree import SUM, fold, tree_fill, tree_root, tree_size, tree_try
from ter.objectives.tree_moves import tree_set_some, tree_try_some, tree_try_two
from ter.objectives.unchecked import peek, poke

__all__ = ["TERM", "commit", "lay_out", "move", "room", "start", "value"]

TERM = types.FunctionType(types.float64(VECTOR, types.int64, VECTOR))
term_at = _at(TERM, 0)

# Fields of `ints`; the first is the term's address.
GROUPS = 1  # number of groups
SPAN = 2  # number of variables: the largest coordinate of any group, plus one
LARGEST = 3  # members of the largest group
STARTS = 4  # where the groups' starts begin, one for each and the end of the last
MEMBERS = 5  # where the members begin
OCCURS = 6  # where the coordinates' starts begin, one for each and the end of the last
TERMS = 7  # where the numbers of the groups begin that each coordinate is a member of
HEAD = 8

# Fields of `memory`
KNOWN = 0  # 1 if the tree is that of the point, 0 if a term raised an exception there
TREE = 1

# The arrays to work in, from the end of `memory`
Z = 0  # the variables of a group
NEW = 1  # a number for each term: new values
SPARE = 2  # another number for each term


def lay_out(address: int, groups: Groups) -> Integers:
    """Pack the term's address and the groups."""
    occurs = np.concatenate([[0], np.cumsum(np.bincount(groups.members))])
    parts = [groups.starts, groups.members, occurs, groups.owners]
    places = HEAD + np.cumsum([0, *(part.size for part in parts[:-1])])
    head = [address, groups.count, occurs.size - 1, groups.largest, *places]
    return np.concatenate([np.array(head, dtype=np.int64), *parts])


def room(groups: Groups) -> int:
    """Length of `memory`."""
    return TREE + tree_size(groups.count) + 2 * groups.count + groups.largest


def _borrowed(typing_context: Any, array: Any, at: Any, n: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        make = context.make_array(signature.args[0])
        source, view = make(context, builder, arguments[0]), make(context, builder)
        data = builder.gep(source.data, [arguments[1]], inbounds=True)
        size = source.itemsize
        arrayobj.populate_array(  # type: ignore[no-untyped-call]
            view, data=data, shape=[arguments[2]], strides=[size], itemsize=size, meminfo=None
        )
        return view._getvalue()

    return array(array, types.intp, types.intp), emit


# ``borrowed(array, at, n)`` is ``array[at : at + n]`` without owning it. Owning an array takes two atomic operations in
# each function that it is handed to; together these took half of the time of a move.
borrowed: Any = instruction(_borrowed, lambda array, at, n: array[at : at + n])


@kernel
def lent(array: Any) -> Any:
    """Return the array itself without owning it, for all the functions that it is handed down to.

    It must be an argument, which the caller holds: an array made here would be freed after its last use by name.
    """
    return borrowed(array, 0, array.shape[0])


@kernel
def space(memory: Vector, ints: Integers, which: int) -> Vector:
    """Return one of the arrays to work in."""
    groups, largest = ints[GROUPS], ints[LARGEST]
    array: Vector = borrowed(memory, memory.shape[0] - largest - which * groups, largest if which == Z else groups)
    return array


# Terms


@kernel
def gather(x: Vector, ints: Integers, group: int, z: Vector) -> int:
    """Write the variables of a group into `z` and return how many there are."""
    first = peek(ints, ints[STARTS] + group)
    size: int = peek(ints, ints[STARTS] + group + 1) - first
    for j in range(size):
        poke(z, j, peek(x, peek(ints, ints[MEMBERS] + first + j)))
    return size


@kernel
def all_terms(x: Vector, floats: Vector, ints: Integers, z: Vector, out: Vector) -> None:
    """Evaluate every term."""
    term = term_at(ints)
    for group in range(ints[GROUPS]):
        size = gather(x, ints, group, z)
        poke(out, group, term(borrowed(z, 0, size), group, floats))


@kernel
def some_terms(x: Vector, floats: Vector, ints: Integers, which: Integers, z: Vector, out: Vector) -> None:
    """Evaluate some terms."""
    term = term_at(ints)
    for k in range(which.shape[0]):
        group = peek(which, k)
        size = gather(x, ints, group, z)
        poke(out, k, term(borrowed(z, 0, size), group, floats))


@kernel
def raise_again(x: Vector, floats: Vector, ints: Integers) -> None:
    """Evaluate the terms until one raises its exception; only the variables of one group are lost."""
    if x.shape[0] < ints[SPAN]:
        raise IndexError("a group has a member that is no variable of the point")
    z = np.empty(ints[LARGEST])
    term = term_at(ints)
    for group in range(ints[GROUPS]):
        size = gather(x, ints, group, z)
        term(borrowed(z, 0, size), group, floats)


@kernel
def raise_moved(
    x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector
) -> None:
    """Do the same for a point with some coordinates replaced; `x` stays as it is, and nothing is lost."""
    if x.shape[0] < ints[SPAN]:
        raise IndexError("a group has a member that is no variable of the point")
    z = space(memory, ints, Z)
    term = term_at(ints)
    for group in range(ints[GROUPS]):
        size = gather(x, ints, group, z)
        first = ints[MEMBERS] + peek(ints, ints[STARTS] + group)
        for j in range(size):
            for k in range(coordinates.shape[0]):
                if coordinates[k] == peek(ints, first + j):
                    poke(z, j, values[k])
        term(borrowed(z, 0, size), group, floats)


# Whole points


@kernel
def whole(x: Vector, floats: Vector, ints: Integers) -> tuple[float, bool]:
    """Evaluate a point; return its value, and whether a term raised an exception."""
    if x.shape[0] < ints[SPAN]:
        return math.nan, True
    return sum_of_all(x, floats, ints, np.empty(ints[LARGEST]), np.empty(ints[GROUPS]))


@kernel
def sum_of_all(x: Vector, floats: Vector, ints: Integers, z: Vector, terms: Vector) -> tuple[float, bool]:
    """Add up all terms; return the sum, and whether a term raised an exception."""
    try:
        all_terms(x, floats, ints, lent(z), lent(terms))
    except Exception:  # noqa: BLE001
        return math.nan, True
    return fold(SUM, terms, 0, ints[GROUPS]), False


@kernel
def value(x: Vector, floats: Vector, ints: Integers) -> float:
    """Evaluate a point from scratch."""
    point, constants, structure = lent(x), lent(floats), lent(ints)
    total, raised = whole(point, constants, structure)
    if raised:
        raise_again(point, constants, structure)
    return total


@kernel
def start(x: Vector, memory: Vector, floats: Vector, ints: Integers) -> None:
    """Fill the memory at the point `x`."""
    restart(lent(x), lent(memory), lent(floats), lent(ints))


@kernel
def restart(x: Vector, memory: Vector, floats: Vector, ints: Integers) -> None:
    """Fill the memory at the point `x`, unless a term raises an exception there."""
    memory[KNOWN] = 0.0
    if x.shape[0] < ints[SPAN]:
        return
    try:
        all_terms(x, floats, ints, space(memory, ints, Z), borrowed(memory, TREE, ints[GROUPS]))
    except Exception:  # noqa: BLE001
        return
    tree_fill(SUM, memory, TREE, ints[GROUPS])
    memory[KNOWN] = 1.0


# Moves


@kernel
def move(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> float:
    """Evaluate `x` with some coordinates replaced."""
    total, raised = moved(lent(x), lent(memory), lent(floats), lent(ints), lent(coordinates), lent(values))
    if raised:
        raise_moved(lent(x), lent(memory), lent(floats), lent(ints), lent(coordinates), lent(values))
    return total


@kernel
def moved(
    x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector
) -> tuple[float, bool]:
    """Return the value of the moved point, and whether a term raised an exception."""
    if coordinates.shape[0] == 1:
        i = coordinates[0]
        before = x[i]
        x[i] = values[0]
        result = with_terms(x, memory, floats, ints, terms_of(ints, i))
        x[i] = before
        return result
    kept = exchange(x, coordinates, values)
    result = with_terms(x, memory, floats, ints, touched(memory, ints, coordinates))
    exchange(x, coordinates, kept)
    return result


@kernel
def with_terms(x: Vector, memory: Vector, floats: Vector, ints: Integers, which: Integers) -> tuple[float, bool]:
    """Evaluate some terms anew; return the sum with them, and whether one raised an exception."""
    if memory[KNOWN] == 0.0:
        return whole(x, floats, ints)
    terms, groups, count = space(memory, ints, NEW), ints[GROUPS], which.shape[0]
    try:
        some_terms(x, floats, ints, lent(which), space(memory, ints, Z), terms)
    except Exception:  # noqa: BLE001
        return math.nan, True
    if count == 0:
        total = tree_root(memory, TREE, groups)
    elif count == 1:
        total = tree_try(SUM, memory, TREE, groups, which[0], terms[0])
    elif count == 2:
        total = tree_try_two(SUM, memory, TREE, groups, which[0], terms[0], which[1], terms[1])
    else:
        total = tree_try_some(SUM, memory, TREE, groups, which, terms, space(memory, ints, SPARE))
    return total, False


@kernel
def commit(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> None:
    """Update the memory for a move; `x` itself is written by the caller afterwards."""
    kept = exchange(x, coordinates, values)
    settle(lent(x), lent(memory), lent(floats), lent(ints), touched(memory, ints, coordinates))
    exchange(x, coordinates, kept)


@kernel
def settle(x: Vector, memory: Vector, floats: Vector, ints: Integers, which: Integers) -> None:
    """Evaluate some terms and write them into the tree."""
    if memory[KNOWN] == 0.0:
        restart(x, memory, floats, ints)
        return
    terms = space(memory, ints, NEW)
    try:
        some_terms(x, floats, ints, lent(which), space(memory, ints, Z), terms)
    except Exception:  # noqa: BLE001
        memory[KNOWN] = 0.0
        return
    tree_set_some(SUM, memory, TREE, ints[GROUPS], which, terms)


@kernel
def exchange(x: Vector, coordinates: Integers, values: Vector) -> Vector:
    """Write values into `x` and return those that were there."""
    kept = np.empty(coordinates.shape[0])
    for k in range(coordinates.shape[0]):
        kept[k] = x[coordinates[k]]
    for k in range(coordinates.shape[0]):
        x[coordinates[k]] = values[k]
    return kept


@kernel
def terms_of(ints: Integers, coordinate: int) -> Integers:
    """Return the terms that have a coordinate."""
    first, end = 0, 0
    if coordinate < ints[SPAN]:
        first, end = peek(ints, ints[OCCURS] + coordinate), peek(ints, ints[OCCURS] + coordinate + 1)
    terms: Integers = borrowed(ints, ints[TERMS] + first, end - first)
    return terms


@kernel
def touched(memory: Vector, ints: Integers, coordinates: Integers) -> Integers:
    """Return the terms that have any of some coordinates, each once.

    ``seen[term]`` says where a term is in the list. It is believed only if the term is there, so it does not matter
    what the space held before.
    """
    most = 0
    for i in coordinates:
        most += terms_of(ints, i).shape[0]
    found = np.empty(min(most, ints[GROUPS]), dtype=np.int64)
    seen = space(memory, ints, SPARE)
    n = 0
    for i in coordinates:
        for term in terms_of(ints, i):
            place = peek(seen, term)
            if not (0.0 <= place < n and found[int(place)] == term):
                poke(seen, term, float(n))
                poke(found, n, term)
                n += 1
    return found[:n]
