"""Records made before the rules' readings changed verify as they were.

``records/first-readings.sealed``: four computer players, half of their orders drawn at random, ten turns, made with
the program as it was before there were versions of the readings. It has battles by dice and on the table, worn
detachments, retreats, withdrawals, transfers, an edit and a rollback. It is exported while the campaign runs.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from server.play.record_files import read_file
from server.play.verifying import verify, verify_record
from server.rules import versions
from server.rules.versions import FIRST, NEWEST, Readings
from server.rules.versions import readings as module

RECORD = Path(__file__).parent / "records" / "first-readings.sealed"


def test_an_old_record_verifies() -> None:
    report = verify(RECORD)
    assert report.ok, report.first
    assert report.checked == report.total == 44


def test_by_the_newest_readings_it_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the record holds what the readings decide: without the old ones verification fails."""
    monkeypatch.setitem(module.VERSIONS, 1, NEWEST)  # type: ignore[call-overload]
    report = verify(RECORD)
    assert report.first is not None
    assert report.first.what in ("events", "roll", "state", "problems", "standings")


def test_the_version_a_record_names_is_checked() -> None:
    record = read_file(RECORD)
    record["campaign"]["settings"]["readings"] = NEWEST.version
    first = verify_record(record).first
    assert first is not None
    assert "readings" in first.message


def test_each_version_has_its_number_and_every_switch_is_old_in_the_first() -> None:
    switches = [each.name for each in fields(Readings) if each.name != "version"]
    assert all(getattr(FIRST, each) is False for each in switches)
    assert all(getattr(NEWEST, each) is True for each in switches)
    assert [*versions.VERSIONS] == [each.version for each in versions.VERSIONS.values()]
