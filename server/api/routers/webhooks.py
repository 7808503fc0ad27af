"""Being told by other ways: webhooks, and which notices go where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from server.api.bodies import Body, given
from server.api.openapi import error_responses
from server.api.pages import Cursor, Limit, Page, cut
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.responses import created, if_match_revision, json_response, no_content
from server.play.notices import redelivery, webhooks
from server.play.notices.redelivery import DeliveryInfo
from server.play.notices.webhooks import NewWebhook, WebhookInfo, WebhookTest
from server.play.schedule import calendar

router = APIRouter(route_class=Route, tags=["live"])

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


@router.get("/me/webhooks", response_model=Page[WebhookInfo], openapi_extra=error_responses())
def list_my_webhooks(
    request: Request, parts: ServerDep, actor: ActorDep, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return your own webhooks."""
    return json_response(request, cut(webhooks.listed(parts.ctx, actor), cursor, limit))


@router.post("/me/webhooks", status_code=201, response_model=NewWebhook,
             openapi_extra=error_responses("limit_reached", "bad_address", secret=True))  # fmt: skip
def create_my_webhook(parts: ServerDep, actor: ActorDep, body: WebhookWanted) -> Response:
    """Have your notices posted somewhere; the key of the signatures is shown this once."""
    made_ = webhooks.create(parts.ctx, actor.require("orders"), body.url, format_=body.format, kinds=body.kinds)
    return created(made_, headers={"Cache-Control": "no-store"})


@router.get("/campaigns/{campaign_id}/webhooks", response_model=Page[WebhookInfo], openapi_extra=error_responses())
def list_webhooks(
    request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return the campaign's webhooks. The game master's."""
    return json_response(request, cut(webhooks.listed(parts.ctx, actor, campaign_id=campaign_id), cursor, limit))


@router.post("/campaigns/{campaign_id}/webhooks", status_code=201, response_model=NewWebhook,
             openapi_extra=error_responses("limit_reached", "bad_address", secret=True))  # fmt: skip
def create_webhook(parts: ServerDep, actor: ActorDep, campaign_id: str, body: WebhookWanted) -> Response:
    """Have what everyone may know of a campaign posted somewhere. The game master's."""
    made_ = webhooks.create(parts.ctx, actor, body.url, campaign_id=campaign_id, format_=body.format, kinds=body.kinds)
    return created(made_, headers={"Cache-Control": "no-store"})


@router.patch("/webhooks/{webhook_id}", response_model=WebhookInfo,
              openapi_extra=error_responses("bad_address", if_match=True))  # fmt: skip
def change_webhook(
    request: Request, parts: ServerDep, actor: ActorDep, webhook_id: str, body: WebhookChange
) -> Response:
    """Change what is given; switching it on forgets its failures."""
    actor.require("read")
    revision = if_match_revision(request.headers.get("if-match"))
    changed = webhooks.change(parts.ctx, actor, webhook_id, **given(body), revision=revision)
    return created(changed, 200, headers={"ETag": f'"{changed.revision}"'})


@router.post("/webhooks/{webhook_id}/test", response_model=WebhookTest, openapi_extra=error_responses("busy"))
def test_webhook(parts: ServerDep, actor: ActorDep, webhook_id: str) -> Response:
    """Post the notice `test` to a webhook now, and return the result."""
    actor.require("read")
    return created(webhooks.test(parts.ctx, actor, webhook_id), 200)


@router.post("/webhooks/{webhook_id}/key", response_model=NewWebhook,
             openapi_extra=error_responses(secret=True))  # fmt: skip
def change_webhook_key(parts: ServerDep, actor: ActorDep, webhook_id: str) -> Response:
    """Give a webhook a new key for its signatures; it is shown this once, and the old one is over."""
    actor.require("read")
    return created(redelivery.change_key(parts.ctx, actor, webhook_id), 200, headers={"Cache-Control": "no-store"})


@router.get("/webhooks/{webhook_id}/deliveries", response_model=Page[DeliveryInfo], openapi_extra=error_responses())
def list_webhook_deliveries(
    request: Request, parts: ServerDep, actor: ActorDep, webhook_id: str, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return the last notices for a webhook, the latest first: posted, waiting or given up."""
    actor.require("read")
    return json_response(request, cut(redelivery.deliveries(parts.ctx, actor, webhook_id), cursor, limit))


@router.post("/webhooks/{webhook_id}/deliveries/{delivery_id}/retry", status_code=204, openapi_extra=error_responses())
def redeliver_webhook(parts: ServerDep, actor: ActorDep, webhook_id: str, delivery_id: int) -> Response:
    """Post a notice again, whether it was taken or given up; its `webhook-id` stays the same."""
    actor.require("read")
    redelivery.redeliver(parts.ctx, actor, webhook_id, delivery_id)
    return no_content()


@router.delete("/webhooks/{webhook_id}", status_code=204, openapi_extra=error_responses())
def remove_webhook(parts: ServerDep, actor: ActorDep, webhook_id: str) -> Response:
    """Take a webhook away; what waits for it is not sent."""
    actor.require("read")
    webhooks.remove(parts.ctx, actor, webhook_id)
    return no_content()


@router.post("/me/calendar", response_model=CalendarAddress, openapi_extra=error_responses(secret=True))
def create_calendar(parts: ServerDep, actor: ActorDep) -> Response:
    """Create the private address of your calendar; it is shown this once. The old one is over. Needs a session."""
    url = calendar.address(parts.ctx, calendar.new_address(parts.ctx, actor))
    return created(CalendarAddress(url), 200, headers={"Cache-Control": "no-store"})


@router.get("/me/notifications", response_model=Notifications, openapi_extra=error_responses())
def get_notifications(request: Request, parts: ServerDep, actor: ActorDep) -> Response:
    """Return for each kind of notice and each channel whether you are notified that way."""
    return json_response(request, webhooks.notifications(parts.ctx, actor))


@router.patch("/me/notifications", response_model=Notifications, openapi_extra=error_responses())
def choose_notifications(parts: ServerDep, actor: ActorDep, body: NotificationsWanted) -> Response:
    """Change how you are notified; only what is given changes."""
    return created(webhooks.choose_notifications(parts.ctx, actor, body.notifications), 200)
