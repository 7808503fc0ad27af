"""What all pages share; puts the web pages on the app."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from anyio import to_thread
from fastapi import APIRouter, FastAPI, Request, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.types import Scope

from server.api.problems import Refused
from server.web import route, scenario_cards
from server.web.assets import PREFIX, Assets
from server.web.routers import (
    battles,
    campaign,
    campaigns,
    charts,
    dice,
    game_master,
    gm_edit,
    handover,
    home,
    lobby,
    new_campaign,
    people,
    reports,
    rosters,
    settings,
    sign_in,
    table,
)
from server.web.script import script_data
from server.web.translations import translation_files

TEMPLATES = Path(__file__).parent / "templates"
PAGES = (
    sign_in.router,
    battles.router,
    home.router,
    new_campaign.router,
    campaigns.router,
    campaign.router,
    lobby.router,
    gm_edit.router,
    game_master.router,
    handover.router,
    people.router,
    charts.router,
    dice.router,
    reports.router,
    settings.router,
    table.router,
    rosters.router,
)
"""All routers of pages, in the order in which addresses are looked for."""


@dataclass(frozen=True, slots=True)
class Site:
    """Templates and assets."""

    templates: Environment
    assets: Assets

    @classmethod
    def open(cls) -> Site:
        """Read what is needed; nothing is read again while the server runs."""
        templates = Environment(
            loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
            lstrip_blocks=True, auto_reload=False,
        )  # fmt: skip
        assets = Assets.read(made=translation_files())
        templates.globals["asset"] = assets.url
        templates.globals["shipped"] = scenario_cards.titles
        templates.globals["rules_of"] = scenario_cards.ruleset_names
        templates.filters["script_data"] = script_data
        templates.filters["instant"] = datetime.fromisoformat
        return cls(templates, assets)

    def fill(self, template: str, content: Mapping[str, Any]) -> str:
        """Return a template filled in; everything in *content* is escaped."""
        return str(Markup(self.templates.get_template(template).render(content)))


def install(app: FastAPI) -> None:
    """Mount the pages and the assets; what is not found outside the API is told as a page."""
    site = app.state.site = Site.open()
    routes = app.router.routes
    for router in PAGES:
        routes += router.routes  # not included: as for the API
    static = APIRouter()

    @static.get(f"{PREFIX}/{{version}}/{{name:path}}", include_in_schema=False)
    async def serve_static(request: Request, name: str) -> Response:
        return site.assets.serve(request, name)

    routes[:0] = static.routes  # a page asks for dozens of files: none of them shall be held against every route
    otherwise = app.exception_handlers[HTTPException]

    async def not_here(request: Request, error: Exception) -> Response:
        if not _reads_pages(request):
            return await otherwise(request, error)  # type: ignore[misc, no-any-return]
        page = await to_thread.run_sync(route.page_context, request)
        return await to_thread.run_sync(route.error_page, page, error)

    app.add_exception_handler(HTTPException, not_here)


def render_error(scope: Scope, refused: Refused) -> Response:
    """Return what tells a refusal of the server's edge: a page to who reads pages, whoever he is."""
    request = Request(scope)
    return route.error_page(route.anonymous(request), refused) if _reads_pages(request) else refused.response()


def _reads_pages(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(("/api/", PREFIX))
