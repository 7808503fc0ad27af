"""Saved detachments: your own, for all campaigns."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.openapi import error_responses
from server.api.pages import Cursor, Limit, Page, cut
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.responses import created, json_response, no_content
from server.play.orders import templates
from server.play.orders.templates import TemplateInfo

router = APIRouter(route_class=Route, tags=["account"], prefix="/me/templates")

_UNIT = {"name": "Boyz", "slot": "troops", "models": 10, "points": 100, "mobility": "infantry"}


class TemplateWanted(Body):
    """A detachment to save."""

    name: Annotated[str, Field(max_length=200, examples=["Fast column"])]
    units: Annotated[list[dict[str, Any]], Field(max_length=200, examples=[[_UNIT]])]
    ruleset: Annotated[str, Field(max_length=100)] = ""
    detachment_type: Annotated[str, Field(max_length=100)] = ""


@router.get("", response_model=Page[TemplateInfo], openapi_extra=error_responses())
def list_templates(
    request: Request, parts: ServerDep, actor: ActorDep, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return the detachments one has saved, by name."""
    return json_response(request, cut(templates.listed(parts.ctx, actor), cursor, limit))


@router.post("", status_code=201, response_model=TemplateInfo, openapi_extra=error_responses("limit_reached"))
def save_template(parts: ServerDep, actor: ActorDep, body: TemplateWanted) -> Response:
    """Save a detachment to build again; one of the same name is replaced."""
    found = templates.save(
        parts.ctx, actor, body.name, body.units, ruleset=body.ruleset, detachment_type=body.detachment_type
    )
    return created(found)


@router.delete("/{template_id}", status_code=204, openapi_extra=error_responses())
def drop_template(parts: ServerDep, actor: ActorDep, template_id: str) -> Response:
    """Throw a saved detachment away."""
    templates.drop(parts.ctx, actor, template_id)
    return no_content()
