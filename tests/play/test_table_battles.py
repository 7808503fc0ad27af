"""Battles of a campaign on the table: what they are made from, who may know, dates, waiting, rollback, records."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import Any

import orjson
import pytest
from icalendar import Calendar as ICalendar
from sqlalchemy import select

from server.play.access import options_of
from server.play.archive import record_files, record_import
from server.play.battles import battle_results, battles
from server.play.context import Actor, AppContext
from server.play.game_masters import rollback
from server.play.schedule import ticker
from server.play.tables import acts, battle_agreements, info, reading, setting_up, starting
from server.play.tables import seats as table_seats
from server.play.tables.battle_facts import BattleFacts, facts_of, moved_in, transfers
from server.play.tables.folding import begun, held
from server.play.tables.info import TableInfo
from server.play.tables.setting_up import NewTable
from server.referee.rule import Result
from server.rules.sight import view_for
from server.rules.state import Battle, Detachment, Force, State
from server.store.groups import forget
from server.store.tables import Campaign, Deadline, Seat, TableBattleRow, TableBeginningRow, TableGameRow, TableSeatRow
from tests.api.tables import SALTS, acts_to_the_end, commitment
from tests.play.conftest import Clock, person
from tests.play.test_battles import at_a_battle, others_report, outsider, position, to_reports
from tests.play.test_campaigns import refused

DEADLINES = {"deadlines": {"kind": "rolling", "hours": 48}}


class Fought:
    """A battle of three players' campaign whose result is awaited."""

    def __init__(self, ctx: AppContext, **options: Any) -> None:
        self.ctx = ctx
        self.made, self.hex, self.battle = at_a_battle(ctx)
        self.set_options(**options)
        to_reports(self.made)
        self.red, self.blue = self.made.players[self.battle.attacking], self.made.players[self.battle.defended_by]
        self.third = self.made.players[outsider(self.made, self.battle)]
        self.gm = self.made.gm
        self.id = self.table()

    def set_options(self, **options: Any) -> None:
        """Choose options of the campaign, which its game master would have chosen before."""
        with self.ctx.database.write() as session:
            campaign = session.get_one(Campaign, self.made.id)
            campaign.options = {**campaign.options, **DEADLINES, **options}
            assert options_of(campaign)

    def table(self) -> str:
        """Return the id of the battle's table game."""
        known = battles.listed(self.ctx, self.red, self.made.id)
        return next(str(each.table) for each in known if each.hex == self.hex)

    def info(self, actor: Actor | None = None) -> TableInfo:
        """Return the table game as somebody knows it."""
        return setting_up.get(self.ctx, actor or self.red, self.id)

    def start(self, mission: str | None = None) -> None:
        """Agree on a mission, send the salts, begin."""
        ctx, people = self.ctx, {"red": self.red, "blue": self.blue}
        if mission is not None:
            made = battle_agreements.propose_mission(
                ctx, self.red, self.id, NewTable(mission=mission), frozenset({"mission"})
            )
            assert made.battle is not None
            battle_agreements.answer(ctx, self.blue, self.id, made.battle.proposals[-1].number, agree=True)
        for side, actor in people.items():
            table_seats.commit(ctx, actor, self.id, side, commitment(SALTS[side]))
        for side, actor in people.items():
            table_seats.reveal(ctx, actor, self.id, side, SALTS[side])
        starting.start(ctx, self.red, self.id)

    def act(self) -> None:
        """Do one act."""
        by, act = next(iter(acts_to_the_end(self.ctx.database, self.id)))
        acts.submit(self.ctx, self.red if by == "red" else self.blue, self.id, 0, act)

    def play(self) -> None:
        """Play to the end."""
        for number, (by, act) in enumerate(acts_to_the_end(self.ctx.database, self.id)):
            acts.submit(self.ctx, self.red if by == "red" else self.blue, self.id, number, act)

    def deadline(self) -> Any:
        """Return the open phase's deadline."""
        return self.made.info.deadline


@pytest.fixture
def fought(ctx: AppContext) -> Fought:
    """A battle on the table in a campaign with deadlines."""
    return Fought(ctx)


# --- who and what ---


