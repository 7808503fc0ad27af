"""Battle orders and tabletop results (6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.fields import shown
from server.core.sentences import say
from server.rules.board import NOWHERE, Hex
from server.rules.losses import UnitLoss
from server.rules.orders.base import Found, Order
from server.rules.orders.desk import Desk
from server.rules.orders.fields import MOST_MODELS, Fields
from server.rules.quick_battle import Choice, modifiers, side_of
from server.rules.sight import GM
from server.rules.state import BATTLES, REPORTS, Battle, Id, PlayerId, Unit

MODES = ("quick", "tabletop")
HALF = ":half"


def _read_battle(fields: Fields) -> Hex:
    hex_ = fields.hex("battle")
    if hex_ != NOWHERE and hex_ not in fields.desk.state.battles:
        label = fields.desk.state.board.label(hex_)
        fields.refuse("unknown_id", say("You know of no battle in {hex}.", hex=label), "battle", label, "D-07")
        return NOWHERE
    return hex_


@dataclass(frozen=True, slots=True, kw_only=True)
class Fight(Order):
    """Phase 6: how a side wants its battle fought, and who falls first (D-60)."""

    TYPE: ClassVar[str] = "fight"
    PHASE: ClassVar[tuple[str, ...]] = (BATTLES,)
    battle: Hex
    mode: str = "quick"
    casualties: tuple[Choice, ...] = ()
    picks: tuple[Choice, ...] = ()

    @property
    def subject(self) -> str:
        """One order for each battle."""
        return f"battle/{self.battle}"

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order."""
        battle = _read_battle(fields)
        mode = fields.one_of("mode", MODES, "way to fight") if fields.has("mode") else "quick"
        casualties, picks = fields.ids("casualties"), fields.ids("picks")
        order = cls(battle=battle, mode=mode, casualties=_choices(casualties), picks=_choices(picks))
        order._read_units(fields)
        return order

    def _read_units(self, fields: Fields) -> None:
        """Unit ids are known only where they stand in this battle on the side they are named for."""
        desk, battle = fields.desk, fields.desk.state.battles.get(self.battle)
        if battle is None:
            return
        mine = battle.attacking == desk.player
        for name, choices, attacking in (("casualties", self.casualties, mine), ("picks", self.picks, not mine)):
            units = {
                unit.id: unit for force in side_of(desk.state, battle, attacking=attacking) for unit in force.units
            }
            for choice in choices:
                if choice.unit not in units:
                    fields.unknown(name, choice.unit)

    def check(self, desk: Desk) -> Found:
        """Only the owners of the two primaries give battle orders."""
        battle = desk.state.battles[self.battle]
        if desk.player not in (battle.attacking, battle.defended_by):
            label = desk.state.board.label(self.battle)
            yield Problem(
                "not_yours", say("The battle in {hex} is not yours to fight.", hex=label), "battle", label, "D-60"
            )

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say how strong both sides are and what modifies their rolls."""
        battle = desk.state.battles[self.battle]
        attacker, defender = modifiers(desk.state, battle)
        return {
            "attacker_modifier": attacker,
            "defender_modifier": defender,
            "attacker_ready_points": sum(each.ready_points for each in side_of(desk.state, battle, attacking=True)),
            "defender_ready_points": sum(each.ready_points for each in side_of(desk.state, battle, attacking=False)),
        }


def _choices(names: tuple[str, ...]) -> tuple[Choice, ...]:
    return tuple(Choice(name.removesuffix(HALF), name.endswith(HALF)) for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Order):
    """Phase 7: the result of a battle fought on the table (6.2.3)."""

    TYPE: ClassVar[str] = "report"
    PHASE: ClassVar[tuple[str, ...]] = (BATTLES, REPORTS)
    battle: Hex
    winner: PlayerId
    retreated: PlayerId = ""
    losses: Mapping[Id, UnitLoss] = field(default_factory=dict)

    @property
    def subject(self) -> str:
        """One report for each battle."""
        return f"report/{self.battle}"

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order."""
        battle = _read_battle(fields)
        players = fields.desk.state.players
        winner = fields.one_of("winner", players, "player")
        retreated = fields.one_of("retreated", players, "player") if fields.has("retreated") else ""
        return cls(battle=battle, winner=winner, retreated=retreated, losses=_read_losses(fields, battle))

    def check(self, desk: Desk) -> Found:
        """Who fought reports, or the game master; what is reported must have been possible."""
        battle = desk.state.battles[self.battle]
        parties = (battle.attacking, battle.defended_by)
        label = desk.state.board.label(self.battle)
        if desk.player not in parties and desk.player != GM:
            yield Problem(
                "not_yours", say("The battle in {hex} is not yours to report.", hex=label), "battle", label, "D-60"
            )
            return
        for name, player in (("winner", self.winner), ("retreated", self.retreated)):
            if player and player not in parties:
                yield Problem(
                    "not_allowed",
                    say("{player} did not fight in {hex}.", player=player, hex=label),
                    name,
                    player,
                    "6.2.3.2",
                )
        units = battle_units(desk, battle)
        for id_, loss in self.losses.items():
            if loss.lost > units[id_].ready:
                message = say(
                    "{unit} had only {ready} models fit to fight.", unit=units[id_].name, ready=units[id_].ready
                )
                yield Problem("not_allowed", message, f"losses.{id_}.lost", loss.lost, "6.2.3.6")
            if (loss.damaged or loss.immobilised) and not units[id_].vehicle:
                message = say("{unit} is not a vehicle.", unit=units[id_].name)
                yield Problem("not_allowed", message, f"losses.{id_}", id_, "6.2.3.6")

    def preview(self, desk: Desk) -> dict[str, Any]:  # noqa: ARG002
        """Say nothing more than that it is understood."""
        return {}


def battle_units(desk: Desk, battle: Battle) -> dict[Id, Unit]:
    """Return all units that may have fought, supporters' included, as far as they are known."""
    state = desk.state
    forces = [*side_of(state, battle, attacking=True), *side_of(state, battle, attacking=False)]
    forces += [force for id_ in battle.supporters if (force := state.force(id_)) is not None]
    return {unit.id: unit for force in forces for unit in force.units}


def _read_losses(fields: Fields, battle_hex: Hex) -> dict[Id, UnitLoss]:
    given = fields.optional("losses")
    battle = fields.desk.state.battles.get(battle_hex)
    if given is None or battle is None:
        return {}
    if not isinstance(given, Mapping):
        fields.refuse("bad_value", say("{name} must be an object of units.", name="losses"), "losses", shown(given))
        return {}
    known = battle_units(fields.desk, battle)
    losses: dict[Id, UnitLoss] = {}
    for id_, entry in given.items():
        if id_ not in known:
            fields.unknown("losses", id_)
        elif not isinstance(entry, Mapping):
            fields.refuse("bad_value", "A unit's losses are an object.", f"losses.{id_}", shown(entry))
        else:
            inner = Fields(entry, fields.desk)
            losses[id_] = _read_loss(inner)
            fields.problems += inner.problems
    return losses


def _read_loss(fields: Fields) -> UnitLoss:
    lost = fields.integer("lost", 0, MOST_MODELS) if fields.has("lost") else 0
    words = ("destroyed", "damaged", "immobilised", "broken")
    loss = UnitLoss(lost, **{each: fields.boolean(each) for each in words})
    fields.finish()
    return loss


KINDS: tuple[type[Order], ...] = (Fight, Report)
