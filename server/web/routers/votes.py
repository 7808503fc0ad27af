"""Votes of the players on the end of their campaign: opened, answered and withdrawn on its first page."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, Response

from server.play.campaigns import votes
from server.play.errors import PlayError
from server.web.page_context import PageContext, PageDep
from server.web.route import PageRoute
from server.web.routers.campaign import shown

router = APIRouter(route_class=PageRoute, prefix="/campaigns/{campaign_id}/votes")


@router.post("")
def propose(page: PageDep, campaign_id: str) -> Response:
    """Open a vote."""
    form = page.form
    about = form.text("about")
    winner = form.text("winner") if about == "concede" else ""
    return _done(
        page,
        campaign_id,
        lambda: votes.propose(page.ctx, page.actor, campaign_id, about, winner=winner, why=form.text("why")),
        "vote_opened",
    )


@router.post("/{number}/answer")
def answer(page: PageDep, campaign_id: str, number: int) -> Response:
    """Agree, or not."""
    agrees = page.form.text("agrees") == "1"
    return _done(
        page,
        campaign_id,
        lambda: votes.answer(page.ctx, page.actor, campaign_id, number, agrees=agrees),
        "vote_answered",
    )


@router.post("/{number}/withdraw")
def withdraw(page: PageDep, campaign_id: str, number: int) -> Response:
    """Close the player's own vote."""
    return _done(page, campaign_id, lambda: votes.withdraw(page.ctx, page.actor, campaign_id, number), "vote_withdrawn")


def _done(page: PageContext, campaign_id: str, work: Callable[[], object], said: str) -> Response:
    try:
        work()
    except PlayError as error:
        return shown(page, campaign_id, error)
    return page.redirect(f"/campaigns/{campaign_id}#votes", said=said)