def test_the_sides_belong_to_the_players_and_to_who_orders_for_them(fought: Fought) -> None:
    ctx, id_ = fought.ctx, fought.id
    assert (fought.info(fought.red).sides, fought.info(fought.blue).sides) == (("red",), ("blue",))
    assert fought.info(fought.gm).gm
    assert fought.info().join_code is None
    for stranger in (fought.third, person(ctx, "Stranger")):
        refused("not_found", setting_up.get, ctx, stranger, id_)
    assert id_ in [game.id for game in info.mine(ctx, fought.red)]
    assert id_ not in [game.id for game in info.mine(ctx, fought.third)]
    refused("forbidden", table_seats.leave, ctx, fought.red, id_, "red")
    deputy = person(ctx, "Deputy")
    refused("not_found", setting_up.get, ctx, deputy, id_)
    with ctx.database.write() as session:
        seat = session.get_one(Seat, (fought.made.id, fought.battle.attacking))
        seat.stand_in, seat.stand_in_user_id = "user", deputy.user_id
    assert fought.info(deputy).sides == ("red",)
    fought.red = deputy
    fought.start("scorched_earth")
    fought.act()
    with ctx.database.write() as session:
        session.get_one(Seat, (fought.made.id, fought.battle.attacking)).stand_in_user_id = None
    refused("not_found", acts.submit, ctx, deputy, id_, 1, {"do": "end_phase"})


def test_nobody_else_is_told_of_the_table(fought: Fought) -> None:
    known = battles.listed(fought.ctx, fought.third, fought.made.id)
    assert all(each.table is None for each in known if not each.yours)
    assert all(each.table for each in battles.listed(fought.ctx, fought.gm, fought.made.id))


def test_armies_and_facts_are_those_of_the_battle(fought: Fought) -> None:
    state, info = position(fought.made), fought.info()
    battle = next(each for each in state.battles.values() if state.board.label(each.hex) == fought.hex)
    facts, army = info.setup["battle"], info.seats[0].army
    assert (facts["hex"], facts["kind"]) == (fought.hex, battle.kind)
    assert army is not None
    assert info.seats[1].army is None
    force = state.force(battle.attacker)
    assert force is not None
    primaries = [unit for unit in army["units"] if unit["id"] not in facts["supporters"]]
    assert [unit["name"] for unit in primaries] == [
        unit.name for unit in force.units if unit.ready and not unit.damaged
    ]
    assert army["strategy"] == state.players[battle.attacking].strategy
    assert sum("warlord" in unit.get("flags", ()) for unit in army["units"]) == 1


def test_models_of_one_type_are_moved_together() -> None:
    """The example of T-85: 4, 6, 6, 7 of ten make 10, 10, 3; with 9 instead of 7 there are 10, 10, 5."""
    units = [
        {
            "id": f"r{n}",
            "name": f"Squad {n}",
            "models": 10,
            "models_now": now,
            "type": "Squad",
            "role": "troops",
            "keywords": ["infantry"],
        }
        for n, now in enumerate((4, 6, 6, 7), 1)
    ]
    moved = moved_in(units, {})
    assert sorted(fielded for _, fielded in moved.values()) == [0, 3, 10, 10]
    assert sum(transfer.models for transfer in transfers(units, moved)) == 7
    units[3]["models_now"] = 9
    assert sorted(fielded for _, fielded in moved_in(units, {}).values()) == [0, 5, 10, 10]


# --- secrecy ---


def facts_in(state: State, battle: Battle) -> BattleFacts:
    return facts_of(state, battle, withdrawing=False)


def test_what_one_side_cannot_see_changes_no_byte_for_it(fought: Fought) -> None:
    """Wounded, experience, orders and hidden works of the other side: the same bytes of the table game."""
    state = position(fought.made)
    battle = next(each for each in state.battles.values() if state.board.label(each.hex) == fought.hex)
    before = facts_in(state, battle)
    other = state.copy()
    forces: list[Force] = [*other.detachments.values(), *other.garrisons.values()]
    for force in forces:
        if force.owner == battle.defended_by:
            force.units = tuple(unit.in_state(unit.ready, 3, damaged=unit.damaged) for unit in force.units)
            if isinstance(force, Detachment):
                force.dxp, force.battle_order = 7, "attack"
    other.visibility = None
    seen = view_for(other, (), battle.attacking).state.stronghold.get(battle.hex)
    if battle.hex in other.stronghold and not (seen and seen.defences):
        other.stronghold[battle.hex].defences = {next(iter(state.ruleset.defences)): 3}
    after = facts_in(other, next(each for each in other.battles.values() if each.hex == battle.hex))
    assert orjson.dumps([before.shared, before.armies["red"]]) == orjson.dumps([after.shared, after.armies["red"]])


