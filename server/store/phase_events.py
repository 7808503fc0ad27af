"""The events of finished phases, in either format.

A phase's row has its events in one column, as lists of type, fields, readers, and whether the event is public. Earlier
versions kept a row for each event; those stay as they are, and are read, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session, undefer

from server.core.events import Event
from server.rules.codec import event_to_json
from server.store.tables import EventRow, Phase

WITH_EVENTS = undefer(Phase.events)
"""Option of a query for phases with their events."""


class EventLine(NamedTuple):
    """An event in ``Phase.events``: a list in this order."""

    type: str
    fields: dict[str, Any]
    to: list[str]
    """The players who can see the event."""
    public: bool


def column_of(events: Iterable[Event]) -> list[Any]:
    """Return events as ``Phase.events`` has them."""
    return [list(EventLine(**event)) for event in map(event_to_json, events)]


def events_of(session: Session, phases: Sequence[Phase]) -> dict[tuple[int, int], list[Event]]:
    """Return the events of finished phases of one campaign, by branch and number, as they happened."""
    found = {(phase.branch, phase.number): _events(phase.events or ()) for phase in phases}
    older = [phase for phase in phases if phase.events is None and phase.resolved_at is not None]
    for row in _rows(session, older):
        if (events := found.get((row.branch, row.phase_number))) is not None:
            events.append(Event(row.type, dict(row.fields), row.told, row.public))
    return found


def _events(column: Sequence[Sequence[Any]]) -> list[Event]:
    return [Event(line.type, line.fields, tuple(line.to), line.public) for line in map(EventLine._make, column)]


def _rows(session: Session, phases: Sequence[Phase]) -> Iterable[EventRow]:
    """Return the rows of events between the first and the last of some phases of each branch."""
    if not phases:
        return ()
    between: dict[int, tuple[int, int]] = {}
    for phase in phases:
        first, last = between.get(phase.branch, (phase.number, phase.number))
        between[phase.branch] = min(first, phase.number), max(last, phase.number)
    parts = [(EventRow.branch == branch) & EventRow.phase_number.between(*ends) for branch, ends in between.items()]
    query = select(EventRow).where(EventRow.campaign_id == phases[0].campaign_id, or_(*parts))
    return session.scalars(query.order_by(EventRow.branch, EventRow.phase_number, EventRow.seq))
