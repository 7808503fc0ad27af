"""What a record's file holds and the database keeps otherwise: rows of events, all orders, snapshots that stand alone.

So a file reads the same whichever version wrote it, and a program that checks it needs zlib and JSON only.
"""

from __future__ import annotations

import base64
from typing import Any

from server.store import phase_orders, snapshots
from server.store.phase_events import EventLine

Json = dict[str, Any]


def spread_rows(record: Json) -> None:
    """Turn the rows of phases and events, as they came from the database, into those of a file."""
    known: dict[tuple[int, int], bytes] = {}
    handed_in = _handed_in(record)
    for phase in sorted(record["phases"], key=_place):
        branch, number = _place(phase)
        if phase["orders"] is not None:
            phase["orders"] = phase_orders.resolved(phase["orders"], handed_in.get((branch, number), {}))
        told = phase.pop("events") or ()
        for seq, line in enumerate(map(EventLine._make, told)):
            event = {"type": line.type, "fields": line.fields, "told": line.to, "public": line.public}
            record["events"].append({"branch": branch, "phase_number": number, "seq": seq} | event)
        if phase["snapshot"] is not None:
            known = {(branch, number): _state(phase["snapshot"], known.get((branch, number - 1)))}
            phase["snapshot"] = _text(snapshots.pack_plain(known[branch, number]))
    record["events"].sort(key=lambda event: (event["branch"], event["phase_number"], event["seq"]))
    for edit in record["interventions"]:
        if edit["snapshot"] is not None:
            edit["snapshot"] = _text(snapshots.pack_plain(_state(edit["snapshot"], None)))


def with_rows_packed(record: Json) -> Json:
    """Return a record with the rows of phases and events as the database keeps them."""
    told: dict[tuple[int, int], list[Any]] = {}
    for event in sorted(record["events"], key=lambda row: int(row["seq"])):
        line = EventLine(event["type"], event["fields"], event["told"], event["public"])
        told.setdefault((event["branch"], event["phase_number"]), []).append(list(line))
    phases, known = [], dict[tuple[int, int], bytes]()
    handed_in = _handed_in(record)
    for phase in sorted(record["phases"], key=_place):
        branch, number = _place(phase)
        kept = phase["snapshot"]
        if kept is not None:
            state = _state(kept, None)
            before = None if snapshots.stands_alone(number) else known.get((branch, number - 1))
            known, kept = {(branch, number): state}, _text(snapshots.pack(state, before))
        if phase["resolved_at"] is None:
            phases.append(phase | {"snapshot": kept, "events": None})
            continue
        sets = handed_in.get((branch, number), {})
        if None in phase["orders"].values():
            raise ValueError("orders that are none")
        as_handed_in = [player for player, given in phase["orders"].items() if given == sets.get(player)]
        orders = phase_orders.column_of(phase["orders"], as_handed_in)
        events = told.pop((branch, number), [])
        phases.append(phase | {"snapshot": kept, "orders": orders, "events": events})
    if told:
        raise ValueError("events of phases that are not finished")
    edits = [
        edit if edit["snapshot"] is None else edit | {"snapshot": _text(snapshots.pack(_state(edit["snapshot"], None)))}
        for edit in record["interventions"]
    ]
    return record | {"phases": phases, "events": [], "interventions": edits}


def _handed_in(record: Json) -> dict[tuple[int, int], dict[str, list[Any]]]:
    """Return the orders of the order sets by branch and phase, and player."""
    found: dict[tuple[int, int], dict[str, list[Any]]] = {}
    for row in record["order_sets"]:
        found.setdefault((row["branch"], row["phase_number"]), {})[row["player_id"]] = row["orders"]
    return found


def _place(phase: Json) -> tuple[int, int]:
    return int(phase["branch"]), int(phase["number"])


def _state(kept: str, before: bytes | None) -> bytes:
    return snapshots.unpack(base64.b64decode(kept, validate=True), before)


def _text(snapshot: bytes) -> str:
    return base64.b64encode(snapshot).decode()
