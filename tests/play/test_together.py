"""Phases that are due together are resolved in one transaction, and come out as each would by itself.

Seen to fail where a position's rows were written under the first campaign's id, where the people of one campaign were
told by the ways of another only, and where what one campaign has to say went to another's webhook.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import select
from structlog.testing import capture_logs

from server.play.archive import record_files
from server.play.archive.verification import verify_bytes
from server.play.campaigns import seats
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import Actor, AppContext
from server.play.game_data import game_data_of
from server.play.notices import webhooks
from server.play.resolution import engine
from server.play.resolution.resolution import resolve_due, resolve_once
from server.rules.codec import state_hash
from server.store.database import Database, lock_campaign
from server.store.tables import Campaign, OrderSet, Outbox, Phase, Salt, Seat
from tests.play.campaigns import Club, gathered
from tests.play.conftest import Clock, person
from tests.store.loading import load_position
from tests.store.statements import repeated, statements

COUNT = 5
OPTIONS = {"deadlines": {"kind": "rolling", "hours": 24}}


@pytest.fixture
def clubs(ctx: AppContext) -> list[Club]:
    """Campaigns of four."""
    return [meeting(ctx, number) for number in range(COUNT)]


@pytest.fixture
def other(ctx: AppContext) -> Iterator[AppContext]:
    """What another process would have."""
    database = Database(ctx.database.url)
    yield AppContext(database, ctx.settings, ctx.clock)
    database.close()


def meeting(ctx: AppContext, number: int) -> Club:
    names = [f"Player {place} of {number}" for place in range(1, 5)]
    return gathered(ctx, f"Gwen {number}", NewCampaign(f"Club {number}", "four-corners", options=OPTIONS), names)


def resolve_together(ctx: AppContext, ids: list[str]) -> set[str]:
    """Resolve what does not take long; return the campaigns of which phases were resolved."""
    return {done.campaign_id for done in resolve_due(ctx, ids, only_short=True)}


def all_order(clubs: list[Club]) -> list[str]:
    """Have everybody order, and nobody final; return the campaigns."""
    for made in clubs:
        for seat in made.players:
            if any(asked.player_id == seat and asked.wanted for asked in asked_in(made)):
                made.order(seat, final=False)
    return [made.id for made in clubs]


def asked_in(made: Club) -> list[OrderSet]:
    with made.ctx.database.read() as session:
        now = session.get_one(Campaign, made.id)
        mine = (OrderSet.campaign_id == made.id, OrderSet.branch == now.branch)
        return list(session.scalars(select(OrderSet).where(*mine, OrderSet.phase_number == now.phase_number)))


def numbers(ctx: AppContext, ids: list[str]) -> list[int]:
    with ctx.database.read() as session:
        return [session.get_one(Campaign, campaign_id).phase_number for campaign_id in ids]


def plays_in_all(ctx: AppContext, clubs: list[Club], seat: str, name: str) -> Actor:
    """Put somebody at the same seat of each campaign."""
    somebody = person(ctx, name)
    with ctx.database.write() as session:
        for made in clubs:
            session.get_one(Seat, (made.id, seat)).user_id = somebody.user_id
            made.players[seat] = somebody
    return somebody


def assert_whole(made: Club) -> None:
    """The tables hold what the last record says, every phase has its salts, and playing it all again gives the same."""
    with made.ctx.database.read() as session:
        campaign = session.get_one(Campaign, made.id)
        world = game_data_of(made.ctx, campaign)
        stored = load_position(session, made.id, world.board, world.ruleset)
        phases = session.scalars(select(Phase).where(Phase.campaign_id == made.id).order_by(Phase.number)).all()
        salts = session.scalars(select(Salt).where(Salt.campaign_id == made.id)).all()
    assert state_hash(stored) == phases[-2].state_hash
    assert [phase.resolved_at is None for phase in phases] == [False] * (len(phases) - 1) + [True]
    of_phase = Counter(salt.phase_number for salt in salts)
    assert of_phase == dict.fromkeys([phase.number for phase in phases], 4) | {None: 4}
    operator = Actor(made.gm.user_id, made.gm.name, admin=True, session=True)
    report = verify_bytes(record_files.export(made.ctx, operator, made.id))
    assert report.first is None, report


def test_together_comes_out_as_by_itself(ctx: AppContext, clubs: list[Club], clock: Clock) -> None:
    for turn in range(6):
        ids = all_order(clubs)
        before = numbers(ctx, ids)
        clock.forward(hours=25)
        together = ids[turn % 2 :]
        assert resolve_together(ctx, together) == set(together)
        for campaign_id in ids[: turn % 2]:
            assert resolve_once(ctx, campaign_id) is not None
        assert all(now > then for now, then in zip(numbers(ctx, ids), before, strict=True))
        assert resolve_together(ctx, ids) == set()  # nothing is due
    for made in clubs:
        assert_whole(made)
        assert len(made.info.seats) == 4
        assert [seat.missed for seat in made.info.seats] == [0] * 4


def test_no_statement_is_carried_out_for_each_campaign(ctx: AppContext, clubs: list[Club], clock: Clock) -> None:
    for made in clubs:
        made.play_phase()
    ids = all_order(clubs)
    clock.forward(hours=25)
    with statements(ctx.database) as found:
        assert resolve_together(ctx, ids) == set(ids)
    assert repeated(found, times=2) == {}  # all is read twice


def test_everybody_is_told_once_of_each_campaign(ctx: AppContext, clubs: list[Club], clock: Clock) -> None:
    of_gm = webhooks.create(ctx, clubs[0].gm, "https://hooks.example.org/gm", kinds=["phase_opened"]).info.id
    of_club = webhooks.create(ctx, clubs[1].gm, "https://hooks.example.org/1", campaign_id=clubs[1].id).info.id
    player = webhooks.create(ctx, clubs[2].players["p1"], "https://hooks.example.org/p", kinds=["phase_opened"]).info.id
    ids = all_order(clubs)
    clock.forward(hours=25)
    assert resolve_together(ctx, ids) == set(ids)
    with ctx.database.read() as session:
        rows = session.scalars(select(Outbox).where(Outbox.kind.in_(["mail", "webhook"]))).all()
    mails = [(row.campaign_id, row.user_id) for row in rows if row.kind == "mail"
             and row.payload["about"] == "phase_opened" and row.payload["data"]["number"] == 2]  # fmt: skip
    assert sorted(mails) == sorted((made.id, actor.user_id) for made in clubs for actor in made.players.values())
    told = {hook: [(row.payload["sequence"], row.campaign_id) for row in rows if row.kind == "webhook"
                   and row.payload["webhook_id"] == hook] for hook in (of_gm, of_club, player)}  # fmt: skip
    assert told == {of_gm: [], of_club: [(1, clubs[1].id)], player: [(1, clubs[2].id)]}


def test_somebody_who_plays_in_all_has_their_webhook_numbered(ctx: AppContext, clubs: list[Club], clock: Clock) -> None:
    pat = plays_in_all(ctx, clubs, "p4", "Pat")
    hook = webhooks.create(ctx, pat, "https://hooks.example.org/pat", kinds=["phase_opened"]).info.id
    ids = all_order(clubs)
    clock.forward(hours=25)
    assert resolve_together(ctx, ids) == set(ids)
    with ctx.database.read() as session:
        rows = session.scalars(select(Outbox).where(Outbox.kind == "webhook")).all()
    told = [row for row in rows if row.payload["webhook_id"] == hook]
    assert sorted(row.payload["sequence"] for row in told) == [1, 2, 3, 4, 5]
    assert sorted(str(row.campaign_id) for row in told) == sorted(ids)


def test_what_takes_long_is_left(
    ctx: AppContext, clubs: list[Club], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats.go_away(ctx, clubs[3].players["p2"], clubs[3].id, clock.at.replace(year=2032))
    ids = [*all_order(clubs[:3]), clubs[3].id]
    clock.forward(hours=25)
    with ctx.database.write() as session:
        campaign = session.get_one(Campaign, ids[3])
        campaign.options = {**campaign.options, "stand_in": "bot"}
    assert resolve_together(ctx, ids) == set(ids[:3])
    assert numbers(ctx, ids) == [2, 2, 2, 1]
    assert resolve_once(ctx, ids[3]) is not None
    all_order(clubs[:3])
    clock.forward(hours=25)
    monkeypatch.setattr(engine, "LARGE", 0)
    assert resolve_together(ctx, ids[:3]) == set()
    assert all(resolve_once(ctx, campaign_id) is not None for campaign_id in ids[:3])


def test_what_somebody_else_has_is_left(ctx: AppContext, clubs: list[Club], clock: Clock) -> None:
    ids = all_order(clubs)
    clock.forward(hours=25)
    if ctx.database.sqlite:
        return  # its writers exclude each other
    with ctx.database.write() as session:
        assert lock_campaign(session, ids[1]) is not None
        assert resolve_together(ctx, ids) == {*ids} - {ids[1]}
    assert resolve_together(ctx, ids) == {ids[1]}


def test_each_phase_once_whoever_resolves_it(
    ctx: AppContext, other: AppContext, clubs: list[Club], clock: Clock
) -> None:
    """Whoever resolves some together meets others who do, with the same people and webhooks in another order."""
    for seat, name in (("p3", "Quinn"), ("p4", "Pat")):
        somebody = plays_in_all(ctx, clubs, seat, name)
        webhooks.create(ctx, somebody, f"https://hooks.example.org/{name}")
    ways = [ctx, other, ctx, other]
    with ThreadPoolExecutor(len(ways)) as pool, capture_logs() as logged:
        for _ in range(5):
            ids = all_order(clubs)
            before = numbers(ctx, ids)
            clock.forward(hours=25)
            at_once = Barrier(len(ways))

            def work(place: int, ids: list[str] = ids, at_once: Barrier = at_once) -> Counter[str]:
                at_once.wait()
                mine = ids[place:] + ids[:place]
                if place < 3:
                    return sum(
                        (Counter(resolve_together(ways[place], some)) for some in (mine[:3], mine[3:])), Counter()
                    )
                return Counter(one for one in mine if resolve_once(ways[place], one) is not None)

            done = sum(pool.map(work, range(len(ways))), Counter[str]())
            assert sorted(done) == sorted(ids)
            assert all(now > then for now, then in zip(numbers(ctx, ids), before, strict=True))
    assert [line for line in logged if line["log_level"] == "error"] == []
    for made in clubs:
        assert_whole(made)
