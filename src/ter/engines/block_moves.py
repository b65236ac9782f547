"""The four functions of a sum of terms: its value, and its moves at the cost of the terms they touch.

`ints` holds the address of the term and the groups, in both directions: the members of each group, and the groups that
each coordinate is a member of. `memory` holds the tree over the terms' values, then space to work in.

Compiled code that is left by an exception never frees its arrays. So whoever holds a long one catches what a term
raises, and only functions that hold none let an exception out.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from ter._jit import kernel
from ter.benchmarks.raw import peek, poke
from ter.benchmarks.tree import SUM, fold, levels, tree_fill, tree_root, tree_set, tree_size, tree_try
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.engines.functions import VECTOR, _at
from ter.engines.groups import Groups

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

# Fields of `memory`. After the tree there is space for one number per term, twice, and for one group's variables.
KNOWN = 0  # 1 if the tree is that of the point, 0 if a term raised an exception there
TREE = 1

# Replacing one term and taking it back costs, per level of the tree, as much as adding up so many terms in a loop.
LEVEL_COST = 8


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


@kernel
def places(memory: Vector, ints: Integers) -> tuple[int, int, int]:
    """Return where there is space to work in: for all terms, for all terms again, for the variables of a group."""
    groups = ints[GROUPS]
    variables = memory.shape[0] - ints[LARGEST]
    return variables - 2 * groups, variables - groups, variables


@intrinsic
def borrowed(typing_context: Any, array: Any, at: Any, n: Any) -> Any:
    """``borrowed(array, at, n)`` is ``array[at : at + n]`` without owning it: no atomic operations."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        make = context.make_array(signature.args[0])
        source, view = make(context, builder, arguments[0]), make(context, builder)
        data = cgutils.gep_inbounds(builder, source.data, arguments[1])
        size = source.itemsize
        populate_array(view, data=data, shape=[arguments[2]], strides=[size], itemsize=size, meminfo=None)
        return view._getvalue()

    return array(array, types.intp, types.intp), emit


# Terms


@kernel
def gather(x: Vector, ints: Integers, group: int, to: Vector, at: int) -> int:
    """Write the variables of a group to ``to[at:]`` and return how many there are."""
    first, end = peek(ints, ints[STARTS] + group), peek(ints, ints[STARTS] + group + 1)
    for j in range(end - first):
        poke(to, at + j, peek(x, peek(ints, ints[MEMBERS] + first + j)))
    return end - first


@kernel
def all_terms(x: Vector, floats: Vector, ints: Integers, work: Vector, at: int, out: Vector, to: int) -> None:
    """Evaluate every term; `work` has space for the variables of a group."""
    term, constants = term_at(ints), borrowed(floats, 0, floats.shape[0])
    for group in range(ints[GROUPS]):
        size = gather(x, ints, group, work, at)
        poke(out, to + group, term(borrowed(work, at, size), group, constants))


@kernel
def some_terms(
    x: Vector, floats: Vector, ints: Integers, which: Integers, first: int, end: int, memory: Vector, at: int, to: int
) -> None:
    """Evaluate the terms ``which[first:end]``."""
    term, constants = term_at(ints), borrowed(floats, 0, floats.shape[0])
    for k in range(first, end):
        size = gather(x, ints, which[k], memory, at)
        poke(memory, to + k - first, term(borrowed(memory, at, size), which[k], constants))


@kernel
def raise_again(x: Vector, floats: Vector, ints: Integers) -> None:
    """Evaluate the terms until one raises its exception."""
    if x.shape[0] < ints[SPAN]:
        raise IndexError("a group has a member that is no variable of the point")
    z = np.empty(ints[LARGEST])
    term = term_at(ints)
    for group in range(ints[GROUPS]):
        size = gather(x, ints, group, z, 0)
        term(borrowed(z, 0, size), group, floats)


# Whole points


@kernel
def whole(x: Vector, floats: Vector, ints: Integers) -> tuple[float, bool]:
    """Evaluate a point; return its value, and whether a term raised an exception."""
    if x.shape[0] < ints[SPAN]:
        return math.nan, True
    terms, z = np.empty(ints[GROUPS]), np.empty(ints[LARGEST])
    try:
        all_terms(x, floats, ints, z, 0, terms, 0)
    except Exception:  # noqa: BLE001
        return math.nan, True
    return fold(SUM, terms, ints[GROUPS]), False


@kernel
def value(x: Vector, floats: Vector, ints: Integers) -> float:
    """Evaluate a point from scratch."""
    total, raised = whole(x, floats, ints)
    if raised:
        raise_again(x, floats, ints)
    return total


@kernel
def start(x: Vector, memory: Vector, floats: Vector, ints: Integers) -> None:
    """Fill the memory at the point `x`."""
    memory[KNOWN] = 0.0
    if x.shape[0] < ints[SPAN]:
        return
    try:
        all_terms(x, floats, ints, memory, places(memory, ints)[2], memory, TREE)
    except Exception:  # noqa: BLE001
        return
    tree_fill(SUM, memory, TREE, ints[GROUPS])
    memory[KNOWN] = 1.0


# Moves


