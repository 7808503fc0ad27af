"""The scenarios and rulesets there are."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from server.api.description.ground import Scenario
from server.api.openapi import error_responses
from server.api.pages import Cursor, Limit, Page, cut
from server.api.routes import Route
from server.http.responses import json_response
from server.play.campaigns import catalog
from server.play.campaigns.catalog import RulesetInfo, ScenarioInfo

router = APIRouter(route_class=Route, tags=["campaigns"])


@router.get("/scenarios", response_model=Page[ScenarioInfo], openapi_extra=error_responses(public=True))
def list_scenarios(request: Request, cursor: Cursor = "", limit: Limit = 50) -> Response:
    """Return the scenarios that come with the server."""
    return json_response(request, cut(catalog.scenarios(), cursor, limit))


@router.get("/scenarios/{scenario_id}", response_model=Scenario, openapi_extra=error_responses(public=True))
def get_scenario(request: Request, scenario_id: str) -> Response:
    """Return a scenario as its file has it (docs/maps.md)."""
    return json_response(request, catalog.scenario(scenario_id))


@router.get("/rulesets", response_model=Page[RulesetInfo], openapi_extra=error_responses(public=True))
def list_rulesets(request: Request, cursor: Cursor = "", limit: Limit = 50) -> Response:
    """Return the rulesets that come with the server."""
    return json_response(request, cut(catalog.all_rulesets(), cursor, limit))
