"""``ter.decompose``: arguments, budgets, failures, what is printed and drawn."""

from __future__ import annotations

import pickle
import signal

import numpy as np
import pytest

import ter
from ter.display.interactions import cells_of, order_of
from tests.decomposition.made import METHODS, Blocks

BLOCKS = Blocks([[0, 3, 5], [1, 2], [4], [6], [7]], 8)


def listed(found):
    return [g.tolist() for g in found.groups], found.separable.tolist(), found.undecided.tolist()


@pytest.mark.parametrize("method", METHODS)
def test_groups_separable_variables_and_evaluations_are_told(method):
    found = ter.decompose(BLOCKS, BLOCKS.box, method=method)
    assert listed(found) == ([[0, 3, 5], [1, 2]], [4, 6, 7], [])
    assert found.complete and found.status is None and found.message == "every variable was looked at"
    assert found.nfev == found.spent.evaluations and (found.nfev == 37) == (method == "dg2")
    assert listed(pickle.loads(pickle.dumps(found))) == listed(found)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"workers": 2}, marks=pytest.mark.slow),
        {"workers": map},
        {"vectorized": True},
        {"on_error": "worst"},
    ],
)
def test_workers_and_rows_give_the_same(method, more):
    fun = BLOCKS.rows if "vectorized" in more else BLOCKS
    one, other = ter.decompose(BLOCKS, BLOCKS.box, method=method), ter.decompose(fun, BLOCKS.box, method=method, **more)
    assert listed(other) == listed(one) and other.nfev == one.nfev


@pytest.mark.parametrize("method", METHODS)
def test_a_budget_is_never_exceeded_and_what_is_known_is_said(method):
    whole, calls = ter.decompose(BLOCKS, BLOCKS.box, method=method), []
    for budget in range(1, whole.nfev):
        calls.clear()
        found = ter.decompose(lambda x: calls.append(0) or BLOCKS(x), BLOCKS.box, method=method, budget=budget)
        assert found.nfev == len(calls) == budget and not found.complete
        assert found.status is ter.StopReason.BUDGET and found.message == "the budget is used up"
        assert sorted(order_of(found).tolist()) == list(range(8))
        assert all(any(set(g) <= set(of) for of in whole.groups) for g in found.groups)


@pytest.mark.parametrize("method", METHODS)
def test_what_is_separable_so_far_is_separable_in_the_end(method):
    whole = ter.decompose(BLOCKS, BLOCKS.box, method=method)
    so_far = [ter.decompose(BLOCKS, BLOCKS.box, method=method, budget=n) for n in range(1, whole.nfev)]
    assert all(set(found.separable) <= set(whole.separable) for found in so_far)
    assert any(found.separable.size for found in so_far)


def test_a_group_that_is_still_growing_is_told():
    together = Blocks([list(range(8))], 8)
    whole = ter.decompose(together, together.box)
    sizes = [len(g) for n in range(1, whole.nfev) for g in ter.decompose(together, together.box, budget=n).groups]
    assert sizes and sizes == sorted(sizes) and 1 < sizes[0] < 8


def test_time_ends_it():
    assert ter.decompose(BLOCKS, BLOCKS.box, budget="1e-6 s").message == "the budget is used up"


@pytest.mark.parametrize("method", METHODS)
def test_ctrl_c_returns_what_is_known(method):
    calls = []

    def interrupted(x):
        calls.append(0)
        if len(calls) == 25:
            signal.raise_signal(signal.SIGINT)
        return BLOCKS(x)

    found = ter.decompose(interrupted, BLOCKS.box, method=method)
    assert found.status is ter.StopReason.INTERRUPTED and 25 <= found.nfev <= 26 and not found.complete
    assert found.message == "interrupted; what was known by then is returned"
    assert all(any(set(g) <= set(of) for of in ([0, 3, 5], [1, 2])) for g in found.groups)


