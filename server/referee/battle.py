"""What the campaign says of a battle that is fought on the table (section 4 of the readings; 6.2 of the rules)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.core import hexes
from server.core.sentences import say
from server.referee.mission import ATTACKER, DEFENDER, PLAYERS, higher
from server.referee.reading import BOOL, ID, Given, OneOf, Record, TableOf, given
from server.referee.rule import Rule, rule_kind
from server.referee.units import RESERVE

if TYPE_CHECKING:
    from server.referee.game import Game
    from server.referee.units import Unit

KINDS = ("attack", "planned_attack", "raid", "planned_raid")
GROUNDS = ("plains", "hills", "forest", "jungle", "mountains", "swamp")
"""No battle is fought in the sea (D-50)."""
STRONGHOLDS = ("camp", "fortification", "fortress")
WORKS = (
    "weapon_tower",
    "anti_air_tower",
    "turret_tower",
    "radar_tower",
    "turret",
    "bunker",
    "razor_wire",
    "tank_trap",
    "trench",
    "minefield",
    "booby_trap",
    "wall_section",
    "gun_placement",
)
ORBIT = "orbit"
MAX_REROLLS = 1000
"""Ties in a row after which the dice must be broken."""


@dataclass(frozen=True, slots=True)
class HexLabel:
    """A hex of the campaign's map, ``CCRR`` or ``CCCRRR`` (D-01), or ``orbit``."""

    orbit: bool = False
    names: str = ""

    def read(self, given: Given, name: str | int) -> Any:
        """Read it."""
        value = given.take(name)
        if self.orbit and value == ORBIT:
            return value
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) in (4, 6):
            return value
        given.wrong(name, say("{name} must be a hex such as 0405.", name=given.at(name)), value)
        return None

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        return {"type": "string", "pattern": "^([0-9]{4}|[0-9]{6}|orbit)$" if self.orbit else "^([0-9]{4}|[0-9]{6})$"}


