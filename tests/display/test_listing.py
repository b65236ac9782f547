from __future__ import annotations

import numpy as np
import pytest

import ter
from ter.core.budget import Spent
from ter.core.failure import Failure


def test_a_result_prints_as_aligned_lines_in_the_order_of_scipy(make_result, actions):
    result = make_result(actions)
    lines = repr(result).splitlines()
    names = [line.split(":")[0] for line in lines]
    assert [name.strip() for name in names] == [
        "problem", "message", "success", "status", "fun", "x", "nfev", "nit", "spent", "heuristics", "seed",
    ]  # fmt: skip
    assert {len(name) for name in names} == {len("heuristics")}
    assert lines[4].endswith("fun: 1.0") and lines[-2].endswith("heuristics: ls1 60 %, cc 30 % of the evaluations")
    assert str(result) == repr(result)


def test_a_long_result_prints_short_and_in_ascii(make_result, actions):
    result = make_result(actions * 500, nfev=45_010)
    result.x = np.linspace(-1, 1, 1_000_000)
    text = repr(result)
    assert len(text) < 600 and text.isascii()
    assert "x: [-1.000e+00 -1.000e+00 ...  1.000e+00  1.000e+00] (1000000 variables)" in text


def test_a_value_keeps_all_its_digits(make_result):
    result = make_result()
    result.fun = 0.1 + 0.2
    assert "fun: 0.30000000000000004" in repr(result)
    result.fun = np.float64(np.inf)
    assert "fun: inf" in repr(result)


def test_costs_and_failures_are_printed_where_there_are_any(make_result):
    assert "nfail" not in repr(make_result()) and "cost" not in repr(make_result())
    result = make_result(failures=(Failure(3, ValueError("no"), "Traceback"),))
    result.spent = Spent(100, 2.0, 7.5)
    assert "nfail: 1" in repr(result) and "nonfinite: 1" in repr(result)
    assert "spent: 100 evaluations, 2 s, 7.5 cost" in repr(result)


@pytest.mark.parametrize("fields", [{}, {"x": [1.0, 2.0]}, {"fun": 2.0}, {"message": "none"}, {"seed": 1, "nit": 0}])
def test_a_result_with_few_fields_prints_what_it_has(fields):
    text = repr(ter.Result(**fields))
    assert all(f"{name}: " in text for name in fields)
    assert fields or text == "Result()"


def test_names_of_methods_can_be_completed(make_result):
    assert {"plot", "report", "summary", "sequence", "x", "fun"} <= set(dir(make_result()))


def test_compiling_is_told_when_it_took_long_enough_to_be_noticed(make_result):
    result = make_result()
    assert "compiling" not in repr(result)
    result.compile_seconds = 41.0
    assert "spent: 100 evaluations, 2 s, after 41 s of compiling" in repr(result)
    assert result.summary()["compile_seconds"] == 41.0
