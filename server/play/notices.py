"""Telling people what happened: in live streams, to webhooks, by mail; all written with what they tell of.

Nothing here holds what only some may know: a notice says where to look, never what is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Update, bindparam, exists, literal, select, union_all, update
from sqlalchemy.orm import Session

from server.play import access
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.store import outbox
from server.store.live import News, publish
from server.store.tables import Campaign, NotificationSetting, Outbox, PushSubscription, Seat, Webhook

KINDS = (
    "campaign_started", "phase_opened", "deadline_near", "deadline_changed", "paused", "resumed", "intervention",
    "announcement", "rolled_back", "finished", "message", "declaration", "battle_reported", "battle_settled",
    "invited", "seat_changed", "new_readings", "missed_deadline", "gm_offered", "gm_declined", "gm_changed",
    "mail_bounced", "table_opened", "table_agreement", "table_waits", "orders_entered",
)  # fmt: skip
"""What people and webhooks may be told of."""
CHANNELS = ("mail", "webhook", "browser")
BY_MAIL = frozenset(
    {"campaign_started", "phase_opened", "deadline_near", "finished", "message", "invited", "gm_offered", "gm_declined",
     "gm_changed", "new_readings", "mail_bounced", "table_agreement", "table_waits", "orders_entered"}
)  # fmt: skip
"""What is mailed unless somebody has chosen otherwise."""

FIRST = ("setup", "build")
"""Phases a turn begins with."""
EACH_TURN = "each_turn"
"""No kind of notice: who has set it gets no mail of a phase but a turn's first."""
FOR_ORDERS = frozenset(
    {"phase_opened", "deadline_near", "deadline_changed", "battle_reported", "battle_settled", "table_opened",
     "table_agreement", "table_waits", "orders_entered"}
)  # fmt: skip
"""What a substitute is told: they order, they do not read letters."""


def public_topic(campaign_id: str) -> str:
    """Return the topic of what everybody may know."""
    return f"campaign/{campaign_id}/public"


def player_topic(campaign_id: str, player_id: str) -> str:
    """Return the topic of one seat."""
    return f"campaign/{campaign_id}/player/{player_id}"


def gm_topic(campaign_id: str) -> str:
    """Return the GM's topic."""
    return f"campaign/{campaign_id}/gm"


