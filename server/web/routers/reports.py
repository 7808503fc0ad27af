"""Reports: what happened, in sentences; and the whole past, phase by phase, as one saw it then."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from server.play import history
from server.play.campaign_info import CampaignInfo
from server.play.errors import not_found
from server.play.history import PhaseHistory, PhaseInfo
from server.render.story import GROUPS
from server.web import chronicles
from server.web.chronicles import Filter, Told
from server.web.frame import begun, campaign_page
from server.web.naming import seats_by_player
from server.web.route import OPEN, PageRoute
from server.web.visits import Visit, Visiting

router = APIRouter(route_class=PageRoute, prefix="/campaigns/{campaign_id}/reports")

A_PAGE = 8
"""Phases on a page."""
MOST_TEXT = 60
As = Annotated[str, Query(alias="as", max_length=32)]
"""Through whose eyes one looks."""
Branch = Annotated[int | None, Query(ge=1, lt=2**31)]


@router.get("", openapi_extra=OPEN)
def page(
    visit: Visiting, campaign_id: str, until: int | None = None, kind: str = "", hex: str = "", player: str = "",
    force: str = "", branch: Branch = None, as_: As = "",
) -> Response:  # fmt: skip
    """Show what happened last, newest first."""
    campaign = begun(visit, campaign_id)
    wanted = Filter(
        kind if kind in GROUPS else "", hex.strip()[:8], player[:MOST_TEXT], force.strip()[:MOST_TEXT]
    )  # fmt: skip
    viewer = eyes(campaign, as_)
    last = _last(visit, campaign, branch)
    upto = last if until is None else max(0, min(until, last))
    since = 0 if wanted.given else max(0, upto - A_PAGE + 1)
    told = history.read_phases(visit.ctx, visit.actor, campaign_id, since=since, until=upto, branch=branch, as_=viewer)
    found = _told(visit, campaign, told, wanted, branch, viewer)
    shown = found[:40] if wanted.given else found
    content = {
        "phases": shown, "wanted": wanted, "groups_known": GROUPS, "older": since - 1 if since > 0 else None,
        "newer": min(last, upto + A_PAGE) if upto < last else None, "more": len(found) - len(shown), "branch": branch,
        "viewer": viewer,
    }  # fmt: skip
    return past_page(visit, "reports.html", campaign, "reports", **content)


@router.get("/history", openapi_extra=OPEN)
def history_page(
    visit: Visiting, campaign_id: str, number: int | None = None, branch: Branch = None, as_: As = ""
) -> Response:
    """Show a time slider through all phases."""
    campaign = begun(visit, campaign_id)
    viewer = eyes(campaign, as_)
    phases = finished(visit, campaign, branch)
    branches = history.branches(visit.ctx, visit.actor, campaign_id)
    at = next((each for each in phases if each.number == number), phases[-1])
    content = {
        "phases": phases, "at": at, "told": _one(visit, campaign, at.number, branch, viewer), "branches": branches,
        "branch": branch, "viewer": viewer, "eyes": _eyes_offered(campaign),
        "query": _query(branch, viewer), "numbers": [each.number for each in phases],
        "titles": [_title(visit, each) for each in phases],
    }  # fmt: skip
    return past_page(visit, "history.html", campaign, "history", **content)


@router.get("/{number}/story", openapi_extra=OPEN)
def story_part(visit: Visiting, campaign_id: str, number: int, branch: Branch = None, as_: As = "") -> Response:
    """Return what happened in a phase as a piece of a page: beside the slider."""
    campaign = begun(visit, campaign_id)
    told = _one(visit, campaign, number, branch, eyes(campaign, as_))
    return visit.page("parts/story.html", campaign=campaign, told=told, seats=seats_by_player(campaign))


@router.get("/{number}", openapi_extra=OPEN)
def phase_page(visit: Visiting, campaign_id: str, number: int, branch: Branch = None, as_: As = "") -> Response:
    """Show one phase: what happened, the battles with their rolls, the BP booked, a picture."""
    campaign = begun(visit, campaign_id)
    viewer = eyes(campaign, as_)
    found = history.past(visit.ctx, visit.actor, campaign_id, _known(number), branch=branch, as_=viewer)
    told = _one(visit, campaign, number, branch, viewer)
    board = found.view.state.board
    hexes = dict.fromkeys([*told.battles, *(each for _, group in told.groups for one in group for each in one.hexes)])
    places = {each: made for each in list(hexes)[:60] if (made := chronicles.place(board, each)) is not None}
    content = {
        "told": replace(told, places=places), "number": number, "branch": branch, "viewer": viewer,
        "query": _query(branch, viewer), "problems": found.problems.get(found.viewer, []),
        "last": _last(visit, campaign, branch),
    }  # fmt: skip
    return past_page(visit, "report.html", campaign, "reports", **content)


# --- for the other pages of the past ---


def past_page(visit: Visit, template: str, campaign: CampaignInfo, view: str, **content: Any) -> Response:
    """Return one of the pages under Reports."""
    common = {"seats": seats_by_player(campaign), "past_view": view}
    return campaign_page(visit, template, campaign, "reports", **(common | content))


def eyes(campaign: CampaignInfo, asked: str) -> str | None:
    """Return through whose eyes one looks; None: one's own. After the end one may choose."""
    if not asked:
        return None
    if asked == "me":
        return campaign.your_seats[0] if campaign.your_seats else None
    return asked[:32]


