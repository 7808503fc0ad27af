"""Everything the server keeps of one person, as one document for that person. No secrets, and nothing of others."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, and_, select
from sqlalchemy.orm import Session

from server.play.context import Actor, AppContext
from server.store.groups import OF_CAMPAIGN, campaign_column
from server.store.memberships import among, campaigns_of
from server.store.tables import Base, MessageRecipient, Seat, StoryRow, User

OWNED: Mapping[str, str] = {
    "users": "id", "users.bots": "bot_owner_id", "tokens": "user_id", "second_factors": "user_id", "blocks": "user_id",
    "person_reports": "user_id", "templates": "user_id", "webhooks": "user_id", "notification_settings": "user_id",
    "outbox": "user_id", "seats": "user_id", "seats.stood_in": "stand_in_user_id", "invitations": "user_id",
    "handovers": "user_id", "campaigns": "gm_user_id", "branches": "made_by", "deadlines": "set_by",
    "interventions": "made_by", "order_sets": "updated_by", "table_games": "owner_user_id", "table_seats": "user_id",
    "table_armies": "user_id", "table_missions": "user_id", "turn_notes": "user_id", "hex_pins": "user_id",
    "push_subscriptions": "user_id", "stories": "user_id", "mail_invitations": "user_id",
    "mail_invitations.made": "made_by", "seat_readers": "user_id", "holidays": "user_id", "game_masters": "user_id",
    "admin_acts": "user_id", "memberships": "user_id", "account_holds": "user_id", "visits": "user_id",
}  # fmt: skip
"""Tables with rows of someone, and the column that says whose they are."""
OF_OTHERS: Mapping[str, str] = {
    "blocks.blocked_user_id": "who has blocked somebody is their own affair",
    "person_reports.about_user_id": "who has told the operators of somebody is not told them",
    "person_reports.settled_by": "what operators did with a report is not for who told it",
    "phases.resolved_by": "the same is in the interventions",
}
"""Columns that name someone in rows that are others', and why those are left out."""
ONLY: Mapping[str, Sequence[str]] = {
    "seats.stood_in": ("campaign_id", "player_id", "stand_in"),
    "mail_invitations": ("campaign_id", "email", "made_at", "declined_at"),
    "mail_invitations.made": ("campaign_id", "email", "made_at"),
}
"""Columns of rows that are mostly someone else's."""
LEFT_OUT = frozenset({
    "auth", "endpoint", "p256dh",
    "password_hash", "hash", "secret", "recovery", "last_step", "token_hash", "invite_hash", "dice_secret", "salt",
    "blocked_user_id", "about_user_id", "settled_by", "note",
    "name_skeleton", "receipts",
    "name_key", "email_key", "board", "ruleset_data", "snapshot", "events", "state_hash", "chain_hash", "details",
})  # fmt: skip
"""Columns that are left out: secrets, who others are, what operators wrote, whole positions, what is said twice."""

Json = dict[str, Any]


def gather(ctx: AppContext, actor: Actor) -> Json:
    """Return everything about the user's account and bots: one entry per table of the database, rows as objects.

    Times are in UTC (ISO 8601). Needs a session: a program's token is not enough for all of it.
    """
    actor.require_session(guests=True)
    with ctx.database.read() as session:
        mine = [actor.user_id, *session.scalars(select(User.id).where(User.bot_owner_id == actor.user_id))]
        theirs = campaigns_of(session, mine)
        found = {name: _rows(session, name, column, mine, theirs) for name, column in OWNED.items()}
        sits = (among(session, Seat.campaign_id, theirs), Seat.user_id.in_(mine))
        seats = session.scalars(select(Seat).where(*sits).order_by(Seat.campaign_id)).all()
        found |= _written_and_received(session, seats)
        pictures = Base.metadata.tables["story_pictures"]
        told = select(StoryRow.id).where(StoryRow.user_id.in_(mine))
        found["story_pictures"] = _of(session, pictures, pictures.c.story_id.in_(told))
    return {"made_at": ctx.now().isoformat(), "account": actor.name, "data": found}


# --- inside ---


def _rows(session: Session, name: str, column: str, mine: Sequence[str], campaigns: Collection[str]) -> list[Json]:
    table = Base.metadata.tables[name.partition(".")[0]]
    wanted: ColumnElement[bool] = table.c[column].in_(mine)
    if table.name in OF_CAMPAIGN:
        wanted &= among(session, table.c[campaign_column(table)], campaigns)
    return _of(session, table, wanted, ONLY.get(name))


def _of(session: Session, table: Table, wanted: ColumnElement[bool], only: Sequence[str] | None = None) -> list[Json]:
    columns = [column for column in table.c if column.name in (only or (column.name,)) and column.name not in LEFT_OUT]
    found = session.execute(select(*columns).where(wanted).order_by(*table.primary_key.columns))
    return [{name: _plain(value) for name, value in row.items()} for row in found.mappings()]


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return f"({len(value)} bytes)" if isinstance(value, bytes) else value


def _written_and_received(session: Session, seats: Sequence[Seat]) -> dict[str, list[Json]]:
    """Return what someone wrote, got and ordered in the seats they sit in, since they sat down there."""
    found: dict[str, list[Json]] = {name: [] for name in _OF_SEATS}
    for seat in seats:
        for name, (sender, at) in _OF_SEATS.items():
            table = Base.metadata.tables[name]
            here = table.c.campaign_id == seat.campaign_id
            theirs = table.c[sender] == seat.player_id
            if name == "messages":
                theirs |= table.c.id.in_(_got(seat))
            found[name] += _of(session, table, and_(here, theirs, table.c[at] >= seat.joined_at))
    return found


_OF_SEATS: Mapping[str, tuple[str, str]] = {
    "messages": ("sender", "sent_at"), "declarations": ("player_id", "made_at"),
    "advance_orders": ("player_id", "updated_at"), "battle_reports": ("reported_by", "reported_at"),
    "repeated_orders": ("player_id", "updated_at"),
}  # fmt: skip
"""Tables with rows of a seat: the column of the seat, and that of the time."""


def _got(seat: Seat) -> Select[str]:
    mine = (MessageRecipient.campaign_id == seat.campaign_id, MessageRecipient.player_id == seat.player_id)
    return select(MessageRecipient.message_id).where(*mine)
