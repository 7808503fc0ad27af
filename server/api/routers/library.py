"""The scenarios and rulesets there are."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from server.api.openapi import error_responses
from server.api.pages import Page
from server.api.responses import json_response
from server.api.routes import Route
from server.play import catalog
from server.play.catalog import RulesetInfo, ScenarioInfo

router = APIRouter(route_class=Route, tags=["campaigns"])


@router.get("/scenarios", response_model=Page[ScenarioInfo], openapi_extra=error_responses(public=True))
def list_scenarios(request: Request) -> Response:
    """Return the scenarios that come with the server."""
    return json_response(request, {"items": catalog.scenarios(), "next": None})


@router.get("/scenarios/{scenario_id}", response_model=dict[str, Any], openapi_extra=error_responses(public=True))
def get_scenario(request: Request, scenario_id: str) -> Response:
    """Return a scenario as its file has it (docs/maps.md)."""
    return json_response(request, catalog.scenario(scenario_id))


@router.get("/rulesets", response_model=Page[RulesetInfo], openapi_extra=error_responses(public=True))
def list_rulesets(request: Request) -> Response:
    """Return the rulesets that come with the server."""
    return json_response(request, {"items": catalog.all_rulesets(), "next": None})
