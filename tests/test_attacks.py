"""A few tries of each campaign of ``tools.attack``; anybody may try more."""

from __future__ import annotations

from tools.attack import damage


def test_damaged_files_are_read_right_and_the_damage_named_or_they_are_refused():
    rows = damage.campaign(tries=40, seed=7)
    assert [example for row in rows for example in row["examples"]] == []
    assert sum(row["tries"] for row in rows) == 40 and {row["file"] for row in rows} == set(damage.KINDS)
    for outcome in ("unharmed", "named", "refused"):
        assert sum(row[outcome] for row in rows) > 0


def test_the_campaign_notices_what_is_wrong(monkeypatch):
    """Without checksums, swapped blobs are read as if nothing had happened."""
    monkeypatch.setattr("ter.experiment.seals._checksum", lambda where, name, values: b"")
    rows = damage.campaign(tries=20, seed=7)
    assert sum(row["wrong"] for row in rows) > 0
