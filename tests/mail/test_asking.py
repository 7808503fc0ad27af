"""People who are asked by their mail address: what they get, what their answers do, what nobody learns."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import pytest
from sqlalchemy import select

from server.mail.answering.receive import receive
from server.play.accounts import accounts, links, tokens
from server.play.campaigns import campaigns, mail_invitations, seats
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import AppContext
from server.play.errors import PlayError
from server.store.database import Database
from server.store.tables import Invitation, MailInvitation, Token, User
from tests.mail.conftest import Post, PostOffice, addressed, drain, mail_settings, text_of
from tests.play.campaigns import Club
from tests.play.conftest import Clock, person

ADDRESS = "wim@home.example"


@pytest.fixture
def ctx(database: Database, clock: Clock, post: Post) -> Any:
    own = AppContext(database, mail_settings(post, mail_orders="orders@example.org"), clock)
    yield own
    own.close()


@pytest.fixture
def made(ctx: AppContext, office: PostOffice) -> Club:
    found = lobby(ctx)
    person(ctx, "Ada")
    addressed(ctx)
    seats.invite_user(ctx, found.gm, found.id, ADDRESS)
    drain(ctx)
    return found


def lobby(ctx: AppContext, gm: str = "Gwen") -> Club:
    """Make a campaign that waits for players."""
    made = Club(ctx, person(ctx, gm))
    made.id = campaigns.create(ctx, made.gm, NewCampaign(f"March of {gm}", "four-corners", listed=False)).id
    return made


def letters(office: PostOffice, address: str = ADDRESS) -> list[EmailMessage]:
    return [mail for mail in office.got if mail["To"].addresses[0].addr_spec == address]


def answer(
    letter: EmailMessage, text: str, id_: str = "<1@home.example>", sender: str = "Wim <wim@work.example>"
) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"], mail["Subject"] = sender, letter["Reply-To"], id_, "Re: invited"
    mail.set_content(text)
    return mail.as_bytes()


def words(letter: EmailMessage) -> str:
    return " ".join(text_of(letter).split())


def test_join_makes_an_account_with_a_confirmed_address(made: Club, office: PostOffice) -> None:
    asked = letters(office)[-1]
    assert made.info.name in asked["Subject"]
    assert "JOIN as" in words(asked)
    assert "STOP" in words(asked)
    assert receive(made.ctx, answer(asked, "Hello!\n\nJOIN as Orks\n\n> JOIN as Eldar")) == "answered"
    with made.ctx.database.read() as session:
        user = session.scalars(select(User).where(User.name == "Wim")).one()
    assert (user.email, user.email_confirmed_at is not None, user.password_hash) == (ADDRESS, True, None)
    seat = next(seat for seat in campaigns.get(made.ctx, made.gm, made.id).seats if seat.user == "Wim")
    assert seat.faction == "orks"
    drain(made.ctx)
    told = words(letters(office)[-1])
    assert "You now have an account called Wim" in told
    assert "You have a seat" in told


def test_an_invitation_names_map_pace_and_free_seats(made: Club, office: PostOffice, ctx: AppContext) -> None:
    """To a stranger and to an account, in its language. Seen to fail without that line."""
    assert "Map: Four Corners. Pace: no deadlines. Free seats: 4 of 4." in words(letters(office)[-1])
    person(ctx, "Zoe")
    addressed(ctx, Zoe="de")
    grid = {"kind": "grid", "days": [0, 3], "times": ["20:00"], "time_zone": "Europe/Berlin"}
    for pace, told in (
        ({"kind": "rolling", "hours": 1}, "1 Stunde je Phase"),
        (grid, "Fristen am Montag, Donnerstag um 20:00 (Europe/Berlin)"),
    ):
        new = NewCampaign("At one's leisure", "four-corners", options={"deadlines": pace, "anonymous": True})
        id_ = campaigns.create(ctx, made.gm, new).id
        seats.join(ctx, person(ctx, f"Yves{pace['kind']}"), id_, faction="orks")
        seats.invite_user(ctx, made.gm, id_, "Zoe")
        drain(ctx)
        assert f"Karte: Four Corners. Tempo: {told}. Freie Plätze: 3 von 4." in words(office.to("Zoe")[-1])


def test_a_wrong_faction_is_answered_and_can_be_corrected(made: Club, office: PostOffice) -> None:
    assert receive(made.ctx, answer(letters(office)[-1], "join as nobody")) == "answered"
    drain(made.ctx)
    refused = letters(office)[-1]
    assert "Refused:" in words(refused)
    assert receive(made.ctx, answer(refused, "BEITRETEN als Orks", "<2@home.example>")) == "answered"
    assert "Wim" in {seat.user for seat in campaigns.get(made.ctx, made.gm, made.id).seats}


def test_joining_twice_makes_one_account(made: Club, office: PostOffice) -> None:
    asked = letters(office)[-1]
    for number in range(3):
        receive(made.ctx, answer(asked, "JOIN as Orks", f"<{number}@home.example>"))
    with made.ctx.database.read() as session:
        assert len(list(session.scalars(select(User).where(User.email == ADDRESS)))) == 1


@pytest.mark.parametrize(("sender", "name"), [("Ada <x@y.example>", "Ada 2"), ("x@y.example", "Player ")])
def test_the_account_gets_a_name_that_is_free_and_no_address(
    made: Club, office: PostOffice, sender: str, name: str
) -> None:
    receive(made.ctx, answer(letters(office)[-1], "JOIN as Orks", sender=sender))
    with made.ctx.database.read() as session:
        assert session.scalars(select(User).where(User.email == ADDRESS)).one().name.startswith(name)


def test_other_words_are_answered_and_do_nothing_and_not_for_ever(made: Club, office: PostOffice) -> None:
    asked = letters(office)[-1]
    for number in range(10):
        receive(made.ctx, answer(asked, f"who are you? {number}", f"<{number}@home.example>"))
        drain(made.ctx)
    assert len(letters(office)) == mail_invitations.MAX_LETTERS
    assert "neither JOIN nor STOP" in words(letters(office)[-1])
    with made.ctx.database.read() as session:
        assert not session.scalars(select(User).where(User.email == ADDRESS)).all()


def test_stop_ends_it_for_every_campaign(made: Club, office: PostOffice) -> None:
    assert receive(made.ctx, answer(letters(office)[-1], "STOP")) == "answered"
    drain(made.ctx)
    count = len(letters(office))
    other = lobby(made.ctx, "Hal")
    seats.invite_user(made.ctx, other.gm, other.id, ADDRESS.upper())
    drain(made.ctx)
    assert len(letters(office)) == count


def test_a_forged_tag_of_an_invitation_does_nothing(made: Club, office: PostOffice) -> None:
    asked = letters(office)[-1]
    name, _, host = str(asked["Reply-To"]).partition("@")
    forged = f"{name[:-1]}{'a' if name[-1] != 'a' else 'b'}@{host}"
    mail = answer(asked, "JOIN as Orks").replace(str(asked["Reply-To"]).encode(), forged.encode())
    assert receive(made.ctx, mail) == "no_tag"


def test_a_known_address_is_asked_as_its_account(made: Club, office: PostOffice) -> None:
    """Who asks learns nothing: both come to the same, and no letter names an account."""
    wim = accounts.make_user(made.ctx, "Willem", email="willem@example.org")
    invited: Callable[..., object] = seats.invite_user
    assert invited(made.ctx, made.gm, made.id, "WILLEM@example.org") is None
    with made.ctx.database.read() as session:
        assert session.get(Invitation, (made.id, wim.id)) is not None
        assert session.scalars(select(MailInvitation).where(MailInvitation.email != ADDRESS)).all() == []
    drain(made.ctx)
    assert "JOIN as" in words(letters(office, "willem@example.org")[-1])


def test_who_signs_up_with_the_address_finds_the_invitation(made: Club) -> None:
    accounts.sign_up(made.ctx, "Wim", "long enough", email=ADDRESS)
    with made.ctx.database.read() as session:
        token = session.scalars(select(Token).where(Token.purpose == "confirm", Token.email == ADDRESS)).one()
    signed = links.use_link(made.ctx, tokens.link_text(made.ctx, token.id))
    with made.ctx.database.read() as session:
        assert session.get(Invitation, (made.id, signed.account.id)) is not None


def test_strangers_cannot_be_flooded(made: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_invitations, "MAX_OPEN", 3)
    for number in range(2):
        seats.invite_user(made.ctx, made.gm, made.id, f"a{number}@home.example")
    with pytest.raises(PlayError) as refused:
        seats.invite_user(made.ctx, made.gm, made.id, "more@home.example")
    assert refused.value.code == "limit_reached"


def test_where_accounts_are_made_by_the_operator_no_stranger_is_asked(ctx: AppContext, clock: Clock) -> None:
    made = lobby(ctx)
    closed = AppContext(ctx.database, ctx.settings.model_copy(update={"sign_up": "closed"}), clock)
    with pytest.raises(PlayError) as refused:
        seats.invite_user(closed, made.gm, made.id, ADDRESS)
    assert refused.value.code == "sign_up_closed"
    closed.close()
