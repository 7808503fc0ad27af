"""What a game master does before the campaign begins, and about its options: inviting, starting, changing."""

from __future__ import annotations

from fastapi import APIRouter, Response

from server.play import text_input
from server.play.access import NOT_FINISHED
from server.play.campaigns import campaign_start, campaigns, lobby, seats
from server.play.campaigns.campaigns import MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH
from server.play.campaigns.lobby import Lobby
from server.play.errors import PlayError
from server.rules.state import SETUP
from server.rulesets import NO_LIST
from server.web.frame import campaign_page, confirm_page, expect
from server.web.page_context import PageContext, PageDep
from server.web.presenters.campaign_form import CampaignForm
from server.web.route import PageRoute
from server.web.routers.campaign import shown
from server.web.routers.new_campaign import zones

router = APIRouter(route_class=PageRoute, prefix="/campaigns/{campaign_id}/gm")
SETTLED = ("anonymous", "gm_sees_orders", "gm_plays")
"""Options that are settled when the campaign begins."""


@router.post("/code")
def make_link(page: PageDep, campaign_id: str) -> Response:
    """Make a new invitation link and show it, this once."""
    code = seats.invite_by_code(page.ctx, page.actor, campaign_id).code
    return shown(page, campaign_id, link=f"{page.server.settings.public_url.rstrip('/')}/join/{code}")


@router.post("/code/withdraw")
def withdraw_link(page: PageDep, campaign_id: str) -> Response:
    """Make the invitation link worthless."""
    seats.withdraw_code(page.ctx, page.actor, campaign_id)
    return page.redirect(f"/campaigns/{campaign_id}", said="code_withdrawn")


@router.post("/invite")
def invite(page: PageDep, campaign_id: str) -> Response:
    """Ask someone into the campaign by name."""
    try:
        seats.invite_user(page.ctx, page.actor, campaign_id, page.form.text("name"))
    except PlayError as error:
        return shown(page, campaign_id, error)
    return page.redirect(f"/campaigns/{campaign_id}", said="invited")


@router.get("/start")
def start_page(page: PageDep, campaign_id: str) -> Response:
    """Say what beginning means."""
    found = lobby.load(page.ctx, page.actor, campaign_id)
    _check_gm(page, found)
    expect(found.info, "open")
    return _start(page, campaign_id)


@router.post("/start")
def start(page: PageDep, campaign_id: str) -> Response:
    """Begin; with *computers* in the form, computer players have the seats that nobody took."""
    try:
        if page.form.flag("computers"):
            campaigns.change(page.ctx, page.actor, campaign_id, options={"computer_seats": True})
        campaign_start.start(page.ctx, page.actor, campaign_id)
    except PlayError as error:
        return _start(page, campaign_id, error)
    plays = campaigns.get(page.ctx, page.actor, campaign_id).your_seats
    return page.redirect(f"/campaigns/{campaign_id}{'/table' if plays else ''}", said="started")


@router.post("/sit")
def sit(page: PageDep, campaign_id: str) -> Response:
    """Take a seat in the campaign that one runs, any faction; from then on its game master plays."""
    found = lobby.load(page.ctx, page.actor, campaign_id)
    campaigns.change(page.ctx, page.actor, campaign_id, options={"gm_plays": True})
    factions = [id_ for id_ in found.ruleset.factions if id_ != NO_LIST]
    seats.join(page.ctx, page.actor, campaign_id, faction=factions[0])
    return page.redirect(f"/campaigns/{campaign_id}/invite", said="joined")


def _start(page: PageContext, campaign_id: str, error: PlayError | None = None) -> Response:
    info, t = campaigns.get(page.ctx, page.actor, campaign_id), page.t
    names = ", ".join(seat.name for seat in info.seats if seat.taken)
    empty = sum(not seat.taken for seat in info.seats)
    due = info.options.deadlines.due(page.ctx.now(), SETUP)
    facts = [t("start.seats", names=names or "–")]
    facts += [t("start.empty", n=empty)] if empty else []
    facts += [t("start.fixed"), t("start.setup")]
    facts += [t("start.due", when=t.when(due)) if due else t("start.no_due"), t("start.told")]
    here = f"/campaigns/{campaign_id}"
    return confirm_page(page, info, "overview", "start", facts, f"{here}/gm/start", here, danger=False, error=error)


@router.get("/options")
def options_page(page: PageDep, campaign_id: str) -> Response:
    """Show what the campaign has chosen, to be changed."""
    found = lobby.load(page.ctx, page.actor, campaign_id)
    _check_gm(page, found)
    expect(found.info, *NOT_FINISHED, "finished")
    choices = CampaignForm.of(found.info.options, found.info.rules, page.t.zone)
    given = {"name": found.info.name, "description": found.info.description, "listed": found.info.listed}
    return _options(page, found, choices, given)


@router.post("/options")
def change_options(page: PageDep, campaign_id: str) -> Response:
    """Change the campaign, or show what is wrong beside the fields."""
    found, form = lobby.load(page.ctx, page.actor, campaign_id), page.form
    unbegun = found.info.status == "open"
    choices = CampaignForm.read(form, page.t.zone, rules=unbegun)
    name, description = form.text("name"), form.text("description")
    choices.collect("name", lambda: text_input.line(name, "name", MAX_NAME_LENGTH))
    choices.collect("description", lambda: text_input.lines(description, "description", MAX_DESCRIPTION_LENGTH))
    given = {"name": name, "description": description, "listed": form.flag("listed")}
    options = {key: value for key, value in choices.options.items() if unbegun or key not in SETTLED}
    if not choices.problems:
        choices.collect(
            "name",
            lambda: campaigns.change(
                page.ctx,
                page.actor,
                campaign_id,
                name=name,
                description=description,
                listed=form.flag("listed"),
                options=options,
                rules=choices.rules if unbegun else None,
                revision=form.integer("revision"),
            ),
        )
    if choices.problems:
        return _options(page, found, choices, given, 422)
    return page.redirect(f"/campaigns/{campaign_id}", said="options_changed")


def _options(
    page: PageContext, found: Lobby, choices: CampaignForm, given: dict[str, object], status: int = 200
) -> Response:
    _check_gm(page, found)
    return campaign_page(
        page,
        "options.html",
        found.info,
        "overview",
        status,
        choices=choices,
        given=given,
        zones=zones(),
        with_rules=found.info.status == "open",
    )


def _check_gm(page: PageContext, found: Lobby) -> None:
    if not found.info.you_are_gm and not page.actor.admin:
        raise PlayError("forbidden", "Only the game master may do that.")
