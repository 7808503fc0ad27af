"""Notify people in live streams, by webhook and by email; stored in the transaction of the event itself.

Nothing here is secret: a notice says where to look, never what is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Update, bindparam, case, cast, exists, literal, null, or_, select, union_all, update
from sqlalchemy.orm import Session

from server.play import access
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.store import outbox
from server.store.live import News, publish
from server.store.tables import Campaign, NotificationSetting, Outbox, PushSubscription, Seat, Webhook
from server.store.tables.base import StringList

KINDS = (
    "campaign_started", "phase_opened", "deadline_near", "deadline_changed", "paused", "resumed", "intervention",
    "announcement", "rolled_back", "finished", "message", "declaration", "battle_reported", "battle_settled",
    "invited", "seat_changed", "new_readings", "missed_deadline", "gm_offered", "gm_declined", "gm_changed",
    "mail_bounced", "table_opened", "table_agreement", "table_waits", "orders_entered",
    "vote_opened", "vote_closed", "start_failed",
)  # fmt: skip
"""The kinds of notices for people and webhooks."""
CHANNELS = ("mail", "webhook", "browser")
BY_MAIL = frozenset(
    {"campaign_started", "phase_opened", "deadline_near", "deadline_changed", "paused", "resumed", "intervention",
     "announcement", "rolled_back", "finished", "message", "battle_reported", "invited", "seat_changed", "gm_offered",
     "gm_declined", "gm_changed", "new_readings", "mail_bounced", "table_agreement", "table_waits", "orders_entered",
     "vote_opened", "vote_closed", "start_failed"}
)  # fmt: skip
"""The kinds emailed by default: everything that a player by email alone needs."""

FIRST = ("setup", "build")
"""Phases a turn begins with."""
EACH_TURN = "each_turn"
"""No kind of notice: who has set it gets no mail of a phase but a turn's first."""
FOR_ORDERS = frozenset(
    {"phase_opened", "deadline_near", "deadline_changed", "battle_reported", "battle_settled", "table_opened",
     "table_agreement", "table_waits", "orders_entered"}
)  # fmt: skip
"""The kinds for a substitute, who gives orders and reads no messages."""


def public_topic(campaign_id: str) -> str:
    """Return the topic of what everyone may know."""
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
    """Return what a notice to someone is called in the outbox, which takes nothing twice.

    The campaign is part of it: the same people may play in several.
    """
    return f"{kind}/{to}/{campaign_id}/{key}"


_ON = "on"


@dataclass(frozen=True, slots=True)
class Hook:
    """What counts of a webhook here."""

    id: str
    user_id: str | None
    campaign_id: str | None
    format: str
    kinds: StringList


Post = tuple[Hook, outbox.Item]
"""The kinds for a webhook."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Channels for notices to people."""

    hooks: Sequence[Hook]
    """Of the campaigns and of the people, by id."""
    chosen: Mapping[tuple[str, str, str], bool]
    """By person, kind and channel."""
    browsers: Mapping[str, Sequence[str]]
    """By person."""


