"""The admins' page of the server: its state, what waits, undelivered items, reports about people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.metadata import version

from sqlalchemy import ColumnElement, Select, func, select, text
from sqlalchemy.orm import Session

from server.play import audit, text_input
from server.play.accounts import second_factor
from server.play.agenda import DEADLINE
from server.play.audit import AdminActInfo
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, not_found
from server.play.operating import user_admin
from server.play.operating.user_admin import UserInfo
from server.play.schedule.downtime import last_beat
from server.store import migrate
from server.store.tables import AgendaRow, Campaign, Outbox, PersonReport, User, Webhook

SHOWN = 100
"""Rows of a list on a page."""
LISTED = 1000
"""Rows that programs get of what failed and what was reported, page by page."""


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """How the server stands."""

    version: str
    database: str
    """``sqlite`` or ``postgresql``."""
    database_bytes: int
    schema: str
    """Revision of the tables."""
    campaigns: dict[str, int]
    """How many there are, by status."""
    accounts: int
    bots: int
    failing: int
    """Deliveries that failed and were given up, or are tried again."""
    waiting: int
    webhooks_off: int
    reports: int
    """Reports of people that nobody has settled."""


@dataclass(frozen=True, slots=True)
class FailedDelivery:
    """A mail or webhook post that did not get there."""

    id: int
    kind: str
    about: str
    to: str
    """Name of the account, or the webhook's address."""
    campaign: str
    attempts: int
    error: str
    next_try: datetime | None
    """None: it was given up."""


@dataclass(frozen=True, slots=True)
class ReportShown:
    """A person's report about another."""

    id: str
    by: str
    about: str
    campaign_id: str | None
    campaign: str
    why: str
    quoted: str
    made_at: datetime
    settled_at: datetime | None
    note: str


LATE = timedelta(minutes=1)
"""How long a phase may be past its deadline until it counts as overdue."""
LATELY = timedelta(days=1)
KINDS = ("mail", "webhook", "push")


@dataclass(frozen=True, slots=True)
class Waiting:
    """Figures of one moment."""

    overdue: int
    """Open phases of running campaigns past their deadline."""
    waiting: Mapping[str, int]
    """Due items that are not sent, by kind."""
    failed: Mapping[str, int]
    """Items given up lately, by kind."""
    beat: datetime | None
    """When a ticker last lived; None: never."""


def status(ctx: AppContext, actor: Actor) -> ServerStatus:
    """Return how the server stands."""
    actor.require_admin()
    with ctx.database.read() as session:
        by_status = session.execute(
            select(Campaign.status, func.count()).group_by(Campaign.status).order_by(Campaign.status)
        ).all()
        people = (User.disabled_at.is_(None), User.bot_owner_id.is_(None))
        dialect = session.get_bind().dialect.name
        return ServerStatus(
            version("sealed-orders"),
            dialect,
            _size(session, dialect),
            migrate.current(ctx.database.url) or "",
            {str(name): int(count) for name, count in by_status},
            _count(session, select(func.count()).select_from(User).where(*people)),
            _count(session, select(func.count()).where(User.disabled_at.is_(None), User.bot_owner_id.is_not(None))),
            _count(session, select(func.count()).select_from(Outbox).where(*_FAILING)),
            _count(session, select(func.count()).select_from(Outbox).where(*_WAITING)),
            _count(session, select(func.count()).select_from(Webhook).where(Webhook.disabled_at.is_not(None))),
            _count(session, select(func.count()).select_from(PersonReport).where(PersonReport.settled_at.is_(None))),
        )


def failed_deliveries(ctx: AppContext, actor: Actor, *, maximum: int = SHOWN) -> list[FailedDelivery]:
    """Return what did not get there, the latest first."""
    actor.require_admin()
    with ctx.database.read() as session:
        rows = session.scalars(select(Outbox).where(*_FAILING).order_by(Outbox.id.desc()).limit(maximum)).all()
        return [_failed(session, row) for row in rows]


def try_again(ctx: AppContext, actor: Actor, outbox_id: int) -> None:
    """Have a delivery tried again now, also one that was given up."""
    actor.require_admin()
    with ctx.database.write() as session:
        row = session.get(Outbox, outbox_id)
        if row is None or row.sent_at is not None:
            raise not_found("delivery", outbox_id)
        row.failed_at, row.leased_until, row.due_at, row.attempts = None, None, ctx.now(), 0


def accounts(ctx: AppContext, actor: Actor, search: str = "", *, maximum: int | None = SHOWN) -> list[UserInfo]:
    """Return accounts whose name or address holds a text, by name."""
    actor.require_admin()
    wanted = search.casefold()
    found = user_admin.users(ctx)
    return [user for user in found if wanted in user.name.casefold() or wanted in (user.email or "").casefold()][
        :maximum
    ]


