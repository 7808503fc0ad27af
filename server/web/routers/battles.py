"""Battles: both forces, the odds, preferences, results of tabletop battles; their table games up to the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import Response

from server.play.battles import battle_results, battles
from server.play.campaigns import campaigns
from server.play.campaigns.campaign_info import CampaignInfo, player_names, seats_by_player
from server.play.errors import PlayError
from server.play.orders import orders
from server.play.orders.orders import OrderSetInfo
from server.play.tables import battle_agreements
from server.play.tables.setting_up import NewTable
from server.play.views import history, positions
from server.play.views.history import PhaseInfo
from server.render.story import Sentence, sentence
from server.rules.odds import Odds
from server.rules.orders.fields import HALF
from server.rules.state import Unit
from server.web.frame import campaign_page, started
from server.web.page_context import PageContext, PageDep
from server.web.presenters.battle_cards import Card, TableCard, card, named, table_card
from server.web.presenters.report_form import read_parts
from server.web.route import OPEN, PageRouter

router = PageRouter("/campaigns/{campaign_id}/battles")


@router.get("", openapi_extra=OPEN)
def page(page: PageDep, campaign_id: str) -> Response:
    """Show this turn's battles, and those of earlier turns."""
    return _page(page, campaign_id)


@router.post("/{hex}/order")
def order(page: PageDep, campaign_id: str, hex: str) -> Response:
    """Order how a battle is to be fought and who falls first; all other orders stay."""
    try:
        wanted, seat = _wanted(page, hex), page.seat
        now = orders.read(page.ctx, page.actor, campaign_id, seat=seat)
        places = [
            place
            for place, order in enumerate(now.orders)
            if isinstance(order, dict) and order.get("type") == "fight" and order.get("battle") == hex
        ]
        change = {"op": "replace", "at": places[0], "order": wanted} if places else {"op": "add", "order": wanted}
        number = page.form.integer("number")
        orders.patch(page.ctx, page.actor, campaign_id, [change], number=number, seat=seat)
    except PlayError as error:
        return refused(page, campaign_id, hex, "order", error)
    return back(page, campaign_id, hex, "battle_ordered")


@router.post("/final")
def final(page: PageDep, campaign_id: str) -> Response:
    """Finalise all orders of the phase, or reopen them."""
    act = orders.take_back if page.form.text("final") == "back" else orders.declare_final
    try:
        act(page.ctx, page.actor, campaign_id, number=page.form.integer("number"), seat=page.seat)
    except PlayError as error:
        return refused(page, campaign_id, "", "final", error)
    said = "final_taken_back" if act is orders.take_back else "declared_final"
    return page.redirect(f"/campaigns/{campaign_id}/battles{page.seat_query(page.seat)}#final", said=said)


@router.post("/{hex}/report")
def report(page: PageDep, campaign_id: str, hex: str) -> Response:
    """Report the result of a battle on the table."""
    try:
        result = _result(page, _units(page, campaign_id, hex))
        note = page.form.text("note")
        battles.report(page.ctx, page.actor, campaign_id, hex, result, note=note, seat=page.seat)
    except PlayError as error:
        return refused(page, campaign_id, hex, "report", error)
    return back(page, campaign_id, hex, "battle_reported")


@router.post("/{hex}/reports/{report_id}")
def answer(page: PageDep, campaign_id: str, hex: str, report_id: str) -> Response:
    """Confirm or dispute what the other side reported."""
    confirm = page.form.text("answer") == "confirm"
    try:
        battles.answer(
            page.ctx,
            page.actor,
            campaign_id,
            report_id,
            confirm=confirm,
            text=page.form.text("text"),
            revision=page.form.integer("revision"),
            seat=page.seat,
        )
    except PlayError as error:
        return refused(page, campaign_id, hex, "answer", error)
    return back(page, campaign_id, hex, "battle_confirmed" if confirm else "battle_disputed")


# --- for the tables of battles, too ---


def back(page: PageContext, campaign_id: str, hex_: str, said: str) -> Response:
    """Go back to a battle on its page."""
    return page.redirect(f"/campaigns/{campaign_id}/battles{page.seat_query(page.seat)}#b{hex_}", said=said)


def refused(page: PageContext, campaign_id: str, hex_: str, form: str, error: PlayError) -> Response:
    """Show the page again with the entered values and the reason of the refusal; only refusals of the form itself."""
    if error.refusal.kind in ("unauthenticated", "forbidden", "not_found"):
        raise error
    return _page(page, campaign_id, error, at=hex_, form=form)