@dataclass(slots=True)
class Notices:
    """One transaction's notices of a campaign. Call :meth:`send` once, at its end; for several :func:`send`."""

    session: Session
    campaign: Campaign
    now: datetime
    _news: list[News] = field(default_factory=list)
    _public: list[tuple[str, str, dict[str, Any], bool]] = field(default_factory=list)
    _users: list[tuple[str, str, str, dict[str, Any]]] = field(default_factory=list)
    _posts: list[tuple[Hook, outbox.Item]] = field(default_factory=list)
    _run_by: list[str] | None = None

    def everybody(self, kind: str, key: str, seats: Iterable[Seat] = (), *, in_chats: bool = True, **data: Any) -> None:
        """Notify everyone; *key* names the occasion in this campaign, so that nobody is notified twice.

        *seats* get an email, too. *in_chats* False: only programs get it, not chat channels.
        """
        self._news.append(News(public_topic(self.campaign.id), kind, data))
        self._public.append((kind, key, data, in_chats))
        for seat in seats:
            self._to_seat(seat, kind, key, data)

    def seat(self, seat: Seat, kind: str, key: str, **data: Any) -> None:
        """Tell one seat."""
        self._news.append(News(player_topic(self.campaign.id, seat.player_id), kind, data))
        self._to_seat(seat, kind, key, data)

    def game_master(self, kind: str, key: str, **data: Any) -> None:
        """Tell the GM."""
        self._news.append(News(gm_topic(self.campaign.id), kind, data))
        for user_id in self._game_masters(kind):
            self._to_user(user_id, kind, key, data)

    def neutral_game_masters(self, kind: str, key: str, **data: Any) -> None:
        """Notify the GMs who do not play; a GM who plays gets nothing in their streams."""
        sitting = {seat.user_id for seat in access.seats_of(self.session, self.campaign.id)}
        run = self._all_game_masters()
        neutral = [user_id for user_id in run if user_id not in sitting]
        if neutral == run:
            self._news.append(News(gm_topic(self.campaign.id), kind, data))
        for user_id in neutral:
            self._to_user(user_id, kind, key, data)

    def _all_game_masters(self) -> list[str]:
        if self._run_by is None:
            with self.session.no_autoflush:  # what is changed is written together, later
                self._run_by = access.game_masters_of(self.session, self.campaign)
        return self._run_by

    def _game_masters(self, kind: str) -> list[str]:
        """Return the GMs to notify; GMs who were players before do not read messages, so they get none of those."""
        run = self._all_game_masters()
        if kind != "message" or len(run) < 2:
            return run
        sitting = {seat.user_id for seat in access.seats_of(self.session, self.campaign.id)}
        return [user_id for user_id in run if user_id == self.campaign.gm_user_id or user_id not in sitting]

    def user(self, user_id: str, kind: str, key: str, **data: Any) -> None:
        """Tell someone who has no seat yet."""
        self._to_user(user_id, kind, key, data)

    def channel(self, kind: str, key: str, **data: Any) -> None:
        """Tell the campaign's webhooks."""
        self._public.append((kind, key, data, True))

    def send(self) -> None:
        """Put everything into the outbox and the streams: a few statements for any number of recipients."""
        send([self])

    @property
    def news(self) -> Sequence[News]:
        """Notices for the streams."""
        return self._news

    @property
    def asks(self) -> tuple[list[str], list[str]]:
        """Return the people and campaigns whose channels matter here."""
        people = [] if self._is_practice else [user_id for user_id, *_ in self._users]
        return people, [self.campaign.id] if people or self._public else []

    def goes_out(self, ways: Ways) -> tuple[list[outbox.Item], list[Post]]:
        """Return the notices for people and for webhooks."""
        self._to_campaigns_webhooks(ways.hooks)
        return self._to_users(ways), self._posts

    # --- inside ---

    @property
    def _is_practice(self) -> bool:
        """True if a player plays alone: they see it on the page and get neither email nor push notifications."""
        return bool(self.campaign.options.get("practice"))

    def _to_seat(self, seat: Seat, kind: str, key: str, data: Mapping[str, Any]) -> None:
        """Tell who sits there; while they are away, or nobody sits there, their substitute what concerns orders."""
        if seat.user_id is not None:
            self._to_user(seat.user_id, kind, key, data)
        away = seat.user_id is None or (seat.holiday_until is not None and seat.holiday_until > self.now)
        substitute = seat.stand_in_user_id if away and seat.stand_in == "user" and kind in FOR_ORDERS else None
        if substitute is None or substitute in self._all_game_masters():
            return
        # who plays or runs the campaign stands in for nobody (:mod:`server.play.access`)
        sits = exists().where(Seat.campaign_id == self.campaign.id, Seat.user_id == substitute)
        if not self.session.scalar(select(sits)):
            self._to_user(substitute, kind, key, data)

    def _to_user(self, user_id: str, kind: str, key: str, data: Mapping[str, Any]) -> None:
        told = {"campaign_id": self.campaign.id} | dict(data)
        self._news.append(News(user_topic(user_id), kind, told))
        self._users.append((user_id, kind, key, told))

    def _to_campaigns_webhooks(self, hooks: Sequence[Hook]) -> None:
        for hook in hooks:
            if hook.campaign_id == self.campaign.id:
                for kind, key, data, in_chats in self._public:
                    if in_chats or hook.format != "discord":
                        self._to_webhook(hook, kind, key, data)

    def _to_webhook(self, hook: Hook, kind: str, key: str, data: Mapping[str, Any]) -> None:
        if not hook.kinds or kind in hook.kinds:
            payload = {"webhook_id": hook.id, "kind": kind, "data": dict(data)}
            self._posts.append((hook, self._item("webhook", hook.id, key, payload, hook.user_id)))

    def _to_users(self, ways: Ways) -> list[outbox.Item]:
        """Return the emails and push notifications for people; posts to their webhooks join the other posts."""
        items: list[outbox.Item] = []
        if self._is_practice:
            return items
        chosen = ways.chosen
        for user_id, kind, key, data in self._users:
            rarely = (
                kind == "phase_opened" and chosen.get((user_id, EACH_TURN, "mail")) and data.get("phase") not in FIRST
            )
            wanted = data.get("downtime") or chosen.get((user_id, kind, "mail"), kind in BY_MAIL)
            if wanted and not rarely:
                items.append(self._item("mail", user_id, key, {"about": kind, "data": data}, user_id))
            if chosen.get((user_id, kind, "browser"), True):
                for browser in ways.browsers.get(user_id, ()):
                    told = {"subscription_id": browser, "about": kind, "data": data}
                    items.append(self._item("push", browser, key, told, user_id))
            if chosen.get((user_id, kind, "webhook"), True):
                for hook in ways.hooks:
                    if hook.user_id == user_id:
                        self._to_webhook(hook, kind, key, data)
        return items

    def _item(self, kind: str, to: str, key: str, payload: Mapping[str, Any], user_id: str | None) -> outbox.Item:
        dedupe = occasion(kind, to, self.campaign.id, key)
        whole = {"campaign": self.campaign.name, "campaign_id": self.campaign.id} | dict(payload)
        return outbox.Item(kind, dedupe, whole, campaign_id=self.campaign.id, user_id=user_id)


