"""The chronicle: a campaign's stories for all who may see it, and the form with which a side tells its own."""

from __future__ import annotations

from typing import Any

from fastapi import Response

from server.play.campaigns import campaigns
from server.play.errors import PlayError, not_found
from server.play.messages import chronicle
from server.play.messages.chronicle import StoryInfo
from server.play.tables import setting_up
from server.web.frame import campaign_page, render_table_page, started, title, visitor
from server.web.page_context import PageContext, PageDep
from server.web.route import OPEN, PageRouter

router = PageRouter()


@router.get("/campaigns/{campaign_id}/chronicle", openapi_extra=OPEN)
def read(page: PageDep, campaign_id: str) -> Response:
    """Show the stories of a campaign's battles, and battles without one."""
    campaign = started(page, campaign_id)
    stories = chronicle.of_campaign(page.ctx, page.actor, campaign_id)
    untold = chronicle.untold(page.ctx, page.actor, campaign_id) if campaign.your_seats else []
    return campaign_page(page, "chronicle.html", campaign, "chronicle", stories=stories, untold=untold)


@router.get("/campaigns/{campaign_id}/chronicle/{turn}/{hex}")
def tell_of_battle(page: PageDep, campaign_id: str, turn: int, hex: str) -> Response:
    """Show the form for the story of a battle that was not played at a table here."""
    campaign = campaigns.get(page.ctx, page.actor, campaign_id)
    mine = [story for story in chronicle.of_campaign(page.ctx, page.actor, campaign_id) if story.yours]
    known = next((story for story in mine if (story.turn, story.hex) == (turn, hex)), None)
    untold = chronicle.untold(page.ctx, page.actor, campaign_id)
    if known is None and (turn, hex) not in [(battle.turn, battle.hex) for battle in untold]:
        raise not_found("hex", hex)
    battle = page.t("chronicle.battle", turn=turn, hex=hex, campaign=campaign.name)
    return _form(
        page,
        known,
        f"/campaigns/{campaign_id}/chronicle/{turn}/{hex}",
        f"/campaigns/{campaign_id}/chronicle",
        battle,
        in_campaign=True,
    )


@router.get("/tables/{game_id}/story/{side}", openapi_extra=OPEN)
def tell_of_table(page: PageDep, game_id: str, side: str) -> Response:
    """Show the form for the story of a side of a table game."""
    actor = visitor(page)
    game = setting_up.get(page.ctx, actor, game_id)
    if side not in game.sides:
        raise not_found("side", side)
    if game.result is None:
        raise PlayError("wrong_status", "The battle is not over.", field="status", value=game.status)
    stories = chronicle.of_table(page.ctx, actor, game_id)
    known = next((story for story in stories if story.side == side and story.yours), None)
    path, back = f"/tables/{game_id}/stories/{side}", f"/tables/{game_id}/result"
    return _form(page, known, path, back, title(page, actor, game), in_campaign=game.campaign is not None)


def _form(
    page: PageContext, known: StoryInfo | None, put: str, back: str, battle: str, *, in_campaign: bool
) -> Response:
    content: dict[str, Any] = {"story": known, "put": put, "back": back, "battle": battle, "in_campaign": in_campaign}
    return render_table_page(page, "story_edit.html", visitor(page), **content)
