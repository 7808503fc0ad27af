"""Web Push: which browsers are notified, also while no page is open."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.openapi import error_responses
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.responses import created, json_response, no_content
from server.play.notices import push
from server.play.notices.push import PushInfo, PushState

router = APIRouter(route_class=Route, tags=["live"], prefix="/me/push")

_POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"


class PushKeys(Body):
    """The keys of a browser, base64url, as its `PushSubscription` has them."""

    p256dh: Annotated[str, Field(max_length=200, examples=[_POINT])]
    auth: Annotated[str, Field(max_length=100, examples=["BTBZMqHH6r4Tts7J_aSIgg"])]


class PushWanted(Body):
    """A browser that receives notifications."""

    endpoint: Annotated[str, Field(max_length=2000, examples=["https://push.example.org/wpush/v2/gAAAAABn"])]
    keys: PushKeys


@router.get("", response_model=PushState, openapi_extra=error_responses())
def get_push(request: Request, parts: ServerDep, actor: ActorDep) -> Response:
    """Return the server's public key for Web Push (empty: it sends none) and the browsers of your account."""
    return json_response(request, push.state(parts.ctx, actor))


@router.post("", status_code=201, response_model=PushInfo,
             openapi_extra=error_responses("conflict", "bad_address", "limit_reached"))  # fmt: skip
def subscribe_push(parts: ServerDep, actor: ActorDep, body: PushWanted) -> Response:
    """Have notices pushed to the browser one is signed in with. Needs a session; ends with it."""
    return created(push.subscribe(parts.ctx, actor, body.endpoint, body.keys.p256dh, body.keys.auth))


@router.delete("/{subscription_id}", status_code=204, openapi_extra=error_responses())
def unsubscribe_push(parts: ServerDep, actor: ActorDep, subscription_id: str) -> Response:
    """Push nothing more to a browser."""
    push.unsubscribe(parts.ctx, actor, subscription_id)
    return no_content()
