from __future__ import annotations

import pytest
from sqlalchemy import select

from server.play import accounts, links, tokens
from server.play.context import NOBODY, Play, Who
from server.play.errors import PlayError
from server.store.tables import Outbox, Token, User
from tests import passwords
from tests.play.conftest import Clock, person


def code(error: pytest.ExceptionInfo[PlayError]) -> str:
    return error.value.code


def last_link(play: Play) -> str:
    with play.database.read() as session:
        row = session.scalars(select(Outbox).order_by(Outbox.id.desc()).limit(1)).one()
    return links.text_of(play, row.payload["token_id"])


def test_sign_up_in_and_out(play: Play) -> None:
    first = accounts.sign_up(play, "Ada", "correct horse", browser="Firefox")
    who = tokens.authenticate(play, first.token.secret)
    assert (who.name, who.session, who.scopes) == ("Ada", True, ("read", "orders", "gm"))
    assert tokens.authenticate(play, accounts.sign_in(play, "ada", "correct horse").token.secret).user_id == who.user_id
    for name, password in (("Ada", "wrong horse!"), ("Nobody", "correct horse")):
        with pytest.raises(PlayError) as error:
            accounts.sign_in(play, name, password)
        assert code(error) == "wrong_password"
    accounts.sign_out(play, who)
    with pytest.raises(PlayError) as error:
        tokens.authenticate(play, first.token.secret)
    assert code(error) == "bad_token"


def test_passwords_are_dear_to_guess() -> None:
    """Those of the other tests are not."""
    hashed = passwords.real().hash("correct horse")
    assert hashed.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert passwords.real().verify("correct horse", hashed)


def test_no_secret_is_kept(play: Play) -> None:
    made = accounts.sign_up(play, "Ada", "correct horse")
    with play.database.read() as session:
        rows = [*session.scalars(select(User)), *session.scalars(select(Token))]
        kept = " ".join(repr(vars(each)) for each in rows)
    assert made.token.secret not in kept
    assert "correct horse" not in kept


@pytest.mark.parametrize("name", ["", "  ", "a\0b", "a\nb", "a\u202eb", "x" * 41, "\u00ad", 7])
def test_names_that_are_none(play: Play, name: str) -> None:
    with pytest.raises(PlayError) as error:
        accounts.make_user(play, name)
    assert (code(error), error.value.field) == ("invalid_request", "name")


def test_names_that_look_alike_are_one(play: Play) -> None:
    person(play, "Ada")
    with pytest.raises(PlayError) as error:
        person(play, "ＡＤＡ")
    assert code(error) == "name_taken"


def test_tokens_have_scopes_and_end(play: Play, clock: Clock) -> None:
    who = person(play, "Ada")
    made = tokens.create(play, who, "script", ["orders", "read"], days=1)
    bearer = tokens.authenticate(play, made.secret)
    assert bearer.scopes == ("read", "orders")
    with pytest.raises(PlayError) as error:
        bearer.must("gm")
    assert code(error) == "missing_scope"
    with pytest.raises(PlayError) as error:
        tokens.create(play, bearer, "more", ["gm"])
    assert code(error) == "missing_scope"
    clock.forward(days=2)
    with pytest.raises(PlayError) as error:
        tokens.authenticate(play, made.secret)
    assert code(error) == "bad_token"
    assert tokens.listed(play, who) == []


def test_tokens_of_others_do_not_exist(play: Play) -> None:
    ada, bob = person(play, "Ada"), person(play, "Bob")
    made = tokens.create(play, ada, "script", ["read"])
    for given in (made.info.id, "nosuch"):
        with pytest.raises(PlayError) as error:
            tokens.revoke(play, bob, given)
        assert code(error) == "not_found"
    tokens.revoke(play, ada, made.info.id)
    with pytest.raises(PlayError) as error:
        tokens.authenticate(play, made.secret)
    assert code(error) == "bad_token"


def test_bots_belong_to_their_owner(play: Play) -> None:
    ada, bob = person(play, "Ada"), person(play, "Bob")
    bot = accounts.create_bot(play, ada, "Marvin")
    secret = tokens.create(play, ada, "run", ["read", "orders"], for_bot=bot.id).secret
    assert tokens.authenticate(play, secret).bot
    with pytest.raises(PlayError) as error:
        tokens.create(play, bob, "steal", ["read"], for_bot=bot.id)
    assert code(error) == "not_found"
    accounts.remove_bot(play, ada, bot.id)
    assert accounts.bots(play, ada) == []
    with pytest.raises(PlayError) as error:
        tokens.authenticate(play, secret)
    assert code(error) == "bad_token"


