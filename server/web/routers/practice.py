"""Practice: a position one reads, opened as a campaign against computer players."""

from __future__ import annotations

from fastapi import APIRouter, Response

from server.bots.levels import REGULAR
from server.play.campaigns import play_on, practice
from server.play.campaigns.practice import NewPractice
from server.web.page_context import PageDep
from server.web.route import HEAVY, PageRoute

router = APIRouter(route_class=PageRoute, prefix="/campaigns/{campaign_id}")


@router.post("/continuation", openapi_extra=HEAVY)
def play_on_from_here(page: PageDep, campaign_id: str) -> Response:
    """Create the continued campaign, and show its overview."""
    form = page.form
    made = play_on.create(
        page.ctx, page.actor, campaign_id, number=form.integer("number", None), branch=form.integer("branch", None)
    )
    return page.redirect(f"/campaigns/{made.id}", said="played_on")


@router.post("/practice", openapi_extra=HEAVY)
def practise(page: PageDep, campaign_id: str) -> Response:
    """Make the practice and show its map."""
    form = page.form
    new = NewPractice(
        number=form.integer("number", None),
        branch=form.integer("branch", None),
        as_=form.optional("as"),
        level=form.text("level", REGULAR),
        give_up=form.flag("give_up"),
    )
    made = practice.create(page.ctx, page.actor, campaign_id, new)
    return page.redirect(f"/campaigns/{made.id}", said="practice")
