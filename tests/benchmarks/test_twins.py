"""Our plain NumPy twins of the benchmark functions against values that other programs gave.

The compiled functions are tested against the twins and against the same values, so this is where an error in the
understanding of a definition would show.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from tests.reference_points import FUNCTIONS, KINDS, dimension, points
from tests.reference_values import (
    DIGITS_OF_OPFUNU,
    DIGITS_TOLERANCE,
    REFERENCE,
    TWINS,
    WRONG_IN_OPFUNU,
    Data,
    data,
    read_json,
    reference,
    rounded,
    tolerance,
    values,
)

PUBLISHED = read_json(REFERENCE / "published.json")
RIGHT_IN_OPFUNU = [n for n in FUNCTIONS["lso10"] if n not in WRONG_IN_OPFUNU]
# Enough to see any mistake, few enough to be quick; the build of the values compares all of the points.
RANDOM_POINTS = 100


@cache
def printed_lso10() -> Data:
    """The data of CEC'2010 in the digits of opfunu."""
    return rounded(data("lso10"), DIGITS_OF_OPFUNU)


def assert_twin_agrees(suite: str, n: int, given: Data, ending: str = "") -> None:
    for kind, rows in points(suite, n, data(suite)).items():
        expected = reference(suite)[f"f{n}_{kind}{ending}"][:RANDOM_POINTS]
        found = values(suite, n, rows[:RANDOM_POINTS], given)
        np.testing.assert_allclose(found, expected, rtol=tolerance(suite, n), atol=0)


@pytest.mark.parametrize("n", FUNCTIONS["lso13"])
def test_lso13_agrees_with_the_official_code(n):
    assert_twin_agrees("lso13", n, data("lso13"))


@pytest.mark.parametrize("n", FUNCTIONS["lso08"])
def test_lso08_agrees_with_opfunu(n):
    assert_twin_agrees("lso08", n, data("lso08"))


@pytest.mark.parametrize("n", RIGHT_IN_OPFUNU)
def test_lso10_in_nine_digits_agrees_with_opfunu(n):
    assert_twin_agrees("lso10", n, printed_lso10(), ending="_opfunu")


@pytest.mark.parametrize("n", FUNCTIONS["lso10"])
def test_lso10_gives_the_stored_values(n):
    assert_twin_agrees("lso10", n, data("lso10"))


@pytest.mark.parametrize("n", RIGHT_IN_OPFUNU)
@pytest.mark.parametrize("kind", KINDS)
def test_lso10_differs_from_opfunu_by_no_more_than_the_missing_digits(n, kind):
    exact, foreign = reference("lso10")[f"f{n}_{kind}"], reference("lso10")[f"f{n}_{kind}_opfunu"]
    assert np.all(np.abs(exact - foreign) <= DIGITS_TOLERANCE[kind] * np.abs(foreign))


@pytest.mark.parametrize("entry", PUBLISHED, ids=lambda entry: f"{entry['suite']}-{entry['point']}")
def test_twins_agree_with_values_in_the_tests_of_other_projects(entry):
    suite = entry["suite"]
    given = printed_lso10() if suite == "lso10" else data(suite)
    assert set(entry["values"]) == {f"f{n}" for n in FUNCTIONS[suite]}
    for n in FUNCTIONS[suite]:
        x = np.full(min(entry["dimension"], dimension(suite, n)), {"zero": 0.0, "one": 1.0}[entry["point"]])
        assert TWINS[suite](n, x, given) == pytest.approx(entry["values"][f"f{n}"], rel=tolerance(suite, n), abs=0)


@pytest.mark.parametrize("n", FUNCTIONS["lso10"])
def test_lso10_at_the_origin_is_published_up_to_the_missing_digits(n):
    published = next(entry["values"] for entry in PUBLISHED if entry["suite"] == "lso10")[f"f{n}"]
    found = TWINS["lso10"](n, np.zeros(1000), data("lso10"))
    assert found == pytest.approx(published, rel=float(DIGITS_TOLERANCE["zero"]), abs=0)
