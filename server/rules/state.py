"""The campaign's state: the nouns of the rulebook, and where they stand."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from server.rules.board import ORBIT, Board, Hex
from server.rules.ruleset import Faction, Ruleset

PlayerId = str
Id = str
"""Id of a detachment, garrison, convoy or unit; tells nothing about its owner (D-06)."""

SETUP, BUILD, MOVEMENT, BATTLE_MOVEMENT, BATTLES, REPORTS, OVER = (
    "setup",
    "build",
    "movement",
    "battle_movement",
    "battles",
    "reports",
    "over",
)
ORDER_PHASES = (SETUP, BUILD, MOVEMENT, BATTLE_MOVEMENT, BATTLES, REPORTS)
"""Phases that wait for people. ``reports`` is phase 7 while tabletop results are to come."""


@dataclass(frozen=True, slots=True)
class Unit:
    """D-30: a unit. Immutable; a changed unit is a new one."""

    id: Id
    name: str
    slot: str
    models: int
    """Models at full strength."""
    points: int
    """Of the whole unit at full strength."""
    mobility: str
    flags: tuple[str, ...] = ()
    """Sorted."""
    bombardment: int = 0
    """Bombardment range in hexes, 0 without artillery."""
    ready: int = 0
    """Models fit to fight."""
    wounded: int = 0
    """Models that are with the unit but cannot fight; the rest are dead."""
    damaged: bool = False
    """A damaged vehicle."""

    @property
    def vehicle(self) -> bool:
        """True for vehicles, light ones too."""
        return "vehicle" in self.flags or "light_vehicle" in self.flags

    @property
    def kind(self) -> str:
        """What a building must allow: its slot, or ``vehicle`` / ``light_vehicle`` (D-32)."""
        if "light_vehicle" in self.flags:
            return "light_vehicle"
        return "vehicle" if "vehicle" in self.flags else self.slot

    @property
    def ready_points(self) -> int:
        """Points that count in a fight: all, half (rounded up) or none (D-62)."""
        if self.ready * 2 < self.models or self.ready == 0:
            return 0
        if self.damaged or self.ready < self.models:
            return (self.points + 1) // 2
        return self.points

    def in_state(self, ready: int, wounded: int, *, damaged: bool) -> Unit:
        """Return the unit with another number of fit and wounded models: ``replace``, only faster."""
        return Unit(
            self.id, self.name, self.slot, self.models, self.points, self.mobility, self.flags, self.bombardment,
            ready, wounded, damaged,
        )  # fmt: skip

    @property
    def takes_part(self) -> bool:
        """6.2.1.3.1: at least half strength and, as a vehicle, undamaged."""
        return self.ready > 0 and self.ready * 2 >= self.models and not self.damaged


@dataclass(slots=True)
class Detachment:
    """A body of units that moves and fights (1.2)."""

    id: Id
    owner: PlayerId
    name: str
    type: str
    at: Hex
    """Its hex, or :data:`ORBIT`."""
    units: tuple[Unit, ...]
    dxp: int = 0
    mounted: bool = False
    """Infantry rides in the detachment's own transport (D-38)."""
    battle_order: str = ""
    """The battle order it is under: forced ``inactive``, ``defend``, ...; empty: none, or cancelled."""
    ready_in: int = 0
    """Turns still under construction; then it stands nowhere yet."""
    pinned: bool = False
    """Its movement order this turn is ``guard``, whatever is ordered (D-35)."""

    def copy(self) -> Detachment:
        """Return a copy of its own."""
        return Detachment(
            self.id, self.owner, self.name, self.type, self.at, self.units,
            self.dxp, self.mounted, self.battle_order, self.ready_in, self.pinned,
        )  # fmt: skip

    @property
    def ready_points(self) -> int:
        """Points of all its units that count in a fight (D-62)."""
        return sum(unit.ready_points for unit in self.units)

    @property
    def points(self) -> int:
        """Points of all its units at full strength."""
        return sum(unit.points for unit in self.units)


