"""The table game of a battle, on the battle's page: proposals and answers, and the result that both confirm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Response

from server.play.battles import closing
from server.play.errors import PlayError
from server.play.tables import battle_agreements
from server.play.tables.setting_up import NewTable
from server.web.page_context import PageContext, PageDep
from server.web.route import PageRoute
from server.web.routers.battles import back, refused

router = APIRouter(route_class=PageRoute, prefix="/campaigns/{campaign_id}/battles/{hex}/tables/{game_id}")
_ROLL = "roll/"


@router.post("/mission")
def mission(page: PageDep, campaign_id: str, hex: str, game_id: str) -> Response:
    """Propose a mission."""
    wanted = page.form.text("mission")
    new, given = NewTable(mission=wanted), "mission"
    if wanted.startswith(_ROLL):
        new, given = NewTable(roll=wanted.removeprefix(_ROLL)), "roll"
    side = page.form.optional("side")
    return _done(
        page,
        campaign_id,
        hex,
        "table_proposed",
        lambda: battle_agreements.propose_mission(page.ctx, page.actor, game_id, new, frozenset({given}), side),
    )


@router.post("/date")
def date(page: PageDep, campaign_id: str, hex: str, game_id: str) -> Response:
    """Propose when and where to meet."""

    def propose() -> None:
        at = page.form.moment("at", page.t.zone)
        if at is None:
            raise PlayError("invalid_request", "This must be a day and a time.", field="at")
        place, side = page.form.text("place"), page.form.optional("side")
        battle_agreements.propose_date(page.ctx, page.actor, game_id, at, place, side)

    return _done(page, campaign_id, hex, "table_proposed", propose)


@router.post("/proposals/{number}")
def answer(page: PageDep, campaign_id: str, hex: str, game_id: str, number: int) -> Response:
    """Accept or decline a proposal, or withdraw the own one."""
    agree, side = page.form.text("answer") == "agree", page.form.optional("side")
    said = "table_agreed" if agree else "table_declined"
    return _done(
        page,
        campaign_id,
        hex,
        said,
        lambda: battle_agreements.answer(page.ctx, page.actor, game_id, number, agree=agree, side=side),
    )


@router.post("/models")
def models(page: PageDep, campaign_id: str, hex: str, game_id: str) -> Response:
    """Leave the side's models where they are, or have them moved together."""
    keep, side = page.form.flag("keep"), page.form.optional("side")
    return _done(
        page,
        campaign_id,
        hex,
        "table_models",
        lambda: battle_agreements.keep_models(page.ctx, page.actor, game_id, keep, side),
    )


@router.post("/confirm")
def confirm(page: PageDep, campaign_id: str, hex: str, game_id: str) -> Response:
    """Confirm the result of the table."""
    side = page.form.optional("side")
    return _done(
        page, campaign_id, hex, "table_confirmed", lambda: closing.confirm(page.ctx, page.actor, game_id, side)
    )


def _done(page: PageContext, campaign_id: str, hex_: str, said: str, work: Callable[[], Any]) -> Response:
    try:
        work()
    except PlayError as error:
        return refused(page, campaign_id, hex_, "table", error)
    return back(page, campaign_id, hex_, said)
