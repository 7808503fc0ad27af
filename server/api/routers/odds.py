"""The odds of a battle, should dice decide it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fastapi import APIRouter, Request, Response

from server.api.openapi import error_responses
from server.api.routers.view import As
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.responses import json_response
from server.play.views import odds
from server.rules.odds import Odds, SideOdds

router = APIRouter(route_class=Route, tags=["battles"], prefix="/campaigns/{campaign_id}")


@dataclass(frozen=True, slots=True)
class Damage:
    """A damage that a side may do."""

    points: int
    chance: float


@dataclass(frozen=True, slots=True)
class UnitChances:
    """What may become of a unit."""

    force: str
    unit: str
    half: float
    """Half of it falls; as a vehicle it is damaged."""
    whole: float
    """All of it falls; as a vehicle it is destroyed."""
    dead: float
    """Models that are gone for good, on average."""


@dataclass(frozen=True, slots=True)
class ModifierShown:
    """A number added to a side's 2D6, and why."""

    key: str
    """`raid`, `planned`, `defend`; of supporters `front`, `flank`, `rear`, `defender`; `strength` of an army list."""
    value: int
    rule: str
    """Section of the rulebook."""
    force: str
    """The force it is for; empty where it is for the whole side."""
    strength: str
    """With `strength`: its id in the ruleset."""


@dataclass(frozen=True, slots=True)
class SideChances:
    """One side of a battle."""

    player: str
    known: bool
    """False where its forces are not in sight; then null is what cannot be said."""
    ready_points: int | None
    modifier: int
    """All modifiers together; likewise one by one:"""
    modifiers: list[ModifierShown]
    wins: float
    vp: int | None
    """What winning is worth."""
    damage: list[Damage]
    """What it may do to the other side."""
    expected_damage: float | None
    falls: float | None
    """Its own ready points that fall, on average."""
    units: list[UnitChances] | None
    """Null also where there are too many units to reckon with."""


@dataclass(frozen=True, slots=True)
class OddsShown:
    """The odds of a battle, should dice decide it."""

    hex: str
    attacker: SideChances
    defender: SideChances
    even: float
    """Both do the same damage: then the defender wins."""
    attacker_ways: int
    """In how many of all throws the attacker wins; exact. 0 of 0 where a side is not known."""
    all_ways: int
    underdog: str
    """The side with the underdog's die; empty for neither."""
    underdog_chance: float
    assumed_points: tuple[int, int] | None
    """Least and most ready points that were assumed of a side that is not known."""
    attacker_wins_between: tuple[float, float]
    """Whatever of them is true."""


@router.get("/battles/{hex}/odds", response_model=OddsShown, openapi_extra=error_responses("phase_closed", public=True))
def get_odds(
    request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, hex: str, as_: As = None
) -> Response:
    """Return the odds of a battle, should dice decide it: exact for the forces you can see.

    Your own casualties and picks as ordered count; of the other side's nothing is known.
    """
    return json_response(request, shown(hex, odds.of_battle(parts.ctx, actor, campaign_id, hex, as_=as_)))


def shown(hex_: str, found: Odds) -> OddsShown:
    """Return odds as JSON has them: chances as numbers from 0 to 1."""
    return OddsShown(
        hex=hex_,
        attacker=_side(found.attacker),
        defender=_side(found.defender),
        even=float(found.even),
        attacker_ways=found.ways[0],
        all_ways=found.ways[1],
        underdog=found.underdog,
        underdog_chance=float(found.underdog_chance),
        assumed_points=found.assumed,
        attacker_wins_between=(float(found.range[0]), float(found.range[1])),
    )


def _side(side: SideOdds) -> SideChances:
    units = side.units and [
        UnitChances(unit.force, unit.unit, float(unit.half), float(unit.whole), float(unit.dead)) for unit in side.units
    ]
    return SideChances(
        player=side.player,
        known=side.known,
        ready_points=side.ready_points,
        modifier=side.modifier,
        wins=float(side.wins),
        vp=side.vp,
        damage=[Damage(points, float(chance)) for points, chance in side.damage],
        expected_damage=_number(side.expected_damage),
        falls=_number(side.falls),
        modifiers=[
            ModifierShown(modifier.key, modifier.value, modifier.rule, modifier.force, modifier.strength)
            for modifier in side.modifiers
        ],
        units=None if side.units is None else list(units or ()),
    )


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
