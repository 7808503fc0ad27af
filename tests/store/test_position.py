"""Positions: what comes back is what was saved, and little is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, Insert, UpdateBase, event, func, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from server.play.resolution.phase_writing import standings_of
from server.rules import codec
from server.rules.board import ORBIT, Board
from server.rules.state import Force, Garrison, Settings, State, Stronghold, Unit, Urban
from server.rules.versions import FIRST
from server.store.database import Database
from server.store.errors import StalePosition
from server.store.position import (
    save_position,
    settings_from_json,
    settings_to_json,
)
from server.store.tables import Base, Campaign, HexRow
from tests.rules import strategies
from tests.rules.properties.campaigns import plans, play
from tests.store.loading import load_position
from tests.store.rows import army, stored
from tests.store.statements import statements

RULESET = strategies.RULESET
with_database = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=25)


class Story(list[State]):
    """Positions that follow one another."""

    def __repr__(self) -> str:
        """Show them without the ruleset, which is long."""
        return "\n".join(codec.encode(each).decode() for each in self)


@st.composite
def successions(draw: st.DrawFn) -> Story:
    """Positions of one campaign, as different as can be, on the same board."""
    board = draw(strategies.boards())
    with patch.object(strategies, "boards", lambda *_: st.just(board)):
        return Story(draw(strategies.states()) for _ in range(draw(st.integers(1, 3))))


def load(session: Session, campaign_id: str, like: State) -> State:
    return load_position(session, campaign_id, like.board, like.ruleset)


@contextmanager
def written_rows() -> Iterator[dict[str, int]]:
    """Collect how many rows each statement has written, by its kind and table."""
    found: dict[str, int] = {}

    def note(_connection: object, clause: Any, many: Sequence[object], *more: Any) -> None:
        if isinstance(clause, UpdateBase):
            rows = (len(many) or 1) if isinstance(clause, Insert) else more[-1].rowcount
            found[f"{type(clause).__name__.upper()} {clause.table}"] = rows

    event.listen(Engine, "after_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "after_execute", note)


# --- what comes back ---


@with_database
@given(successions())
def test_every_position_comes_back_as_it_was(database: Database, states: Story) -> None:
    campaign_id, before = stored(database), None
    for after in states:
        with database.write() as session:
            save_position(session, campaign_id, before, after)
        with database.read() as session:
            before = load(session, campaign_id, after)
        assert codec.encode(before) == codec.encode(after)
        assert before == after
    with database.write() as session:
        session.delete(session.get_one(Campaign, campaign_id))


@pytest.mark.parametrize("plan", plans(4, turns=4, seed=70), ids=str)
def test_played_campaigns_come_back_phase_by_phase(database: Database, plan: Any) -> None:
    campaign_id, before = "", None
    for phase in play(plan):
        if before is None:
            campaign_id, before = stored(database, phase.before), phase.before
        with database.write() as session:
            save_position(session, campaign_id, before, phase.after)
        with database.read() as session:
            before = load(session, campaign_id, phase.after)
        assert codec.encode(before) == codec.encode(phase.after)
        before = phase.after  # as the server does, which has the state at hand


def test_a_loaded_position_is_in_the_order_of_its_keys(database: Database) -> None:
    state = army(20, 1)
    state.detachments = dict(reversed(state.detachments.items()))
    campaign_id = stored(database, state)
    with database.read() as session:
        loaded = load(session, campaign_id, state)
    assert list(loaded.detachments) == sorted(state.detachments)
    assert list(loaded.players) == ["red", "blue"], "players stand in seat order"


def test_positions_of_two_campaigns_do_not_touch(database: Database) -> None:
    one, two = army(5, 2), army(3, 1)
    ids = stored(database, one), stored(database, two)
    with database.write() as session:
        after = one.copy()
        after.remove_force(after.detachments["0000"])
        save_position(session, ids[0], one, after)
    with database.read() as session:
        assert load(session, ids[1], two) == two
        assert load(session, ids[0], one) == after


def test_deleting_a_campaign_leaves_nothing(database: Database) -> None:
    campaign_id = stored(database, army(5, 2))
    with database.write() as session:
        session.delete(session.get_one(Campaign, campaign_id))
    with database.read() as session:
        for table in Base.metadata.sorted_tables:
            assert session.scalar(select(func.count()).select_from(table)) == 0, table.name


# --- what is written ---


def test_nothing_is_written_when_nothing_changed(database: Database) -> None:
    state = army(10, 2)
    campaign_id = stored(database, state)
    with database.write() as session, statements(database) as seen:
        save_position(session, campaign_id, state, state.copy())
    assert seen == []


def test_only_rows_that_changed_are_written(database: Database) -> None:
    before = army(100, 8)
    campaign_id = stored(database, before)
    after = before.copy()
    moved, hurt, dead = (after.detachments[f"{number:04x}"] for number in (1, 2, 3))
    after.move(moved, after.board.size - 1)
    hurt.units = (*hurt.units[:-1], replace(hurt.units[-1], ready=4, wounded=3))
    after.remove_force(dead)
    after.owner[after.board.size - 1] = moved.owner
    with written_rows() as rows, database.write() as session:
        save_position(session, campaign_id, before, after)
    assert rows == {"UPDATE hexes": 1, "UPDATE detachments": 1, "UPDATE units": 1,
                    "DELETE units": 8, "DELETE detachments": 1}  # fmt: skip


def test_a_unit_that_goes_to_another_force_is_one_row(database: Database) -> None:
    before = army(1, 2)
    campaign_id = stored(database, before)
    after = before.copy()
    giver = after.detachments["0000"]
    after.add_garrison(Garrison("g", "red", 0, giver.units[1:]))
    giver.units = giver.units[:1]
    with written_rows() as rows, database.write() as session:
        save_position(session, campaign_id, before, after)
    assert rows == {"INSERT garrisons": 1, "UPDATE units": 1}
    with database.read() as session:
        assert load(session, campaign_id, after) == after


def test_settings_are_written_when_they_change(database: Database) -> None:
    before = army(1, 1)
    campaign_id = stored(database, before)
    after = before.copy()
    after.settings = replace(after.settings, turn_limit=12)
    with database.write() as session:
        save_position(session, campaign_id, before, after)
    with database.read() as session:
        assert load(session, campaign_id, after).settings.turn_limit == 12


# --- what must not be written ---


def test_saving_over_a_position_that_has_moved_on_changes_nothing(database: Database) -> None:
    """Two who resolve from the same state: the second fails, whatever the locks did."""
    start = army(3, 1)
    campaign_id = stored(database, start)
    first, second = start.copy(), start.copy()
    first.remove_force(first.detachments["0001"])
    second.move(second.detachments["0001"], 100)
    second.owner[7] = "blue"
    with database.write() as session:
        save_position(session, campaign_id, start, first)
    with pytest.raises(StalePosition, match="0 rows of 1"), database.write() as session:
        save_position(session, campaign_id, start, second)
    with database.read() as session:
        assert load(session, campaign_id, start) == first


def test_a_position_belongs_to_its_board(database: Database) -> None:
    state = army(1, 1)
    with database.write() as session, pytest.raises(ValueError, match="its own board"):
        save_position(session, "any", state, army(1, 1, side=9))


def test_a_state_that_would_not_come_back_is_refused(database: Database) -> None:
    for spoil, message in (
        (lambda state: state.urban.update({0: Urban("city", ("prison", "academy"))}), "buildings in 0101"),
        (lambda state: state.urban.update({0: Urban("city", ("prison", "prison"))}), "buildings in 0101"),
        (lambda state: state.stronghold.update({0: Stronghold("camp", {}, ("b", "a"))}), "weapons in 0101"),
        (lambda state: setattr(state.players["red"], "allies", ("z", "a")), "allies of red"),
        (lambda state: state.add_garrison(Garrison("g", "red", 0, state.detachments["0000"].units)), "two units"),
    ):
        state = army(1, 1)
        spoil(state)
        with pytest.raises(ValueError, match=message):
            stored(database, state)


def test_rows_that_refer_to_nothing_are_refused_by_the_database(database: Database) -> None:
    state = army(1, 1)
    campaign_id = stored(database, state)
    for statement in (
        "UPDATE hexes SET owner = 'nobody' WHERE hex = '0101'",
        "UPDATE detachments SET hex = '9999'",
        "UPDATE units SET detachment_id = 'none'",
        "UPDATE units SET detachment_id = NULL",
        "DELETE FROM detachments",
    ):
        with pytest.raises(IntegrityError), database.write() as session:
            session.execute(text(statement))
    with database.read() as session:
        assert load(session, campaign_id, state) == state


# --- settings ---


@given(strategies.settings())
def test_settings_come_back(chosen: Settings) -> None:
    assert settings_from_json(settings_to_json(chosen)) == chosen


def test_settings_of_a_newer_program_are_refused() -> None:
    assert settings_from_json({}) == Settings(readings=FIRST.version, least_prices=False)
    with pytest.raises(ValueError, match="does not know: dragons"):
        settings_from_json({"dragons": True})
    with pytest.raises(ValueError, match="does not know: 999"):
        settings_from_json({"readings": 999})


# --- what a GM asks ---


def test_who_holds_what_and_what_is_where(database: Database) -> None:
    state = army(2, 3)
    state.urban[0] = Urban("city", ("academy", "prison"), capital="red")
    state.stronghold[0] = Stronghold("fortress", {"bunker": 2, "wall": 1})
    state.store[0] = 250
    first = state.detachments["0000"]
    first.units = (replace(first.units[0], ready=5), replace(first.units[1], ready=4), first.units[2])
    state.move(state.detachments["0001"], ORBIT)
    state.add_garrison(Garrison("g", "red", 0, (Unit("u", "Watch", "troops", 5, 50, "infantry", (), 0, 5),)))
    campaign_id = stored(database, state)
    with database.read() as session:
        capital = session.execute(text("SELECT * FROM holdings WHERE capital_of = 'red'")).mappings().one()
        assert (capital["hex"], capital["urban"], capital["stronghold"]) == ("0101", "city", "fortress")
        assert (capital["buildings"], capital["defences"]) == ("academy prison", "bunker wall")
        assert (capital["owner"], capital["store"], capital["garrison"]) == ("red", 250, "g")

        found = session.execute(text("SELECT * FROM forces ORDER BY id")).mappings().all()
        assert [(each["kind"], each["hex"], each["units"]) for each in found] == [
            ("detachment", "0101", 3),
            ("detachment", None, 3),
            ("garrison", "0101", 1),
        ]
        assert [each["points"] for each in found] == [300, 300, 50]
        assert found[0]["ready_points"] == state.ready_points(first) == 190

        red = session.execute(text("SELECT * FROM standings WHERE player = 'red'")).mappings().one()
        assert (red["campaign_id"], red["hexes"], red["bp"], red["detachments"]) == (campaign_id, 1, 250, 1)
        assert red["ready_points"] == 240


@with_database
@given(successions())
def test_the_views_count_as_the_rules_do(database: Database, states: Story) -> None:
    state = states[0]
    campaign_id = stored(database, state)
    query = text("SELECT id, points, ready_points FROM forces WHERE campaign_id = :id AND kind <> 'convoy'")
    with database.read() as session:
        found = {(id_, points, ready) for id_, points, ready in session.execute(query, {"id": campaign_id})}
    forces: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
    assert found == {(force.id, force.points, state.ready_points(force)) for force in forces}
    with database.read() as session:
        rows = session.execute(text("SELECT * FROM standings WHERE campaign_id = :id"), {"id": campaign_id}).mappings()
        shown = {row["player"]: {name: row[name] for name in ("vp", "hexes", "bp")} for row in rows}
    charted = standings_of(state).items()
    assert shown == {id_: {name: each[name] for name in ("vp", "hexes", "bp")} for id_, each in charted}


def test_every_hex_of_the_map_is_there(database: Database) -> None:
    state = army(1, 1, side=7)
    stored(database, replace(state, board=Board(7, 7, ("plains",) * 49, names=((3, "Hill of Crows"),))))
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(HexRow)) == 49
        assert session.scalar(select(HexRow.place).where(HexRow.hex == "0401")) == "Hill of Crows"