def test_the_table_shows_neither_orders_nor_hidden_works_to_the_other_side(fought: Fought) -> None:
    with fought.ctx.database.write() as session:
        row = session.get_one(TableBattleRow, fought.id)
        row.secret = {**row.secret, "withdrawing": True, "works": {"bunker_1": "bunker"}}
    fought.start()
    rules = {
        side: reading.position(fought.ctx, actor, fought.id).view["rules"]
        for side, actor in (("red", fought.red), ("blue", fought.blue))
    }
    assert (rules["red"]["works"], rules["red"]["withdrawing"]) == ({}, False)
    assert rules["blue"]["withdrawing"]
    shown = orjson.dumps(reading.position(fought.ctx, fought.red, fought.id).view)
    assert b"bunker_1" not in shown


# --- agreements ---


def test_a_mission_counts_when_the_other_side_agrees(fought: Fought) -> None:
    ctx, id_ = fought.ctx, fought.id
    wanted = (NewTable(mission="scorched_earth"), frozenset({"mission"}))
    made = battle_agreements.propose_mission(ctx, fought.red, id_, *wanted)
    assert made.mission == "normal_battle"
    assert made.battle is not None
    refused("forbidden", battle_agreements.answer, ctx, fought.red, id_, 1, agree=True)
    refused("not_found", battle_agreements.answer, ctx, fought.blue, id_, 9, agree=True)
    refused("not_found", battle_agreements.answer, ctx, fought.third, id_, 1, agree=True)
    agreed = battle_agreements.answer(ctx, fought.blue, id_, 1, agree=True)
    assert agreed.battle is not None
    assert (agreed.mission, agreed.battle.mission_by) == ("scorched_earth", "agreed")
    assert agreed.seats[1].has_army
    refused("conflict", battle_agreements.answer, ctx, fought.blue, id_, 1, agree=False)
    refused(
        "unknown_mission", battle_agreements.propose_mission, ctx, fought.red, id_, NewTable(mission="x"), wanted[1]
    )
    refused("conflict", battle_agreements.propose_mission, ctx, fought.red, id_, NewTable(mission="posture"), wanted[1])
    chosen = setting_up.change(ctx, fought.gm, id_, NewTable(mission="sabotage"), frozenset({"mission"}))
    assert chosen.battle is not None
    assert (chosen.mission, chosen.battle.mission_by) == ("sabotage", "gm")
    refused("forbidden", setting_up.change, ctx, fought.red, id_, *wanted)


def _power(fought: Fought, by_side: dict[str, int]) -> None:
    """Give both armies one Power Level for each of their units."""
    with fought.ctx.database.write() as session:
        for side, power in by_side.items():
            seat = session.get_one(TableSeatRow, (fought.id, side))
            assert seat.army is not None
            seat.army = {**seat.army, "units": [{**unit, "power": power} for unit in seat.army["units"]]}


@pytest.mark.parametrize("mission", ["meat_grinder", "rescue", "sabotage"])
@pytest.mark.parametrize(
    ("levels", "option", "attacker"),
    [((1, 40), "battle", "red"), ((1, 40), "power", "blue"), ((40, 1), "power", "red"), ((0, 0), "power", "")],
)
def test_power_levels_give_the_roles_where_the_campaign_wants_that(
    fought: Fought, mission: str, levels: tuple[int, int], option: str, attacker: str
) -> None:
    fought.set_options(table_roles=option)
    _power(fought, dict(zip(("red", "blue"), levels, strict=True)))
    fought.start(mission)
    with fought.ctx.database.read() as session:
        row = session.get_one(TableBeginningRow, fought.id)
        game = begun(row, fought.id).table.game
    if attacker or mission == "meat_grinder":
        assert game.attacker == attacker
    else:
        assert game.attacker == "red", "the Sentries need an owner before any roll"
    if mission != "meat_grinder":
        assert {unit.side for unit in game.units.values() if "sentries" in unit.flags} == {game.defender}


