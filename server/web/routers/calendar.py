"""What other programs read: the private calendar (iCalendar, RFC 5545); a public campaign's picture and feed.

Picture and feed are read as a stranger, whoever asks: other pages may show them, so nothing may depend on who looks.
The library for calendars is loaded for the first of them: a server starts sooner without it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

from fastapi import Response

from server.http.responses import json_response
from server.play.accounts import accounts
from server.play.campaigns import campaign_info, campaigns
from server.play.campaigns.campaign_info import CampaignInfo, player_names
from server.play.context import Actor
from server.play.errors import PlayError
from server.play.schedule import calendar
from server.play.schedule.calendar import Appointment
from server.play.tables import battle_agreements
from server.play.views import history, positions
from server.render.naming import names_in
from server.render.png import to_png
from server.render.story import sentence
from server.render.svg import Options, draw
from server.render.translations import choose
from server.web.page_context import PageContext, PageDep
from server.web.presenters.scenario_cards import drawn
from server.web.route import OPEN, PageRouter
from server.web.translations import Translations

if TYPE_CHECKING:
    from icalendar import Event

router = PageRouter("/calendar")

WARNING = timedelta(hours=3)
"""How long before a deadline a calendar program reminds of it."""
REFRESH = timedelta(hours=1)
LASTS = timedelta(minutes=15)
"""How long a deadline is drawn: an event must end after it begins (RFC 5545, 3.8.2.2)."""


@router.get("/{secret}.ics", openapi_extra=OPEN)
def show(page: PageDep, secret: str) -> Response:
    """Return the deadlines and battles of the address's account."""
    from icalendar import Calendar as ICalendar

    found = calendar.read(page.ctx, secret)
    account = accounts.me(page.ctx, found.owner)
    language = choose(account.locale) if account.locale else page.t.language
    t = Translations(language, ZoneInfo(account.time_zone or "UTC"))
    made = ICalendar()
    made.add("prodid", "-//Sealed Orders//sealed-orders//EN")
    made.add("version", "2.0")
    made.add("x-wr-calname", t("calendar.name"))
    made.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    base = page.ctx.settings.public_url
    for appointment in found.appointments:
        made.add_component(_event(t, appointment, base, page.ctx.now()))
    for meeting in found.meetings:
        made.add_component(battle_agreements.to_event(page.ctx, meeting))
    headers = {"Cache-Control": "private, no-store", "Content-Disposition": 'inline; filename="sealed-orders.ics"'}
    return Response(made.to_ical(), 200, headers, "text/calendar; charset=utf-8")


def _event(t: Translations, appointment: Appointment, base: str, now: datetime) -> Event:
    from icalendar import Alarm, Event

    entry = appointment.campaign
    stage = t.stage(entry.turn or 0, entry.phase or "")
    asked = entry.wanted and not entry.final
    made = Event()
    made.add("uid", f"{appointment.branch_phase}@sealed-orders")
    made.add("dtstamp", now)
    made.add("dtstart", appointment.at)
    made.add("dtend", appointment.at + LASTS)
    made.add("summary", t("calendar.deadline" if asked else "calendar.deadline_calm", campaign=entry.name, stage=stage))
    lines = [t("calendar.battle", hex=hex_) for hex_ in appointment.battles]
    lines.append(t("calendar.wanted" if asked else "calendar.final" if entry.final else "calendar.nothing"))
    page = "battles" if entry.phase == "reports" else "table"
    made.add("description", "\n".join(lines))
    made.add("url", f"{base}/campaigns/{entry.id}/{page}")
    if asked:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", t("calendar.wanted"))
        alarm.add("trigger", -WARNING)
        made.add_component(alarm)
    return made


shared = PageRouter("/campaigns/{campaign_id}")

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


@shared.get("/map.png", openapi_extra=OPEN)
def picture(page: PageDep, campaign_id: str) -> Response:
    """Return the map as everyone may know it; before the start, the empty map."""
    if campaigns.get(page.ctx, STRANGER, campaign_id).status == "open":
        found = campaign_info.load(page.ctx, STRANGER, campaign_id)
        svg = drawn(found.scenario, found.ruleset).decode()
    else:
        shown = positions.position(page.ctx, STRANGER, campaign_id)
        names = player_names(campaigns.get(page.ctx, STRANGER, campaign_id))
        svg = draw(shown.view, Options(names=names, legend=False, theme="light"))
    return json_response(page.request, to_png(svg, width=WIDTH), media_type="image/png", headers=_ANYWHERE)


@shared.get("/feed.atom", openapi_extra=OPEN)
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
