"""What stratagems do: a small vocabulary that missions put together (section 3 of the narrative missions)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

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
from server.referee.narrative.stratagem_data import EFFECTS, MARKER_TARGET, PLACE_TARGET, UNIT_TARGET, Effect
from server.referee.reading import BOOL, ID, INCHES, Integer, Record, given
from server.referee.rule import Rule

if TYPE_CHECKING:
    from server.referee.game import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class Remind(Effect):
    """Nothing that the referee keeps: the players do it."""

    NAME: ClassVar[str] = "remind"

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """It has been announced."""


# --- the bombardment (1.3) ---


@dataclass(frozen=True, slots=True, kw_only=True)
class BombardmentDice(Effect):
    """More dice for one unit; it is hit if any of them hits (N-24)."""

    NAME: ClassVar[str] = "bombardment_dice"
    NEEDS: ClassVar[type[Rule] | None] = Bombardment
    TARGET: ClassVar[str] = UNIT_TARGET
    dice: int = given(Integer(2, 10))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the unit."""
        game.rule(Bombardment).dice[target] = self.dice


@dataclass(frozen=True, slots=True, kw_only=True)
class BombardmentHits(Effect):
    """One unit is hit more easily."""

    NAME: ClassVar[str] = "bombardment_hits_on"
    NEEDS: ClassVar[type[Rule] | None] = Bombardment
    TARGET: ClassVar[str] = UNIT_TARGET
    needs: int = given(Integer(1, 6))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the unit."""
        game.rule(Bombardment).easier[target] = self.needs


@dataclass(frozen=True, slots=True, kw_only=True)
class HalveBombardment(Effect):
    """The wounds of a hit are halved, rounded up (N-25)."""

    NAME: ClassVar[str] = "halve_bombardment"
    NEEDS: ClassVar[type[Rule] | None] = Bombardment

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the hit."""
        game.rule(Bombardment).halved = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchBombardment(Effect):
    """There is a bombardment."""

    NAME: ClassVar[str] = "launch_bombardment"
    NEEDS: ClassVar[type[Rule] | None] = Bombardment

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Switch it on."""
        game.rule(Bombardment).on = True


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepOrder(Effect):
    """Each unit that went to ground may act in its first turn if its die is high enough."""

    NAME: ClassVar[str] = "keep_order"
    NEEDS: ClassVar[type[Rule] | None] = Bombardment
    needs: int = given(Integer(1, 6))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Roll for each."""
        for unit_id in game.rule(Bombardment).grounded:
            if game.roll(f"iron-discipline/{unit_id}") >= self.needs:
                game.units[unit_id].no_actions = False
                game.emit("keeps_order", unit=unit_id)


# --- deployment and first turn ---


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreMarkers(Effect):
    """Set-up markers that hide nobody."""

    NAME: ClassVar[str] = "more_markers"
    NEEDS: ClassVar[type[Rule] | None] = ConcealedDeployment
    count: int = given(Integer(1, 20))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Allow them."""
        game.rule(ConcealedDeployment).decoys_allowed += self.count


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealMarker(Effect):
    """One marker is revealed at once (N-22)."""

    NAME: ClassVar[str] = "reveal_marker"
    NEEDS: ClassVar[type[Rule] | None] = ConcealedDeployment
    TARGET: ClassVar[str] = MARKER_TARGET

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Reveal it."""
        rule = game.rule(ConcealedDeployment)
        rule.reveal(game, rule.beneath(game, target))


