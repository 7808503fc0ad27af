"""Reports: what happened, in sentences; the whole past, phase by phase, as one saw it then; charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from fastapi import Query, Response

from server.bots.diplomacy_action import DiplomacyAction
from server.bots.letters import act_sentence
from server.bots.posture import Evaluation
from server.play import computer_players
from server.play.campaigns.campaign_info import CampaignInfo, seats_by_player
from server.play.errors import not_found
from server.play.views import history
from server.play.views.history import PhaseHistory, PhaseInfo
from server.render.naming import named
from server.render.story import GROUPS
from server.web.frame import campaign_page, started
from server.web.page_context import PageContext, PageDep
from server.web.presenters import phase_reports
from server.web.presenters.charts import HEIGHT, LEFT, RIGHT, WIDTH, charts
from server.web.presenters.map_data import PICTURES_DATA, about
from server.web.presenters.phase_reports import Filter, PhaseReport
from server.web.route import OPEN, PageRouter

router = PageRouter("/campaigns/{campaign_id}/reports")

A_PAGE = 8
"""Phases on a page."""
MAX_TEXT_LENGTH = 60
As = Annotated[str, Query(alias="as", max_length=32)]
"""Whose view is shown."""
Branch = Annotated[int | None, Query(ge=1, lt=2**31)]


@router.get("", openapi_extra=OPEN)
def page(
    page: PageDep, campaign_id: str, until: int | None = None, kind: str = "", hex: str = "", player: str = "",
    force: str = "", branch: Branch = None, as_: As = "",
) -> Response:  # fmt: skip
    """Show what happened last, newest first."""
    campaign = started(page, campaign_id)
    wanted = Filter(
        kind if kind in GROUPS else "", hex.strip()[:8], player[:MAX_TEXT_LENGTH], force.strip()[:MAX_TEXT_LENGTH]
    )
    viewer = viewer_of(campaign, as_)
    last = _last(page, campaign, branch)
    upto = last if until is None else max(0, min(until, last))
    since = 0 if wanted.given else max(0, upto - A_PAGE + 1)
    told = history.read_phases(page.ctx, page.actor, campaign_id, since=since, until=upto, branch=branch, as_=viewer)
    found = _reports(page, campaign, told, wanted, branch, viewer)
    shown = found[:40] if wanted.given else found
    content = {
        "phases": shown, "wanted": wanted, "groups_known": GROUPS, "older": since - 1 if since > 0 else None,
        "newer": min(last, upto + A_PAGE) if upto < last else None, "more": len(found) - len(shown), "branch": branch,
        "viewer": viewer, "feelings": _feelings(page, campaign),
        "act_told": _sentence(page, campaign),
    }  # fmt: skip
    return past_page(page, "reports.html", campaign, "reports", **content)


@router.get("/history", openapi_extra=OPEN)
def history_page(
    page: PageDep, campaign_id: str, number: int | None = None, branch: Branch = None, as_: As = ""
) -> Response:
    """Show a time slider through all phases."""
    campaign = started(page, campaign_id)
    viewer = viewer_of(campaign, as_)
    phases = finished(page, campaign, branch)
    branches = history.branches(page.ctx, page.actor, campaign_id)
    at = next((phase for phase in phases if phase.number == number), phases[-1])
    content = {
        "phases": phases, "at": at, "told": _report(page, campaign, at.number, branch, viewer), "branches": branches,
        "branch": branch, "viewer": viewer, "viewers": _viewers_offered(campaign),
        "query": _query(branch, viewer), "numbers": [phase.number for phase in phases],
        "titles": [_title(page, phase) for phase in phases], "about": about(page, campaign), "pictures": PICTURES_DATA,
    }  # fmt: skip
    return past_page(page, "history.html", campaign, "history", **content)


@router.get("/{number}/story", openapi_extra=OPEN)
def story_part(page: PageDep, campaign_id: str, number: int, branch: Branch = None, as_: As = "") -> Response:
    """Return what happened in a phase as a piece of a page: beside the slider."""
    campaign = started(page, campaign_id)
    told = _report(page, campaign, number, branch, viewer_of(campaign, as_))
    return page.render("parts/story.html", campaign=campaign, told=told, seats=seats_by_player(campaign))


@router.get("/{number}", openapi_extra=OPEN)
def phase_page(page: PageDep, campaign_id: str, number: int, branch: Branch = None, as_: As = "") -> Response:
    """Show one phase: what happened, the battles with their rolls, the BP booked, a picture."""
    campaign = started(page, campaign_id)
    viewer = viewer_of(campaign, as_)
    found = history.past(page.ctx, page.actor, campaign_id, _known(number), branch=branch, as_=viewer)
    told = _report(page, campaign, number, branch, viewer)
    board = found.view.state.board
    hexes = dict.fromkeys([*told.battles, *(hex_ for _, group in told.groups for one in group for hex_ in one.hexes)])
    places = {hex_: made for hex_ in list(hexes)[:60] if (made := phase_reports.map_part(board, hex_)) is not None}
    names = {seat.player_id: seat.name or seat.player_id for seat in campaign.seats}
    content = {
        "told": replace(told, map_parts=places), "number": number, "branch": branch, "viewer": viewer,
        "query": _query(branch, viewer), "problems": found.problems.get(found.viewer, []),
        "last": _last(page, campaign, branch), "feelings": _feelings(page, campaign),
        "act_told": _sentence(page, campaign), "known": partial(named, board, names),
    }  # fmt: skip
    return past_page(page, "report.html", campaign, "reports", **content)


# --- for the other pages of the past ---


def past_page(page: PageContext, template: str, campaign: CampaignInfo, view: str, **content: Any) -> Response:
    """Return one of the pages under Reports."""
    common = {"seats": seats_by_player(campaign), "past_view": view}
    return campaign_page(page, template, campaign, "reports", **(common | content))


def viewer_of(campaign: CampaignInfo, asked: str) -> str | None:
    """Return the chosen viewer; None: the reader's own view. After the end any may be chosen."""
    if not asked:
        return None
    if asked == "me":
        return campaign.your_seats[0] if campaign.your_seats else None
    return asked[:32]


