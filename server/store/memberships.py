"""Memberships: the campaigns of an account, by a table that follows from the campaigns' own rows.

So lists of someone's campaigns ask for those campaigns alone, on whichever machines they are. It listens to every
session (:mod:`server.store.derived`), so whoever works on campaigns imports this: :mod:`server.play.access` does.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, Text, and_, bindparam, false, func, literal_column, select, union_all
from sqlalchemy import cast as as_type
from sqlalchemy.orm import Session

from server.store.derived import Derived, Key
from server.store.tables import (
    Branch,
    Campaign,
    Deadline,
    GameMaster,
    Handover,
    HexPin,
    Holiday,
    Intervention,
    Invitation,
    Membership,
    OrderSet,
    Seat,
    SeatReader,
    TurnNote,
)

RUN = frozenset({"gm", "partner"})
"""Roles of those who run a campaign."""
ORDER = frozenset({"player", "substitute"})
"""Roles of those who order for a seat."""
ASKED = frozenset({"invited", "offered"})
"""Roles of those who are asked to join, or to run it."""
NAMED = "named"

_ROLES: Sequence[tuple[Any, Any, tuple[Any, ...]]] = (
    ("gm", Campaign.gm_user_id, ()),
    (GameMaster.role, GameMaster.user_id, ()),
    ("player", Seat.user_id, ()),
    ("substitute", Seat.stand_in_user_id, ()),
    ("invited", Invitation.user_id, ()),
    ("offered", Handover.user_id, (Handover.accepted_at.is_(None),)),
    ("former", SeatReader.user_id, ()),
    *((NAMED, column, ()) for column in (
        Handover.user_id, Branch.made_by, Deadline.set_by, Intervention.made_by, OrderSet.updated_by, Holiday.user_id,
        TurnNote.user_id, HexPin.user_id,
    )),
)  # fmt: skip
"""The role that each column with an account stands for, and which of its rows count."""
COLUMNS = frozenset(str(column.property.columns[0]) for _, column, _ in _ROLES)
"""As ``table.column``."""

_CAUSES: Mapping[type[Any], tuple[str, ...]] = {
    Campaign: ("gm_user_id",), GameMaster: ("role",), Seat: ("user_id", "stand_in_user_id"), Invitation: (),
    Handover: ("accepted_at",), SeatReader: ("user_id",), Branch: ("made_by",), Deadline: ("set_by",),
    Intervention: ("made_by",), Holiday: (), TurnNote: (), HexPin: (),
}  # fmt: skip
"""The columns that memberships follow from. Not those of order sets: whoever writes one has another role."""


def _saying() -> Any:
    """Return the statement for what campaigns' rows say; it is executed with their ids as ``of``."""
    given: Any = bindparam("of", expanding=True)
    each = []
    for name, column, which in _ROLES:
        role = literal_column(f"'{name}'", Text) if isinstance(name, str) else name
        of = column.class_.id if column.class_ is Campaign else column.class_.campaign_id
        each.append(select(of, column, role).where(of.in_(given), column.is_not(None), *which).distinct())
    return union_all(*each)


_SAYING = _saying()


def entries(session: Session, campaign_ids: Sequence[str]) -> dict[Key, None]:
    """Return the memberships of some campaigns by their rows."""
    found: dict[Key, None] = {tuple(row): None for row in session.execute(_SAYING, {"of": campaign_ids})}
    others = {key[:2] for key in found if key[2] != NAMED}
    return {key: None for key in found if key[2] != NAMED or key[:2] not in others}


MEMBERSHIPS = Derived(Membership, _CAUSES, entries)
"""The table, and how it is written."""


def campaigns_of(session: Session, user_ids: Collection[str], roles: Collection[str] = ()) -> dict[str, set[str]]:
    """Return the campaigns that accounts have to do with (in these *roles*), in order, each with their roles."""
    found: dict[str, set[str]] = {}
    asked = {"users": list(user_ids), "roles": sorted(roles)}
    for campaign_id, role in session.execute(_IN_ROLES if roles else _ALL, asked):
        found.setdefault(campaign_id, set()).add(role)
    return found


def _of_users(*which: Any) -> Any:
    theirs = Membership.user_id.in_(bindparam("users", expanding=True))
    return select(Membership.campaign_id, Membership.role).where(theirs, *which).order_by(Membership.campaign_id)


_ALL, _IN_ROLES = _of_users(), _of_users(Membership.role.in_(bindparam("roles", expanding=True)))


def with_roles(found: Mapping[str, Collection[str]], roles: Collection[str]) -> list[str]:
    """Return those of :func:`campaigns_of` in which they have one of these roles."""
    return [campaign_id for campaign_id, has in found.items() if any(role in roles for role in has)]


def run_by(session: Session, user_ids: Collection[str]) -> ColumnElement[bool]:
    """Return the condition that one of these accounts is the first GM of a campaign."""
    return and_(among(session, Campaign.id, campaigns_of(session, user_ids, ["gm"])), Campaign.gm_user_id.in_(user_ids))


def among(session: Session, column: Any, campaign_ids: Collection[str]) -> ColumnElement[bool]:
    """Return the condition that a column holds one of these ids, however many they are.

    They are in the statement, so that a cluster asks only the machines that have those campaigns.
    """
    ids = list(campaign_ids)
    if not ids:
        return false()
    if session.connection().dialect.name == "postgresql":
        return column == func.any(as_type(ids, ARRAY(Text)))  # type: ignore[no-any-return]
    each = func.json_each(json.dumps(ids)).table_valued("value")
    return column.in_(select(each.c.value))  # type: ignore[no-any-return]
