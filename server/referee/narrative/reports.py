"""Reports of what happened on the table (N-01, N-09): losses; who moved, Advanced, shot, manifested, fought.

An Advance along a mined road sets the mines off (2.7).
"""

from __future__ import annotations

from collections.abc import Iterator

from server.core.errors import Problem
from server.referee.act import Act, Found, act_kind
from server.referee.choices import BOOLEAN, Offer, integer, offer, one_of, point
from server.referee.game import Game
from server.referee.geometry import Point
from server.referee.narrative.placing import MOVEMENT, on_table
from server.referee.narrative.sentries import Sentries, is_sentry, left_out
from server.referee.narrative.shared_acts import ARRIVED, OUT, forget
from server.referee.reading import AT, BOOL, ENEMY_UNIT, ID, OWN_UNIT, Integer, given, state, to_inches
from server.referee.refusals import not_yours, refuse
from server.referee.rule import Rule, rule_kind
from server.referee.units import DESTROYED, EMBARKED, MAX_MODELS, MAX_WOUNDS, TABLE, Unit

AFTER_DEPLOYMENT = ("deployment", "both_deployed", "bombardment", "first_turn", "battle")
ROLLED_AWAY = "rolled_away"
"""Mark of a unit that dice of the referee have destroyed: its player may still report it, once (N-65)."""
HOMELESS = "homeless"
"""Mark of a unit that must be set up, and is destroyed if there is no room for it (2.6)."""
STAYS = "stays"
"""Mark of a unit that does not move in a phase: round, turn, phase."""
PSYCHIC, SHOOTING, CHARGE, FIGHT = "psychic", "shooting", "charge", "fight"


@rule_kind("quake_mines")
class QuakeMines(Rule):
    """Each time a unit with the keyword Advances along the road, a die; where it is low, mortal wounds (N-54)."""

    keyword: str = given(ID)
    goes_off_to: int = given(Integer(1, 6), 1)
    """The highest face that sets them off."""

    def tread(self, game: Game, unit: Unit) -> None:
        """Roll for a unit that Advanced along the road."""
        if self.keyword not in unit.keywords:
            return
        if game.roll(f"quake/{unit.id}/{game.round}") <= self.goes_off_to:
            unit.suffers = game.roll(f"quake-wounds/{unit.id}/{game.round}")
            game.emit("mines", unit=unit.id, wounds=unit.suffers)


def not_in_play(unit: Unit) -> Problem | None:
    """Return why nothing can happen to a unit: it is neither on the table nor in a transport there."""
    if unit.state in (TABLE, EMBARKED):
        return None
    return refuse("wrong_target", "This unit is not on the table.", "unit", unit.id, "N-09")


def destroy(game: Game, unit: Unit) -> None:
    """Destroy a unit; its passengers are at its place until their player reports (N-08)."""
    at = unit.at
    game.emit("destroyed", unit=unit.id)
    game.put(unit, DESTROYED)
    for passenger in game.passengers(unit):
        if passenger.state == EMBARKED:
            passenger.inside = ""
            passenger.marks[OUT] = True
            game.put(passenger, TABLE, at)