@kernel
def move(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> float:
    """Evaluate `x` with some coordinates replaced."""
    if coordinates.shape[0] == 1:
        before = x[coordinates[0]]
        x[coordinates[0]] = values[0]
        total, raised = moved_one(x, memory, floats, ints, coordinates[0])
        x[coordinates[0]] = before
    else:
        total, raised = moved_some(x, memory, floats, ints, coordinates, values)
    if raised:
        raise RuntimeError("a term raised an exception")  # which one is seen by evaluating the point
    return total


@kernel
def moved_one(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinate: int) -> tuple[float, bool]:
    """Evaluate `x`, of which one coordinate is new."""
    if memory[KNOWN] == 0.0:
        return whole(x, floats, ints)
    if coordinate >= ints[SPAN]:
        return tree_root(memory, TREE, ints[GROUPS]), False
    first = ints[TERMS] + ints[ints[OCCURS] + coordinate]
    end = ints[TERMS] + ints[ints[OCCURS] + coordinate + 1]
    return with_terms(x, memory, floats, ints, ints, first, end)


@kernel
def moved_some(
    x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector
) -> tuple[float, bool]:
    """Evaluate `x` with some coordinates replaced; put them back."""
    kept = exchange(x, coordinates, values)
    if memory[KNOWN] == 0.0:
        result = whole(x, floats, ints)
    else:
        which = touched(memory, ints, coordinates)
        result = with_terms(x, memory, floats, ints, which, 0, which.shape[0])
    exchange(x, coordinates, kept)
    return result


@kernel
def with_terms(
    x: Vector, memory: Vector, floats: Vector, ints: Integers, which: Integers, first: int, end: int
) -> tuple[float, bool]:
    """Return the sum with the terms ``which[first:end]`` evaluated anew, and whether one raised an exception."""
    groups = ints[GROUPS]
    terms, spare, variables = places(memory, ints)
    try:
        some_terms(x, floats, ints, which, first, end, memory, variables, terms)
    except Exception:  # noqa: BLE001
        return math.nan, True
    if end == first + 1:
        return tree_try(SUM, memory, TREE, groups, which[first], memory[terms]), False
    if few(end - first, groups):
        for k in range(first, end):
            memory[spare + k - first] = memory[TREE + which[k]]
            tree_set(SUM, memory, TREE, groups, which[k], memory[terms + k - first])
        total = tree_root(memory, TREE, groups)
        for k in range(first, end):
            tree_set(SUM, memory, TREE, groups, which[k], memory[spare + k - first])
        return total, False
    changed = memory[spare : spare + groups]
    for k in range(groups):
        changed[k] = peek(memory, TREE + k)
    for k in range(first, end):
        changed[which[k]] = memory[terms + k - first]
    return fold(SUM, changed, groups), False


@kernel
def few(terms: int, groups: int) -> bool:
    """Tell whether it is cheaper to replace terms one by one than to add up all terms."""
    return terms * levels(groups) * LEVEL_COST < groups


@kernel
def touched(memory: Vector, ints: Integers, coordinates: Integers) -> Integers:
    """Return the terms that some coordinates touch, each once.

    ``memory[seen + k]`` says where term `k` is in the list. It is believed only if the term is there, so it does not
    matter what the space held before.
    """
    most = 0
    for i in coordinates:
        if i < ints[SPAN]:
            most += ints[ints[OCCURS] + i + 1] - ints[ints[OCCURS] + i]
    found = np.empty(min(most, ints[GROUPS]), dtype=np.int64)
    seen = places(memory, ints)[0]
    n = 0
    for i in coordinates:
        if i < ints[SPAN]:
            for at in range(ints[ints[OCCURS] + i], ints[ints[OCCURS] + i + 1]):
                group = ints[ints[TERMS] + at]
                place = memory[seen + group]
                if not (0.0 <= place < n and found[int(place)] == group):
                    memory[seen + group] = n
                    found[n] = group
                    n += 1
    return found[:n]


@kernel
def exchange(x: Vector, coordinates: Integers, values: Vector) -> Vector:
    """Write values into `x` and return those that were there."""
    kept = np.empty(coordinates.shape[0])
    for k in range(coordinates.shape[0]):
        kept[k] = x[coordinates[k]]
        x[coordinates[k]] = values[k]
    return kept


@kernel
def commit(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> None:
    """Update the memory for a move; `x` itself is written by the caller afterwards."""
    kept = exchange(x, coordinates, values)
    if memory[KNOWN] == 0.0:
        start(x, memory, floats, ints)
    else:
        settle(x, memory, floats, ints, touched(memory, ints, coordinates))
    exchange(x, coordinates, kept)


@kernel
def settle(x: Vector, memory: Vector, floats: Vector, ints: Integers, which: Integers) -> None:
    """Evaluate some terms and write them into the tree."""
    groups = ints[GROUPS]
    terms, _, variables = places(memory, ints)
    try:
        some_terms(x, floats, ints, which, 0, which.shape[0], memory, variables, terms)
    except Exception:  # noqa: BLE001
        memory[KNOWN] = 0.0
        return
    if few(which.shape[0], groups):
        for k in range(which.shape[0]):
            tree_set(SUM, memory, TREE, groups, which[k], memory[terms + k])
    else:
        for k in range(which.shape[0]):
            memory[TREE + which[k]] = memory[terms + k]
        tree_fill(SUM, memory, TREE, groups)
