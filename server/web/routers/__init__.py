"""The pages, one file a subject."""

from __future__ import annotations

from server.web.routers import (
    battles,
    campaign,
    campaigns,
    charts,
    dice,
    game_master,
    gathering,
    gm_edit,
    home,
    new_campaign,
    people,
    reports,
    rosters,
    settings,
    table,
    way_in,
)

PAGES = (
    way_in.router,
    battles.router,
    home.router,
    new_campaign.router,
    campaigns.router,
    campaign.router,
    gathering.router,
    gm_edit.router,
    game_master.router,
    people.router,
    charts.router,
    dice.router,
    reports.router,
    settings.router,
    table.router,
    rosters.router,
)
"""All routers of pages, in the order in which addresses are looked for."""
