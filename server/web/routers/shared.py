"""A public campaign elsewhere: the picture beside a link, and a feed of its phases.

Both are read as a stranger, whoever asks: other pages may show them, so nothing may depend on who looks.
"""

from __future__ import annotations

from datetime import datetime
from xml.etree import ElementTree as ET

from fastapi import APIRouter, Response

from server.http.responses import json_response
from server.play.campaigns import campaigns, lobby
from server.play.campaigns.campaign_info import CampaignInfo, player_names
from server.play.context import Actor
from server.play.errors import PlayError
from server.play.views import history, positions
from server.render.forces import names_in
from server.render.png import to_png
from server.render.story import sentence
from server.render.svg import Options, draw
from server.web.page_context import PageContext, PageDep
from server.web.presenters.scenario_cards import drawn
from server.web.route import OPEN, PageRoute

router = APIRouter(route_class=PageRoute, prefix="/campaigns/{campaign_id}")

STRANGER = Actor()
WIDTH = 1200
"""Pixels of the picture, which messengers and chats show as a large card."""
PHASES = 30
"""Finished phases in the feed."""
_ANYWHERE = {
    "Cache-Control": "public, no-cache",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
}
_ATOM = "http://www.w3.org/2005/Atom"


@router.get("/map.png", openapi_extra=OPEN)
def picture(page: PageDep, campaign_id: str) -> Response:
    """Return the map as everyone may know it; before the start, the empty map."""
    if campaigns.get(page.ctx, STRANGER, campaign_id).status == "open":
        found = lobby.load(page.ctx, STRANGER, campaign_id)
        svg = drawn(found.scenario, found.ruleset).decode()
    else:
        shown = positions.position(page.ctx, STRANGER, campaign_id)
        names = player_names(campaigns.get(page.ctx, STRANGER, campaign_id))
        svg = draw(shown.view, Options(names=names, legend=False, theme="light"))
    return json_response(page.request, to_png(svg, width=WIDTH), media_type="image/png", headers=_ANYWHERE)


@router.get("/feed.atom", openapi_extra=OPEN)
def feed(page: PageDep, campaign_id: str) -> Response:
    """Return the latest finished phases as an Atom feed (RFC 4287), told as everyone may know them."""
    campaign = campaigns.get(page.ctx, STRANGER, campaign_id)
    if not campaign.listed:
        raise PlayError("not_found")
    content = _feed(page, campaign)
    return json_response(page.request, content, media_type="application/atom+xml; charset=utf-8", headers=_ANYWHERE)


def _feed(page: PageContext, campaign: CampaignInfo) -> bytes:
    address = f"{page.ctx.settings.public_url}/campaigns/{campaign.id}"
    made = ET.Element("feed", xmlns=_ATOM)
    _add(made, "id", address)
    _add(made, "title", campaign.name)
    ET.SubElement(made, "link", href=address)
    ET.SubElement(made, "link", rel="self", href=f"{address}/feed.atom")
    since = max(0, campaign.phase_number - PHASES)
    phases = history.read_phases(page.ctx, STRANGER, campaign.id, since=since).phases if campaign.started_at else ()
    _add(made, "updated", _time(phases[-1][0].resolved_at if phases else campaign.created_at))
    _add(ET.SubElement(made, "author"), "name", campaign.gm or "Sealed Orders")
    after = history.views(page.ctx, STRANGER, campaign.id, [info.number for info, _ in phases]) if phases else []
    names = names_in(player_names(campaign), [view.state for view in after], page.t.language)
    for info, events in reversed(phases):
        entry = ET.SubElement(made, "entry")
        _add(entry, "id", f"{address}/history#{info.branch}.{info.number}")
        _add(entry, "title", page.t.stage(info.turn, info.phase))
        ET.SubElement(entry, "link", href=f"{address}/history#phase-{info.number}")
        _add(entry, "updated", _time(info.resolved_at))
        told = [str(sentence(event, names, page.t.language)) for event in events if event.type != "dice"]
        _add(entry, "content", "\n".join(told) or page.t("shared.quiet"))
    document: bytes = ET.tostring(made, encoding="utf-8", xml_declaration=True)
    return document


def _add(parent: ET.Element, name: str, text: str) -> None:
    # XML knows no control characters; names and sentences hold none but line breaks
    ET.SubElement(parent, name).text = "".join(char for char in text if char >= " " or char in "\n\t")


def _time(at: datetime | None) -> str:
    return at.isoformat() if at is not None else ""
