"""Puts the web pages on the app."""

from __future__ import annotations

from anyio import to_thread
from fastapi import APIRouter, FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.types import Scope

from server.api.problems import Refused
from server.web import route
from server.web.assets import PREFIX
from server.web.routers import (
    admin,
    battle_tables,
    battles,
    calendar,
    campaign,
    campaigns,
    charts,
    chronicle,
    dice,
    game_master,
    gm_edit,
    handover,
    home,
    lobby,
    missions,
    new_campaign,
    people,
    practice,
    reports,
    results,
    rosters,
    rules,
    settings,
    sign_in,
    table,
    table_games,
    table_results,
)
from server.web.templating import Site

PAGES = (
    sign_in.router,
    admin.router,
    battles.router,
    battle_tables.router,
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
    results.router,
    practice.router,
    calendar.router,
    rosters.router,
    rules.router,
    chronicle.router,
    missions.router,
    table_results.router,
    table_games.router,
)
"""All routers of pages but the map's, in the order in which addresses are looked for."""

WORKER_HEADERS = {"Cache-Control": "no-cache", "Content-Security-Policy": "default-src 'none'; connect-src 'self'"}
ICON_HEADERS = {"Cache-Control": "public, max-age=86400"}


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

    @static.get("/worker.js", include_in_schema=False)
    async def serve_worker() -> Response:
        """Return the script that shows pushed notices; it must lie at the top, to stand for all pages."""
        return Response(site.assets.files["worker.js"], 200, WORKER_HEADERS, "text/javascript")

    @static.get("/icon.png", include_in_schema=False)
    async def serve_icon() -> Response:
        """Return the icon of pushed notices, at an address that stays."""
        return Response(site.assets.files["icons/icon-192.png"], 200, ICON_HEADERS, "image/png")

    # a page asks for dozens of files, and most for the map: none of these shall be held against every route
    routes[:0] = [*static.routes, *table.router.routes]
    otherwise = app.exception_handlers[HTTPException]

    async def not_here(request: Request, error: Exception) -> Response:
        if not _reads_pages(request):
            return await otherwise(request, error)  # type: ignore[misc, no-any-return]
        page = await to_thread.run_sync(route.page_context, request)
        return await to_thread.run_sync(route.error_page, page, error)

    app.add_exception_handler(HTTPException, not_here)


def render_error(scope: Scope, refused: Refused) -> Response:
    """Return what tells a refusal of the server's edge: a page to people who read pages."""
    request = Request(scope)
    return route.error_page(route.anonymous(request), refused) if _reads_pages(request) else refused.response()


def _reads_pages(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(("/api/", PREFIX))
