"""A campaign's first page: the campaign, its players, orders due; joining, leaving, being away, votes on the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from fastapi import Response

from server.play.access import NOT_FINISHED, UNDER_WAY
from server.play.campaigns import campaign_info, campaigns, holidays, practice, seats, votes
from server.play.campaigns.campaign_info import CampaignInfo, Lobby, player_names
from server.play.campaigns.practice import PracticeInfo
from server.play.campaigns.votes import VoteInfo
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.views import history, positions
from server.play.views.history import InterventionInfo
from server.rules.state import Player
from server.web.frame import STARTED, campaign_page, confirm_page, expect, frame
from server.web.page_context import PageContext, PageDep
from server.web.presenters.campaign_form import settings_lines
from server.web.presenters.scenario_cards import drawn, factions_of
from server.web.route import OPEN, PageRouter

router = PageRouter("/campaigns/{campaign_id}")
_PICTURE = {
    "Cache-Control": "private, max-age=3600",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
}


@router.get("", openapi_extra=OPEN)
def overview(page: PageDep, campaign_id: str) -> Response:
    """Show a campaign."""
    return shown(page, campaign_id)


@router.get("/now", openapi_extra=OPEN)
def now(page: PageDep, campaign_id: str) -> Response:
    """Return the strip that says where the campaign stands."""
    found = campaigns.get(page.ctx, page.actor, campaign_id)
    return page.render("parts/now_live.html", **(frame(page, found) | {"apart": True}))


@router.get("/players", openapi_extra=OPEN)
def players(page: PageDep, campaign_id: str) -> Response:
    """Return the table of who plays, for a page that is open when something happens."""
    found = campaign_info.load(page.ctx, page.actor, campaign_id)
    standing = _standing(page.ctx, page.actor, campaign_id, found.info.status)
    return page.render("parts/players.html", campaign=found.info, lobby=found, **standing)


@router.get("/scenario.svg", openapi_extra=OPEN)
def scenario(page: PageDep, campaign_id: str) -> Response:
    """Return the campaign's map as it was before anybody came."""
    found = campaign_info.load(page.ctx, page.actor, campaign_id)
    return Response(drawn(found.scenario, found.ruleset), 200, _PICTURE, "image/svg+xml")


@router.post("/join")
def join(page: PageDep, campaign_id: str) -> Response:
    """Take a seat."""
    form = page.form
    try:
        seats.join(
            page.ctx,
            page.actor,
            campaign_id,
            faction=form.optional("faction"),
            seat=form.optional("seat"),
            name=form.optional("name"),
        )
    except PlayError as error:
        return shown(page, campaign_id, error)
    return page.redirect(f"/campaigns/{campaign_id}", said="joined")


@router.get("/leave")
def leave_page(page: PageDep, campaign_id: str) -> Response:
    """Say what leaving means."""
    found = campaign_info.load(page.ctx, page.actor, campaign_id)
    info = found.info
    if _own(found, page.actor) is None:
        raise PlayError("forbidden", "You have no seat in this campaign.")
    expect(info, *NOT_FINISHED)
    begun = info.status in STARTED
    later = "overview.leave_begun" if info.options.take_over else "overview.leave_closed"
    facts = [page.t(later if begun else "overview.leave_open")]
    here, leave = f"/campaigns/{campaign_id}", page.t("overview.leave")
    return confirm_page(page, info, "overview", "", facts, f"{here}/leave", here, title=leave, button=leave)


@router.post("/leave")
def leave(page: PageDep, campaign_id: str) -> Response:
    """Give up a seat."""
    seats.leave(page.ctx, page.actor, campaign_id)
    return page.redirect("/", said="left")


@router.post("/watch")
def watch(page: PageDep, campaign_id: str) -> Response:
    """Watch everything as a player who is out."""
    seats.watch(page.ctx, page.actor, campaign_id)
    return page.redirect(f"/campaigns/{campaign_id}/reports/history?as=gm")


@router.post("/faction")
def choose_faction(page: PageDep, campaign_id: str) -> Response:
    """Play another faction."""
    seats.choose_faction(page.ctx, page.actor, campaign_id, page.form.text("faction"))
    return page.redirect(f"/campaigns/{campaign_id}", said="faction_chosen")


@router.post("/holiday")
def holiday(page: PageDep, campaign_id: str) -> Response:
    """Be away until then, or back again."""
    try:
        until = None if "back" in page.form else page.form.moment("until", page.t.zone)
        ends = seats.go_away(page.ctx, page.actor, campaign_id, until)
    except PlayError as error:
        if error.field != "until":
            raise
        return shown(page, campaign_id, error)
    said = "back" if until is None else "away" if ends == until else "away_shorter"
    return page.redirect(f"/campaigns/{campaign_id}#away", said=said)


