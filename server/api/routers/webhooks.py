"""Being notified: webhooks, Web Push, the calendar, and which notices go where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Response
from pydantic import Field

from server.api.bodies import Body, given
from server.api.endpoints import CallDep, Endpoints, revised
from server.api.pages import Page, PortionDep, cut
from server.http.responses import created
from server.play.notices import push, webhooks
from server.play.notices.push import PushInfo, PushState
from server.play.notices.webhooks import DeliveryInfo, NewWebhook, WebhookInfo, WebhookTest
from server.play.schedule import calendar

router = Endpoints("live")

Url = Annotated[str, Field(max_length=2000, examples=["https://hooks.example.org/campaign"])]
Kinds = Annotated[list[str], Field(max_length=50, description="What it is told; empty: everything.")]
Notifications = dict[str, dict[str, bool]]


class WebhookWanted(Body):
    """A new webhook."""

    url: Url
    format: Literal["standard", "discord"] = "standard"
    kinds: Kinds = Field(default_factory=list)


class WebhookChange(Body):
    """What to change of a webhook."""

    url: Url | None = None
    kinds: Kinds | None = None
    enabled: bool | None = Field(None, examples=[True])


@dataclass(frozen=True, slots=True)
class CalendarAddress:
    """Where calendar programs read your deadlines and battles."""

    url: str
    """Whoever knows it can read the calendar, and nothing else."""


class NotificationsWanted(Body):
    """For some kinds of notice and channels, whether you are notified that way."""

    notifications: Annotated[Notifications, Field(max_length=50, examples=[{"message": {"mail": False}}])]


@router.get("/me/webhooks", Page[WebhookInfo])
def list_my_webhooks(call: CallDep, portion: PortionDep) -> Response:
    """Return your own webhooks."""
    return call.answer(cut(webhooks.listed(call.ctx, call.actor), portion))


@router.post("/me/webhooks", NewWebhook, "limit_reached", "bad_address", status=201, secret=True)
def create_my_webhook(call: CallDep, body: WebhookWanted) -> Response:
    """Have your notices posted somewhere; the key of the signatures is shown this once."""
    made_ = webhooks.create(call.ctx, call.actor.require("orders"), body.url, format_=body.format, kinds=body.kinds)
    return created(made_, headers={"Cache-Control": "no-store"})


@router.get("/campaigns/{campaign_id}/webhooks", Page[WebhookInfo])
def list_webhooks(call: CallDep, campaign_id: str, portion: PortionDep) -> Response:
    """Return the campaign's webhooks. The game master's."""
    return call.answer(cut(webhooks.listed(call.ctx, call.actor, campaign_id=campaign_id), portion))


@router.post("/campaigns/{campaign_id}/webhooks", NewWebhook, "limit_reached", "bad_address", status=201, secret=True)
def create_webhook(call: CallDep, campaign_id: str, body: WebhookWanted) -> Response:
    """Have what everyone may know of a campaign posted somewhere. The game master's."""
    made_ = webhooks.create(
        call.ctx, call.actor, body.url, campaign_id=campaign_id, format_=body.format, kinds=body.kinds
    )
    return created(made_, headers={"Cache-Control": "no-store"})


@router.patch("/webhooks/{webhook_id}", WebhookInfo, "bad_address", if_match=True)
def change_webhook(call: CallDep, webhook_id: str, body: WebhookChange) -> Response:
    """Change what is given; switching it on forgets its failures."""
    call.actor.require("read")
    return revised(webhooks.change(call.ctx, call.actor, webhook_id, **given(body), revision=call.revision))


@router.post("/webhooks/{webhook_id}/test", WebhookTest, "busy")
def test_webhook(call: CallDep, webhook_id: str) -> Response:
    """Post the notice `test` to a webhook now, and return the result."""
    call.actor.require("read")
    return created(webhooks.test(call.ctx, call.actor, webhook_id), 200)


@router.post("/webhooks/{webhook_id}/key", NewWebhook, secret=True)
def change_webhook_key(call: CallDep, webhook_id: str) -> Response:
    """Give a webhook a new key for its signatures; it is shown this once, and the old one is over."""
    call.actor.require("read")
    return created(webhooks.change_key(call.ctx, call.actor, webhook_id), 200, headers={"Cache-Control": "no-store"})


@router.get("/webhooks/{webhook_id}/deliveries", Page[DeliveryInfo])
def list_webhook_deliveries(call: CallDep, webhook_id: str, portion: PortionDep) -> Response:
    """Return the last notices for a webhook, the latest first: posted, waiting or given up."""
    call.actor.require("read")
    return call.answer(cut(webhooks.deliveries(call.ctx, call.actor, webhook_id), portion))


@router.post("/webhooks/{webhook_id}/deliveries/{delivery_id}/retry")
def redeliver_webhook(call: CallDep, webhook_id: str, delivery_id: int) -> None:
    """Post a notice again, whether it was taken or given up; its `webhook-id` stays the same."""
    call.actor.require("read")
    webhooks.redeliver(call.ctx, call.actor, webhook_id, delivery_id)


@router.delete("/webhooks/{webhook_id}")
def remove_webhook(call: CallDep, webhook_id: str) -> None:
    """Take a webhook away; what waits for it is not sent."""
    call.actor.require("read")
    webhooks.remove(call.ctx, call.actor, webhook_id)


@router.post("/me/calendar", CalendarAddress, secret=True)
def create_calendar(call: CallDep) -> Response:
    """Create the private address of your calendar; it is shown this once. The old one is over. Needs a session."""
    url = calendar.address(call.ctx, calendar.new_address(call.ctx, call.actor))
    return created(CalendarAddress(url), 200, headers={"Cache-Control": "no-store"})


@router.get("/me/notifications", Notifications)
def get_notifications(call: CallDep) -> Response:
    """Return for each kind of notice and each channel whether you are notified that way."""
    return call.answer(webhooks.notifications(call.ctx, call.actor))


@router.patch("/me/notifications", Notifications)
def choose_notifications(call: CallDep, body: NotificationsWanted) -> Response:
    """Change how you are notified; only what is given changes."""
    return created(webhooks.choose_notifications(call.ctx, call.actor, body.notifications), 200)


_POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"


class PushKeys(Body):
    """The keys of a browser, base64url, as its `PushSubscription` has them."""

    p256dh: Annotated[str, Field(max_length=200, examples=[_POINT])]
    auth: Annotated[str, Field(max_length=100, examples=["BTBZMqHH6r4Tts7J_aSIgg"])]


class PushWanted(Body):
    """A browser that receives notifications."""

    endpoint: Annotated[str, Field(max_length=2000, examples=["https://push.example.org/wpush/v2/gAAAAABn"])]
    keys: PushKeys


@router.get("/me/push", PushState)
def get_push(call: CallDep) -> Response:
    """Return the server's public key for Web Push (empty: it sends none) and the browsers of your account."""
    return call.answer(push.state(call.ctx, call.actor))


@router.post("/me/push", PushInfo, "conflict", "bad_address", "limit_reached", status=201)
def subscribe_push(call: CallDep, body: PushWanted) -> Response:
    """Have notices pushed to the browser one is signed in with. Needs a session; ends with it."""
    return created(push.subscribe(call.ctx, call.actor, body.endpoint, body.keys.p256dh, body.keys.auth))


@router.delete("/me/push/{subscription_id}")
def unsubscribe_push(call: CallDep, subscription_id: str) -> None:
    """Push nothing more to a browser."""
    push.unsubscribe(call.ctx, call.actor, subscription_id)
