"""A campaign between two phases: its seats and options, all its nouns, their places, and the ways to move them."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field, replace

from server.rules import versions
from server.rules.board import ORBIT, Board, Hex
from server.rules.ruleset import Faction, Ruleset
from server.rules.state.nouns import (
    SETUP,
    Battle,
    Convoy,
    Detachment,
    Force,
    Garrison,
    Id,
    PlayerId,
    Stronghold,
    Unit,
    Urban,
)
from server.rules.versions import NEWEST, VERSIONS, Readings


@dataclass(slots=True)
class Player:
    """A seat of the campaign."""

    id: PlayerId
    faction: str
    strategy: int
    vp: int = 0
    eliminated: bool = False
    allies: tuple[PlayerId, ...] = ()
    """Players they have declared an alliance with, as in force this turn, sorted."""
    declared: tuple[PlayerId, ...] = ()
    """The same as it will be from the next Build phase on (D-04)."""
    serial: int = 0
    """How many ids were made for them."""
    start_urban: tuple[str, ...] = ()
    """Sizes of urban hexes still to be placed in Setup (D-12)."""
    start_resource: tuple[str, ...] = ()
    """Sizes of resource hexes still to be placed in Setup (D-12)."""
    met: dict[Id, None] = field(default_factory=dict)
    """Ids of other players' forces they have ever seen (D-07)."""

    def copy(self) -> Player:
        """Return a copy of its own."""
        return Player(
            self.id,
            self.faction,
            self.strategy,
            self.vp,
            self.eliminated,
            self.allies,
            self.declared,
            self.serial,
            self.start_urban,
            self.start_resource,
            dict(self.met),
        )


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
    least_prices: bool = True
    """Models and detachments cost at least what the ruleset says, and special types ask for their units (D-35f)."""
    truce: int = 0
    """Until that turn nobody attacks, raids or claims settlements and strongholds of others (R-39); 0: no truce."""
    named_ids: bool = False
    """Ids given in orders are used as they are (rule cases only)."""
    readings: int = NEWEST.version
    """The campaign's rules version (:mod:`server.rules.versions`)."""
    next_readings: int = 0
    """The version it takes when its next turn begins; 0: it stays."""


