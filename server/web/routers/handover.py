"""Handing a campaign over: the game master asks somebody, who reads what that means, then accepts or declines."""

from __future__ import annotations

from fastapi import APIRouter, Response

from server.play import campaigns, handover
from server.play.campaign_info import CampaignInfo
from server.play.errors import PlayError, not_found
from server.web.frame import campaign_page
from server.web.route import PageRoute
from server.web.routers.game_master import run_by
from server.web.visits import Visit, Visiting

router = APIRouter(route_class=PageRoute, prefix="/campaigns/{campaign_id}")


@router.get("/gm/offer")
def ask_page(visit: Visiting, campaign_id: str) -> Response:
    """Say what handing the campaign over means, and ask to whom."""
    return _ask(visit, campaign_id)


@router.post("/gm/offer")
def ask(visit: Visiting, campaign_id: str) -> Response:
    """Ask somebody to run the campaign."""
    form = visit.form
    try:
        handover.offer(visit.ctx, visit.actor, campaign_id, form.text("name"), form.text("why"))
    except PlayError as error:
        return _ask(visit, campaign_id, error)
    return visit.go(f"/campaigns/{campaign_id}/gm#life", said="offered")


@router.post("/gm/offer/take-back")
def take_back(visit: Visiting, campaign_id: str) -> Response:
    """Ask nobody any more."""
    handover.take_back(visit.ctx, visit.actor, campaign_id)
    return visit.go(f"/campaigns/{campaign_id}/gm#life", said="taken_back")


@router.get("/offer")
def offer_page(visit: Visiting, campaign_id: str) -> Response:
    """Say what running the campaign means to who is asked."""
    return _offer(visit, campaign_id)


@router.post("/offer/accept")
def accept(visit: Visiting, campaign_id: str) -> Response:
    """Run the campaign from now on."""
    try:
        handover.accept(visit.ctx, visit.actor, campaign_id)
    except PlayError as error:
        return _offer(visit, campaign_id, error)
    return visit.go(f"/campaigns/{campaign_id}/gm", said="taken_over")


@router.post("/offer/decline")
def decline(visit: Visiting, campaign_id: str) -> Response:
    """Do not run the campaign."""
    handover.decline(visit.ctx, visit.actor, campaign_id)
    return visit.go("/", said="declined_offer")


def _ask(visit: Visit, campaign_id: str, error: PlayError | None = None) -> Response:
    info, t = run_by(visit, campaign_id), visit.t
    facts = [t("hand_over.asks"), t("hand_over.accepts")]
    if info.you_are_gm:
        facts.append(t("hand_over.stays_player" if info.your_seats else "hand_over.leaves"))
    facts += [t("hand_over.plays" if info.options.gm_plays else "hand_over.no_player"), t("hand_over.told")]
    url = f"/campaigns/{campaign_id}/gm"
    return campaign_page(
        visit, "confirm.html", info, "gm", 200 if error is None else visit.status_of(error), title=t("hand_over.title"),
        facts=facts, action=f"{url}/offer", button=t("hand_over.button"), back=url, why="optional", danger=False,
        account=t("hand_over.name"), problem=visit.refusal(error) if error else None,
    )  # fmt: skip


def _offer(visit: Visit, campaign_id: str, error: PlayError | None = None) -> Response:
    info = campaigns.get(visit.ctx, visit.actor, campaign_id)
    if info.offer is None or info.offer.to != visit.actor.name:
        raise error or not_found("offer")
    plays = _plays(info, visit)
    return campaign_page(
        visit, "offer.html", info, "overview", 200 if error is None else visit.status_of(error),
        facts=_facts(visit, info, plays=plays), why=info.offer.why, blocked=plays and not info.options.gm_plays,
        problem=visit.refusal(error) if error else None,
    )  # fmt: skip


def _plays(info: CampaignInfo, visit: Visit) -> bool:
    """Say whether he sits there himself; a substitute orders for others."""
    return any(each.player_id in info.your_seats and each.user == visit.actor.name for each in info.seats)


def _facts(visit: Visit, info: CampaignInfo, *, plays: bool) -> list[str]:
    t, options = visit.t, info.options
    facts = [t("offer.runs", name=info.gm) if info.gm else t("offer.runs_alone")]
    facts.append(t("offer.plays" if plays else "offer.sees_orders" if options.gm_sees_orders else "offer.sees"))
    if info.your_seats and not plays:
        facts.append(t("offer.stands_in"))
    return [*facts, t("offer.hooks"), t("offer.told")]
