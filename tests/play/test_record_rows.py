"""What a record holds beside the chain is checked, too: players, settings, orders as handed in, charts, the end."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest

from server.play.archive.verification import verify_record
from tests.play.test_records import Record, phase, record, rows

__all__ = ["record"]


def _faction(record: Record) -> None:
    record["seats"][0]["faction"] = "chaos"


def _rule(record: Record) -> None:
    record["campaign"]["settings"]["turn_limit"] = 99


def _handed_in(record: Record) -> None:
    rows(record, "order_sets", 1, 3)[0]["orders"] = [{"type": "declare_alliance", "with": "p2"}]


def _chart(record: Record) -> None:
    rows(record, "phase_standings", 2, 5)[1]["bp"] += 1


def _chart_lost(record: Record) -> None:
    record["phase_standings"].remove(rows(record, "phase_standings", 1, 2)[0])


def _cut(record: Record) -> None:
    """The campaign is said to have ended earlier than it did."""
    last = _last(record)
    record["phases"].remove(phase(record, 2, last))
    record["campaign"]["phase_number"] = last - 1


def _cut_off(record: Record) -> None:
    record["phases"].remove(phase(record, 2, _last(record)))


def _stands_elsewhere(record: Record) -> None:
    record["campaign"]["phase_number"] = 3


def _left_elsewhere(record: Record) -> None:
    record["branches"][1]["from_phase"] += 1


def _last(record: Record) -> int:
    return int(max(each["number"] for each in record["phases"] if each["branch"] == 2))


@pytest.mark.parametrize(
    ("tamper", "what", "where"),
    [
        (_faction, "campaign", (1, 0)),
        (_rule, "campaign", (1, 0)),
        (_handed_in, "orders", (1, 3)),
        (_chart, "standings", (2, 5)),
        (_chart_lost, "standings", (1, 2)),
        (_cut, "campaign", None),
        (_cut_off, "campaign", None),
        (_stands_elsewhere, "campaign", None),
        (_left_elsewhere, "campaign", None),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_tampering_beside_the_chain_is_found(
    record: Record, tamper: Callable[[Record], None], what: str, where: tuple[int, int] | None
) -> None:
    changed = copy.deepcopy(record)
    tamper(changed)
    first = verify_record(changed).first
    assert first is not None
    assert first.what == what
    assert where is None or (first.branch, first.number) == where
