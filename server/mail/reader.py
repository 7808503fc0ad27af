"""The reader of a notice: who they are, what they know, and what a notice to them comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from server.mail.letters import Part
from server.mail.translations import Translations
from server.play.campaigns import campaign_info, campaigns
from server.play.campaigns.campaign_info import CampaignInfo, SeatInfo
from server.play.context import Actor, AppContext
from server.play.notices.delivery import Item
from server.play.notices.posting import PermanentFailure
from server.play.notices.reply_tags import Tag
from server.play.views import positions
from server.render import translations as names
from server.render.naming import named
from server.store.tables import User

_PAGES = {
    "declaration": "/people", "battle_reported": "/battles", "battle_settled": "/battles", "table_opened": "/battles",
    "table_agreement": "/battles", "table_waits": "/battles",
}  # fmt: skip
"""Kinds with a page of their own, other than the campaign's first page."""


@dataclass(frozen=True, slots=True)
class NoticeMail:
    """What a notice comes to."""

    subject: str
    parts: tuple[Part, ...]
    action: tuple[str, str]
    answers: str = ""
    """Key of the notice it answers."""
    picture: bytes = b""
    """The map, as PNG."""
    calendar: bytes = b""
    """A date for calendar programs, as an iCalendar file."""
    in_reply_to: str = ""
    """The ``Message-ID`` of someone's mail that it answers."""
    tag: Tag | None = None
    """What an answer to it is an answer to; None: the seat's orders of the open phase."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader and the notification's facts."""

    ctx: AppContext
    actor: Actor
    t: Translations
    campaign: CampaignInfo
    """As the reader sees it."""
    data: Mapping[str, Any]
    """The notice's own: what to look at."""
    url: str
    """The campaign's page."""
    short: bool = False
    """Only the subject and the address are needed."""

    @classmethod
    def of(cls, ctx: AppContext, user: User, t: Translations, item: Item, *, short: bool = False) -> Reader:
        """Return the reader of a notice; who has lost a seat knows the campaign, even if it is not listed."""
        actor, data = Actor(user.id, user.name, session=True), dict(item.payload.get("data", {}))
        info = campaigns.get(ctx, actor, str(item.campaign_id), by_code=data.get("you") == "left")
        url = f"{ctx.settings.public_url.rstrip('/')}/campaigns/{quote(info.id)}"
        return cls(ctx, actor, t, info, data, url, short)

    @property
    def seat(self) -> SeatInfo | None:
        """The seat the reader orders for: their own, else the first one they stand in for."""
        own = self.campaign.your_seats[:1]
        return next((seat for seat in self.campaign.seats if seat.player_id in own), None)

    @property
    def stands_in(self) -> bool:
        """The seat is another's."""
        return self.seat is not None and self.seat.user != self.actor.name

    @property
    def seat_name(self) -> str:
        """What the reader plays."""
        if self.seat is None:
            return ""
        if not self.seat.faction:
            return self.seat.name
        rules = campaign_info.load(self.ctx, self.actor, self.campaign.id).ruleset
        faction = names.Translations(self.t.language).called(rules.factions[self.seat.faction].name)
        return self.t("happened.player", name=self.seat.name, faction=faction)

    @property
    def names(self) -> dict[str, str]:
        """What the reader calls the players."""
        return {seat.player_id: seat.name or seat.player_id for seat in self.campaign.seats}

    def told(self, sentence: str) -> str:
        """Return a sentence of the rules or of a use case in the reader's language."""
        return self.ctx.translate(self.t.language, sentence, self.known)

    def known(self, text: str) -> str:
        """Return what the reader calls a hex with a name of its own, or a player."""
        if not text.isdigit() or self.seat is None:
            return self.names.get(text, text)
        at = positions.position(self.ctx, self.actor, self.campaign.id, as_=self.seat.player_id)
        return named(at.view.state.board, self.names, text)

    def name(self, player: str | None) -> str:
        """Return what the reader calls a player, or the GM."""
        return self.t("message.game_master") if player is None else self.names.get(player, player)

    def phase(self) -> dict[str, Any]:
        """Return what sentences say of the open phase; it has to be open."""
        info = self.campaign
        if info.status not in ("running", "paused") or info.phase is None or info.turn is None:
            raise PermanentFailure("no phase is open any more")
        phase = self.t.name("phase", info.phase)
        stage = self.t("stage", turn=info.turn, phase=phase) if info.turn else phase
        return {"stage": stage} | self.due(info.deadline)

    def due(self, at: datetime | None) -> dict[str, Any]:
        """Return what sentences say of a deadline."""
        t = self.t
        return {} if at is None else {"due": t.soon(at), "when": t.when(at), "left": t.left(at)}

    def must_be_open(self) -> None:
        """Drop a notification about a phase that is over or a deadline that is stopped."""
        if self.campaign.status != "running" or self.campaign.phase_number != self.data["number"]:
            raise PermanentFailure("the phase is over")

    def said(self, kind: str, subject: dict[str, Any] | None = None, /, *more: Part, **text: Any) -> NoticeMail:
        """Return the plain sort of notice: a subject, a sentence, what else there is, and the way to the page."""
        filled = {"campaign": self.campaign.name} | text
        first = Part(self.t(f"{kind}.text", **filled))
        page = _PAGES.get(kind, "")
        look = (self.t(f"action.{page.strip('/') or 'look'}"), f"{self.url}{page}")
        return NoticeMail(self.t(f"{kind}.subject", **(subject or filled)), (first, *self.why(), *more), look)

    def why(self) -> tuple[Part, ...]:
        """Return the reason that the GM gave, if any."""
        given = self.data.get("why")
        return (Part(self.t("why.text", why=given)),) if given else ()

    def standing(self) -> tuple[Part, ...]:
        """Return everyone's victory points, the best first; nothing while nobody has any."""
        as_ = self.seat.player_id if self.seat is not None else None
        players = positions.position(self.ctx, self.actor, self.campaign.id, as_=as_).view.state.players.values()
        ranked = sorted(players, key=lambda player: -player.vp)
        if not any(player.vp for player in ranked):
            return ()
        return (Part(self.t("standing", standing=", ".join(f"{self.name(p.id)} {p.vp}" for p in ranked))),)