# --- inside ---


def _page(
    page: PageContext, campaign_id: str, error: PlayError | None = None, *, at: str = "", form: str = ""
) -> Response:
    campaign = started(page, campaign_id)
    seat = page.seat
    if seat not in campaign.your_seats:
        seat = None
    cards = _cards(page, campaign, seat)
    mine = [card for card in cards if card.mine]
    faults = page.refusal(error)["problems"] if error else []
    content: dict[str, Any] = {
        "seat": seat, "cards": mine + [card for card in cards if not card.mine], "own": bool(mine),
        "past": _past(page, campaign), "set": _set(page, campaign, seat), "seats": seats_by_player(campaign),
        "problem_at": at if at in {card.hex for card in cards} else "", "problem_form": form,
        "tables": _tables(page, cards, seat), "named": named,
        "faults": {fault.get("field", ""): fault["message"] for fault in faults},
    }  # fmt: skip
    return campaign_page(page, "battles.html", campaign, "battles", error=error, **content)


def _set(page: PageContext, campaign: CampaignInfo, seat: str | None) -> OrderSetInfo | None:
    """Return the orders of the open phase; None for a reader who gives none, or if the clock is stopped."""
    if campaign.status != "running" or campaign.phase is None or not campaign.your_seats:
        return None
    try:
        return orders.read(page.ctx, page.actor, campaign.id, seat=seat)
    except PlayError as error:
        if error.code != "phase_closed":
            raise
        return None  # out of the campaign already


def _cards(page: PageContext, campaign: CampaignInfo, seat: str | None) -> list[Card]:
    if campaign.phase is None:
        return []
    infos = {battle.hex: battle for battle in battles.listed(page.ctx, page.actor, campaign.id, as_=seat)}
    found = positions.position(page.ctx, page.actor, campaign.id, as_=seat)
    state = found.view.state
    ordered: tuple[Any, ...] = ()
    if found.viewer in campaign.your_seats:
        ordered = orders.read(page.ctx, page.actor, campaign.id, seat=found.viewer).orders
    cards = []
    for battle in state.battles.values():
        info = infos.get(state.board.label(battle.hex))
        if info is not None:
            chances = None if info.winner else _odds(page, campaign.id, info.hex, seat)
            open_ = campaign.status == "running"
            cards.append(card(found.view, battle, info, chances, ordered, page.t.language, open_=open_))
    return cards


def _tables(page: PageContext, cards: list[Card], seat: str | None) -> dict[str, TableCard]:
    """Return the table games of battles by hex."""
    found = {card.hex: table_card(page, card.info.table, seat) for card in cards if card.info.table}
    return {hex_: card for hex_, card in found.items() if card is not None}


def _odds(page: PageContext, campaign_id: str, hex_: str, seat: str | None) -> Odds | None:
    """Return a battle's odds; None where it was fought while this page was being made."""
    try:
        return positions.odds_of_battle(page.ctx, page.actor, campaign_id, hex_, as_=seat)
    except PlayError as error:
        if error.code not in ("not_found", "phase_closed"):
            raise
        return None


def _past(page: PageContext, campaign: CampaignInfo) -> list[tuple[PhaseInfo, list[Sentence]]]:
    """Return the battles of finished phases that the viewer knows of, newest first."""
    told = history.read_phases(page.ctx, page.actor, campaign.id, types=("battle_fought",))
    names, you = player_names(campaign), campaign.your_seats[0] if campaign.your_seats else ""
    return [
        (info, [sentence(event, names, page.t.language, you) for event in events])
        for info, events in reversed(told.phases)
        if events
    ]


def _wanted(page: PageContext, hex_: str) -> dict[str, Any]:
    """Read an order from the form."""
    wanted: dict[str, Any] = {"type": "fight", "battle": hex_}
    if page.form.optional("mode"):
        wanted["mode"] = page.form.text("mode")
    for field in ("casualties", "picks"):
        chosen = _chosen(page, field)
        if chosen:
            wanted[field] = chosen
    return wanted


