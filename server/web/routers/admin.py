"""The operator's pages: the server's state, campaigns, accounts, deliveries that fail, reports, imports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from fastapi import Response

from server.api.routers.administration import Number
from server.play.archive import record_import
from server.play.errors import PlayError
from server.play.operating import administration, campaign_overview, user_admin
from server.store.tables import STATUSES
from server.web.page_context import PageContext, PageDep
from server.web.route import PageRouter

router = PageRouter("/admin")
SECTIONS = ("server", "campaigns", "accounts", "deliveries", "reports", "acts", "imports")


@router.get("")
def server(page: PageDep) -> Response:
    """Show how the server stands."""
    return _page(page, "server")


@router.get("/campaigns")
def campaigns(page: PageDep, status: str = "", text: str = "") -> Response:
    """Show all campaigns."""
    return _page(page, "campaigns", wanted=status if status in STATUSES else "", text=text)


@router.get("/accounts")
def accounts(page: PageDep, text: str = "") -> Response:
    """Show accounts."""
    return _page(page, "accounts", text=text)


@router.post("/accounts/{user_id}/close")
def close_account(page: PageDep, user_id: str) -> Response:
    """Close someone's account."""
    return _do(page, "accounts", lambda: user_admin.disable(page.ctx, page.actor, user_id))


@router.post("/accounts/{user_id}/open")
def open_account(page: PageDep, user_id: str) -> Response:
    """Open a closed account again."""
    return _do(page, "accounts", lambda: user_admin.enable(page.ctx, page.actor, user_id))


@router.post("/accounts/{user_id}/ban")
def ban(page: PageDep, user_id: str) -> Response:
    """Ban someone's account for a time."""
    form = page.form
    return _do(
        page,
        "accounts",
        lambda: user_admin.ban(page.ctx, page.actor, user_id, form.integer("days", 0) or 0, form.text("why")),
    )


@router.post("/accounts/{user_id}/unban")
def lift_ban(page: PageDep, user_id: str) -> Response:
    """Let a banned account sign in again."""
    return _do(page, "accounts", lambda: user_admin.lift_ban(page.ctx, page.actor, user_id))


@router.post("/accounts/{user_id}/approve")
def approve(page: PageDep, user_id: str) -> Response:
    """Let a new account in."""
    return _do(page, "accounts", lambda: user_admin.approve(page.ctx, page.actor, user_id))


@router.get("/acts")
def acts(page: PageDep) -> Response:
    """Show what admins did."""
    return _page(page, "acts")


@router.get("/accounts/{user_id}/second-factor")
def reset_second_factor_page(page: PageDep, user_id: str, text: str = "") -> Response:
    """Say what taking someone's second factor away means."""
    found, t = administration.account(page.ctx, page.actor, user_id), page.t
    return page.render(
        "confirm.html",
        title=t("admin.reset_factor_named", name=found.name),
        facts=[t(f"admin.reset_factor_{fact}", name=found.name) for fact in ("alone", "sessions", "sure")],
        action=f"/admin/accounts/{user_id}/second-factor",
        button=t("admin.reset_factor"),
        back=_section("accounts", text),
        hidden={"text": text},
        why="",
        danger=True,
    )


@router.post("/accounts/{user_id}/second-factor")
def reset_second_factor(page: PageDep, user_id: str) -> Response:
    """Take someone's second factor away."""
    return _do(page, "accounts", lambda: administration.reset_second_factor(page.ctx, page.actor, user_id))


@router.post("/accounts/{user_id}/admin")
def set_admin(page: PageDep, user_id: str) -> Response:
    """Make someone an admin, or end it."""
    admin = page.form.flag("admin")
    return _do(page, "accounts", lambda: user_admin.set_admin(page.ctx, page.actor, user_id, admin))


@router.post("/accounts/{user_id}/name")
def rename(page: PageDep, user_id: str) -> Response:
    """Give an account another name."""
    name = page.form.text("name")
    return _do(page, "accounts", lambda: user_admin.rename(page.ctx, page.actor, user_id, name))


@router.post("/accounts/{user_id}/address")
def set_email(page: PageDep, user_id: str) -> Response:
    """Give an account another mail address, or none."""
    email, confirmed = page.form.optional("email"), page.form.flag("confirmed")
    return _do(
        page,
        "accounts",
        lambda: user_admin.set_email(page.ctx, page.actor, user_id, email, confirmed=confirmed),
    )


@router.post("/accounts/{user_id}/confirm")
def confirm_email(page: PageDep, user_id: str) -> Response:
    """Take an account's mail address as confirmed."""
    return _do(page, "accounts", lambda: user_admin.confirm_email(page.ctx, page.actor, user_id))


@router.get("/deliveries")
def deliveries(page: PageDep) -> Response:
    """Show mails and posts that did not get there."""
    return _page(page, "deliveries")


@router.post("/deliveries/{number}")
def try_again(page: PageDep, number: Number) -> Response:
    """Try one again."""
    return _do(page, "deliveries", lambda: administration.try_again(page.ctx, page.actor, number))


@router.get("/reports")
def reports(page: PageDep) -> Response:
    """Show people's reports on others."""
    return _page(page, "reports")


@router.post("/reports/{report_id}")
def settle_report(page: PageDep, report_id: str) -> Response:
    """Note that a report was seen to."""
    note = page.form.text("note")
    return _do(page, "reports", lambda: administration.settle_report(page.ctx, page.actor, report_id, note))


@router.get("/imports")
def imports(page: PageDep) -> Response:
    """Show where a campaign's record is brought in."""
    return _page(page, "imports")


@router.post("/imports")
def bring_in(page: PageDep) -> Response:
    """Bring a campaign in; it is verified first."""
    try:
        page.actor.require_admin()
        info = record_import.import_(page.ctx, page.actor, page.form.files.get("record", b""))
    except PlayError as error:
        return _page(page, "imports", error)
    return page.redirect(f"/campaigns/{info.id}", said="imported")


# --- inside ---


def _do(page: PageContext, section: str, work: Callable[[], Any]) -> Response:
    try:
        work()
    except PlayError as error:
        return _page(page, section, error, text=page.form.text("text"))
    return page.redirect(_section(section, page.form.text("text")), said="admin_done")


def _section(section: str, text: str) -> str:
    """Return a section's address, with its search."""
    return f"/admin/{section}" + (f"?{urlencode({'text': text})}" if text else "")


def _page(
    page: PageContext, section: str, error: PlayError | None = None, *, wanted: str = "", text: str = ""
) -> Response:
    ctx, actor = page.ctx, page.actor
    found: dict[str, Any] = {"stands": administration.status(ctx, actor)}
    if section == "campaigns":
        found["campaigns"] = campaign_overview.campaigns(ctx, status=wanted, text=text)[: administration.SHOWN]
    elif section == "accounts":
        found["accounts"] = administration.accounts(ctx, actor, text)
    elif section == "deliveries":
        found["deliveries"] = administration.failed_deliveries(ctx, actor)
    elif section == "reports":
        found["reports"] = administration.reports(ctx, actor)
    elif section == "acts":
        found["acts"] = administration.acts(ctx, actor)
    return page.render(
        "admin.html",
        sections=SECTIONS,
        section=section,
        statuses=STATUSES,
        wanted=wanted,
        text=text,
        error=error,
        **found,
    )
