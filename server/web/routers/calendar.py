"""The private calendar's address, for the calendar programs of those who play (iCalendar, RFC 5545).

The library for calendars is loaded for the first of them: a server starts sooner without it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Response

from server.play.accounts import accounts
from server.play.schedule import calendar
from server.play.schedule.calendar import Appointment
from server.play.tables import battle_meeting
from server.render.translations import choose
from server.web.page_context import PageDep
from server.web.route import OPEN, PageRoute
from server.web.translations import Translations

if TYPE_CHECKING:
    from icalendar import Event

router = APIRouter(route_class=PageRoute, prefix="/calendar")

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
        made.add_component(battle_meeting.to_event(page.ctx, meeting))
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