def _chosen(page: PageContext, field: str) -> list[str]:
    """Return the units one has numbered, in that order; the same number: as they stand on the page."""
    numbered = []
    for name in page.form.values:
        if name.startswith(f"{field}/"):
            rank = page.form.integer(name)
            if rank:
                id_ = name.removeprefix(f"{field}/")
                numbered.append((rank, id_ + (HALF if page.form.flag(f"half/{id_}") or field == "picks" else "")))
    return [id_ for _, id_ in sorted(numbered, key=lambda pair: pair[0])]


def _units(page: PageContext, campaign_id: str, hex_: str) -> dict[str, Unit]:
    """Return the visible units that can have losses in a battle."""
    campaign = campaigns.get(page.ctx, page.actor, campaign_id)
    found = next((card for card in _cards(page, campaign, page.seat) if card.hex == hex_), None)
    if found is None:
        return {}
    rows = [row for side in found.sides for force in (*side.forces, *side.supporters) for row in force.units]
    return {row.unit.id: row.unit for row in rows}


def _result(page: PageContext, units: dict[str, Unit]) -> dict[str, Any]:
    """Read a result from the form: of each unit only what was lost, and what goes not without saying."""
    form, losses = page.form, {}
    for id_ in units:
        loss: dict[str, Any] = {}
        lost = form.integer(f"lost/{id_}")
        if lost:
            loss["lost"] = lost
        state = form.text(f"state/{id_}")
        if state:
            loss[state] = True
        if loss:
            losses[id_] = loss
    result: dict[str, Any] = {"winner": form.text("winner")}
    if form.optional("retreated"):
        result["retreated"] = form.text("retreated")
    if losses:
        result["losses"] = losses
    return result | read_parts(form, "/")


tables = PageRouter("/campaigns/{campaign_id}/battles/{hex}/tables/{game_id}")
_ROLL = "roll/"


@tables.post("/mission")
def propose_mission(page: PageDep, campaign_id: str, hex: str, game_id: str) -> Response:
    """Propose a mission."""
    wanted = page.form.text("mission")
    new, given = NewTable(mission=wanted), "mission"
    if wanted.startswith(_ROLL):
        new, given = NewTable(roll=wanted.removeprefix(_ROLL)), "roll"
    side = page.form.optional("side")
    return _agreed(
        page,
        campaign_id,
        hex,
        "table_proposed",
        lambda: battle_agreements.propose_mission(page.ctx, page.actor, game_id, new, frozenset({given}), side),
    )


@tables.post("/date")
def propose_date(page: PageDep, campaign_id: str, hex: str, game_id: str) -> Response:
    """Propose when and where to meet."""

    def propose() -> None:
        at = page.form.moment("at", page.t.zone)
        if at is None:
            raise PlayError("invalid_request", "This must be a day and a time.", field="at")
        place, side = page.form.text("place"), page.form.optional("side")
        battle_agreements.propose_date(page.ctx, page.actor, game_id, at, place, side)

    return _agreed(page, campaign_id, hex, "table_proposed", propose)


@tables.post("/proposals/{number}")
def answer_proposal(page: PageDep, campaign_id: str, hex: str, game_id: str, number: int) -> Response:
    """Accept or decline a proposal, or withdraw the own one."""
    agree, side = page.form.text("answer") == "agree", page.form.optional("side")
    said = "table_agreed" if agree else "table_declined"
    return _agreed(
        page,
        campaign_id,
        hex,
        said,
        lambda: battle_agreements.answer(page.ctx, page.actor, game_id, number, agree=agree, side=side),
    )


@tables.post("/models")
def models(page: PageDep, campaign_id: str, hex: str, game_id: str) -> Response:
    """Leave the side's models where they are, or have them moved together."""
    keep, side = page.form.flag("keep"), page.form.optional("side")
    return _agreed(
        page,
        campaign_id,
        hex,
        "table_models",
        lambda: battle_agreements.keep_models(page.ctx, page.actor, game_id, keep, side),
    )


@tables.post("/confirm")
def confirm(page: PageDep, campaign_id: str, hex: str, game_id: str) -> Response:
    """Confirm the result of the table."""
    side = page.form.optional("side")
    return _agreed(
        page, campaign_id, hex, "table_confirmed", lambda: battle_results.confirm(page.ctx, page.actor, game_id, side)
    )


def _agreed(page: PageContext, campaign_id: str, hex_: str, said: str, work: Callable[[], Any]) -> Response:
    try:
        work()
    except PlayError as error:
        return refused(page, campaign_id, hex_, "table", error)
    return back(page, campaign_id, hex_, said)
