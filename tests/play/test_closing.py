"""Closing an account: what goes with it, what stays in the campaigns, and what forbids it."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from server.play import accounts, campaigns, closing, links, messages, orders, seats, templates, tokens, webhooks
from server.play.campaigns import NewCampaign
from server.play.context import Play, Who
from server.play.errors import PlayError
from server.play.resolving import resolve_due
from server.store.tables import (
    Campaign,
    Handover,
    Intervention,
    Invitation,
    LiveEvent,
    NotificationSetting,
    Outbox,
    Seat,
    Template,
    Token,
    User,
    Webhook,
)
from tests.play.campaigns import Club, club, factions
from tests.play.conftest import Clock, person
from tests.play.test_campaigns import refused

BELONGINGS = (Token, Outbox, Webhook, NotificationSetting, Invitation, Handover, Template)
DAILY = {"deadlines": {"kind": "rolling", "hours": 24}, "stand_in": "bot"}


def user(play: Play, who: Who) -> User:
    with play.database.read() as session:
        return session.get_one(User, who.user_id)


def seat_of(made: Club, player_id: str) -> Seat:
    with made.play.database.read() as session:
        return session.get_one(Seat, (made.id, player_id))


def told(play: Play, kind: str = "seat_changed") -> list[tuple[str, dict[str, object]]]:
    with play.database.read() as session:
        found = session.scalars(select(LiveEvent).where(LiveEvent.kind == kind).order_by(LiveEvent.id))
        return [(each.topic, dict(each.data)) for each in found]


def test_an_account_is_emptied_and_its_name_is_free(play: Play) -> None:
    signed_in = accounts.sign_up(play, "Ada", "correct horse", email="ada@example.org")
    ada = tokens.authenticate(play, signed_in.token.secret)
    program = tokens.create(play, ada, "program", ["read", "orders", "gm"]).secret
    links.request_confirmation(play, ada, "ada@example.org")
    webhooks.create(play, ada, "https://example.org/hook")
    webhooks.choose_notifications(play, ada, {"message": {"mail": False}})
    unit = {"name": "Squad", "slot": "troops", "models": 10, "points": 100, "mobility": "infantry"}
    templates.save(play, ada, "Mine", [unit])
    link = links.sign_in_link(play, "Ada")
    closing.close(play, ada, "correct horse")
    left = user(play, ada)
    assert left.name.startswith("former player ")
    assert (left.email, left.email_key, left.email_confirmed_at, left.password_hash) == (None, None, None, None)
    assert left.disabled_at == play.now()
    with play.database.read() as session:
        for each in BELONGINGS:
            mine = select(func.count()).select_from(each).where(each.user_id == ada.user_id)
            assert session.scalar(mine) == 0, each.__name__
    for secret in (signed_in.token.secret, program):
        refused("bad_token", tokens.authenticate, play, secret)
    for name in ("Ada", "ada@example.org", left.name):
        refused("wrong_password", accounts.sign_in, play, name, "correct horse")
    refused("bad_link", links.look, play, link)
    again = accounts.sign_up(play, "Ada", "another horse", email="ada@example.org")
    assert again.account.id != ada.user_id


def test_it_needs_the_password_and_a_person(play: Play) -> None:
    ada = tokens.authenticate(play, accounts.sign_up(play, "Ada", "correct horse").token.secret)
    for wrong in (None, "", "wrong horse!"):
        refused("wrong_password", closing.close, play, ada, wrong)
    program = tokens.authenticate(play, tokens.create(play, ada, "x", ["read", "orders", "gm"]).secret)
    bot = accounts.create_bot(play, ada, "Ada's bot")
    bot_itself = tokens.authenticate(
        play, tokens.create(play, ada, "x", ["read", "orders", "gm"], for_bot=bot.id).secret
    )
    for token in (program, bot_itself):
        refused("missing_scope", closing.close, play, token, "correct horse")
        refused("missing_scope", closing.preview, play, token)
    signed_in = Who(bot.id, bot.name, bot=True, session=True)  # by a link that the operator handed over
    refused("forbidden", closing.close, play, signed_in)
    refused("not_signed_in", closing.close, play, Who())
    assert user(play, ada).disabled_at is None
    closing.close(play, ada, "correct horse")


def test_who_has_no_password_needs_none(play: Play) -> None:
    ada = person(play, "Ada")
    assert not closing.preview(play, ada).password
    closing.close(play, ada)
    refused("bad_token", closing.close, play, ada)


def test_no_game_master_leaves_a_campaign_behind(play: Play) -> None:
    made = club(play)
    later = campaigns.create(play, made.gm, NewCampaign("Another War", "the-pass"))
    assert [each.name for each in closing.preview(play, made.gm).runs] == ["Another War", "The Long March"]
    with pytest.raises(PlayError) as error:
        closing.close(play, made.gm)
    assert (error.value.code, error.value.field, error.value.value) == (
        "conflict",
        "campaigns",
        f"{later.id}, {made.id}",
    )
    assert "Another War, The Long March" in error.value.message
    campaigns.remove(play, made.gm, later.id)
    campaigns.pause(play, made.gm, made.id)
    refused("conflict", closing.close, play, made.gm)
    campaigns.finish(play, made.gm, made.id)
    closing.close(play, made.gm)
    assert str(campaigns.get(play, made.players["p1"], made.id).gm).startswith("former player ")


def test_a_bots_campaign_forbids_it_too(play: Play) -> None:
    ada = person(play, "Ada")
    bot = accounts.create_bot(play, ada, "General")
    campaigns.create(play, Who(bot.id, bot.name, bot=True), NewCampaign("A Bot's War", "the-pass"))
    refused("conflict", closing.close, play, ada)


def test_a_seat_is_free_where_nothing_has_begun(play: Play) -> None:
    made = club(play, begin=False)
    ada = made.players["p1"]
    assert [each.id for each in closing.preview(play, ada).leaves] == [made.id]
    closing.close(play, ada)
    seat = seat_of(made, "p1")
    assert (seat.user_id, seat.faction, seat.joined_at) == (None, None, None)
    assert seat.name != "Ada"
    assert told(play) == []
    seats.join(play, person(play, "Eve"), made.id, faction=factions(play, made)[1], seat="p1")


def test_a_stand_in_plays_on_where_it_has(play: Play, clock: Clock) -> None:
    made = club(play, options=DAILY)
    ada = made.players.pop("p1")
    person(play, "Eve")
    seats.choose_stand_in(play, ada, made.id, "user", substitute="Eve")
    preview = closing.preview(play, ada)
    assert ([each.id for each in preview.stood_in], preview.leaves, preview.runs) == ([made.id], (), ())
    closing.close(play, ada)
    seat = seat_of(made, "p1")
    assert (seat.user_id, seat.stand_in, seat.stand_in_user_id, seat.holiday_until) == (None, "", None, None)
    assert seat.faction is not None
    gwens, public = f"user/{made.gm.user_id}", f"campaign/{made.id}/public"
    assert [(topic, data["seat"]) for topic, data in told(play)] == [(public, "p1"), (gwens, "p1")]
    made.play_phase()
    clock.forward(hours=25)
    assert resolve_due(play, made.id)
    with play.database.read() as session:
        row = session.get_one(orders.OrderSet, (made.id, 1, 1, "p1"))
        assert row.source == "bot"
        assert session.scalars(select(Intervention)).all() == []  # no game master's doing


def test_nobody_learns_who_left_an_anonymous_campaign(play: Play) -> None:
    made = club(play, options={"anonymous": True})
    ada = made.players["p1"]
    hook = webhooks.create(play, made.gm, "https://example.org/hook", campaign_id=made.id)
    closing.close(play, ada)
    with play.database.read() as session:
        sent = session.scalars(select(Outbox).where(Outbox.kind == "webhook")).all()
        whole = [f"{each.dedupe} {each.payload}" for each in sent if each.payload["webhook_id"] == hook.info.id]
    assert len(whole) == 1
    assert not [each for each in (*whole, str(told(play))) if ada.user_id in each or "Ada" in each or "former" in each]


def test_who_stood_in_stands_in_for_nobody(play: Play) -> None:
    made = club(play)
    eve = person(play, "Eve")
    ada = made.players["p1"]
    seats.choose_stand_in(play, ada, made.id, "user", substitute="Eve")
    closing.close(play, eve)
    seat = seat_of(made, "p1")
    assert (seat.user_id, seat.stand_in, seat.stand_in_user_id) == (ada.user_id, "", None)
    assert [(topic, data["seat"]) for topic, data in told(play)] == [(f"user/{ada.user_id}", "p1")]


def test_bots_go_with_their_owner(play: Play) -> None:
    made = club(play, begin=False)
    dan = made.players["p4"]
    seats.leave(play, dan, made.id)
    bot = accounts.create_bot(play, dan, "General")
    secret = tokens.create(play, dan, "x", ["read"], for_bot=bot.id).secret
    itself = Who(bot.id, bot.name, bot=True)
    seats.join(play, itself, made.id, faction=factions(play, made)[4], seat="p4")
    old = accounts.create_bot(play, dan, "Captain")
    accounts.remove_bot(play, dan, old.id)
    preview = closing.preview(play, dan)
    assert (preview.bots, [each.id for each in preview.leaves]) == (("General",), [made.id])
    closing.close(play, dan)
    refused("bad_token", tokens.authenticate, play, secret)
    assert seat_of(made, "p4").user_id is None
    names = [user(play, each).name for each in (dan, itself, Who(old.id))]
    assert all(each.startswith("former player ") for each in names)
    assert len(set(names)) == 3


def test_what_was_played_and_written_stays(play: Play) -> None:
    made = club(play)
    ada, bob = made.players["p1"], made.players["p2"]
    messages.send(play, ada, made.id, ["p2"], "Stand with me.")
    campaigns.finish(play, made.gm, made.id)
    closing.close(play, ada)
    info = campaigns.get(play, bob, made.id)
    first = info.seats[0]
    assert first.taken
    assert str(first.user).startswith("former player ")
    assert first.name != "Ada"
    assert info.seats[1].name == "Bob"
    assert [each.body for each in messages.listed(play, bob, made.id)] == ["Stand with me."]


def test_a_seat_he_named_himself_keeps_its_name(play: Play) -> None:
    made = club(play, begin=False)
    ada = made.players["p1"]
    seats.leave(play, ada, made.id)
    seats.join(play, ada, made.id, faction="orks", seat="p1", name="The Red Duke")
    closing.close(play, ada)
    assert made.info.seats[0].name == "The Red Duke"


def test_all_or_nothing(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    made = club(play)
    ada = made.players["p1"]
    tokens.create(play, ada, "x", ["read"])

    def break_(*_given: object) -> None:
        raise RuntimeError("the power is gone")

    monkeypatch.setattr(closing, "_forget", break_)
    with pytest.raises(RuntimeError):
        closing.close(play, ada)
    assert seat_of(made, "p1").user_id == ada.user_id
    assert user(play, ada).name == "Ada"
    assert len(tokens.listed(play, ada)) == 1
    assert told(play) == []


def test_a_seat_taken_in_the_meantime_stops_it(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another request of his adds while the campaigns are left is not overlooked."""
    made = club(play, begin=False)
    eve = person(play, "Eve")
    seats.leave(play, made.players["p4"], made.id)
    seen = closing._concerned

    def overlooks(session: object, his: object, *where: object) -> list[str]:
        return seen(session, his, *where) if where else []  # type: ignore[arg-type]

    seats.join(play, eve, made.id, faction=factions(play, made)[4], seat="p4")
    monkeypatch.setattr(closing, "_concerned", overlooks)
    refused("stale_revision", closing.close, play, eve)
    assert user(play, eve).name == "Eve"
    with play.database.read() as session:
        assert session.get_one(Campaign, made.id).status == "open"
