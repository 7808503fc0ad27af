"""Concealed Deployment: markers instead of models until both sides stand (1.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.choices import BOOLEAN, Choice, Offer, one_of, point, points
from server.referee.game import Game
from server.referee.geometry import Point, squared
from server.referee.mission import ROLES, Mission, Zone
from server.referee.narrative.placing import Landing, LandingRule, on_table
from server.referee.narrative.shared_acts import SetUp, stand
from server.referee.reading import AT, BOOL, ID, ZONE, ListOf, OneOf, TableOf, given, state, to_inches
from server.referee.refusals import not_yours, refuse, unknown
from server.referee.rule import rule_kind
from server.referee.units import CONCEALED, EMBARKED, RESERVE, UNPLACED, Unit
from server.referee.view import point_to_json

STAGE = "deployment"
OWN_ARRIVAL = "own_arrival"
"""Flag of units that arrive by rules of their own (N-17)."""
MARKER_TOLERANCE = 100
"""Thousandths of an inch between a marker and its unit's first model (N-92)."""
BEFORE_OTHER_ACTS = ("set_up", "use", "pass", "spend", "go_on")
"""A revealed unit is reported before any act but these."""


@act_kind("place_markers", stages=(STAGE,), turn=True)
class PlaceMarkers(Act):
    """Puts down all set-up markers at once, with the unit under each."""

    markers: Mapping[str, Point] = given(TableOf(AT))
    decoys: tuple[Point, ...] = given(ListOf(AT, max=20), ())
    unequal: bool = given(BOOL, False)

    def check(self, game: Game) -> Found:
        """All units that start on the table, each in the zone; as many in either line (N-46)."""
        rule = game.rule(ConcealedDeployment)
        if rule.sealed or self.by != rule.hider(game):
            yield refuse("wrong_moment", "No markers are placed now.", rule="1.1")
            return
        unfit = False
        for unit_id in self.markers:
            if problem := rule.unfit_unit(game, self.by, unit_id):
                unfit = True
                yield problem
        for problem in self._misplaced(game, rule):
            unfit = True
            yield problem
        if not unfit:
            yield from self._miscounted(game, rule)

    def _misplaced(self, game: Game, rule: ConcealedDeployment) -> Iterator[Problem]:
        places = [*((f"markers.{unit_id}", at) for unit_id, at in self.markers.items())]
        places += [(f"decoys.{number}", at) for number, at in enumerate(self.decoys)]
        for field, at in places:
            if problem := next(on_table(game, at), None):
                yield problem
            elif not any(game.in_zone(zone, at) for zone in rule.zones):
                shown = to_inches(at)
                yield refuse("outside_zone", "This is not in the zone.", field, shown, "1.1")

    def _miscounted(self, game: Game, rule: ConcealedDeployment) -> Iterator[Problem]:
        if len(self.decoys) > rule.decoys_allowed:
            code = "limit_reached" if rule.decoys_allowed else "not_allowed"
            yield refuse(code, "You have {count} decoys.", "decoys", len(self.decoys), "1.1", count=rule.decoys_allowed)
        if rule.nobody_left_out:
            for unit in rule.to_hide(game):
                if unit.id not in self.markers:
                    message = say("{unit} must start on the table.", unit=unit.id)
                    yield refuse("not_allowed", message, "markers", unit.id, "2.1")
        elif game.version > 1:
            left = [unit.id for unit in rule.to_hide(game) if unit.id not in self.markers and not rule.may_wait(unit)]
            if left:
                message = say("These units are still to be set up: {units}.", units=", ".join(left))
                yield refuse("choice_missing", message, "markers", left, "N-17")
        if rule.lines and not self.unequal and not rule.equal(game, [*self.markers.values(), *self.decoys]):
            unequal = "There must be as many markers in the one line as in the other."
            yield refuse("unequal_lines", unequal, "markers", len(self.markers) + len(self.decoys), "N-46")

    def play(self, game: Game) -> None:
        """Seal them, or wait for the other side where the lines are unequal."""
        rule = game.rule(ConcealedDeployment)
        if rule.lines and self.unequal and not rule.equal(game, [*self.markers.values(), *self.decoys]):
            rule.proposed = (dict(self.markers), self.decoys)
            game.emit("unequal_lines_proposed", player=self.by)
        else:
            rule.seal(game, dict(self.markers), self.decoys)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer a marker for each unit, and the decoys that were bought."""
        rule = game.rule(ConcealedDeployment)
        if rule.sealed or player != rule.hider(game):
            return
        hidden = rule.to_hide(game)
        for areas in _splits(game, rule, len(hidden)):
            fields: dict[str, Choice] = {
                f"markers.{unit.id}": point(area) for unit, area in zip(hidden, areas, strict=True)
            }
            if not hidden:
                fields["markers"] = Choice("one_of", ({},))
            if rule.decoys_allowed and not rule.lines:
                fields["decoys"] = points(rule.area(game), 0, rule.decoys_allowed).optional()
            if rule.lines:
                fields["unequal"] = BOOLEAN.optional()
            yield Offer(fields)


@act_kind(stages=(STAGE, "both_deployed", "bombardment", "first_turn"), holds=False, keeps_moments=True)
class SetUpRevealed(SetUp):
    """Reports before the battle where a revealed unit stands: at its marker, or as near as it can be (N-21)."""

    @classmethod
    def wrong_now(cls, game: Game, by: str) -> str:
        """It is only for a player whose units were just revealed."""
        if not any(game.units[unit].side == by for unit in game.rule(ConcealedDeployment).unreported):
            return "not_yours" if game.stage == STAGE else "wrong_stage"
        return super().wrong_now(game, by)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer a revealed unit the place of its marker; elsewhere only after the other side's word (N-92)."""
        rule = game.rule(ConcealedDeployment)
        for found in super().open(game, player):
            unit = game.units[found.fields["unit"].values[0]]
            bound = game.version > 1 and unit.id in rule.unreported and not rule.elsewhere
            place = point_to_json(unit.at) if bound else None
            yield found if place is None else Offer({**found.fields, "at": one_of([place])})

    def play(self, game: Game) -> None:
        """Put it there; what may answer the reveal may still answer it."""
        moments = dict(game.moments)
        SetUp.play(self, game)
        if game.version == 1:
            game.moments.update(moments)


