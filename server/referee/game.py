"""The state of a table game: what acts and rules read and change. It is the fold of the acts (:mod:`fold`)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from server.core.errors import Problem, RulesError
from server.core.events import Event
from server.referee.act import NO_NEXT_ACT, Act
from server.referee.beginning import Army, Beginning, Piece
from server.referee.clock import Clock
from server.referee.dice_log import DiceLog
from server.referee.geometry import Point
from server.referee.mission import ATTACKER, BATTLE, DEFENDER, OVER, PLAYERS, Mission, higher
from server.referee.rule import HOOKS, Result, Rule
from server.referee.units import DESTROYED, EMBARKED, Unit

R = TypeVar("R", bound=Rule)
MAX_ROLL_OFFS = 1000
"""Ties in a row after which the first seat wins: only the dice of a case tie so often."""
IMMEDIATE = ("markers_placed", "unit_set_up")
"""Moments that their owner's next act ends."""


@dataclass(frozen=True, slots=True)
class Score:
    """An entry of the ledger of VP (T-11)."""

    player: str
    round: int
    reason: str
    vp: int


@dataclass(slots=True)
class Marker:
    """A marker in play."""

    id: str
    at: Point | None
    """None: it is still to be placed."""
    zone: str
    """``attacker``, ``defender`` or ``no_mans_land`` (T-04)."""
    control: str = ""
    """The player in control since the last checkpoint; empty: contested (T-05, T-06)."""
    secured: str = ""
    """The player who has secured it (T-08)."""
    used: bool = False
    removed: bool = False
    levels: dict[str, int] = field(default_factory=dict)
    """The players' levels as last reported (T-05)."""
    holder: str = ""
    """The player with more there, if reported instead of levels (T-07): a player, ``contested`` or ``none``."""
    claims: dict[str, dict[str, int]] = field(default_factory=dict)
    """By player and model: the round in which its claim began (T-25)."""


