"""A described function as a compiled objective, which compiles what its parts need and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from numba import types

from ter._jit import entry_of
from ter.benchmarks import (
    base_functions,
    block_products,
    by_address,
    evaluate,
    memory,
    moves,
    positions,
    rotation,
    term_trees,
    transforms,
)
from ter.benchmarks.by_address import Slot
from ter.benchmarks.definitions import Base, Transform
from ter.benchmarks.layout import Layout
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.objectives import tree
from ter.objectives.addresses import VALUE, Functions, address_of
from ter.objectives.compiled import CompiledObjective

__all__ = ["LayoutObjective"]

# What is called to evaluate a point: for parts of any kind, and for those that are rotated or not.
POINTS: dict[Slot, Any] = {
    by_address.EVALUATE: evaluate.evaluate,
    by_address.SHIFT: evaluate.shift_part,
    by_address.FINISH: evaluate.finish_alike,
}
ROTATED_POINTS: dict[Slot, Any] = {by_address.ROTATE: rotation.rotate}
UNROTATED_POINTS: dict[Slot, Any] = {by_address.FOLD: tree.fold}
SCHWEFEL_POINTS: dict[Slot, Any] = {
    by_address.SUM_BLOCKS: base_functions.sum_blocks,
    by_address.SQUARE_SUMS: base_functions.square_sums,
}
# What is called beside that for rows of points and for moves.
MOVES: dict[Slot, Any] = {
    by_address.EVALUATE_ROWS: evaluate.evaluate_rows,
    by_address.FILL_PART: memory.fill_part,
    by_address.COMMIT_MOVE: memory.commit_move,
    by_address.COMMIT_PART: memory.commit_part,
    by_address.POSITIONS_BY_PART: positions.positions_by_part,
    by_address.EVALUATE_MOVES: moves.evaluate_moves,
}
ROTATED_MOVES: dict[Slot, Any] = {
    by_address.ROTATE_PAIR: rotation.rotate_pair,
    by_address.ROTATE_KNOWN: block_products.rotate_known,
    by_address.MULTIPLY: block_products.multiply_part,
    by_address.TRY_ROTATED: moves.try_rotated,
}
UNROTATED_MOVES: dict[Slot, Any] = {
    by_address.NEW_TERMS: term_trees.new_terms,
    by_address.TRY_PART: moves.try_part,
    by_address.FILL_TREE: tree.tree_fill,
}
# What is called for a base function or a transformation.
TRANSFORMS: dict[int, Any] = {Transform.OSCILLATED: transforms.oscillate_all, Transform.SKEWED: transforms.skew_all}
TRANSFORMS_OF_ONE: dict[int, Any] = {
    Transform.OSCILLATED: transforms.oscillate_one,
    Transform.SKEWED: transforms.skew_one,
}
TERMS: dict[int, Any] = {
    Base.SPHERE: base_functions.sphere_terms,
    Base.ELLIPTIC: base_functions.elliptic_terms,
    Base.RASTRIGIN: base_functions.rastrigin_terms,
    Base.ACKLEY: base_functions.ackley_terms,
    Base.GRIEWANK: base_functions.griewank_terms,
    Base.MAXIMUM: base_functions.maximum_terms,
    Base.ROSENBROCK: base_functions.rosenbrock_terms,
}
TERMS_OF_ONE: dict[int, Any] = {
    Base.RASTRIGIN: base_functions.rastrigin_term,
    Base.ACKLEY: base_functions.ackley_term,
    Base.GRIEWANK: base_functions.griewank_term,
}

Kind = tuple[int, int, bool]  # of a part: its base function, its transformation, whether it is rotated


@dataclass(frozen=True, eq=False)
class LayoutObjective(CompiledObjective):
    """A function described by a layout.

    Its functions call others by their addresses, which are good in this process only. They are written into the
    constants before anybody sees those.

    Examples
    --------
    >>> import numpy as np
    >>> from ter.benchmarks.layout import Part
    >>> sphere = Layout(2, [Part(Base.SPHERE, np.arange(2), np.zeros(2))])
    >>> LayoutObjective.of(sphere)([3.0, 4.0])
    25.0
    """

    kinds: frozenset[Kind] = frozenset()

    @classmethod
    def of(cls, layout: Layout) -> LayoutObjective:
        """Make the objective of a layout; nothing is compiled yet."""
        return cls(
            evaluate.value,
            layout.floats,
            layout.ints,
            memory.start,
            moves.move,
            memory.commit,
            layout.memory,
            evaluate.values,
            moves.moves,
            kinds=frozenset((int(part.base), int(part.transform), part.rotation is not None) for part in layout.parts),
        )

    @property
    def data(self) -> tuple[Vector, Integers]:
        """The constants as flat arrays, with the addresses in place."""
        _ = self.functions
        return self._data

    @cached_property
    def functions(self) -> Functions:
        """The functions as compiled loops call them; they and what they call are compiled on first use."""
        self._write_addresses(called_for_points(self.kinds) | called_for_moves(self.kinds))
        return super().functions

    @cached_property
    def _entry(self) -> Callable[..., float]:
        """The function of one point: whoever only evaluates points need not wait for what moves need."""
        self._write_addresses(called_for_points(self.kinds))
        return entry_of(self.value, VALUE.signature.args)

    def _write_addresses(self, called: dict[Slot, Any]) -> None:
        for slot, function in called.items():
            self._data[1][slot.place] = address_of(function, types.FunctionType(slot.signature))


def called_for_points(kinds: frozenset[Kind]) -> dict[Slot, Any]:
    """Return what is called by address to evaluate a point with parts of these kinds."""
    called = dict(POINTS)
    for base, transform, rotated in kinds:
        called |= ROTATED_POINTS if rotated else UNROTATED_POINTS
        called |= SCHWEFEL_POINTS if base == Base.SCHWEFEL and not rotated else {}
        called |= _of_kind(by_address.TRANSFORM, TRANSFORMS, transform) | _of_kind(by_address.TERMS, TERMS, base)
    return called


def called_for_moves(kinds: frozenset[Kind]) -> dict[Slot, Any]:
    """Return what is called by address beside that for rows of points and for moves."""
    called = dict(MOVES)
    for base, transform, rotated in kinds:
        called |= ROTATED_MOVES if rotated else UNROTATED_MOVES
        if not rotated:
            called |= _of_kind(by_address.TRANSFORM_ONE, TRANSFORMS_OF_ONE, transform)
            called |= _of_kind(by_address.TERM, TERMS_OF_ONE, base)
    return called


def _of_kind(slot: Slot, functions: dict[int, Any], kind: int) -> dict[Slot, Any]:
    """Return the function of one kind, if there is one, in its slot."""
    return {slot._replace(place=slot.place + kind): functions[kind]} if kind in functions else {}
