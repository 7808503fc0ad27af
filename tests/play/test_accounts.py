from __future__ import annotations

from email.headerregistry import Address

import pytest
from hypothesis import given
from hypothesis import strategies as some
from sqlalchemy import select

from server.play import text_input
from server.play.accounts import accounts, links, tokens
from server.play.context import NOBODY, Actor, AppContext
from server.play.errors import PlayError
from server.store.tables import Outbox, Token, User
from tests import passwords
from tests.play.conftest import Clock, person
from tests.store.statements import statements


def code(error: pytest.ExceptionInfo[PlayError]) -> str:
    return error.value.code


def last_link(ctx: AppContext) -> str:
    with ctx.database.read() as session:
        row = session.scalars(select(Outbox).order_by(Outbox.id.desc()).limit(1)).one()
    return tokens.link_text(ctx, row.payload["token_id"])


def test_sign_up_in_and_out(ctx: AppContext) -> None:
    first = accounts.sign_up(ctx, "Ada", "correct horse", browser="Firefox")
    actor = tokens.authenticate(ctx, first.token.secret)
    assert (actor.name, actor.session, actor.scopes) == ("Ada", True, ("read", "orders", "gm"))
    assert tokens.authenticate(ctx, accounts.sign_in(ctx, "ada", "correct horse").token.secret).user_id == actor.user_id
    for name, password in (("Ada", "wrong horse!"), ("Nobody", "correct horse")):
        with pytest.raises(PlayError) as error:
            accounts.sign_in(ctx, name, password)
        assert code(error) == "wrong_password"
    accounts.sign_out(ctx, actor)
    with pytest.raises(PlayError) as error:
        tokens.authenticate(ctx, first.token.secret)
    assert code(error) == "bad_token"


def test_passwords_are_dear_to_guess() -> None:
    """Those of the other tests are not."""
    hashed = passwords.real().hash("correct horse")
    assert hashed.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert passwords.real().verify("correct horse", hashed)


def test_no_secret_is_kept(ctx: AppContext) -> None:
    made = accounts.sign_up(ctx, "Ada", "correct horse")
    with ctx.database.read() as session:
        rows = [*session.scalars(select(User)), *session.scalars(select(Token))]
        kept = " ".join(repr(vars(row)) for row in rows)
    assert made.token.secret not in kept
    assert "correct horse" not in kept


@pytest.mark.parametrize("name", ["", "  ", "a\0b", "a\nb", "a\u202eb", "x" * 41, "\u00ad", 7])
def test_names_that_are_none(ctx: AppContext, name: str) -> None:
    with pytest.raises(PlayError) as error:
        accounts.make_user(ctx, name)
    assert (code(error), error.value.field) == ("invalid_request", "name")


def test_names_that_look_alike_are_one(ctx: AppContext) -> None:
    person(ctx, "Ada")
    with pytest.raises(PlayError) as error:
        person(ctx, "ＡＤＡ")
    assert code(error) == "name_taken"


def test_tokens_have_scopes_and_end(ctx: AppContext, clock: Clock) -> None:
    actor = person(ctx, "Ada")
    made = tokens.create(ctx, actor, "script", ["orders", "read"], days=1)
    bearer = tokens.authenticate(ctx, made.secret)
    assert bearer.scopes == ("read", "orders")
    with pytest.raises(PlayError) as error:
        bearer.require("gm")
    assert code(error) == "missing_scope"
    with pytest.raises(PlayError) as error:
        tokens.create(ctx, bearer, "more", ["gm"])
    assert code(error) == "missing_scope"
    clock.forward(days=2)
    with pytest.raises(PlayError) as error:
        tokens.authenticate(ctx, made.secret)
    assert code(error) == "bad_token"
    assert tokens.listed(ctx, actor) == []


def test_tokens_of_others_do_not_exist(ctx: AppContext) -> None:
    ada, bob = person(ctx, "Ada"), person(ctx, "Bob")
    made = tokens.create(ctx, ada, "script", ["read"])
    for token in (made.info.id, "nosuch"):
        with pytest.raises(PlayError) as error:
            tokens.revoke(ctx, bob, token)
        assert code(error) == "not_found"
    tokens.revoke(ctx, ada, made.info.id)
    with pytest.raises(PlayError) as error:
        tokens.authenticate(ctx, made.secret)
    assert code(error) == "bad_token"


