"""Your secret orders for the open phase, and those left for later ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import orjson
from fastapi import Query, Request, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints, revised
from server.api.idempotency import Answer
from server.api.pages import Page, PortionDep, cut
from server.api.routes import TEXT_BODY
from server.core.errors import Problem
from server.http.problems import Fault, Refused, whole_fault
from server.http.responses import created, tag
from server.play.errors import fault
from server.play.orders import orders, orders_as_text, orders_in_advance
from server.play.orders.orders import HandedIn, OrderSetInfo
from server.play.orders.orders_in_advance import AdvanceInfo, RepeatedInfo

router = Endpoints("orders", "/campaigns/{campaign_id}/orders")

Seat = Annotated[
    str | None, Query(max_length=32, description="The seat to order for, where one has several as a substitute.")
]
Phase = Literal["setup", "build", "movement", "battle_movement", "battles", "reports"]
Orders = Annotated[
    list[Any],
    Field(
        max_length=5000,
        description="In the order in which they are to be carried out. Each has a `type` and the fields of that type.",
        examples=[[{"type": "path", "detachment": "5f2c1a90b7de", "path": ["0405", "0505"]}]],
    ),
]
Number = Annotated[
    int | None, Field(ge=0, description="The phase it is meant for; refused with `wrong_phase` once another is open.")
]
_WRITES = ("orders_refused", "wrong_phase", "phase_closed", "deadline_passed")


_TEXT = {"schema": {"type": "string", "maxLength": orders_as_text.MAX_TEXT, "example": "1st Company: attack 0505"}}
_TEXT_TOO = {TEXT_BODY: {"orders": []}, "requestBody": {"content": {"text/plain": _TEXT}}}
_BY_ACCEPT = {"Vary": "Accept, Authorization, Cookie"}
_ETAG = re.compile(r'(?:W/)?"(\d{1,9})\.(\d{1,9})(?:\.[0-9a-f]+)?"')


class OrdersWanted(Body):
    """A whole set of orders."""

    orders: Orders
    number: Number = None
    final: bool = Field(False, description="Declare them final at once; otherwise an earlier *final* is taken back.")
    temporary: bool = Field(False, description="They count at the deadline, but do not bring it forward.")
    salt: str | None = Field(
        None,
        max_length=200,
        description="The salt that was committed for this phase; where the server keeps the salts, words that it mixes "
        "into the salt of the next phase (docs/dice.md).",
    )
    lenient: bool = Field(False, description="Keep the orders that are good and report the others.")


class OrderChange(Body):
    """One change of a set; places count from 0."""

    op: Literal["add", "replace", "remove", "move"]
    at: int | None = Field(None, ge=0)
    to: int | None = Field(None, ge=0)
    order: Any = None


class OrdersChanged(Body):
    """Changes, made one after the other."""

    changes: Annotated[list[OrderChange], Field(max_length=500, examples=[[{"op": "remove", "at": 0}]])]
    number: Number = None


class OrdersChecked(Body):
    """Orders to look at."""

    orders: Orders


class FinalityDeclared(Body):
    """Which phase is meant."""

    number: Number = None


class OrdersInAdvance(Body):
    """Orders for a phase to come."""

    orders: Orders


class OrdersRepeated(Body):
    """Orders to repeat in each phase of one kind: `guard`, `recover`, `follow`, `claim_area`, and production."""

    orders: Orders


@dataclass(frozen=True, slots=True)
class Problems:
    """The problems of a set of orders; an empty list means none."""

    problems: list[Fault]


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of orders."""

    orders: OrderSetInfo
    problems: list[Fault]
    """The refused orders, with `lenient`."""


@router.get("", OrderSetInfo, "phase_closed")
def get_orders(call: CallDep, campaign_id: str, seat: Seat = None) -> Response:
    """Return your orders for the open phase. Its ETag goes into `If-Match` of the writes.

    With `Accept: text/plain` they come as text, one a line (`docs/orders.md`).
    """
    found = orders.read(call.ctx, call.actor, campaign_id, seat=seat)
    if _wants_text(call.request):
        text = orders_as_text.as_text(call.ctx, call.actor, campaign_id, found.orders, seat=seat).encode()
        etag = _etag(found, f".{tag(text)[1:17]}")
        return call.answer(text, etag=etag, media_type="text/plain; charset=utf-8", headers=_BY_ACCEPT)
    body = orjson.dumps(found)
    return call.answer(body, etag=_etag(found, f".{tag(body)[1:17]}"), headers=_BY_ACCEPT)


@router.put("", Accepted, *_WRITES, if_match=True, extra=_TEXT_TOO)
def replace_orders(call: CallDep, campaign_id: str, body: OrdersWanted, seat: Seat = None) -> Response:
    """Hand in a whole set. All problems come back at once; unless `lenient`, nothing is stored of a set with any.

    As `text/plain` the orders are lines of text (`docs/orders.md`); a line `final` finalises them.
    """
    meant = _meant(call.request, body.number)
    given, final, repeats = body.orders, body.final, orders.NO_REPEATS
    text = getattr(call.request.state, "text", None)
    if text is not None:
        found = orders_as_text.understood(call.ctx, call.actor, campaign_id, text, seat=seat)
        given, final, repeats = list(found.orders), bool(found.final), found.repeats
    answer = Answer(_accepted)
    orders.replace(
        call.ctx,
        call.actor,
        campaign_id,
        given,
        revision=meant.revision,
        final=final,
        temporary=body.temporary,
        salt=body.salt,
        lenient=body.lenient,
        number=meant.number,
        seat=seat,
        repeats=repeats,
        known=answer,
    )
    return answer.response