@dataclass(slots=True)
class Garrison:
    """Units that hold a stronghold and never move (1.3)."""

    id: Id
    owner: PlayerId
    at: Hex
    units: tuple[Unit, ...]

    def copy(self) -> Garrison:
        """Return a copy of its own."""
        return Garrison(self.id, self.owner, self.at, self.units)

    @property
    def ready_points(self) -> int:
        """Points of all its units that count in a fight (D-62)."""
        return sum(unit.ready_points for unit in self.units)

    @property
    def points(self) -> int:
        """Points of all its units at full strength."""
        return sum(unit.points for unit in self.units)


Force = Detachment | Garrison
"""D-05: a detachment or a garrison."""


@dataclass(slots=True)
class Convoy:
    """BP on the road (1.1)."""

    id: Id
    owner: PlayerId
    at: Hex
    bp: int

    def copy(self) -> Convoy:
        """Return a copy of its own."""
        return Convoy(self.id, self.owner, self.at, self.bp)


@dataclass(slots=True)
class Urban:
    """An urban hex (1.5). Its BP lie in :attr:`State.store`."""

    size: str
    buildings: tuple[str, ...] = ()
    """Sorted."""
    race: str = "none"
    """The faction that founded it (D-71a)."""
    capital: PlayerId = ""
    """Whose capital it is, or empty."""
    changed: int = -1
    """Turn in which it was last built or upgraded."""
    road: int = -1
    """Turn in which it last built a road."""
    disbanded: int = -1
    """Turn in which it last disbanded a building."""

    def copy(self) -> Urban:
        """Return a copy of its own."""
        return Urban(self.size, self.buildings, self.race, self.capital, self.changed, self.road, self.disbanded)


@dataclass(slots=True)
class Stronghold:
    """A stronghold (1.4). Its BP lie in :attr:`State.store`."""

    type: str
    defences: dict[str, int] = field(default_factory=dict)
    """How many of each defence, no zeros."""
    weapons: tuple[str, ...] = ()
    """The weapons of its turrets and turret towers, sorted."""
    changed: int = -1
    """Turn in which it was last built or upgraded."""

    def copy(self) -> Stronghold:
        """Return a copy of its own."""
        return Stronghold(self.type, dict(sorted(self.defences.items())), self.weapons, self.changed)


@dataclass(slots=True)
class Player:
    """A seat of the campaign."""

    id: PlayerId
    faction: str
    strategy: int
    vp: int = 0
    eliminated: bool = False
    allies: tuple[PlayerId, ...] = ()
    """Players he has declared an alliance with, as in force this turn, sorted."""
    declared: tuple[PlayerId, ...] = ()
    """The same as it will be from the next Build phase on (D-04)."""
    serial: int = 0
    """How many ids were made for him."""
    start_urban: tuple[str, ...] = ()
    """Sizes of urban hexes still to be placed in Setup (D-12)."""
    start_resource: tuple[str, ...] = ()
    """Sizes of resource hexes still to be placed in Setup (D-12)."""
    met: dict[Id, None] = field(default_factory=dict)
    """Ids of other players' forces he has ever seen (D-07)."""

    def copy(self) -> Player:
        """Return a copy of its own."""
        return Player(
            self.id, self.faction, self.strategy, self.vp, self.eliminated, self.allies, self.declared,
            self.serial, self.start_urban, self.start_resource, dict(self.met),
        )  # fmt: skip


