"""The hidden Spy: hiding places, discovery, and the Spy's fate (2.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.beginning import Start
from server.referee.choices import Offer, offer, one_of, point
from server.referee.game import Game
from server.referee.geometry import Point
from server.referee.mission import DEFENDER, Mission
from server.referee.narrative.placing import Landing, LandingRule, on_table
from server.referee.narrative.reports import HOMELESS, STAYS, Moved
from server.referee.narrative.sentries import SPY, Sentries
from server.referee.narrative.shared_acts import NearRule, SetUp, Within, distance, own_units_only
from server.referee.reading import AT, ID, INCHES, ZONE, Integer, given, state, to_inches
from server.referee.refusals import refuse, unknown
from server.referee.rule import Result, rule_kind
from server.referee.units import DESTROYED, TABLE, UNPLACED, Unit, UnitData, make_unit

TERRAIN = "terrain"
HIDDEN, FOUND, SLAIN = "hidden", "found", "slain"


@act_kind("hide", stages=(TERRAIN,), turn=True)
class Hide(Act):
    """Names a place where the Spy may hide; the players take turns (2.6)."""

    place: str = given(ID)
    at: Point = given(AT)

    def check(self, game: Game) -> Found:
        """Each place once, in the Defender's zone."""
        rule = game.rule(HiddenSpy)
        if self.place not in rule.names():
            yield unknown("hiding place", "place", self.place)
        elif game.markers[self.place].at is not None:
            yield refuse("already_used", "This place lies already.", "place", self.place, "2.6")
        elif problem := next(on_table(game, self.at), None):
            yield problem
        elif not game.in_zone(rule.zone, self.at):
            shown = to_inches(self.at)
            yield refuse("outside_zone", "Hiding places lie in the Defender's zone.", "at", shown, "2.6")

    def play(self, game: Game) -> None:
        """Put it down; the other player is next."""
        marker = game.markers[self.place]
        marker.at, marker.zone = self.at, game.zone_of(self.at)
        game.emit("marker_placed", marker=marker.id, at=to_inches(self.at))
        game.rule(HiddenSpy).next_player(game)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the places that do not lie yet."""
        rule = game.rule(HiddenSpy)
        if missing := rule.missing(game):
            yield offer(place=one_of(missing), at=point(game.mission.zones[rule.zone]))


@rule_kind("hidden_spy", acts=(Hide, Within, SetUp))
class HiddenSpy(LandingRule, NearRule):
    """Where the Spy may be, the dice of those who look, the Spy's fate."""

    prefix: str = given(ID, "p")
    """Of the markers that are hiding places."""
    zone: str = given(ZONE, DEFENDER)
    near: int = given(INCHES, 3_000)
    needs: int = given(Integer(1, 6), 6)
    away: int = given(INCHES, 1_000)
    """The Spy is set up more than this from enemies."""
    wounds: int = given(Integer(1, 10), 4)
    """Of a Spy that no roster names."""

    closed: dict[str, None] = state(dict)
    fate: str = state(lambda: HIDDEN)
    found_at: str = state(str)
    waits: bool = state(bool)
    """The Spy is found and must be set up."""

    def unfit(self, mission: Mission) -> Iterator[str]:
        """There must be hiding places."""
        if not any(marker.id.startswith(self.prefix) for marker in mission.markers):
            yield f"this mission has no marker whose id begins with {self.prefix}"

    def names(self) -> tuple[str, ...]:
        """Return the ids of the hiding places."""
        return self._names

    _names: tuple[str, ...] = state(tuple)

    # --- muster ---

    def mustered(self, game: Game) -> None:
        """The Spy is outside army and level, and called ``spy``."""
        self._names = tuple(name for name in game.markers if name.startswith(self.prefix))
        if (given_as := next((unit for unit in game.units.values() if SPY in unit.flags), None)) is None:
            data = UnitData(id=SPY, models=1, wounds=self.wounds, power=0, role="elites", flags=(SPY,))
            side = game.attacker or game.players[0]
            game.units[SPY] = make_unit(data, side, UNPLACED)
        elif given_as.id != SPY:
            renamed = replace(given_as, id=SPY, marks={})
            game.units = {
                renamed.id if unit is given_as else unit.id: renamed if unit is given_as else unit
                for unit in game.units.values()
            }
        spy = game.units[SPY]
        spy.extra = True

    def resumed(self, game: Game, start: Start) -> None:
        """A hidden Spy is not on the table."""
        spy = game.units[SPY]
        if self.fate == HIDDEN and spy.state == TABLE:
            spy.state = UNPLACED

    # --- hiding places ---

    def missing(self, game: Game) -> list[str]:
        """Return the places that do not lie yet."""
        return [name for name in self.names() if game.markers[name].at is None]

    def open_places(self, game: Game) -> list[str]:
        """Return the places that may still hide the Spy."""
        return [name for name in self.names() if name not in self.closed] if self.fate == HIDDEN else []

    def stage_entered(self, game: Game, stage: str) -> None:
        """The Attacker names the first place, and brings the Spy."""
        game.units[SPY].side = game.attacker or game.units[SPY].side
        if stage == TERRAIN and self.missing(game):
            game.clock.turn = game.attacker if len(self.missing(game)) % 2 == len(self.names()) % 2 else game.defender

    def next_player(self, game: Game) -> None:
        """Let the other player name the next place."""
        game.clock.turn = game.other(game.clock.turn) if self.missing(game) else ""

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Whose step it is must name a place."""
        return (game.clock.turn,) if stage == TERRAIN and self.missing(game) else ()

    # --- finding ---

    def things(self, game: Game) -> tuple[str, ...]:
        """Distances are reported to hiding places."""
        return self.names()

    def unfit_report(self, game: Game, player: str, unit: Unit, thing: str) -> Problem | None:
        """The Attacker reports who has come near."""
        if unit.side != game.attacker:
            return refuse("wrong_target", "Only units of the Attacker look for the Spy.", "unit", unit.id, "2.6")
        if game.clock.ending:
            return refuse("wrong_moment", "The last turn is over.", rule="2.6")
        return own_units_only(player, unit)

    def reported(self, game: Game, unit: Unit, thing: str, inches: int) -> None:
        """The first time someone ends a move near an open place, a die (2.6)."""
        if inches > self.near or thing not in self.open_places(game):
            return
        last = len(self.open_places(game)) == 1
        if last or game.roll(f"spy/{thing}") >= self.needs:
            self.find(game, thing)
        else:
            self.closed[thing] = None
            game.emit("place_closed", place=thing)

    def is_fit(self, unit: Unit) -> bool:
        """Say whether a unit can be the Spy (N-91)."""
        return unit.models == 1 and "infantry" in unit.keywords and unit.wounds <= self.wounds

    def not_fit(self) -> Problem:
        """Return the refusal of a unit that cannot be the Spy."""
        message = say("The Spy is one INFANTRY model of at most {wounds} wounds.", wounds=self.wounds)
        return refuse("not_allowed", message, "unit", SPY, "N-91")

    def army_faults(self, game: Game) -> Iterator[Problem]:
        """Yield why the unit named as the Spy cannot be."""
        if not self.is_fit(game.units[SPY]):
            yield self.not_fit()

    def after_act(self, game: Game, act: Act) -> None:
        """Look for the Spy where a model has ended its move near a single open place, as measured (N-90).

        Near several of them its player names the order (N-50), with ``within``.
        """
        if game.version == 1 or not isinstance(act, Moved) or act.by != game.attacker:
            return
        unit = game.units[act.unit]
        near = [place for place in self.open_places(game) if self._is_near(game, unit, place)]
        if len(near) == 1:
            self.reported(game, unit, near[0], 0)

    def _is_near(self, game: Game, unit: Unit, place: str) -> bool:
        return bool(distance(game, unit, place, game.markers[place].at, self.near))

    def find(self, game: Game, place: str) -> None:
        """The Spy is found: to be set up at once; the alarm is raised at the end of the turn."""
        self.fate, self.found_at, self.waits = FOUND, place, True
        spy = game.units[SPY]
        spy.marks[HOMELESS] = True
        spy.marks[STAYS] = (game.round, game.turn, game.phase)
        game.emit("spy_found", place=place)
        if sentries := game.find(Sentries):
            sentries.raise_at_end("spy")

    def landing(self, game: Game, unit: Unit) -> Landing | Problem | None:
        """Near the place, and more than 1" from enemies."""
        if unit.id != SPY:
            return None
        if not self.waits:
            return refuse("wrong_moment", "The Spy is not set up now.", "unit", SPY, "2.6")
        if game.version > 1 and not self.is_fit(unit):
            return self.not_fit()
        return Landing(around=game.markers[self.found_at].at, inches=self.near, away=self.away)

    def landed(self, game: Game, unit: Unit) -> None:
        """The Spy stands."""
        self.waits = False
        unit.marks.pop(HOMELESS, None)

    def phase_missing(self, game: Game, phase: str) -> Problem | None:
        """The Spy must be set up, or is slain."""
        if self.waits:
            return refuse("choice_missing", "Set up the Spy at {place} first.", rule="2.6", place=self.found_at)
        return None

    def unit_changed(self, game: Game, unit: Unit, before: str) -> None:
        """A Spy that cannot be set up loses the battle at once; one slain later decides it (N-51)."""
        if unit.id == SPY and unit.state == DESTROYED:
            self.fate = SLAIN
            if self.waits:
                self.waits = False
                unit.marks.pop(HOMELESS, None)
                game.end_battle()

    # --- the end, and what is known ---

    def result(self, game: Game) -> Result | None:
        """Found and alive: the Attacker; else the Defender."""
        return Result(game.attacker if self.fate == FOUND else game.defender, "victory")

    def decided(self, game: Game) -> bool:
        """A slain Spy decides it."""
        return self.fate == SLAIN

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take the Spy's fate and the open places."""
        if name == "spy" and value in (HIDDEN, FOUND, SLAIN):
            self.fate = value
            if value == FOUND and game.units[SPY].state == UNPLACED:
                game.units[SPY].state = TABLE
        elif name == "open_places" and isinstance(value, list):
            self.closed = {place: None for place in self.names() if place not in value}
        elif name != "places_closed":
            return False
        return True

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """The Spy's fate, open places, how many are closed."""
        places = [name for name in self.names() if name not in self.closed and name != self.found_at]
        return {"spy": self.fate, "open_places": places, "places_closed": len(self.closed)}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Whether the Spy waits to be set up."""
        return {self.NAME: {**self.tracked(game), "waits": self.waits, "found_at": self.found_at}}