def test_a_draw_is_the_battles_defenders_though_they_attacked_on_the_table(fought: Fought) -> None:
    """Seen to fail where a draw went to the mission's Defender."""
    fought.set_options(table_roles="power")
    _power(fought, {"red": 1, "blue": 40})
    fought.start("meat_grinder")
    with held(fought.ctx, fought.id, 0) as folded:
        folded.table.game.result = Result("", "draw")
    with fought.ctx.database.write() as session:
        session.get_one(TableGameRow, fought.id).status = "over"
    assert battle_results.read(fought.ctx, fought.red, fought.id).result["winner"] == fought.battle.defended_by


def test_an_agreed_date_moves_the_deadline_behind_it(fought: Fought) -> None:
    ctx, id_, due = fought.ctx, fought.id, fought.deadline()
    at = due + timedelta(days=3)
    battle_agreements.propose_date(ctx, fought.red, id_, due + timedelta(days=30), "")
    battle_agreements.propose_date(ctx, fought.blue, id_, at, "Club room")
    refused("not_found", battle_agreements.of_game, ctx, fought.red, id_)
    made = battle_agreements.answer(ctx, fought.red, id_, 2, agree=True)
    assert made.battle is not None
    assert (made.battle.meets_at, made.battle.place) == (at, "Club room")
    assert [proposal.status for proposal in made.battle.proposals] == ["withdrawn", "agreed"]
    assert fought.deadline() == at + timedelta(hours=24)
    for actor in (fought.red, fought.blue):
        event: Any = ICalendar.from_ical(
            battle_agreements.to_ics(ctx, battle_agreements.of_game(ctx, actor, id_))
        ).walk("VEVENT")[0]
        assert (event["DTSTART"].dt, str(event["LOCATION"])) == (at.astimezone(UTC), "Club room")
    assert [meeting.game for meeting in battle_agreements.mine(ctx, fought.blue)] == [id_]
    refused("not_found", battle_agreements.of_game, ctx, fought.third, id_)
    # a date after a date moves it no further than the campaign allows, counted from the phase's own deadline
    battle_agreements.propose_date(ctx, fought.red, id_, due + timedelta(days=20))
    late = battle_agreements.answer(ctx, fought.blue, id_, 3, agree=True)
    assert late.battle is not None
    assert late.battle.meets_at == due + timedelta(days=20)
    assert fought.deadline() == at + timedelta(hours=24)


def test_a_campaign_may_keep_its_deadlines(ctx: AppContext) -> None:
    fought = Fought(ctx, table_date_days=0)
    due = fought.deadline()
    battle_agreements.propose_date(ctx, fought.red, fought.id, due + timedelta(days=3))
    battle_agreements.answer(ctx, fought.blue, fought.id, 1, agree=True)
    assert fought.deadline() == due


def test_dates_that_cannot_be(fought: Fought) -> None:
    ctx, id_, now = fought.ctx, fought.id, fought.ctx.now()
    refused("invalid_request", battle_agreements.propose_date, ctx, fought.red, id_, now - timedelta(hours=1))
    for day in range(1, 6):
        battle_agreements.propose_date(ctx, fought.red, id_, now + timedelta(days=day))
    refused("limit_reached", battle_agreements.propose_date, ctx, fought.red, id_, now + timedelta(days=9))
    battle_agreements.answer(ctx, fought.red, id_, 1, agree=False)
    battle_agreements.propose_date(ctx, fought.red, id_, now + timedelta(days=9))


# --- waiting ---


def test_a_phase_waits_for_a_game_that_is_played_but_not_for_ever(fought: Fought, clock: Clock) -> None:
    made, number = fought.made, fought.made.info.phase_number
    due = fought.deadline()
    fought.start("scorched_earth")
    clock.at = due - timedelta(hours=1)
    fought.act()
    clock.at = due + timedelta(minutes=1)
    ticker.tick(fought.ctx)
    assert made.info.phase_number == number
    assert fought.deadline() == due + timedelta(hours=23)
    with fought.ctx.database.read() as session:
        last = session.scalars(select(Deadline).order_by(Deadline.phase_number.desc(), Deadline.seq.desc())).first()
        assert last is not None
        assert (last.kind, last.set_by) == ("extended", None)
    for day in range(1, 8):  # somebody acts every day
        with fought.ctx.database.write() as session:
            session.get_one(TableGameRow, fought.id).last_act_at = due + timedelta(days=day, minutes=-5)
        clock.at = due + timedelta(days=day, minutes=-1)
        ticker.tick(fought.ctx)
        assert made.info.phase_number == number
    clock.at = due + timedelta(days=7, minutes=1)
    ticker.tick(fought.ctx)
    assert made.info.phase_number > number
    assert fought.info().status == "closed"


