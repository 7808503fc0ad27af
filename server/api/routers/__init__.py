"""The endpoints, one file a subject."""

from __future__ import annotations

from fastapi import APIRouter

from server.api.routers import (
    accounts,
    administration,
    battles,
    blocking,
    campaigns,
    dice,
    drafts,
    game_master,
    history,
    library,
    live,
    map_pictures,
    notebook,
    odds,
    orders,
    people,
    practice,
    push,
    records,
    rosters,
    seats,
    second_factor,
    stories,
    system,
    table_battles,
    table_play,
    table_things,
    tables,
    templates,
    tokens,
    view,
    votes,
    webhooks,
)
from server.http.middleware import PREFIX

api = APIRouter(prefix=PREFIX, generate_unique_id_function=lambda route: route.name)
"""The whole API."""

for router in (  # in the order in which routes are tried: what is asked most comes first
    orders.router,
    dice.router,
    view.router,
    system.router,
    campaigns.router,
    live.router,
    map_pictures.router,
    accounts.router,
    second_factor.router,
    tokens.router,
    templates.router,
    seats.router,
    votes.router,
    drafts.router,
    history.router,
    practice.new,
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
):
    api.include_router(router)
