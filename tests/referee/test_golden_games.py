"""Games that another version of the referee recorded go on as they were: each act leads to the state it led to then.

One of each kind, recorded by the referee's first version, with its mission's file and dice. Seen to fail with a moment
of version 1 that outlasts the next act.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from server.missions import library
from server.play.archive.record_files import TABLE_FORMAT, read_file
from server.play.archive.table_record import verify

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("mission", list(library()))
def test_a_recorded_game_keeps_its_referee(mission: str) -> None:
    report = verify(read_file(GOLDEN / f"{mission}.table", TABLE_FORMAT))
    assert report.ok, report.first
    assert report.checked == report.total > 10
