"""The game master's page: missing orders, the clock, the seats, the campaign's life. An action that cannot be
undone is first shown with all its effects.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from fastapi import Response

from server.bots.levels import LEVELS
from server.bots.posture import Evaluation
from server.play import computer_players, text_input
from server.play.access import NOT_FINISHED, UNDER_WAY
from server.play.battles import battles
from server.play.campaigns import campaigns, seats
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.game_masters import game_master, handover, phoned_in, rollback
from server.play.game_masters.game_master import AdvancePreview
from server.play.messages import messages
from server.play.notices import webhooks
from server.play.notices.notices import KINDS
from server.play.notices.webhooks import FORMATS, WebhookTest
from server.play.records import records
from server.play.views import history
from server.play.views.history import PhaseInfo
from server.rules.state import BATTLES, REPORTS
from server.rules.versions import NEWEST
from server.web.frame import campaign_page, confirm_page, expect
from server.web.page_context import PageContext, PageDep
from server.web.route import PageRouter

router = PageRouter("/campaigns/{campaign_id}/gm")
MAX_HOURS = 24 * 90
LIFE = {
    "finish": UNDER_WAY,
    "publish": ("finished",),
    "archive": ("finished",),
    "delete": (*NOT_FINISHED, "finished", "archived"),
}
"""The statuses in which a campaign can be finished, published, archived or deleted."""
LATER = (24, 72)
"""Hours by which a deadline is moved with one click."""


@router.get("")
def page(page: PageDep, campaign_id: str) -> Response:
    """Show everything a game master needs."""
    return _page(page, campaign_id)


@router.get("/waiting")
def waiting(page: PageDep, campaign_id: str) -> Response:
    """Return the players whose orders are missing, for an open page when something happens."""
    info = run_by(page, campaign_id)
    return page.render("parts/waiting.html", campaign=info, waits=_waits(page.ctx, page.actor, info))


@router.post("/announce")
def announce(page: PageDep, campaign_id: str) -> Response:
    """Tell everyone something."""
    form = page.form
    return _run(
        page,
        campaign_id,
        "announced",
        lambda: messages.announce(page.ctx, page.actor, campaign_id, form.text("body"), subject=form.text("subject")),
    )


@router.post("/deadline")
def move_deadline(page: PageDep, campaign_id: str) -> Response:
    """Move the open phase's deadline to a time, by some hours, or take it away."""

    def move() -> None:
        form, due = page.form, None
        if "none" not in form:
            hours = form.integer("extend")
            now = page.ctx.now()
            begin = min(run_by(page, campaign_id).deadline or now, text_input.latest(now))
            due = form.moment("due", page.t.zone)
            due = begin + timedelta(hours=max(-MAX_HOURS, min(hours, MAX_HOURS))) if hours is not None else due
            if due is None:
                raise PlayError("invalid_request", "This must be a day and a time.", field="due")
        game_master.set_due(page.ctx, page.actor, campaign_id, due, form.text("why"))

    return _run(page, campaign_id, "deadline_gone" if "none" in page.form else "deadline_moved", move)


@router.post("/readings")
def choose_readings(page: PageDep, campaign_id: str) -> Response:
    """Have the next turn start with the newest rules version, or keep the campaign's own after all."""
    version = page.form.integer("version", 0) or 0
    return _run(
        page,
        campaign_id,
        "readings",
        lambda: game_master.choose_readings(page.ctx, page.actor, campaign_id, version, page.form.text("why")),
    )


@router.post("/pause")
def pause(page: PageDep, campaign_id: str) -> Response:
    """Stop the clock."""
    why = page.form.text("why")
    return _run(page, campaign_id, "paused", lambda: campaigns.pause(page.ctx, page.actor, campaign_id, why))


@router.post("/resume")
def resume(page: PageDep, campaign_id: str) -> Response:
    """Resume the clock."""
    why = page.form.text("why")
    return _run(page, campaign_id, "resumed", lambda: campaigns.resume(page.ctx, page.actor, campaign_id, why))


