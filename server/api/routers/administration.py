"""Running the server: its state, campaigns, accounts, deliveries that fail, reports of people."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.openapi import error_responses
from server.api.pages import Cursor, Limit, Page, cut
from server.api.routers.accounts import Email, Name
from server.api.routes import Route
from server.http.context import ActorDep, Server, ServerDep
from server.http.responses import created, json_response, no_content
from server.play.audit import AdminActInfo
from server.play.context import Actor
from server.play.operating import administration, campaign_overview
from server.play.operating.administration import FailedDelivery, ReportShown, ServerStatus
from server.play.operating.campaign_overview import Overview
from server.play.operating.user_admin import UserInfo

router = APIRouter(route_class=Route, tags=["admin"], prefix="/admin")

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


@router.get("/status", response_model=ServerStatus, openapi_extra=error_responses(admin=True))
def get_server_status(request: Request, parts: ServerDep, actor: ActorDep) -> Response:
    """Return how the server stands: version, size of the database, how many of what there are."""
    return json_response(request, administration.status(parts.ctx, actor))


@router.get("/campaigns", response_model=Page[Overview], openapi_extra=error_responses(admin=True))
def list_all_campaigns(
    request: Request,
    parts: ServerDep,
    actor: ActorDep,
    status: Annotated[Status | None, Query()] = None,
    text: Text = "",
    cursor: Cursor = "",
    limit: Limit = 50,
) -> Response:
    """Return all campaigns whose name holds `text`, the newest first; deleted ones only with that `status`."""
    administration.require_admin(actor)
    found = campaign_overview.campaigns(parts.ctx, status=status or "", text=text)
    return json_response(request, cut(found, cursor, limit))


@router.get("/accounts", response_model=Page[UserInfo], openapi_extra=error_responses(admin=True))
def list_accounts(
    request: Request, parts: ServerDep, actor: ActorDep, text: Text = "", cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return the accounts whose name or mail address holds `text`, by name."""
    return json_response(request, cut(administration.accounts(parts.ctx, actor, text, maximum=None), cursor, limit))


@router.put(
    "/accounts/{user_id}/name", response_model=UserInfo, openapi_extra=error_responses("name_taken", admin=True)
)
def rename_account(parts: ServerDep, actor: ActorDep, user_id: str, body: NewName) -> Response:
    """Give an account another name, any that is free. Its seats keep theirs."""
    administration.rename(parts.ctx, actor, user_id, body.name)
    return _account(parts, actor, user_id)


@router.put("/accounts/{user_id}/email", response_model=UserInfo,
            openapi_extra=error_responses("email_taken", admin=True))  # fmt: skip
def change_address(parts: ServerDep, actor: ActorDep, user_id: str, body: NewAddress) -> Response:
    """Give an account another mail address, or none."""
    administration.set_email(parts.ctx, actor, user_id, body.email, confirmed=body.confirmed)
    return _account(parts, actor, user_id)


@router.put("/accounts/{user_id}/email/confirmation", response_model=UserInfo,
            openapi_extra=error_responses("email_taken", admin=True))  # fmt: skip
def confirm_address(parts: ServerDep, actor: ActorDep, user_id: str) -> Response:
    """Take the mail address that an account has as confirmed. `conflict`: it has none."""
    administration.confirm_email(parts.ctx, actor, user_id)
    return _account(parts, actor, user_id)


@router.put("/accounts/{user_id}/admin", response_model=UserInfo, openapi_extra=error_responses(admin=True))
def make_admin(parts: ServerDep, actor: ActorDep, user_id: str, body: AdminWanted) -> Response:
    """Make someone else an admin, or withdraw it."""
    administration.set_admin(parts.ctx, actor, user_id, body.admin)
    return _account(parts, actor, user_id)


