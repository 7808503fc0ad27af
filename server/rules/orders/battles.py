"""Battles: the orders ``fight`` and ``report``, and what they have in common (6, 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Self, TypeVar

from server.core.errors import Problem
from server.core.fields import shown
from server.core.sentences import say, word
from server.rules.board import NOWHERE, Hex
from server.rules.losses import UnitLoss
from server.rules.orders.base import Found, Option, Order
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import HALF, MAX_MODELS, Fields, FormField
from server.rules.quick_battle import Choice
from server.rules.sides import modifiers, ready_points, side_of
from server.rules.sight import GM
from server.rules.state import BATTLES, REPORTS, Battle, Force, Id, PlayerId, State, Unit

FightT = TypeVar("FightT")
ReportT = TypeVar("ReportT")


@dataclass(slots=True)
class Papers(Generic[FightT, ReportT]):
    """The battle orders of a phase: each side's wishes and the results of tabletop battles."""

    fights: dict[tuple[Hex, PlayerId], FightT] = field(default_factory=dict)
    reports: dict[Hex, ReportT] = field(default_factory=dict)
    """The report that counts for each battle: the first that is handed in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BattlesOrder(Order):
    """What both have in common: a battle."""

    battle: Hex

    def hand_in(self, papers: Papers[Any, Any], player: PlayerId) -> None:
        """Put it where its battle is fought."""
        raise NotImplementedError


def read_battle(fields: Fields) -> Hex:
    """Read the field ``battle``: the hex of a battle the player knows of."""
    hex_ = fields.hex("battle")
    if hex_ != NOWHERE and hex_ not in fields.context.state.battles:
        label = fields.context.label(hex_)
        fields.refuse("unknown_id", say("You know of no battle in {hex}.", hex=label), "battle", label, "D-07")
        return NOWHERE
    return hex_


def battle_units(context: OrderContext, battle: Battle) -> dict[Id, Unit]:
    """Return all units that may have fought, supporters' included, as far as they are known."""
    state = context.state
    forces = [*side_of(state, battle, attacking=True), *side_of(state, battle, attacking=False)]
    forces += [force for id_ in battle.supporters if (force := state.force(id_)) is not None]
    return {unit.id: unit for force in forces for unit in force.units}


MODES = ("quick", "tabletop")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fight(BattlesOrder):
    """Phase 6: how a side wants its battle fought, and who falls first (D-60)."""

    TYPE: ClassVar[str] = "fight"
    EXPLAINED: ClassVar[tuple[str, ...]] = ("casualties", "picks")
    PHASE: ClassVar[tuple[str, ...]] = (BATTLES,)
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("battle", "battle"),
        FormField("mode", "choice", needed=False, choices=MODES),
        FormField("casualties", "casualties", needed=False),
        FormField("picks", "picks", needed=False),
    )
    TEXT: ClassVar[tuple[str, ...]] = ("battle {battle}: [{mode}]; [lose {casualties}]; [pick {picks}]",)
    mode: str = "quick"
    casualties: tuple[Choice, ...] = ()
    picks: tuple[Choice, ...] = ()

    @property
    def subject(self) -> str:
        """One order for each battle."""
        return f"battle/{self.battle}"

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read ``battle``, ``mode``, and the units one gives up or picks."""
        battle = read_battle(fields)
        mode = fields.one_of("mode", MODES, "way to fight") if fields.has("mode") else "quick"
        casualties, picks = fields.ids("casualties"), fields.ids("picks")
        order = cls(battle=battle, mode=mode, casualties=_choices(casualties), picks=_choices(picks))
        order._read_units(fields)
        return order

    def _read_units(self, fields: Fields) -> None:
        """Unit ids are known only where they stand in this battle on the side they are named for."""
        context, battle = fields.context, fields.context.state.battles.get(self.battle)
        if battle is None:
            return
        mine = battle.attacking == context.player
        for name, choices, attacking in (("casualties", self.casualties, mine), ("picks", self.picks, not mine)):
            units = {
                unit.id: unit for force in side_of(context.state, battle, attacking=attacking) for unit in force.units
            }
            for choice in choices:
                if choice.unit not in units:
                    fields.unknown(name, choice.unit)

    def check(self, context: OrderContext) -> Found:
        """Only the owners of the two primaries give battle orders."""
        battle = context.state.battles[self.battle]
        if context.player not in (battle.attacking, battle.defended_by):
            label = context.label(self.battle)
            yield Problem(
                "not_yours", say("The battle in {hex} is not yours to fight.", hex=label), "battle", label, "D-60"
            )

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say how strong both sides are and what modifies their rolls."""
        battle = context.state.battles[self.battle]
        attacker, defender = modifiers(context.state, battle)
        return {
            "attacker_modifier": attacker,
            "defender_modifier": defender,
            "attacker_ready_points": ready_points(context.state, side_of(context.state, battle, attacking=True)),
            "defender_ready_points": ready_points(context.state, side_of(context.state, battle, attacking=False)),
        }

    def hand_in(self, papers: Papers[Any, Any], player: PlayerId) -> None:
        """Each side has its own."""
        papers.fights[self.battle, player] = self

    @classmethod
    def offered_in_battle(cls, context: OrderContext, battle: Battle) -> Iterator[Option]:
        """Offer the ways to fight, the own units for the casualty order, and the picks, whole or half."""
        halved, attacking = context.state.can_be_halved, battle.attacking == context.player
        mine, theirs = (
            [unit for force in side_of(context.state, battle, attacking=side) for unit in force.units]
            for side in (attacking, not attacking)
        )
        may_pick = battle.planned if attacking else battle.defending
        yield {
            "order": {"type": cls.TYPE, "battle": context.label(battle.hex)},
            "choices": {"mode": [mode for mode in MODES if context.state.settings.battles in (mode, "choice")]},
            "casualties": [unit.id for unit in mine] + [unit.id + HALF for unit in mine if halved(unit)],
            "picks": [unit.id for unit in theirs if halved(unit)] if may_pick else [],
        }


