"""Nobody plays a campaign whose dice they know: what is over and public goes on as another one, with its own secret."""

from __future__ import annotations

from fastapi.testclient import TestClient
from sqlalchemy import select

from server.play.archive import record_import
from server.play.archive.record_files import export, read
from server.play.archive.verification import verify_record
from server.play.campaigns import campaigns, practice
from server.play.context import AppContext
from server.play.game_masters import game_master, rollback
from server.play.records.records import current_record, state_at
from server.rules.state import State
from server.store.tables import Campaign, Seat
from tests.api.conftest import client, url
from tests.play.campaigns import Club, club
from tests.play.conftest import clock, ctx, database, kind, person, postgresql_database
from tests.play.test_campaigns import refused
from tests.web.visitor import Visitor

__all__ = ["client", "clock", "ctx", "database", "kind", "postgresql_database", "url"]


def over(ctx: AppContext) -> Club:
    made = club(ctx, phases=2)
    settings = ctx.settings.model_copy(update={"seal_hours": 0})
    campaigns.finish(AppContext(ctx.database, settings, ctx.clock), made.gm, made.id)
    return made


def position(ctx: AppContext, campaign_id: str) -> tuple[Campaign, State]:
    with ctx.database.read() as session:
        campaign = session.get_one(Campaign, campaign_id)
        return campaign, state_at(ctx, session, campaign, current_record(campaign))


def test_it_is_a_new_campaign_with_dice_of_its_own(ctx: AppContext) -> None:
    old = over(ctx)
    gwen = person(ctx, "Gwen the Second")
    new = practice.play_on(ctx, gwen, old.id)
    (before, then), (after, now) = position(ctx, old.id), position(ctx, new.id)
    assert after.dice_secret != before.dice_secret
    assert after.link0 != before.link0
    assert now.id_key not in (b"", then.id_key)
    assert (after.status, after.gm_user_id, after.listed) == ("paused", gwen.user_id, False)
    assert {**vars_of(now), "id_key": b""} == {**vars_of(then), "id_key": b""}
    with ctx.database.read() as session:
        assert set(session.scalars(select(Seat.user_id).where(Seat.campaign_id == new.id))) == {None}
    told = practice.get(ctx, gwen, new.id)
    assert (told.campaign_id, told.invented) == (old.id, ())
    assert position(ctx, old.id)[0].status == "finished"


def vars_of(state: State) -> dict[str, object]:
    return {
        "owner": list(state.owner),
        "detachments": sorted(state.detachments),
        "turn": state.turn,
        "phase": state.phase,
    }


def test_people_take_the_seats_and_its_record_is_verified(ctx: AppContext) -> None:
    old = over(ctx)
    new = practice.play_on(ctx, old.gm, old.id, number=1, name="Once more")
    for seat in new.seats:
        person(ctx, f"New {seat.player_id}")
        game_master.replace_player(ctx, old.gm, new.id, seat.player_id, f"New {seat.player_id}")
    campaigns.resume(ctx, old.gm, new.id)
    for _ in range(2):
        number = campaigns.get(ctx, old.gm, new.id).phase_number
        game_master.advance(ctx, old.gm, new.id, number=number)
    campaigns.finish(ctx, old.gm, new.id)
    report = verify_record(read(export(ctx, old.gm, new.id)), now=ctx.now())
    assert report.ok, report.first


def test_what_is_public_is_never_opened_again(ctx: AppContext) -> None:
    old = over(ctx)
    refused("record_public", rollback.roll_back, ctx, old.gm, old.id, 1, "once more")
    refused("wrong_status", campaigns.resume, ctx, old.gm, old.id)


def test_what_is_sealed_or_runs_is_not_played_on(ctx: AppContext) -> None:
    made = club(ctx, phases=1)
    refused("wrong_status", practice.play_on, ctx, made.gm, made.id)
    settings = ctx.settings.model_copy(update={"seal_hours": 72})
    campaigns.finish(AppContext(ctx.database, settings, ctx.clock), made.gm, made.id)
    refused("wrong_status", practice.play_on, ctx, made.gm, made.id)
    refused("not_found", practice.play_on, ctx, person(ctx, "Eve"), "nothing")


def test_an_imported_record_goes_on_with_other_dice(ctx: AppContext) -> None:
    """The importer emptied ``published_at`` to go back in it, and knew every roll."""
    old = over(ctx)
    record = export(ctx, old.gm, old.id)
    with ctx.database.write() as session:
        session.delete(session.get_one(Campaign, old.id))
    eve = person(ctx, "Eve")
    brought = record_import.import_(ctx, eve, record)
    refused("record_public", rollback.roll_back, ctx, eve, brought.id, 1, "mine")
    new = practice.play_on(ctx, eve, brought.id)
    assert position(ctx, new.id)[0].dice_secret != position(ctx, brought.id)[0].dice_secret


def test_an_account_plays_on_so_many_times(ctx: AppContext) -> None:
    old = over(ctx)
    for _ in range(ctx.settings.open_campaigns_per_account):
        practice.play_on(ctx, old.gm, old.id)
    refused("limit_reached", practice.play_on, ctx, old.gm, old.id)


def test_the_page_offers_it_in_the_readers_language(client: TestClient) -> None:
    found: AppContext = client.app.state.server.ctx  # type: ignore[attr-defined]
    old = over(found)
    ann = Visitor(client, "Ann")
    assert "Play on from here" in ann.get(f"/campaigns/{old.id}")
    where = ann.post(f"/campaigns/{old.id}/continuation")
    page = ann.get(where)
    assert "The new campaign is ready and paused." in page
    ann.api("PATCH", "/me", {"locale": "de"})
    assert "Von hier weiterspielen" in ann.get(f"/campaigns/{old.id}")
    made = ann.api("POST", f"/campaigns/{old.id}/continuation", {"number": 1, "name": "Noch einmal"})
    assert (made.status_code, made.json()["status"], made.json()["name"]) == (201, "paused", "Noch einmal")
    assert "Von hier weiterspielen" not in Visitor(client).get(f"/campaigns/{old.id}")
