"""Handing a campaign over: the game master asks an account, which sees the consequences and accepts or declines."""

from __future__ import annotations

from fastapi import Response

from server.play.campaigns import campaigns
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.errors import PlayError, not_found
from server.play.game_masters import handover
from server.store.tables import OFFERS
from server.web.frame import campaign_page, confirm_page
from server.web.page_context import PageContext, PageDep
from server.web.route import PageRouter
from server.web.routers.game_master import run_by

router = PageRouter("/campaigns/{campaign_id}")


@router.get("/gm/offer")
def ask_page(page: PageDep, campaign_id: str, role: str = "gm") -> Response:
    """Show the effects of handing the campaign over, and ask for the account."""
    return _ask(page, campaign_id, role)


@router.post("/gm/offer")
def ask(page: PageDep, campaign_id: str) -> Response:
    """Ask someone to run the campaign."""
    form = page.form
    try:
        role = form.text("role", handover.GM)
        handover.offer(page.ctx, page.actor, campaign_id, form.text("name"), form.text("why"), role=role)
    except PlayError as error:
        return _ask(page, campaign_id, form.text("role", handover.GM), error)
    return page.redirect(f"/campaigns/{campaign_id}/gm#life", said="offered")


@router.post("/gm/offer/take-back")
def take_back(page: PageDep, campaign_id: str) -> Response:
    """Ask nobody any more."""
    handover.take_back(page.ctx, page.actor, campaign_id)
    return page.redirect(f"/campaigns/{campaign_id}/gm#life", said="taken_back")


@router.post("/gm/leave")
def leave(page: PageDep, campaign_id: str) -> Response:
    """Have a partner or successor be none any more."""
    name = page.form.text("name")
    handover.leave(page.ctx, page.actor, campaign_id, name)
    own = name == page.actor.name
    return page.redirect(f"/campaigns/{campaign_id}" if own else f"/campaigns/{campaign_id}/gm#life", said="gm_left")


@router.get("/offer")
def offer_page(page: PageDep, campaign_id: str) -> Response:
    """Show the effects of running the campaign to the account that has the offer."""
    return _offer(page, campaign_id)


@router.post("/offer/accept")
def accept(page: PageDep, campaign_id: str) -> Response:
    """Run the campaign from now on."""
    try:
        handover.accept(page.ctx, page.actor, campaign_id)
    except PlayError as error:
        return _offer(page, campaign_id, error)
    runs = campaigns.get(page.ctx, page.actor, campaign_id).you_are_gm
    if not runs:
        return page.redirect(f"/campaigns/{campaign_id}", said="will_succeed")
    return page.redirect(f"/campaigns/{campaign_id}/gm", said="taken_over")


@router.post("/offer/decline")
def decline(page: PageDep, campaign_id: str) -> Response:
    """Do not run the campaign."""
    handover.decline(page.ctx, page.actor, campaign_id)
    return page.redirect("/", said="declined_offer")


def _ask(page: PageContext, campaign_id: str, role: str, error: PlayError | None = None) -> Response:
    info, t = run_by(page, campaign_id), page.t
    role = role if role in OFFERS else handover.GM
    facts = [t("hand_over.asks"), t(f"hand_over.accepts_{role}", n=info.options.successor_days)]
    if info.you_are_gm and role == handover.GM:
        facts.append(t("hand_over.stays_player" if info.your_seats else "hand_over.leaves"))
    facts += [t("hand_over.plays" if info.options.gm_plays else "hand_over.no_player"), t("hand_over.told")]
    url = f"/campaigns/{campaign_id}/gm"
    texts = {"title": t(f"hand_over.title_{role}"), "account": t("hand_over.name"), "hidden": {"role": role}}
    return confirm_page(
        page, info, "gm", "hand_over", facts, f"{url}/offer", url, why="optional", danger=False, error=error, **texts
    )


def _offer(page: PageContext, campaign_id: str, error: PlayError | None = None) -> Response:
    info = campaigns.get(page.ctx, page.actor, campaign_id)
    if info.offer is None or info.offer.to != page.actor.name:
        raise error or not_found("offer")
    plays = _plays(info, page)
    return campaign_page(
        page,
        "offer.html",
        info,
        "overview",
        facts=_facts(page, info, plays=plays),
        why=info.offer.why,
        blocked=plays and not info.options.gm_plays,
        error=error,
    )


def _plays(info: CampaignInfo, page: PageContext) -> bool:
    """Say whether they sit there themselves; a substitute orders for others."""
    return any(seat.player_id in info.your_seats and seat.user == page.actor.name for seat in info.seats)


def _facts(page: PageContext, info: CampaignInfo, *, plays: bool) -> list[str]:
    t, options = page.t, info.options
    if info.offer is not None and info.offer.role == handover.SUCCESSOR:
        return [t("offer.succeeds", n=options.successor_days), t("offer.plays" if plays else "offer.nothing_yet")]
    together = info.offer is not None and info.offer.role == handover.PARTNER
    facts = [t("offer.together" if together else "offer.runs", name=info.gm) if info.gm else t("offer.runs_alone")]
    facts.append(t("offer.plays" if plays else "offer.sees_orders" if options.gm_sees_orders else "offer.sees"))
    if info.your_seats and not plays:
        facts.append(t("offer.stands_in"))
    return [*facts, t("offer.hooks"), t("offer.told_partner" if together else "offer.told")]
