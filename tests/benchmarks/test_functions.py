"""The values of the functions: against other programs at stored points, and against the definitions anywhere."""

from __future__ import annotations

import numpy as np
import pytest

import ter
from tests.benchmarks.suites import problem, random_points
from tests.naive import lso08, lso13
from tests.naive.splitmix import SplitMix
from tests.reference_points import FUNCTIONS, KINDS, dimension, points
from tests.reference_values import (
    DIGITS_TOLERANCE,
    REFERENCE,
    WRONG_IN_OPFUNU,
    data,
    read_json,
    reference,
    tolerance,
    values,
)

PUBLISHED = {(entry["suite"], entry["point"]): entry for entry in read_json(REFERENCE / "published.json")}
LARGEST_TOLERANCE = 1e-10  # what f10 of CEC'2013 needs far from its optimum; see tests/data/reference/README.md
ACKLEYS = (3, 6, 10)  # of CEC'2013
NEAR = 1e-3  # distance from the optimum, as a share of the range


def allowed(suite: str, n: int) -> float:
    return min(tolerance(suite, n), LARGEST_TOLERANCE)


def assert_close(found: np.ndarray, expected: np.ndarray, rtol: float, n: int) -> None:
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=0, err_msg=f"f{n}")


# other programs


def test_lso13_at_the_origin_has_the_values_in_the_tests_of_the_official_package():
    entry = PUBLISHED["lso13", "zero"]
    assert entry["source"] == "dmolina/cec2013lsgo, tests/test_bench.py" and len(entry["values"]) == 15
    for n in FUNCTIONS["lso13"]:
        found = problem("lso13", n)(np.zeros(dimension("lso13", n)))
        assert found == pytest.approx(entry["values"][f"f{n}"], rel=1e-12, abs=0), n


@pytest.mark.parametrize(("suite", "point"), [("lso13", "one"), ("lso10", "zero"), ("lso08", "zero")])
def test_published_values_of_other_projects(suite, point):
    entry = PUBLISHED[suite, point]
    # Those of CEC'2010 are for data in nine digits.
    rtol = float(DIGITS_TOLERANCE["zero"]) if suite == "lso10" else 1e-12
    for n in FUNCTIONS[suite]:
        size = entry["dimension"] if suite == "lso08" else dimension(suite, n)
        made = problem(suite, n, size if suite == "lso08" else None)
        found = made(np.full(size, {"zero": 0.0, "one": 1.0}[point]))
        assert found == pytest.approx(entry["values"][f"f{n}"], rel=rtol, abs=0), n


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("suite", FUNCTIONS)
def test_all_stored_points_have_their_values(suite, kind):
    # Those of CEC'2013 are the official code's, those of CEC'2008 opfunu's, those of CEC'2010 our twin's.
    for n in FUNCTIONS[suite]:
        rows = points(suite, n, data(suite))[kind]
        assert len(rows) == {"random": 1000 if suite == "lso13" else 100, "near": 60, "zero": 1}[kind]
        assert_close(problem(suite, n)(rows), reference(suite)[f"f{n}_{kind}"], allowed(suite, n), n)


@pytest.mark.parametrize("kind", KINDS)
def test_lso10_differs_from_opfunu_by_no_more_than_the_missing_digits(kind):
    for n in [n for n in FUNCTIONS["lso10"] if n not in WRONG_IN_OPFUNU]:
        found = problem("lso10", n)(points("lso10", n, data("lso10"))[kind])
        foreign = reference("lso10")[f"f{n}_{kind}_opfunu"]
        assert np.all(np.abs(found - foreign) <= DIGITS_TOLERANCE[kind] * np.abs(foreign)), n


# CEC'2008 in any dimension

INTERVALS = {1: (-100, 100), 2: (-100, 0), 3: (-90, 90), 4: (-5, 5), 5: (-600, 600), 6: (-30, 30)}  # as documented
OFFICIAL = 1000


def shift_by_the_documentation(n: int, size: int) -> np.ndarray:
    """The official shifts, and behind them those of the documented stream, drawn one after the other."""
    low, high = INTERVALS[n]
    stream = SplitMix(2008 * 100 + n)
    drawn = [low + (high - low) * stream.uniform() for _ in range(size)]
    return np.concatenate([data("lso08")[f"f{n}_shift"][:size], drawn[OFFICIAL:]])


