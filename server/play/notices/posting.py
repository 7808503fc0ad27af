"""Posting a notice to a webhook: what is posted, how it is signed, what an answer means."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from standardwebhooks import Webhook as Signer

from server.play.context import AppContext, ChatNotice
from server.play.errors import PlayError
from server.play.notices.addresses import Unsendable, post, target_of
from server.play.options import stored_options
from server.store.tables import Campaign, Message, User, Webhook

MOVES_THE_MAP = frozenset({"campaign_started", "phase_opened", "finished", "rolled_back", "intervention"})
"""Kinds of notices after which the map may look different."""
GONE = 410
"""The answer of a receiver that wants nothing more."""


class PermanentFailure(Unsendable):
    """It will never get there; it is not tried again."""


class EndpointGone(PermanentFailure):
    """The receiver wants nothing more: its webhook is switched off."""


@dataclass(frozen=True, slots=True)
class Post:
    """The kind of notice."""

    kind: str
    dedupe: str
    """The same for every try."""
    number: int
    """The number of this notice for this webhook; 0 for a test."""
    campaign_id: str
    campaign: str
    data: Mapping[str, Any]
    created_at: datetime


def send(ctx: AppContext, hook: Webhook, posted: Post) -> int:
    """Post one notice, signed; returns the answer's status, which is a success.

    Errors: :class:`PermanentFailure` for what will never get there, :class:`EndpointGone` after a 410,
    :class:`~server.play.notices.addresses.Unsendable` for what is worth another try.
    """
    private = ctx.settings.webhooks_to_private_addresses
    try:
        target = target_of(hook.url, private=private, ports=ctx.settings.webhook_ports)
    except PlayError as error:
        raise PermanentFailure(error.message) from error
    body, headers = message(ctx, hook, posted)
    status = post(target, body, headers, private=private)
    if status == GONE:
        raise EndpointGone("the receiver wants nothing more (410)")
    if not 200 <= status < 300:
        raise Unsendable(f"the receiver answered {status}")
    return status


def message(ctx: AppContext, hook: Webhook, posted: Post) -> tuple[bytes, dict[str, str]]:
    """Return body and headers of the post."""
    headers = {"Content-Type": "application/json", "User-Agent": "sealed-orders"}
    if hook.format == "discord":
        return orjson.dumps(ctx.chat_post(_chat_notice(ctx, hook, posted), ctx.settings.public_url)), headers
    about = {"campaign_id": posted.campaign_id, "campaign": posted.campaign} | dict(posted.data)
    kind, at = posted.kind, posted.created_at.isoformat()
    # type and timestamp as Standard Webhooks has them, kind and at as event streams do
    body = orjson.dumps(
        {"type": kind, "timestamp": at, "kind": kind, "at": at, "sequence": posted.number, "data": about}
    )
    id_, now = "msg_" + hashlib.sha256(posted.dedupe.encode()).hexdigest()[:32], ctx.now()
    signature = Signer(hook.secret).sign(id_, now, body.decode())
    signed = {"webhook-id": id_, "webhook-timestamp": str(int(now.timestamp())), "webhook-signature": signature}
    return body, headers | signed


def _chat_notice(ctx: AppContext, hook: Webhook, posted: Post) -> ChatNotice:
    announcement = ("", "")
    with ctx.database.read() as session:
        campaign = session.get(Campaign, hook.campaign_id) if hook.campaign_id else None
        owner_id = hook.user_id or (campaign.gm_user_id if campaign else None)
        owner = session.get(User, owner_id) if owner_id else None
        if posted.kind == "announcement":
            letter = session.get(Message, (posted.campaign_id, str(posted.data["message"])))
            announcement = (letter.subject, letter.body) if letter is not None else announcement
        shown = session.get(Campaign, posted.campaign_id) if posted.kind in MOVES_THE_MAP else None
        public = shown is not None and shown.listed and stored_options(shown.options).spectators
    return ChatNotice(
        posted.kind,
        posted.campaign_id,
        posted.campaign,
        posted.data,
        owner.locale if owner else "",
        hook.campaign_id is None,
        announcement,
        int(posted.created_at.timestamp()) if public else 0,
    )
