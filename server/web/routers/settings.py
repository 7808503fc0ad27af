"""Personal settings: profile, password, email, notifications, webhooks, tokens, bots, sessions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import orjson
from fastapi import Response
from fastapi.responses import JSONResponse

from server.http.signing import check_sign_in, drop_cookie
from server.play.accounts import accounts, blocking, links, second_factor_setup, tokens
from server.play.accounts.second_factor_setup import RecoveryCodes
from server.play.context import SCOPES, Actor, AppContext
from server.play.errors import PlayError
from server.play.notices import push, webhooks
from server.play.notices.notices import CHANNELS, KINDS
from server.play.notices.webhooks import FORMATS, WebhookTest
from server.play.people import account_closing, own_data
from server.play.schedule import calendar
from server.web.page_context import PageContext, PageDep
from server.web.route import PageRouter
from server.web.routers.new_campaign import zones
from server.web.translations import languages

router = PageRouter("/settings")


@router.get("")
def settings(page: PageDep) -> Response:
    """Show all settings; a guest first needs an account for them."""
    if page.actor.guest:
        return page.redirect("/keep?next=/settings")
    return _page(page)


@router.get("/notices.json")
def notices(page: PageDep) -> Response:
    """Return which notices a page shows while it is open, and their words."""
    chosen = webhooks.notifications(page.ctx, page.actor)
    told = {kind: page.t(f"notice.{kind}") for kind in KINDS if chosen[kind]["browser"]}
    return JSONResponse(told, headers={"Cache-Control": "no-store"})


@router.post("/profile")
def change_profile(page: PageDep) -> Response:
    """Change all of the profile."""
    form = page.form

    def change() -> None:
        wanted = cast("accounts.Profile", {name: form.text(name) for name in accounts.PROFILE})
        accounts.change_profile(page.ctx, page.actor, revision=form.integer("revision"), **wanted)

    return _do(page, "profile", change)


@router.post("/password")
def change_password(page: PageDep) -> Response:
    """Set a password; all other sessions end."""
    form = page.form
    old = form.secret("old") or None

    def change() -> None:
        _prove(page)
        accounts.change_password(page.ctx, page.actor, form.secret("password"), old=old)

    return _do(page, "password", change)


@router.post("/proof")
def mail_proof(page: PageDep) -> Response:
    """Have a link mailed that signs in again: the proof of an account that has neither password nor code."""
    check_sign_in(page.server, page.request)
    email = accounts.me(page.ctx, page.actor).email
    if email is not None and "link" in second_factor_setup.proof_status(page.ctx, page.actor).ways:
        links.request_link(page.ctx, email, back="/settings")
    return page.redirect("/settings", said="set_proof")


@router.post("/factor")
def begin_factor(page: PageDep) -> Response:
    """Show what an authenticator app needs."""
    try:
        _prove(page)
        second_factor_setup.begin(page.ctx, page.actor, page.form.secret("password") or None)
    except PlayError as error:
        return _page(page, "factor", error)
    return _page(page, "factor")


@router.post("/factor/confirm")
def confirm_factor(page: PageDep) -> Response:
    """Switch the second factor on; recovery codes are shown this once."""
    return _with_codes(page, second_factor_setup.confirm)


@router.post("/factor/codes")
def new_recovery_codes(page: PageDep) -> Response:
    """Show new recovery codes; the ones before are worthless."""
    return _with_codes(page, second_factor_setup.new_recovery_codes)


@router.post("/factor/off")
def remove_factor(page: PageDep) -> Response:
    """Sign in without a code from now on."""
    code = page.form.text("code")
    return _do(page, "factor", lambda: second_factor_setup.switch_off(page.ctx, page.actor, code))


@router.post("/mail")
def change_mail(page: PageDep) -> Response:
    """Set a mail address; it counts once the link that is mailed there is followed."""

    def change() -> None:
        _prove(page)
        links.request_confirmation(page.ctx, page.actor, page.form.text("email"))

    return _do(page, "mail", change)


@router.post("/mail-choice")
def choose_mail(page: PageDep) -> Response:
    """Choose how much of a campaign comes by mail: each phase, each turn, reminders only, nothing."""
    return _do(page, "mail", lambda: webhooks.choose_mail(page.ctx, page.actor, page.form.text("mail")))


@router.post("/notices")
def choose_notices(page: PageDep) -> Response:
    """Change the notifications, all boxes at once."""
    ticked = set(page.form.many("told"))
    wanted = {kind: {channel: f"{kind}.{channel}" in ticked for channel in CHANNELS} for kind in KINDS}
    return _do(page, "notices", lambda: webhooks.choose_notifications(page.ctx, page.actor, wanted))


@router.post("/webhooks")
def add_webhook(page: PageDep) -> Response:
    """Add a webhook for the person's notifications; the key is shown once."""
    form = page.form
    try:
        made = webhooks.create(
            page.ctx, page.actor, form.text("url"), format_=form.text("format"), kinds=form.many("kinds")
        )
    except PlayError as error:
        return _page(page, "webhooks", error)
    return _page(page, "webhooks", secret=made.secret) if made.secret else _done(page, "webhooks")


