"""What people say to each other: messages, declarations, and players with orders due."""

from __future__ import annotations

from typing import Any

from fastapi import Response

from server.play.accounts import blocking
from server.play.campaigns import campaign_info, campaigns
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.errors import PlayError
from server.play.messages import messages
from server.play.messages.messages import ALL, DECLARATIONS, GAME_MASTER
from server.play.orders import orders
from server.play.views import positions
from server.web.frame import campaign_page
from server.web.page_context import PageContext, PageDep
from server.web.presenters.letters import open_proposals, recipients, threads
from server.web.route import PageRouter

router = PageRouter("/campaigns/{campaign_id}/people")
LETTERS = 100
"""On a page."""


@router.get("")
def people(
    page: PageDep, campaign_id: str, reply: str | None = None, to: str = "", before: str | None = None
) -> Response:
    """Show letters and declarations; *reply* is the letter to answer, *to* the seat to write to."""
    info = _known(page, campaign_id)
    found = messages.listed(page.ctx, page.actor, campaign_id, limit=LETTERS) if reply else []
    answered = next((message for message in found if message.id == reply), None)
    wanted = recipients(answered, _own(info, page)) if answered else [to]
    subject = answered.subject if answered else ""
    draft = {
        "to": wanted,
        "subject": subject,
        "reply": answered,
        "body": "",
        "in_character": bool(answered and answered.in_character),
    }
    return _page(page, info, draft, before=before)


@router.get("/letters")
def letters(page: PageDep, campaign_id: str) -> Response:
    """Return the letters, for a page that is open when one arrives."""
    info = _known(page, campaign_id)
    return page.render("parts/letters.html", campaign=info, **_letters(page, info, None))


@router.get("/declarations")
def declarations(page: PageDep, campaign_id: str) -> Response:
    """Return the declarations, to update an open page."""
    info = _known(page, campaign_id)
    return page.render("parts/declarations.html", campaign=info, **_declared(page, info))


@router.post("")
def send(page: PageDep, campaign_id: str) -> Response:
    """Write a letter."""
    form, info = page.form, _known(page, campaign_id)
    as_gm = form.text("as") == GAME_MASTER or not info.your_seats
    try:
        messages.send(
            page.ctx,
            page.actor,
            campaign_id,
            form.many("to"),
            form.text("body"),
            subject=form.text("subject"),
            in_character=form.flag("in_character"),
            reply_to=form.optional("reply_to"),
            as_gm=as_gm,
        )
    except PlayError as error:
        typed = {"to": form.many("to"), "subject": form.text("subject"), "body": form.text("body"), "reply": None,
                 "in_character": form.flag("in_character")}  # fmt: skip
        return _page(page, info, typed, error, "letter")
    return page.redirect(f"/campaigns/{campaign_id}/people", said="sent")


@router.post("/read")
def mark_all_read(page: PageDep, campaign_id: str) -> Response:
    """Mark everything as read."""
    info = _known(page, campaign_id)
    for thread in _letters(page, info, None)["threads"]:
        for letter in thread.letters:
            if letter.unread:
                messages.mark_read(page.ctx, page.actor, campaign_id, letter.info.id)
    return page.redirect(f"/campaigns/{campaign_id}/people")


@router.post("/declarations")
def declare(page: PageDep, campaign_id: str) -> Response:
    """Declare something."""
    form, info = page.form, _known(page, campaign_id)
    try:
        messages.declare(
            page.ctx,
            page.actor,
            campaign_id,
            form.text("kind"),
            toward=form.optional("toward"),
            public=form.flag("public"),
            body=form.text("words"),
        )
    except PlayError as error:
        return _page(page, info, _blank(), error, "declaration")
    return page.redirect(f"/campaigns/{campaign_id}/people#diplomacy", said="declared")


@router.post("/declarations/answer")
def answer_declaration(page: PageDep, campaign_id: str) -> Response:
    """Accept a proposed alliance, by word and as an order, or decline it."""
    info, other, accept = _known(page, campaign_id), page.form.text("toward"), page.form.text("answer") == "accept"
    try:
        if accept and info.phase is not None:
            _order_alliance(page, campaign_id, other)
        kind, body = ("alliance", "") if accept else ("statement", page.t("people.declined"))
        messages.declare(page.ctx, page.actor, campaign_id, kind, toward=other, body=body)
    except PlayError as error:
        return _page(page, info, _blank(), error, "declaration")
    return page.redirect(f"/campaigns/{campaign_id}/people#diplomacy", said="allied" if accept else "declared")


