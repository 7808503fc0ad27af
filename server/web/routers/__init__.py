"""The pages, one file a subject."""

from __future__ import annotations

from server.web.routers import campaign, home, way_in

PAGES = (way_in.router, home.router, campaign.router)
"""All routers of pages, in the order in which addresses are looked for."""