def _choices(names: tuple[str, ...]) -> tuple[Choice, ...]:
    return tuple(Choice(name.removesuffix(HALF), name.endswith(HALF)) for name in names)


MAX_WORKS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(BattlesOrder):
    """Phase 7: the result of a battle fought on the table (6.2.3)."""

    TYPE: ClassVar[str] = "report"
    EXPLAINED: ClassVar[tuple[str, ...]] = ("units",)
    PHASE: ClassVar[tuple[str, ...]] = (BATTLES, REPORTS)
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("battle", "battle"),
        FormField("winner", "player"),
        FormField("retreated", "player", needed=False),
        FormField("losses", "losses", needed=False),
        FormField("took_part", "battle_units", needed=False),
        FormField("withheld", "battle_units", needed=False),
        FormField("bombarded", "battle_units", needed=False),
        FormField("works", "works", needed=False),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "result {battle}: {winner} won; [lost {losses}]; [retreated {retreated}]; [took part "
        "{took_part}]; [withheld {withheld}]; [bombarded {bombarded}]; [works {works}]",
    )
    FORM: ClassVar[bool] = False
    BY_GM: ClassVar[bool] = True
    winner: PlayerId
    retreated: PlayerId = ""
    losses: Mapping[Id, UnitLoss] = field(default_factory=dict)
    took_part: tuple[Id, ...] | None = None
    """Units that fought, supporters' too; None: all of the primaries that may fight, but for those named below."""
    withheld: tuple[Id, ...] = ()
    """Units kept out of the battle (6.2.2.5)."""
    bombarded: tuple[Id, ...] = ()
    """Units that only bombarded (6.2.2.2): half their value counts."""
    works: Mapping[str, int] = field(default_factory=dict)
    """How many of each defence were lost."""

    @property
    def subject(self) -> str:
        """One report for each battle."""
        return f"report/{self.battle}"

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the battle, the winner, who retreated, and the losses of units and defences."""
        battle = read_battle(fields)
        players = fields.context.state.players
        winner = fields.one_of("winner", players, "player")
        retreated = fields.one_of("retreated", players, "player") if fields.has("retreated") else ""
        order = cls(
            battle=battle,
            winner=winner,
            retreated=retreated,
            losses=_read_losses(fields, battle),
            took_part=fields.ids("took_part") if fields.has("took_part") else None,
            withheld=fields.ids("withheld"),
            bombarded=fields.ids("bombarded"),
            works=_read_works(fields),
        )
        order._read_units(fields)
        return order

    def _read_units(self, fields: Fields) -> None:
        """A unit is named once, and fights in this battle."""
        state = fields.context.state
        battle = state.battles.get(self.battle)
        if battle is None:
            return
        known, named = battle_units(fields.context, battle), dict[Id, str]()
        lists = {"took_part": self.took_part or (), "withheld": self.withheld, "bombarded": self.bombarded}
        for name, ids in lists.items():
            for id_ in ids:
                if id_ in named:
                    message = say("{unit} is named twice.", unit=shown(id_))
                    fields.refuse("bad_value", message, name, id_, "6.2.3.5")
                elif id_ in known:
                    named[id_] = name
                elif any(unit.id == id_ for force in _forces(state) for unit in force.units):
                    message = say("{unit} is no unit of this battle.", unit=shown(id_))
                    fields.refuse("bad_value", message, name, id_, "6.2.3.5")
                else:
                    fields.unknown(name, id_)

    def check(self, context: OrderContext) -> Found:
        """The owners of primary forces report, or the game master; the report must be possible."""
        battle = context.state.battles[self.battle]
        parties = (battle.attacking, battle.defended_by)
        label = context.label(self.battle)
        if context.player not in parties and context.player != GM:
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
        yield from self._loss_problems(battle_units(context, battle))
        yield from self._works_problems(context)

    def _loss_problems(self, units: Mapping[Id, Unit]) -> Found:
        for id_, loss in self.losses.items():
            if loss.lost > units[id_].ready:
                message = say(
                    "{unit} had only {ready} models fit to fight.", unit=units[id_].name, ready=units[id_].ready
                )
                yield Problem("not_allowed", message, f"losses.{id_}.lost", loss.lost, "6.2.3.6")
            if (loss.damaged or loss.immobilised) and not units[id_].vehicle:
                message = say("{unit} is not a vehicle.", unit=units[id_].name)
                yield Problem("not_allowed", message, f"losses.{id_}", id_, "6.2.3.6")

    def _works_problems(self, context: OrderContext) -> Found:
        """What there is to lose is asked of those who know it: the owner of the hex and the game master (D-07)."""
        if context.player not in (context.state.owner[self.battle], GM):
            return
        stronghold = context.state.stronghold.get(self.battle)
        for id_, lost in self.works.items():
            have = 0 if stronghold is None else stronghold.defences.get(id_, 0)
            if lost > have:
                defence = word("defence", id_)
                message = say("There were only {have} of the defence {defence}.", have=have, defence=defence)
                yield Problem("not_allowed", message, f"works.{id_}", lost, "6.2.3.6")

    def preview(self, context: OrderContext) -> dict[str, Any]:  # noqa: ARG002
        """Say nothing more than that it is understood."""
        return {}

    def hand_in(self, papers: Papers[Any, Any], player: PlayerId) -> None:  # noqa: ARG002
        """The first one counts."""
        papers.reports.setdefault(self.battle, self)

    @classmethod
    def offered_in_battle(cls, context: OrderContext, battle: Battle) -> Iterator[Option]:
        """Offer it while results are to come."""
        if context.state.phase == REPORTS:
            yield {
                "order": {"type": cls.TYPE, "battle": context.label(battle.hex)},
                "choices": {"winner": [battle.attacking, battle.defended_by]},
                "units": sorted(battle_units(context, battle)),
            }


def _forces(state: State) -> list[Force]:
    return [*state.detachments.values(), *state.garrisons.values()]


def _read_losses(fields: Fields, battle_hex: Hex) -> dict[Id, UnitLoss]:
    battle = fields.context.state.battles.get(battle_hex)
    if battle is None:
        fields.has("losses")
        return {}
    given = fields.mapping("losses", say("{name} must be an object of units.", name="losses"), default={})
    known = battle_units(fields.context, battle)
    losses: dict[Id, UnitLoss] = {}
    for id_, entry in sorted(given.items(), key=lambda item: str(item[0])):  # records keep no order of keys
        if id_ not in known:
            fields.unknown("losses", id_)
        elif not isinstance(entry, Mapping):
            fields.refuse("bad_value", "A unit's losses are an object.", f"losses.{id_}", entry)
        else:
            losses[id_] = _read_loss(Fields(entry, fields.context, problems=fields.problems))
    return losses


def _read_loss(fields: Fields) -> UnitLoss:
    lost = fields.integer("lost", 0, MAX_MODELS, 0)
    words = ("destroyed", "damaged", "immobilised", "broken", "returned")
    loss = UnitLoss(lost, **{flag: fields.boolean(flag) for flag in words})
    fields.finish()
    return loss


def _read_works(fields: Fields) -> dict[str, int]:
    given = fields.mapping("works", say("{name} must be an object of defences.", name="works"), default={})
    inner, works = fields.inner("works", given), dict[str, int]()
    for id_ in given:
        if isinstance(id_, str) and id_ in fields.context.state.ruleset.defences:
            works[id_] = inner.integer(id_, 0, MAX_WORKS)
        else:
            fields.wrong_word("works", (), "defence", id_)
    return works
