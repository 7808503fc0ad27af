"""What is asked less often of the API, and its description; imported by the first request for any of it."""

from __future__ import annotations

from fastapi import FastAPI

from server.api import docs
from server.api.description import served
from server.api.middleware import PREFIX
from server.api.routers import (
    accounts,
    administration,
    battles,
    blocking,
    drafts,
    game_master,
    history,
    library,
    map_pictures,
    notebook,
    odds,
    people,
    practice,
    push,
    records,
    rosters,
    seats,
    second_factor,
    stories,
    table_battles,
    table_play,
    table_things,
    tables,
    templates,
    tokens,
    webhooks,
)

ROUTERS = (
    map_pictures.router,
    accounts.router,
    second_factor.router,
    tokens.router,
    templates.router,
    seats.router,
    drafts.router,
    history.router,
    practice.router,
    battles.router,
    odds.router,
    people.router,
    blocking.router,
    administration.router,
    notebook.router,
    game_master.router,
    records.router,
    webhooks.router,
    push.router,
    table_play.router,
    table_battles.router,
    rosters.router,
    stories.router,
    table_things.router,
    tables.router,
    tables.invitations,
    library.router,
)
"""Routes are tried in this order, after those of :data:`server.app.ROUTERS`."""


def install(app: FastAPI) -> None:
    """Add the routes to the app."""
    app.router.routes = [*app.router.routes, *(route for router in ROUTERS for route in router.routes)]
    docs.install(app, "/api/docs")
    served.install(app, f"{PREFIX}/openapi.json", "/api/docs")