@act_kind("strength", stages=AFTER_DEPLOYMENT[2:], holds=False, report=1)
class Strength(Act):
    """Reports what is left of a unit."""

    unit: str = given(OWN_UNIT)
    models: int | None = given(Integer(0, MAX_MODELS), None)
    wounds: int | None = given(Integer(0, MAX_WOUNDS), None)

    def check(self, game: Game) -> Found:
        """No more than it began with."""
        unit = game.units[self.unit]
        if self.models is None and self.wounds is None:
            yield refuse("missing_field", "Say how many models, or wounds, are left.", "models", "")
            return
        if unit.marks.get(ROLLED_AWAY) and not self.models and not self.wounds:
            return
        if problem := not_in_play(unit):
            yield problem
        if self.models is not None and self.models > unit.models:
            yield refuse("bad_value", "That is more than the unit began with.", "models", self.models, "N-06")
        if self.wounds is not None and (unit.models > 1 or self.wounds > (unit.wounds or MAX_WOUNDS)):
            yield refuse("bad_value", "Wounds are those of a unit of one model.", "wounds", self.wounds, "N-06")

    def play(self, game: Game) -> None:
        """Note it; nothing left is destroyed."""
        unit = game.units[self.unit]
        if unit.marks.pop(ROLLED_AWAY, None):
            return
        if self.models is not None:
            unit.models_now = self.models
        if self.wounds is not None:
            unit.wounds_now = self.wounds
        game.emit("strength", unit=unit.id, models=unit.models_now, wounds=unit.wounds_now)
        if 0 in (self.models, self.wounds):
            destroy(game, unit)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every unit in play."""
        for unit in game.units_of(player, TABLE, EMBARKED):
            if unit.models == 1 and unit.wounds:
                yield offer(unit=one_of([unit.id]), wounds=integer(0, unit.wounds))
            else:
                yield offer(unit=one_of([unit.id]), models=integer(0, unit.models))


@act_kind("destroyed", stages=AFTER_DEPLOYMENT, holds=False, report=1)
class Destroyed(Act):
    """Reports that a unit is destroyed."""

    unit: str = given(OWN_UNIT)

    def check(self, game: Game) -> Found:
        """It must have been in play; the Spy may have found no place (2.6)."""
        unit = game.units[self.unit]
        if not unit.marks.get(ROLLED_AWAY) and not unit.marks.get(HOMELESS) and (problem := not_in_play(unit)):
            yield problem

    def play(self, game: Game) -> None:
        """Take it off."""
        unit = game.units[self.unit]
        if not unit.marks.pop(ROLLED_AWAY, None):
            destroy(game, unit)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every unit in play."""
        units = [
            unit.id
            for unit in game.units_of(player)
            if unit.state in (TABLE, EMBARKED) or unit.marks.get(ROLLED_AWAY) or unit.marks.get(HOMELESS)
        ]
        if units:
            yield offer(unit=one_of(units))


def no_actions(game: Game, unit: Unit) -> Problem | None:
    """Return why a unit does nothing: it went to ground (N-26), or all is quiet (N-32)."""
    if unit.no_actions and game.turn == unit.side:
        return refuse(
            "not_allowed", "This unit went to ground: it does nothing in its first turn.", "unit", unit.id, "N-26"
        )
    if (sentries := game.find(Sentries)) and not sentries.alarm and is_sentry(unit):
        return refuse("not_allowed", "All is quiet: Sentries do nothing of their own.", "unit", unit.id, "N-32")
    return None


def _idle(game: Game, act: str, unit: Unit) -> Problem | None:
    return not_in_play(unit) or left_out(game, act, unit.id) or no_actions(game, unit)


