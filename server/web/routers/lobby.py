"""What a game master does before the campaign begins, and about its options: inviting friends and bots, starting."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import Response

from server.play import text_input
from server.play.access import NOT_FINISHED
from server.play.accounts import accounts
from server.play.campaigns import campaign_info, campaign_start, campaigns, dashboard, seats
from server.play.campaigns.campaign_info import Lobby
from server.play.campaigns.campaigns import MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH
from server.play.errors import PlayError
from server.rules.state import SETUP
from server.rulesets import NO_LIST
from server.web.frame import LIVE, campaign_page, confirm_page, expect
from server.web.page_context import PageContext, PageDep
from server.web.presenters.campaign_form import CampaignForm
from server.web.route import PageRouter
from server.web.routers.campaign import shown
from server.web.routers.new_campaign import zones

router = PageRouter("/campaigns/{campaign_id}/gm")
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
    found = campaign_info.load(page.ctx, page.actor, campaign_id)
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
    found = campaign_info.load(page.ctx, page.actor, campaign_id)
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
    found = campaign_info.load(page.ctx, page.actor, campaign_id)
    _check_gm(page, found)
    expect(found.info, *NOT_FINISHED, "finished")
    choices = CampaignForm.of(found.info.options, found.info.rules, page.t.zone)
    given = {"name": found.info.name, "description": found.info.description, "listed": found.info.listed}
    return _options(page, found, choices, given)


@router.post("/options")
def change_options(page: PageDep, campaign_id: str) -> Response:
    """Change the campaign, or show what is wrong beside the fields."""
    found, form = campaign_info.load(page.ctx, page.actor, campaign_id), page.form
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


inviting = PageRouter("/campaigns/{campaign_id}/invite")


@inviting.get("")
def invite_page(page: PageDep, campaign_id: str) -> Response:
    """Show the link and who is in; once the campaign has started, its own page."""
    found = _run_by(page, campaign_id)
    if found.info.status != "open":
        return page.redirect(f"/campaigns/{campaign_id}{'/table' if found.info.your_seats else ''}")
    code = seats.code_of(page.ctx, page.actor, campaign_id)
    link = f"{page.ctx.settings.public_url.rstrip('/')}/join/{code}" if code else ""
    return page.render("invite.html", link=link, code=code, qr=_as_qr_code(link), mail=_mail(page, found, link),
                       kinds=LIVE, **who(found))  # fmt: skip


@inviting.post("/link")
def renew_link(page: PageDep, campaign_id: str) -> Response:
    """Create a link if there is no longer one."""
    seats.invite_by_code(page.ctx, page.actor, campaign_id)
    return page.redirect(f"/campaigns/{campaign_id}/invite")


@inviting.get("/who")
def who_is_in(page: PageDep, campaign_id: str) -> Response:
    """Return the list of who is in, for a page that is open when someone joins."""
    return page.render("parts/who_is_in.html", **who(_run_by(page, campaign_id)))


def who(found: Lobby) -> dict[str, Any]:
    """Return what the list of who is in needs."""
    taken = sum(seat.taken for seat in found.info.seats)
    free = len(found.info.seats) - taken
    with_computers = found.info.options.computer_seats or taken not in found.info.player_counts
    return {"campaign": found.info, "lobby": found, "taken": taken, "computers": free if with_computers else 0}


def _run_by(page: PageContext, campaign_id: str) -> Lobby:
    found = campaign_info.load(page.ctx, page.actor, campaign_id)
    if not found.info.you_are_gm:
        raise PlayError("forbidden", "Only the game master may do that.")
    return found


def _mail(page: PageContext, found: Lobby, link: str) -> str:
    subject = page.t("invite.mail_subject", name=found.info.name)
    return f"mailto:?subject={quote(subject)}&body={quote(page.t('invite.mail_body', link=link))}"


def _as_qr_code(link: str) -> str:
    import segno  # few ever see one

    return segno.make(link).svg_data_uri(scale=4, border=2, light="white") if link else ""


open_to_games = PageRouter("/bots")


@open_to_games.get("")
def bots(page: PageDep, campaign: str = "") -> Response:
    """Show the bots that are open to games; *campaign*: the one to invite them to."""
    return _bots(page, campaign)


@open_to_games.post("")
def invite_bot(page: PageDep) -> Response:
    """Ask a bot into a campaign."""
    campaign_id = page.form.text("campaign")
    try:
        seats.invite_user(page.ctx, page.actor, campaign_id, page.form.text("name"))
    except PlayError as error:
        return _bots(page, campaign_id, error)
    return page.redirect(f"/campaigns/{campaign_id}", said="bot_invited")


def _bots(page: PageContext, chosen: str, error: PlayError | None = None) -> Response:
    runs = {entry.id for entry in dashboard.mine(page.ctx, page.actor) if entry.gm}
    found = dashboard.find(page.ctx, page.actor, mine=True, joinable=True, limit=dashboard.MAX_PAGE_SIZE)
    return page.render(
        "bots.html",
        bots=accounts.open_bots(page.ctx, page.actor),
        campaigns=[campaign for campaign in found.items if campaign.id in runs and campaign.free],
        chosen=chosen,
        error=error,
    )
