"""Signing up, in and out; mailed links."""

from __future__ import annotations

from contextlib import suppress

from fastapi import APIRouter, Response

from server.api.signing import check_sign_in, drop_cookie, set_cookie
from server.play import accounts, links, tokens
from server.play.accounts import SignedIn
from server.play.errors import PlayError
from server.web.route import OPEN, PageRoute
from server.web.visits import Visit, Visiting, own_address

router = APIRouter(route_class=PageRoute)


@router.get("/sign-in", openapi_extra=OPEN)
def sign_in_page(visit: Visiting, next: str = "/") -> Response:
    """Show the door."""
    if visit.actor.signed_in:
        return visit.go(own_address(next))
    return visit.page("sign_in.html", back=own_address(next), problem=None)


@router.post("/sign-in", openapi_extra=OPEN)
def sign_in(visit: Visiting) -> Response:
    """Sign in with name and password."""
    check_sign_in(visit.server, visit.request, visit.form.text("name"))
    back = own_address(visit.form.text("next"))
    try:
        done = accounts.sign_in(
            visit.ctx, visit.form.text("name"), visit.form.secret("password"), browser=_browser(visit)
        )
    except PlayError as error:
        problem = visit.refusal(error)
        return visit.page("sign_in.html", visit.status_of(error), back=back, problem=problem)
    return _enter(visit, done, back)


@router.get("/sign-up", openapi_extra=OPEN)
def sign_up_page(visit: Visiting, next: str = "/") -> Response:
    """Show the form for a new account."""
    return visit.page("sign_up.html", back=own_address(next), problem=None)


@router.post("/sign-up", openapi_extra=OPEN)
def sign_up(visit: Visiting) -> Response:
    """Make an account and sign in."""
    check_sign_in(visit.server, visit.request)
    form, back = visit.form, own_address(visit.form.text("next"))
    try:
        done = accounts.sign_up(
            visit.ctx, form.text("name"), form.secret("password"), email=form.optional("email"),
            browser=_browser(visit),
        )  # fmt: skip
    except PlayError as error:
        problem = visit.refusal(error)
        return visit.page("sign_up.html", visit.status_of(error), back=back, problem=problem)
    _settle(visit, done)
    return _enter(visit, done, back)


@router.get("/mail-link", openapi_extra=OPEN)
def mail_link_page(visit: Visiting) -> Response:
    """Show where a link can be mailed to."""
    return visit.page("mail_link.html", sent="", problem=None)


@router.post("/mail-link", openapi_extra=OPEN)
def mail_link(visit: Visiting) -> Response:
    """Have a link mailed; the answer is the same whether there is such an account or not."""
    check_sign_in(visit.server, visit.request)
    email = visit.form.text("email")
    try:
        links.request_link(visit.ctx, email, reset=visit.form.flag("reset"))
    except PlayError as error:
        return visit.page("mail_link.html", visit.status_of(error), sent="", problem=visit.refusal(error))
    return visit.page("mail_link.html", sent=email, problem=None)


@router.get("/link", openapi_extra=OPEN)
def link_page(visit: Visiting, token: str = "", next: str = "/") -> Response:
    """Show what a mailed link is for; it is used up only by the button, since mail programs look at links, too."""
    check_sign_in(visit.server, visit.request)
    info = links.describe_link(visit.ctx, token)
    return visit.page("link.html", info=info, token=token, back=own_address(next), problem=None)


@router.post("/link", openapi_extra=OPEN)
def follow_link(visit: Visiting) -> Response:
    """Use a mailed link."""
    check_sign_in(visit.server, visit.request)
    form, back = visit.form, own_address(visit.form.text("next"))
    token = form.text("token")
    try:
        done = links.use_link(
            visit.ctx, token, name=form.optional("name"), password=form.secret("password") or None,
            browser=_browser(visit),
        )  # fmt: skip
    except PlayError as error:
        if error.code == "bad_link":
            raise
        info, problem = links.describe_link(visit.ctx, token), visit.refusal(error)
        return visit.page("link.html", visit.status_of(error), info=info, token=token, back=back, problem=problem)
    if "time_zone" in form:  # a new account
        _settle(visit, done)
    return _enter(visit, done, back)


@router.post("/sign-out")
def sign_out(visit: Visiting) -> Response:
    """Sign out."""
    accounts.sign_out(visit.ctx, visit.actor)
    response = visit.go("/", said="signed_out")
    drop_cookie(visit.server, response)
    return response


def _settle(visit: Visit, done: SignedIn) -> None:
    """Keep the language and the time zone of the browser with a new account; strange ones are left out."""
    actor = tokens.authenticate(visit.ctx, done.token.secret)
    accounts.change_profile(visit.ctx, actor, locale=visit.t.language)
    with suppress(PlayError):
        accounts.change_profile(visit.ctx, actor, time_zone=visit.form.text("time_zone"))


def _enter(visit: Visit, done: SignedIn, back: str) -> Response:
    response = visit.go(back)
    set_cookie(visit.server, response, done.token.secret)
    return response


def _browser(visit: Visit) -> str:
    return visit.request.headers.get("user-agent", "")