def finished(page: PageContext, campaign: CampaignInfo, branch: int | None) -> list[PhaseInfo]:
    """Return the finished phases of a branch, first to last."""
    found: list[PhaseInfo] = []
    while more := history.phases(
        page.ctx, page.actor, campaign.id, branch=branch, after=found[-1].number if found else -1
    ):
        found += more
    done = [phase for phase in found if phase.resolved_at is not None]
    if not done:
        raise not_found("branch", branch)
    return done


# --- inside ---


def _feelings(page: PageContext, campaign: CampaignInfo) -> Mapping[int, list[tuple[str, Evaluation]]]:
    """Return how the computer players felt at the end of each turn, for those who may know."""
    return computer_players.by_turn(computer_players.postures(page.ctx, page.actor, campaign.id))


def _sentence(page: PageContext, campaign: CampaignInfo) -> Callable[[str, DiplomacyAction], str]:
    """Return the sentence for an act of diplomacy."""
    names = {seat.player_id: seat.name for seat in campaign.seats}
    return lambda writer, act: act_sentence(act, writer, names, page.t.language)


def _title(page: PageContext, info: PhaseInfo) -> dict[str, Any]:
    """Return what the slider says of a phase."""
    t = page.t
    alt = t("reports.map_after", stage=t.stage(info.turn, info.phase, "reports.phase", ", "))
    return {"number": info.number, "title": t.stage(info.turn, info.phase, "reports.phase"), "alt": alt}


def _viewers_offered(campaign: CampaignInfo) -> list[str]:
    """Return the viewers to choose from: after the end all, before it those of a game master."""
    sees_all = campaign.you_are_gm and not campaign.your_seats
    if not campaign.public and not sees_all and not campaign.you_watch:
        return []
    return [seat.player_id for seat in campaign.seats if seat.faction]


def _last(page: PageContext, campaign: CampaignInfo, branch: int | None) -> int:
    return finished(page, campaign, branch)[-1].number


def _reports(
    page: PageContext,
    campaign: CampaignInfo,
    told: PhaseHistory,
    wanted: Filter,
    branch: int | None,
    viewer: str | None,
) -> list[PhaseReport]:
    """Return phases told, newest first; where much is looked through, only those in which something is found."""
    numbers = [info.number for info, events in told.phases if events]
    if wanted.given:
        numbers = numbers[-A_PAGE * 2 :]
    known = phase_reports.background(page, campaign, numbers, branch, viewer)
    found = [
        phase_reports.phase_report(info, events, known, page.t.language, wanted, told.viewer)
        for info, events in reversed(told.phases)
    ]
    return [phase_report for phase_report in found if not (wanted.given and phase_report.empty)]


def _report(
    page: PageContext, campaign: CampaignInfo, number: int, branch: int | None, viewer: str | None
) -> PhaseReport:
    at = _known(number)
    told = history.read_phases(page.ctx, page.actor, campaign.id, since=at, until=at, branch=branch, as_=viewer)
    if not told.phases:
        raise not_found("number", number)
    known = phase_reports.background(page, campaign, [at], branch, viewer)
    found = phase_reports.phase_report(*told.phases[0], known, page.t.language, Filter(), told.viewer)
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


curves = PageRouter("/campaigns/{campaign_id}/reports/charts")


@curves.get("", openapi_extra=OPEN)
def charts_page(page: PageDep, campaign_id: str) -> Response:
    """Show curves of VP, land, armies and BP, each with its numbers as a table."""
    campaign = started(page, campaign_id)
    standings = history.standings(page.ctx, page.actor, campaign_id)
    numbers = {seat.player_id: seat.number for seat in campaign.seats}
    found = charts(standings, finished(page, campaign, None), numbers)
    content = {"charts": found, "width": WIDTH, "height": HEIGHT, "left": LEFT, "right": WIDTH - RIGHT}
    return past_page(page, "charts.html", campaign, "charts", **content)
