"""Forged records: whatever is changed in a record, ``verify`` refuses it, or says beforehand that nothing proves it.

With the table of ``tests/play/test_records.py``, which changes what the phases say, these are more than 60.
25 of the 40 here are accepted where ``first_flaw`` finds nothing, as it was before; the others held already.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from server.play.archive.verification import verify_record
from server.play.archive.verification_rows import NOT_COVERED
from tests.play.test_records import TAMPERING, Record, played, recorded

NOW = datetime(2031, 7, 1, tzinfo=UTC)
LATER, EARLIER = "2041-01-01T00:00:00+00:00", "2001-01-01T00:00:00+00:00"


@pytest.fixture(scope="module")
def record() -> Record:
    return recorded(played)


def _first(record: Record, table: str, **wanted: Any) -> Record:
    return next(row for row in record[table] if all(row[name] == value for name, value in wanted.items()))


def _set(table: str, name: str, value: Any, **wanted: Any) -> Callable[[Record], None]:
    return lambda record: _first(record, table, **wanted).update({name: value})


def _own(name: str, value: Any) -> Callable[[Record], None]:
    return lambda record: record["campaign"].update({name: value})


def _without(table: str, **wanted: Any) -> Callable[[Record], None]:
    return lambda record: record[table].remove(_first(record, table, **wanted))


def _none_of(table: str) -> Callable[[Record], None]:
    return lambda record: record[table].clear()


def _twice(table: str, **changed: Any) -> Callable[[Record], None]:
    return lambda record: record[table].append(record[table][0] | changed)


def _dice_in_the_open_phase(record: Record) -> None:
    place = next((row["branch"], row["number"]) for row in record["phases"] if row["resolved_at"] is None)
    roll = _first(record, "events", type="dice")
    record["events"].append(roll | {"branch": place[0], "phase_number": place[1], "seq": 0})


def _serials_out_of_order(record: Record) -> None:
    first, second = (_first(record, "salts", player_id="p1", serial=serial) for serial in (2, 3))
    first["serial"], second["serial"] = 3, 2


FORGERIES: dict[str, Callable[[Record], None]] = {
    "the scheme taken away": _none_of("campaign_dice"),
    "the scheme of before": _set("campaign_dice", "scheme", 1),
    "an unknown scheme": _set("campaign_dice", "scheme", 3),
    "two schemes": _twice("campaign_dice", scheme=1),
    "dice in the open phase": _dice_in_the_open_phase,
    "dice in a phase that is not there": _twice("events", phase_number=99),
    "dice on a branch that is not there": _twice("events", branch=9),
    "an event twice": _twice("events"),
    "serials out of order": _serials_out_of_order,
    "a serial left out": _set("salts", "serial", 40, player_id="p2", serial=1),
    "a salt twice": _twice("salts"),
    "a salt of nobody": _twice("salts", player_id="p9"),
    "a salt for a phase that is not there": _set("salts", "phase_number", 77, player_id="p1", serial=1),
    "a salt taken away": _without("salts", player_id="p1", serial=1),
    "orders of nobody": _twice("order_sets", player_id="p9"),
    "orders in a phase that is not there": _twice("order_sets", phase_number=99),
    "orders twice": _twice("order_sets"),
    "a standing in a phase that is not there": _twice("phase_standings", phase_number=99),
    "a standing taken away": _without("phase_standings", branch=1, phase_number=2),
    "all standings gone": _none_of("phase_standings"),
    "all interventions gone": _none_of("interventions"),
    "a rollback without a word": _without("interventions", kind="rollback"),
    "an advance without a word": _without("interventions", kind="advance"),
    "an intervention in a phase that is not there": _twice("interventions", phase_number=99),
    "a phase that ended before it began": _set("phases", "resolved_at", EARLIER, branch=1, number=2),
    "a phase that began before the one before": _set("phases", "opened_at", EARLIER, branch=1, number=3),
    "a phase in the future": _set("phases", "opened_at", LATER, resolved_at=None),
    "a salt in the future": _set("salts", "committed_at", LATER),
    "orders in the future": _set("order_sets", "updated_at", LATER),
    "an intervention in the future": _set("interventions", "made_at", LATER),
    "a branch in the future": _set("branches", "made_at", LATER),
    "an end in the future": _own("finished_at", LATER),
    "an end before the last phase": _own("finished_at", EARLIER),
    "no time of the end": _own("finished_at", None),
    "a beginning in the future": _own("started_at", LATER),
    "another branch": _own("branch", 1),
    "another phase number": _own("phase_number", 3),
    "a branch taken away": _without("branches", number=1),
    "a seat taken away": _without("seats", player_id="p4"),
    "another faction": _set("seats", "faction", "nobody", player_id="p4"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forgeries_are_refused(record: Record, name: str) -> None:
    changed = copy.deepcopy(record)
    FORGERIES[name](changed)
    assert changed != record
    first = verify_record(changed, now=NOW).first
    assert first is not None
    assert first.message


NOT_PROVEN: dict[str, Callable[[Record], None]] = {
    "the campaign's name": _own("name", "Another name"),
    "a seat's name": _set("seats", "name", "Another name"),
    "a reason": _set("interventions", "why", "Another reason."),
}


@pytest.mark.parametrize("name", NOT_PROVEN)
def test_what_nothing_proves_is_named(record: Record, name: str) -> None:
    """These verify, and the report says that nothing proves them."""
    changed = copy.deepcopy(record)
    NOT_PROVEN[name](changed)
    report = verify_record(changed, now=NOW)
    assert report.ok, report.first
    assert report.not_covered == NOT_COVERED
    assert len(NOT_COVERED) == 4


def test_the_table_is_long_enough(record: Record) -> None:
    assert verify_record(record, now=NOW).ok
    assert len(FORGERIES) + len(TAMPERING) >= 40
