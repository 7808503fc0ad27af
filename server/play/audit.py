"""What admins did to accounts, campaigns and the server: written with each act, never changed, for admins to read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.play.context import Actor, AppContext, taken_from
from server.store.tables import AdminAct

CONSOLE = "console"
"""The actor of commands on the server's own machine."""
LISTED = 1000


@dataclass(frozen=True, slots=True)
class AdminActInfo:
    """What an admin did."""

    id: int
    at: datetime
    admin: str
    """The name of the account then, or ``console``."""
    act: str
    """``ban``, ``lift_ban``, ``approve``, ``close``, ``open``, ``rename``, ``campaign_delete``, ..."""
    about: str
    """The name of the account or campaign then."""
    note: str


def note(session: Session, by: Actor | None, act: str, about: str, now: datetime, note: str = "") -> None:
    """Write down what an admin does, in the transaction in which it is done; *by* None: on the machine itself."""
    user_id = by.user_id if by is not None and by.signed_in else None
    name = by.name if by is not None and by.signed_in else CONSOLE
    session.add(AdminAct(at=now, user_id=user_id, admin=name, act=act, about=about, note=note))


def listed(ctx: AppContext, *, most: int = LISTED) -> list[AdminActInfo]:
    """Return what admins did, the latest first."""
    with ctx.database.read() as session:
        rows = session.scalars(select(AdminAct).order_by(AdminAct.id.desc()).limit(most))
        return [taken_from(row, AdminActInfo) for row in rows]