@router.get("/advance")
def advance_page(page: PageDep, campaign_id: str) -> Response:
    """Say what ending the open phase now would mean."""
    info = run_by(page, campaign_id)
    expect(info, "running")
    waits = game_master.preview_advance(page.ctx, page.actor, campaign_id)
    t, names = page.t, _names(info)
    facts = [t("advance.ends", stage=t.stage(waits.turn, waits.phase, between=", "))]
    if waits.waiting_for:
        facts.append(t("advance.waited", names=", ".join(names[player_id] for player_id in waits.waiting_for)))
    elif waits.waiting_for is not None:
        facts.append(t("advance.nobody"))
    facts += [
        t("advance.counts", name=names[seat.player_id], what=t(f"source.{seat.source}"))
        for seat in waits.seats
        if seat.source and t.has(f"source.{seat.source}") and seat.wanted
    ]
    if waits.undecided:
        facts.append(t("advance.undecided", hexes=", ".join(waits.undecided)))
    facts.append(t("advance.for_good"))
    hidden = {"number": str(waits.number)}
    return _confirm(page, info, "advance", facts, why="optional", hidden=hidden)


@router.post("/advance")
def advance(page: PageDep, campaign_id: str) -> Response:
    """Resolve the open phase now."""
    number, why = page.form.integer("number", -1) or 0, page.form.text("why")
    return _run(
        page,
        campaign_id,
        "advanced",
        lambda: game_master.advance(page.ctx, page.actor, campaign_id, number=number, why=why),
    )


@router.get("/seats/{player_id}")
def seat_page(page: PageDep, campaign_id: str, player_id: str) -> Response:
    """Show a seat, to put someone else there or choose its stand-in."""
    return _seat(page, campaign_id, player_id)


@router.post("/seats/{player_id}")
def replace(page: PageDep, campaign_id: str, player_id: str) -> Response:
    """Put someone else into a seat, or nobody."""
    form = page.form
    try:
        name = None if "nobody" in form else form.text("name")
        drop = form.flag("drop_orders")
        game_master.replace_player(
            page.ctx, page.actor, campaign_id, player_id, name, form.text("why"), drop_orders=drop
        )
    except PlayError as error:
        return _seat(page, campaign_id, player_id, error)
    return page.redirect(f"/campaigns/{campaign_id}/gm#seats", said="seat_changed")


@router.post("/seats/{player_id}/orders")
def enter_orders(page: PageDep, campaign_id: str, player_id: str) -> Response:
    """Hand in orders for a player who gives them another way."""
    form = page.form
    try:
        phoned_in.enter_text(
            page.ctx,
            page.actor,
            campaign_id,
            player_id,
            form.text("orders"),
            why=form.text("why"),
            final=form.flag("final"),
            number=form.integer("number"),
        )
    except PlayError as error:
        return _seat(page, campaign_id, player_id, error, "orders")
    return page.redirect(f"/campaigns/{campaign_id}/gm#seats", said="orders_entered")


@router.post("/seats/{player_id}/stand-in")
def stand_in(page: PageDep, campaign_id: str, player_id: str) -> Response:
    """Say who orders for a seat that does not."""
    form, chosen = page.form, page.form.text("stand_in")
    substitute = form.optional("substitute") if chosen == "user" else None
    try:
        seats.choose_stand_in(
            page.ctx, page.actor, campaign_id, chosen, substitute=substitute, seat=player_id, level=form.text("level")
        )
    except PlayError as error:
        return _seat(page, campaign_id, player_id, error)
    return page.redirect(f"/campaigns/{campaign_id}/gm#seats", said="seat_stand_in")


@router.get("/rollback/{number}")
def rollback_page(page: PageDep, campaign_id: str, number: int) -> Response:
    """Say what going back to a phase would undo."""
    return _rollback(page, campaign_id, number)


@router.post("/rollback/{number}")
def roll_back(page: PageDep, campaign_id: str, number: int) -> Response:
    """Play on from an earlier phase, on a new branch."""
    try:
        rollback.roll_back(page.ctx, page.actor, campaign_id, number, page.form.text("why"))
    except PlayError as error:
        return _rollback(page, campaign_id, number, error)
    return page.redirect(f"/campaigns/{campaign_id}/gm", said="rolled_back")