@router.post("/webhooks/{webhook_id}/test")
def test_webhook(page: PageDep, webhook_id: str) -> Response:
    """Post a test and show its result."""
    try:
        result = webhooks.test(page.ctx, page.actor, webhook_id)
    except PlayError as error:
        return _page(page, "webhooks", error)
    return _page(page, "webhooks", tested=(webhook_id, result))


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
    """Create a token for the person's program or bot; it is shown once."""
    form = page.form
    bot = form.optional("bot")
    section = "bots" if bot else "tokens"
    try:
        _prove(page)
        made = tokens.create(
            page.ctx, page.actor, form.text("name"), form.many("scopes"), days=form.integer("days"), for_bot=bot
        )
    except PlayError as error:
        return _page(page, section, error)
    return _page(page, section, secret=made.secret)


@router.post("/calendar")
def make_calendar(page: PageDep) -> Response:
    """Make the private address of a calendar; it is shown this once, and the one before is worthless."""
    try:
        secret = calendar.new_address(page.ctx, page.actor)
    except PlayError as error:
        return _page(page, "calendar", error)
    return _page(page, "calendar", secret=calendar.address(page.ctx, secret))


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


@router.post("/bots/{bot_id}/games")
def list_bot(page: PageDep, bot_id: str) -> Response:
    """List a bot as open to games, or take it off the list."""
    plays = page.form.optional("plays")
    return _do(page, "bots", lambda: accounts.change_open_bot(page.ctx, page.actor, bot_id, plays))


@router.post("/bots/{bot_id}/remove")
def remove_bot(page: PageDep, bot_id: str) -> Response:
    """Close a bot's account."""
    return _do(page, "bots", lambda: accounts.remove_bot(page.ctx, page.actor, bot_id))


@router.post("/blocks")
def block(page: PageDep) -> Response:
    """Want nothing more of someone."""
    return _do(page, "blocks", lambda: blocking.block_account(page.ctx, page.actor, page.form.text("name")))


@router.post("/blocks/{block_id}/remove")
def unblock(page: PageDep, block_id: str) -> Response:
    """Take a block back."""
    return _do(page, "blocks", lambda: blocking.unblock(page.ctx, page.actor, block_id))


@router.get("/data.json")
def data(page: PageDep) -> Response:
    """Return everything the server keeps of one, as a file."""
    written = orjson.dumps(own_data.gather(page.ctx, page.actor), option=orjson.OPT_INDENT_2)
    headers = {"Content-Disposition": 'attachment; filename="sealed-orders-data.json"', "Cache-Control": "no-store"}
    return Response(written, headers=headers, media_type="application/json")


@router.get("/close")
def close_page(page: PageDep) -> Response:
    """Show the effects of closing the account."""
    return _closing(page)