def test_bots_belong_to_their_owner(ctx: AppContext) -> None:
    ada, bob = person(ctx, "Ada"), person(ctx, "Bob")
    bot = accounts.create_bot(ctx, ada, "Marvin")
    secret = tokens.create(ctx, ada, "run", ["read", "orders"], for_bot=bot.id).secret
    assert tokens.authenticate(ctx, secret).bot
    with pytest.raises(PlayError) as error:
        tokens.create(ctx, bob, "steal", ["read"], for_bot=bot.id)
    assert code(error) == "not_found"
    accounts.remove_bot(ctx, ada, bot.id)
    assert accounts.bots(ctx, ada) == []
    with pytest.raises(PlayError) as error:
        tokens.authenticate(ctx, secret)
    assert code(error) == "bad_token"


def test_signing_up_by_link_works_once(ctx: AppContext) -> None:
    links.request_link(ctx, "ada@example.org")
    link = last_link(ctx)
    assert links.describe_link(ctx, link) == links.LinkInfo("sign_up", "ada@example.org")
    made = links.use_link(ctx, link, name="Ada")
    assert made.account.email_confirmed
    for used in (link, link + "x", "", "é"):
        with pytest.raises(PlayError) as error:
            links.use_link(ctx, used, name="Eve")
        assert code(error) == "bad_link"
    links.request_link(ctx, "ADA@example.org")
    assert links.use_link(ctx, last_link(ctx)).account.id == made.account.id


def test_links_run_out_and_are_not_sent_in_masses(ctx: AppContext, clock: Clock) -> None:
    for _ in range(9):
        links.request_link(ctx, "ada@example.org")
    with ctx.database.read() as session:
        assert len(session.scalars(select(Outbox)).all()) == tokens.MAX_OPEN_LINKS
    link = last_link(ctx)
    clock.forward(days=2)
    with pytest.raises(PlayError) as error:
        links.use_link(ctx, link, name="Ada")
    assert code(error) == "bad_link"


def test_a_link_ends_at_its_instant(ctx: AppContext, clock: Clock) -> None:
    """Seen to fail with a link that can still be followed at the instant at which it expires."""
    life = tokens.LIFETIMES["sign_up"]
    links.request_link(ctx, "ada@example.org")
    link = last_link(ctx)
    clock.forward(seconds=life.total_seconds() - 1)
    assert links.describe_link(ctx, link).purpose == "sign_up"
    clock.forward(seconds=1)
    with pytest.raises(PlayError) as error:
        links.describe_link(ctx, link)
    assert code(error) == "bad_link"


def test_a_token_ends_at_its_instant(ctx: AppContext, clock: Clock) -> None:
    """Seen to fail with a token that is still good at the instant at which it expires."""
    secret = tokens.create(ctx, person(ctx, "Ada"), "reader", ["read"], days=1).secret
    clock.forward(days=1, seconds=-1)
    assert tokens.authenticate(ctx, secret).name == "Ada"
    clock.forward(seconds=1)
    assert tokens.known(ctx, secret) is None
    with pytest.raises(PlayError) as error:
        tokens.authenticate(ctx, secret)
    assert code(error) == "bad_token"


def test_a_reset_sets_the_password_and_ends_sessions(ctx: AppContext) -> None:
    old = accounts.sign_up(ctx, "Ada", "correct horse", email="ada@example.org")
    actor = tokens.authenticate(ctx, old.token.secret)
    links.request_confirmation(ctx, actor, "ada@example.org")
    links.use_link(ctx, last_link(ctx))
    links.request_link(ctx, "ada@example.org", reset=True)
    links.use_link(ctx, last_link(ctx), password="battery staple")
    with pytest.raises(PlayError):
        tokens.authenticate(ctx, old.token.secret)
    assert accounts.sign_in(ctx, "ada@example.org", "battery staple").account.id == actor.user_id


def test_sign_in_looks_names_and_addresses_up_alike(ctx: AppContext) -> None:
    """An answer takes as long whether somebody has the name, the address, or neither.

    Seen to fail with the address looked up only where no name was found.
    """
    made = accounts.sign_up(ctx, "Ada", "correct horse", email="ada@example.org")
    links.request_confirmation(ctx, tokens.authenticate(ctx, made.token.secret), "ada@example.org")
    links.use_link(ctx, last_link(ctx))
    asked = []
    for name in ("Ada", "ada@example.org", "Bob"):
        with statements(ctx.database) as found, pytest.raises(PlayError) as error:
            accounts.sign_in(ctx, name, "battery staple")
        assert code(error) == "wrong_password"
        asked.append(found)
    assert asked[0] == asked[1] == asked[2]
    assert len(asked[0]) == 2


