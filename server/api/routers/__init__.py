"""The endpoints, one file a subject."""

from __future__ import annotations

from fastapi import APIRouter

from server.api.routers import (
    accounts,
    administration,
    battles,
    campaigns,
    dice,
    drafts,
    game_master,
    history,
    live,
    notebook,
    orders,
    people,
    practice,
    rosters,
    seats,
    stories,
    system,
    table_battles,
    table_play,
    table_things,
    tables,
    tokens,
    view,
    webhooks,
)

api = APIRouter(generate_unique_id_function=lambda route: route.name)
"""The whole API."""

for router in (  # in the order in which routes are tried: what is asked most comes first
    orders.router,
    dice.router,
    view.router,
    system.router,
    campaigns.router,
    live.router,
    view.map_picture,
    accounts.router,
    tokens.second_factor,
    tokens.router,
    rosters.saved,
    seats.router,
    campaigns.vote,
    drafts.router,
    history.router,
    practice.new,
    practice.router,
    battles.router,
    people.router,
    people.blocks,
    administration.router,
    notebook.router,
    game_master.router,
    history.record,
    webhooks.router,
    table_play.router,
    table_battles.router,
    rosters.router,
    stories.router,
    table_things.router,
    tables.router,
    tables.invitations,
    campaigns.library,
):
    api.include_router(router.router)
