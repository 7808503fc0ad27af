"""Campaigns and their seats: everything that is settled apart from the position itself."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, ForeignKeyConstraint, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables.base import CLUSTERED, Base, OfCampaign, new_id, one_of

STATUSES = ("open", "running", "paused", "finished", "archived", "deleted")
UNDER_WAY = ("running", "paused")
"""Statuses of campaigns in which a phase is open."""
NOT_FINISHED = ("open", *UNDER_WAY)
"""Statuses of campaigns that are not over."""
STAND_INS = ("", "defaults", "bot", "user")
OFFERS = ("gm", "partner", "successor")
GM_ROLES = ("partner", "successor")
VOTES = ("draw", "peace", "concede")
VOTE_OUTCOMES = ("", "carried", "refused", "lapsed", "withdrawn")
DERIVED = {"derived": True}
"""Marks columns that follow from other tables: files of records leave them out."""


class Campaign(Base):
    """A campaign: scenario, rules, options, dice, and where it stands.

    ``branch`` to ``position_edit`` are the pointer. Whatever opens or ends a phase, moves its deadline or changes the
    position writes it in the same transaction (:mod:`server.play.records.records`).
    """

    __tablename__ = "campaigns"
    __table_args__ = (one_of("status", *STATUSES), Index(None, "created_at", "id"))

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    name: Mapped[str]
    description: Mapped[str] = mapped_column(default="")
    status: Mapped[str] = mapped_column(default="open", index=True)
    """``open`` (players join), ``running``, ``paused``, ``finished``, ``archived`` or ``deleted``."""
    listed: Mapped[bool] = mapped_column(default=True)
    """Everyone finds it; otherwise only invited players do."""
    gm_user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    invite_hash: Mapped[str | None]
    """SHA-256 of the invitation code, hexadecimal; None: nobody is invited by code (:class:`InvitationCode`)."""
    invite_number: Mapped[int] = mapped_column(default=0, server_default="0")
    """How many codes there were; the code follows from this and the dice secret, so that the GM can read it again."""

    scenario_id: Mapped[str]
    board_digest: Mapped[str]
    ruleset_id: Mapped[str]
    ruleset_version: Mapped[str]
    ruleset_digest: Mapped[str]
    rules_version: Mapped[str]
    """Version of the engine it was created with; each phase has its own."""
    settings: Mapped[dict[str, Any]]
    """The engine's ``Settings``; see :func:`server.store.position.settings_to_json`."""
    options: Mapped[dict[str, Any]]
    """The server's: deadlines and their grid, time zone, anonymous seats, spectators, who is seen to be
    final, whether the GM may see orders, warnings before a deadline, stand-ins, ..."""

    dice_secret: Mapped[bytes]
    """The end of the hash chain (D-81); leaves the server only after the end."""
    link0: Mapped[str]
    """Link 0 of the chain, hexadecimal; published from the first day."""

    branch: Mapped[int] = mapped_column(default=1)
    """The branch that is played on."""
    phase_number: Mapped[int] = mapped_column(default=0)
    """The phase that is open, or the last one when it is over; 0 before the start."""
    turn: Mapped[int | None] = mapped_column(info=DERIVED)
    """Of that phase; None before the start."""
    phase: Mapped[str | None] = mapped_column(info=DERIVED)
    """Its kind."""
    deadline: Mapped[datetime | None] = mapped_column(info=DERIVED)
    """Of the open phase, as in its own row; None where none is open."""
    position_hash: Mapped[str | None] = mapped_column(info=DERIVED)
    """SHA-256 of the canonical state that is current, hexadecimal; None before the start."""
    position_chain: Mapped[str | None] = mapped_column(info=DERIVED)
    """The chain's hash at the record that holds it."""
    position_branch: Mapped[int | None] = mapped_column(info=DERIVED)
    position_phase: Mapped[int | None] = mapped_column(info=DERIVED)
    position_edit: Mapped[int | None] = mapped_column(info=DERIVED)
    """The record itself: a phase's, or with an edit the intervention of that number (``seq``)."""
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    paused_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    archived_at: Mapped[datetime | None]
    deleted_at: Mapped[datetime | None]
    """When it was marked deleted; it is gone for good when the grace is over."""
    revision: Mapped[int] = mapped_column(default=1)
    """Counts changes of what stands in this row and in the seats."""

    # Large, and rarely wanted: last, and loaded only when asked for.
    board: Mapped[dict[str, Any]] = mapped_column(deferred=True)
    """The map as the scenario gave it: columns, rows, terrain, names of places, start areas."""
    ruleset_data: Mapped[dict[str, Any] | None] = mapped_column(deferred=True)
    """The whole ruleset if it is the group's own; None for one that comes with the server."""


class Seat(OfCampaign):
    """A player's place in a campaign, and who sits there."""

    __tablename__ = "seats"
    __table_args__ = (
        UniqueConstraint("campaign_id", "number"),
        UniqueConstraint("campaign_id", "user_id"),
        one_of("stand_in", *STAND_INS),
        Index(
            "ix_seats_empty",
            "campaign_id",
            sqlite_where=text("user_id IS NULL"),
            postgresql_where=text("user_id IS NULL"),
        ),
    )

    player_id: Mapped[str] = mapped_column(primary_key=True)
    """The engine's player."""
    number: Mapped[int]
    """Seat order, from 1."""
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    """The player's account; None: nobody yet, or nobody any longer."""
    name: Mapped[str] = mapped_column(default="")
    """What the other players call the seat; with anonymous seats all they learn."""
    faction: Mapped[str | None]
    joined_at: Mapped[datetime | None]
    stand_in: Mapped[str] = mapped_column(default="")
    """The stand-in for missing orders: ``defaults`` (D-10), ``bot`` or ``user``; empty: the campaign's."""
    stand_in_user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    """The substitute, with ``user``."""
    holiday_until: Mapped[datetime | None]
    missed: Mapped[int] = mapped_column(default=0)
    """Deadlines missed so far."""
    missed_in_a_row: Mapped[int] = mapped_column(default=0)
    last_seen_at: Mapped[datetime | None]