@router.post("/close")
def close(page: PageDep) -> Response:
    """Close the account for good."""
    check_sign_in(page.server, page.request)
    try:
        _prove(page)
        account_closing.close(page.ctx, page.actor, page.form.secret("password"))
    except PlayError as error:
        return _closing(page, error)
    response = page.redirect("/", said="account_closed")
    drop_cookie(page.server, response)
    return response


# --- inside ---


def _prove(page: PageContext) -> None:
    """Take the proof of identity from the same form, if it has one."""
    given = page.form.secret("proof")
    if not given:
        return
    check_sign_in(page.server, page.request, page.actor.user_id)
    by_code = "code" in second_factor_setup.proof_status(page.ctx, page.actor).ways
    second_factor_setup.give_proof(page.ctx, page.actor, **{"code" if by_code else "password": given})


def _closing(page: PageContext, error: PlayError | None = None) -> Response:
    found, t = account_closing.preview(page.ctx, page.actor), page.t
    facts = [
        t(f"closing.{key}", campaigns=", ".join(campaign.name for campaign in concerned))
        for key, concerned in (("leaves", found.leaves), ("stood_in", found.stood_in))
        if concerned
    ]
    facts += [t("closing.bots", names=", ".join(found.bots))] if found.bots else []
    facts += [t(f"closing.{key}") for key in ("gone", "name", "stays", "no_way_back")]
    return page.render(
        "close_account.html",
        closing=found,
        facts=facts,
        proof=second_factor_setup.proof_status(page.ctx, page.actor),
        error=error,
    )


def _with_codes(page: PageContext, work: Callable[[AppContext, Actor, str], RecoveryCodes]) -> Response:
    try:
        _prove(page)
        made = work(page.ctx, page.actor, page.form.text("code"))
    except PlayError as error:
        return _page(page, "factor", error)
    return _page(page, "factor", recovery=made.codes)


def _do(page: PageContext, section: str, work: Callable[[], Any]) -> Response:
    try:
        work()
    except PlayError as error:
        return _page(page, section, error)
    return _done(page, section)


def _done(page: PageContext, section: str) -> Response:
    return page.redirect(f"/settings#{section}", said=f"set_{section}")


def _page(
    page: PageContext, section: str = "", error: PlayError | None = None, secret: str = "",
    tested: tuple[str, WebhookTest] | None = None, recovery: Sequence[str] = (),
) -> Response:  # fmt: skip
    ctx, actor = page.ctx, page.actor
    every = tokens.listed(ctx, actor)
    bots = [(account, tokens.listed(ctx, actor, for_bot=account.id)) for account in accounts.bots(ctx, actor)]
    new_factor = second_factor_setup.pending(ctx, actor)
    return page.render(
        "settings.html",
        account=accounts.me(ctx, actor),
        languages=sorted(languages()),
        zones=zones(),
        told=webhooks.notifications(ctx, actor),
        channels=CHANNELS,
        hooks=webhooks.listed(ctx, actor),
        formats=FORMATS,
        notice_kinds=KINDS,
        scopes=SCOPES,
        bots=bots,
        personal=[token for token in every if token.kind == "personal"],
        sessions=[token for token in every if token.kind == "session"],
        section=section,
        error=error,
        secret=secret,
        tested=tested,
        blocks=blocking.blocks(ctx, actor),
        reports=blocking.own_reports(ctx, actor),
        proof=second_factor_setup.proof_status(ctx, actor),
        factor=second_factor_setup.status(ctx, actor),
        new_factor=new_factor,
        recovery=recovery,
        qr=_as_qr_code(new_factor.uri) if new_factor else "",
        push_key=push.public_key(ctx.settings),
        mail_choices=webhooks.MAIL_CHOICES,
        mail_choice=webhooks.mail_choice(ctx, actor),
    )


def _as_qr_code(uri: str) -> str:
    import segno  # few ever see one

    return segno.make(uri).svg_data_uri(scale=4, border=2, light="white")
