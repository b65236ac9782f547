from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def fast_disk(monkeypatch):
    """Nobody pulls the plug during these tests; processes of their own flush as users' do."""
    monkeypatch.setattr("ter.experiment.database.DURABILITY", "OFF")
