"""A benchmark function as data: a weighted sum of parts, packed into two flat arrays that one compiled program reads.

A part is a base function of some of the variables: take them out of x, subtract a shift, perhaps rotate, perhaps
transform each component, then apply the base function. Every function of the three suites is such a sum, so there is
one evaluator for all of them and each heuristic is compiled once.

Positions number the variables of all parts one after the other. A variable has one position in each part it belongs
to: none, one, or two where groups overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ter.benchmarks.by_address import SLOTS
from ter.benchmarks.definitions import Base, Transform
from ter.benchmarks.rotation import COLUMNS, ROWS, in_tiles, up
from ter.core.box import Vector
from ter.core.errors import InvalidArgument
from ter.core.ledger import Integers
from ter.objectives.tree import tree_size

__all__ = ["Layout", "Part"]


# Where things are in `ints`: addresses, a head, then one row per part, then the tables that the head points to.
DIMENSION: Final = SLOTS
PARTS: Final = SLOTS + 1
TOTAL: Final = SLOTS + 2  # positions of all parts, with padding
COORDINATES: Final = SLOTS + 3  # offset of: the coordinate of each position
PART_OF: Final = SLOTS + 4  # offset of: the part of each position
OCCURS: Final = SLOTS + 5  # offset of: where each coordinate's positions begin in the next table
POSITIONS: Final = SLOTS + 6  # offset of: positions, coordinate by coordinate
SHIFTS: Final = SLOTS + 7  # offset in `floats` of: the shift of each position
CONSTANTS: Final = SLOTS + 8  # offset in `floats` of: its constant (see `Part.constants`)
FACTORS: Final = SLOTS + 9  # offset in `floats` of: its factor of Lambda
SCRATCH: Final = SLOTS + 10  # offset in `memory` of: space for intermediate results
WIDEST: Final = SLOTS + 11  # columns of the largest rotation, padded; 0 if there is none
HEAD: Final = SLOTS + 12  # so many numbers before the rows of the parts

# A row of the table of parts.
BASE: Final = 0
TRANSFORM: Final = 1
BEGIN: Final = 2  # the part's first position
SIZE: Final = 3
FIRST_COORDINATE: Final = 4  # if its coordinates follow each other; otherwise -1
ROTATION: Final = 5  # offset of its matrix in `floats`, or -1
BLOCK: Final = 6  # positions per block (see `Part.block`)
MEMORY: Final = 7  # offset in `memory` of what moves need to know
SECOND_TREE: Final = 8  # offset in `memory` of the second channel's tree
ROW_LENGTH: Final = 9

# `floats` begins with the bias and the weights; `memory` with the parts' values.
BIAS: Final = 0
WEIGHTS: Final = 1

ALIGNED: Final = 8  # matrices begin at multiples of so many numbers
NOBODY: Final = -1  # the coordinate of a position that only fills a gap
SCRATCH_ARRAYS: Final = 6
SUMMED: Final = 32  # positions per block of Schwefel 1.2, of which each is summed up by itself
MOST_BLOCKS: Final = 62  # touched blocks are noted in the bits of an integer


UNTRANSFORMED: Final = int(Transform.NONE)
ROTATABLE: Final = (
    Base.SPHERE,
    Base.ELLIPTIC,
    Base.RASTRIGIN,
    Base.ACKLEY,
    Base.SCHWEFEL,
)  # sums of terms that vanish at zero


@dataclass(frozen=True, eq=False)
class Part:
    """A base function of some variables.

    Attributes
    ----------
    base : Base
    coordinates : array of int
        Which variables, in order; none twice.
    shift : array
        Subtracted from them.
    transform : Transform
    constants : array, optional
        One per component: for ELLIPTIC its coefficient, for GRIEWANK the factor inside the cosine, for SKEWED T_asy's
        exponent. Ones by default.
    factors : array, optional
        For SKEWED, Lambda's factor per component. Ones by default.
    rotation : matrix, optional
        Multiplied with the shifted variables as a column.
    weight : float
    """

    base: Base
    coordinates: Integers
    shift: Vector
    transform: Transform = Transform.NONE
    constants: Vector | None = None
    factors: Vector | None = None
    rotation: NDArray[np.float64] | None = None
    weight: float = 1.0

    def __post_init__(self) -> None:
        if self.rotation is not None and self.base not in ROTATABLE:
            raise InvalidArgument(f"a rotated part must be one of {[b.name for b in ROTATABLE]}, got {self.base.name}")
        if self.rotation is not None and self.size > COLUMNS * MOST_BLOCKS:
            raise InvalidArgument(
                f"a rotated part must have at most {COLUMNS * MOST_BLOCKS} variables, got {self.size}"
            )
        if self.base is Base.ROSENBROCK and (self.transform is not Transform.NONE or self.size < 2):
            raise InvalidArgument("Rosenbrock's function takes two variables or more, and no transformation")

    @property
    def size(self) -> int:
        """Number of variables."""
        return len(self.coordinates)

    @property
    def positions(self) -> int:
        """Positions it takes: a rotated part has some to spare, so that loops run over whole registers."""
        return self.size if self.rotation is None else up(self.size, COLUMNS)

    @property
    def block(self) -> int:
        """Positions that are recomputed together when one of them changes."""
        if self.rotation is not None:
            return COLUMNS
        return SUMMED * max(1, -(-self.size // (SUMMED * MOST_BLOCKS)))

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return -(-self.size // self.block)

    @property
    def channels(self) -> int:
        """Sums (or products) over the components that the base function is made of."""
        return 2 if self.base in (Base.ACKLEY, Base.GRIEWANK) else 1

    @property
    def memory(self) -> int:
        """Numbers that moves need to know about this part."""
        if self.rotation is not None:
            return self.blocks * up(self.size, ROWS)  # products of blocks of columns
        if self.base is Base.SCHWEFEL:
            return 2 * self.size  # components, and their sums from the beginning of a block
        return self.channels * tree_size(self.size)


@dataclass(frozen=True)
class Layout:
    """Parts packed into flat arrays.

    Attributes
    ----------
    dimension : int
    parts : sequence of Part
    bias : float
        Added to the weighted sum.
    """

    dimension: int
    parts: Sequence[Part]
    bias: float = 0.0

    @cached_property
    def begins(self) -> list[int]:
        """First position of each part, and the number of all positions, with padding."""
        return [0, *np.cumsum([part.positions for part in self.parts]).tolist()]

    def _at_positions(self, arrays: Sequence[NDArray[Any]], padding: float) -> NDArray[Any]:
        """Put one array per part together, with padding behind those of rotated parts."""
        pieces = []
        for part, array in zip(self.parts, arrays, strict=True):
            pieces += [np.asarray(array), np.full(part.positions - part.size, padding, dtype=np.asarray(array).dtype)]
        return np.concatenate(pieces)

    @property
    def memory(self) -> int:
        """Length of the memory: values, what moves need, and scratch."""
        return self._scratch + SCRATCH_ARRAYS * self.begins[-1] + len(self.parts)

    @property
    def _scratch(self) -> int:
        return len(self.parts) + sum(part.memory for part in self.parts)

    @cached_property
    def _rotations(self) -> tuple[list[int], list[Vector]]:
        """Offset of each part's matrix behind the constants, and the matrices; a shared one is there once."""
        offsets: list[int] = []
        found: dict[int, int] = {}
        packed: list[Vector] = []
        at = 0
        for part in self.parts:
            if part.rotation is None:
                offsets.append(-1)
                continue
            key = id(part.rotation)
            if key not in found:
                found[key] = at
                packed.append(in_tiles(part.rotation))
                packed.append(np.zeros(up(packed[-1].size, ALIGNED) - packed[-1].size))
                at += packed[-2].size + packed[-1].size
            offsets.append(found[key])
        return offsets, packed

    @cached_property
    def floats(self) -> Vector:
        """Bias, weights, shifts, constants, matrices."""
        head = [np.array([self.bias]), np.array([part.weight for part in self.parts])]
        shifts = self._at_positions([part.shift for part in self.parts], 0.0)
        constants = self._at_positions([_ones_unless(part.constants, part.size) for part in self.parts], 1.0)
        factors = self._at_positions([_ones_unless(part.factors, part.size) for part in self.parts], 1.0)
        gap = np.zeros(self._matrices - WEIGHTS - len(self.parts) - 3 * self.begins[-1])
        return np.concatenate([*head, shifts, constants, factors, gap, *self._rotations[1]])

    @property
    def _matrices(self) -> int:
        """Offset of the first matrix."""
        return up(WEIGHTS + len(self.parts) + 3 * self.begins[-1], ALIGNED)

    @cached_property
    def ints(self) -> Integers:
        """Head, rows of the parts, and the tables of positions."""
        positions, n_parts = self.begins[-1], len(self.parts)
        constants = WEIGHTS + n_parts
        head = np.zeros(HEAD, dtype=np.int64)
        head[DIMENSION], head[PARTS] = self.dimension, n_parts
        head[TOTAL] = positions
        head[COORDINATES] = HEAD + ROW_LENGTH * n_parts
        head[PART_OF] = head[COORDINATES] + positions
        head[OCCURS] = head[PART_OF] + positions
        head[POSITIONS] = head[OCCURS] + self.dimension + 1
        head[SHIFTS], head[CONSTANTS], head[FACTORS] = constants + positions * np.arange(3)
        head[SCRATCH] = self._scratch
        head[WIDEST] = max(part.positions if part.rotation is not None else 0 for part in self.parts)
        owners = np.repeat(np.arange(n_parts), [part.positions for part in self.parts])
        coordinates = self._at_positions([np.asarray(part.coordinates, dtype=np.int64) for part in self.parts], NOBODY)
        taken = np.flatnonzero(coordinates != NOBODY)
        occurs = np.concatenate([[0], np.cumsum(np.bincount(coordinates[taken], minlength=self.dimension))])
        by_coordinate = taken[np.argsort(coordinates[taken], kind="stable")]
        tables = [head, self._rows().ravel(), coordinates, owners, occurs, by_coordinate]
        return np.concatenate(tables).astype(np.int64)

    def _rows(self) -> Integers:
        rows = np.zeros((len(self.parts), ROW_LENGTH), dtype=np.int64)
        memory = len(self.parts)
        for k, part in enumerate(self.parts):
            coordinates = np.asarray(part.coordinates)
            follow = bool((np.diff(coordinates) == 1).all())
            rotation = self._rotations[0][k]
            rows[k, BASE], rows[k, TRANSFORM] = part.base, part.transform
            rows[k, BEGIN], rows[k, SIZE] = self.begins[k], part.size
            rows[k, FIRST_COORDINATE] = coordinates[0] if follow else -1
            rows[k, ROTATION] = -1 if rotation < 0 else self._matrices + rotation
            rows[k, BLOCK], rows[k, MEMORY] = part.block, memory
            rows[k, SECOND_TREE] = memory + part.memory // part.channels
            memory += part.memory
        return rows


def _ones_unless(given: Vector | None, size: int) -> Vector:
    return np.ones(size) if given is None else given
