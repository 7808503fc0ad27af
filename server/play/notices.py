"""Telling people what happened: in live streams, to webhooks, by mail; all written with what they tell of.

Nothing here holds what only some may know: a notice says where to look, never what is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from server.store import outbox
from server.store.live import News, publish
from server.store.tables import Campaign, NotificationSetting, Seat, Webhook

KINDS = (
    "campaign_started", "phase_opened", "deadline_near", "deadline_changed", "paused", "resumed", "intervention",
    "announcement", "rolled_back", "finished", "message", "declaration", "battle_reported", "battle_settled",
    "invited", "seat_changed", "new_readings", "missed_deadline", "gm_offered", "gm_declined", "gm_changed",
    "mail_bounced",
)  # fmt: skip
"""What people and webhooks may be told of."""
CHANNELS = ("mail", "webhook", "browser")
BY_MAIL = frozenset(
    {"campaign_started", "phase_opened", "deadline_near", "finished", "message", "invited", "gm_offered", "gm_declined",
     "gm_changed", "new_readings", "mail_bounced"}
)  # fmt: skip
"""What is mailed unless somebody has chosen otherwise."""

FIRST = ("setup", "build")
"""Phases a turn begins with."""
EACH_TURN = "each_turn"
"""No kind of notice: who has set it gets no mail of a phase but a turn's first."""
FOR_ORDERS = frozenset({"phase_opened", "deadline_near", "deadline_changed", "battle_reported", "battle_settled"})
"""What a substitute is told: he orders, he does not read letters."""


def public_topic(campaign_id: str) -> str:
    """Return the topic of what everybody may know."""
    return f"campaign/{campaign_id}/public"


def player_topic(campaign_id: str, player_id: str) -> str:
    """Return the topic of one seat."""
    return f"campaign/{campaign_id}/player/{player_id}"


def gm_topic(campaign_id: str) -> str:
    """Return the GM's topic."""
    return f"campaign/{campaign_id}/gm"


def user_topic(user_id: str) -> str:
    """Return the topic of an account."""
    return f"user/{user_id}"


def occasion(kind: str, to: str, campaign_id: str, key: str) -> str:
    """Return what a notice to somebody is called in the outbox, which takes nothing twice.

    The campaign is part of it: the same people may play in several.
    """
    return f"{kind}/{to}/{campaign_id}/{key}"


@dataclass(slots=True)
class Notices:
    """What one transaction has to tell. Call :meth:`send` once, at its end."""

    session: Session
    campaign: Campaign
    now: datetime
    _news: list[News] = field(default_factory=list)
    _public: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    _users: list[tuple[str, str, str, dict[str, Any]]] = field(default_factory=list)

    def everybody(self, kind: str, key: str, seats: Iterable[Seat] = (), **data: Any) -> None:
        """Tell everybody; *key* names the occasion in this campaign, so that nobody is told twice.

        *seats* are told by mail, too.
        """
        self._news.append(News(public_topic(self.campaign.id), kind, data))
        self._public.append((kind, key, data))
        for each in seats:
            self._to_seat(each, kind, key, data)

    def seat(self, seat: Seat, kind: str, key: str, **data: Any) -> None:
        """Tell one seat."""
        self._news.append(News(player_topic(self.campaign.id, seat.player_id), kind, data))
        self._to_seat(seat, kind, key, data)

    def game_master(self, kind: str, key: str, **data: Any) -> None:
        """Tell the GM."""
        self._news.append(News(gm_topic(self.campaign.id), kind, data))
        if self.campaign.gm_user_id is not None:
            self._to_user(self.campaign.gm_user_id, kind, key, data)

    def user(self, user_id: str, kind: str, key: str, **data: Any) -> None:
        """Tell somebody who has no seat yet."""
        self._to_user(user_id, kind, key, data)

    def quietly(self, kind: str, **data: Any) -> None:
        """Tell those who look just now, and nobody else."""
        self._news.append(News(public_topic(self.campaign.id), kind, data))

    def send(self) -> None:
        """Put everything into the outbox and the streams."""
        self._to_webhooks()
        self._to_users()
        publish(self.session, self._news, self.now)

    # --- inside ---

    def _to_seat(self, seat: Seat, kind: str, key: str, data: Mapping[str, Any]) -> None:
        """Tell who sits there; while he is away, or nobody sits there, his substitute what concerns orders."""
        if seat.user_id is not None:
            self._to_user(seat.user_id, kind, key, data)
        away = seat.user_id is None or (seat.holiday_until is not None and seat.holiday_until > self.now)
        substitute = seat.stand_in_user_id if away and seat.stand_in == "user" and kind in FOR_ORDERS else None
        if substitute is not None and not self._takes_part(substitute):
            self._to_user(substitute, kind, key, data)

    def _takes_part(self, user_id: str) -> bool:
        """Say whether somebody plays or runs the campaign: he stands in for nobody (:mod:`server.play.access`)."""
        sits = exists().where(Seat.campaign_id == self.campaign.id, Seat.user_id == user_id)
        return user_id == self.campaign.gm_user_id or bool(self.session.scalar(select(sits)))

    def _to_user(self, user_id: str, kind: str, key: str, data: Mapping[str, Any]) -> None:
        told = {"campaign_id": self.campaign.id} | dict(data)
        self._news.append(News(user_topic(user_id), kind, told))
        self._users.append((user_id, kind, key, told))

    def _to_webhooks(self) -> None:
        if not self._public:
            return
        mine = select(Webhook).where(Webhook.campaign_id == self.campaign.id, Webhook.disabled_at.is_(None))
        for hook in self.session.scalars(mine):
            for kind, key, data in self._public:
                if not hook.kinds or kind in hook.kinds:
                    self._put("webhook", hook.id, key, {"webhook_id": hook.id, "kind": kind, "data": data})

    def _to_users(self) -> None:
        ids = sorted({user_id for user_id, *_ in self._users})
        if not ids:
            return
        chosen = {
            (each.user_id, each.kind, each.channel): each.enabled
            for each in self.session.scalars(select(NotificationSetting).where(NotificationSetting.user_id.in_(ids)))
        }
        hooks: dict[str, list[Webhook]] = {}
        for hook in self.session.scalars(
            select(Webhook).where(Webhook.user_id.in_(ids), Webhook.disabled_at.is_(None)).order_by(Webhook.id)
        ):
            hooks.setdefault(str(hook.user_id), []).append(hook)
        for user_id, kind, key, data in self._users:
            rarely = (
                kind == "phase_opened" and chosen.get((user_id, EACH_TURN, "mail")) and data.get("phase") not in FIRST
            )
            if chosen.get((user_id, kind, "mail"), kind in BY_MAIL) and not rarely:
                self._put("mail", user_id, key, {"about": kind, "data": data}, user_id)
            if chosen.get((user_id, kind, "webhook"), True):
                for hook in hooks.get(user_id, ()):
                    if not hook.kinds or kind in hook.kinds:
                        payload = {"webhook_id": hook.id, "kind": kind, "data": data}
                        self._put("webhook", hook.id, key, payload, user_id)

    def _put(self, kind: str, to: str, key: str, payload: Mapping[str, Any], user_id: str | None = None) -> None:
        dedupe = occasion(kind, to, self.campaign.id, key)
        whole = {"campaign": self.campaign.name, "campaign_id": self.campaign.id} | dict(payload)
        outbox.put(self.session, kind, dedupe, whole, self.now, campaign_id=self.campaign.id, user_id=user_id)
