"""A stolen session does not become the account: what changes how an account is signed in needs a fresh proof."""

from __future__ import annotations

from typing import Any

import pyotp
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, update

from server.mail.compose import compose
from server.mail.letters import text_of
from server.play.accounts import accounts, links, second_factor_setup, tokens
from server.play.accounts.tokens import link_signer
from server.play.context import Actor, AppContext
from server.play.notices import delivery
from server.play.notices.delivery import Item
from server.play.people import account_closing
from server.store.tables import Token, User
from tests.api.conftest import client, url
from tests.api.people import sign_up
from tests.play.conftest import Clock, by_secret, clock, ctx, database, kind, postgresql_database
from tests.play.test_campaigns import refused
from tests.web.visitor import Visitor

__all__ = ["client", "clock", "ctx", "database", "kind", "postgresql_database", "url"]

PASSWORD = "correct horse battery"


@pytest.fixture
def ada(ctx: AppContext) -> Actor:
    """Somebody with a password and a confirmed address, who has just signed in."""
    return by_secret(ctx, accounts.sign_up(ctx, "Ada", PASSWORD, email="Ada@example.org").token.secret)


def confirmed(ctx: AppContext, actor: Actor) -> Actor:
    with ctx.database.write() as session:
        session.execute(update(User).where(User.id == actor.user_id).values(email_confirmed_at=ctx.now()))
    return actor


def link_for(ctx: AppContext, purpose: str) -> str:
    """Return the newest link of a purpose, as its mail has it."""
    with ctx.database.read() as session:
        newest = select(Token.id).where(Token.purpose == purpose).order_by(Token.created_at.desc()).limit(1)
        return link_signer(session).dumps(session.scalars(newest).one())


def everything(ctx: AppContext, actor: Actor) -> dict[str, Any]:
    return {
        "address": lambda: links.request_confirmation(ctx, actor, "thief@example.org"),
        "token": lambda: tokens.create(ctx, actor, "for ever", ["read"]),
        "bot's token": lambda: tokens.create(ctx, actor, "x", ["read"], for_bot=accounts.bots(ctx, actor)[0].id),
        "factor": lambda: second_factor_setup.begin(ctx, actor),
        "closing": lambda: account_closing.close(ctx, actor),
        "password": lambda: accounts.change_password(ctx, actor, "another password"),
    }


def test_an_old_session_changes_nothing_an_account_is_signed_in_with(ctx: AppContext, clock: Clock) -> None:
    """An account without a password: there only the proof stands between a thief and all of it."""
    ada = confirmed(ctx, Actor(accounts.make_user(ctx, "Ada", email="ada@example.org").id, "Ada", session=True))
    ada = by_secret(ctx, links.use_link(ctx, links.sign_in_link(ctx, "Ada")).token.secret)
    accounts.create_bot(ctx, ada, "Bot")
    clock.forward(minutes=15)
    for name, change in everything(ctx, ada).items():
        refused("proof_required", change)
        assert accounts.me(ctx, ada).email == "ada@example.org", name
    assert second_factor_setup.proof_status(ctx, ada) == second_factor_setup.Proof(None, ("link",))
    links.request_link(ctx, "ada@example.org")
    second_factor_setup.give_proof(ctx, ada, link=link_for(ctx, "sign_in"))
    clock.forward(minutes=14, seconds=59)
    for name in ("token", "bot's token", "factor", "address", "closing"):
        everything(ctx, ada)[name]()


