"""How every page is called: its visitor known, its form read and known to be ours, its refusals shown as pages."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Coroutine
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from anyio import to_thread
from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from server.http.context import server_of
from server.http.limits import HEAVY_WAIT
from server.http.logs import about
from server.http.problems import Refused, from_play, in_storage, too_often
from server.http.routing import PrefixedRouter
from server.http.signing import COOKIE, csrf_token
from server.play.accounts import tokens
from server.play.context import NOBODY, Actor, AppContext
from server.play.errors import PlayError
from server.store.errors import StorageError
from server.web.forms import MAX_FIELDS, Form
from server.web.page_context import SIGN_IN_PAGES, PageContext

PUBLIC = "x-public"
"""Mark (in ``openapi_extra``) of pages that need nobody to be signed in."""
OPEN: dict[str, Any] = {PUBLIC: True}
HEAVY: dict[str, Any] = {"x-heavy": True}
"""Mark of pages that take much time or memory: few of them are made at a time."""

Serve = Callable[[Request], Coroutine[Any, Any, Response]]


class PageRoute(APIRoute):
    """The route class of the routers of pages. What answers ``GET`` answers ``HEAD``, which calendars ask first."""

    def __init__(self, *args: Any, **options: Any) -> None:
        methods = {method.upper() for method in options.get("methods") or ("GET",)}
        super().__init__(*args, **(options | {"methods": methods | {"HEAD"} if "GET" in methods else methods}))

    def get_route_handler(self) -> Serve:
        """Return what serves a request."""
        serve = super().get_route_handler()
        marks = self.openapi_extra or {}
        public, heavy = PUBLIC in marks, HEAVY.keys() <= marks.keys()

        async def handle(request: Request) -> Response:
            page = anonymous(request)
            try:
                page = replace(page, actor=await _actor(request))
                if page.actor.signed_in:
                    about(user_id=page.actor.user_id)
                    page.actor.require("read")
                elif not public:
                    return page.to_sign_in()  # before anything that was sent is read
                if request.method not in ("GET", "HEAD"):
                    _check_origin(request, page)
                    form = await _form(request, files=4 if page.actor.signed_in else 0)
                    _check_ours(request, page, form)
                    page = replace(page, form=form)
                request.state.page = page
                with page.server.heavy.at_work(page.actor.user_id) if heavy else nullcontext(True) as room:
                    if not room:
                        raise too_often(HEAVY_WAIT)
                    return await serve(request)
            except (PlayError, HTTPException, RequestValidationError, StorageError) as error:
                return await to_thread.run_sync(partial(error_page, page, error))

        return handle


class PageRouter(PrefixedRouter):
    """A router of pages."""

    def __init__(self, prefix: str = "") -> None:
        super().__init__(prefix, route_class=PageRoute)


def anonymous(request: Request) -> PageContext:
    """Return a visit without looking up its person."""
    return PageContext(request, server_of(request), NOBODY)


def page_context(request: Request) -> PageContext:
    """Find out who looks. Blocks: looks the session up."""
    secret = request.cookies.get(COOKIE)
    return replace(anonymous(request), actor=_looked_up(server_of(request).ctx, secret) if secret else NOBODY)


async def _actor(request: Request) -> Actor:
    """Return whose session it is; looks it up only where nobody knows any more."""
    secret, ctx = request.cookies.get(COOKIE), server_of(request).ctx
    if not secret:
        return NOBODY
    known = tokens.known(ctx, secret)
    return await to_thread.run_sync(_looked_up, ctx, secret) if known is None else known


def _looked_up(ctx: AppContext, secret: str) -> Actor:
    """Return whose session it is; nobody's where it has ended."""
    try:
        return tokens.authenticate(ctx, secret)
    except PlayError:
        return NOBODY


async def _form(request: Request, files: int) -> Form:
    """Read what was typed, and at most so many files that came with it."""
    if not files and request.headers.get("content-type", "").strip().lower().startswith("multipart/"):
        raise Refused("not_signed_in", "Only who is signed in sends files.")
    pairs, sent = [], {}
    async with request.form(max_fields=MAX_FIELDS, max_files=files) as found:
        for name, value in found.multi_items():
            if isinstance(value, UploadFile):
                sent[name] = await value.read()
            elif "\0" in value or "\0" in name:
                raise Refused("invalid_request", "A text holds a zero byte.", field=name.replace("\0", ""))
            else:
                pairs.append((name, value))
    return Form.of(pairs, sent)


def _check_origin(request: Request, page: PageContext) -> None:
    """Refuse writes that another site makes a browser send, with someone signed in or not.

    Browsers name the site with every form; our pages have them do so (``Referrer-Policy``). Programs name none.
    """
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Refused("csrf", field="Sec-Fetch-Site", value=request.headers["sec-fetch-site"])
    origin = request.headers.get("origin")
    own = (urlsplit(page.ctx.settings.public_url).netloc, request.headers.get("host", ""))
    if origin is not None and urlsplit(origin).netloc.lower() not in {host.lower() for host in own}:
        raise Refused("csrf", field="Origin", value=origin)


def _check_ours(request: Request, page: PageContext, form: Form) -> None:
    """Refuse writes that do not come from a page of this session, and those of someone who writes too often."""
    wait = page.server.accounts.wait(page.actor.user_id) if page.actor.signed_in else 0
    if wait:
        raise too_often(wait)
    if page.actor.signed_in:
        given = request.headers.get("x-csrf-token") or form.text("csrf_token")
        if not hmac.compare_digest(given.encode(), csrf_token(request.cookies.get(COOKIE, "")).encode()):
            raise Refused("csrf", field="csrf_token")


def error_page(page: PageContext, error: Exception) -> Response:
    """Return the page (or, for htmx, the piece of one) that says what was refused, and why.

    Where the reader's account cannot be looked up, it is the page of someone who is not signed in.
    """
    known = problem_of(error)
    if known.code in ("not_signed_in", "bad_token"):
        return page.to_sign_in()
    if known.code == "csrf" and known.field == "csrf_token" and page.request.url.path in SIGN_IN_PAGES:
        return page.redirect(page.request.url.path)  # signed in meanwhile, in another window: that page says so
    try:
        return _told(page, known)
    except (PlayError, StorageError):
        return _told(anonymous(page.request), known)


def _told(page: PageContext, known: Refused) -> Response:
    shown = page.refusal(
        {"code": known.code, "message": known.detail, "field": known.field, "value": known.value,
         "problems": list(known.problems)}
    )  # fmt: skip
    if page.is_htmx:
        response = page.render("parts/problem.html", known.status_code, problem=shown)
        response.headers["HX-Retarget"] = "#problem"
        response.headers["HX-Reswap"] = "innerHTML"
    else:
        response = page.render("problem.html", known.status_code, problem=shown)
    for name, value in (known.headers or {}).items():
        response.headers[name] = value
    return response


def problem_of(error: Exception) -> Refused:
    """Return the answer for an exception."""
    if isinstance(error, PlayError):
        return from_play(error)
    if isinstance(error, Refused):
        return error
    if isinstance(error, StorageError):
        return in_storage(error)
    if isinstance(error, HTTPException) and error.status_code == 405:
        return Refused("method_not_allowed", headers=error.headers)
    if isinstance(error, HTTPException) and error.status_code != 404:
        return Refused("invalid_request", str(error.detail))
    if isinstance(error, RequestValidationError):
        return Refused("not_found")
    return Refused("not_found")
