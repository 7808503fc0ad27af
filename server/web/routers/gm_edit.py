"""Changing the position and deciding battles by hand: guided, checked, shown, and only then done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from fastapi import Response

from server.play.access import UNDER_WAY
from server.play.battles import battles
from server.play.battles.battles import ReportInfo
from server.play.campaigns import campaigns
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.errors import PlayError
from server.play.game_masters import game_master
from server.play.views import positions
from server.play.views.positions import Position
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS
from server.rules.sides import side_of
from server.rules.sight import GM
from server.rules.state import REPORTS, Battle, Force, State
from server.web.forms import Form
from server.web.frame import campaign_page, expect
from server.web.page_context import PageContext, PageDep
from server.web.presenters.edit_forms import (
    GROUPS,
    SPECS,
    UNIT_ROWS,
    fields_of,
    force_in_words,
    lines,
    placed,
    read_edit,
    read_list,
    ruled,
    summarize,
    write_list,
)
from server.web.presenters.order_sentences import sentence
from server.web.presenters.report_form import defence_rows, fielded, read_parts, report_details, typed_parts
from server.web.route import PageRouter

router = PageRouter("/campaigns/{campaign_id}/gm")
FIRST = "set owner"
MAX_LABELS = 1000
"""Maximum hexes to list by name; on larger maps they are typed."""
BESIDES = ("destroyed", "damaged", "immobilised", "broken")
"""Changes of a unit other than lost models."""


@router.get("/edit")
def edit_page(page: PageDep, campaign_id: str, kind: str = FIRST) -> Response:
    """Show the forms."""
    return _edit(page, campaign_id, kind, [])


@router.post("/edit")
def edit(page: PageDep, campaign_id: str) -> Response:
    """Add an edit to the list, drop one, look at the list again, or make it so."""
    form = page.form
    kind = form.text("kind", FIRST)
    try:
        edits = read_list(form.text("edits"))
    except PlayError as error:
        return _edit(page, campaign_id, kind, [], error, typed=form.text("edits"))
    if "make" in form:
        try:
            game_master.edit(page.ctx, page.actor, campaign_id, edits, form.text("why"))
        except PlayError as error:
            return _edit(page, campaign_id, kind, edits, error)
        return page.redirect(f"/campaigns/{campaign_id}/gm", said="edited")
    if "drop" in form:
        place = form.integer("drop", -1)
        edits = [edit for number, edit in enumerate(edits) if number != place]
    if "add" in form and kind in SPECS:
        try:
            edits.append(read_edit(kind, form))
        except PlayError as error:
            return _edit(page, campaign_id, kind, edits, error)
    return _edit(page, campaign_id, kind, edits)


@router.get("/orders")
def all_orders(page: PageDep, campaign_id: str) -> Response:
    """Show everyone's orders, where the campaign lets its game master see them."""
    found = game_master.order_sets(page.ctx, page.actor, campaign_id)
    info, position, names = _known(page, campaign_id)
    state = position.view.state
    told = {
        order_set.player_id: [(sentence(page.t, one, state, names), one) for one in order_set.orders]
        for order_set in found
    }
    return campaign_page(page, "gm_orders.html", info, "gm", sets=found, told=told, names=names)


@router.get("/battles/{hex_}")
def battle_page(page: PageDep, campaign_id: str, hex_: str, report: str = "") -> Response:
    """Show the form for a battle's result, filled in from one side's report on request."""
    return _battle(page, campaign_id, hex_, report=report)


@router.post("/battles/{hex_}")
def decide(page: PageDep, campaign_id: str, hex_: str) -> Response:
    """Enter or overrule a battle's result."""
    form = page.form
    losses: dict[str, dict[str, Any]] = {}
    try:
        for name in form.values:
            id_ = name.removeprefix("lost.")
            if id_ != name and (lost := form.integer(name, 0)):
                losses.setdefault(id_, {})["lost"] = lost
        for word in BESIDES:
            for id_ in form.many(word):
                losses.setdefault(id_, {})[word] = True
        result: dict[str, Any] = {"winner": form.text("winner"), "losses": losses}
        if form.text("retreated"):
            result["retreated"] = form.text("retreated")
        result |= read_parts(form, ".")
        battles.decide(page.ctx, page.actor, campaign_id, hex_, result, form.text("why"))
    except PlayError as error:
        return _battle(page, campaign_id, hex_, error)
    return page.redirect(f"/campaigns/{campaign_id}/gm", said="decided")


# --- inside ---


