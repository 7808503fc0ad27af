"""Signing up, in and out; your own profile."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, cast

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from server.api.bodies import Body
from server.api.openapi import error_responses
from server.api.routes import Route
from server.http.context import ActorDep, Server, ServerDep
from server.http.middleware import PREFIX
from server.http.problems import ALWAYS_SENT
from server.http.responses import created, etag_of, if_match_revision, json_response, made, no_content
from server.http.signing import check_guest, check_sign_in, csrf_token, drop_cookie, set_cookie
from server.play.accounts import accounts, links, proving, tokens
from server.play.accounts.accounts import Account, SignedIn
from server.play.accounts.proving import Proof
from server.play.context import SCOPES
from server.play.people import account_closing, guests, own_data

router = APIRouter(route_class=Route, tags=["account"])

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


@router.post(
    "/accounts",
    status_code=201,
    response_model=Session,
    openapi_extra=error_responses("sign_up_closed", "name_taken", "email_taken", public=True, secret=True, cookie=True),
)
def sign_up(parts: ServerDep, request: Request, body: SignUp) -> Response:
    """Create an account and sign in."""
    check_sign_in(parts, request)
    browser = request.headers.get("user-agent", "")
    done = accounts.sign_up(
        parts.ctx, body.name, body.password, email=body.email, browser=browser, invitation=body.invitation
    )
    return _session(parts, done)


@router.post(
    "/accounts/guests",
    status_code=201,
    response_model=Session,
    openapi_extra=error_responses("sign_up_closed", public=True, secret=True, cookie=True),
)
def sign_up_guest(parts: ServerDep, request: Request, body: Guest) -> Response:
    """Play without an account: a guest, whose session is the only key. It ends 30 days after the last visit."""
    check_sign_in(parts, request)
    check_guest(parts, request)
    browser = request.headers.get("user-agent", "")
    return _session(parts, guests.create(parts.ctx, body.name, locale=body.locale, browser=browser))


@router.put(
    "/me/guest",
    response_model=Account,
    openapi_extra=error_responses("name_taken", "email_taken", "stale_revision", secret=True),
)
def keep_guest(parts: ServerDep, request: Request, actor: ActorDep, body: Keeping) -> Response:
    """Make the guest you are a whole account; everything they have stays yours."""
    check_sign_in(parts, request)
    return created(guests.keep(parts.ctx, actor, body.name, body.password, email=body.email), 200)


@router.post(
    "/sessions",
    status_code=201,
    response_model=Session,
    openapi_extra=error_responses("wrong_password", "second_factor_needed", "wrong_code", public=True, secret=True,
                                  cookie=True),
)  # fmt: skip
def sign_in(parts: ServerDep, request: Request, body: SignIn) -> Response:
    """Sign in with name and password."""
    check_sign_in(parts, request, body.name)
    browser = request.headers.get("user-agent", "")
    return _session(parts, accounts.sign_in(parts.ctx, body.name, body.password, code=body.code, browser=browser))


@router.get("/sessions/current", response_model=Session, openapi_extra=error_responses())
def get_session(request: Request, parts: ServerDep, actor: ActorDep) -> Response:
    """Return your account, the scopes and expiry of the token that was sent, and for pages their CSRF token."""
    account = accounts.me(parts.ctx, actor)
    secret = request.cookies.get("sealed_orders_session", "")
    csrf = csrf_token(secret) if actor.session and secret else ""
    return json_response(request, Session(account, "", csrf, tokens.expiry(parts.ctx, actor), actor.scopes))


@router.delete("/sessions/current", status_code=204, openapi_extra=error_responses(cookie=True))
def sign_out(parts: ServerDep, actor: ActorDep) -> Response:
    """Sign out; a token that is used here is revoked."""
    actor.require("read")
    accounts.sign_out(parts.ctx, actor)
    response = no_content()
    drop_cookie(parts, response)
    return response


@router.get("/sessions/current/proof", response_model=Proof, openapi_extra=error_responses())
def get_proof(request: Request, parts: ServerDep, actor: ActorDep) -> Response:
    """Return until when your last proof of identity holds, and the ways to give another."""
    return json_response(request, proving.status(parts.ctx, actor), headers={"Cache-Control": "no-store"})


@router.post(
    "/sessions/current/proof",
    response_model=Proof,
    openapi_extra=error_responses("wrong_password", "second_factor_needed", "wrong_code", "bad_link", secret=True),
)
def give_proof(parts: ServerDep, request: Request, actor: ActorDep, body: ProofGiven) -> Response:
    """Prove once more that the account is yours: needed 15 minutes after signing in to change how it is signed in."""
    check_sign_in(parts, request, actor.user_id)
    given = proving.give(parts.ctx, actor, password=body.password, code=body.code, link=body.link)
    return created(given, 200, headers={"Cache-Control": "no-store"})


@router.delete("/sessions", status_code=204, openapi_extra=error_responses())
def sign_out_everywhere(parts: ServerDep, actor: ActorDep) -> Response:
    """End all sessions but this one."""
    accounts.sign_out_everywhere(parts.ctx, actor)
    return no_content()


@router.post("/links", status_code=204, openapi_extra=error_responses(public=True, secret=True))
def request_link(parts: ServerDep, request: Request, body: LinkWanted) -> Response:
    """Have a link mailed to sign in, sign up or set a password; the answer does not tell who has an account."""
    check_sign_in(parts, request)
    links.request_link(parts.ctx, body.email, reset=body.reset)
    return no_content()


@router.post(
    "/links/look", response_model=links.LinkInfo, openapi_extra=error_responses("bad_link", public=True, secret=True)
)
def look_at_link(parts: ServerDep, request: Request, body: LinkShown) -> Response:
    """Say what a mailed link is for, without using it up."""
    check_sign_in(parts, request)
    return created(links.describe_link(parts.ctx, body.link), 200)


@router.post(
    "/links/follow",
    status_code=201,
    response_model=Session,
    openapi_extra=error_responses("bad_link", "name_taken", "email_taken", "second_factor_needed", "wrong_code",
                                  public=True, secret=True, cookie=True),
)  # fmt: skip
def follow_link(parts: ServerDep, request: Request, body: LinkFollowed) -> Response:
    """Use a mailed link, which works once: signs in."""
    check_sign_in(parts, request)
    browser = request.headers.get("user-agent", "")
    done = links.use_link(parts.ctx, body.link, name=body.name, password=body.password, code=body.code, browser=browser)
    return _session(parts, done)


@router.get("/me", response_model=Account, openapi_extra=error_responses())
def get_me(request: Request, parts: ServerDep, actor: ActorDep) -> Response:
    """Return your account."""
    account = accounts.me(parts.ctx, actor)
    return json_response(request, account, etag=f'"{account.revision}"')


@router.patch("/me", response_model=Account, openapi_extra=error_responses("name_taken", if_match=True))
def change_me(request: Request, parts: ServerDep, actor: ActorDep, body: Profile) -> Response:
    """Change your name, language or time zone. Honours `If-Match`."""
    revision = if_match_revision(request.headers.get("if-match"))
    wanted = cast("accounts.Profile", body.model_dump(exclude_none=True))
    account = accounts.change_profile(parts.ctx, actor, revision=revision, **wanted)
    return created(account, 200, headers={"ETag": f'"{account.revision}"'})


@router.get("/me/data", response_model=OwnData, openapi_extra=error_responses())
def get_own_data(request: Request, parts: ServerDep, actor: ActorDep) -> Response:
    """Return everything the server keeps of your account and bots, without secrets. Needs a session."""
    content = own_data.gather(parts.ctx, actor)
    headers = {"Cache-Control": "no-store"}
    return json_response(request, content, etag=etag_of(content["data"]), headers=headers)


@router.delete(
    "/me", status_code=204,
    openapi_extra=error_responses(
        "wrong_password", "proof_required", "stale_revision", secret=True, cookie=True
    ),
)  # fmt: skip
def close_account(parts: ServerDep, request: Request, actor: ActorDep, body: Farewell) -> Response:
    """Close your account and your bots for good. `conflict` as long as you are game master of a campaign."""
    check_sign_in(parts, request)
    account_closing.close(parts.ctx, actor, body.password)
    response = no_content()
    drop_cookie(parts, response)
    return response


@router.put(
    "/me/password", status_code=204,
    openapi_extra=error_responses("wrong_password", "proof_required", "stale_revision", secret=True),
)  # fmt: skip
def change_password(parts: ServerDep, request: Request, actor: ActorDep, body: NewPassword) -> Response:
    """Set a password. All other sessions end."""
    check_sign_in(parts, request)
    accounts.change_password(parts.ctx, actor, body.new, old=body.old)
    return no_content()


@router.put("/me/email", status_code=204, openapi_extra=error_responses("email_taken", "proof_required"))
def change_email(parts: ServerDep, request: Request, actor: ActorDep, body: NewEmail) -> Response:
    """Set a mail address; it counts once the link mailed there is followed. The old address can undo it for 72 h."""
    check_sign_in(parts, request)
    links.request_confirmation(parts.ctx, actor, body.email)
    return no_content()


def _session(parts: Server, signed_in: SignedIn) -> Response:
    secret = signed_in.token.secret
    content = Session(signed_in.account, secret, csrf_token(secret), signed_in.token.info.expires_at)
    response = made(content, f"{PREFIX}/sessions/current", headers={"Cache-Control": "no-store"})
    set_cookie(parts, response, secret, guest=signed_in.account.guest)
    return response
