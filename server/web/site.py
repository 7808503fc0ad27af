"""Puts the web pages on the app."""

from __future__ import annotations

from anyio import to_thread
from fastapi import APIRouter, FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.types import Scope

from server.http.problems import Refused
from server.web import route
from server.web.routers import (
    admin,
    battles,
    calendar,
    campaign,
    campaigns,
    chronicle,
    dice,
    finished_tables,
    game_master,
    gm_edit,
    handover,
    lobby,
    missions,
    new_campaign,
    outcome,
    people,
    quick_start,
    reports,
    rosters,
    rules,
    settings,
    sign_in,
    table,
    table_games,
)
from server.web.templating import PREFIX, site

WORKER_HEADERS = {"Cache-Control": "no-cache", "Content-Security-Policy": "default-src 'none'; connect-src 'self'"}
ICON_HEADERS = {"Cache-Control": "public, max-age=86400"}

assets = APIRouter(include_in_schema=False)
"""The files that pages ask for by the dozen."""
pages = APIRouter(include_in_schema=False)
"""All pages."""

for router in (  # in the order in which addresses are looked for
    table.router,
    sign_in.router,
    admin.router,
    battles.router,
    battles.tables,
    campaigns.first,
    sign_in.keeping,
    quick_start.router,
    lobby.inviting,
    new_campaign.router,
    campaigns.router,
    campaign.router,
    calendar.shared,
    lobby.router,
    gm_edit.router,
    game_master.router,
    handover.router,
    campaign.voting,
    people.router,
    reports.curves,
    dice.router,
    outcome.router,
    reports.router,
    settings.router,
    lobby.open_to_games,
    table.news,
    new_campaign.continued,
    calendar.router,
    rosters.router,
    rules.router,
    chronicle.router,
    missions.router,
    finished_tables.router,
    table_games.router,
):
    pages.include_router(router)


@assets.get(f"{PREFIX}/{{version}}/{{name:path}}")
async def serve_static(request: Request, name: str) -> Response:
    """Return a script, style or picture."""
    return site().assets.serve(request, name)


@assets.get("/worker.js")
async def serve_worker() -> Response:
    """Return the script that shows pushed notices; it must lie at the top, to stand for all pages."""
    return Response(site().assets.files["worker.js"], 200, WORKER_HEADERS, "text/javascript")


@assets.get("/icon.png")
async def serve_icon() -> Response:
    """Return the icon of pushed notices, at an address that stays."""
    return Response(site().assets.files["icons/icon-192.png"], 200, ICON_HEADERS, "image/png")


def install(app: FastAPI) -> None:
    """Have what is not found outside the API told as a page."""
    site()  # read now, not while somebody waits
    otherwise = app.exception_handlers[HTTPException]

    async def not_here(request: Request, error: Exception) -> Response:
        if not _reads_pages(request):
            return await otherwise(request, error)  # type: ignore[misc, no-any-return]
        return await to_thread.run_sync(_error_page, request, error)

    app.add_exception_handler(HTTPException, not_here)


def render_error(scope: Scope, refused: Refused) -> Response:
    """Return what tells a refusal of the server's edge: a page to people who read pages."""
    request = Request(scope)
    return route.error_page(route.anonymous(request), refused) if _reads_pages(request) else refused.response()


def _error_page(request: Request, error: Exception) -> Response:
    return route.error_page(route.page_context(request), error)


def _reads_pages(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(("/api/", "/static"))