def test_a_link_the_operator_hands_over(ctx: AppContext) -> None:
    person(ctx, "Ada")
    link = links.sign_in_link(ctx, "ada")
    assert links.describe_link(ctx, link) == links.LinkInfo("sign_in", "")
    ada = tokens.authenticate(ctx, links.use_link(ctx, link).token.secret)
    assert (ada.name, ada.session, accounts.me(ctx, ada).email_confirmed) == ("Ada", True, False)
    with pytest.raises(PlayError) as error:
        links.use_link(ctx, link)
    assert code(error) == "bad_link"
    # nobody has shown that mail reaches the address
    accounts.make_user(ctx, "Ben")
    ben = tokens.authenticate(ctx, links.use_link(ctx, links.sign_in_link(ctx, "Ben")).token.secret)
    links.request_confirmation(ctx, ben, "ben@example.org")
    links.use_link(ctx, links.sign_in_link(ctx, "Ben"))
    assert not accounts.me(ctx, ben).email_confirmed
    with pytest.raises(PlayError) as error:
        links.sign_in_link(ctx, "Nobody")
    assert code(error) == "not_found"


def test_changing_profile_and_password(ctx: AppContext) -> None:
    made = accounts.sign_up(ctx, "Ada", "correct horse")
    actor = tokens.authenticate(ctx, made.token.secret)
    changed = accounts.change_profile(ctx, actor, time_zone="Europe/Berlin", revision=made.account.revision)
    assert changed.time_zone == "Europe/Berlin"
    with pytest.raises(PlayError) as error:
        accounts.change_profile(ctx, actor, name="Eve", revision=made.account.revision)
    assert code(error) == "stale_revision"
    with pytest.raises(PlayError) as error:
        accounts.change_password(ctx, actor, "battery staple", old="guessed it")
    assert code(error) == "wrong_password"
    accounts.change_password(ctx, actor, "battery staple", old="correct horse")
    assert accounts.me(ctx, actor).has_password


def test_nobody_may_do_nothing(ctx: AppContext) -> None:
    for use in (accounts.me, accounts.bots, tokens.listed):
        with pytest.raises(PlayError) as error:
            use(ctx, NOBODY)
        assert code(error) == "not_signed_in"
    with pytest.raises(PlayError) as error:
        accounts.create_bot(ctx, Actor("x", bot=True, session=True), "Bot")
    assert code(error) == "forbidden"


@pytest.mark.parametrize(
    "name",
    ["gm", "All", "everyone", "Admin1", "Computer 1", "Computer 12", "The Server", "the moderator 3", "Spectator"],
)
def test_names_of_the_servers_own_are_refused(ctx: AppContext, name: str) -> None:
    """With a number or an article, too. Seen to fail with the bare list."""
    with pytest.raises(PlayError) as refused:
        accounts.sign_up(ctx, name, "correct horse battery")
    assert refused.value.code == "name_taken"


@pytest.mark.parametrize(("first", "second"), [("Gwen", "Gvven"), ("istanbul", "İstanbul"), ("Marnie", "Mamie")])
def test_names_that_look_alike_by_two_letters_are_one(ctx: AppContext, first: str, second: str) -> None:
    accounts.make_user(ctx, first)
    with pytest.raises(PlayError) as refused:
        accounts.sign_up(ctx, second, "correct horse battery")
    assert refused.value.code == "name_taken"


@pytest.mark.parametrize(
    "address", ["müller@example.org", ".dot@example.org", "a..b@example.org", "a@b", "a@-b.example"]
)
def test_addresses_that_cannot_be_mailed_are_refused_at_once(address: str) -> None:
    """Seen to be accepted by a pattern of our own, and to fail in the outbox."""
    with pytest.raises(PlayError) as refused:
        text_input.email(address)
    assert (refused.value.field, refused.value.value) == ("email", address)


def test_domains_are_written_as_mail_servers_read_them() -> None:
    assert text_input.email("a@bücher.example") == "a@xn--bcher-kva.example"


@given(some.emails() | some.text(max_size=30).map(lambda text: f"{text}@example.org"))
def test_what_is_accepted_can_be_mailed(address: str) -> None:
    """Entry and sender agree: whatever is taken is an address of a header."""
    try:
        found = text_input.email(address)
    except PlayError:
        return
    assert Address("Ann", addr_spec=found).addr_spec == found
