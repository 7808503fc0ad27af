"""The page from which a game master invites friends: a link, a code to scan, who is in, and the start."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Response

from server.play.campaigns import lobby, seats
from server.play.campaigns.lobby import Lobby
from server.play.errors import PlayError
from server.web.frame import LIVE
from server.web.page_context import PageContext, PageDep
from server.web.route import PageRoute

router = APIRouter(route_class=PageRoute, prefix="/campaigns/{campaign_id}/invite")


@router.get("")
def invite_page(page: PageDep, campaign_id: str) -> Response:
    """Show the link and who is in; once the campaign has started, its own page."""
    found = _found(page, campaign_id)
    if found.info.status != "open":
        return page.redirect(f"/campaigns/{campaign_id}{'/table' if found.info.your_seats else ''}")
    code = seats.code_of(page.ctx, page.actor, campaign_id)
    link = f"{page.ctx.settings.public_url.rstrip('/')}/join/{code}" if code else ""
    return page.render("invite.html", link=link, code=code, qr=_as_qr_code(link), mail=_mail(page, found, link),
                       kinds=LIVE, **who(found))  # fmt: skip


@router.post("/link")
def make_link(page: PageDep, campaign_id: str) -> Response:
    """Create a link if there is no longer one."""
    seats.invite_by_code(page.ctx, page.actor, campaign_id)
    return page.redirect(f"/campaigns/{campaign_id}/invite")


@router.get("/who")
def who_is_in(page: PageDep, campaign_id: str) -> Response:
    """Return the list of who is in, for a page that is open when someone joins."""
    return page.render("parts/who_is_in.html", **who(_found(page, campaign_id)))


def who(found: Lobby) -> dict[str, Any]:
    """Return what the list of who is in needs."""
    taken = sum(seat.taken for seat in found.info.seats)
    free = len(found.info.seats) - taken
    with_computers = found.info.options.computer_seats or taken not in found.info.player_counts
    return {"campaign": found.info, "lobby": found, "taken": taken, "computers": free if with_computers else 0}


def _found(page: PageContext, campaign_id: str) -> Lobby:
    found = lobby.load(page.ctx, page.actor, campaign_id)
    if not found.info.you_are_gm:
        raise PlayError("forbidden", "Only the game master may do that.")
    return found


def _mail(page: PageContext, found: Lobby, link: str) -> str:
    subject = page.t("invite.mail_subject", name=found.info.name)
    return f"mailto:?subject={quote(subject)}&body={quote(page.t('invite.mail_body', link=link))}"


def _as_qr_code(link: str) -> str:
    import segno  # few ever see one

    return segno.make(link).svg_data_uri(scale=4, border=2, light="white") if link else ""
