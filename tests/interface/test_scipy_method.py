"""``ter.scipy_method`` inside ``scipy.optimize.minimize``, used as SciPy's own methods are."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint
from scipy.optimize import minimize as scipy_minimize

import ter

X0 = np.full(6, 0.5)
BOX = [(-1, 1)] * 6


def sphere(x):
    return float((x**2).sum())


def solved(fun=sphere, x0=X0, bounds=BOX, options=None, **arguments):
    options = {"maxfev": 300, "rng": 1} if options is None else options
    return scipy_minimize(fun, x0, bounds=bounds, method=ter.scipy_method, options=options, **arguments)


def test_it_is_the_run_of_minimize_bit_for_bit():
    result = solved()
    own = ter.minimize(sphere, BOX, budget=300, rng=1, x0=X0)
    assert isinstance(result, ter.Result) and result.nfev == 300
    assert result.x.tobytes() == own.x.tobytes() and result.sequence == own.sequence


def test_further_arguments_reach_the_function():
    bound = solved(lambda x: 2 * sphere(x - 0.25))
    assert solved(lambda x, shift, scale: scale * sphere(x - shift), args=(0.25, 2)).x.tobytes() == bound.x.tobytes()
    assert solved(lambda x, shift: 2 * sphere(x - shift), args=0.25).x.tobytes() == bound.x.tobytes()


def test_bounds_of_one_number_are_for_all_variables():
    result = solved(lambda x: sphere(x - 3), bounds=Bounds(-1, 1))
    assert result.x.shape == (6,) and result.x.max() <= 1


@pytest.mark.parametrize("name", ["maxfev", "maxfun", "budget"])
def test_the_budget_has_the_names_that_scipy_uses(name):
    assert solved(options={name: 123, "seed": 1}).nfev == 123


def test_options_reach_the_run(capfd):
    result = solved(options={"maxfev": 3000, "seed": 7, "f_target": 0.5, "heuristics": ["cc"], "disp": True})
    assert (result.seed, result.heuristics, result.status) == (7, ("cc",), ter.StopReason.TARGET)
    assert "ter: sphere, D = 6" in capfd.readouterr().err


def test_callbacks_are_called_as_scipy_calls_them():
    results, points = [], []
    solved(callback=lambda intermediate_result: results.append(intermediate_result.fun))
    solved(callback=lambda xk: points.append(xk))
    assert len(results) == len(points) > 3
    assert [sphere(x) for x in points] == results


def test_a_callback_without_a_signature_gets_the_point():
    class Unknown:
        def __init__(self):
            self.seen = []

        @property
        def __signature__(self):
            raise ValueError("no signature found")

        def __call__(self, x):
            self.seen.append(x.shape)

    callback = Unknown()
    solved(callback=callback)
    assert set(callback.seen) == {(6,)}


@pytest.mark.parametrize("answer", [True, np.True_, StopIteration])
def test_a_callback_ends_the_run(answer):
    def callback(xk):
        if answer is StopIteration:
            raise StopIteration
        return answer

    result = solved(callback=callback)
    assert result.status == ter.StopReason.CALLBACK and result.nit == 1


@pytest.mark.parametrize("answer", [1, "on", np.ones(2)])
def test_what_a_callback_returns_by_chance_does_not_end_the_run(answer):
    assert solved(callback=lambda xk: answer).nfev == 300


@pytest.mark.parametrize("name", ["jac", "hess", "hessp"])
def test_derivatives_are_not_used_and_a_warning_at_the_call_says_so(name):
    with pytest.warns(RuntimeWarning, match=rf"does not use derivatives \({name}\)") as caught:
        result = solved(**{name: lambda x, *_: 1 / 0})
    assert result.nfev == 300
    assert [warning.filename for warning in caught] == [__file__]


def test_a_function_that_returns_its_gradient_too_is_minimised():
    with pytest.warns(RuntimeWarning, match="jac"):
        result = solved(lambda x: (sphere(x), 2 * x), jac=True)
    assert result.x.tobytes() == solved().x.tobytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"constraints": {"type": "eq", "fun": sphere}}, r"constraints must be left out .* it knows bounds only"),
        ({"constraints": [LinearConstraint(np.eye(6), 0, 1)]}, "constraints must be left out"),
        ({"options": {"maxiter": 5}}, "unknown option of ter.scipy_method 'maxiter'; .*Valid names: .*budget.* maxfev"),
        ({"tol": 1e-6, "options": {"maxfev": 5}}, "unknown option of ter.scipy_method 'tol'"),
        ({"options": {"maxfev": 5, "x0": X0}}, "x0"),
        ({"options": {}}, r"options must limit the run, got neither .*write for example options=\{'maxfev': 10_000\}"),
        (
            {"options": {"maxfev": 5, "budget": 6}},
            "say each thing once, got 'maxfev' and 'budget', which mean the same",
        ),
        ({"options": {"maxfev": 5, "workers": 0}}, "workers must be >= 1"),
        ({"callback": 3}, "callback must be callable, got int"),
        ({"bounds": None}, "bounds must be given, got None"),
        ({"bounds": [(0, None)] * 6}, "upper bounds must be finite, got None at variable 0"),
        ({"bounds": Bounds()}, "lower bounds must be finite, got -inf at variable 0"),
        ({"bounds": [(1, 2)] * 6}, "x0 must lie in the box"),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, dict) else "",
)
def test_what_it_cannot_do_is_refused_before_anything_is_evaluated(arguments, message):
    calls = []
    with pytest.raises((ter.InvalidArgument, TypeError), match=message):
        solved(calls.append, **arguments)
    assert not calls
