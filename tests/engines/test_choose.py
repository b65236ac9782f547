from __future__ import annotations

import numba
import numpy as np
import pytest

import ter
from ter.engines.choose import choose_engine
from ter.engines.compiled import CompiledEngine
from ter.engines.python import MovingEngine, PythonEngine, VectorizedEngine
from tests.spies import COMPILED, MovingSpy, Spy, bowl

BOX = ter.box(-5, 5, dimension=3)


@pytest.mark.parametrize(
    ("fun", "vectorized", "engine"),
    [
        (Spy(BOX), False, PythonEngine),
        (Spy(BOX), True, VectorizedEngine),
        (MovingSpy(BOX), False, MovingEngine),
        (bowl, False, CompiledEngine),
        (COMPILED, False, CompiledEngine),
        (bowl, True, VectorizedEngine),
        (bowl.py_func, False, PythonEngine),
    ],
)
def test_each_kind_of_objective_gets_its_engine(fun, vectorized, engine):
    chosen = choose_engine(ter.Problem(fun, BOX, vectorized=vectorized), stop_at_failure=True)
    assert type(chosen) is engine


def test_a_numba_function_that_returns_a_whole_number_works():
    @numba.njit
    def count_positive(x):
        return (x > 0).sum()

    result = ter.minimize(count_positive, BOX, budget=60, rng=1)
    assert result.fun == (result.x > 0).sum() and isinstance(result.fun, float)


def test_a_numba_function_is_dressed_once():
    from ter.objectives.compiled import objective_of

    assert objective_of(bowl) is objective_of(bowl)
    assert objective_of(COMPILED) is COMPILED


def test_vectorized_objectives_get_blocks_of_bounded_size(monkeypatch):
    from ter.engines import python as module

    monkeypatch.setattr(module, "CHUNK_BYTES", 8 * 3 * 4)  # four rows
    sizes = []

    def fun(X):
        sizes.append(len(X))
        return (X * X).sum(axis=1)

    chunked = ter.minimize(fun, BOX, budget=300, rng=1, vectorized=True)
    assert max(sizes) == 4 and sum(sizes) == 300
    monkeypatch.undo()
    whole = ter.minimize(fun, BOX, budget=300, rng=1, vectorized=True)
    assert whole.x.tobytes() == chunked.x.tobytes() and max(sizes[-50:]) > 1


def test_an_exception_in_a_block_names_the_rows_it_stands_for(monkeypatch):
    from ter.engines import python as module

    monkeypatch.setattr(module, "CHUNK_BYTES", 8 * 3 * 4)

    def fun(X):
        if (X[:, 0] > 3.5).any():
            raise ValueError("block")
        return (X * X).sum(axis=1)

    x0 = np.zeros((10, 3))
    x0[5, 0] = 4.0
    result = ter.minimize(fun, BOX, budget=10, x0=x0, rng=1, vectorized=True, on_error="worst")
    assert [f.evaluation for f in result.failures] == [5, 6, 7, 8] and result.nfail == 4
    with pytest.raises(ValueError, match="block") as caught:
        ter.minimize(fun, BOX, budget=10, x0=x0, rng=1, vectorized=True)
    assert caught.value.ter_result.nfev == 8