@dataclass(slots=True)
class Battle:
    """A battle in a hex, one per hex and turn (D-51)."""

    hex: Hex
    attacker: Id
    """The primary attacker."""
    defender: Id
    """The primary defender: the detachment, or the garrison where it is alone (D-54)."""
    kind: str
    """``attack``, ``planned_attack``, ``raid`` or ``planned_raid``."""
    attacking: PlayerId
    """Owner of the primary attacker."""
    defended_by: PlayerId
    """Owner of the primary defender."""
    origin: Hex
    """Where the primary attacker came from, :data:`ORBIT` for one that dropped."""
    defending: bool = False
    """The defender is on ``defend``."""
    supporters: dict[Id, str] = field(default_factory=dict)
    """``front``, ``flank`` or ``rear`` for the attacker's, ``defender`` for the defender's."""
    tabletop: bool = False
    """Both sides want the table; a result is awaited."""
    attacker_modifier: int | None = None
    defender_modifier: int | None = None
    attacker_damage: int | None = None
    defender_damage: int | None = None
    winner: PlayerId = ""
    vp: int = 0
    pillage: int = 0

    def copy(self) -> Battle:
        """Return a copy of its own."""
        return replace(self, supporters=dict(sorted(self.supporters.items())))

    @property
    def raid(self) -> bool:
        """True for a raid, planned or not."""
        return self.kind.endswith("raid")

    @property
    def planned(self) -> bool:
        """True for a planned attack or raid."""
        return self.kind.startswith("planned")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a campaign chose (D-04, D-08, D-13, D-14, D-33, D-60, D-73)."""

    alliances: bool = True
    shared_sight: bool = False
    capital_eliminates: bool = False
    """D-14: a claimed capital puts its owner out instead of ending the campaign."""
    victory_points: int = 0
    """0: not a victory condition here; likewise the three below."""
    territory: int = 0
    """Percent of land hexes."""
    turn_limit: int = 0
    last_standing: bool = False
    muster: bool = True
    battles: str = "choice"
    """``choice``, ``quick`` or ``tabletop`` (D-60)."""
    fleet: bool = False
    """Battle Fleet track (D-73)."""
    start_bp: int | None = None
    """BP in each capital at the start; None: the ruleset's. Likewise the two below."""
    start_urban_count: int | None = None
    start_resource_count: int | None = None
    named_ids: bool = False
    """Ids given in orders are used as they are (rule cases only)."""