@router.patch("", Accepted, *_WRITES, if_match=True)
def change_orders(call: CallDep, campaign_id: str, body: OrdersChanged, seat: Seat = None) -> Response:
    """Change single orders of the set; whether it is final stays."""
    changes = [change.model_dump(exclude_unset=True) for change in body.changes]
    meant = _meant(call.request, body.number)
    answer = Answer(_accepted)
    orders.patch(
        call.ctx,
        call.actor,
        campaign_id,
        changes,
        revision=meant.revision,
        number=meant.number,
        seat=seat,
        known=answer,
    )
    return answer.response


@router.post("/check", Problems, "phase_closed")
def check_orders(call: CallDep, campaign_id: str, body: OrdersChecked, seat: Seat = None) -> Response:
    """Say what is wrong with a set without handing it in."""
    found = orders.check(call.ctx, call.actor, campaign_id, body.orders, seat=seat)
    return created({"problems": _faults(found)}, 200)


@router.post("/final", OrderSetInfo, *_WRITES, if_match=True)
def declare_final(call: CallDep, campaign_id: str, body: FinalityDeclared, seat: Seat = None) -> Response:
    """Declare the orders final; the phase ends with the last player who does. Twice is once."""
    meant = _meant(call.request, body.number)
    answer = Answer(_as_it_is)
    orders.declare_final(
        call.ctx, call.actor, campaign_id, revision=meant.revision, number=meant.number, seat=seat, known=answer
    )
    return answer.response


@router.delete("/final", OrderSetInfo, *_WRITES, if_match=True)
def take_final_back(
    call: CallDep,
    campaign_id: str,
    number: Annotated[int | None, Query(ge=0, description="The phase that is meant.")] = None,
    seat: Seat = None,
) -> Response:
    """Take *final* back, as long as the phase is open. The orders stay."""
    meant = _meant(call.request, number)
    answer = Answer(_as_it_is)
    orders.take_back(
        call.ctx, call.actor, campaign_id, revision=meant.revision, number=meant.number, seat=seat, known=answer
    )
    return answer.response


@router.get("/advance", Page[AdvanceInfo])
def list_orders_in_advance(call: CallDep, campaign_id: str, portion: PortionDep, seat: Seat = None) -> Response:
    """Return the orders you have left for later phases, nearest first."""
    return call.answer(cut(orders_in_advance.listed(call.ctx, call.actor, campaign_id, seat=seat), portion))


@router.put("/advance/{turn}/{phase}", AdvanceInfo, "phase_closed", "limit_reached", if_match=True)
def leave_orders_in_advance(
    call: CallDep, campaign_id: str, turn: int, phase: Phase, body: OrdersInAdvance, seat: Seat = None
) -> Response:
    """Leave orders for a later phase, in case one is away; what is possible then counts at its deadline."""
    left = orders_in_advance.leave(
        call.ctx,
        call.actor,
        campaign_id,
        turn,
        phase,
        body.orders,
        revision=call.revision,
        seat=seat,
    )
    return revised(left)


@router.delete("/advance/{turn}/{phase}")
def drop_orders_in_advance(call: CallDep, campaign_id: str, turn: int, phase: Phase, seat: Seat = None) -> None:
    """Take orders left in advance away."""
    orders_in_advance.drop(call.ctx, call.actor, campaign_id, turn, phase, seat=seat)


@router.get("/repeated", Page[RepeatedInfo])
def list_repeated_orders(call: CallDep, campaign_id: str, portion: PortionDep, seat: Seat = None) -> Response:
    """Return the orders you repeat until you cancel them, by kind of phase, and those that were left out last time."""
    return call.answer(cut(orders_in_advance.listed_repeated(call.ctx, call.actor, campaign_id, seat=seat), portion))


@router.put("/repeated/{phase}", RepeatedInfo, "phase_closed", if_match=True)
def repeat_orders(call: CallDep, campaign_id: str, phase: Phase, body: OrdersRepeated, seat: Seat = None) -> Response:
    """Say which orders you repeat in each phase of one kind; an empty list cancels them.

    Each time such a phase opens, those that are possible are put into your order set, and count at its deadline.
    """
    return revised(
        orders_in_advance.replace_repeated(
            call.ctx, call.actor, campaign_id, phase, body.orders, revision=call.revision, seat=seat
        )
    )


def _wants_text(request: Request) -> bool:
    """Return whether the client prefers text to JSON."""
    wanted = [header.partition(";")[0].strip() for header in request.headers.get("accept", "").lower().split(",")]
    return next((kind == "text/plain" for kind in wanted if kind in ("text/plain", "application/json", "*/*")), False)


@dataclass(frozen=True, slots=True)
class _Meant:
    """Which phase and revision a write was made up for."""

    number: int | None
    revision: int | None


def _meant(request: Request, number: int | None) -> _Meant:
    """Return what ``If-Match`` and the body name: an ETag holds both phase and revision."""
    given = request.headers.get("if-match", "*").strip()
    if given == "*":
        return _Meant(number, None)
    found = _ETAG.fullmatch(given)
    if found is None or (number is not None and number != int(found[1])):
        raise Refused("stale_revision", "If-Match is not an ETag of these orders.", field="If-Match", value=given)
    return _Meant(int(found[1]), int(found[2]))


def _etag(found: OrderSetInfo, more: str = "") -> str:
    return f'"{found.number}.{found.revision}{more}"'


def _as_it_is(found: OrderSetInfo) -> Response:
    return created(found, 200, headers={"ETag": _etag(found)})


def _accepted(found: HandedIn) -> Response:
    content = {"orders": found.orders, "problems": _faults(found.problems)}
    return created(content, 200, headers={"ETag": _etag(found.orders)})


def _faults(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    return [whole_fault(fault(problem)) for problem in problems]