@dataclass(frozen=True, slots=True, kw_only=True)
class FurtherUnit(Effect):
    """One more unit of a patrol is set up; it must have this Battlefield Role."""

    NAME: ClassVar[str] = "further_unit"
    NEEDS: ClassVar[type[Rule] | None] = SetUpInTurn
    role: str = given(ID)

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Allow it."""
        game.rule(SetUpInTurn).more[player] = self.role


@dataclass(frozen=True, slots=True, kw_only=True)
class FurtherSentries(Effect):
    """A second unit of the army becomes Sentries; its rating stays in the level (N-67)."""

    NAME: ClassVar[str] = "further_sentries"
    NEEDS: ClassVar[type[Rule] | None] = Sentries
    TARGET: ClassVar[str] = UNIT_TARGET

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Make single Sentries of it."""
        game.rule(Sentries).split(game, game.units[target])


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstTurnOn(Effect):
    """A die decides whether its player has the first turn instead."""

    NAME: ClassVar[str] = "first_turn_on"
    NEEDS: ClassVar[type[Rule] | None] = FirstTurn
    needs: int = given(Integer(1, 6))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Roll it."""
        if game.roll("tables-turned") >= self.needs:
            game.rule(FirstTurn).turned = player


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstTurnDice(Effect):
    """More dice in the roll-off for the first turn, the highest counts, in ties too (N-68)."""

    NAME: ClassVar[str] = "first_turn_dice"
    NEEDS: ClassVar[type[Rule] | None] = FirstTurn
    dice: int = given(Integer(2, 6))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it."""
        game.rule(FirstTurn).dice[player] = self.dice


# --- Dawn Raid, shooting ---


@dataclass(frozen=True, slots=True, kw_only=True)
class LongerDawnRaid(Effect):
    """Dawn Raid holds for further rounds: so many, and so many for each CP."""

    NAME: ClassVar[str] = "longer_dawn_raid"
    NEEDS: ClassVar[type[Rule] | None] = DawnRaid
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ExemptFromDawnRaid(Effect):
    """A unit shoots without its penalty in this phase."""

    NAME: ClassVar[str] = "exempt_from_dawn_raid"
    NEEDS: ClassVar[type[Rule] | None] = DawnRaid
    TARGET: ClassVar[str] = UNIT_TARGET

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the unit."""
        game.rule(DawnRaid).exempt[target] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnFire(Effect):
    """A unit that was shot at shoots back in the enemy's Shooting phase."""

    NAME: ClassVar[str] = "shoot_back"
    NEEDS: ClassVar[type[Rule] | None] = Reports
    TARGET: ClassVar[str] = UNIT_TARGET

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Allow it."""
        game.rule(Reports).may_return_fire[target] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DigIn(Effect):
    """A unit is dug in until it moves."""

    NAME: ClassVar[str] = "dig_in"
    TARGET: ClassVar[str] = UNIT_TARGET

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it on the unit."""
        game.units[target].dug_in = True


# --- arrivals ---


@dataclass(frozen=True, slots=True, kw_only=True)
class ArriveElsewhere(Effect):
    """A unit that arrives, or comes back, may be set up in another place."""

    NAME: ClassVar[str] = "arrive_elsewhere"
    TARGET: ClassVar[str] = UNIT_TARGET
    place: Landing = given(Record(Landing))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it with the rule by which the unit comes."""
        assault, reserves = game.find(SustainedAssault), game.find(Reserves)
        if assault and target in assault.arriving:
            assault.places[target] = self.place
        elif reserves:
            reserves.places[target] = self.place


@dataclass(frozen=True, slots=True, kw_only=True)
class ArriveWithoutDie(Effect):
    """A unit in Reserve arrives without its die; where something is said, in that place."""

    NAME: ClassVar[str] = "arrive_without_die"
    NEEDS: ClassVar[type[Rule] | None] = Reserves
    TARGET: ClassVar[str] = UNIT_TARGET
    place: Landing | None = given(Record(Landing), None)

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the unit."""
        reserves = game.rule(Reserves)
        reserves.certain[target] = None
        if self.place:
            reserves.places[target] = self.place


@dataclass(frozen=True, slots=True, kw_only=True)
class ReserveDie(Effect):
    """The next Reserve die of a unit is changed: by so much, and so much for each CP."""

    NAME: ClassVar[str] = "reserve_die"
    NEEDS: ClassVar[type[Rule] | None] = Reserves
    TARGET: ClassVar[str] = UNIT_TARGET
    by: int = given(Integer(-6, 6), 0)
    for_each_cp: int = given(Integer(-6, 6), 0)

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the unit."""
        modifiers = game.rule(Reserves).modifiers
        modifiers[target] = modifiers.get(target, 0) + self.by + self.for_each_cp * cp


@dataclass(frozen=True, slots=True, kw_only=True)
class ReserveDice(Effect):
    """All Reserve dice of its player are changed in this turn."""

    NAME: ClassVar[str] = "reserve_dice"
    NEEDS: ClassVar[type[Rule] | None] = Reserves
    by: int = given(Integer(-6, 6))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the turn."""
        bonus = game.rule(Reserves).bonus
        bonus[player] = bonus.get(player, 0) + self.by


