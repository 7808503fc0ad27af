"""A rule case as typed data, before it meets a ruleset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.rules.state import Settings, Unit

END_OF_TURN = "end_of_turn"
PHASES = ("setup", "build", "movement", "battle_movement", "battles", END_OF_TURN)
"""What a case can play, in turn order."""


class CaseError(Exception):
    """A file is not a valid case. Says everything that is wrong with it."""

    def __init__(self, problems: Sequence[str], path: str = "") -> None:
        told = "; ".join(problems)
        super().__init__(f"{path}: {told}" if path else told)
        self.problems = tuple(problems)
        self.path = path


def default_units(force: str) -> tuple[Unit, ...]:
    """Return what a force has when the case says nothing: five infantry troops of 10 models, 100 points each."""
    names = [f"{force}-{number}" for number in range(1, 6)]
    return tuple(Unit(name, name, "troops", 10, 100, "infantry", ready=10) for name in names)


@dataclass(frozen=True, slots=True)
class Works:
    """A detachment under construction, by name and turns left."""

    name: str
    turns: int


@dataclass(frozen=True, slots=True)
class HexPart:
    """What a case says about one hex of the map."""

    terrain: str
    """Empty: the map's."""
    owner: str
    undiscovered: bool | None
    """None: discovered where someone owns it."""
    urban: str
    capital: bool
    race: str
    """Empty: the owner's faction."""
    buildings: tuple[str, ...]
    stronghold: str
    defences: Mapping[str, int]
    resource: str
    bp: int
    corrupted: bool
    infested: str
    works: Works | None


@dataclass(frozen=True, slots=True)
class MapPart:
    """The map of a case, by labels."""

    columns: int
    rows: int
    terrain: str
    roads: tuple[tuple[str, ...], ...]
    hexes: Mapping[str, HexPart]


@dataclass(frozen=True, slots=True)
class CampaignPart:
    """What the campaign of a case has chosen."""

    ruleset: str
    settings: Settings
    system_control: str


@dataclass(frozen=True, slots=True)
class PlayerPart:
    """A player; strategy None: the faction's."""

    faction: str
    strategy: int | None
    vp: int
    allies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DetachmentPart:
    """A detachment of the position."""

    owner: str
    at: str
    name: str
    type: str
    units: tuple[Unit, ...]
    dxp: int
    mounted: bool
    battle_order: str
    ready_in: int


@dataclass(frozen=True, slots=True)
class GarrisonPart:
    """A garrison of the position."""

    owner: str
    at: str
    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class ConvoyPart:
    """A convoy of the position."""

    owner: str
    at: str
    bp: int


@dataclass(frozen=True, slots=True)
class BattlePart:
    """A battle that stands open in the position."""

    hex: str
    attacker: str
    defender: str
    kind: str
    defending: bool | None
    """None: as the defender's battle order says."""
    supporters: Mapping[str, str]
    """Side by force; an empty side follows from where the force stands."""


@dataclass(frozen=True, slots=True)
class OrderPart:
    """One order of one player."""

    player: str
    step: int
    """Which of the case's phases it is for, from 0."""
    content: Mapping[str, Any]
    """The order as the engine gets it."""


@dataclass(frozen=True, slots=True)
class DicePart:
    """The faces of a case."""

    faces: Mapping[str, tuple[int, ...]]
    open: frozenset[str]
    """Labels whose list ends in ``default``."""
    default: int | None
    """The face of every other roll; None: such a roll is an error."""


@dataclass(frozen=True, slots=True)
class Expect:
    """What must be true. Of each thing only what is named is checked, so these are plain tables."""

    rejected: Mapping[int, str]
    """Code by place in the list of orders."""
    events: tuple[Mapping[str, Any], ...]
    detachments: Mapping[str, Mapping[str, Any]]
    garrisons: Mapping[str, Mapping[str, Any]]
    convoys: Mapping[str, Mapping[str, Any]]
    hexes: Mapping[str, Mapping[str, Any]]
    players: Mapping[str, Mapping[str, Any]]
    battles: Mapping[str, Mapping[str, Any]]
    campaign: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One rule case."""

    rule: str
    title: str
    phases: tuple[str, ...]
    income: bool
    map: MapPart
    campaign: CampaignPart
    players: Mapping[str, PlayerPart]
    detachments: Mapping[str, DetachmentPart]
    garrisons: Mapping[str, GarrisonPart]
    convoys: Mapping[str, ConvoyPart]
    battles: tuple[BattlePart, ...]
    orders: tuple[OrderPart, ...]
    dice: DicePart
    expect: Expect
