"""Columns that behave alike on both databases, and constraints that hold."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError, StatementError

from server.store.database import Database
from server.store.tables import (
    Branch,
    Campaign,
    EventRow,
    OrderSet,
    Phase,
    Seat,
    Token,
    User,
    Webhook,
)
from server.store.tables.base import ID_LENGTH, fold, new_id
from tests.rules.strategies import plain_json
from tests.store.rows import NOW, campaign, stored, with_phase

with_database = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=25)


# --- columns ---


def test_times_come_back_in_utc_and_aware(database: Database) -> None:
    elsewhere = NOW.astimezone(timezone(timedelta(hours=-7)))
    stored_id = ""
    with database.write() as session:
        made = campaign(created_at=elsewhere)
        session.add(made)
        session.flush()
        stored_id = made.id
    with database.read() as session:
        found = session.get_one(Campaign, stored_id).created_at
        assert (found, found.tzinfo) == (NOW, UTC)
        assert session.scalars(select(Campaign).where(Campaign.created_at == elsewhere)).all()
        assert not session.scalars(select(Campaign).where(Campaign.created_at < NOW)).all()


def test_a_time_without_a_zone_is_refused(database: Database) -> None:
    with pytest.raises(StatementError, match="without a time zone"), database.write() as session:  # noqa: PT012
        session.add(campaign(created_at=datetime(2031, 5, 17)))
        session.flush()


@with_database
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))).map(tuple))
def test_words_come_back(database: Database, words: tuple[str, ...]) -> None:
    with database.write() as session:
        token = Token(hash=new_id(), kind="personal", scopes=words, created_at=NOW)
        session.add(token)
    with database.read() as session:
        assert session.get_one(Token, token.id).scopes == words


@with_database
@given(orders=st.lists(plain_json | st.just("\x00") | st.just("\ud800") | st.integers()))
def test_orders_come_back_as_they_were_handed_in(database: Database, orders: list[Any]) -> None:
    """Anything JSON can say, in its order, lone surrogates and huge numbers too."""
    campaign_id = with_phase(database)
    key = {"campaign_id": campaign_id, "branch": 1, "phase_number": 1, "player_id": "red"}
    with database.write() as session:
        session.add(OrderSet(**key, orders=orders))
    with database.read() as session:
        assert session.get_one(OrderSet, key).orders == orders


def test_numbers_of_64_bits_fit(database: Database) -> None:
    with database.write() as session:
        made = campaign(revision=2**63 - 1)
        session.add(made)
    with database.read() as session:
        assert session.get_one(Campaign, made.id).revision == 2**63 - 1


def test_large_columns_are_loaded_only_when_asked_for(database: Database) -> None:
    stored(database)
    with database.read() as session:
        found = session.scalars(select(Campaign)).one()
        assert "board" not in vars(found)
        assert found.board == {"columns": 1, "rows": 1}


# --- constraints ---


@pytest.mark.parametrize("other", ["Zoë", "ZOË", "zoe\u0308", "Ｚoë", " Zoë "])
def test_names_people_take_for_the_same_are_the_same(database: Database, other: str) -> None:
    with database.write() as session:
        session.add(User(name="Zoë", created_at=NOW))
    with pytest.raises(IntegrityError), database.write() as session:
        session.add(User(name=other, created_at=NOW))


def test_an_address_is_one_persons_once_it_is_confirmed(database: Database) -> None:
    with database.write() as session:
        session.add_all(User(name=name, email="Ada@example.org", created_at=NOW) for name in ("Ada", "Impostor"))
        session.add(User(name="None", created_at=NOW))
    with database.write() as session:
        session.scalars(select(User).where(User.name == "Ada")).one().email_confirmed_at = NOW
    with pytest.raises(IntegrityError), database.write() as session:
        session.scalars(select(User).where(User.name == "Impostor")).one().email_confirmed_at = NOW


def test_a_phase_is_opened_once(database: Database) -> None:
    campaign_id = with_phase(database)
    again = {"campaign_id": campaign_id, "branch": 1, "number": 1, "turn": 1, "phase": "build", "opened_at": NOW}
    with pytest.raises(IntegrityError), database.write() as session:
        session.execute(insert(Phase).values(again))
    with database.write() as session:  # a rollback opens it in another branch
        session.add(Branch(campaign_id=campaign_id, number=2, from_branch=1, from_phase=0, made_at=NOW))
        session.flush()
        session.execute(insert(Phase).values(again | {"branch": 2}))


def test_a_user_sits_once_in_a_campaign(database: Database) -> None:
    campaign_id = stored(database)
    with database.write() as session:
        user = User(name="Ada", created_at=NOW)
        session.add(user)
        session.flush()
        session.add(Seat(campaign_id=campaign_id, player_id="red", number=1, user_id=user.id))
        session.add_all(Seat(campaign_id=campaign_id, player_id=f"p{n}", number=n) for n in (2, 3))  # nobody yet
    with pytest.raises(IntegrityError), database.write() as session:
        session.add(Seat(campaign_id=campaign_id, player_id="green", number=4, user_id=user.id))


def test_a_user_who_goes_leaves_his_seat_and_his_campaign(database: Database) -> None:
    with database.write() as session:
        user = User(name="Ada", created_at=NOW)
        bot = User(name="Ada's bot", created_at=NOW)
        session.add(user)
        session.flush()
        bot.bot_owner_id = user.id
        made = campaign(gm_user_id=user.id)
        session.add_all([bot, made])
        session.flush()
        session.add(Seat(campaign_id=made.id, player_id="red", number=1, user_id=user.id))
        session.add(Token(user_id=user.id, hash="h", kind="session", created_at=NOW))
    with database.write() as session:
        session.delete(session.get_one(User, user.id))
    with database.read() as session:
        assert session.get_one(Campaign, made.id).gm_user_id is None
        assert session.get_one(Seat, (made.id, "red")).user_id is None
        assert session.scalars(select(Token.id)).all() == session.scalars(select(User.id)).all() == []


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: campaign(status="dreaming"),
        lambda: Token(hash="h", kind="biscuit", created_at=NOW),
        lambda: Webhook(url="https://example.org", created_at=NOW),
        lambda: EventRow(campaign_id="none", branch=1, phase_number=1, seq=0, type="moved", fields={}, told=()),
    ],
)
def test_what_cannot_be_is_refused(database: Database, wrong: Any) -> None:
    with pytest.raises(IntegrityError), database.write() as session:
        session.add(wrong())


# --- ids, names ---


def test_ids_tell_nothing() -> None:
    found = {new_id() for _ in range(1000)}
    assert len(found) == 1000
    assert all(len(each) == ID_LENGTH and each.isalnum() and each == each.lower() for each in found)


@given(st.text())
def test_folding_twice_is_folding_once(name: str) -> None:
    assert fold(fold(name)) == fold(name)