def notify_everybody(session: Session, campaign: Campaign, now: datetime, kind: str, key: str, **data: Any) -> None:
    """Notify everyone of one thing; all seats get an email, too (:meth:`Notices.everybody`)."""
    notices = Notices(session, campaign, now)
    notices.everybody(kind, key, access.seats_of(session, campaign.id), **data)
    notices.send()


def send(notices: Sequence[Notices]) -> None:
    """Put a transaction's notices of several campaigns into the outbox and the streams: a few statements."""
    session, now = notices[0].session, notices[0].now
    ways = _ways(session, notices)
    items: list[outbox.Item] = []
    posts: dict[str, Post] = {}
    for one in notices:
        sent, told = one.goes_out(ways)
        items += sent
        posts |= {item.dedupe: (hook, item) for hook, item in told}
    numbered = _numbered(session, list(posts.values()))
    new = outbox.put_all(session, [*items, *(item for _, item in numbered)], now)
    if any(item.dedupe not in new for _, item in numbered):
        _close_gaps(session, numbered, new)
    publish(session, [news for one in notices for news in one.news], now)


def _ways(session: Session, notices: Sequence[Notices]) -> Ways:
    """Return the channels that campaigns and recipients have chosen; in one statement."""
    people, campaigns = set[str](), set[str]()
    for one in notices:
        theirs, its = one.asks
        people.update(theirs)
        campaigns.update(its)
    if not campaigns:
        return Ways([], {}, {})
    asked = {"people": sorted(people), "campaigns": sorted(campaigns)}
    hooks, chosen, browsers = [], dict[tuple[str, str, str], bool](), dict[str, list[str]]()
    for of, user_id, id_, channel, said, kinds in session.execute(_WAYS, asked):
        if of == "webhook":
            hooks.append(Hook(id_, user_id, channel, said, kinds))
        elif of == "browser":
            browsers.setdefault(user_id, []).append(id_)
        else:
            chosen[user_id, id_, channel] = said == _ON
    hooks.sort(key=lambda hook: hook.id)
    return Ways(hooks, chosen, {user_id: sorted(theirs) for user_id, theirs in browsers.items()})