@act_kind("moved", stages=("battle",), phases=(MOVEMENT, CHARGE, FIGHT), report=1)
class Moved(Act):
    """Reports that a unit moved, and where its first model is now."""

    unit: str = given(OWN_UNIT)
    at: Point | None = given(AT, None)

    def check(self, game: Game) -> Found:
        """Movement is for whose turn it is; in charges and fights both may move."""
        unit = game.units[self.unit]
        if game.phase == MOVEMENT and game.turn != self.by:
            yield not_yours()
        elif problem := _idle(game, self.DO, unit) or next(_unfit_to_move(game, unit), None):
            yield problem
        elif self.at is not None:
            yield from on_table(game, self.at)

    def play(self, game: Game) -> None:
        """Note it."""
        moved(game, game.units[self.unit], self.at)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every unit that may move."""
        more = {"at": point().optional()}
        yield from cls.offers(game, player, "unit", game.ids_of(player, TABLE), more)


def _unfit_to_move(game: Game, unit: Unit) -> Iterator[Problem]:
    if unit.state != TABLE:
        yield refuse("wrong_target", "This unit is embarked.", "unit", unit.id, "N-08")
    if unit.marks.get(STAYS) == (game.round, game.turn, game.phase):
        yield refuse("not_allowed", "It does not move in the phase in which it was found.", "unit", unit.id, "2.6")
    if game.version > 1 and unit.marks.get(ARRIVED) == (game.round, game.turn, game.phase):
        yield refuse("has_arrived", "What has arrived in this phase does not move in it.", "unit", unit.id, "T-90")


def moved(game: Game, unit: Unit, at: Point | None) -> None:
    """Note that a unit moved: it is no longer dug in (N-66), and measured distances no longer hold."""
    unit.dug_in = False
    unit.at = at
    forget(unit)
    game.emit("moved", unit=unit.id, at=None if at is None else to_inches(at))


@act_kind("advanced", stages=("battle",), phases=(MOVEMENT,), turn=True, report=1)
class Advanced(Act):
    """Reports that a unit Advanced; on a mined road dice follow (2.7, N-54)."""

    unit: str = given(OWN_UNIT)
    road: bool = given(BOOL)

    def check(self, game: Game) -> Found:
        """Once a unit and phase."""
        unit = game.units[self.unit]
        if problem := _idle(game, self.DO, unit) or next(_unfit_to_move(game, unit), None):
            yield problem
        elif self.unit in game.rule(Reports).advanced:
            yield refuse("limit_reached", "This unit has Advanced.", "unit", self.unit, "N-54")

    def play(self, game: Game) -> None:
        """Note it, and roll for the mines."""
        unit = game.units[self.unit]
        game.rule(Reports).advanced[unit.id] = None
        moved(game, unit, None)
        game.emit("advanced", unit=unit.id, road=self.road)
        mines = game.find(QuakeMines)
        if mines and self.road:
            mines.tread(game, unit)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every unit that may Advance."""
        more = {"road": BOOLEAN}
        yield from cls.offers(game, player, "unit", game.ids_of(player, TABLE), more, road=False)


@act_kind("shot", stages=("battle",), phases=(SHOOTING, CHARGE), report=1)
class Shot(Act):
    """Reports that a unit shot at a target."""

    unit: str = given(OWN_UNIT)
    target: str = given(ENEMY_UNIT)
    wounded: bool = given(BOOL, False)
    slain: bool = given(BOOL, False)

    def check(self, game: Game) -> Found:
        """In the player's own Shooting phase; in the enemy's turn Overwatch, and Return Fire."""
        unit, target = game.units[self.unit], game.units[self.target]
        if problem := self._untimely(game) or _idle(game, self.DO, unit):
            yield problem
        elif target.state != TABLE:
            yield refuse("wrong_target", "The target is not on the table.", "target", self.target, "N-09")

    @classmethod
    def at_phase_end(cls, game: Game, by: str) -> bool:
        """Return Fire is shot at the end of the enemy's phase."""
        return by != game.turn and bool(game.rule(Reports).may_return_fire)

    def _untimely(self, game: Game) -> Problem | None:
        if game.turn == self.by:
            return None if game.phase == SHOOTING else refuse("wrong_phase", "Units shoot in the Shooting phase.")
        if game.phase == SHOOTING and self.unit not in game.rule(Reports).may_return_fire:
            return not_yours()
        return None

    def play(self, game: Game) -> None:
        """Note the shooter and the target. A slain Sentry is destroyed; a shot of the Attacker raises the alarm."""
        reports, target = game.rule(Reports), game.units[self.target]
        reports.have_shot[self.unit] = None
        if game.phase == SHOOTING:
            reports.shot_at[self.target] = None
        game.emit("shot", unit=self.unit, target=self.target, wounded=self.wounded, slain=self.slain)
        if self.slain and is_sentry(target):
            game.put(target, DESTROYED)  # that alone raises no alarm (N-37)
        sentries = game.find(Sentries)
        if sentries and self.by == game.attacker and not sentries.alarm:
            silent = sentries.silenced.pop(self.unit, "loud") is None
            if not silent or (self.wounded and not self.slain):
                sentries.raise_alarm(game, "shot", self.DO, self.unit)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every unit that may shoot, with the enemies on the table."""
        if targets := game.ids_of(game.other(player), TABLE):
            more = {"target": one_of(targets), "wounded": BOOLEAN.optional(), "slain": BOOLEAN.optional()}
            units = game.ids_of(player, TABLE, EMBARKED)
            yield from cls.offers(game, player, "unit", units, more, target=targets[0])


@act_kind("manifested", stages=("battle",), phases=(PSYCHIC,), turn=True, report=1)
class Manifested(Act):
    """Reports a psychic power; a failed one raises no alarm (N-33)."""

    unit: str = given(OWN_UNIT)
    failed: bool = given(BOOL, False)

    def check(self, game: Game) -> Found:
        """The unit must be in play."""
        if problem := _idle(game, self.DO, game.units[self.unit]):
            yield problem

    def play(self, game: Game) -> None:
        """Note it."""
        game.emit("manifested", unit=self.unit, failed=self.failed)
        sentries = game.find(Sentries)
        if sentries and self.by == game.attacker and not self.failed:
            sentries.raise_alarm(game, "power", "power", self.unit)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every unit in play."""
        more = {"failed": BOOLEAN.optional()}
        yield from cls.offers(game, player, "unit", game.ids_of(player, TABLE, EMBARKED), more)