def finality_topic(campaign_id: str) -> str:
    """Return the topic of who is final where players are not to know."""
    return f"{gm_topic(campaign_id)}/finality"


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
    _public: list[tuple[str, str, dict[str, Any], bool]] = field(default_factory=list)
    _users: list[tuple[str, str, str, dict[str, Any]]] = field(default_factory=list)
    _posts: list[tuple[Webhook, outbox.Item]] = field(default_factory=list)

    def everybody(self, kind: str, key: str, seats: Iterable[Seat] = (), *, in_chats: bool = True, **data: Any) -> None:
        """Tell everybody; *key* names the occasion in this campaign, so that nobody is told twice.

        *seats* are told by mail, too. *in_chats* False: a channel hears nothing of it, programs do.
        """
        self._news.append(News(public_topic(self.campaign.id), kind, data))
        self._public.append((kind, key, data, in_chats))
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

    def channel(self, kind: str, key: str, **data: Any) -> None:
        """Tell the campaign's webhooks."""
        self._public.append((kind, key, data, True))

    def send(self) -> None:
        """Put everything into the outbox and the streams: a few statements, however many are told."""
        hooks = self._hooks()
        self._to_campaigns_webhooks(hooks)
        items = self._to_users(hooks)
        posts = {item.dedupe: (hook, item) for hook, item in self._posts}
        new = outbox.put_all(self.session, [*items, *(item for _, item in posts.values())], self.now)
        self._count_posts([(hook, item, new[key]) for key, (hook, item) in posts.items() if key in new])
        publish(self.session, self._news, self.now)

    # --- inside ---

    @property
    def _is_practice(self) -> bool:
        """True where one plays alone: they see it on the page, and are neither mailed nor pushed anything."""
        return bool(self.campaign.options.get("practice"))

    def _to_seat(self, seat: Seat, kind: str, key: str, data: Mapping[str, Any]) -> None:
        """Tell who sits there; while they are away, or nobody sits there, their substitute what concerns orders."""
        if seat.user_id is not None:
            self._to_user(seat.user_id, kind, key, data)
        away = seat.user_id is None or (seat.holiday_until is not None and seat.holiday_until > self.now)
        substitute = seat.stand_in_user_id if away and seat.stand_in == "user" and kind in FOR_ORDERS else None
        if substitute is not None and not self._takes_part(substitute):
            self._to_user(substitute, kind, key, data)

    def _takes_part(self, user_id: str) -> bool:
        """Say whether somebody plays or runs the campaign: they stand in for nobody (:mod:`server.play.access`)."""
        sits = exists().where(Seat.campaign_id == self.campaign.id, Seat.user_id == user_id)
        return user_id == self.campaign.gm_user_id or bool(self.session.scalar(select(sits)))

    def _to_user(self, user_id: str, kind: str, key: str, data: Mapping[str, Any]) -> None:
        told = {"campaign_id": self.campaign.id} | dict(data)
        self._news.append(News(user_topic(user_id), kind, told))
        self._users.append((user_id, kind, key, told))

    def _hooks(self) -> list[Webhook]:
        """Return the webhooks of the campaign and of the people who are told, by id."""
        ids = [] if self._is_practice else sorted({user_id for user_id, *_ in self._users})
        if not (ids or self._public):
            return []
        whose = Webhook.user_id.in_(ids) | (Webhook.campaign_id == self.campaign.id)
        return list(
            self.session.scalars(select(Webhook).where(whose, Webhook.disabled_at.is_(None)).order_by(Webhook.id))
        )

    def _to_campaigns_webhooks(self, hooks: Sequence[Webhook]) -> None:
        for hook in hooks:
            if hook.campaign_id is not None:
                for kind, key, data, in_chats in self._public:
                    if in_chats or hook.format != "discord":
                        self._to_webhook(hook, kind, key, data)

    def _to_webhook(self, hook: Webhook, kind: str, key: str, data: Mapping[str, Any]) -> None:
        if not hook.kinds or kind in hook.kinds:
            payload = {"webhook_id": hook.id, "kind": kind, "data": dict(data)}
            self._posts.append((hook, self._item("webhook", hook.id, key, payload, hook.user_id)))

    def _count_posts(self, posts: Sequence[tuple[Webhook, outbox.Item, int]]) -> None:
        """Number what each webhook is told; in the order of webhooks, so that transactions never block each other."""
        if not posts:
            return
        told: dict[str, list[tuple[outbox.Item, int]]] = {}
        for hook, item, row in sorted(posts, key=lambda post: post[0].id):
            told.setdefault(hook.id, []).append((item, row))
        connection = self.session.connection()
        connection.execute(_COUNT_POSTS, [{"hook": hook, "more": len(theirs)} for hook, theirs in told.items()])
        last = dict(self.session.execute(select(Webhook.id, Webhook.sequence).where(Webhook.id.in_(told))).all())
        numbered = [
            {"row": row, "whole": dict(item.payload) | {"sequence": last[hook] - len(theirs) + place}}
            for hook, theirs in told.items()
            for place, (item, row) in enumerate(theirs, 1)
        ]
        connection.execute(_NUMBER_POSTS, numbered)

    def _to_users(self, hooks: Sequence[Webhook]) -> list[outbox.Item]:
        """Return what is mailed and pushed to people; what their webhooks are told joins the other posts."""
        ids = sorted({user_id for user_id, *_ in self._users})
        if self._is_practice or not ids:
            return []
        chosen, browsers = self._chosen(ids)
        items: list[outbox.Item] = []
        for user_id, kind, key, data in self._users:
            rarely = (
                kind == "phase_opened" and chosen.get((user_id, EACH_TURN, "mail")) and data.get("phase") not in FIRST
            )
            wanted = data.get("downtime") or chosen.get((user_id, kind, "mail"), kind in BY_MAIL)
            if wanted and not rarely:
                items.append(self._item("mail", user_id, key, {"about": kind, "data": data}, user_id))
            if chosen.get((user_id, kind, "browser"), True):
                for browser in browsers.get(user_id, ()):
                    told = {"subscription_id": browser, "about": kind, "data": data}
                    items.append(self._item("push", browser, key, told, user_id))
            if chosen.get((user_id, kind, "webhook"), True):
                for hook in hooks:
                    if hook.user_id == user_id:
                        self._to_webhook(hook, kind, key, data)
        return items

    def _chosen(self, ids: Sequence[str]) -> tuple[dict[tuple[str, str, str], bool], dict[str, list[str]]]:
        """Return how people want to be told, and by account the browsers that are; in one statement."""
        each = NotificationSetting
        ways = select(each.user_id, each.kind, each.channel, each.enabled).where(each.user_id.in_(ids))
        theirs = select(PushSubscription.user_id, PushSubscription.id, literal("push"), literal(True))
        chosen: dict[tuple[str, str, str], bool] = {}
        browsers: dict[str, list[str]] = {}
        both = union_all(ways, theirs.where(PushSubscription.user_id.in_(ids)))
        for user_id, kind, channel, enabled in sorted(self.session.execute(both), key=tuple):
            if channel == "push":
                browsers.setdefault(user_id, []).append(kind)
            else:
                chosen[user_id, kind, channel] = bool(enabled)
        return chosen, browsers

    def _item(self, kind: str, to: str, key: str, payload: Mapping[str, Any], user_id: str | None) -> outbox.Item:
        dedupe = occasion(kind, to, self.campaign.id, key)
        whole = {"campaign": self.campaign.name, "campaign_id": self.campaign.id} | dict(payload)
        return outbox.Item(kind, dedupe, whole, campaign_id=self.campaign.id, user_id=user_id)


def _statements() -> tuple[Update, Update]:
    hooks: Any = Webhook.__table__
    waiting: Any = Outbox.__table__
    more = {"sequence": hooks.c.sequence + bindparam("more")}
    whole = {"payload": bindparam("whole", type_=waiting.c.payload.type)}
    return (
        update(hooks).where(hooks.c.id == bindparam("hook")).values(more),
        update(waiting).where(waiting.c.id == bindparam("row")).values(whole),
    )


_COUNT_POSTS, _NUMBER_POSTS = _statements()


def campaign_topics(ctx: AppContext, actor: Actor, campaign_id: str) -> list[str]:
    """Return the topics of a campaign one may follow. Each topic is one audience, so its numbers say nothing of others.

    What a topic announces is looked up with one's own rights.
    """
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id)
        if may.seat is None and not may.substitutes and not may.gm:
            may.viewer()
        topics = [public_topic(campaign_id)]
        topics += [
            player_topic(campaign_id, seat.player_id) for seat in (may.seat, *may.substitutes) if seat is not None
        ]
        if may.gm and may.sees_all:
            return [*topics, gm_topic(campaign_id), finality_topic(campaign_id)]
        # a GM who plays is a player, and knows no more of who is final
        return [*topics, *([gm_topic(campaign_id)] if may.gm and may.options.show_final else [])]


def own_topics(actor: Actor) -> list[str]:
    """Return the topics of one's account."""
    if not actor.signed_in:
        raise PlayError("not_signed_in")
    actor.require("read")
    return [user_topic(actor.user_id)]
