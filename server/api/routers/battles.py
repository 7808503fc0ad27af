"""Battles: this turn's list, the results of tabletop battles, the odds should dice decide."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from fastapi import Query, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints, revised
from server.api.pages import Page
from server.api.routers.view import As
from server.http.middleware import PREFIX
from server.http.responses import created, made
from server.play.battles import battles
from server.play.battles.battles import BattleInfo, ReportInfo
from server.play.views import positions
from server.rules.odds import Odds, SideOdds

router = Endpoints("battles", "/campaigns/{campaign_id}")

Result = Annotated[
    dict[str, Any],
    Field(
        max_length=20,
        description="`winner` and, where there were any, `retreated` (a player) and `losses` by unit: `lost`, "
        "`destroyed`, `damaged`, `immobilised`, `broken` (it broke and left the table), `returned` (it counts as "
        "destroyed, but came back). Lists of unit ids say who fought: `took_part` (left out: all units of the primary "
        "forces that may fight; named, also those of supporters that came in), `withheld`, "
        "`bombarded` (only bombarded: half its cost counts for VP); a unit stands in one of them. `works` says how "
        "many of each defence of the stronghold were lost.",
        examples=[
            {"winner": "p1", "losses": {"5f2c1a90b7de/2": {"lost": 3}}},
            {
                "winner": "p2",
                "withheld": ["5f2c1a90b7de/1"],
                "bombarded": ["5f2c1a90b7de/3"],
                "works": {"watchtower": 1},
            },
        ],
    ),
]
Seat = Annotated[str | None, Query(max_length=32, description="The seat one speaks for, where one has several.")]
_CLOSED = ("phase_closed", "deadline_passed", "report_closed")


class Reported(Body):
    """A result."""

    result: Result
    note: str = Field("", max_length=20_000, description="What people should know about it.")


class Answered(Body):
    """What the other side says of it."""

    text: str = Field("", max_length=20_000, examples=["That was the unit on the left."])


class Decided(Body):
    """A decision."""

    result: Result
    why: str = Field("", max_length=20_000, description="For everybody to read.")


@router.get("/battles", Page[BattleInfo], public=True)
def list_battles(call: CallDep, campaign_id: str, as_: As = None) -> Response:
    """Return this turn's battles that you know of. Order your preferences with `fight`; forces are in the view."""
    return call.answer({"items": battles.listed(call.ctx, call.actor, campaign_id, as_=as_), "next": None})


@router.post("/battles/{hex}/reports", ReportInfo, "report_refused", *_CLOSED, status=201)
def report_battle(call: CallDep, campaign_id: str, hex: str, body: Reported, seat: Seat = None) -> Response:
    """Report the result of a battle on the table; it counts when the other side confirms it."""
    found = battles.report(call.ctx, call.actor, campaign_id, hex, body.result, note=body.note, seat=seat)
    return made(found, f"{PREFIX}/campaigns/{campaign_id}/battles")


@router.post("/reports/{report_id}/confirm", ReportInfo, *_CLOSED, if_match=True)
def confirm_report(call: CallDep, campaign_id: str, report_id: str, body: Answered, seat: Seat = None) -> Response:
    """Confirm what the other side reported: it is settled."""
    found = battles.answer(
        call.ctx, call.actor, campaign_id, report_id, confirm=True, text=body.text, revision=call.revision, seat=seat
    )
    return revised(found)


@router.post("/reports/{report_id}/dispute", ReportInfo, *_CLOSED, if_match=True)
def dispute_report(call: CallDep, campaign_id: str, report_id: str, body: Answered, seat: Seat = None) -> Response:
    """Dispute what the other side reported: the game master decides, or the dice at the deadline."""
    found = battles.answer(
        call.ctx, call.actor, campaign_id, report_id, confirm=False, text=body.text, revision=call.revision, seat=seat
    )
    return revised(found)


@router.put("/gm/battles/{hex}", ReportInfo, "report_refused", *_CLOSED)
def decide_battle(call: CallDep, campaign_id: str, hex: str, body: Decided) -> Response:
    """Enter or overrule a result; shown to everyone."""
    return created(battles.decide(call.ctx, call.actor, campaign_id, hex, body.result, body.why), 200)


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


@router.get("/battles/{hex}/odds", OddsShown, "phase_closed", public=True)
def get_odds(call: CallDep, campaign_id: str, hex: str, as_: As = None) -> Response:
    """Return the odds of a battle, should dice decide it: exact for the forces you can see.

    Your own casualties and picks as ordered count; of the other side's nothing is known.
    """
    return call.answer(shown(hex, positions.odds_of_battle(call.ctx, call.actor, campaign_id, hex, as_=as_)))


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