def _splits(game: Game, rule: ConcealedDeployment, count: int) -> Iterator[list[Zone]]:
    """Yield areas for *count* markers: alternating lines, if each must have equally many."""
    if not rule.lines:
        yield [rule.area(game)] * count
        return
    lines = [game.mission.zones[line] for line in rule.lines]
    yield [lines[number % len(lines)] for number in range(count)]


@rule_kind("concealed_deployment", acts=(PlaceMarkers, SetUpRevealed))
class ConcealedDeployment(LandingRule):
    """Hidden units, their markers, and the areas they hide in (1.1)."""

    side: str = given(OneOf(ROLES))
    zones: tuple[str, ...] = given(ListOf(ZONE, min=1))
    lines: tuple[str, ...] = given(ListOf(ZONE), ())
    """Zones with as many markers in each (N-46)."""
    nobody_left_out: bool = given(BOOL, False)
    """No unit may be kept off the table by rules of its own (2.1)."""
    without: str = given(ID, "")
    """Units with this keyword have no marker (2.7)."""

    sealed: bool = state(bool)
    revealed: bool = state(bool)
    decoys_allowed: int = state(int)
    places: dict[str, Point] = state(dict)
    """Where each hidden unit's marker lies."""
    decoys: dict[str, Point] = state(dict)
    """Decoys that lie on the table still, ``decoy1`` ..."""
    labels: dict[str, str] = state(dict)
    """What the other side sees, by unit or decoy: it follows from the places alone, so it tells nothing (N-20)."""
    proposed: tuple[dict[str, Point], tuple[Point, ...]] | None = state(lambda: None)
    """Unequal lines that the other side may agree to."""
    elsewhere: bool = state(bool)
    """The other side agrees that what was revealed stands elsewhere (N-21)."""
    unreported: dict[str, None] = state(dict)
    """Units just revealed: they stand on their markers until their player says otherwise (N-21)."""

    def unfit(self, mission: Mission) -> Iterator[str]:
        """Lines are two, or none."""
        if len(self.lines) not in (0, 2):
            yield "lines must be two zones, or be left out"

    def hider(self, game: Game) -> str:
        """Return who hides."""
        return game.player_of(self.side)

    def area(self, game: Game) -> Zone:
        """Return the polygons in which markers lie."""
        return tuple(polygon for zone in self.zones for polygon in game.mission.zones[zone])

    def to_hide(self, game: Game) -> list[Unit]:
        """Return the units that have markers, if their player does not keep them off."""
        return [
            unit
            for unit in game.units_of(self.hider(game), UNPLACED)
            if not unit.extra and (not self.without or self.without not in unit.keywords)
        ]

    def may_wait(self, unit: Unit) -> bool:
        """Say whether a unit may be kept off by rules of its own (N-17)."""
        return OWN_ARRIVAL in unit.flags

    def unfit_place(self, game: Game, unit: Unit, at: Point) -> Problem | None:
        """A revealed unit takes its marker's place, or one that both agree on (N-21, N-92)."""
        if game.version == 1 or unit.id not in self.unreported or unit.at is None or self.elsewhere:
            return None
        if squared(unit.at, at) <= MARKER_TOLERANCE**2:
            return None
        message = "The first model stands on the marker; elsewhere only with the other player's word."
        return refuse("wrong_place", message, "at", to_inches(at), "N-92")

    def unfit_unit(self, game: Game, player: str, unit_id: str) -> Problem | None:
        """Return why a marker cannot stand for this unit."""
        if (unit := game.units.get(unit_id)) is None:
            return unknown("unit", f"markers.{unit_id}", unit_id)
        if unit.side != player:
            return not_yours("This is a unit of the other player.")
        if unit.state == EMBARKED:
            message = "It is embarked: its transport has the marker."
            return refuse("not_allowed", message, f"markers.{unit_id}", unit_id, "1.1")
        if unit not in self.to_hide(game):
            return refuse("not_allowed", "This unit is not set up now.", f"markers.{unit_id}", unit_id, "2.7")
        return None

    def equal(self, game: Game, places: list[Point]) -> bool:
        """Say whether the lines hold as many markers each, one more in one of them where the number is odd."""
        first, second = self.lines
        only_first = sum(1 for at in places if game.in_zone(first, at) and not game.in_zone(second, at))
        only_second = sum(1 for at in places if game.in_zone(second, at) and not game.in_zone(first, at))
        maximum = (len(places) + 1) // 2
        return only_first <= maximum and only_second <= maximum

    def stage_entered(self, game: Game, stage: str) -> None:
        """Markers that lie there already are sealed (a game that begins in the middle)."""
        if stage == STAGE:
            lying = {unit.id: unit.at for unit in game.units_of(self.hider(game), CONCEALED) if unit.at}
            if lying and not self.to_hide(game):
                self.seal(game, lying, ())

    def seal(self, game: Game, markers: dict[str, Point], decoys: tuple[Point, ...]) -> None:
        """Seal the markers: the other side sees labels and points."""
        self.sealed, self.proposed = True, None
        for unit in self.to_hide(game):
            game.put(unit, CONCEALED if unit.id in markers else RESERVE, markers.get(unit.id))
        self.places = dict(markers)
        self.decoys = {f"decoy{number}": at for number, at in enumerate(decoys, 1)}
        lying = self.lying()
        names = sorted(lying, key=lambda name: lying[name])
        numbers = game.shuffled("markers", [str(number) for number in range(1, len(names) + 1)])
        self.labels = dict(zip(names, numbers, strict=True))
        game.emit("markers_placed", player=self.hider(game), markers=len(names))
        game.open_moment("markers_placed", owner=game.other(self.hider(game)))

    def lying(self) -> dict[str, Point]:
        """Return all markers on the table: those of units and decoys."""
        return {} if self.revealed else {**self.places, **self.decoys}

    def named(self, game: Game) -> tuple[str, ...]:
        """Return the other side's names for the markers: labels; in cases, which have no secret, the units beneath."""
        if not game.beginning.secret:
            return tuple(self.labels)
        return tuple(sorted((self.labels[name] for name in self.lying()), key=int))

    def beneath(self, game: Game, named: str) -> str:
        """Return the unit or decoy under a marker that :meth:`named` names."""
        if not game.beginning.secret:
            return named
        return next(name for name, label in self.labels.items() if label == named)

    def reveal(self, game: Game, name: str) -> None:
        """Show what is under a marker; a unit is set up on it, a decoy goes away (N-22)."""
        game.emit("revealed", marker=self.labels[name], decoy=name in self.decoys)
        if name in self.decoys:
            del self.decoys[name]
        else:
            stand(game, game.units[name], self.places.pop(name))
            self.unreported[name] = None

    def landing(self, game: Game, unit: Unit) -> Landing | Problem | None:
        """Return the zone for a unit just revealed (N-21)."""
        return Landing(zones=self.zones, wholly=True) if unit.id in self.unreported else None

    def landed(self, game: Game, unit: Unit) -> None:
        """It is reported; stratagems may still answer the reveal."""
        del self.unreported[unit.id]

    def after_act(self, game: Game, act: Act) -> None:
        """The game has gone on: who is not reported stands on the marker."""
        before = BEFORE_OTHER_ACTS if game.version == 1 else (*BEFORE_OTHER_ACTS, "confirm")
        if act.DO not in before:
            self.unreported.clear()
        if not self.unreported:
            self.elsewhere = False

    def stage_left(self, game: Game, stage: str) -> None:
        """Reveal all at once; what cannot stand there its player sets up as near as it can be (N-21)."""
        if stage != STAGE or self.revealed:
            return
        shown = [*self.places]
        for name in [*self.places, *self.decoys]:
            self.reveal(game, name)
        self.revealed = True
        if shown:
            game.open_moment("unit_set_up", units=tuple(shown))

    def may_confirm(self, game: Game, player: str) -> bool:
        """The other side may agree to unequal lines."""
        if self.unreported and game.version > 1 and not self.elsewhere:
            return player != self.hider(game)
        return self.proposed is not None and player != self.hider(game)

    def confirms(self, game: Game, player: str) -> Mapping[str, Any]:
        """The lines may be unequal, or revealed units may be set up elsewhere."""
        return {"what": "unequal_lines"} if self.proposed else {"what": "elsewhere", "units": tuple(self.unreported)}

    def word_is_free(self, game: Game) -> bool:
        """Nobody has asked yet to stand elsewhere."""
        return self.proposed is None

    def confirmed(self, game: Game, player: str) -> None:
        """Both waive the equal lines (N-46), or the places of revealed units (N-21)."""
        if self.proposed:
            self.seal(game, *self.proposed)
        else:
            self.elsewhere = True

    def hides(self, game: Game, player: str, unit: Unit) -> bool:
        """Only its player knows the unit under a marker, and its passengers (N-14)."""
        concealed = not self.revealed and game.state_with_transport(unit) == CONCEALED
        return concealed and unit.side == self.hider(game) != player

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Labels and points for all, what is under them for their own player."""
        own, side, lying = player == self.hider(game), self.hider(game), self.lying()
        in_order = sorted(lying, key=lambda name: int(self.labels[name]))
        told = {name: {"label": self.labels[name], "side": side, "at": to_inches(lying[name])} for name in in_order}
        unseen = [marker for name, marker in told.items() if not own or name in self.decoys]
        own_book = {"under": {told[name]["label"]: name for name in in_order}} if own else {}
        facts = {"sealed": self.sealed, "decoys": self.tracked(game)["decoys"]}
        return {"concealed": unseen, self.NAME: facts | {"markers": list(told.values())} | own_book}

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take how many decoys were bought."""
        if name != "decoys" or type(value) is not int or value < 0:
            return False
        self.decoys_allowed = value
        return True

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Return how many decoys there are: bought, or on the table."""
        return {"decoys": len(self.decoys) if self.sealed else self.decoys_allowed}