@router.get("/finish")
@router.get("/publish")
@router.get("/archive")
@router.get("/delete")
def life_page(page: PageDep, campaign_id: str) -> Response:
    """Say what finishing, archiving or deleting the campaign means."""
    info, what = run_by(page, campaign_id), page.request.url.path.rpartition("/")[2]
    expect(info, *LIFE[what])
    grace, sealed = page.ctx.settings.deletion_grace_days, page.ctx.settings.seal_hours
    second = "now" if what == "finish" and not sealed else "2"
    facts = [page.t(f"{what}.fact_{fact}", days=grace, hours=sealed) for fact in ("1", second, "3")]
    return _confirm(page, info, what, facts, why="optional" if what == "finish" else "")


@router.post("/finish")
def finish(page: PageDep, campaign_id: str) -> Response:
    """End the campaign by hand."""
    why = page.form.text("why")
    return _run(page, campaign_id, "finished", lambda: campaigns.finish(page.ctx, page.actor, campaign_id, why))


@router.post("/publish")
def publish(page: PageDep, campaign_id: str) -> Response:
    """Make the record of a campaign that is over public."""
    return _run(page, campaign_id, "published", lambda: records.publish(page.ctx, page.actor, campaign_id))


@router.post("/archive")
def archive(page: PageDep, campaign_id: str) -> Response:
    """Put a finished campaign away."""
    return _run(page, campaign_id, "archived", lambda: campaigns.archive(page.ctx, page.actor, campaign_id))


@router.post("/delete")
def delete(page: PageDep, campaign_id: str) -> Response:
    """Mark a campaign deleted; for some days it can be brought back."""
    return _run(page, campaign_id, "deleted", lambda: campaigns.remove(page.ctx, page.actor, campaign_id))


@router.post("/restore")
def restore(page: PageDep, campaign_id: str) -> Response:
    """Bring a deleted campaign back."""
    return _run(page, campaign_id, "restored", lambda: campaigns.restore(page.ctx, page.actor, campaign_id))


@router.post("/webhooks")
def add_webhook(page: PageDep, campaign_id: str) -> Response:
    """Have what everyone may know posted somewhere; the key is shown this once."""
    form = page.form
    try:
        made = webhooks.create(
            page.ctx,
            page.actor,
            form.text("url"),
            campaign_id=campaign_id,
            format_=form.text("format"),
            kinds=form.many("kinds"),
        )
    except PlayError as error:
        return _page(page, campaign_id, error, "webhooks")
    return _page(page, campaign_id, secret=made.secret)


@router.post("/webhooks/{webhook_id}/test")
def test_webhook(page: PageDep, campaign_id: str, webhook_id: str) -> Response:
    """Post a test and show its result."""
    try:
        result = webhooks.test(page.ctx, page.actor, webhook_id)
    except PlayError as error:
        return _page(page, campaign_id, error, "webhooks")
    return _page(page, campaign_id, tested=(webhook_id, result))


@router.post("/webhooks/{webhook_id}/switch")
def switch_webhook(page: PageDep, campaign_id: str, webhook_id: str) -> Response:
    """Switch a webhook on or off."""
    enabled = page.form.flag("enabled")
    return _run(
        page, campaign_id, "set_webhooks", lambda: webhooks.change(page.ctx, page.actor, webhook_id, enabled=enabled)
    )


@router.post("/webhooks/{webhook_id}/remove")
def remove_webhook(page: PageDep, campaign_id: str, webhook_id: str) -> Response:
    """Take a webhook away."""
    return _run(page, campaign_id, "set_webhooks", lambda: webhooks.remove(page.ctx, page.actor, webhook_id))


# --- inside ---


def run_by(page: PageContext, campaign_id: str) -> CampaignInfo:
    """Return a campaign to its game masters; everyone else is refused."""
    info = campaigns.get(page.ctx, page.actor, campaign_id)
    if not (info.you_are_gm or page.actor.admin):
        raise PlayError("forbidden", "Only the game master may do that.")
    return info


def _names(info: CampaignInfo) -> dict[str, str]:
    return {seat.player_id: seat.name for seat in info.seats}


def _waits(ctx: AppContext, actor: Actor, info: CampaignInfo) -> AdvancePreview | None:
    if info.phase is None or info.status not in UNDER_WAY:
        return None
    return game_master.preview_advance(ctx, actor, info.id)


