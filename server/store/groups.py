"""The two groups of tables, by which a database can grow over machines.

*Of a campaign*: the key begins with the campaign, unique keys hold it, and foreign keys stay within the campaign or go
to accounts. So all rows of a campaign can be on one machine, whichever it is. *Of the server*: all others, in one
place. They refer to campaigns by id alone, without a foreign key, so :func:`forget` takes the place of cascades.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Table, and_, bindparam, delete, update
from sqlalchemy.orm import Session

from server.store.tables import Base, Campaign, PersonReport

OF_SERVER = frozenset({
    "account_holds", "admin_acts", "agenda", "blocks", "idempotency_keys", "inbound_mails", "invitation_codes",
    "live_events", "mail_invitations", "memberships", "notification_settings", "outbox", "person_reports",
    "push_subscriptions", "rates", "second_factors", "server_values", "stories", "story_pictures", "streams",
    "table_acts", "table_armies", "table_battles", "table_beginnings", "table_games", "table_missions",
    "table_presence", "table_proposals", "table_results", "table_seats", "templates", "tokens", "users", "visits",
    "webhooks",
})  # fmt: skip
"""Tables of the server. Stories and games on the table are among them: most are looked for by their own id alone."""
OF_CAMPAIGN = frozenset(Base.metadata.tables) - OF_SERVER
_OUTLIVE = frozenset({"person_reports"})
"""Tables of the server whose rows stay when their campaign is gone, without it."""


def campaign_column(table: Table) -> str:
    """Return the column of a table of campaigns that holds the campaign."""
    return "id" if table.name == "campaigns" else "campaign_id"


GIVEN: Any = bindparam("of", expanding=True)
"""Ids of campaigns, in statements that are made once and executed with them as ``of``."""


def of_given(table: Any) -> ColumnElement[bool]:
    """Return the condition that rows are of a campaign of the statement, which is one of :data:`GIVEN`.

    A cluster asks all machines for a table unless the ids are said of this very table.
    """
    return and_(table.campaign_id == Campaign.id, table.campaign_id.in_(GIVEN))


def forget(session: Session, campaign_id: str) -> None:
    """Delete what tables of the server hold of a campaign that is gone. Reports to the operators stay, without it."""
    for table in reversed(Base.metadata.sorted_tables):
        if table.name in OF_SERVER - _OUTLIVE and "campaign_id" in table.columns:
            session.execute(delete(table).where(table.c.campaign_id == campaign_id))
    gone = {"campaign_id": None, "message_id": None}
    session.execute(update(PersonReport).where(PersonReport.campaign_id == campaign_id).values(gone))
