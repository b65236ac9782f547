from __future__ import annotations

import pytest

from ter.experiment.plan import Plan
from ter.experiment.runner import run_plan
from tests.experiment.helpers import results
from tests.experiment.processes import PLAN, stored


@pytest.fixture(scope="session")
def serial(tmp_path_factory):
    """What an undisturbed serial run of the plan of the kill tests gives."""
    folder = tmp_path_factory.mktemp("serial")
    (folder / "plan.toml").write_text(PLAN)
    plan = Plan.load(folder / "plan.toml")
    assert run_plan(plan, folder / "results.sqlite", workers=1).done
    found = results(stored(folder / "results.sqlite"))
    assert len(found) == 24
    return found


@pytest.fixture
def plan_file(tmp_path):
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path / "plan.toml"