@act_kind("fought", stages=("battle",), phases=(FIGHT,), report=1)
class Fought(Act):
    """Reports an attack on a Sentry in the Fight phase; one that does not kill raises the alarm (1.6)."""

    unit: str = given(OWN_UNIT)
    sentry: str = given(ENEMY_UNIT)
    slain: bool = given(BOOL)

    def check(self, game: Game) -> Found:
        """A Sentry on the table."""
        sentry = game.units[self.sentry]
        if problem := _idle(game, self.DO, game.units[self.unit]):
            yield problem
        elif not is_sentry(sentry) or sentry.state != TABLE:
            yield refuse("wrong_target", "This is no Sentry on the table.", "sentry", self.sentry, "1.6")

    def play(self, game: Game) -> None:
        """Note it."""
        game.emit("fought", unit=self.unit, sentry=self.sentry, slain=self.slain)
        if self.slain:
            game.put(game.units[self.sentry], DESTROYED)  # that alone raises no alarm (N-37)
        elif (sentries := game.find(Sentries)) and self.by == game.attacker:
            sentries.raise_alarm(game, "fight", self.DO, self.unit)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every unit with the Sentries on the table."""
        if targets := [unit.id for unit in game.units_of(game.other(player), TABLE) if is_sentry(unit)]:
            more, units = {"sentry": one_of(targets), "slain": BOOLEAN}, game.ids_of(player, TABLE, EMBARKED)
            yield from cls.offers(game, player, "unit", units, more, sentry=targets[0], slain=True)


@rule_kind("reports", acts=(Strength, Destroyed, Moved, Advanced, Shot, Manifested, Fought))
class Reports(Rule):
    """What the players tell the referee of their units."""

    advanced: dict[str, None] = state(dict)
    """In this phase, as the next two."""
    have_shot: dict[str, None] = state(dict)
    shot_at: dict[str, None] = state(dict)
    """In the last Shooting phase."""
    may_return_fire: dict[str, None] = state(dict)

    def phase_entered(self, game: Game, phase: str) -> None:
        """A phase begins with nothing done."""
        self.advanced.clear()
        self.have_shot.clear()
        if phase == SHOOTING:
            self.shot_at.clear()
            self.may_return_fire.clear()

    def phase_ending(self, game: Game, phase: str) -> None:
        """The Attacker's first Shooting phase may be answered (Return Fire)."""
        if phase != SHOOTING or game.round != 1 or game.turn != game.attacker:
            return
        if game.version == 1:
            game.open_moment("first_shooting_over")
        else:
            game.faded.setdefault(game.defender, {})["first_shooting_over"] = {}