def test_signing_in_is_a_proof_for_a_quarter_of_an_hour(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    clock.forward(minutes=14)
    tokens.create(ctx, ada, "in time", ["read"])
    clock.forward(minutes=2)
    refused("proof_required", tokens.create, ctx, ada, "too late", ["read"])
    refused("wrong_password", second_factor_setup.give_proof, ctx, ada, password="guessed it")
    refused("proof_required", tokens.create, ctx, ada, "still too late", ["read"])
    assert second_factor_setup.give_proof(ctx, ada, password=PASSWORD).until is not None
    tokens.create(ctx, ada, "proved", ["read"])


def test_a_proof_is_one_sessions(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    """The owner signs in again, and the thief's session is none the wiser."""
    clock.forward(hours=1)
    accounts.sign_in(ctx, "Ada", PASSWORD)
    refused("proof_required", tokens.create, ctx, ada, "stolen", ["read"])


def test_who_gives_the_password_with_the_request_has_proved_it(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    """Bodies of version 1 stay good: what has a password in it needs nothing more."""
    clock.forward(hours=1)
    refused("wrong_password", second_factor_setup.begin, ctx, ada, None)
    app = pyotp.TOTP(second_factor_setup.begin(ctx, ada, PASSWORD).secret)
    clock.forward(minutes=10)
    second_factor_setup.confirm(ctx, ada, app.at(clock.at))
    clock.forward(hours=1)
    refused("proof_required", account_closing.close, ctx, ada, PASSWORD)  # now there is something better
    refused("second_factor_needed", second_factor_setup.give_proof, ctx, ada, password=PASSWORD)
    refused("wrong_code", second_factor_setup.give_proof, ctx, ada, code="000000")
    second_factor_setup.give_proof(ctx, ada, code=app.at(clock.at))
    account_closing.close(ctx, ada, PASSWORD)


def test_a_factor_that_waits_is_not_switched_on_by_a_thief(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    """What was drawn can be looked at again: without a proof, whoever has the session would lock its owner out."""
    app = pyotp.TOTP(second_factor_setup.begin(ctx, ada, PASSWORD).secret)
    clock.forward(minutes=20)
    refused("proof_required", second_factor_setup.confirm, ctx, ada, app.at(clock.at))


def test_no_other_link_and_nobody_elses_is_a_proof(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    confirmed(ctx, ada)
    accounts.make_user(ctx, "Eve", email="eve@example.org")
    clock.forward(hours=1)
    links.request_link(ctx, "eve@example.org")
    refused("bad_link", second_factor_setup.give_proof, ctx, ada, link=link_for(ctx, "sign_in"))
    links.request_link(ctx, "ada@example.org", reset=True)
    refused("bad_link", second_factor_setup.give_proof, ctx, ada, link=link_for(ctx, "reset"))
    refused(
        "bad_link", second_factor_setup.give_proof, ctx, ada, link=links.sign_in_link(ctx, "Ada")
    )  # handed over, not mailed
    clock.forward(seconds=1)
    links.request_link(ctx, "ada@example.org")
    good = link_for(ctx, "sign_in")
    second_factor_setup.give_proof(ctx, ada, link=good)
    refused("bad_link", second_factor_setup.give_proof, ctx, ada, link=good)


def test_a_token_manages_no_account_whatever_its_scopes(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    accounts.create_bot(ctx, ada, "Bot")
    token = by_secret(ctx, tokens.create(ctx, ada, "all", ["read", "orders", "gm"]).secret)
    for change in everything(ctx, token).values():
        refused("missing_scope", change)
    refused("missing_scope", second_factor_setup.proof_status, ctx, token)
    refused("missing_scope", second_factor_setup.give_proof, ctx, token, password=PASSWORD)


# --- the address before ---


def mails(ctx: AppContext) -> dict[str, str]:
    found: dict[str, str] = {}

    def keep(item: Item) -> None:
        letter = compose(ctx, item)
        found[f"{item.payload['purpose']} {letter.address}"] = f"{letter.subject}\n{text_of(letter)}"

    while delivery.deliver(ctx, {"mail": keep}):
        pass
    return found


def test_the_old_address_hears_of_it_and_undoes_it_for_72_hours(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    """The thief had the password, too: address, factor, token and sessions are theirs until the link is followed."""
    confirmed(ctx, ada)
    old_token = tokens.create(ctx, ada, "old", ["read"]).secret
    clock.forward(hours=1)
    for _ in range(tokens.MAX_OPEN_LINKS):  # uses up what is sent to one address
        links.request_link(ctx, "ada@example.org")
    thief = by_secret(ctx, accounts.sign_in(ctx, "Ada", PASSWORD).token.secret)
    links.request_confirmation(ctx, thief, "thief@example.org")
    written = mails(ctx)["undo Ada@example.org"]
    assert "Your email address was changed" in written
    assert "thief@example.org" in written
    confirm = link_for(ctx, "confirm")
    new = by_secret(ctx, links.use_link(ctx, confirm).token.secret)
    stolen = tokens.create(ctx, new, "stolen", ["read"]).secret
    clock.forward(minutes=1)
    app = pyotp.TOTP(second_factor_setup.begin(ctx, new, PASSWORD).secret)
    second_factor_setup.confirm(ctx, new, app.at(clock.at))
    clock.forward(hours=70)
    undo = link_for(ctx, "undo")
    assert links.describe_link(ctx, undo) == links.LinkInfo("undo", "ada@example.org", second_factor=False)
    back = links.use_link(ctx, undo)
    assert (back.account.email, back.account.email_confirmed) == ("Ada@example.org", True)
    for secret in (stolen, new.token_id):
        refused("bad_token", tokens.authenticate, ctx, secret)
    assert [found.id for found in tokens.listed(ctx, by_secret(ctx, back.token.secret)) if found.kind == "session"] == [
        back.token.info.id
    ]
    tokens.authenticate(ctx, old_token)
    assert not second_factor_setup.status(ctx, by_secret(ctx, back.token.secret)).on
    refused("bad_link", links.use_link, ctx, undo)


def test_after_72_hours_the_change_stays(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    links.request_confirmation(ctx, confirmed(ctx, ada), "new@example.org")
    undo = link_for(ctx, "undo")
    clock.forward(hours=72)
    refused("bad_link", links.use_link, ctx, undo)


def test_a_second_factor_from_before_is_asked_for(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    """Whoever reads the old mailbox alone does not get in."""
    app = pyotp.TOTP(second_factor_setup.begin(ctx, confirmed(ctx, ada), PASSWORD).secret)
    second_factor_setup.confirm(ctx, ada, app.at(clock.at))
    clock.forward(minutes=1)
    links.request_confirmation(ctx, ada, "new@example.org")
    undo = link_for(ctx, "undo")
    refused("second_factor_needed", links.use_link, ctx, undo)
    assert links.use_link(ctx, undo, code=app.at(clock.at)).account.email == "Ada@example.org"


def test_an_address_that_was_never_confirmed_hears_nothing(ctx: AppContext, ada: Actor) -> None:
    links.request_confirmation(ctx, ada, "new@example.org")
    assert sorted(mails(ctx)) == ["confirm Ada@example.org", "confirm new@example.org"]


def test_an_address_that_is_somebody_elses_by_now_stays_theirs(ctx: AppContext, ada: Actor) -> None:
    links.request_confirmation(ctx, confirmed(ctx, ada), "new@example.org")
    accounts.make_user(ctx, "Eve", email="ada@example.org")
    refused("email_taken", links.use_link, ctx, link_for(ctx, "undo"))
    assert accounts.me(ctx, ada).email == "new@example.org"


# --- over HTTP ---


def grown_old(client: TestClient) -> AppContext:
    """Have all sessions be from yesterday."""
    found: AppContext = client.app.state.server.ctx  # type: ignore[attr-defined]
    with found.database.write() as session:
        session.execute(update(Token).values(proved_at=None))
    return found


def test_the_api_says_how_and_takes_it(client: TestClient) -> None:
    ann = sign_up(client, "Ann")
    ann.put("/me/email", {"email": "ann@example.org"}, 204)
    assert ann.get("/sessions/current/proof")["until"] is not None
    grown_old(client)
    assert ann.get("/sessions/current/proof") == {"until": None, "ways": ["password"]}
    asked = (
        ("PUT", "/me/email", {"email": "thief@example.org"}),
        ("POST", "/me/tokens", {"name": "x", "scopes": ["gm"]}),
    )
    for method, path, body in asked:
        answer = ann.ask(method, path, body, status=403).json()
        assert answer["code"] == "proof_required"
    ann.put("/me/email", {"email": "ann@example.org"}, 204)  # the link once more: nothing changes
    assert ann.post("/sessions/current/proof", {"code": "123456"}, 422)["code"] == "invalid_request"
    assert ann.post("/sessions/current/proof", {}, 422)["code"] == "invalid_request"
    assert ann.post("/sessions/current/proof", {"password": "wrong"}, 401)["code"] == "wrong_password"
    assert ann.post("/sessions/current/proof", {"password": "correct horse"}, 200)["until"] is not None
    for method, path, body in asked:
        ann.ask(method, path, body)
    assert ann.get("/me")["email"] == "thief@example.org"


def test_pages_ask_for_it_in_place(client: TestClient) -> None:
    ann = Visitor(client)
    ann.post("/sign-up", name="Ann", password=PASSWORD)
    ann.get("/settings")
    assert 'name="proof"' not in ann.get("/settings")
    grown_old(client)
    page = ann.get("/settings")
    assert page.count('name="proof"') == 2  # address and tokens; the others ask for the password themselves
    assert "Show first that the account is yours" in ann.post("/settings/mail", 403, email="new@example.org")
    assert ann.post("/settings/mail", 401, email="new@example.org", proof="wrong").count('role="alert"') == 1
    assert ann.post("/settings/mail", email="new@example.org", proof=PASSWORD) == "/settings#mail"
    assert "sot_" in ann.post("/settings/tokens", 200, name="mine", scopes=["read"])  # it holds for the next one
    grown_old(client)
    assert ann.post("/settings/factor", 200, password=PASSWORD).count("otpauth") == 0
    grown_old(client)
    assert "proof" not in ann.get("/settings/close")
    assert ann.post("/settings/close", password=PASSWORD) == "/"


def test_pages_of_an_account_without_a_password_mail_a_link(client: TestClient) -> None:
    ann = Visitor(client, "Ann")
    ann.api("PATCH", "/me", {"locale": "de"})
    found = grown_old(client)
    assert "Melde dich zuerst ab und dann wieder an." in ann.get("/settings")
    with found.database.write() as session:
        session.execute(update(User).values(email="ann@example.org", email_key="ann@example.org"))
        session.execute(update(User).values(email_confirmed_at=found.now()))
    assert "Link schicken" in ann.get("/settings/close")
    assert "Zeig zuerst, dass das Konto dir gehört" in ann.post("/settings/tokens", 403, name="x", scopes=["read"])
    assert "Zeig zuerst, dass das Konto dir gehört" in ann.post("/settings/close", 403)
    assert ann.post("/settings/proof", email="") == "/settings"
    mailed = mails(found)["sign_in ann@example.org"]
    assert "next=%2Fsettings" in mailed.replace("\n", "")
    assert ann.post("/link", token=link_for(found, "sign_in"), next="/settings") == "/settings"
    assert 'name="proof"' not in ann.get("/settings")
    assert "sot_" in ann.post("/settings/tokens", 200, name="x", scopes=["read"])
    ann.post("/settings/mail", email="neu@example.org")
    assert "Deine Mailadresse zurückholen" in ann.get(f"/link?token={link_for(found, 'undo')}")
    ann.post("/link", token=link_for(found, "undo"))
    assert "ann@example.org" in ann.get("/settings")


def test_a_page_with_a_second_factor_asks_for_a_code(client: TestClient) -> None:
    ann = Visitor(client)
    ann.post("/sign-up", name="Ann", password=PASSWORD)
    ann.get("/settings")
    ann.post("/settings/factor", 200, password=PASSWORD)
    found: AppContext = client.app.state.server.ctx  # type: ignore[attr-defined]
    account = accounts.account_named
    with found.database.read() as session:
        owner = Actor(account(session, "Ann").id, "Ann", session=True)
    drawn = second_factor_setup.pending(found, owner)
    assert drawn is not None
    app = pyotp.TOTP(drawn.secret)
    codes = second_factor_setup.confirm(found, owner, app.at(found.now())).codes
    # its session ended with the others: they sign in again
    ann = Visitor(client)
    token = links.sign_in_link(found, "Ann")
    ann.post("/link", token=token, code=codes[0])
    ann.get("/settings")
    grown_old(client)
    assert "Code from your authenticator app" in ann.get("/settings/close")
    assert "Show first" in ann.post("/settings/close", 403, password=PASSWORD)
    assert ann.post("/settings/close", password=PASSWORD, proof=codes[1]) == "/"
