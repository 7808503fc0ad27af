"""Drafts of orders: what they would do, and what else may be ordered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Query, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints
from server.api.routers.battles import OddsShown, shown
from server.api.routers.view import LegalOrder
from server.http.problems import Fault, whole_fault
from server.http.responses import created
from server.play.errors import fault
from server.play.orders import orders
from server.play.views import positions
from server.play.views.positions import named
from server.rules.outlook import Prospect

router = Endpoints("orders", "/campaigns/{campaign_id}/orders")

Seat = Annotated[str | None, Query(max_length=32, description="The seat that is to order.")]


class Drafted(Body):
    """Orders as far as they are written; nothing of them is stored."""

    orders: Annotated[list[Any], Field(max_length=2000, examples=[[{"type": "guard", "detachment": "5f2c1a90b7de"}]])]


class Attempted(Body):
    """An attack to preview, not an order."""

    detachment: Annotated[str, Field(max_length=64)]
    target: Annotated[str, Field(max_length=64)]


class OddsWanted(Drafted):
    """Orders as far as they are written, and perhaps an attack that is not among them."""

    attempt: Attempted | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """What can be said of orders that are being written."""

    says: list[dict[str, Any]]
    """What each would do; empty for those with a problem."""
    problems: list[Fault]
    options: list[LegalOrder]
    """What may be ordered after all of them."""
    stores: dict[str, int]
    """BP that are left, by hex."""
    left: dict[str, list[str]]
    """Sizes that are left to be placed in Setup."""


@dataclass(frozen=True, slots=True)
class Suggested:
    """Orders that may be added to those that are being written."""

    orders: list[dict[str, Any]]
    """They may all be added; in Setup everything that is left is placed with them."""
    detachments: list[dict[str, Any]]
    """Orders to raise a detachment, to choose one from; made of the army list's ready units."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A battle that orders would open."""

    attacker: str
    """The force that leads it."""
    supporters: dict[str, str]
    """Forces that would help, and as what they count: ``front``, ``flank``, ``rear``."""
    odds: OddsShown


@dataclass(frozen=True, slots=True)
class AttackForeseen:
    """An attack to preview, not an order."""

    alone: Foreseen
    """With those who are ordered to help so far."""
    helped: dict[str, Foreseen]
    """With one more force of your own, by its id; the likeliest victory first."""


@dataclass(frozen=True, slots=True)
class Prospects:
    """The battles that orders would open."""

    items: list[Foreseen]
    attempt: AttackForeseen | None = None
    """The outlook of the attack given as ``attempt``; None if it opens no battle."""


@router.post("/draft", Draft, "phase_closed")
def look_at_draft(call: CallDep, campaign_id: str, body: Drafted, seat: Seat = None) -> Response:
    """Say of orders that are being written what each would do, what is wrong, and what else may be ordered."""
    found = orders.draft(call.ctx, call.actor, campaign_id, body.orders, seat=seat)
    content = {
        "says": found.says,
        "problems": [whole_fault(fault(problem)) for problem in found.problems],
        "options": [named(option) for option in found.options],
        "stores": found.stores,
        "left": found.left,
    }
    return created(content, 200)


@router.post("/suggestions", Suggested, "phase_closed")
def get_suggestions(call: CallDep, campaign_id: str, body: Drafted, seat: Seat = None) -> Response:
    """Return further orders a computer player would give; in Setup everything that is left to be placed."""
    found = orders.suggestions(call.ctx, call.actor, campaign_id, body.orders, seat=seat)
    return created(Suggested(found.orders, found.detachments), 200)


@router.post("/odds", Prospects, "phase_closed")
def get_odds_of_orders(call: CallDep, campaign_id: str, body: OddsWanted, seat: Seat = None) -> Response:
    """Say which battles orders for Battle movement would open if nobody else stirred, and their odds.

    With `attempt` also what that attack would come to beside them, alone and with each force that could still help.
    """
    found = positions.odds_of_orders(call.ctx, call.actor, campaign_id, body.orders, seat=seat)
    tried = None
    if body.attempt is not None:
        wanted = body.attempt
        tried = positions.odds_of_attempt(
            call.ctx, call.actor, campaign_id, body.orders, wanted.detachment, wanted.target, seat=seat
        )
    attempt = (
        None
        if tried is None
        else AttackForeseen(
            _foreseen(tried.alone), {helper: _foreseen(battle) for helper, battle in tried.helped.items()}
        )
    )
    return created(Prospects([_foreseen(prospect) for prospect in found], attempt), 200)


def _foreseen(prospect: Prospect) -> Foreseen:
    return Foreseen(prospect.battle.attacker, prospect.battle.supporters, shown(prospect.hex, prospect.odds))