@router.put("/accounts/{user_id}/closed", response_model=UserInfo, openapi_extra=error_responses(admin=True))
def close_somebodys_account(parts: ServerDep, actor: ActorDep, user_id: str, body: ClosingWanted) -> Response:
    """Close someone else's account, or open it again: it cannot sign in while it is closed. Its seats stay."""
    change = administration.close_account if body.closed else administration.open_account
    change(parts.ctx, actor, user_id)
    return _account(parts, actor, user_id)


@router.put("/accounts/{user_id}/ban", response_model=UserInfo, openapi_extra=error_responses(admin=True))
def ban_account(parts: ServerDep, actor: ActorDep, user_id: str, body: Ban) -> Response:
    """Ban someone else's account for a time: it cannot sign in, its tokens and bots do nothing. Its seats stay."""
    administration.ban(parts.ctx, actor, user_id, body.days, body.why)
    return _account(parts, actor, user_id)


@router.delete("/accounts/{user_id}/ban", status_code=204, openapi_extra=error_responses(admin=True))
def lift_ban(parts: ServerDep, actor: ActorDep, user_id: str) -> Response:
    """Let a banned account sign in again. `conflict`: it is not banned."""
    administration.lift_ban(parts.ctx, actor, user_id)
    return no_content()


@router.put("/accounts/{user_id}/approval", response_model=UserInfo, openapi_extra=error_responses(admin=True))
def approve_account(parts: ServerDep, actor: ActorDep, user_id: str) -> Response:
    """Let a new account in, where sign-up needs it. `conflict`: it does not wait."""
    administration.approve(parts.ctx, actor, user_id)
    return _account(parts, actor, user_id)


@router.get("/acts", response_model=Page[AdminActInfo], openapi_extra=error_responses(admin=True))
def list_admin_acts(
    request: Request, parts: ServerDep, actor: ActorDep, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return what admins did, the latest first; at most 1,000."""
    found = administration.acts(parts.ctx, actor, maximum=administration.LISTED)
    return json_response(request, cut(found, cursor, limit))


@router.delete("/accounts/{user_id}/second-factor", status_code=204, openapi_extra=error_responses(admin=True))
def reset_second_factor(parts: ServerDep, actor: ActorDep, user_id: str) -> Response:
    """Take someone's second factor away, who lost their app and codes. `conflict`: they have none."""
    administration.reset_second_factor(parts.ctx, actor, user_id)
    return no_content()


@router.get("/deliveries", response_model=Page[FailedDelivery], openapi_extra=error_responses(admin=True))
def list_failed_deliveries(
    request: Request, parts: ServerDep, actor: ActorDep, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return the mails, posts and pushes that failed, the latest first; at most 1,000."""
    found = administration.failed_deliveries(parts.ctx, actor, maximum=administration.LISTED)
    return json_response(request, cut(found, cursor, limit))


@router.post("/deliveries/{delivery_id}/retry", status_code=204, openapi_extra=error_responses(admin=True))
def retry_delivery(parts: ServerDep, actor: ActorDep, delivery_id: Number) -> Response:
    """Have a delivery tried again now, also one that was given up."""
    administration.try_again(parts.ctx, actor, delivery_id)
    return no_content()


@router.get("/reports", response_model=Page[ReportShown], openapi_extra=error_responses(admin=True))
def list_person_reports(
    request: Request, parts: ServerDep, actor: ActorDep, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return what people reported of others, open reports first, then the latest; at most 1,000."""
    found = administration.reports(parts.ctx, actor, maximum=administration.LISTED)
    return json_response(request, cut(found, cursor, limit))


@router.put("/reports/{report_id}/settlement", status_code=204, openapi_extra=error_responses(admin=True))
def settle_person_report(parts: ServerDep, actor: ActorDep, report_id: str, body: Settlement) -> Response:
    """Note that a report was dealt with, and how."""
    administration.settle_report(parts.ctx, actor, report_id, body.note)
    return no_content()


def _account(parts: Server, actor: Actor, user_id: str) -> Response:
    return created(administration.account(parts.ctx, actor, user_id), 200)
