"""Signing up, in and out; mailed links; the form that makes a whole account of a guest."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from urllib.parse import urlencode

from fastapi import Response

from server.http.signing import COOKIE, check_sign_in, drop_cookie, set_cookie
from server.play.accounts import accounts, links, tokens
from server.play.accounts.accounts import SignedIn
from server.play.accounts.links import LinkInfo
from server.play.errors import PlayError
from server.play.people import guests
from server.web.page_context import PageContext, PageDep, safe_path
from server.web.route import OPEN, PageRouter

router = PageRouter()
_SECOND_STEP = timedelta(minutes=10)
"""Maximum time between password and code."""


@router.get("/sign-in", openapi_extra=OPEN)
def sign_in_page(page: PageDep, next: str = "/") -> Response:
    """Show the door; to a guest, too."""
    if page.actor.signed_in and not page.actor.guest:
        return page.redirect(safe_path(next))
    return page.render("sign_in.html", back=safe_path(next))


@router.post("/sign-in", openapi_extra=OPEN)
def sign_in(page: PageDep) -> Response:
    """Sign in with name and password."""
    check_sign_in(page.server, page.request, page.form.text("name"))
    back = safe_path(page.form.text("next"))
    try:
        done = accounts.sign_in(page.ctx, page.form.text("name"), page.form.secret("password"), browser=_browser(page))
    except PlayError as error:
        if error.code == "second_factor_needed":
            token = links.sign_in_link(page.ctx, page.form.text("name"), valid=_SECOND_STEP)
            return page.render("link.html", info=LinkInfo("sign_in", "", True), token=token, back=back)
        return page.render("sign_in.html", back=back, error=error)
    return _enter(page, done, back)


@router.get("/sign-up", openapi_extra=OPEN)
def sign_up_page(page: PageDep, next: str = "/") -> Response:
    """Show the form for a new account; it upgrades a guest. A user who is signed in must confirm first."""
    if page.actor.guest:
        return page.redirect(f"/keep?{urlencode({'next': safe_path(next)})}")
    return page.render("sign_up.html", back=safe_path(next))


@router.post("/sign-up", openapi_extra=OPEN)
def sign_up(page: PageDep) -> Response:
    """Make an account and sign in."""
    check_sign_in(page.server, page.request)
    form, back = page.form, safe_path(page.form.text("next"))
    try:
        done = accounts.sign_up(
            page.ctx,
            form.text("name"),
            form.secret("password"),
            email=form.optional("email"),
            browser=_browser(page),
            invitation=page.invitation,
        )
    except PlayError as error:
        return page.render("sign_up.html", back=back, error=error)
    _settle(page, done)
    return _enter(page, done, back)


@router.get("/mail-link", openapi_extra=OPEN)
def mail_link_page(page: PageDep) -> Response:
    """Show where a link can be mailed to."""
    return page.render("mail_link.html", sent="")


@router.post("/mail-link", openapi_extra=OPEN)
def mail_link(page: PageDep) -> Response:
    """Have a link mailed; the answer is the same whether there is such an account or not."""
    check_sign_in(page.server, page.request)
    email = page.form.text("email")
    try:
        links.request_link(page.ctx, email, reset=page.form.flag("reset"))
    except PlayError as error:
        return page.render("mail_link.html", sent="", error=error)
    return page.render("mail_link.html", sent=email)


@router.get("/link", openapi_extra=OPEN)
def link_page(page: PageDep, token: str = "", next: str = "/") -> Response:
    """Show what a mailed link is for; it is used up only by the button, since mail programs look at links, too."""
    check_sign_in(page.server, page.request)
    info = links.describe_link(page.ctx, token)
    return page.render("link.html", info=info, token=token, back=safe_path(next))


@router.post("/link", openapi_extra=OPEN)
def follow_link(page: PageDep) -> Response:
    """Use a mailed link."""
    check_sign_in(page.server, page.request)
    form, back = page.form, safe_path(page.form.text("next"))
    token = form.text("token")
    try:
        done = links.use_link(
            page.ctx,
            token,
            name=form.optional("name"),
            password=form.secret("password") or None,
            code=form.optional("code"),
            browser=_browser(page),
        )
    except PlayError as error:
        if error.code == "bad_link":
            raise
        info = links.describe_link(page.ctx, token)
        return page.render("link.html", info=info, token=token, back=back, error=error)
    if "time_zone" in form:  # a new account
        _settle(page, done)
    return _enter(page, done, back)


@router.post("/sign-out")
def sign_out(page: PageDep) -> Response:
    """Sign out; a guest, who could not come back, is asked to keep what they have first."""
    if page.actor.guest:
        return page.redirect("/keep")
    accounts.sign_out(page.ctx, page.actor)
    response = page.redirect(safe_path(page.form.text("next")), said="signed_out")
    drop_cookie(page.server, response)
    return response


def _settle(page: PageContext, done: SignedIn) -> None:
    """Keep the language and the time zone of the browser with a new account; strange ones are left out."""
    actor = tokens.authenticate(page.ctx, done.token.secret)
    accounts.change_profile(page.ctx, actor, locale=page.t.language)
    with suppress(PlayError):
        accounts.change_profile(page.ctx, actor, time_zone=page.form.text("time_zone"))


def _enter(page: PageContext, done: SignedIn, back: str) -> Response:
    guests.hand_over(page.ctx, page.actor, done.account.id)
    response = page.redirect(back)
    set_cookie(page.server, response, done.token.secret)
    return response


def _browser(page: PageContext) -> str:
    return page.request.headers.get("user-agent", "")


keeping = PageRouter()


@keeping.get("/keep")
def keep_page(page: PageDep, next: str = "/") -> Response:
    """Show the form; who has an account already is sent on."""
    if not page.actor.guest:
        return page.redirect(safe_path(next))
    return page.render("keep.html", back=safe_path(next))


@keeping.post("/keep")
def keep(page: PageDep) -> Response:
    """Make the guest a whole account."""
    check_sign_in(page.server, page.request)
    form, back = page.form, safe_path(page.form.text("next"))
    try:
        guests.keep(page.ctx, page.actor, form.text("name"), form.secret("password"), email=form.optional("email"))
    except PlayError as error:
        return page.render("keep.html", back=back, error=error)
    response = page.redirect(back, said="kept")
    set_cookie(page.server, response, page.request.cookies[COOKIE])
    return response