def finished(visit: Visit, campaign: CampaignInfo, branch: int | None) -> list[PhaseInfo]:
    """Return the finished phases of a line of play, first to last."""
    found: list[PhaseInfo] = []
    while more := history.phases(visit.ctx, visit.actor, campaign.id, branch=branch, after=found[-1].number if found
                                 else -1):  # fmt: skip
        found += more
    done = [each for each in found if each.resolved_at is not None]
    if not done:
        raise not_found("branch", branch)
    return done


# --- inside ---


def _title(visit: Visit, info: PhaseInfo) -> dict[str, Any]:
    """Return what the slider says of a phase."""
    t = visit.t
    alt = t("reports.map_after", stage=t.stage(info.turn, info.phase, "reports.phase", ", "))
    return {"number": info.number, "title": t.stage(info.turn, info.phase, "reports.phase"), "alt": alt}


def _eyes_offered(campaign: CampaignInfo) -> list[str]:
    """Return whose eyes one may look through: after the end everybody's, a game master's own choice before."""
    sees_all = campaign.you_are_gm and not campaign.your_seats
    if campaign.finished_at is None and not sees_all:
        return []
    return [each.player_id for each in campaign.seats if each.faction]


def _last(visit: Visit, campaign: CampaignInfo, branch: int | None) -> int:
    return finished(visit, campaign, branch)[-1].number


def _told(
    visit: Visit, campaign: CampaignInfo, told: PhaseHistory, wanted: Filter, branch: int | None, viewer: str | None
) -> list[Told]:
    """Return phases told, newest first; where much is looked through, only those in which something is found."""
    numbers = [info.number for info, events in told.phases if events]
    if wanted.given:
        numbers = numbers[-A_PAGE * 2 :]
    known = chronicles.background(visit, campaign, numbers, branch, viewer)
    found = [
        chronicles.tell(info, events, known, visit.t.language, wanted, told.viewer)
        for info, events in reversed(told.phases)
    ]
    return [each for each in found if not (wanted.given and each.empty)]


def _one(visit: Visit, campaign: CampaignInfo, number: int, branch: int | None, viewer: str | None) -> Told:
    at = _known(number)
    told = history.read_phases(visit.ctx, visit.actor, campaign.id, since=at, until=at, branch=branch, as_=viewer)
    if not told.phases:
        raise not_found("number", number)
    known = chronicles.background(visit, campaign, [at], branch, viewer)
    found = chronicles.tell(*told.phases[0], known, visit.t.language, Filter(), told.viewer)
    return replace(found, standing=known.standing)


def _known(number: int) -> int:
    """Return a phase's number as every database can hold it."""
    if not 0 <= number < 2**31:
        raise not_found("number", number)
    return number


def _query(branch: int | None, viewer: str | None) -> str:
    """Return what addresses of pictures and parts carry on."""
    parts = ([f"branch={branch}"] if branch is not None else []) + ([f"as={viewer}"] if viewer else [])
    return "&".join(parts)
