"""The pages, one file a subject."""

from __future__ import annotations

from server.web.routers import (
    battles,
    campaign,
    campaigns,
    gathering,
    home,
    new_campaign,
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
    reports.router,
    settings.router,
    table.router,
    rosters.router,
)
"""All routers of pages, in the order in which addresses are looked for."""