@pytest.mark.parametrize("method", METHODS)
def test_an_exception_comes_out_with_what_is_known(method):
    calls = []

    def broken(x):
        calls.append(0)
        if len(calls) == 30:
            raise RuntimeError("no mesh")
        return BLOCKS(x)

    with pytest.raises(RuntimeError, match="no mesh") as caught:
        ter.decompose(broken, BLOCKS.box, method=method)
    found = caught.value.ter_result
    assert found.nfev == 30 and found.status is ter.StopReason.ERROR and found.groups


def test_values_that_are_not_finite_are_counted_and_told():
    found = ter.decompose(lambda x: np.nan if x[1] > 0 else float(x.sum()), ter.box(0, 1, dimension=3))
    assert listed(found) == ([], [0, 2], [1]) and found.nonfinite and not found.complete
    assert found.message == "some values were not finite"
    nothing = ter.decompose(lambda x: np.inf, ter.box(0, 1, dimension=3), method="dg2")
    assert nothing.message == "the value at the lower bounds is not finite, so nothing can be told"


def test_further_arguments_reach_the_function():
    found = ter.decompose(lambda x, a: float(x.sum() ** a), ter.box(0, 2, dimension=3), args=(2,))
    assert listed(found) == ([[0, 1, 2]], [], [])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"method": "dg"}, "unknown method 'dg'; did you mean 'dg2'"),
        ({"method": "dg2", "largest": 5}, "largest must be left out with dg2, which closes no group early, got 5"),
        ({"largest": 1}, "largest must be a whole number >= 2, got 1"),
        ({"budget": 0}, "evaluations must be a whole number >= 1"),
        ({"on_error": "ignore"}, "on_error must be 'raise' or 'worst'"),
        ({"workers": 0}, "workers must be >= 1"),
    ],
)
def test_bad_arguments_are_refused(words, told):
    with pytest.raises(ter.InvalidArgument, match=told):
        ter.decompose(BLOCKS, BLOCKS.box, **words)


# What is shown


def test_a_decomposition_prints_as_a_short_table():
    text = repr(ter.decompose(BLOCKS, BLOCKS.box, budget=15))
    assert [line.split(":")[0].strip() for line in text.splitlines()] == [
        "method", "message", "complete", "groups", "separable", "undecided", "nfev", "spent",
    ]  # fmt: skip
    assert "2 of 5 variables: 3, 2" in repr(ter.decompose(BLOCKS, BLOCKS.box))


def test_the_picture_holds_the_pairs_that_interact_group_by_group():
    found = ter.decompose(Blocks([[0, 2], [2, 3], [1], [4]], 5), ter.box(0, 2, dimension=5), method="dg2")
    assert order_of(found).tolist() == [0, 2, 3, 1, 4]
    expected = np.zeros((5, 5))
    expected[0, 1] = expected[1, 0] = expected[1, 2] = expected[2, 1] = 1.0
    assert np.array_equal(cells_of(found), expected)


@pytest.mark.parametrize("method", METHODS)
def test_a_thinned_picture_holds_shares_of_pairs(method):
    n = 60
    found = ter.decompose(
        Blocks([list(range(30)), *([i] for i in range(30, n))], n), ter.box(0, 2, dimension=n), method=method
    )
    cells = cells_of(found, cells=4)
    assert cells.tolist() == [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]


@pytest.mark.parametrize("method", METHODS)
def test_a_picture_is_drawn_and_saved(method, tmp_path):
    found = ter.decompose(BLOCKS, BLOCKS.box, method=method, budget=30)
    figure = found.plot(tmp_path / "pairs.png")
    (axes,) = figure.axes
    assert (tmp_path / "pairs.png").stat().st_size > 1000
    assert axes.get_title(loc="left").endswith("the budget is used up") and len(axes.patches) == len(found.groups)
    assert found.plot(ax=axes) is figure


def test_the_summary_is_plain_data():
    import json

    told = json.loads(json.dumps(ter.decompose(BLOCKS, BLOCKS.box).summary()))
    assert told["groups"] == [[0, 3, 5], [1, 2]] and told["separable"] == [4, 6, 7] and told["complete"]
