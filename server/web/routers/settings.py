"""One's own settings: profile, password, mail, how one is told, webhooks, tokens, bots, sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from server.api.signing import check_sign_in, drop_cookie
from server.play import account_closing, accounts, links, mail_choice, tokens, webhooks
from server.play.context import SCOPES
from server.play.errors import PlayError
from server.play.notices import CHANNELS, KINDS
from server.play.webhooks import FORMATS
from server.web.page_context import PageContext, PageDep
from server.web.route import PageRoute
from server.web.routers.new_campaign import zones
from server.web.translations import languages

router = APIRouter(route_class=PageRoute, prefix="/settings")


@router.get("")
def settings(page: PageDep) -> Response:
    """Show everything one may set."""
    return _page(page)


@router.get("/notices.json")
def notices(page: PageDep) -> Response:
    """Return which notices a page shows while it is open, and their words."""
    chosen = webhooks.notifications(page.ctx, page.actor)
    told = {kind: page.t(f"notice.{kind}") for kind in KINDS if chosen[kind]["browser"]}
    return JSONResponse(told, headers={"Cache-Control": "no-store"})


@router.post("/profile")
def change_profile(page: PageDep) -> Response:
    """Change name, language and time zone."""
    form = page.form

    def change() -> None:
        accounts.change_profile(
            page.ctx, page.actor, name=form.text("name"), locale=form.text("locale"),
            time_zone=form.text("time_zone"), revision=form.integer("revision"),
        )  # fmt: skip

    return _do(page, "profile", change)


@router.post("/password")
def change_password(page: PageDep) -> Response:
    """Set a password; all other sessions end."""
    form = page.form
    old = form.secret("old") or None
    return _do(
        page, "password", lambda: accounts.change_password(page.ctx, page.actor, form.secret("password"), old=old)
    )


@router.post("/mail")
def change_mail(page: PageDep) -> Response:
    """Set a mail address; it counts once the link that is mailed there is followed."""
    return _do(page, "mail", lambda: links.request_confirmation(page.ctx, page.actor, page.form.text("email")))


@router.post("/mail-choice")
def choose_mail(page: PageDep) -> Response:
    """Choose how much of a campaign comes by mail: each phase, each turn, reminders only, nothing."""
    return _do(page, "mail", lambda: mail_choice.choose(page.ctx, page.actor, page.form.text("mail")))


@router.post("/notices")
def choose_notices(page: PageDep) -> Response:
    """Change how one is told, all boxes at once."""
    ticked = set(page.form.many("told"))
    wanted = {kind: {channel: f"{kind}.{channel}" in ticked for channel in CHANNELS} for kind in KINDS}
    return _do(page, "notices", lambda: webhooks.choose_notifications(page.ctx, page.actor, wanted))


@router.post("/webhooks")
def add_webhook(page: PageDep) -> Response:
    """Have one's notices posted somewhere; the key is shown this once."""
    form = page.form
    try:
        made = webhooks.create(
            page.ctx, page.actor, form.text("url"), format_=form.text("format"), kinds=form.many("kinds")
        )
    except PlayError as error:
        return _page(page, "webhooks", error)
    return _page(page, "webhooks", secret=made.secret) if made.secret else _done(page, "webhooks")


@router.post("/webhooks/{webhook_id}/switch")
def switch_webhook(page: PageDep, webhook_id: str) -> Response:
    """Switch a webhook on or off."""
    enabled = page.form.flag("enabled")
    return _do(page, "webhooks", lambda: webhooks.change(page.ctx, page.actor, webhook_id, enabled=enabled))


@router.post("/webhooks/{webhook_id}/remove")
def remove_webhook(page: PageDep, webhook_id: str) -> Response:
    """Take a webhook away."""
    return _do(page, "webhooks", lambda: webhooks.remove(page.ctx, page.actor, webhook_id))