@dataclass(slots=True)
class Game:
    """A table game. Nothing here is copied per act; taking back folds the acts again."""

    beginning: Beginning
    mission: Mission
    faces: DiceLog
    rules: tuple[Rule, ...] = ()
    kinds: Mapping[str, tuple[type[Act], ...]] = field(default_factory=dict)
    """The acts of this mission by their word."""
    clock: Clock = field(default_factory=Clock)
    armies: dict[str, Army] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)
    markers: dict[str, Marker] = field(default_factory=dict)
    pieces: dict[str, Piece] = field(default_factory=dict)
    """Terrain that matters to a rule."""
    next_mission: Mission | None = None
    """The game goes by this one once the act is done."""
    attacker: str = ""
    """The player; empty before roles are known."""
    cp: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PLAYERS, 0))
    vp: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PLAYERS, 0))
    vp_log: list[Score] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    moments: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Moments at which stratagems may be used, and what they are about."""
    faded: dict[str, dict[str, Mapping[str, Any]]] = field(default_factory=dict)
    """By player: moments of stages that are over, to refuse actions that come too late."""
    result: Result | None = None
    events: list[Event] = field(default_factory=list)
    """Told since the last act."""
    objection: int | None = None
    """Number of the act in the record that someone objects to."""
    undo: tuple[int, ...] = ()
    """Numbers of acts in the record that the fold leaves out from now on."""
    withdrawn: bool = False
    """They are reports that were objected to: their dice stay, and their tries are used (T-23)."""
    follow: Act | None = None
    """What an act brings with it: done right after it, under the same number."""
    acts: list[tuple[int, Act]] = field(default_factory=list)
    """The acts folded so far, with their numbers in the record."""
    rolled_in: int = 0
    """How many acts there were when dice were last rolled, the act that rolled them included."""
    unfit: list[str] = field(default_factory=list)
    """What the beginning names and the mission does not have."""
    _agreed: dict[str, dict[str, Any]] = field(default_factory=dict)
    _hooks: dict[str, tuple[Callable[..., Any], ...]] = field(default_factory=dict)
    _by_class: dict[type[Rule], Rule] = field(default_factory=dict)

    # --- who and where ---

    @property
    def version(self) -> int:
        """Return the version of the referee that the game goes by."""
        return self.beginning.referee

    @property
    def players(self) -> tuple[str, str]:
        """Return the two players, in seat order."""
        return PLAYERS

    @property
    def stage(self) -> str:
        """Return the stage of the game."""
        return self.clock.stage

    @property
    def round(self) -> int:
        """Return the battle round, from 1; 0 before the battle."""
        return self.clock.round

    @property
    def turn(self) -> str:
        """Return whose turn it is."""
        return self.clock.turn

    @property
    def phase(self) -> str:
        """Return the phase of the turn."""
        return self.clock.phase

    @property
    def over(self) -> bool:
        """Say whether the game is over."""
        return self.clock.stage == OVER

    @property
    def defender(self) -> str:
        """Return the Defender; empty before roles are known."""
        return self.other(self.attacker) if self.attacker else ""

    def other(self, player: str) -> str:
        """Return the other player."""
        return PLAYERS[1] if player == PLAYERS[0] else PLAYERS[0]

    def role_of(self, player: str) -> str:
        """Return ``attacker`` or ``defender``; empty before roles are known."""
        if not self.attacker:
            return ""
        return ATTACKER if player == self.attacker else DEFENDER

    def player_of(self, role: str) -> str:
        """Return who is ``attacker`` or ``defender``."""
        return self.attacker if role == ATTACKER else self.defender

    def zone_of(self, point: Point) -> str:
        """Return ``attacker``, ``defender`` or ``no_mans_land`` (T-04)."""
        return self.mission.zone_of(point)

    def in_zone(self, name: str, point: Point) -> bool:
        """True when *point* lies in a zone of the mission."""
        return self.mission.in_zone(name, point)

    def units_of(self, player: str, *states: str) -> list[Unit]:
        """Return the units of a player, in their order; with *states* only those in one of them."""
        return [unit for unit in self.units.values() if unit.side == player and (not states or unit.state in states)]

    def ids_of(self, player: str, *states: str) -> list[str]:
        """Return the ids of :meth:`units_of`."""
        return [unit.id for unit in self.units_of(player, *states)]

    def add_unit(self, unit: Unit, before: str = "") -> None:
        """Add a unit, before the unit of that id or at the end."""
        others = list(self.units.values())
        place = next((place for place, other in enumerate(others) if other.id == before), len(others))
        self.units = {other.id: other for other in (*others[:place], unit, *others[place:])}

    def owner_of_model(self, model: str) -> str:
        """Return whose model this is: its unit has its id; else whose turn it is."""
        unit = self.units.get(model)
        return unit.side if unit is not None else self.turn or self.attacker or PLAYERS[0]

    def passengers(self, unit: Unit) -> list[Unit]:
        """Return the units embarked in a transport."""
        return [other for other in self.units.values() if other.inside == unit.id]

    def state_with_transport(self, unit: Unit) -> str:
        """Return the state of a unit, or of the transport that it is embarked in (N-08)."""
        transport = self.units.get(unit.inside) if unit.state == EMBARKED else None
        return unit.state if transport is None else transport.state

    # --- rules ---

    def adopt(self, mission: Mission, rules: Sequence[Rule], kinds: Mapping[str, tuple[type[Act], ...]]) -> None:
        """Play by this mission from now on."""
        self.mission, self.rules, self.kinds = mission, tuple(rules), kinds
        self._by_class = {type(rule): rule for rule in rules}
        self._hooks = {
            name: tuple(getattr(rule, name) for rule in rules if getattr(type(rule), name) is not getattr(Rule, name))
            for name in HOOKS
        }
        self.markers = {
            place.id: Marker(place.id, place.at, mission.zone_of(place.at) if place.at else "")
            for place in mission.markers
        }

    def find(self, kind: type[R]) -> R | None:
        """Return the rule of this class, where the mission has it."""
        found = self._by_class.get(kind)
        return found if isinstance(found, kind) else None

    def rule(self, kind: type[R]) -> R:
        """Return the rule of this class; the caller comes from it, so there is one."""
        if (found := self.find(kind)) is None:
            raise RulesError(f"{self.mission.id} has no rule {kind.NAME}")
        return found

    def call(self, hook: str, *args: Any) -> None:
        """Tell every rule, in the mission's order."""
        for answer in self._hooks[hook]:
            answer(self, *args)

    def ask(self, hook: str, *args: Any) -> Iterator[Any]:
        """Yield what the rules answer, in the mission's order."""
        for answer in self._hooks[hook]:
            yield answer(self, *args)

    def ask_players(self, hook: str, *args: Any) -> tuple[str, ...]:
        """Return all players that a rule names, in seat order."""
        named = [player for answer in self.ask(hook, *args) for player in answer]
        return tuple(player for player in PLAYERS if player in named)

    def has_open(self, player: str) -> bool:
        """Say whether *player* could do something that holds the stage, or the end of the battle, open."""
        return any(
            kind.HOLDS and not kind.wrong_now(self, player) and next(kind.holding(self, player), None)
            for kinds in self.kinds.values()
            for kind in kinds
        )

    # --- units and markers ---

    def put(self, unit: Unit, state: str, at: Point | None = None) -> None:
        """Change the state of a unit, and where it is."""
        before = unit.state
        unit.state, unit.at = state, at
        if state == DESTROYED:
            unit.models_now = unit.wounds_now = 0
        if state != before:
            self.call("unit_changed", unit, before)

    def control(self, marker: Marker, player: str) -> None:
        """Let *player* control a marker from now on; empty: nobody."""
        before = marker.control
        if player != before:
            marker.control = player
            self.emit("control", marker=marker.id, player=player)
            self.call("control_changed", marker, before)

    def held(self, player: str) -> list[Marker]:
        """Return the markers on the table that *player* controls."""
        return [marker for marker in self.markers.values() if marker.control == player and not marker.removed]

    # --- dice ---

    def roll(self, label: str, sides: int = 6, to: tuple[str, ...] | None = None) -> int:
        """Return the next face of the label; it stays, even if actions are undone. *to*: the players who can see it."""
        face, new = self.faces.roll(label, sides)
        self.rolled_in = len(self.acts)
        self.emit("dice", to, label=label, face=face, **({} if new else {"again": True}))
        return face

    def peek(self, label: str) -> int:
        """Return the next D6 of the label without rolling it, to refuse an action that it would not allow."""
        return self.faces.peek(label, 6)

    def roll_off(self, label: str) -> str:
        """Return who rolls higher on ``<label>/<player>``; ties are rolled again, on the same labels (N-11)."""
        for _ in range(MAX_ROLL_OFFS):
            if winner := higher({player: self.roll(f"{label}/{player}") for player in PLAYERS}):
                return winner
        return PLAYERS[0]

    def shuffled(self, label: str, items: Sequence[str]) -> list[str]:
        """Return *items* in an order that nobody can foresee; as they are where the game has no secret (cases)."""
        if not (secret := self.beginning.secret):
            return list(items)
        return sorted(items, key=lambda item: hmac.digest(secret, f"{label}|{item}".encode(), hashlib.sha256))

    # --- moments, agreement ---

    def open_moment(self, name: str, units: tuple[str, ...] = (), owner: str = "") -> None:
        """Open a moment for stratagems, or more of one, about some units. *owner*: whose it is."""
        before = self.moments.get(name, {}).get("units", ()) if self.version > 1 else ()
        about: dict[str, Any] = {"units": tuple(dict.fromkeys((*before, *units)))} if units or before else {}
        self.moments[name] = about | ({"owner": owner} if owner else {})
        self.call("moment_opened", name, units)

    def end_moments(self) -> None:
        """End all moments: the phase or stage that they came in is left.

        If nobody can pay, a stage ends automatically: for refusals, its moments last until their owner's next action.
        """
        if self.version == 1:
            return
        if self.stage != BATTLE:
            for player in PLAYERS:
                self.faded[player] = {**self.faded.get(player, {}), **self.moments}
        self.moments.clear()
        self.call("moments_over")

    def end_moments_before(self, act: Act) -> None:
        """End the moments that an act ends that is about to be done (N-61).

        A moment belongs to its owner: it ends when they use it or pass it, with the phase (before the battle: the
        stage) that it came in, and where the source says *immediately* with their own next act. Nothing the other side
        does ends it.
        """
        if self.version == 1:
            if not act.KEEPS_MOMENTS:
                self.moments.clear()
            return
        if act.DO in NO_NEXT_ACT:
            return
        self.faded.pop(act.by, None)
        if self.stage != BATTLE and act.DO == "set_up" and "unit_set_up" in self.moments:
            return  # the reveal is one event, its units are reported one after the other
        for name in IMMEDIATE:
            if (about := self.moments.get(name)) is None:
                continue
            units = tuple(unit for unit in about.get("units", ()) if self.units[unit].side != act.by)
            if about.get("owner") == act.by or (about.get("units") and not units):
                del self.moments[name]
            elif units:
                self.moments[name] = {**about, "units": units}

    def agree(self, topic: str, player: str, value: Any) -> bool:
        """Note what *player* wants; true when the other wants the same, and the topic is then closed."""
        words = self._agreed.setdefault(topic, {})
        words[player] = value
        if words.get(self.other(player), _NOTHING) == value:
            del self._agreed[topic]
            return True
        return False

    def forget(self, topic: str) -> None:
        """Forget what both want of a topic."""
        self._agreed.pop(topic, None)

    def wanted(self, topic: str, player: str) -> Any:
        """Return what *player* wants of a topic that is not agreed; None: nothing so far."""
        return self._agreed.get(topic, {}).get(player)

    # --- ledgers ---

    def gain_cp(self, player: str, cp: int, source: str) -> None:
        """Add command points."""
        if cp:
            self.cp[player] += cp
            self.emit("cp", player=player, cp=cp, source=source)

    def pay_cp(self, player: str, cp: int, what: str) -> None:
        """Take command points; the caller has checked that they are there."""
        self.cp[player] -= cp
        self.emit("spent", player=player, cp=cp, what=what)

    def score(self, player: str, vp: int, reason: str) -> None:
        """Enter victory points (T-11); they never fall."""
        if vp > 0:
            self.vp[player] += vp
            self.vp_log.append(Score(player, self.round, reason, vp))
            self.emit("vp", player=player, vp=vp, reason=reason, round=self.round)

    # --- what is told, how it ends ---

    def emit(self, type_: str, to: tuple[str, ...] | None = None, /, **fields: Any) -> None:
        """Tell a fact to some players; without *to* to everyone."""
        self.events.append(Event(type_, fields, PLAYERS if to is None else to, to is None))

    def end_battle(self) -> None:
        """End the battle: no further turn is played; what belongs to its end is done when the act is."""
        self.clock.ending, self.clock.held = True, False
        self.clock.passed.clear()

    def refusal_of_end(self, player: str) -> Problem | str | None:
        """Return what ``end_now`` of *player* needs, as the first rule that answers says."""
        return next((answer for answer in self.ask("may_end", player) if answer is not None), None)

    def result_by_points(self, word: str) -> Result:
        """Return that the player with more VP has won, as *word* says it, or a draw."""
        winner = higher(self.vp)
        return Result(winner, word if winner else "draw")

    @property
    def decided(self) -> bool:
        """Say whether the winner can no longer change (N-13)."""
        return self.over or (self.stage == BATTLE and any(self.ask("decided")))


_NOTHING: Any = object()
