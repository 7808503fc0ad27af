"""One's own settings: profile, password, mail, how one is told, webhooks, tokens, bots, sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from server.api.signing import check_sign_in, drop_cookie
from server.play import account_closing, accounts, links, tokens, webhooks
from server.play.context import SCOPES
from server.play.errors import PlayError
from server.play.notices import CHANNELS, KINDS
from server.play.webhooks import FORMATS
from server.web.route import PageRoute
from server.web.routers.new_campaign import zones
from server.web.texts import languages
from server.web.visits import Visit, Visiting

router = APIRouter(route_class=PageRoute, prefix="/settings")


@router.get("")
def settings(visit: Visiting) -> Response:
    """Show everything one may set."""
    return _page(visit)


@router.get("/notices.json")
def notices(visit: Visiting) -> Response:
    """Return which notices a page shows while it is open, and their words."""
    chosen = webhooks.notifications(visit.ctx, visit.actor)
    told = {kind: visit.t(f"notice.{kind}") for kind in KINDS if chosen[kind]["browser"]}
    return JSONResponse(told, headers={"Cache-Control": "no-store"})


@router.post("/profile")
def change_profile(visit: Visiting) -> Response:
    """Change name, language and time zone."""
    form = visit.form

    def change() -> None:
        accounts.change_profile(
            visit.ctx, visit.actor, name=form.text("name"), locale=form.text("locale"),
            time_zone=form.text("time_zone"), revision=form.whole("revision"),
        )  # fmt: skip

    return _do(visit, "profile", change)


@router.post("/password")
def change_password(visit: Visiting) -> Response:
    """Set a password; all other sessions end."""
    form = visit.form
    old = form.secret("old") or None
    return _do(
        visit, "password", lambda: accounts.change_password(visit.ctx, visit.actor, form.secret("password"), old=old)
    )


@router.post("/mail")
def change_mail(visit: Visiting) -> Response:
    """Set a mail address; it counts once the link that is mailed there is followed."""
    return _do(visit, "mail", lambda: links.request_confirmation(visit.ctx, visit.actor, visit.form.text("email")))


@router.post("/notices")
def choose_notices(visit: Visiting) -> Response:
    """Change how one is told, all boxes at once."""
    ticked = set(visit.form.many("told"))
    wanted = {kind: {channel: f"{kind}.{channel}" in ticked for channel in CHANNELS} for kind in KINDS}
    return _do(visit, "notices", lambda: webhooks.choose_notifications(visit.ctx, visit.actor, wanted))


@router.post("/webhooks")
def add_webhook(visit: Visiting) -> Response:
    """Have one's notices posted somewhere; the key is shown this once."""
    form = visit.form
    try:
        made = webhooks.create(
            visit.ctx, visit.actor, form.text("url"), format_=form.text("format"), kinds=form.many("kinds")
        )
    except PlayError as error:
        return _page(visit, "webhooks", error)
    return _page(visit, "webhooks", secret=made.secret) if made.secret else _done(visit, "webhooks")


@router.post("/webhooks/{webhook_id}/switch")
def switch_webhook(visit: Visiting, webhook_id: str) -> Response:
    """Switch a webhook on or off."""
    enabled = visit.form.flag("enabled")
    return _do(visit, "webhooks", lambda: webhooks.change(visit.ctx, visit.actor, webhook_id, enabled=enabled))


@router.post("/webhooks/{webhook_id}/remove")
def remove_webhook(visit: Visiting, webhook_id: str) -> Response:
    """Take a webhook away."""
    return _do(visit, "webhooks", lambda: webhooks.remove(visit.ctx, visit.actor, webhook_id))