@pytest.mark.parametrize("size", [2, 3, 100, 999, 1000, 1001, 2500, 10_000])
def test_lso08_in_any_dimension_is_its_definition(size):
    for n in FUNCTIONS["lso08"]:
        biased, unbiased = problem("lso08", n, size), problem("lso08-unbiased", n, size)
        shift = shift_by_the_documentation(n, size)
        far = random_points(biased, 5)
        near = shift + NEAR * (far - shift)
        for rows in (far, near):
            assert_close(biased(rows), np.array([lso08.evaluate(n, x, shift) for x in rows]), 1e-14, n)
            # Without the bias the rounding of what cancels near the optimum shows, in the twin.
            assert_close(unbiased(rows), np.array([lso08.BASE[n](x - shift) for x in rows]), 1e-12, n)


def test_lso08_is_shifted_within_the_intervals_of_its_official_shifts():
    for n, (low, high) in INTERVALS.items():
        official = data("lso08")[f"f{n}_shift"]
        drawn = shift_by_the_documentation(n, 10_000)[OFFICIAL:]
        for shifts in (official, drawn):
            assert low <= shifts.min() < low + 0.02 * (high - low)
            assert high - 0.02 * (high - low) < shifts.max() <= high


@pytest.mark.parametrize("n", FUNCTIONS["lso08"])
def test_a_smaller_problem_of_lso08_is_the_beginning_of_a_larger_one(n):
    largest = problem("lso08", n, 10_000).x_opt
    assert largest is not None
    for size in (2, 100, 1000, 1001, 2500):
        np.testing.assert_array_equal(problem("lso08", n, size).x_opt, largest[:size])
    # The stream counts variables from the first one, although it is used from the official ones on only.
    np.testing.assert_allclose(largest, shift_by_the_documentation(n, 10_000), rtol=1e-13, atol=1e-13)


def test_the_bias_is_all_that_the_unbiased_suite_leaves_out():
    for n in FUNCTIONS["lso08"]:
        biased, unbiased = problem("lso08", n), problem("lso08-unbiased", n)
        rows = random_points(biased, 20)
        np.testing.assert_array_equal(biased(rows), unbiased(rows) + lso08.BIAS[n])
        assert (biased.f_opt, unbiased.f_opt) == (lso08.BIAS[n], 0.0)


# Ackley's function without its transformations


@pytest.mark.parametrize("n", FUNCTIONS["lso13"])
def test_raw_ackley_changes_three_functions_only(n):
    official, raw = problem("lso13", n), problem("lso13-raw", n)
    rows = points("lso13", n, data("lso13"))["random"][:50]
    if n in ACKLEYS:
        assert np.all(np.abs(raw(rows) - official(rows)) > 1e-5 * official(rows))
    else:
        np.testing.assert_array_equal(raw(rows), official(rows))


@pytest.mark.parametrize("n", ACKLEYS)
@pytest.mark.parametrize("kind", KINDS)
def test_raw_ackley_has_the_values_of_its_twin(n, kind):
    rows = points("lso13", n, data("lso13"))[kind][:200]
    expected = np.array([lso13.evaluate(n, x, data("lso13"), raw_ackley=True) for x in rows])
    assert_close(problem("lso13-raw", n)(rows), expected, 1e-13, n)


@pytest.mark.parametrize("n", ACKLEYS)
def test_raw_ackley_is_found_by_either_name(n):
    named = ter.problem(f"lso13/f{n}", ackley="raw")
    rows = random_points(named, 3)
    np.testing.assert_array_equal(named(rows), problem("lso13-raw", n)(rows))
    np.testing.assert_array_equal(ter.problem(f"lso13/f{n}", ackley="official")(rows), problem("lso13", n)(rows))


# rows


@pytest.mark.parametrize("suite", FUNCTIONS)
def test_rows_have_the_bits_of_single_points(suite):
    for n in FUNCTIONS[suite]:
        made = problem(suite, n)
        rows = random_points(made, 5)
        assert made(rows).tolist() == [made(x) for x in rows]


def test_the_tolerances_can_tell():
    # A point that is off by a millionth has another value, by more than the tolerance.
    for suite in FUNCTIONS:
        for n in FUNCTIONS[suite]:
            made = problem(suite, n)
            x = points(suite, n, data(suite))["near"][:1]
            moved = x + 1e-6 * made.upper
            difference = abs(made(moved) / values(suite, n, x, data(suite)) - 1).item()
            assert difference > 10 * allowed(suite, n), made.name
