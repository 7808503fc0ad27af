"""Puts the web pages on the app, when the first of them is asked for (:mod:`server.web.door`)."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI, Request, Response

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
    """Add the pages and the assets to the app."""
    site = app.state.site = Site.open()
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
    first = [*static.routes, *table.router.routes]
    pages = [route for router in PAGES for route in router.routes]  # not included: as for the API
    app.router.routes = [*first, *app.router.routes, *pages]