def _run(page: PageContext, campaign_id: str, said: str, work: Callable[[], Any]) -> Response:
    try:
        work()
    except PlayError as error:
        return _page(page, campaign_id, error)
    return page.redirect(f"/campaigns/{campaign_id}/gm", said=said)


def _phases(page: PageContext, info: CampaignInfo) -> list[PhaseInfo]:
    """Return the phases for a rollback, the latest first."""
    found: list[PhaseInfo] = []
    while more := history.phases(page.ctx, page.actor, info.id, after=found[-1].number if found else 0):
        found += more
    return found[::-1]


def _page(
    page: PageContext, campaign_id: str, error: PlayError | None = None, section: str = "", secret: str = "",
    tested: tuple[str, WebhookTest] | None = None,
) -> Response:  # fmt: skip
    info = run_by(page, campaign_id)
    ctx, actor = page.ctx, page.actor
    begun = info.started_at is not None
    fights = info.phase in (BATTLES, REPORTS) and not info.your_seats
    due = min(info.deadline or ctx.now(), text_input.latest(ctx.now()))
    return campaign_page(
        page,
        "gm.html",
        info,
        "gm",
        newest=NEWEST.version,
        waits=_waits(ctx, actor, info),
        names=_names(info),
        phases=_phases(page, info) if begun else [],
        branches=history.branches(ctx, actor, campaign_id) if begun else [],
        done=history.interventions(ctx, actor, campaign_id)[::-1] if begun else [],
        battles=battles.listed(ctx, actor, campaign_id) if fights else [],
        later=[(hours, due + timedelta(hours=hours)) for hours in LATER],
        hooks=webhooks.listed(ctx, actor, campaign_id=campaign_id),
        game_masters=handover.game_masters(ctx, actor, campaign_id),
        formats=FORMATS,
        notice_kinds=KINDS,
        section=section,
        tested=tested,
        error=error,
        secret=secret,
        grace=ctx.settings.deletion_grace_days,
    )


def _confirm(
    page: PageContext, info: CampaignInfo, what: str, facts: list[str], *, why: str, address: str = "",
    hidden: dict[str, str] | None = None, error: PlayError | None = None,
) -> Response:  # fmt: skip
    here = f"/campaigns/{info.id}/gm"
    action = f"{here}/{address or what}"
    return confirm_page(page, info, "gm", what, facts, action, here, why=why, hidden=hidden, error=error)


def _seat(
    page: PageContext, campaign_id: str, player_id: str, error: PlayError | None = None, section: str = ""
) -> Response:
    info = run_by(page, campaign_id)
    expect(info, *UNDER_WAY)
    seat = next((seat for seat in info.seats if seat.player_id == player_id), None)
    if seat is None:
        raise PlayError("not_found", field="seat", value=player_id)
    return campaign_page(
        page,
        "gm_seat.html",
        info,
        "gm",
        seat=seat,
        levels=tuple(LEVELS),
        turns=_turns_of(page, campaign_id, player_id),
        section=section,
        may_enter=info.status == "running" and not info.your_seats and seat.taken,
        error=error,
    )


def _turns_of(page: PageContext, campaign_id: str, player_id: str) -> tuple[Evaluation, ...]:
    """Return how the computer player at a seat felt, turn by turn."""
    found = computer_players.postures(page.ctx, page.actor, campaign_id)
    return next((postures.turns for postures in found if postures.seat == player_id), ())


def _rollback(page: PageContext, campaign_id: str, number: int, error: PlayError | None = None) -> Response:
    info, t = run_by(page, campaign_id), page.t
    seen = rollback.preview(page.ctx, page.actor, campaign_id, number)
    facts = [t("rollback.opens", stage=t.stage(seen.turn, seen.phase, between=", "), branch=seen.branch)]
    dropped = [t.stage(phase.turn, phase.phase) for phase in seen.abandoned]
    shown = dropped if len(dropped) <= 6 else [*dropped[:3], "…", *dropped[-2:]]
    facts.append(t("rollback.abandons", n=len(dropped), phases=", ".join(shown)))
    if seen.orders_given:
        facts.append(t("rollback.orders", n=seen.orders_given))
    if seen.reopens:
        facts.append(t("rollback.reopens"))
    facts += [t("rollback.stays"), t("rollback.dice")]
    return _confirm(page, info, "rollback", facts, why="required", address=f"rollback/{number}", error=error)