@router.post("/tokens")
def add_token(visit: Visiting) -> Response:
    """Make a token for a program of one's own, or for a bot; it is shown this once."""
    form = visit.form
    bot = form.optional("bot")
    section = "bots" if bot else "tokens"
    try:
        made = tokens.create(
            visit.ctx, visit.actor, form.text("name"), form.many("scopes"), days=form.whole("days"), for_bot=bot
        )
    except PlayError as error:
        return _page(visit, section, error)
    return _page(visit, section, secret=made.secret)


@router.post("/tokens/{token_id}/revoke")
def revoke_token(visit: Visiting, token_id: str) -> Response:
    """Make a token or session worthless."""
    section = visit.form.text("section")
    known = section if section in ("tokens", "bots", "sessions") else "tokens"
    return _do(visit, known, lambda: tokens.revoke(visit.ctx, visit.actor, token_id))


@router.post("/sessions/end-others")
def end_other_sessions(visit: Visiting) -> Response:
    """Sign out everywhere else."""
    return _do(visit, "sessions", lambda: accounts.sign_out_everywhere(visit.ctx, visit.actor))


@router.post("/bots")
def add_bot(visit: Visiting) -> Response:
    """Make an account for a program."""
    return _do(visit, "bots", lambda: accounts.create_bot(visit.ctx, visit.actor, visit.form.text("name")))


@router.post("/bots/{bot_id}/remove")
def remove_bot(visit: Visiting, bot_id: str) -> Response:
    """Close a bot's account."""
    return _do(visit, "bots", lambda: accounts.remove_bot(visit.ctx, visit.actor, bot_id))


@router.get("/close")
def close_page(visit: Visiting) -> Response:
    """Say what closing one's account means."""
    return _closing(visit)


@router.post("/close")
def close(visit: Visiting) -> Response:
    """Close one's account for good."""
    check_sign_in(visit.server, visit.request)
    try:
        account_closing.close(visit.ctx, visit.actor, visit.form.secret("password"))
    except PlayError as error:
        return _closing(visit, error)
    response = visit.go("/", said="account_closed")
    drop_cookie(visit.server, response)
    return response


# --- inside ---


def _closing(visit: Visit, error: PlayError | None = None) -> Response:
    found, t = account_closing.preview(visit.ctx, visit.actor), visit.t
    facts = [
        t(f"closing.{key}", campaigns=", ".join(each.name for each in concerned))
        for key, concerned in (("leaves", found.leaves), ("stood_in", found.stood_in))
        if concerned
    ]
    facts += [t("closing.bots", names=", ".join(found.bots))] if found.bots else []
    facts += [t(f"closing.{key}") for key in ("gone", "name", "stays", "no_way_back")]
    return visit.page(
        "close_account.html", 200 if error is None else visit.status_of(error), closing=found, facts=facts,
        problem=visit.refusal(error) if error else None,
    )  # fmt: skip


def _do(visit: Visit, section: str, work: Callable[[], Any]) -> Response:
    try:
        work()
    except PlayError as error:
        return _page(visit, section, error)
    return _done(visit, section)


def _done(visit: Visit, section: str) -> Response:
    return visit.go(f"/settings#{section}", said=f"set_{section}")


def _page(visit: Visit, section: str = "", error: PlayError | None = None, secret: str = "") -> Response:
    ctx, actor = visit.ctx, visit.actor
    every = tokens.listed(ctx, actor)
    bots = [(each, tokens.listed(ctx, actor, for_bot=each.id)) for each in accounts.bots(ctx, actor)]
    return visit.page(
        "settings.html", 200 if error is None else visit.status_of(error), account=accounts.me(ctx, actor),
        languages=sorted(languages()), zones=zones(), told=webhooks.notifications(ctx, actor), channels=CHANNELS,
        hooks=webhooks.listed(ctx, actor), formats=FORMATS, notice_kinds=KINDS, scopes=SCOPES, bots=bots,
        personal=[each for each in every if each.kind == "personal"],
        sessions=[each for each in every if each.kind == "session"],
        section=section, problem=visit.refusal(error) if error else None, secret=secret,
    )  # fmt: skip
