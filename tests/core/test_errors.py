from __future__ import annotations

import pytest

import ter
from ter.core.errors import AllowanceSpent


def test_errors_belong_to_the_builtin_families_users_expect():
    assert issubclass(ter.InvalidArgument, ValueError) and issubclass(ter.InvalidArgument, ter.TerError)
    assert issubclass(ter.UnknownName, ter.InvalidArgument)
    assert issubclass(ter.ObjectiveError, TypeError) and issubclass(ter.ObjectiveError, ter.TerError)
    assert issubclass(ter.MissingExtra, ImportError) and issubclass(ter.MissingExtra, ter.TerError)


def test_a_broad_except_cannot_swallow_the_end_of_an_allowance():
    assert not issubclass(AllowanceSpent, Exception)


def test_unknown_names_list_the_valid_ones_and_the_nearest():
    error = ter.UnknownName.among("heuristic", "shde", ["ls1", "cc", "shade"])
    assert str(error) == "unknown heuristic 'shde'; did you mean 'shade'? Valid names: cc, ls1, shade"
    assert "did you mean" not in str(ter.UnknownName.among("heuristic", "zzz", ["ls1"]))


def test_valid_names_are_listed_as_people_count():
    error = ter.UnknownName.among("problem", "f99", ["f10", "f2", "a10b2", "a9b3", "f1"])
    assert str(error).endswith("Valid names: a9b3, a10b2, f1, f2, f10")


def test_a_missing_extra_tells_what_to_install():
    error = ter.MissingExtra.named("plotly", "report", "the report")
    assert str(error) == "the report needs plotly, which is not installed; install it with: pip install 'ter[report]'"
    with pytest.raises(ImportError):
        raise error
