"""What stratagems do: a small vocabulary that missions put together (section 3 of the narrative missions)."""

from __future__ import annotations

from server.referee.game import Game
from server.referee.narrative.bombardment import Bombardment
from server.referee.narrative.concealed_deployment import ConcealedDeployment
from server.referee.narrative.hidden_spy import HiddenSpy
from server.referee.narrative.placing import Landing
from server.referee.narrative.reports import ROLLED_AWAY, Reports, destroy
from server.referee.narrative.reserves import Reserves, SustainedAssault
from server.referee.narrative.roles import FirstTurn
from server.referee.narrative.rounds import DawnRaid
from server.referee.narrative.sabotage import Sabotage
from server.referee.narrative.sentries import Sentries
from server.referee.narrative.set_up_in_turn import SetUpInTurn
from server.referee.narrative.stratagem_data import (
    MARKER_TARGET,
    PLACE_TARGET,
    UNIT_TARGET,
    Effect,
    effect_kind,
)
from server.referee.reading import BOOL, ID, INCHES, Integer, Record, given


@effect_kind("remind")
class Remind(Effect):
    """Nothing that the referee keeps: the players do it."""

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """It has been announced."""


# --- the bombardment (1.3) ---


@effect_kind("bombardment_dice", needs=Bombardment, target=UNIT_TARGET)
class BombardmentDice(Effect):
    """More dice for one unit; it is hit if any of them hits (N-24)."""

    dice: int = given(Integer(2, 10))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the unit."""
        game.rule(Bombardment).dice[target] = self.dice


@effect_kind("bombardment_hits_on", needs=Bombardment, target=UNIT_TARGET)
class BombardmentHits(Effect):
    """One unit is hit more easily."""

    needs: int = given(Integer(1, 6))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the unit."""
        game.rule(Bombardment).easier[target] = self.needs


@effect_kind("halve_bombardment", needs=Bombardment)
class HalveBombardment(Effect):
    """The wounds of a hit are halved, rounded up (N-25)."""

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the hit."""
        game.rule(Bombardment).halved = True


@effect_kind("launch_bombardment", needs=Bombardment)
class LaunchBombardment(Effect):
    """There is a bombardment."""

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Switch it on."""
        game.rule(Bombardment).on = True


@effect_kind("keep_order", needs=Bombardment)
class KeepOrder(Effect):
    """Each unit that went to ground may act in its first turn if its die is high enough."""

    needs: int = given(Integer(1, 6))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Roll for each."""
        for unit_id in game.rule(Bombardment).grounded:
            if game.roll(f"iron-discipline/{unit_id}") >= self.needs:
                game.units[unit_id].no_actions = False
                game.emit("keeps_order", unit=unit_id)


# --- deployment and first turn ---


@effect_kind("more_markers", needs=ConcealedDeployment)
class MoreMarkers(Effect):
    """Set-up markers that hide nobody."""

    count: int = given(Integer(1, 20))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Allow them."""
        game.rule(ConcealedDeployment).decoys_allowed += self.count


@effect_kind("reveal_marker", needs=ConcealedDeployment, target=MARKER_TARGET)
class RevealMarker(Effect):
    """One marker is revealed at once (N-22)."""

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Reveal it."""
        rule = game.rule(ConcealedDeployment)
        rule.reveal(game, rule.beneath(game, target))


@effect_kind("further_unit", needs=SetUpInTurn)
class FurtherUnit(Effect):
    """One more unit of a patrol is set up; it must have this Battlefield Role."""

    role: str = given(ID)

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Allow it."""
        game.rule(SetUpInTurn).more[player] = self.role


@effect_kind("further_sentries", needs=Sentries, target=UNIT_TARGET)
class FurtherSentries(Effect):
    """A second unit of the army becomes Sentries; its rating stays in the level (N-67)."""

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Make single Sentries of it."""
        game.rule(Sentries).split(game, game.units[target])


@effect_kind("first_turn_on", needs=FirstTurn)
class FirstTurnOn(Effect):
    """A die decides whether its player has the first turn instead."""

    needs: int = given(Integer(1, 6))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Roll it."""
        if game.roll("tables-turned") >= self.needs:
            game.rule(FirstTurn).turned = player


@effect_kind("first_turn_dice", needs=FirstTurn)
class FirstTurnDice(Effect):
    """More dice in the roll-off for the first turn, the highest counts, in ties too (N-68)."""

    dice: int = given(Integer(2, 6))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it."""
        game.rule(FirstTurn).dice[player] = self.dice


# --- Dawn Raid, shooting ---


@effect_kind("longer_dawn_raid", needs=DawnRaid)
class LongerDawnRaid(Effect):
    """Dawn Raid holds for further rounds: so many, and so many for each CP."""

    rounds: int = given(Integer(0, 20), 0)
    for_each_cp: int = given(Integer(0, 20), 0)
    halves_sight: bool = given(BOOL, False)
    """While it holds Sentries see half as far."""

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Add them."""
        raid = game.rule(DawnRaid)
        raid.more += self.rounds + self.for_each_cp * cp
        sentries = game.find(Sentries)
        if self.halves_sight and sentries:
            sentries.halved_in = raid.until