def proposed(players: int) -> Settings:
    """Return the proposed settings of a new campaign by its number of players (D-13): it ends while it is exciting.

    25 VP a player and a turn limit; from three players on 60 % of the land; from four on a truce until turn 3 (R-39).
    """
    territory, truce = (60 if players >= 3 else 0), (3 if players >= 4 else 0)
    return Settings(turn_limit=20, victory_points=25 * players, territory=territory, truce=truce)


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
    """The controller of each hex, empty for nobody."""
    discovered: bytearray = field(default_factory=bytearray)
    """1 for each hex that has been claimed before, or was someone's at the start (3.6.1)."""
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
    """Corrupted hexes and their corruptors."""
    infested: dict[Hex, PlayerId] = field(default_factory=dict)
    """Infested hexes and their infesters."""
    detachments: dict[Id, Detachment] = field(default_factory=dict)
    garrisons: dict[Id, Garrison] = field(default_factory=dict)
    convoys: dict[Id, Convoy] = field(default_factory=dict)
    battles: dict[Hex, Battle] = field(default_factory=dict)
    """This turn's battles in the order in which they were opened."""
    lost_characters: dict[str, None] = field(default_factory=dict)
    """``player/name`` of special characters that are dead for good (6.2.3.6)."""
    system_control: PlayerId = ""
    """The controller of the system (D-73)."""
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
    visibility: dict[PlayerId, dict[Hex, int]] | None = field(default=None, compare=False, repr=False)
    """What each player sees and from how far, once a phase is over and the state at rest; a copy looks again."""
    known: dict[PlayerId, State] = field(default_factory=dict, compare=False, repr=False)
    """The view of each viewer of a state at rest, computed on demand."""

    def __post_init__(self) -> None:
        if not self.owner:
            self.owner = [""] * self.board.size
        if not self.discovered:
            self.discovered = bytearray(self.board.size)
        self.reindex()

    def reindex(self) -> None:
        """Build the tables of who stands where again."""
        self.detachment_at = {}
        self.raising_at = {}
        self.garrison_at = {garrison.at: garrison for garrison in self.garrisons.values()}
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
            players={id_: player.copy() for id_, player in self.players.items()},
            owner=list(self.owner),
            discovered=bytearray(self.discovered),
            urban={at: urban.copy() for at, urban in sorted(self.urban.items())},
            stronghold={at: stronghold.copy() for at, stronghold in sorted(self.stronghold.items())},
            resource=dict(sorted(self.resource.items())),
            store=dict(sorted(self.store.items())),
            harvest=dict(sorted(self.harvest.items())),
            roads=dict(sorted(self.roads.items())),
            corrupted=dict(sorted(self.corrupted.items())),
            infested=dict(sorted(self.infested.items())),
            detachments={id_: detachment.copy() for id_, detachment in sorted(self.detachments.items())},
            garrisons={id_: garrison.copy() for id_, garrison in sorted(self.garrisons.items())},
            convoys={id_: convoy.copy() for id_, convoy in sorted(self.convoys.items())},
            battles={at: battle.copy() for at, battle in self.battles.items()},
            lost_characters=dict(sorted(self.lost_characters.items())),
            _friends=None,
            visibility=None,
            known={},
        )

    # --- readings ---

    @property
    def readings(self) -> Readings:
        """How this campaign reads what the source leaves open."""
        return VERSIONS[self.settings.readings]

    def unit_points(self, unit: Unit) -> int:
        """Return a unit's ready points (D-62)."""
        return unit.ready_points if self.readings.points_by_model else versions.ready_points(unit)

    def ready_points(self, force: Force) -> int:
        """Return the points of a force that count in a fight (D-62)."""
        if self.readings.points_by_model:
            return sum([unit.ready_points for unit in force.units])
        return sum(map(versions.ready_points, force.units))

    def can_be_halved(self, unit: Unit) -> bool:
        """Say whether half a unit may be taken as a casualty (D-62)."""
        return unit.can_be_halved if self.readings.points_by_model else versions.can_be_halved(unit)

    # --- players ---

    def faction(self, player: PlayerId) -> Faction:
        """Return the faction data of a player."""
        return self.ruleset.factions[self.players[player].faction]

    def friends(self, player: PlayerId) -> tuple[PlayerId, ...]:
        """Return the player and their allies: both must have declared it (D-04)."""
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
        return [player for player in self.players.values() if not player.eliminated]

    def capital(self, player: PlayerId) -> Hex | None:
        """Return the hex of the player's capital, None before they have placed it."""
        return next((at for at, urban in self.urban.items() if urban.capital == player), None)

    # --- forces ---

    def force(self, id_: Id) -> Force | None:
        """Return the detachment or garrison of that id."""
        return self.detachments.get(id_) or self.garrisons.get(id_)

    def forces_at(self, hex_: Hex) -> tuple[Force, ...]:
        """Return the forces in a hex: detachment first, then garrison."""
        detachment, garrison = self.detachment_at.get(hex_), self.garrison_at.get(hex_)
        if garrison is None:
            return () if detachment is None else (detachment,)
        return (garrison,) if detachment is None else (detachment, garrison)

    def enemy_at(self, hex_: Hex, player: PlayerId) -> bool:
        """True when the hex holds a force of an enemy of *player*."""
        detachment = self.detachment_at.get(hex_)
        if detachment is not None and detachment.owner != player and not self.friendly(player, detachment.owner):
            return True
        garrison = self.garrison_at.get(hex_)
        return garrison is not None and garrison.owner != player and not self.friendly(player, garrison.owner)

    def fit(self, force: Force) -> bool:
        """True for a force with ready points; without them it exerts no ZOC, helps nobody and attacks nobody (D-41)."""
        return not self.readings.worn_forces_stand_aside or any(unit.ready_points for unit in force.units)

    def enemy_zoc(self, hex_: Hex, player: PlayerId) -> bool:
        """True when the hex lies next to an enemy force with ready points (3.1, D-41)."""
        detachments, garrisons = self.detachment_at, self.garrison_at
        for next_ in self.board.adjacent[hex_]:
            if next_ in detachments and self._bars(detachments[next_], player):
                return True
            if next_ in garrisons and self._bars(garrisons[next_], player):
                return True
        return False

    def _bars(self, force: Force, player: PlayerId) -> bool:
        return force.owner != player and not self.friendly(player, force.owner) and self.fit(force)

    def beside_enemy(self, hex_: Hex, player: PlayerId) -> bool:
        """True when an enemy force is in an adjacent hex, with ready points or not (D-53, D-68)."""
        return any(self.enemy_at(next_, player) for next_ in self.board.adjacent[hex_])

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

    def in_truce(self, player: PlayerId, at: Hex) -> bool:
        """Return whether the truce keeps a player from attacking, raiding or claiming a hex (R-39).

        Until it ends nobody takes another player's settlement or stronghold. A unit that is attacked may withdraw into
        such a hex: then the attack fails when it follows.
        """
        if self.turn > self.settings.truce or self.owner[at] in ("", player):
            return False
        return at in self.urban or at in self.stronghold

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
        here[:] = [other for other in here if other is not convoy]
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
