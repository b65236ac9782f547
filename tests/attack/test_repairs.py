"""Each repair that the campaign takes out is there to be taken out, and its tests are, too."""

import pytest

from tests.attack.repairs import REPAIRS, ROOT


@pytest.mark.parametrize("repair", REPAIRS, ids=lambda repair: repair.kept)
def test_a_repair_can_be_taken_out(repair):
    text = (ROOT / "src" / "ter" / repair.file).read_text(encoding="utf-8")
    assert repair.line in text and repair.without != repair.line
    assert all((ROOT / test.split("::")[0]).is_file() for test in repair.tests.split())