@router.post("/stand-in")
def stand_in(page: PageDep, campaign_id: str) -> Response:
    """Choose the stand-in."""
    chosen = page.form.text("stand_in")
    substitute = page.form.optional("substitute") if chosen == "user" else None
    try:
        level = page.form.text("level")
        seats.choose_stand_in(page.ctx, page.actor, campaign_id, chosen, substitute=substitute, level=level)
    except PlayError as error:
        return shown(page, campaign_id, error)
    return page.redirect(f"/campaigns/{campaign_id}#away", said="stand_in_chosen")


def shown(page: PageContext, campaign_id: str, error: PlayError | None = None, **more: Any) -> Response:
    """Return a campaign's first page; with a refusal, if there was one."""
    found = campaign_info.load(page.ctx, page.actor, campaign_id)
    info = found.info
    return campaign_page(
        page,
        "overview.html",
        info,
        "overview",
        error=error,
        lobby=found,
        lines=settings_lines(page.t, info),
        own=_own(found, page.actor),
        done=_done(page, info),
        factions=factions_of(page.t, found.ruleset) if info.status == "open" else (),
        practice=_practice(page, info),
        vote=_vote(page, info),
        holiday_left=holidays.days_left(page.ctx, page.actor, campaign_id) if info.your_seats else None,
        names=player_names(info),
        **_standing(page.ctx, page.actor, campaign_id, info.status),
        **({"link": ""} | more),
    )


def _own(found: Lobby, actor: Actor) -> Any:
    """Return the seat someone sits in themselves."""
    names = [seat for seat in found.info.seats if seat.user == actor.name and seat.player_id in found.info.your_seats]
    return names[0] if actor.signed_in and names else None


def _done(page: PageContext, info: CampaignInfo) -> list[InterventionInfo]:
    """Return the game masters' log, the newest entry first, if the reader can watch."""
    try:
        return history.interventions(page.ctx, page.actor, info.id)[::-1] if info.status in STARTED else []
    except PlayError:
        return []


def _vote(page: PageContext, info: CampaignInfo) -> VoteInfo | None:
    """Return the open vote on the end, if the reader can watch."""
    if info.status not in UNDER_WAY or not info.open_to_you:
        return None
    found = votes.listed(page.ctx, page.actor, info.id)
    return found[-1] if found and not found[-1].outcome else None


def _practice(page: PageContext, info: CampaignInfo) -> PracticeInfo | None:
    """Return where a practice comes from, to those who play in it or run it; None for any other campaign."""
    if info.listed or info.status not in STARTED or not info.options.computer_seats or not info.open_to_you:
        return None
    try:
        return practice.get(page.ctx, page.actor, info.id)
    except PlayError:
        return None


def _standing(ctx: AppContext, actor: Actor, campaign_id: str, status: str) -> dict[str, Any]:
    """Return the public standings, if the reader can watch."""
    nothing: dict[str, Any] = {"players": {}, "final": {}, "winners": (), "ended_by": "", "hexes": {}}
    if status not in STARTED:
        return nothing
    try:
        state = positions.position(ctx, actor, campaign_id).view.state
        final = {finality.player_id: finality.final for finality in positions.finality(ctx, actor, campaign_id)}
    except PlayError:
        return nothing
    known: dict[str, Player] = dict(state.players)
    hexes = Counter(state.owner)
    return {"players": known, "final": final, "winners": state.winners, "ended_by": state.ended_by, "hexes": hexes}


voting = PageRouter("/campaigns/{campaign_id}/votes")


@voting.post("")
def propose_vote(page: PageDep, campaign_id: str) -> Response:
    """Open a vote."""
    form = page.form
    about = form.text("about")
    winner = form.text("winner") if about == "concede" else ""
    return _voted(
        page,
        campaign_id,
        lambda: votes.propose(page.ctx, page.actor, campaign_id, about, winner=winner, why=form.text("why")),
        "vote_opened",
    )


@voting.post("/{number}/answer")
def answer_vote(page: PageDep, campaign_id: str, number: int) -> Response:
    """Agree, or not."""
    agrees = page.form.text("agrees") == "1"
    return _voted(
        page,
        campaign_id,
        lambda: votes.answer(page.ctx, page.actor, campaign_id, number, agrees=agrees),
        "vote_answered",
    )


@voting.post("/{number}/withdraw")
def withdraw_vote(page: PageDep, campaign_id: str, number: int) -> Response:
    """Close the player's own vote."""
    return _voted(
        page, campaign_id, lambda: votes.withdraw(page.ctx, page.actor, campaign_id, number), "vote_withdrawn"
    )


def _voted(page: PageContext, campaign_id: str, work: Callable[[], object], said: str) -> Response:
    try:
        work()
    except PlayError as error:
        return shown(page, campaign_id, error)
    return page.redirect(f"/campaigns/{campaign_id}#votes", said=said)