def _known(page: PageContext, campaign_id: str) -> tuple[CampaignInfo, Position, dict[str, str]]:
    """Return the campaign, the whole position, and what players, forces and units are called."""
    info = campaigns.get(page.ctx, page.actor, campaign_id)
    if not (info.you_are_gm or page.actor.admin):
        raise PlayError("forbidden", "Only the game master may do that.")
    position = positions.position(page.ctx, page.actor, campaign_id, as_=GM)
    state = position.view.state
    names = {seat.player_id: seat.name for seat in info.seats}
    forces: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
    for force in forces:
        names[force.id] = getattr(force, "name", "") or f"{names[force.owner]} {state.board.label(force.at)}"
        names.update((unit.id, unit.name) for unit in force.units)
    convoy = page.t("change.convoys")
    names.update((wagon.id, f"{convoy} {state.board.label(wagon.at)}") for wagon in state.convoys.values())
    return info, position, names


def _edit(
    page: PageContext, campaign_id: str, kind: str, edits: list[Any], error: PlayError | None = None, typed: str = ""
) -> Response:
    info, position, names = _known(page, campaign_id)
    expect(info, *UNDER_WAY)
    chosen = kind if kind in SPECS else FIRST
    fields = fields_of(page.t, chosen, position.view.state, names)
    of_units: dict[str, Any] = {"unit_rows": UNIT_ROWS, "slots": SLOTS, "mobilities": MOBILITIES, "flags": FLAGS}
    if page.is_htmx:
        return page.render("parts/edit_fields.html", fields=fields, kind=chosen, **of_units)
    changes, problem = [], page.refusal(error) if error else None
    if edits:
        state = position.view.state
        there: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
        forces = {force.id: force_in_words(page.t, state, force, names) for force in there}
        seen = game_master.preview_edits(page.ctx, page.actor, campaign_id, edits)
        changes = lines(page.t, seen.changes, names | forces | ruled(page.t, position.view.state.ruleset))
        if seen.problems:
            problem = page.refusal({"code": "edits_refused", "problems": placed(page.t, seen.problems, edits)})
    board = position.view.state.board
    labels = [board.label(hex_) for hex_ in range(board.size)] if board.size <= MAX_LABELS else []
    return campaign_page(
        page,
        "gm_edit.html",
        info,
        "gm",
        422 if problem else 200,
        groups=GROUPS,
        kind=chosen,
        fields=fields,
        edits=[summarize(page.t, edit, position.view.state, names) for edit in edits],
        changes=changes,
        problem=problem,
        written=typed or write_list(edits),
        labels=labels,
        **of_units,
    )


def _battle(
    page: PageContext, campaign_id: str, hex_: str, error: PlayError | None = None, report: str = ""
) -> Response:
    info, position, names = _known(page, campaign_id)
    state = position.view.state
    at = state.board.find(hex_)
    battle = state.battles.get(at) if at is not None else None
    if battle is None:
        raise PlayError("not_found", field="hex", value=hex_)
    listed = battles.listed(page.ctx, page.actor, campaign_id)
    reports = next((battle.reports for battle in listed if battle.hex == hex_), ())
    taken = next((other for other in reports if other.id == report), None)
    units = fielded(state, battle)
    if taken is not None:
        page = replace(page, form=Form.of([*_as_typed(taken), *typed_parts(taken.content, units, ".")]))
    waits = game_master.preview_advance(page.ctx, page.actor, campaign_id)
    return campaign_page(
        page,
        "gm_battle.html",
        info,
        "gm",
        hex=hex_,
        battle=battle,
        sides=_sides(state, battle),
        names=names,
        reports=reports,
        taken=taken,
        besides=BESIDES,
        told={report.id: report_details(state, report.content, units, page.t.language) for report in reports},
        defences=defence_rows(state, GM, battle.hex, page.t.language),
        last=info.phase == REPORTS and waits.undecided == (hex_,),
        error=error,
    )


def _as_typed(report: ReportInfo) -> Iterator[tuple[str, str]]:
    """Yield a report as it would stand in the form."""
    yield "winner", str(report.content.get("winner", ""))
    yield "retreated", str(report.content.get("retreated") or "")
    for id_, lost in report.content.get("losses", {}).items():
        yield f"lost.{id_}", str(lost.get("lost", 0))
        yield from ((word, id_) for word in BESIDES if lost.get(word))


def _sides(state: State, battle: Battle) -> dict[str, list[Force]]:
    """Return the forces of both sides, supporters last, by the primaries' owners."""
    found = {battle.attacking: side_of(state, battle, attacking=True)}
    found[battle.defended_by] = side_of(state, battle, attacking=False)
    for id_, side in battle.supporters.items():
        force = state.force(id_)
        if force is not None:
            found[battle.defended_by if side == "defender" else battle.attacking].append(force)
    return found