@router.post("/tokens")
def add_token(page: PageDep) -> Response:
    """Make a token for a program of one's own, or for a bot; it is shown this once."""
    form = page.form
    bot = form.optional("bot")
    section = "bots" if bot else "tokens"
    try:
        made = tokens.create(
            page.ctx, page.actor, form.text("name"), form.many("scopes"), days=form.integer("days"), for_bot=bot
        )
    except PlayError as error:
        return _page(page, section, error)
    return _page(page, section, secret=made.secret)


@router.post("/tokens/{token_id}/revoke")
def revoke_token(page: PageDep, token_id: str) -> Response:
    """Make a token or session worthless."""
    section = page.form.text("section")
    known = section if section in ("tokens", "bots", "sessions") else "tokens"
    return _do(page, known, lambda: tokens.revoke(page.ctx, page.actor, token_id))


@router.post("/sessions/end-others")
def end_other_sessions(page: PageDep) -> Response:
    """Sign out everywhere else."""
    return _do(page, "sessions", lambda: accounts.sign_out_everywhere(page.ctx, page.actor))


@router.post("/bots")
def add_bot(page: PageDep) -> Response:
    """Make an account for a program."""
    return _do(page, "bots", lambda: accounts.create_bot(page.ctx, page.actor, page.form.text("name")))


@router.post("/bots/{bot_id}/remove")
def remove_bot(page: PageDep, bot_id: str) -> Response:
    """Close a bot's account."""
    return _do(page, "bots", lambda: accounts.remove_bot(page.ctx, page.actor, bot_id))


@router.get("/close")
def close_page(page: PageDep) -> Response:
    """Say what closing one's account means."""
    return _closing(page)


@router.post("/close")
def close(page: PageDep) -> Response:
    """Close one's account for good."""
    check_sign_in(page.server, page.request)
    try:
        account_closing.close(page.ctx, page.actor, page.form.secret("password"))
    except PlayError as error:
        return _closing(page, error)
    response = page.redirect("/", said="account_closed")
    drop_cookie(page.server, response)
    return response


# --- inside ---


def _closing(page: PageContext, error: PlayError | None = None) -> Response:
    found, t = account_closing.preview(page.ctx, page.actor), page.t
    facts = [
        t(f"closing.{key}", campaigns=", ".join(each.name for each in concerned))
        for key, concerned in (("leaves", found.leaves), ("stood_in", found.stood_in))
        if concerned
    ]
    facts += [t("closing.bots", names=", ".join(found.bots))] if found.bots else []
    facts += [t(f"closing.{key}") for key in ("gone", "name", "stays", "no_way_back")]
    return page.render(
        "close_account.html", 200 if error is None else page.status_of(error), closing=found, facts=facts,
        problem=page.refusal(error) if error else None,
    )  # fmt: skip


def _do(page: PageContext, section: str, work: Callable[[], Any]) -> Response:
    try:
        work()
    except PlayError as error:
        return _page(page, section, error)
    return _done(page, section)


def _done(page: PageContext, section: str) -> Response:
    return page.redirect(f"/settings#{section}", said=f"set_{section}")


def _page(page: PageContext, section: str = "", error: PlayError | None = None, secret: str = "") -> Response:
    ctx, actor = page.ctx, page.actor
    every = tokens.listed(ctx, actor)
    bots = [(each, tokens.listed(ctx, actor, for_bot=each.id)) for each in accounts.bots(ctx, actor)]
    return page.render(
        "settings.html", 200 if error is None else page.status_of(error), account=accounts.me(ctx, actor),
        languages=sorted(languages()), zones=zones(), told=webhooks.notifications(ctx, actor), channels=CHANNELS,
        hooks=webhooks.listed(ctx, actor), formats=FORMATS, notice_kinds=KINDS, scopes=SCOPES, bots=bots,
        personal=[each for each in every if each.kind == "personal"],
        sessions=[each for each in every if each.kind == "session"],
        section=section, problem=page.refusal(error) if error else None, secret=secret,
        mail_choices=mail_choice.CHOICES, mail_choice=mail_choice.choice(ctx, actor),
    )  # fmt: skip
