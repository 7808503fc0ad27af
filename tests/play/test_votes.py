"""Ends by agreement: draw, peace, conceding together, abandoned campaigns; in the record, and forged."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from server.play.accounts.tokens import note_visit
from server.play.archive import record_files
from server.play.archive.record_import import import_
from server.play.archive.verification import verify_record
from server.play.campaigns import campaigns, seats, votes
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.game_masters import game_master, rollback
from server.play.schedule import ticker
from server.play.views import history, positions
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person

Record = dict[str, Any]


def admin(ctx: AppContext) -> Actor:
    return replace(person(ctx, "Root"), admin=True)


def record_of(made: Club) -> Record:
    return record_files.read(record_files.export(made.ctx, admin(made.ctx), made.id))


def refused(code: str, work: Callable[..., Any], *args: Any, **named: Any) -> None:
    with pytest.raises(PlayError) as caught:
        work(*args, **named)
    assert caught.value.code == code, caught.value


def state_of(made: Club) -> Any:
    return positions.position(made.ctx, made.players["p1"], made.id).view.state


def all_agree(made: Club, *but: str) -> None:
    for seat in ("p1", "p2", "p3", "p4"):
        if seat not in but:
            votes.answer(made.ctx, made.players[seat], made.id, 1, agrees=True)


def test_a_draw_that_all_agree_on_ends_the_campaign(ctx: AppContext) -> None:
    made = club(ctx, phases=2)
    votes.propose(ctx, made.players["p1"], made.id, "draw", why="The club moves on.")
    all_agree(made, "p1")
    assert made.info.status == "finished"
    state = state_of(made)
    assert (state.winners, state.ended_by) == (("p1", "p2", "p3", "p4"), "draw")
    assert votes.listed(ctx, made.gm, made.id)[0].outcome == "carried"
    kinds = [each.kind for each in history.interventions(ctx, made.gm, made.id)]
    assert kinds == ["vote", "vote_yes", "vote_yes", "vote_yes", "vote_yes", "agreement"]
    report = verify_record(record_of(made), now=ctx.now())
    assert report.ok, report.first
    assert report.checked == 4


def test_peace_goes_by_victory_points_and_concession_to_whom_it_is_made(ctx: AppContext) -> None:
    made = club(ctx)
    refused("invalid_request", votes.propose, ctx, made.players["p1"], made.id, "concede")
    votes.propose(ctx, made.players["p1"], made.id, "concede", winner="p3")
    refused("forbidden", votes.answer, ctx, made.players["p3"], made.id, 1, agrees=True)
    all_agree(made, "p1", "p3")
    assert state_of(made).winners == ("p3",)
    assert verify_record(record_of(made), now=ctx.now()).ok


def test_one_refusal_ends_a_vote(ctx: AppContext) -> None:
    made = club(ctx)
    votes.propose(ctx, made.players["p1"], made.id, "peace")
    refused("conflict", votes.propose, ctx, made.players["p2"], made.id, "draw")
    votes.answer(ctx, made.players["p2"], made.id, 1, agrees=True)
    assert votes.answer(ctx, made.players["p3"], made.id, 1, agrees=False).outcome == "refused"
    assert made.info.status == "running"
    refused("conflict", votes.propose, ctx, made.players["p1"], made.id, "draw")
    refused("conflict", votes.answer, ctx, made.players["p4"], made.id, 1, agrees=True)
    assert verify_record(record_of(made), now=ctx.now()).ok


def been_here(ctx: AppContext, actor: Actor) -> None:
    with ctx.database.write() as session:
        note_visit(session, actor.user_id, ctx.now())


def test_the_absent_do_not_block(ctx: AppContext, clock: Clock) -> None:
    """Seen to fail where the vote waits for everybody."""
    made = club(ctx)
    seats.leave(ctx, made.players["p4"], made.id)
    votes.propose(ctx, made.players["p1"], made.id, "draw")
    votes.answer(ctx, made.players["p2"], made.id, 1, agrees=True)
    clock.forward(days=6)
    ticker.tick(ctx)
    assert made.info.status == "running"
    clock.forward(days=2)
    ticker.tick(ctx)
    assert made.info.status == "finished"
    ended = history.interventions(ctx, made.gm, made.id)[-1]
    assert (ended.public["yes"], ended.public["absent"]) == (["p1", "p2"], ["p3", "p4"])
    assert verify_record(record_of(made), now=ctx.now()).ok


def test_who_has_been_there_and_is_silent_is_not_absent(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx)
    votes.propose(ctx, made.players["p1"], made.id, "draw")
    clock.forward(days=1)
    been_here(ctx, made.players["p3"])
    clock.forward(days=7)
    ticker.tick(ctx)
    assert made.info.status == "running"
    assert votes.listed(ctx, made.gm, made.id)[0].outcome == "lapsed"


def test_a_newcomer_is_not_bound_by_the_predecessors_vote(ctx: AppContext) -> None:
    made = club(ctx)
    votes.propose(ctx, made.players["p1"], made.id, "draw")
    game_master.replace_player(ctx, made.gm, made.id, "p1", person(ctx, "Newt").name)
    all_agree(made, "p1")
    assert made.info.status == "running"
    found = votes.listed(ctx, made.gm, made.id)[0]
    assert found.waiting_for == ("p1",)


def test_whose_vote_it_is(ctx: AppContext) -> None:
    made = club(ctx)
    refused("forbidden", votes.propose, ctx, made.gm, made.id, "draw")
    votes.propose(ctx, made.players["p1"], made.id, "draw")
    refused("forbidden", votes.withdraw, ctx, made.players["p2"], made.id, 1)
    votes.withdraw(ctx, made.players["p1"], made.id, 1)
    assert votes.listed(ctx, made.gm, made.id)[0].outcome == "withdrawn"
    campaigns.change(ctx, made.gm, made.id, options={"vote_days": 0})
    refused("forbidden", votes.propose, ctx, made.players["p2"], made.id, "draw")


def test_a_campaign_that_everyone_left_is_closed(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx)
    for seat in ("p1", "p2", "p3"):
        seats.leave(ctx, made.players[seat], made.id)
    clock.forward(days=40)
    assert ticker.work(ctx, "abandoned") == 0
    seats.leave(ctx, made.players["p4"], made.id)
    clock.forward(days=29)
    assert ticker.work(ctx, "abandoned") == 0
    clock.forward(days=2)
    assert ticker.work(ctx, "abandoned") == 1
    assert made.info.status == "finished"
    report = verify_record(record_of(made), now=ctx.now())
    assert report.ok, report.first


def test_the_game_master_can_go_back(ctx: AppContext) -> None:
    sealed = replace(ctx, settings=ctx.settings.model_copy(update={"seal_hours": 72}))
    made = club(ctx, phases=1)
    votes.propose(sealed, made.players["p1"], made.id, "draw")
    all_agree(replace(made, ctx=sealed), "p1")
    rollback.roll_back(ctx, made.gm, made.id, 2, "They were drunk.")
    assert made.info.status == "running"
    made.play_phase()
    assert verify_record(record_of(made), now=ctx.now()).ok


def test_such_a_record_is_taken_in_elsewhere(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx)
    votes.propose(ctx, made.players["p1"], made.id, "draw")
    all_agree(made, "p1")
    root = admin(ctx)
    data = record_files.export(ctx, root, made.id)
    campaigns.remove(ctx, made.gm, made.id)
    clock.forward(days=400)
    assert ticker.work(ctx, "removal") == 1
    assert import_(ctx, root, data).status == "finished"


# --- forged ---


def _row(record: Record, kind: str, **told: Any) -> Record:
    rows = (row for row in record["interventions"] if row["kind"] == kind)
    return next(row for row in rows if all(row["public"].get(name) == value for name, value in told.items()))


def _without(kind: str, **told: Any) -> Callable[[Record], None]:
    return lambda record: record["interventions"].remove(_row(record, kind, **told))


def _said(kind: str, other: str, **told: Any) -> Callable[[Record], None]:
    return lambda record: _row(record, kind, **told).update(kind=other)


def _details(**changed: Any) -> Callable[[Record], None]:
    return lambda record: _row(record, "agreement")["details"].update(changed)


FORGERIES: dict[str, Callable[[Record], None]] = {
    "the end without a word": _without("agreement"),
    "no vote": _without("vote"),
    "a player never agreed": _without("vote_yes", seat="p2"),
    "a player refused": _said("vote_yes", "vote_no", seat="p2"),
    "another end": _details(about="peace"),
    "another winner": _details(about="concede", winner="p1"),
    "a player left out": _details(yes=["p1", "p2", "p3"]),
    "everyone absent": _details(yes=[], absent=["p1", "p2", "p3", "p4"]),
    "a player who was not there": _details(absent=["p4"]),
    "another vote": _details(number=2),
    "a campaign that goes on": lambda record: record["campaign"].update(status="running", finished_at=None),
    "another state": lambda record: _row(record, "agreement").update(state_hash="0" * 64),
    "another chain": lambda record: _row(record, "agreement").update(chain_hash="0" * 64),
    "ended by the game master": _said("agreement", "finish"),
}


def test_forged_ends_are_refused(ctx: AppContext) -> None:
    """Each was accepted where ``_votes`` finds nothing, or where the details of the end are not read."""
    made = club(ctx, phases=1)
    votes.propose(ctx, made.players["p1"], made.id, "draw")
    all_agree(made, "p1")
    record = record_of(made)
    assert verify_record(record, now=ctx.now()).ok
    for name, forge in FORGERIES.items():
        changed = copy.deepcopy(record)
        forge(changed)
        assert verify_record(changed, now=ctx.now()).first is not None, name
