"""The record: phases, their orders and events, deadlines, interventions, branches. Nothing here is ever rewritten."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, ForeignKeyConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables.base import CLUSTERED, Base, OfCampaign, OfPhase, PackedJson, StringList, one_of

WHY_RESOLVED = ("start", "all_final", "deadline", "gm")
DEADLINE_KINDS = ("rolling", "grid", "extended", "resumed", "gm")
_PHASE_KEY = ("phases.campaign_id", "phases.branch", "phases.number")


_BRANCH_KEY = ("branches.campaign_id", "branches.number")


def _of_phase() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["campaign_id", "branch", "phase_number"], _PHASE_KEY, ondelete="CASCADE")


class Branch(OfCampaign):
    """A branch. The first is 1; a rollback starts another (phases before it are the older branch's)."""

    __tablename__ = "branches"

    number: Mapped[int] = mapped_column(primary_key=True)
    from_branch: Mapped[int | None]
    """The branch it leaves; None for the first."""
    from_phase: Mapped[int | None]
    """The last phase they have in common."""
    made_at: Mapped[datetime]
    made_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    why: Mapped[str] = mapped_column(default="")
    abandoned_at: Mapped[datetime | None]
    """When play left it."""


class Phase(Base):
    """One phase: open while ``resolved_at`` is empty, a finished record from then on.

    Number 0 is the campaign's beginning, before Setup. Its key makes a second resolution of the
    same phase impossible: a process that resolves number n also inserts n + 1.
    """

    __tablename__ = "phases"
    __table_args__ = (
        ForeignKeyConstraint(["campaign_id", "branch"], _BRANCH_KEY, ondelete="CASCADE"),
        one_of("why", *WHY_RESOLVED),
    )

    campaign_id: Mapped[str] = mapped_column(primary_key=True)
    branch: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    turn: Mapped[int]
    phase: Mapped[str]
    opened_at: Mapped[datetime]
    deadline: Mapped[datetime | None]
    """The one in force, the last of :class:`Deadline`; None: waits without end, or is paused."""
    resolved_at: Mapped[datetime | None]
    resolved_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    """The GM who advanced; None for players and the clock."""
    why: Mapped[str | None]
    """``start``, ``all_final``, ``deadline`` or ``gm``."""
    took_ms: Mapped[int | None]
    """How long the rules took, in milliseconds."""
    link: Mapped[str | None]
    """The turn's link of the dice chain, hexadecimal; published when the turn is over (D-81)."""
    seed: Mapped[str | None]
    """Hexadecimal."""
    ruleset_digest: Mapped[str | None]
    rules_version: Mapped[str | None]
    state_hash: Mapped[str | None]
    """SHA-256 of the canonical state after the phase, hexadecimal."""
    chain_hash: Mapped[str | None]
    """The state's hash chained to the record before (phase or intervention)."""
    salts: Mapped[list[Any] | None] = mapped_column(deferred=True)
    """As they came with the order sets, in seat order."""
    orders: Mapped[dict[str, Any] | None] = mapped_column(PackedJson(), deferred=True)
    """Per player the orders as they were resolved; see :mod:`server.store.phase_orders`."""
    problems: Mapped[dict[str, Any] | None] = mapped_column(PackedJson(), deferred=True)
    """Per player what was refused."""
    events: Mapped[list[Any] | None] = mapped_column(PackedJson(), deferred=True)
    """What the rules reported, in the order in which it happened; see :mod:`server.store.phase_events`.

    None where an earlier version resolved the phase: then each event is a row of ``events``.
    """
    snapshot: Mapped[bytes | None] = mapped_column(deferred=True)
    """The canonical state after the phase, compressed; see :mod:`server.store.snapshots`."""


class EventRow(OfPhase):
    """A fact the rules reported, of a phase that an earlier version resolved; others have them in ``phases``."""

    __tablename__ = "events"
    __table_args__ = (_of_phase(), CLUSTERED)

    seq: Mapped[int] = mapped_column(primary_key=True)
    """Place within the phase, from 0."""
    type: Mapped[str]
    fields: Mapped[dict[str, Any]]
    told: Mapped[StringList]
    """The players who may know it, in seat order (``Event.to``)."""
    public: Mapped[bool] = mapped_column(default=False)


class PhaseStanding(OfPhase):
    """A player's standing after a phase, for charts."""

    __tablename__ = "phase_standings"
    __table_args__ = (_of_phase(), CLUSTERED)

    player_id: Mapped[str] = mapped_column(primary_key=True)
    vp: Mapped[int]
    hexes: Mapped[int]
    bp: Mapped[int]
    """In stores and convoys."""
    points: Mapped[int]
    """Of all units at full strength."""
    ready_points: Mapped[int]
    """Of all units, as they count in a fight (D-62)."""


class OrderSet(OfPhase):
    """The order set of a seat for a phase: a row for each living player from the phase's opening on."""

    __tablename__ = "order_sets"
    __table_args__ = (_of_phase(),)

    player_id: Mapped[str] = mapped_column(primary_key=True)
    wanted: Mapped[bool] = mapped_column(default=True)
    """The player has something to order."""
    revision: Mapped[int] = mapped_column(default=0)
    """0: nothing handed in yet; grows with each change."""
    final: Mapped[bool] = mapped_column(default=False)
    temporary: Mapped[bool] = mapped_column(default=False)
    """Counts at the deadline but does not bring it forward."""
    source: Mapped[str] = mapped_column(default="")
    """How it came: ``web``, ``api``, ``mail``, ``advance``, ``bot``, ``gm``, ``defaults``."""
    salt: Mapped[str] = mapped_column(default="")
    """Chosen by the player's side, goes into the seed (D-81)."""
    updated_at: Mapped[datetime | None]
    updated_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    orders: Mapped[list[Any]] = mapped_column(PackedJson(), default=list)
    missed: Mapped[bool] = mapped_column(default=False, server_default=false())
    """The deadline passed without them, and they count against the player (D-10)."""
    receipts: Mapped[bytes | None] = mapped_column(info={"later": True})
    """Hashes of the receipts before the last one, one after the other (:mod:`server.play.dice.receipts`)."""


class Deadline(OfPhase):
    """Each deadline a phase ever had, and why; the last one is in force."""

    __tablename__ = "deadlines"
    __table_args__ = (_of_phase(), one_of("kind", *DEADLINE_KINDS), CLUSTERED)

    seq: Mapped[int] = mapped_column(primary_key=True)
    due_at: Mapped[datetime | None]
    """None: waits without end."""
    kind: Mapped[str]
    set_at: Mapped[datetime]
    set_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    why: Mapped[str] = mapped_column(default="")


class Intervention(OfPhase):
    """What a GM did to a campaign by hand, shown to all; a link of the record's chain where it changed the position."""

    __tablename__ = "interventions"
    __table_args__ = (_of_phase(),)

    seq: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    """``edit``, ``extend``, ``advance``, ``replace_player``, ``battle``, ``pause``, ``handover``, ..."""
    made_at: Mapped[datetime]
    made_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    why: Mapped[str] = mapped_column(default="")
    public: Mapped[dict[str, Any]]
    """The public part."""
    details: Mapped[dict[str, Any]]
    """The edits exactly, so that they can be done again; for the GM, and for all after the end."""
    state_hash: Mapped[str | None]
    chain_hash: Mapped[str | None]
    snapshot: Mapped[bytes | None] = mapped_column(deferred=True)
