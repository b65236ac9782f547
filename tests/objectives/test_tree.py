"""Trees over terms: every level, and every change of a term, with the bits of the plain twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ter.objectives import tree
from ter.objectives.tree import MAX, PRODUCT, SUM, tree_size
from tests.from_python import from_python
from tests.naive import tree as naive

combine, fold, levels = from_python(tree.combine), from_python(tree.fold), from_python(tree.levels)
tree_fill, tree_root = from_python(tree.tree_fill), from_python(tree.tree_root)
tree_set, tree_try = from_python(tree.tree_set), from_python(tree.tree_try)

OPERATIONS = pytest.mark.parametrize("operation", [SUM, PRODUCT, MAX], ids=["sum", "product", "max"])
SIZES = range(1, 71)
AT = 3  # where the tree begins in its memory
BEHIND = 5  # numbers behind it that nobody may touch
CANARY = -12345.678

numbers = st.floats(-10.0, 10.0).map(lambda v: v + 0.0)  # which of 0 and -0 is the larger is nobody's business


def drawn(rng: np.random.Generator, n: int) -> list[float]:
    """Terms of both signs, with sums and products that round."""
    return rng.normal(0.0, 1.5, n).tolist()


def memory_of(terms: list[float]) -> np.ndarray:
    """Memory with the terms in their place and nothing above them yet."""
    memory = np.full(AT + tree_size(len(terms)) + BEHIND, CANARY)
    memory[AT : AT + len(terms)] = terms
    return memory


def filled(operation: int, terms: list[float]) -> np.ndarray:
    memory = memory_of(terms)
    tree_fill(operation, memory, AT, len(terms))
    return memory


def expected(operation: int, terms: list[float]) -> np.ndarray:
    """The memory that the twin would leave behind."""
    memory = memory_of(terms)
    memory[AT:-BEHIND] = np.concatenate(naive.levels(operation, terms))
    return memory


def root(operation: int, terms: list[float]) -> float:
    return naive.levels(operation, terms)[-1][0]


def replaced(terms: list[float], leaf: int, term: float) -> list[float]:
    return [*terms[:leaf], term, *terms[leaf + 1 :]]


def assert_tree(operation: int, terms: list[float]) -> None:
    """Fill, root and fold agree with the twin, bit for bit, and write nowhere else."""
    memory = filled(operation, terms)
    assert memory.tobytes() == expected(operation, terms).tobytes()
    assert tree_root(memory, AT, len(terms)) == root(operation, terms)
    space = memory_of(terms)
    assert fold(operation, space, AT, len(terms)) == root(operation, terms)
    assert (space[:AT] == CANARY).all() and (space[AT + len(terms) :] == CANARY).all()


def assert_change(operation: int, terms: list[float], leaf: int, term: float) -> None:
    """A changed term gives the tree of the changed terms; trying it changes nothing."""
    memory = filled(operation, terms)
    before = memory.tobytes()
    changed = replaced(terms, leaf, term)
    assert tree_try(operation, memory, AT, len(terms), leaf, term) == root(operation, changed)
    assert memory.tobytes() == before
    tree_set(operation, memory, AT, len(terms), leaf, term)
    assert memory.tobytes() == expected(operation, changed).tobytes()


@OPERATIONS
@pytest.mark.slow
def test_trees_of_all_sizes_are_those_of_the_twin(operation, rng):
    for n in SIZES:
        assert_tree(operation, drawn(rng, n))


@OPERATIONS
def test_every_term_of_every_size_can_be_replaced(operation, rng):
    for n in SIZES:
        terms, new = drawn(rng, n), drawn(rng, n)
        for leaf in range(n):
            assert_change(operation, terms, leaf, new[leaf])


@OPERATIONS
@given(st.lists(numbers, min_size=1, max_size=70))
def test_any_terms_give_the_tree_of_the_twin(operation, terms):
    assert_tree(operation, terms)


@OPERATIONS
@given(st.lists(numbers, min_size=1, max_size=70), st.data())
def test_a_tree_does_not_remember_what_was_there_before(operation, terms, data):
    memory = filled(operation, terms)
    changes = data.draw(st.lists(st.tuples(st.integers(0, len(terms) - 1), numbers), max_size=20))
    for leaf, term in changes:
        assert tree_try(operation, memory, AT, len(terms), leaf, term) == root(operation, replaced(terms, leaf, term))
        terms = replaced(terms, leaf, term)
        tree_set(operation, memory, AT, len(terms), leaf, term)
    assert memory.tobytes() == expected(operation, terms).tobytes()


def test_the_order_of_a_sum_can_be_seen():
    # By halves (1e16 - 1e16) + (1 + 1); one after the other it would be 1, since 1e16 + 1 rounds to 1e16.
    assert fold(SUM, np.array([1e16, 1.0, -1e16, 1.0]), 0, 4) == 2.0


def test_sizes_count_all_levels():
    for n in SIZES:
        found = naive.levels(SUM, [0.0] * n)
        assert tree_size(n) == sum(map(len, found))
        assert levels(n) == len(found) - 1


def test_numbers_are_combined_by_sum_product_or_maximum():
    assert [combine(how, -3.0, 2.0) for how in (SUM, PRODUCT, MAX)] == [-1.0, -6.0, 2.0]
