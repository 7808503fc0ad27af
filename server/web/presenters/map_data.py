"""What every page with the map brings along for its scripts."""

from __future__ import annotations

from typing import Any

from server.play.campaigns import dashboard
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.messages import notebook
from server.render.drawing import DATA, TERRAINS
from server.render.naming import BEARINGS
from server.render.translations import Translations
from server.web.page_context import PageContext
from server.web.presenters.score import how_to_win
from server.web.templating import script_data

PICTURES: dict[str, Any] = {name: DATA[name] for name in ("width", "margin", "zoom", "places", "lines", "seats")} | {
    "terrains": TERRAINS
}
"""The drawing data of :mod:`server.render`, for the scripts that draw on the same map."""
PICTURES_DATA = script_data(PICTURES)


def about(page: PageContext, campaign: CampaignInfo) -> dict[str, Any]:
    """Return what the scripts must know of the campaign before they ask for the position."""
    return {
        "campaign": campaign.id,
        "name": campaign.name,
        "status": campaign.status,
        "sealed": campaign.finished_at is not None
        and not campaign.public
        and not (campaign.you_are_gm and not campaign.your_seats),
        "phase": campaign.phase,
        "turn": campaign.turn,
        "number": campaign.phase_number,
        "deadline": campaign.deadline,
        "seats": [
            {"id": seat.player_id, "number": seat.number, "name": seat.name, "user": seat.user, "faction": seat.faction}
            for seat in campaign.seats
        ],
        "mine": list(campaign.your_seats),
        "gm": campaign.you_are_gm,
        "user": page.account.id if page.account else "",
        "battles": campaign.rules.battles,
        "notebook": {"note": notebook.MAX_NOTE, "pin": notebook.MAX_PIN},
        "bearings": {key: Translations(page.t.language)(f"place.{key}", name="{name}") for key in BEARINGS},
        "win": how_to_win(page.t, campaign.rules),
        "first": bool(campaign.your_seats) and dashboard.is_newcomer(page.ctx, page.actor, campaign.id),
    }