class InvitationCode(Base):
    """Where an invitation code leads. It only says which campaign to ask: that row decides whether the code is good."""

    __tablename__ = "invitation_codes"
    __table_args__ = (CLUSTERED,)

    hash: Mapped[str] = mapped_column(primary_key=True)
    """SHA-256 of the code, hexadecimal."""
    campaign_id: Mapped[str] = mapped_column(index=True)


class Invitation(OfCampaign):
    """One user asked into a campaign by its GM."""

    __tablename__ = "invitations"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    made_at: Mapped[datetime]
    declined_at: Mapped[datetime | None]


class MailInvitation(Base):
    """Someone asked into a campaign by their mail address, before they have an account."""

    __tablename__ = "mail_invitations"
    __table_args__ = (UniqueConstraint("campaign_id", "email_key"),)

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    campaign_id: Mapped[str]
    email: Mapped[str]
    email_key: Mapped[str] = mapped_column(index=True)
    """The folded address."""
    made_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
    made_at: Mapped[datetime]
    declined_at: Mapped[datetime | None]
    """They want no such mails, of whatever campaign."""
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    """Whose address it is, once there is an account that has confirmed it."""


class SeatReader(OfCampaign):
    """An account that knew what a seat knows and does not any more: it takes no other seat of the campaign."""

    __tablename__ = "seat_readers"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    player_id: Mapped[str] = mapped_column(primary_key=True)
    """The seat they had or played as substitute; empty: they ran the campaign and saw everything."""
    until: Mapped[datetime]
    """When that ended, last."""


class Holiday(OfCampaign):
    """A time for which a player said to be away."""

    __tablename__ = "holidays"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    began_at: Mapped[datetime] = mapped_column(primary_key=True)
    ended_at: Mapped[datetime]
    """The end they named, or when they came back."""


class GameMaster(OfCampaign):
    """An account that runs a campaign beside its first GM, or takes it over when nobody runs it."""

    __tablename__ = "game_masters"
    __table_args__ = (one_of("role", *GM_ROLES),)

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    role: Mapped[str]
    """``partner`` (has the same rights) or ``successor`` (has none yet)."""
    since: Mapped[datetime]


class Vote(OfCampaign):
    """A proposal to end a campaign by agreement, and the players' answers; at most one is open in a campaign."""

    __tablename__ = "votes"
    __table_args__ = (one_of("about", *VOTES), one_of("outcome", *VOTE_OUTCOMES))

    number: Mapped[int] = mapped_column(primary_key=True)
    """From 1, one after the other."""
    about: Mapped[str]
    """``draw`` (all who are in share the victory), ``peace`` (victory points decide) or ``concede`` (to a player)."""
    winner: Mapped[str] = mapped_column(default="")
    """The player who wins by the others' concession."""
    proposed_by: Mapped[str]
    """The player."""
    why: Mapped[str] = mapped_column(default="")
    made_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    branch: Mapped[int]
    phase_number: Mapped[int]
    """The phase that was open."""
    answers: Mapped[dict[str, Any]]
    """By player whether they agree."""
    outcome: Mapped[str] = mapped_column(default="")
    """Empty: it is open."""
    closed_at: Mapped[datetime | None]


class Handover(OfCampaign):
    """A campaign that its GM offers to someone, and whether they took it over; at most one is open in a campaign."""

    __tablename__ = "handovers"
    __table_args__ = (one_of("role", *OFFERS),)

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    """The account that gets the offer."""
    made_at: Mapped[datetime]
    why: Mapped[str] = mapped_column(default="")
    accepted_at: Mapped[datetime | None]
    """When they took it over; None: the offer is open."""
    role: Mapped[str] = mapped_column(default="gm", server_default="gm")
    """The offered role: ``gm`` (to run it instead), ``partner`` (to run it together) or ``successor``."""


class RepeatedOrders(Base):
    """Orders of one kind of phase that a seat gives again each time, until its player cancels them."""

    __tablename__ = "repeated_orders"
    __table_args__ = (
        ForeignKeyConstraint(
            ["campaign_id", "player_id"], ["seats.campaign_id", "seats.player_id"], ondelete="CASCADE"
        ),
        CLUSTERED,
    )

    campaign_id: Mapped[str] = mapped_column(primary_key=True)
    player_id: Mapped[str] = mapped_column(primary_key=True)
    phase: Mapped[str] = mapped_column(primary_key=True)
    orders: Mapped[list[Any]]
    left_out: Mapped[list[Any]]
    """Those that were not possible when such a phase last opened, each with its reason and whether it has ended."""
    revision: Mapped[int] = mapped_column(default=1)
    updated_at: Mapped[datetime]


class AdvanceOrders(Base):
    """Orders left for a later phase, in case their player is away then."""

    __tablename__ = "advance_orders"
    __table_args__ = (
        ForeignKeyConstraint(
            ["campaign_id", "player_id"], ["seats.campaign_id", "seats.player_id"], ondelete="CASCADE"
        ),
        CLUSTERED,
    )

    campaign_id: Mapped[str] = mapped_column(primary_key=True)
    player_id: Mapped[str] = mapped_column(primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    phase: Mapped[str] = mapped_column(primary_key=True)
    orders: Mapped[list[Any]]
    revision: Mapped[int] = mapped_column(default=1)
    updated_at: Mapped[datetime]
