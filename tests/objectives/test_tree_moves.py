"""Several leaves of a tree replaced at once: the same bits as combining all terms again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ter.objectives import tree, tree_moves
from ter.objectives.tree import MAX, PRODUCT, SUM, tree_size
from tests.from_python import from_python

fold, tree_fill = from_python(tree.fold), from_python(tree.tree_fill)
tree_set_some, tree_try_some = from_python(tree_moves.tree_set_some), from_python(tree_moves.tree_try_some)
tree_try_two = from_python(tree_moves.tree_try_two)

AT = 3  # trees need not begin at the beginning


def planted(terms, operation):
    memory = np.full(AT + tree_size(len(terms)) + 2, np.pi)
    memory[AT : AT + len(terms)] = terms
    tree_fill(operation, memory, AT, len(terms))
    return memory


@pytest.mark.parametrize("operation", [SUM, PRODUCT, MAX])
@given(n=st.integers(1, 400), count=st.integers(0, 60), seed=st.integers(0, 2**32 - 1))
@pytest.mark.slow
def test_replacing_leaves_is_combining_again(operation, n, count, seed):
    rng = np.random.default_rng(seed)
    terms = rng.normal(size=n)
    leaves = rng.permutation(n)[:count]
    new = rng.normal(size=leaves.size)
    changed = terms.copy()
    changed[leaves] = new
    memory, expected = planted(terms, operation), planted(changed, operation)
    before = memory.copy()

    value = tree_try_some(operation, memory, AT, n, leaves, new, np.empty(n))
    assert value == fold(operation, changed.copy(), 0, n) == expected[AT + tree_size(n) - 1]
    assert memory.tobytes() == before.tobytes()

    tree_set_some(operation, memory, AT, n, leaves, new)
    assert memory.tobytes() == expected.tobytes()


@pytest.mark.parametrize("operation", [SUM, PRODUCT, MAX])
@given(n=st.integers(2, 300), seed=st.integers(0, 2**32 - 1))
def test_replacing_two_leaves_is_combining_again(operation, n, seed):
    rng = np.random.default_rng(seed)
    terms = rng.normal(size=n)
    memory = planted(terms, operation)
    for a, b in (rng.permutation(n)[:2], (0, n - 1), (n - 1, 0), (0, (n + 1) // 2)):
        new = rng.normal(size=2)
        changed = terms.copy()
        changed[[a, b]] = new
        assert tree_try_two(operation, memory, AT, n, a, new[0], b, new[1]) == fold(operation, changed, 0, n)