HEX, HEX_OR_ORBIT = HexLabel(), HexLabel(orbit=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Supporter:
    """A unit of a detachment that supports one side from another hex (4.5, 4.6)."""

    side: str = given(OneOf(PLAYERS))
    place: str = given(HEX_OR_ORBIT, name="from")
    ordered: str = given(OneOf(("support", "guard", "attack")), "support")
    detachment: str = given(ID, "")
    """Empty: the unit is a detachment of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleData:
    """A battle as the campaign hands it over."""

    hex: str = given(HEX, "")
    place: str = given(HEX_OR_ORBIT, "", name="from")
    """The attacker's hex, or ``orbit``."""
    kind: str = given(OneOf(KINDS), "attack")
    terrain: str = given(OneOf(GROUNDS), "plains")
    road: bool = given(BOOL, False)
    stronghold: str = given(OneOf(("", *STRONGHOLDS)), "")
    """The defender's, in the hex."""
    works: Mapping[str, str] = given(TableOf(OneOf(WORKS)), {})
    defending: bool = given(BOOL, False)
    """The defender was ordered to defend."""
    withdrawing: bool = given(BOOL, False)
    supporters: Mapping[str, Supporter] = given(TableOf(Record(Supporter)), {})
    secret: bool = given(BOOL, False)
    """Nobody is shown what only the other side knows in the campaign: orders given, works that are not set up."""

    @property
    def planned(self) -> bool:
        """True for a planned attack or raid."""
        return self.kind.startswith("planned_")

    @property
    def raid(self) -> bool:
        """True for a raid, planned or not."""
        return self.kind.endswith("raid")

    @property
    def from_orbit(self) -> bool:
        """True where the primary attacker drops from orbit."""
        return self.place == ORBIT

    def detachment_of(self, unit: str) -> str:
        """Return the detachment of a supporting unit."""
        return self.supporters[unit].detachment or unit

    def direction(self, place: str) -> int | None:
        """Return the direction (D-02) from the battle to a hex next to it; None: it is not next to it."""
        if not self.hex or place == ORBIT or len(place) != len(self.hex):
            return None
        centre, there = axial(self.hex), axial(place)
        return next((way for way in range(6) if hexes.neighbour(centre, way) == there), None)

    def hexes_off(self, place: str) -> int:
        """Return how many hexes off *place* is; 0: in orbit."""
        return 0 if place == ORBIT or not self.hex else hexes.distance(axial(self.hex), axial(place))


def axial(label: str) -> hexes.Axial:
    """Return the axial coordinates of a hex's label (D-01)."""
    half = len(label) // 2
    return hexes.from_offset(int(label[:half]) - 1, int(label[half:]) - 1)


NO_BATTLE = BattleData()


def battle_of(game: Game) -> BattleData:
    """Return what the campaign says of the battle."""
    return game.beginning.battle or NO_BATTLE


def bonus(game: Game, player: str) -> int:
    """Return what most rolls before the battle add: 1 for a plan, or for a defender ordered to defend (4.3, 4.4)."""
    battle = battle_of(game)
    return int(battle.planned if game.role_of(player) == ATTACKER else battle.defending)


def contest(game: Game, label: str, add: Mapping[str, int]) -> str:
    """Return who rolls higher on ``<label>/<player>``, with additions; ties are rolled again without them (4.4)."""
    for turn in range(MAX_REROLLS):
        rolled = {player: game.roll(f"{label}/{player}") + (0 if turn else add.get(player, 0)) for player in PLAYERS}
        if winner := higher(rolled):
            return winner
    return game.defender


def half_up(face: int) -> int:
    """Return a D6 halved, rounded up: a D3."""
    return (face + 1) // 2


@rule_kind("campaign_battle")
class CampaignBattle(Rule):
    """The battle's facts: the supporters of each side, who wait off the table."""

    def mustered(self, game: Game) -> None:
        """Keep supporters in reserve until they arrive; note what does not fit."""
        battle = battle_of(game)
        armies = {unit.id: unit for army in game.armies.values() for unit in army.units}
        for id_, supporter in battle.supporters.items():
            unit = game.units.get(id_)
            if unit is None or unit.side != supporter.side:
                game.unfit.append(f"battle.supporters.{id_}: {supporter.side} has no such unit")
                continue
            unit.detachment = battle.detachment_of(id_)
            if id_ not in armies or not armies[id_].state:
                unit.state = RESERVE
            if supporter.place != ORBIT and not 1 <= battle.hexes_off(supporter.place) <= 2:
                game.unfit.append(f"battle.supporters.{id_}.from: this is not near the battle's hex")
        if battle.hex and battle.place and not battle.from_orbit and battle.direction(battle.place) is None:
            game.unfit.append("battle.from: the attacker's hex is next to the battle's, or it is orbit")
        if battle.supporters and not (battle.hex and battle.place):
            game.unfit.append("battle: supporters need the hex of the battle and the attacker's")

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Both know the battle's facts; of a secret one the defender alone the works and the order to withdraw."""
        battle = battle_of(game)
        open_ = not battle.secret
        defends = open_ or (bool(player) and player == game.defender)
        return {
            "hex": battle.hex,
            "from": battle.place,
            "kind": battle.kind,
            "terrain": battle.terrain,
            "stronghold": battle.stronghold,
            "defending": battle.defending,
            "withdrawing": battle.withdrawing and defends,
            "works": dict(battle.works) if defends else {},
            "supporters": {
                id_: {"side": supporter.side, "from": supporter.place}
                | ({"ordered": supporter.ordered} if open_ or supporter.side == player else {})
                for id_, supporter in battle.supporters.items()
            },
        }


def is_supporter(game: Game, unit: Unit) -> bool:
    """True for a unit that came, or may come, from another hex."""
    return unit.id in battle_of(game).supporters


def depth_of_zones(game: Game) -> int:
    """Return how deep both deployment zones are (T-73), in thousandths."""
    height = game.mission.height
    return 12_000 if height >= 42_000 else (height - 18_000) // 2


def own_edge(game: Game, player: str) -> int:
    """Return the y of a player's long edge."""
    return 0 if game.role_of(player) == ATTACKER else game.mission.height


def role_players(game: Game) -> tuple[tuple[str, str], ...]:
    """Return both roles with who has them, the attacker first."""
    return (ATTACKER, game.attacker), (DEFENDER, game.defender)
