"""What pages share: the frame of a campaign's pages with its name, phase and tabs; of table games, who looks."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from fastapi import Response

from server.http.responses import STILL, json_response
from server.http.signing import at_the_table, bearer, csrf_token, secrets_of
from server.play.access import UNDER_WAY
from server.play.campaigns import campaigns, dashboard
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.context import NOBODY, Actor
from server.play.errors import PlayError, stands_so
from server.play.notices.notices import KINDS
from server.play.tables import missions
from server.play.tables.info import TableInfo
from server.web.page_context import PageContext

STARTED = (*UNDER_WAY, "finished", "archived")
"""Statuses of campaigns that have something to look at."""
LIVE = " ".join((*KINDS, "orders_changed", "finality"))
"""Kinds of live events a page listens to."""


def tabs(campaign: CampaignInfo) -> list[str]:
    """Return the pages of a campaign that someone may open, in order."""
    found = ["overview"]
    if campaign.status in STARTED and campaign.open_to_you:
        found += ["table", "battles", "reports", "chronicle"]
    if campaign.your_seats or campaign.you_are_gm:
        found.append("people")
    if campaign.you_are_gm:
        found.append("gm")
    return [*found, "rules"]


def started(page: PageContext, campaign_id: str) -> CampaignInfo:
    """Return a campaign that has started and that someone may look at; who is not signed in may be one who may."""
    found = campaigns.get(page.ctx, page.actor, campaign_id)
    if found.status not in STARTED:
        raise PlayError("wrong_status", "The campaign has not begun.", field="status", value=found.status)
    if not found.open_to_you:
        if not page.actor.signed_in:
            raise PlayError("not_signed_in")
        raise PlayError("forbidden", "This campaign has no spectators: only who plays or runs it sees more of it.")
    return found


def expect(campaign: CampaignInfo, *statuses: str) -> None:
    """Refuse a page about something that the campaign's status does not allow."""
    if campaign.status not in statuses:
        raise stands_so(campaign.status, value=campaign.status)


def frame(page: PageContext, campaign: CampaignInfo) -> dict[str, Any]:
    """Return the values for ``campaign.html`` and its parts; ``unread`` counts messages to players and game masters."""
    concerned = campaign.your_seats or campaign.you_are_gm
    unread = dashboard.unread_in(page.ctx, page.actor, campaign.id) if concerned else 0
    return {
        "campaign": campaign,
        "tabs": tabs(campaign),
        "kinds": LIVE,
        "unread": unread,
        "apart": False,
        "wants": _wants(page, campaign),
    }


def _wants(page: PageContext, campaign: CampaignInfo) -> str:
    """Return the orders the reader must give; empty for none."""
    if not campaign.your_seats or campaign.phase is None or campaign.status != "running":
        return ""
    mine = page.finality(campaign.id).get(page.seat if page.seat in campaign.your_seats else campaign.your_seats[0])
    return page.t(f"score.wanted.{campaign.phase}") if mine is not None and mine.wanted and not mine.final else ""


def campaign_page(
    page: PageContext, template: str, campaign: CampaignInfo, tab: str, status: int = 200, **content: Any
) -> Response:
    """Return a page of a campaign."""
    return page.render(template, status, tab=tab, **frame(page, campaign), **content)


def confirm_page(
    page: PageContext, campaign: CampaignInfo, tab: str, what: str, facts: list[str], action: str, back: str,
    **content: Any,
) -> Response:  # fmt: skip
    """Return the page that says what something means, with a button that does it: texts ``<what>.title``, ``.button``.

    *content* may have texts of its own, ``hidden`` fields, ``why`` (``optional`` or ``required``) and ``error``.
    """
    texts = {name: page.t(f"{what}.{name}") for name in ("title", "button") if name not in content}
    usual: dict[str, Any] = {"facts": facts, "action": action, "back": back, "why": "", "danger": True}
    return campaign_page(page, "confirm.html", campaign, tab, **(usual | texts | content))


def visitor(page: PageContext) -> Actor:
    """Return who looks: an account, a guest, or nobody."""
    return at_the_table(page.server, page.request)


def render_table_page(page: PageContext, template: str, actor: Actor, **content: Any) -> Response:
    """Return a page, with what its scripts need to write as its visitor."""
    shown = secrets_of(page.request, public=True, guests=True)
    good = (secret for secret in shown if bearer(page.server, page.request, secret, public=True) is not NOBODY)
    secret = next(good, "") if actor.signed_in else ""
    csrf = csrf_token(secret) if secret else ""
    return page.render(template, actor=actor, csrf=csrf, **content)


def still(page: PageContext, document: str | bytes, kind: str) -> Response:
    """Return a picture or a sheet: styles of its own, and nothing else."""
    content = document.encode() if isinstance(document, str) else document
    return json_response(page.request, content, media_type=kind, headers=STILL)


def mission_names(page: PageContext, actor: Actor) -> dict[str, str]:
    """Return what the missions that someone may play are called, by id."""
    known = missions.listed(page.ctx, actor)
    return {mission.id: mission.name.get(page.t.language) or mission.name["en"] for mission in known}


def title(page: PageContext, actor: Actor, found: TableInfo) -> str:
    """Return what a game is called: its own name, or its mission's."""
    names = mission_names(page, actor) | own_name(page, found)
    return found.name or names.get(found.mission) or page.t("tabletop.game")


def own_name(page: PageContext, found: TableInfo) -> dict[str, str]:
    """Return what a game's mission is called, by id, if it is a club's own."""
    values = found.setup.get("own_mission")
    if values is None:
        return {}
    name = values["name"]
    return {found.mission: name if isinstance(name, str) else name.get(page.t.language) or name["en"]}


def qr_code(address: str) -> bytes:
    """Return an address as a picture that a camera reads (SVG)."""
    import segno

    out = BytesIO()
    segno.make(address, error="m").save(out, kind="svg", border=3, scale=8)
    return out.getvalue()
