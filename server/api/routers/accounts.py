"""Signing up, in and out; your own profile."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, cast

from fastapi import Response
from pydantic import BaseModel, Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints, revised
from server.http.context import Server
from server.http.middleware import PREFIX
from server.http.problems import ALWAYS_SENT
from server.http.responses import created, etag_of, made, no_content
from server.http.signing import check_guest, check_sign_in, csrf_token, drop_cookie, set_cookie
from server.play.accounts import accounts, links, second_factor_setup, tokens
from server.play.accounts.accounts import Account, SignedIn
from server.play.accounts.second_factor_setup import Proof
from server.play.context import SCOPES
from server.play.people import account_closing, guests, own_data

router = Endpoints("account")
_SIGNS_IN: dict[str, Any] = {"status": 201, "public": True, "secret": True, "cookie": True}

Name = Annotated[str, Field(max_length=200, examples=["Ann"])]
Password = Annotated[str, Field(max_length=1000, examples=["correct horse battery staple"])]
Code = Annotated[
    str,
    Field(
        max_length=60,
        description="Of the authenticator app, or a recovery code, where the account has a second factor.",
        examples=["492039"],
    ),
]
Email = Annotated[str, Field(max_length=500, examples=["ann@example.org"])]


class SignUp(Body):
    """A new account."""

    name: Name
    password: Password
    email: Email | None = None
    invitation: str = Field(
        "", max_length=200, description="The code of an invitation to a campaign: it admits where sign-up is closed."
    )


class Guest(Body):
    """Someone who plays without an account of their own."""

    name: Name
    locale: str = Field("en", max_length=20, examples=["en"])


class Keeping(Body):
    """What makes a guest a whole account."""

    name: Name
    password: Password
    email: Email | None = None


class SignIn(Body):
    """Name, or confirmed mail address, and password."""

    name: Name
    password: Password
    code: Code | None = None


class LinkWanted(Body):
    """Where to mail a link to."""

    email: Email
    reset: bool = Field(False, description="A link to set a new password instead of one to sign in.")


class LinkFollowed(Body):
    """A mailed link, and what it asks for."""

    link: str = Field(max_length=500, examples=["ImFiYyI.c2lnbmF0dXJl"])
    name: Name | None = Field(None, description="Name of the new account, with a link to sign up.")
    password: Password | None = Field(None, description="The new password, with a link to reset it.")
    code: Code | None = None


class LinkShown(Body):
    """A mailed link."""

    link: str = Field(max_length=500)


class Profile(Body):
    """What to change of your profile."""

    name: Name | None = None
    locale: str | None = Field(None, max_length=100, examples=["en"])
    time_zone: str | None = Field(None, max_length=100, examples=["Europe/Berlin"])


class NewPassword(Body):
    """A new password."""

    new: Password
    old: Password | None = Field(None, description="The one before; not needed where there was none.")


class Farewell(Body):
    """What closing an account asks for."""

    password: Password | None = Field(None, description="Not needed where the account has none.")


class NewEmail(Body):
    """A new mail address."""

    email: Email


class ProofGiven(Body):
    """What shows that the account is yours: one of its `ways`."""

    password: Password | None = None
    code: Code | None = None
    link: str | None = Field(None, max_length=500, description="A link to sign in that was mailed to you.")


class OwnData(BaseModel):
    """Everything the server keeps of someone."""

    model_config = ALWAYS_SENT

    made_at: datetime
    account: str = Field(description="The name of one's account.")
    data: dict[str, list[dict[str, Any]]] = Field(
        description="The rows of each table of the database that are one's own; its columns may change."
    )


@dataclass(frozen=True, slots=True)
class Session:
    """A session; the cookie is set, too."""

    account: Account
    token: str
    """Send it as a bearer token where cookies are in the way."""
    csrf_token: str
    """Send it as ``X-CSRF-Token`` with every write that is signed in by the cookie."""
    expires_at: datetime | None
    scopes: tuple[str, ...] = SCOPES
    """What it is good for; everything for a session of a page."""


@router.post("/accounts", Session, "sign_up_closed", "name_taken", "email_taken", **_SIGNS_IN)
def sign_up(call: CallDep, body: SignUp) -> Response:
    """Create an account and sign in."""
    check_sign_in(call.server, call.request)
    done = accounts.sign_up(
        call.ctx, body.name, body.password, email=body.email, browser=call.browser, invitation=body.invitation
    )
    return _session(call.server, done)


@router.post("/accounts/guests", Session, "sign_up_closed", **_SIGNS_IN)
def sign_up_guest(call: CallDep, body: Guest) -> Response:
    """Play without an account: a guest, whose session is the only key. It ends 30 days after the last visit."""
    check_sign_in(call.server, call.request)
    check_guest(call.server, call.request)
    return _session(call.server, guests.create(call.ctx, body.name, locale=body.locale, browser=call.browser))


@router.put("/me/guest", Account, "name_taken", "email_taken", "stale_revision", secret=True)
def keep_guest(call: CallDep, body: Keeping) -> Response:
    """Make the guest you are a whole account; everything they have stays yours."""
    check_sign_in(call.server, call.request)
    return created(guests.keep(call.ctx, call.actor, body.name, body.password, email=body.email), 200)


@router.post("/sessions", Session, "wrong_password", "second_factor_needed", "wrong_code", **_SIGNS_IN)
def sign_in(call: CallDep, body: SignIn) -> Response:
    """Sign in with name and password."""
    check_sign_in(call.server, call.request, body.name)
    return _session(
        call.server, accounts.sign_in(call.ctx, body.name, body.password, code=body.code, browser=call.browser)
    )


@router.get("/sessions/current", Session)
def get_session(call: CallDep) -> Response:
    """Return your account, the scopes and expiry of the token that was sent, and for pages their CSRF token."""
    account = accounts.me(call.ctx, call.actor)
    secret = call.request.cookies.get("sealed_orders_session", "")
    csrf = csrf_token(secret) if call.actor.session and secret else ""
    return call.answer(Session(account, "", csrf, tokens.expiry(call.ctx, call.actor), call.actor.scopes))


@router.delete("/sessions/current", cookie=True)
def sign_out(call: CallDep) -> Response:
    """Sign out; a token that is used here is revoked."""
    call.actor.require("read")
    accounts.sign_out(call.ctx, call.actor)
    response = no_content()
    drop_cookie(call.server, response)
    return response


@router.get("/sessions/current/proof", Proof)
def get_proof(call: CallDep) -> Response:
    """Return until when your last proof of identity holds, and the ways to give another."""
    return call.answer(second_factor_setup.proof_status(call.ctx, call.actor), headers={"Cache-Control": "no-store"})


@router.post(
    "/sessions/current/proof", Proof, "wrong_password", "second_factor_needed", "wrong_code", "bad_link", secret=True
)
def give_proof(call: CallDep, body: ProofGiven) -> Response:
    """Prove once more that the account is yours: needed 15 minutes after signing in to change how it is signed in."""
    check_sign_in(call.server, call.request, call.actor.user_id)
    given = second_factor_setup.give_proof(call.ctx, call.actor, password=body.password, code=body.code, link=body.link)
    return created(given, 200, headers={"Cache-Control": "no-store"})


@router.delete("/sessions")
def sign_out_everywhere(call: CallDep) -> None:
    """End all sessions but this one."""
    accounts.sign_out_everywhere(call.ctx, call.actor)


@router.post("/links", public=True, secret=True)
def request_link(call: CallDep, body: LinkWanted) -> None:
    """Have a link mailed to sign in, sign up or set a password; the answer does not tell who has an account."""
    check_sign_in(call.server, call.request)
    links.request_link(call.ctx, body.email, reset=body.reset)


@router.post("/links/look", links.LinkInfo, "bad_link", public=True, secret=True)
def look_at_link(call: CallDep, body: LinkShown) -> Response:
    """Say what a mailed link is for, without using it up."""
    check_sign_in(call.server, call.request)
    return created(links.describe_link(call.ctx, body.link), 200)


@router.post(
    "/links/follow", Session, "bad_link", "name_taken", "email_taken", "second_factor_needed", "wrong_code", **_SIGNS_IN
)
def follow_link(call: CallDep, body: LinkFollowed) -> Response:
    """Use a mailed link, which works once: signs in."""
    check_sign_in(call.server, call.request)
    done = links.use_link(
        call.ctx, body.link, name=body.name, password=body.password, code=body.code, browser=call.browser
    )
    return _session(call.server, done)


@router.get("/me", Account)
def get_me(call: CallDep) -> Response:
    """Return your account."""
    account = accounts.me(call.ctx, call.actor)
    return call.answer(account, etag=f'"{account.revision}"')


@router.patch("/me", Account, "name_taken", if_match=True)
def change_me(call: CallDep, body: Profile) -> Response:
    """Change your name, language or time zone. Honours `If-Match`."""
    wanted = cast("accounts.Profile", body.model_dump(exclude_none=True))
    return revised(accounts.change_profile(call.ctx, call.actor, revision=call.revision, **wanted))


@router.get("/me/data", OwnData)
def get_own_data(call: CallDep) -> Response:
    """Return everything the server keeps of your account and bots, without secrets. Needs a session."""
    content = own_data.gather(call.ctx, call.actor)
    headers = {"Cache-Control": "no-store"}
    return call.answer(content, etag=etag_of(content["data"]), headers=headers)


@router.delete("/me", None, "wrong_password", "proof_required", "stale_revision", secret=True, cookie=True)
def close_account(call: CallDep, body: Farewell) -> Response:
    """Close your account and your bots for good. `conflict` as long as you are game master of a campaign."""
    check_sign_in(call.server, call.request)
    account_closing.close(call.ctx, call.actor, body.password)
    response = no_content()
    drop_cookie(call.server, response)
    return response


@router.put("/me/password", None, "wrong_password", "proof_required", "stale_revision", secret=True)
def change_password(call: CallDep, body: NewPassword) -> None:
    """Set a password. All other sessions end."""
    check_sign_in(call.server, call.request)
    accounts.change_password(call.ctx, call.actor, body.new, old=body.old)


@router.put("/me/email", None, "email_taken", "proof_required")
def change_email(call: CallDep, body: NewEmail) -> None:
    """Set a mail address; it counts once the link mailed there is followed. The old address can undo it for 72 h."""
    check_sign_in(call.server, call.request)
    links.request_confirmation(call.ctx, call.actor, body.email)


def _session(parts: Server, signed_in: SignedIn) -> Response:
    secret = signed_in.token.secret
    content = Session(signed_in.account, secret, csrf_token(secret), signed_in.token.info.expires_at)
    response = made(content, f"{PREFIX}/sessions/current", headers={"Cache-Control": "no-store"})
    set_cookie(parts, response, secret, guest=signed_in.account.guest)
    return response