@router.get("/{player_id}")
def person_page(page: PageDep, campaign_id: str, player_id: str, letter: str = "") -> Response:
    """Show the ways to block or report someone."""
    return _person(page, campaign_id, player_id, letter=letter)


@router.post("/{player_id}/block")
def block(page: PageDep, campaign_id: str, player_id: str) -> Response:
    """Want nothing more of someone."""
    try:
        blocking.block_seat(page.ctx, page.actor, campaign_id, player_id)
    except PlayError as error:
        return _person(page, campaign_id, player_id, error)
    return page.redirect(f"/campaigns/{campaign_id}/people", said="blocked")


@router.post("/{player_id}/report")
def report(page: PageDep, campaign_id: str, player_id: str) -> Response:
    """Tell the operators of someone."""
    form = page.form
    try:
        blocking.report(
            page.ctx, page.actor, campaign_id, player_id, form.text("why"), message_id=form.optional("letter")
        )
    except PlayError as error:
        return _person(page, campaign_id, player_id, error, form.text("letter"))
    return page.redirect(f"/campaigns/{campaign_id}/people", said="reported_person")


# --- inside ---


def _person(
    page: PageContext, campaign_id: str, player_id: str, error: PlayError | None = None, letter: str = ""
) -> Response:
    info = _known(page, campaign_id)
    seat = next((seat for seat in info.seats if seat.player_id == player_id), None)
    if seat is None and player_id != blocking.GAME_MASTER:
        raise PlayError("not_found", field="seat", value=player_id)
    found = messages.read(page.ctx, page.actor, campaign_id, letter) if letter else None
    return campaign_page(
        page,
        "person.html",
        info,
        "people",
        seat=seat,
        player_id=player_id,
        letter=found,
        error=error,
    )


def _known(page: PageContext, campaign_id: str) -> CampaignInfo:
    info = campaigns.get(page.ctx, page.actor, campaign_id)
    if not (info.your_seats or info.you_are_gm):
        raise PlayError("forbidden", "You have no seat in this campaign.")
    return info


def _own(info: CampaignInfo, page: PageContext) -> str | None:
    """Return the reader's own seat: a substitute does not read the player's messages."""
    mine = (seat.player_id for seat in info.seats if seat.user == page.actor.name)
    return next((player_id for player_id in mine if player_id in info.your_seats), None)


def _blank() -> dict[str, Any]:
    return {"to": [], "subject": "", "body": "", "reply": None, "in_character": False}


def _letters(page: PageContext, info: CampaignInfo, before: str | None) -> dict[str, Any]:
    found = messages.listed(page.ctx, page.actor, info.id, before=before, limit=LETTERS)
    older = found[-1].id if len(found) == LETTERS else ""
    seats = {seat.player_id: seat for seat in info.seats}
    return {"threads": threads(found, info, _own(info, page)), "older": older, "seats": seats}


def _order_alliance(page: PageContext, campaign_id: str, other: str) -> None:
    """Add the order that an alliance needs; it stays where it is given already."""
    wanted = {"type": "declare_alliance", "with": other}
    if wanted not in orders.read(page.ctx, page.actor, campaign_id).orders:
        orders.patch(page.ctx, page.actor, campaign_id, [{"op": "add", "order": wanted}])


def _declared(page: PageContext, info: CampaignInfo) -> dict[str, Any]:
    seats = {seat.player_id: seat for seat in info.seats}
    found = messages.declarations(page.ctx, page.actor, info.id)[::-1]
    open_ = open_proposals(found, _own(info, page)) if info.rules.alliances else ()
    return {"declared": found, "seats": seats, "proposals": open_}


def _page(
    page: PageContext, info: CampaignInfo, draft: dict[str, Any], error: PlayError | None = None, section: str = "",
    before: str | None = None,
) -> Response:  # fmt: skip
    final = {}
    if info.phase is not None:
        final = {finality.player_id: finality.final for finality in positions.finality(page.ctx, page.actor, info.id)}
    rules = campaign_info.load(page.ctx, page.actor, info.id).ruleset
    return campaign_page(
        page,
        "people.html",
        info,
        "people",
        draft=draft,
        own=_own(info, page),
        declarations=DECLARATIONS,
        everybody=ALL,
        game_master=GAME_MASTER,
        section=section,
        final=final,
        factions=rules.factions,
        error=error,
        **(_letters(page, info, before) | _declared(page, info)),
    )