@dataclass(frozen=True, slots=True, kw_only=True)
class SlayModels(Effect):
    """A die for each model of a unit; each that is high enough slays one (N-65)."""

    NAME: ClassVar[str] = "slay_models"
    TARGET: ClassVar[str] = UNIT_TARGET
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence(Effect):
    """The next shots of a unit raise the alarm only where the target is wounded and lives."""

    NAME: ClassVar[str] = "silence"
    NEEDS: ClassVar[type[Rule] | None] = Sentries
    TARGET: ClassVar[str] = UNIT_TARGET

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the unit."""
        game.rule(Sentries).silenced[target] = None

    def pending(self, game: Game, target: str) -> bool:
        """It has not shot yet."""
        return target in game.rule(Sentries).silenced


@dataclass(frozen=True, slots=True, kw_only=True)
class HideRating(Effect):
    """A unit's rating is halved, rounded up, where Sentries might spot it (N-36)."""

    NAME: ClassVar[str] = "halve_rating"
    NEEDS: ClassVar[type[Rule] | None] = Sentries
    TARGET: ClassVar[str] = UNIT_TARGET

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Note it for the unit."""
        game.rule(Sentries).camouflaged[target] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LongerSight(Effect):
    """All Sentries spot from further off."""

    NAME: ClassVar[str] = "longer_sight"
    NEEDS: ClassVar[type[Rule] | None] = Sentries
    inches: int = given(INCHES)

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Add it to all ranges."""
        game.rule(Sentries).further += self.inches


@dataclass(frozen=True, slots=True, kw_only=True)
class FurtherAttempt(Effect):
    """A unit that has attempted Sabotage may do so once more, in a later turn."""

    NAME: ClassVar[str] = "further_attempt"
    NEEDS: ClassVar[type[Rule] | None] = Sabotage
    TARGET: ClassVar[str] = UNIT_TARGET

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Add it."""
        further = game.rule(Sabotage).further
        further[target] = further.get(target, 0) + 1

    def pending(self, game: Game, target: str) -> bool:
        """It still has one."""
        return game.rule(Sabotage).left_to(game.units[target]) > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FewerAttempts(Effect):
    """Attempts of Sabotage count for nothing, at least 0 remain."""

    NAME: ClassVar[str] = "fewer_attempts"
    NEEDS: ClassVar[type[Rule] | None] = Sabotage
    by: int = given(Integer(1, 20))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Take them off."""
        sabotage = game.rule(Sabotage)
        sabotage.attempts = max(0, sabotage.attempts - self.by)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan(Effect):
    """A die for an open hiding place: the Spy is found there, or it stays open (N-66)."""

    NAME: ClassVar[str] = "scan"
    NEEDS: ClassVar[type[Rule] | None] = HiddenSpy
    TARGET: ClassVar[str] = PLACE_TARGET
    needs: int = given(Integer(1, 6))

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Roll it."""
        if game.roll(f"scan/{target}/{game.round}") >= self.needs:
            game.rule(HiddenSpy).find(game, target)


ALL_EFFECTS: tuple[type[Effect], ...] = (
    Remind,
    BombardmentDice,
    BombardmentHits,
    HalveBombardment,
    LaunchBombardment,
    KeepOrder,
    MoreMarkers,
    RevealMarker,
    FurtherUnit,
    FurtherSentries,
    FirstTurnOn,
    FirstTurnDice,
    LongerDawnRaid,
    ExemptFromDawnRaid,
    ReturnFire,
    DigIn,
    ArriveElsewhere,
    ArriveWithoutDie,
    ReserveDie,
    ReserveDice,
    SlayModels,
    Silence,
    HideRating,
    LongerSight,
    FurtherAttempt,
    FewerAttempts,
    Scan,
)
EFFECTS.update({kind.NAME: kind for kind in ALL_EFFECTS})