def test_signing_up_by_link_works_once(play: Play) -> None:
    links.request_link(play, "ada@example.org")
    link = last_link(play)
    assert links.look(play, link) == links.LinkInfo("sign_up", "ada@example.org")
    made = links.use_link(play, link, name="Ada")
    assert made.account.email_confirmed
    for used in (link, link + "x", "", "é"):
        with pytest.raises(PlayError) as error:
            links.use_link(play, used, name="Eve")
        assert code(error) == "bad_link"
    links.request_link(play, "ADA@example.org")
    assert links.use_link(play, last_link(play)).account.id == made.account.id


def test_links_run_out_and_are_not_sent_in_masses(play: Play, clock: Clock) -> None:
    for _ in range(9):
        links.request_link(play, "ada@example.org")
    with play.database.read() as session:
        assert len(session.scalars(select(Outbox)).all()) == links.MOST_AT_ONCE
    link = last_link(play)
    clock.forward(days=2)
    with pytest.raises(PlayError) as error:
        links.use_link(play, link, name="Ada")
    assert code(error) == "bad_link"


def test_a_reset_sets_the_password_and_ends_sessions(play: Play) -> None:
    old = accounts.sign_up(play, "Ada", "correct horse", email="ada@example.org")
    who = tokens.authenticate(play, old.token.secret)
    links.request_confirmation(play, who, "ada@example.org")
    links.use_link(play, last_link(play))
    links.request_link(play, "ada@example.org", reset=True)
    links.use_link(play, last_link(play), password="battery staple")
    with pytest.raises(PlayError):
        tokens.authenticate(play, old.token.secret)
    assert accounts.sign_in(play, "ada@example.org", "battery staple").account.id == who.user_id


def test_a_link_the_operator_hands_over(play: Play) -> None:
    person(play, "Ada")
    link = links.sign_in_link(play, "ada")
    assert links.look(play, link) == links.LinkInfo("sign_in", "")
    ada = tokens.authenticate(play, links.use_link(play, link).token.secret)
    assert (ada.name, ada.session, accounts.me(play, ada).email_confirmed) == ("Ada", True, False)
    with pytest.raises(PlayError) as error:
        links.use_link(play, link)
    assert code(error) == "bad_link"
    # nobody has shown that mail reaches the address
    accounts.make_user(play, "Ben")
    ben = tokens.authenticate(play, links.use_link(play, links.sign_in_link(play, "Ben")).token.secret)
    links.request_confirmation(play, ben, "ben@example.org")
    links.use_link(play, links.sign_in_link(play, "Ben"))
    assert not accounts.me(play, ben).email_confirmed
    with pytest.raises(PlayError) as error:
        links.sign_in_link(play, "Nobody")
    assert code(error) == "not_found"


def test_changing_profile_and_password(play: Play) -> None:
    made = accounts.sign_up(play, "Ada", "correct horse")
    who = tokens.authenticate(play, made.token.secret)
    changed = accounts.change_profile(play, who, time_zone="Europe/Berlin", revision=made.account.revision)
    assert changed.time_zone == "Europe/Berlin"
    with pytest.raises(PlayError) as error:
        accounts.change_profile(play, who, name="Eve", revision=made.account.revision)
    assert code(error) == "stale_revision"
    with pytest.raises(PlayError) as error:
        accounts.change_password(play, who, "battery staple", old="guessed it")
    assert code(error) == "wrong_password"
    accounts.change_password(play, who, "battery staple", old="correct horse")
    assert accounts.me(play, who).has_password


def test_nobody_may_do_nothing(play: Play) -> None:
    for use in (accounts.me, accounts.bots, tokens.listed):
        with pytest.raises(PlayError) as error:
            use(play, NOBODY)
        assert code(error) == "not_signed_in"
    with pytest.raises(PlayError) as error:
        accounts.create_bot(play, Who("x", bot=True, session=True), "Bot")
    assert code(error) == "forbidden"