@effect_kind("exempt_from_dawn_raid", needs=DawnRaid, target=UNIT_TARGET)
class ExemptFromDawnRaid(Effect):
    """A unit shoots without its penalty in this phase."""

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the unit."""
        game.rule(DawnRaid).exempt[target] = None


@effect_kind("shoot_back", needs=Reports, target=UNIT_TARGET)
class ReturnFire(Effect):
    """A unit that was shot at shoots back in the enemy's Shooting phase."""

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Allow it."""
        game.rule(Reports).may_return_fire[target] = None


@effect_kind("dig_in", target=UNIT_TARGET)
class DigIn(Effect):
    """A unit is dug in until it moves."""

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it on the unit."""
        game.units[target].dug_in = True


# --- arrivals ---


@effect_kind("arrive_elsewhere", target=UNIT_TARGET)
class ArriveElsewhere(Effect):
    """A unit that arrives, or comes back, may be set up in another place."""

    place: Landing = given(Record(Landing))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it with the rule by which the unit comes."""
        assault, reserves = game.find(SustainedAssault), game.find(Reserves)
        if assault and target in assault.arriving:
            assault.places[target] = self.place
        elif reserves:
            reserves.places[target] = self.place


@effect_kind("arrive_without_die", needs=Reserves, target=UNIT_TARGET)
class ArriveWithoutDie(Effect):
    """A unit in Reserve arrives without its die; where something is said, in that place."""

    place: Landing | None = given(Record(Landing), None)

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the unit."""
        reserves = game.rule(Reserves)
        reserves.certain[target] = None
        if self.place:
            reserves.places[target] = self.place


@effect_kind("reserve_die", needs=Reserves, target=UNIT_TARGET)
class ReserveDie(Effect):
    """The next Reserve die of a unit is changed: by so much, and so much for each CP."""

    by: int = given(Integer(-6, 6), 0)
    for_each_cp: int = given(Integer(-6, 6), 0)

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the unit."""
        modifiers = game.rule(Reserves).modifiers
        modifiers[target] = modifiers.get(target, 0) + self.by + self.for_each_cp * cp


@effect_kind("reserve_dice", needs=Reserves)
class ReserveDice(Effect):
    """All Reserve dice of its player are changed in this turn."""

    by: int = given(Integer(-6, 6))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the turn."""
        bonus = game.rule(Reserves).bonus
        bonus[player] = bonus.get(player, 0) + self.by


@effect_kind("slay_models", target=UNIT_TARGET)
class SlayModels(Effect):
    """A die for each model of a unit; each that is high enough slays one (N-65)."""

    label: str = given(ID)
    """Of the dice: ``<label>/<unit>``, with ``/<round>`` where ``each_round`` says so."""
    each_round: bool = given(BOOL, False)
    needs: int = given(Integer(1, 6))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Roll them; what slays all models destroys the unit."""
        unit = game.units[target]
        label = f"{self.label}/{target}/{game.round}" if self.each_round else f"{self.label}/{target}"
        faces = [game.roll(label) for _ in range(unit.models_now)]
        slain = sum(1 for face in faces if face >= self.needs)
        game.emit("slain", unit=target, faces=faces, slain=slain)
        if slain and slain >= unit.models_now:
            destroy(game, unit)
            unit.marks[ROLLED_AWAY] = True
        unit.suffers = slain


# --- Sentries, Sabotage, the Spy ---


@effect_kind("silence", needs=Sentries, target=UNIT_TARGET)
class Silence(Effect):
    """The next shots of a unit raise the alarm only where the target is wounded and lives."""

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the unit."""
        game.rule(Sentries).silenced[target] = None

    def pending(self, game: Game, target: str) -> bool:
        """It has not shot yet."""
        return target in game.rule(Sentries).silenced


@effect_kind("halve_rating", needs=Sentries, target=UNIT_TARGET)
class HideRating(Effect):
    """A unit's rating is halved, rounded up, where Sentries might spot it (N-36)."""

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the unit."""
        game.rule(Sentries).camouflaged[target] = None


@effect_kind("longer_sight", needs=Sentries)
class LongerSight(Effect):
    """All Sentries spot from further off."""

    inches: int = given(INCHES)

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Add it to all ranges."""
        game.rule(Sentries).further += self.inches


@effect_kind("further_attempt", needs=Sabotage, target=UNIT_TARGET)
class FurtherAttempt(Effect):
    """A unit that has attempted Sabotage may do so once more, in a later turn."""

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Add it."""
        further = game.rule(Sabotage).further
        further[target] = further.get(target, 0) + 1

    def pending(self, game: Game, target: str) -> bool:
        """It still has one."""
        return game.rule(Sabotage).left_to(game.units[target]) > 0


@effect_kind("fewer_attempts", needs=Sabotage)
class FewerAttempts(Effect):
    """Attempts of Sabotage count for nothing, at least 0 remain."""

    by: int = given(Integer(1, 20))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Take them off."""
        sabotage = game.rule(Sabotage)
        sabotage.attempts = max(0, sabotage.attempts - self.by)


@effect_kind("scan", needs=HiddenSpy, target=PLACE_TARGET)
class Scan(Effect):
    """A die for an open hiding place: the Spy is found there, or it stays open (N-66)."""

    needs: int = given(Integer(1, 6))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Roll it."""
        if game.roll(f"scan/{target}/{game.round}") >= self.needs:
            game.rule(HiddenSpy).find(game, target)
