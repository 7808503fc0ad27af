"""The visit of a page and its answer: a page, another address, or a refusal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, cast
from urllib.parse import quote, urlsplit
from zoneinfo import ZoneInfo

from fastapi import Depends, Request, Response

from server.http.context import Server
from server.http.error_codes import ALL_CODES, STATUSES
from server.http.problems import BUSY_HEADERS
from server.http.signing import COOKIE, csrf_token
from server.play.accounts import accounts
from server.play.accounts.accounts import Account
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.people import guests
from server.play.views import positions
from server.play.views.positions import Finality
from server.render.translations import choose
from server.web.forms import Form
from server.web.templating import site
from server.web.translations import UTC, Translations

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Content security policy of all pages: nothing from elsewhere, nothing inline."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "private, no-store",
    "Vary": "Cookie",
    "Referrer-Policy": "same-origin",  # with no-referrer browsers do not name the site a form is from
}
"""Headers of all pages."""
RULES = "/rules/wh40k-2001"
"""The rulebook of pages that belong to no campaign: that of the ruleset it was written for."""
SIGN_IN_PAGES = ("/sign-in", "/sign-up", "/mail-link", "/link")
"""Pages on which one comes in."""
_JOIN = re.compile(r"/join/([^/?#]+)")
FLASH_COOKIE = "sealed_orders_said"
"""Cookie with the key of a sentence (``said.*``) that the next page shows once."""


@dataclass(frozen=True)
class PageContext:
    """One request for a page."""

    request: Request
    server: Server
    actor: Actor
    form: Form = field(default_factory=Form)

    @cached_property
    def account(self) -> Account | None:
        """The reader's; looked up on first use."""
        return accounts.me(self.ctx, self.actor) if self.actor.signed_in else None

    @cached_property
    def t(self) -> Translations:
        """The texts in the reader's language, with times in their zone."""
        if self.account is None:
            return Translations(self.asked_language, UTC)
        language = choose(self.account.locale) if self.account.locale else self.asked_language
        return Translations(language, ZoneInfo(self.account.time_zone) if self.account.time_zone else UTC)

    def finality(self, campaign_id: str) -> dict[str, Finality]:
        """Return the final seats of the open phase, as far as the reader may know; looked up on first use."""
        if campaign_id not in self._finality:
            try:
                found = positions.finality(self.ctx, self.actor, campaign_id)
            except PlayError:
                found = []
            self._finality[campaign_id] = {seat.player_id: seat for seat in found}
        return self._finality[campaign_id]

    @cached_property
    def _finality(self) -> dict[str, dict[str, Finality]]:
        return {}

    @property
    def asked_language(self) -> str:
        """Our language that the browser prefers."""
        return choose(self.request.headers.get("accept-language", ""))

    @property
    def ctx(self) -> AppContext:
        """The way to the use cases."""
        return self.server.ctx

    @property
    def csrf(self) -> str:
        """What forms and scripts send along with every write; empty where nobody is signed in."""
        return csrf_token(self.request.cookies.get(COOKIE, "")) if self.actor.signed_in else ""

    @property
    def sends_mail(self) -> bool:
        """True when mails leave this server; else they wait until its operator has set that up."""
        return bool(self.ctx.settings.smtp_host) or self.ctx.settings.mail_to_log

    @property
    def invitation(self) -> str:
        """The code of the invitation on this page, or the one to return to after sign-in; empty if there is none."""
        path = self.request.url.path
        if path in SIGN_IN_PAGES:
            path = safe_path(self.request.query_params.get("next") or self.form.text("next"))
        return found[1] if (found := _JOIN.match(path)) else ""

    @property
    def may_sign_up(self) -> bool:
        """True if someone can create an account from here."""
        return accounts.may_sign_up(self.ctx, self.invitation)

    @property
    def came_from(self) -> str:
        """Our page that a form was sent from; empty if the browser names none."""
        parts = urlsplit(self.request.headers.get("referer", ""))
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        return safe_path(path, "") if parts.netloc == self.request.headers.get("host") else ""

    @property
    def guests_allowed(self) -> bool:
        """True where someone may play without an account."""
        return guests.allowed(self.ctx)

    @property
    def is_htmx(self) -> bool:
        """True when the browser needs a piece of a page, not a whole one."""
        return self.request.headers.get("hx-request") == "true"

    @property
    def seat(self) -> str | None:
        """The chosen seat of a person who orders for several as a substitute."""
        return self.request.query_params.get("seat") or None

    @staticmethod
    def seat_query(seat: str | None) -> str:
        """Return the end of an address for this seat; nothing for the person's own."""
        return f"?seat={quote(seat, safe='')}" if seat else ""

    @property
    def said(self) -> str:
        """The key of the sentence that is shown once, ``said.*``; empty for none."""
        key = self.request.cookies.get(FLASH_COOKIE, "")
        return f"said.{key}" if key else ""

    def render(self, template: str, status: int = 200, *, error: PlayError | None = None, **content: Any) -> Response:
        """Return a page filled in from *content*; with *error* it says what was refused, and has its status."""
        said = self.said if self.said and self.t.has(self.said) else ""
        problem = self.refusal(error) if error else None
        status = self.status_of(error) if error else status
        around = {"page": self, "t": self.t, "said": said, "problem": problem, "rules_base": _rules_base(content)}
        html = site().fill(template, {**around, **content})
        more = BUSY_HEADERS if status == STATUSES["busy"] else {}
        response = Response(html, status, HEADERS | more, "text/html")
        if self.said and not self.is_htmx:
            response.delete_cookie(FLASH_COOKIE, path="/")
        return response

    def redirect(self, address: str, said: str = "") -> Response:
        """Redirect the browser to another page of the server, which shows the sentence ``said.<said>``."""
        if self.is_htmx:
            response = Response(status_code=204, headers={"HX-Redirect": address})
        else:
            response = Response(status_code=303, headers={"Location": address})
        if said:
            response.set_cookie(FLASH_COOKIE, said, max_age=60, httponly=True, samesite="lax", path="/")
        return response

    def to_sign_in(self) -> Response:
        """Send someone who is not signed in to where they can, and back afterwards: with a form, to its page."""
        if self.request.method == "GET":
            return self.redirect(f"/sign-in{self.next_query or '?next=/'}")
        return self.redirect(f"/sign-in?next={quote(self.came_from or '/', safe='/')}", said="not_saved")

    @property
    def next_query(self) -> str:
        """The end of sign-in addresses that leads back here; on the sign-in pages, back to their own target."""
        url = self.request.url
        if url.path in SIGN_IN_PAGES:
            wanted = safe_path(self.request.query_params.get("next") or self.form.text("next"))
        elif self.request.method == "GET" and not self.is_htmx:
            wanted = url.path + (f"?{url.query}" if url.query else "")
        else:
            wanted = "/"
        return "" if wanted == "/" else f"?next={quote(wanted, safe='/')}"

    def refusal(self, error: PlayError | Mapping[str, Any]) -> dict[str, Any]:
        """Return a refusal as templates show it: code, title, message, field, value, problems."""
        if isinstance(error, PlayError):
            error = {"code": error.code, "message": error.message, "field": error.field, "value": error.value,
                     "problems": list(error.problems)}  # fmt: skip
        code = str(error["code"])
        title = self.t(f"refusal.{code}") if self.t.has(f"refusal.{code}") else f"{ALL_CODES[code].title}."
        if code == "not_found" and error.get("message"):
            title = self.t.translate(error["message"])
        return {"field": "", "value": None, "problems": [], "message": ""} | dict(error) | {"title": title}

    def status_of(self, error: PlayError) -> int:
        """Return the HTTP status of a refusal."""
        return ALL_CODES[error.code].status


def _rules_base(content: Mapping[str, Any]) -> str:
    """Return where the rulebook of a page is: a campaign's own on its pages."""
    campaign = content.get("campaign")
    return f"/campaigns/{campaign.id}/rules" if isinstance(campaign, CampaignInfo) else RULES


def safe_path(wanted: str, otherwise: str = "/") -> str:
    """Return an address to go to after signing in: only one of this server, whatever the request says."""
    parts = urlsplit(wanted) if len(wanted) <= 2000 and wanted.isprintable() else None
    if parts is None or parts.scheme or parts.netloc or not wanted.startswith("/") or wanted[1:2] in ("/", "\\"):
        return otherwise
    return wanted


async def _page(request: Request) -> PageContext:  # a plain function would wait for a thread
    return cast(PageContext, request.state.page)


PageDep = Annotated[PageContext, Depends(_page)]
"""Parameter of pages: who looks; set by :class:`server.web.route.PageRoute`."""