def account(ctx: AppContext, actor: Actor, user_id: str) -> UserInfo:
    """Return an account."""
    actor.require_admin()
    found = user_admin.users(ctx, user_id)
    if not found:
        raise not_found("user", user_id)
    return found[0]


def acts(ctx: AppContext, actor: Actor, *, maximum: int = SHOWN) -> list[AdminActInfo]:
    """Return what admins did, the latest first."""
    actor.require_admin()
    return audit.listed(ctx, most=maximum)


def reset_second_factor(ctx: AppContext, actor: Actor, user_id: str) -> None:
    """Take someone's second factor away, who lost their app and codes."""
    actor.require_admin()
    if not second_factor.reset(ctx, user_id):
        raise PlayError("conflict", "This account has no second factor.", field="user", value=user_id)
    with ctx.database.write() as session:
        audit.note(session, actor, "reset_second_factor", session.get_one(User, user_id).name, ctx.now())


def reports(ctx: AppContext, actor: Actor, *, maximum: int = SHOWN) -> list[ReportShown]:
    """Return reports of people, those nobody has settled first, the latest first."""
    actor.require_admin()
    with ctx.database.read() as session:
        order = (PersonReport.settled_at.is_not(None), PersonReport.made_at.desc(), PersonReport.id)
        return [_report(session, row) for row in session.scalars(select(PersonReport).order_by(*order).limit(maximum))]


def settle_report(ctx: AppContext, actor: Actor, report_id: str, note: str = "") -> None:
    """Note that a report was seen to, and for the other admins what was done."""
    actor.require_admin()
    written = text_input.lines(note, "note", 2000)
    with ctx.database.write() as session:
        row = session.get(PersonReport, report_id)
        if row is None:
            raise not_found("report", report_id)
        row.settled_at, row.settled_by, row.note = ctx.now(), actor.user_id, written
        about = session.get(User, row.about_user_id)
        audit.note(session, actor, "settle_report", about.name if about else "", ctx.now(), written)


# --- inside ---

_FAILING = (Outbox.sent_at.is_(None), Outbox.last_error != "")
_WAITING = (Outbox.sent_at.is_(None), Outbox.failed_at.is_(None))


def _count(session: Session, query: Select[int]) -> int:
    return session.scalar(query) or 0


def _size(session: Session, dialect: str) -> int:
    """Return how many bytes the database takes."""
    if dialect == "sqlite":
        pages, size = session.scalar(text("PRAGMA page_count")), session.scalar(text("PRAGMA page_size"))
        return int(pages or 0) * int(size or 0)
    return int(session.scalar(text("SELECT pg_database_size(current_database())")) or 0)


def _failed(session: Session, row: Outbox) -> FailedDelivery:
    payload = row.payload
    user = session.get(User, row.user_id) if row.user_id else None
    hook = session.get(Webhook, str(payload["webhook_id"])) if row.kind == "webhook" else None
    campaign = session.get(Campaign, row.campaign_id) if row.campaign_id else None
    return FailedDelivery(
        row.id,
        row.kind,
        str(payload.get("about") or payload.get("kind") or ""),
        hook.url if hook else user.name if user else str(payload.get("to", "")),
        campaign.name if campaign else "",
        row.attempts,
        row.last_error,
        None if row.failed_at else row.due_at,
    )


def _report(session: Session, row: PersonReport) -> ReportShown:
    campaign = session.get(Campaign, row.campaign_id) if row.campaign_id else None
    by, about = session.get_one(User, row.user_id), session.get_one(User, row.about_user_id)
    return ReportShown(
        row.id,
        by.name,
        about.name,
        row.campaign_id,
        campaign.name if campaign else "",
        row.why,
        row.quoted,
        row.made_at,
        row.settled_at,
        row.note,
    )


def waiting(ctx: AppContext) -> Waiting:
    """Return what waits now."""
    now = ctx.now()
    late = (AgendaRow.kind == DEADLINE, AgendaRow.at <= now - LATE)
    unsent = (Outbox.sent_at.is_(None), Outbox.failed_at.is_(None), Outbox.due_at <= now)
    with ctx.database.read() as session:
        overdue = select(func.count()).select_from(AgendaRow).where(*late)
        return Waiting(
            session.scalar(overdue) or 0,
            _by_kind(session, *unsent),
            _by_kind(session, Outbox.failed_at > now - LATELY),
            last_beat(session),
        )


def _by_kind(session: Session, *which: ColumnElement[bool]) -> dict[str, int]:
    counts = select(Outbox.kind, func.count()).where(Outbox.kind.in_(KINDS), *which).group_by(Outbox.kind)
    return dict.fromkeys(KINDS, 0) | dict(session.execute(counts).all())