def test_a_game_at_rest_is_not_waited_for(fought: Fought, clock: Clock) -> None:
    number, due = fought.made.info.phase_number, fought.deadline()
    fought.start("scorched_earth")
    fought.act()
    clock.at = due + timedelta(minutes=1)
    ticker.tick(fought.ctx)
    assert fought.made.info.phase_number > number


def test_a_campaign_may_wait_for_nobody(ctx: AppContext, clock: Clock) -> None:
    fought = Fought(ctx, table_wait_days=0)
    number, due = fought.made.info.phase_number, fought.deadline()
    fought.start("scorched_earth")
    clock.at = due - timedelta(minutes=5)
    fought.act()
    clock.at = due + timedelta(minutes=1)
    ticker.tick(ctx)
    assert fought.made.info.phase_number > number


# --- the end ---


def test_a_dispute_and_a_decision_work_as_before(fought: Fought) -> None:
    ctx, made = fought.ctx, fought.made
    others_report(made, fought.hex)
    fought.start("scorched_earth")
    fought.play()
    number = made.info.phase_number
    refused("forbidden", battle_results.confirm, ctx, fought.gm, fought.id)
    battle_results.confirm(ctx, fought.red, fought.id)
    known = next(each for each in battles.listed(ctx, fought.blue, made.id) if each.hex == fought.hex)
    battles.answer(ctx, fought.blue, made.id, known.reports[0].id, confirm=False, text="No.")
    assert made.info.phase_number == number
    battles.decide(ctx, fought.gm, made.id, fought.hex, {"winner": fought.battle.defended_by}, "So be it.")
    assert made.info.phase_number > number
    assert fought.info().status == "closed"


def test_confirmed_on_the_campaigns_page_it_is_confirmed_at_the_table(fought: Fought) -> None:
    ctx, made = fought.ctx, fought.made
    fought.start("scorched_earth")
    fought.play()
    battle_results.confirm(ctx, fought.blue, fought.id)
    known = next(each for each in battles.listed(ctx, fought.red, made.id) if each.hex == fought.hex)
    battles.answer(ctx, fought.red, made.id, known.reports[0].id, confirm=True)
    assert fought.info().status == "closed"


def test_a_rollback_abandons_the_table_with_its_branch(fought: Fought) -> None:
    ctx, made = fought.ctx, fought.made
    fought.start("scorched_earth")
    fought.act()
    number, first = made.info.phase_number, fought.id
    rollback.roll_back(ctx, fought.gm, made.id, number, "Again.")
    assert fought.info().status == "closed"
    refused("wrong_status", acts.submit, ctx, fought.red, first, 1, {"do": "end_phase"})
    fought.id = fought.table()
    assert fought.id != first
    assert fought.info().status == "open"
    rollback.roll_back(ctx, fought.gm, made.id, number - 1, "And again.")
    refused("not_found", setting_up.get, ctx, fought.red, fought.id)


def test_it_goes_with_the_campaigns_record(fought: Fought, ctx: AppContext) -> None:
    """A table game, its agreements and whose it is come back with the campaign, and go with it."""
    fought.start("scorched_earth")
    fought.act()
    battle_agreements.propose_date(ctx, fought.blue, fought.id, ctx.now() + timedelta(days=2), "Here")
    admin = Actor("", "operator", True, session=True)
    data = record_files.export(ctx, admin, fought.made.id)
    with ctx.database.write() as session:
        session.delete(session.get_one(Campaign, fought.made.id))
        forget(session, fought.made.id)
    with ctx.database.read() as session:
        assert session.scalars(select(TableBattleRow)).all() == []
    owner = person(ctx, "Owner", admin=True)
    record_import.import_(ctx, owner, data)
    found = setting_up.get(ctx, owner, fought.id)
    assert found.battle is not None
    assert found.battle.players == {"red": fought.battle.attacking, "blue": fought.battle.defended_by}
    assert [proposal.place for proposal in found.battle.proposals] == ["", "Here"]