def _numbered(session: Session, posts: Sequence[Post]) -> list[Post]:
    """Number the notices of each webhook as if all were new to it; ordered by webhook."""
    if not posts:
        return []
    many = Counter(hook.id for hook, _ in posts)
    number = {id_: last - many[id_] for id_, last in session.execute(_counting(many))}
    found = []
    for hook, item in sorted(posts, key=lambda post: post[0].id):
        number[hook.id] += 1
        found.append((hook, replace(item, payload={**item.payload, "sequence": number[hook.id]})))
    return found


def _close_gaps(session: Session, posts: Sequence[Post], new: Mapping[str, int]) -> None:
    """Free the numbers of notices sent before: a gap would suggest a loss."""
    old = Counter(hook.id for hook, item in posts if item.dedupe not in new)
    numbered, passed = [], Counter[str]()
    for hook, item in posts:
        if item.dedupe not in new:
            passed[hook.id] += 1
        elif passed[hook.id]:
            whole = {**item.payload, "sequence": item.payload["sequence"] - passed[hook.id]}
            numbered.append({"row": new[item.dedupe], "whole": whole})
    session.execute(_counting(Counter({id_: -count for id_, count in old.items()})))
    if numbered:
        session.connection().execute(_NUMBER_POSTS, numbered)


def _asking() -> Any:
    """Return the statement for webhooks, choices and browsers: what it is, whose, its id or kind, and the rest."""
    hook, choice, browser = Webhook, NotificationSetting, PushSubscription
    people: Any = bindparam("people", expanding=True)
    nothing, no_kinds = cast(null(), hook.format.type), cast(null(), hook.kinds.type)
    whose = or_(hook.user_id.in_(people), hook.campaign_id.in_(bindparam("campaigns", expanding=True)))
    hooks = select(
        literal("webhook").label("of"), hook.user_id, hook.id, hook.campaign_id, hook.format, hook.kinds
    ).where(whose, hook.disabled_at.is_(None))
    choices = select(
        literal("choice"), choice.user_id, choice.kind, choice.channel, case((choice.enabled, _ON), else_=""), no_kinds
    ).where(choice.user_id.in_(people))
    browsers = select(literal("browser"), browser.user_id, browser.id, nothing, nothing, no_kinds)
    return union_all(hooks, choices, browsers.where(browser.user_id.in_(people)))


def _counting(more: Mapping[str, int]) -> Any:
    """Return the statement that counts the webhooks' notices; it returns the last number of each.

    Their rows are locked in the order of their ids, so that transactions never block each other.
    """
    hooks: Any = Webhook.__table__
    locked = select(hooks.c.id).where(hooks.c.id.in_(sorted(more))).order_by(hooks.c.id)
    mine = locked.with_for_update(key_share=True).cte("locked")
    added = hooks.c.sequence + case(dict(more), value=hooks.c.id)
    return update(hooks).where(hooks.c.id == mine.c.id).values(sequence=added).returning(hooks.c.id, hooks.c.sequence)


def _numbering() -> Update:
    waiting: Any = Outbox.__table__
    whole = {"payload": bindparam("whole", type_=waiting.c.payload.type)}
    return update(waiting).where(waiting.c.id == bindparam("row")).values(whole)


_WAYS, _NUMBER_POSTS = _asking(), _numbering()


def campaign_topics(ctx: AppContext, actor: Actor, campaign_id: str) -> list[str]:
    """Return a campaign's topics that the user may follow. Each has one audience; numbers reveal nothing of others.

    Readers fetch an announced change with their own rights.
    """
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id)
        if may.seat is None and not may.substitutes and not may.gm:
            may.viewer()
        topics = [public_topic(campaign_id)]
        topics += [player_topic(campaign_id, player) for player in may.rights.seats()]
        if may.gm and may.sees_all:
            return [*topics, gm_topic(campaign_id), finality_topic(campaign_id)]
        # a GM who plays is a player, and knows no more of who is final
        return [*topics, *([gm_topic(campaign_id)] if may.reads_letters and may.options.show_final else [])]


def own_topics(actor: Actor) -> list[str]:
    """Return the topics of the user's account."""
    if not actor.signed_in:
        raise PlayError("not_signed_in")
    actor.require("read")
    return [user_topic(actor.user_id)]