@dataclass(slots=True)
class State:
    """A campaign between two phases. Boards and rulesets are shared, everything else is its own."""

    board: Board
    ruleset: Ruleset
    settings: Settings
    players: dict[PlayerId, Player]
    """In seat order."""
    turn: int = 0
    phase: str = SETUP
    owner: list[PlayerId] = field(default_factory=list)
    """Who controls each hex, empty for nobody."""
    discovered: bytearray = field(default_factory=bytearray)
    """1 for each hex that has been claimed before, or was somebody's at the start (3.6.1)."""
    urban: dict[Hex, Urban] = field(default_factory=dict)
    stronghold: dict[Hex, Stronghold] = field(default_factory=dict)
    resource: dict[Hex, str] = field(default_factory=dict)
    """Size of each resource hex."""
    store: dict[Hex, int] = field(default_factory=dict)
    """BP in urban hexes and strongholds (one store a hex); no zeros."""
    harvest: dict[Hex, int] = field(default_factory=dict)
    """BP that lie at a resource hex until the end of the turn (D-21); no zeros."""
    roads: dict[tuple[Hex, Hex], None] = field(default_factory=dict)
    """Road edges, the lower hex number first."""
    corrupted: dict[Hex, PlayerId] = field(default_factory=dict)
    """Corrupted hexes and by whom."""
    infested: dict[Hex, PlayerId] = field(default_factory=dict)
    """Infested hexes and by whom."""
    detachments: dict[Id, Detachment] = field(default_factory=dict)
    garrisons: dict[Id, Garrison] = field(default_factory=dict)
    convoys: dict[Id, Convoy] = field(default_factory=dict)
    battles: dict[Hex, Battle] = field(default_factory=dict)
    """This turn's battles in the order in which they were opened."""
    lost_characters: dict[str, None] = field(default_factory=dict)
    """``player/name`` of special characters that are dead for good (6.2.3.6)."""
    system_control: PlayerId = ""
    """Who controls the system (D-73)."""
    winners: tuple[PlayerId, ...] = ()
    ended_by: str = ""
    """The victory condition that ended the campaign."""
    id_key: bytes = b""
    """Key of the ids; never leaves the server while the campaign runs."""

    # Where things stand: derived from the above, kept in step by the methods below.
    detachment_at: dict[Hex, Detachment] = field(default_factory=dict, compare=False, repr=False)
    """Ready detachments on the map."""
    raising_at: dict[Hex, Detachment] = field(default_factory=dict, compare=False, repr=False)
    """Detachments under construction."""
    garrison_at: dict[Hex, Garrison] = field(default_factory=dict, compare=False, repr=False)
    convoys_at: dict[Hex, list[Convoy]] = field(default_factory=dict, compare=False, repr=False)
    _friends: dict[PlayerId, tuple[PlayerId, ...]] | None = field(default=None, compare=False, repr=False)
    eyes: dict[PlayerId, dict[Hex, None]] | None = field(default=None, compare=False, repr=False)
    """What each player sees, once a phase is over and the state at rest; a copy looks anew."""
    known: dict[PlayerId, State] = field(default_factory=dict, compare=False, repr=False)
    """What each viewer knows of a state at rest, kept as it is asked for."""

    def __post_init__(self) -> None:
        if not self.owner:
            self.owner = [""] * self.board.size
        if not self.discovered:
            self.discovered = bytearray(self.board.size)
        self.reindex()

    def reindex(self) -> None:
        """Build the tables of who stands where anew."""
        self.detachment_at = {}
        self.raising_at = {}
        self.garrison_at = {each.at: each for each in self.garrisons.values()}
        self.convoys_at = {}
        for detachment in self.detachments.values():
            if detachment.ready_in:
                self.raising_at[detachment.at] = detachment
            elif detachment.at != ORBIT:
                self.detachment_at[detachment.at] = detachment
        for convoy in self.convoys.values():
            self.convoys_at.setdefault(convoy.at, []).append(convoy)

    def copy(self) -> State:
        """Return a copy in which everything may be changed without touching this one.

        Its tables are in the order of their keys (seats and battles keep theirs), so that what is done
        with the copy does not depend on how this one came about.
        """
        return replace(
            self,
            players={id_: each.copy() for id_, each in self.players.items()},
            owner=list(self.owner),
            discovered=bytearray(self.discovered),
            urban={at: each.copy() for at, each in sorted(self.urban.items())},
            stronghold={at: each.copy() for at, each in sorted(self.stronghold.items())},
            resource=dict(sorted(self.resource.items())),
            store=dict(sorted(self.store.items())),
            harvest=dict(sorted(self.harvest.items())),
            roads=dict(sorted(self.roads.items())),
            corrupted=dict(sorted(self.corrupted.items())),
            infested=dict(sorted(self.infested.items())),
            detachments={id_: each.copy() for id_, each in sorted(self.detachments.items())},
            garrisons={id_: each.copy() for id_, each in sorted(self.garrisons.items())},
            convoys={id_: each.copy() for id_, each in sorted(self.convoys.items())},
            battles={at: each.copy() for at, each in self.battles.items()},
            lost_characters=dict(sorted(self.lost_characters.items())),
            _friends=None,
            eyes=None,
            known={},
        )

    # --- players ---

    def faction(self, player: PlayerId) -> Faction:
        """Return the faction data of a player."""
        return self.ruleset.factions[self.players[player].faction]

    def friends(self, player: PlayerId) -> tuple[PlayerId, ...]:
        """Return the player and his allies: both must have declared it (D-04)."""
        if self._friends is None:
            self._friends = {
                me.id: tuple(
                    other.id
                    for other in self.players.values()
                    if other is me or (self.settings.alliances and other.id in me.allies and me.id in other.allies)
                )
                for me in self.players.values()
            }
        return self._friends[player]

    def friendly(self, a: PlayerId, b: PlayerId) -> bool:
        """True when *a* and *b* are the same player or allies."""
        return a == b or b in self.friends(a)

    def alliances_changed(self) -> None:
        """Forget what was derived from the players' declarations."""
        self._friends = None

    def living(self) -> list[Player]:
        """Return the players who are not eliminated, in seat order."""
        return [each for each in self.players.values() if not each.eliminated]

    def capital(self, player: PlayerId) -> Hex | None:
        """Return the hex of the player's capital, None before he has placed it."""
        return next((at for at, urban in self.urban.items() if urban.capital == player), None)

    # --- forces ---

    def force(self, id_: Id) -> Force | None:
        """Return the detachment or garrison of that id."""
        return self.detachments.get(id_) or self.garrisons.get(id_)

    def forces_at(self, hex_: Hex) -> Iterator[Force]:
        """Yield the forces in a hex: detachment first, then garrison."""
        detachment = self.detachment_at.get(hex_)
        if detachment is not None:
            yield detachment
        garrison = self.garrison_at.get(hex_)
        if garrison is not None:
            yield garrison

    def enemy_at(self, hex_: Hex, player: PlayerId) -> bool:
        """True when the hex holds a force of an enemy of *player*."""
        detachment = self.detachment_at.get(hex_)
        if detachment is not None and detachment.owner != player and not self.friendly(player, detachment.owner):
            return True
        garrison = self.garrison_at.get(hex_)
        return garrison is not None and garrison.owner != player and not self.friendly(player, garrison.owner)

    def enemy_zoc(self, hex_: Hex, player: PlayerId) -> bool:
        """True when the hex lies next to an enemy force (3.1, D-41)."""
        detachments, garrisons = self.detachment_at, self.garrison_at
        for next_ in self.board.adjacent[hex_]:
            if (next_ in detachments or next_ in garrisons) and self.enemy_at(next_, player):
                return True
        return False

    def move(self, detachment: Detachment, to: Hex) -> None:
        """Put a ready detachment into another hex, which must hold no other detachment."""
        if self.detachment_at.get(detachment.at) is detachment:
            del self.detachment_at[detachment.at]
        detachment.at = to
        if to != ORBIT:
            self.detachment_at[to] = detachment

    def add_detachment(self, detachment: Detachment) -> None:
        """Bring a detachment into play, ready or under construction."""
        self.detachments[detachment.id] = detachment
        if detachment.ready_in:
            self.raising_at[detachment.at] = detachment
        elif detachment.at != ORBIT:
            self.detachment_at[detachment.at] = detachment

    def make_ready(self, detachment: Detachment, at: Hex) -> None:
        """End the construction of a detachment; it stands at *at* (a hex or orbit) from now on."""
        self.raising_at.pop(detachment.at, None)
        detachment.ready_in = 0
        detachment.at = at
        if at != ORBIT:
            self.detachment_at[at] = detachment

    def add_garrison(self, garrison: Garrison) -> None:
        """Bring a garrison into play."""
        self.garrisons[garrison.id] = garrison
        self.garrison_at[garrison.at] = garrison

    def remove_force(self, force: Force) -> None:
        """Take a detachment or garrison out of the game."""
        if isinstance(force, Garrison):
            del self.garrisons[force.id]
            del self.garrison_at[force.at]
            return
        del self.detachments[force.id]
        for table in (self.detachment_at, self.raising_at):
            if table.get(force.at) is force:
                del table[force.at]

    # --- BP ---

    def add_convoy(self, convoy: Convoy) -> None:
        """Bring a convoy into play."""
        self.convoys[convoy.id] = convoy
        self.convoys_at.setdefault(convoy.at, []).append(convoy)

    def move_convoy(self, convoy: Convoy, to: Hex) -> None:
        """Put a convoy into another hex."""
        self._lift(convoy)
        convoy.at = to
        self.convoys_at.setdefault(to, []).append(convoy)

    def remove_convoy(self, convoy: Convoy) -> None:
        """Take a convoy out of the game, BP and all."""
        del self.convoys[convoy.id]
        self._lift(convoy)

    def _lift(self, convoy: Convoy) -> None:
        here = self.convoys_at[convoy.at]
        here[:] = [each for each in here if each is not convoy]
        if not here:
            del self.convoys_at[convoy.at]

    def pay(self, hex_: Hex, bp: int) -> None:
        """Put BP into the store of a hex, or take them out when negative; never below 0."""
        left = self.store.get(hex_, 0) + bp
        if left < 0:
            raise ValueError(f"{self.board.label(hex_)} has {left - bp} BP, {-bp} were to be paid")
        if left:
            self.store[hex_] = left
        else:
            self.store.pop(hex_, None)

    # --- roads ---

    def road(self, a: Hex, b: Hex) -> bool:
        """True when a road joins two adjacent hexes."""
        return ((a, b) if a < b else (b, a)) in self.roads

    # --- ids ---

    def new_id(self, player: PlayerId, wanted: str = "") -> Id:
        """Return an id that tells nothing (D-06): a keyed hash of the player's serial number.

        The count is the player's own, so that what others do cannot show in it.
        """
        if self.settings.named_ids and wanted:
            return wanted
        me = self.players[player]
        me.serial += 1
        return hmac.new(self.id_key, f"{player}/{me.serial}".encode(), hashlib.sha256).hexdigest()[:12]
