"""Running the server: its state, campaigns, accounts, deliveries that fail, reports of people."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Path, Query, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints
from server.api.pages import Page, PortionDep, cut
from server.api.routers.accounts import Email, Name
from server.http.context import Server
from server.http.responses import created
from server.play.audit import AdminActInfo
from server.play.context import Actor
from server.play.operating import administration, campaign_overview, user_admin
from server.play.operating.administration import FailedDelivery, ReportShown, ServerStatus
from server.play.operating.campaign_overview import Overview
from server.play.operating.user_admin import UserInfo

router = Endpoints("admin", "/admin")

Text = Annotated[str, Query(max_length=200)]
Status = Literal["open", "running", "paused", "finished", "archived", "deleted"]
Number = Annotated[int, Path(ge=1, le=2**53)]


class NewName(Body):
    """Another name of an account."""

    name: Name


class NewAddress(Body):
    """Another mail address of an account."""

    email: Email | None = Field(description="Null: it has none.")
    confirmed: bool = Field(False, description="It is theirs: one that is not confirmed is no way to sign in.")


class AdminWanted(Body):
    """Whether an account runs the server."""

    admin: bool


class ClosingWanted(Body):
    """Whether an account is closed."""

    closed: bool


class Ban(Body):
    """A ban."""

    days: int = Field(ge=1, le=3650, examples=[7])
    why: str = Field("", max_length=10_000, description="For the other admins.", examples=["Insults in messages."])


class Settlement(Body):
    """The outcome of a report."""

    note: str = Field("", max_length=4000, description="For the other admins.", examples=["We talked to them."])


@router.get("/status", ServerStatus, admin=True)
def get_server_status(call: CallDep) -> Response:
    """Return how the server stands: version, size of the database, how many of what there are."""
    return call.answer(administration.status(call.ctx, call.actor))


@router.get("/campaigns", Page[Overview], admin=True)
def list_all_campaigns(
    call: CallDep, portion: PortionDep, status: Annotated[Status | None, Query()] = None, text: Text = ""
) -> Response:
    """Return all campaigns whose name holds `text`, the newest first; deleted ones only with that `status`."""
    call.actor.require_admin()
    found = campaign_overview.campaigns(call.ctx, status=status or "", text=text)
    return call.answer(cut(found, portion))


@router.get("/accounts", Page[UserInfo], admin=True)
def list_accounts(call: CallDep, portion: PortionDep, text: Text = "") -> Response:
    """Return the accounts whose name or mail address holds `text`, by name."""
    return call.answer(cut(administration.accounts(call.ctx, call.actor, text, maximum=None), portion))


@router.put("/accounts/{user_id}/name", UserInfo, "name_taken", admin=True)
def rename_account(call: CallDep, user_id: str, body: NewName) -> Response:
    """Give an account another name, any that is free. Its seats keep theirs."""
    user_admin.rename(call.ctx, call.actor, user_id, body.name)
    return _account(call.server, call.actor, user_id)


@router.put("/accounts/{user_id}/email", UserInfo, "email_taken", admin=True)
def change_address(call: CallDep, user_id: str, body: NewAddress) -> Response:
    """Give an account another mail address, or none."""
    user_admin.set_email(call.ctx, call.actor, user_id, body.email, confirmed=body.confirmed)
    return _account(call.server, call.actor, user_id)


@router.put("/accounts/{user_id}/email/confirmation", UserInfo, "email_taken", admin=True)
def confirm_address(call: CallDep, user_id: str) -> Response:
    """Take the mail address that an account has as confirmed. `conflict`: it has none."""
    user_admin.confirm_email(call.ctx, call.actor, user_id)
    return _account(call.server, call.actor, user_id)


@router.put("/accounts/{user_id}/admin", UserInfo, admin=True)
def make_admin(call: CallDep, user_id: str, body: AdminWanted) -> Response:
    """Make someone else an admin, or withdraw it."""
    user_admin.set_admin(call.ctx, call.actor, user_id, body.admin)
    return _account(call.server, call.actor, user_id)


@router.put("/accounts/{user_id}/closed", UserInfo, admin=True)
def close_somebodys_account(call: CallDep, user_id: str, body: ClosingWanted) -> Response:
    """Close someone else's account, or open it again: it cannot sign in while it is closed. Its seats stay."""
    change = user_admin.disable if body.closed else user_admin.enable
    change(call.ctx, call.actor, user_id)
    return _account(call.server, call.actor, user_id)


@router.put("/accounts/{user_id}/ban", UserInfo, admin=True)
def ban_account(call: CallDep, user_id: str, body: Ban) -> Response:
    """Ban someone else's account for a time: it cannot sign in, its tokens and bots do nothing. Its seats stay."""
    user_admin.ban(call.ctx, call.actor, user_id, body.days, body.why)
    return _account(call.server, call.actor, user_id)


@router.delete("/accounts/{user_id}/ban", admin=True)
def lift_ban(call: CallDep, user_id: str) -> None:
    """Let a banned account sign in again. `conflict`: it is not banned."""
    user_admin.lift_ban(call.ctx, call.actor, user_id)


@router.put("/accounts/{user_id}/approval", UserInfo, admin=True)
def approve_account(call: CallDep, user_id: str) -> Response:
    """Let a new account in, where sign-up needs it. `conflict`: it does not wait."""
    user_admin.approve(call.ctx, call.actor, user_id)
    return _account(call.server, call.actor, user_id)


@router.get("/acts", Page[AdminActInfo], admin=True)
def list_admin_acts(call: CallDep, portion: PortionDep) -> Response:
    """Return what admins did, the latest first; at most 1,000."""
    found = administration.acts(call.ctx, call.actor, maximum=administration.LISTED)
    return call.answer(cut(found, portion))


@router.delete("/accounts/{user_id}/second-factor", admin=True)
def reset_second_factor(call: CallDep, user_id: str) -> None:
    """Take someone's second factor away, who lost their app and codes. `conflict`: they have none."""
    administration.reset_second_factor(call.ctx, call.actor, user_id)


@router.get("/deliveries", Page[FailedDelivery], admin=True)
def list_failed_deliveries(call: CallDep, portion: PortionDep) -> Response:
    """Return the mails, posts and pushes that failed, the latest first; at most 1,000."""
    found = administration.failed_deliveries(call.ctx, call.actor, maximum=administration.LISTED)
    return call.answer(cut(found, portion))


@router.post("/deliveries/{delivery_id}/retry", admin=True)
def retry_delivery(call: CallDep, delivery_id: Number) -> None:
    """Have a delivery tried again now, also one that was given up."""
    administration.try_again(call.ctx, call.actor, delivery_id)


@router.get("/reports", Page[ReportShown], admin=True)
def list_person_reports(call: CallDep, portion: PortionDep) -> Response:
    """Return what people reported of others, open reports first, then the latest; at most 1,000."""
    found = administration.reports(call.ctx, call.actor, maximum=administration.LISTED)
    return call.answer(cut(found, portion))


@router.put("/reports/{report_id}/settlement", admin=True)
def settle_person_report(call: CallDep, report_id: str, body: Settlement) -> None:
    """Note that a report was dealt with, and how."""
    administration.settle_report(call.ctx, call.actor, report_id, body.note)


def _account(parts: Server, actor: Actor, user_id: str) -> Response:
    return created(administration.account(parts.ctx, actor, user_id), 200)
