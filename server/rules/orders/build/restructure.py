"""The order ``restructure`` (1.5.1 Strategic HQ, D-35c)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.fields import shown
from server.core.sentences import called, say
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.build.garrisons import garrison_problems
from server.rules.orders.build.refit import find_unit, no_unit
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.orders.sites import found, no_stronghold, not_at_headquarters, stronghold_type
from server.rules.ruleset import DetachmentType
from server.rules.scene import Scene
from server.rules.state import BUILD, Detachment, Force, Garrison, Id, Unit
from server.rules.structure import allowed_kinds, kind_problem, max_points, points_of, slot_problems, special_problems

CHANGES = ("drop", "detachment_type", "mounted", "to_garrison", "from_garrison")


@dataclass(frozen=True, slots=True, kw_only=True)
class Restructure(ImmediateOrder):
    """D-35c: units leave or change places with the garrison, the type changes; legal as if built now."""

    TYPE: ClassVar[str] = "restructure"
    PHASE: ClassVar[tuple[str, ...]] = (BUILD,)
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment"),
        FormField("drop", "own_units", needed=False),
        FormField("detachment_type", "detachment_types", needed=False),
        FormField("mounted", "flag", needed=False, keeps=True, told="mounted"),
        FormField("to_garrison", "own_units", needed=False),
        FormField("from_garrison", "own_units", needed=False),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "restructure {detachment}: [drop {drop}]; [type {detachment_type}]; {flags}; [to garrison "
        "{to_garrison}]; [from garrison {from_garrison}]",
    )
    ONCE: ClassVar[tuple[str, str]] = ("detachment", "D-35c")
    EXPLAINED: ClassVar[tuple[str, ...]] = ("needs", "cost", "why")
    detachment: Id
    drop: tuple[Id, ...] = ()
    detachment_type: str = ""
    """Empty: as it is."""
    mounted: bool | None = None
    """None: as it is."""
    to_garrison: tuple[Id, ...] = ()
    from_garrison: tuple[Id, ...] = ()

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order; it names at least one change."""
        types = fields.context.state.ruleset.detachment_types
        given = [name for name in CHANGES if fields.has(name)]
        order = cls(
            detachment=fields.own_detachment(),
            drop=fields.ids("drop"),
            detachment_type=fields.one_of("detachment_type", types, "detachment type")
            if "detachment_type" in given
            else "",
            mounted=fields.boolean("mounted") if "mounted" in given else None,
            to_garrison=fields.ids("to_garrison"),
            from_garrison=fields.ids("from_garrison"),
        )
        if not given:
            names = ", ".join(CHANGES)
            fields.refuse("missing_field", say("The order needs one of the fields {names}.", names=names), "drop")
        named = (*order.drop, *order.to_garrison, *order.from_garrison)
        if len(dict.fromkeys(named)) < len(named):
            twice = next(id_ for place, id_ in enumerate(named) if id_ in named[:place])
            fields.refuse("bad_value", say("{unit} is named twice.", unit=shown(twice)), "drop", shown(twice))
        return order

    def once(self, context: OrderContext) -> str:
        """One a turn and detachment."""
        return f"restructure/{context.aliases.get(self.detachment, self.detachment)}"

    def check(self, context: OrderContext) -> Found:
        """First the place and the units, then whether the result could be built."""
        force = context.mine(self.detachment)
        if not isinstance(force, Detachment):
            yield Problem("unknown_id", "That detachment is no more.", "detachment", self.detachment, "D-07")
            return
        place = not_at_headquarters(context, force, self.detachment)
        unfit = place or self._no_garrison(context, force) or self._unknown(context, force)
        if unfit is not None:
            yield unfit
            return
        yield from self._result_problems(context, force)

    def _no_garrison(self, context: OrderContext, force: Detachment) -> Problem | None:
        if (not self.to_garrison and not self.from_garrison) or _garrison(context, force) is not None:
            return None
        label = context.state.board.label(force.at)
        message = say("You have no garrison in {hex}; build one first.", hex=label)
        field = "to_garrison" if self.to_garrison else "from_garrison"
        return no_stronghold(context, force.at, "D-35c") or Problem("not_allowed", message, field, label, "D-35c")

    def _unknown(self, context: OrderContext, force: Detachment) -> Problem | None:
        """Return the problem of the first unit that is not where the order takes it from."""
        garrison = _garrison(context, force)
        for field, names, holder in (
            ("drop", self.drop, force),
            ("to_garrison", self.to_garrison, force),
            ("from_garrison", self.from_garrison, garrison),
        ):
            for name in names:
                if holder is None or find_unit(holder, context.aliases.get(name, name)) is None:
                    return no_unit(field, name)
        return None

    def _result_problems(self, context: OrderContext, force: Detachment) -> Found:
        state, type_ = context.state, self._type(context, force)
        units, moved = self._units(context, force), self._picked(context, force, self.to_garrison)
        yield from found(kind_problem(units, allowed_kinds(state, force.at, orbit=type_.orbit), orbit=type_.orbit))
        yield from slot_problems(type_, units)
        have, maximum = points_of(units), max_points(state, force.dxp)
        if have > maximum:
            rank = called(state.ruleset.rank(force.dxp)[1])
            message = say(
                "A detachment of the rank {rank} has at most {most} points, not {have}.",
                rank=rank,
                most=maximum,
                have=have,
            )
            yield Problem("too_many_points", message, "from_garrison", have, "6.2.3.7")
        yield from special_problems(state, context.player, type_, instead_of=force.id)
        if moved:
            yield from garrison_problems(context, force.at, moved, points_of(self._staying(context, force)), paid=True)

    def _type(self, context: OrderContext, force: Detachment) -> DetachmentType:
        return context.state.ruleset.detachment_types[self.detachment_type or force.type]

    def _picked(
        self, context: OrderContext, force: Detachment | Garrison | None, names: Iterable[Id]
    ) -> tuple[Unit, ...]:
        units = () if force is None else force.units
        wanted = dict.fromkeys(context.aliases.get(name, name) for name in names)
        return tuple(unit for unit in units if unit.id in wanted)

    def _units(self, context: OrderContext, force: Detachment) -> tuple[Unit, ...]:
        """Return what the detachment is made of afterwards."""
        leaving = self._picked(context, force, (*self.drop, *self.to_garrison))
        coming = self._picked(context, _garrison(context, force), self.from_garrison)
        return (*_without(force.units, leaving), *coming)

    def _staying(self, context: OrderContext, force: Detachment) -> tuple[Unit, ...]:
        """Return the units of the garrison that stay in it."""
        garrison = _garrison(context, force)
        units = () if garrison is None else garrison.units
        return _without(units, self._picked(context, garrison, self.from_garrison))

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what the detachment is afterwards."""
        force = context.detachment(self.detachment)
        units = self._units(context, force)
        return {
            "cost": 0,
            "refund": 0,
            "detachment_type": self._type(context, force).id,
            "units": [unit.name for unit in units],
            "points": points_of(units),
            "why": "D-35c: nothing is paid and nothing refunded; the detachment guards this turn",
        }

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Change it; it does nothing but guard this turn (D-35). A garrison left without units is no more."""
        force = context.detachment(self.detachment)
        garrison = _garrison(context, force)
        units, moved = self._units(context, force), self._picked(context, force, self.to_garrison)
        if garrison is not None:
            garrison.units = (*self._staying(context, force), *moved)
            if not garrison.units:
                scene.state.remove_force(garrison)
                context.gone[garrison.id] = garrison
        force.units = units
        force.type = self._type(context, force).id
        force.mounted = force.mounted if self.mounted is None else self.mounted
        force.pinned = True
        told = {"force": force.id, "hex": scene.label(force.at), "detachment_type": force.type, "points": force.points}
        scene.emit("restructured", [context.player], **told)

    @classmethod
    def offered_to_force(cls, context: OrderContext, force: Force) -> Iterator[Option]:
        """Offer the changes that are legal each alone, and then any of them together (``needs``)."""
        if not isinstance(force, Detachment) or cls(detachment=force.id).once(context) in context.taken:
            return
        if not_at_headquarters(context, force, force.id) is not None:
            return  # whatever would be changed: most forces stand elsewhere
        plain = cls(detachment=force.id)
        order, free = {"type": cls.TYPE, "detachment": force.id}, {"cost": 0}
        for field, values in _single_changes(context, force).items():
            legal = [
                value for value in values if next(iter(replace(plain, **{field: value}).check(context)), None) is None
            ]
            if legal:
                choices = [list(choice) if isinstance(choice, tuple) else choice for choice in legal]
                yield {"order": order, "choices": {field: choices}} | free
        changes = _changes(context, force)
        if changes["types"]:
            needs = {"units": {"most_points": changes["most_points"]}, "changes": changes}
            yield {"order": order, "needs": needs} | free | {"why": "D-35c"}


def _single_changes(context: OrderContext, force: Detachment) -> dict[str, Sequence[Any]]:
    """Return what may be changed alone, by field: units one by one, types, whether it is mounted."""
    garrison = _garrison(context, force)
    own, theirs = [(unit.id,) for unit in force.units], [(unit.id,) for unit in garrison.units] if garrison else []
    return {
        "drop": own,
        "detachment_type": [id_ for id_ in context.state.ruleset.detachment_types if id_ != force.type],
        "mounted": [not force.mounted] if force.mounted or _may_mount(force) else [],
        "to_garrison": own if garrison else [],
        "from_garrison": theirs,
    }


def _changes(context: OrderContext, force: Detachment) -> dict[str, Any]:
    """Return what several changes together are chosen from, and the bounds of what comes of them.

    Whatever keeps to them is accepted, and nothing else is. ``types`` has only those that can be reached.
    """
    state, garrison = context.state, _garrison(context, force)
    inside, room = () if garrison is None else garrison.units, stronghold_type(context, force.at)
    maximum = max_points(state, force.dxp)
    types = {
        type_.id: kinds
        for type_ in state.ruleset.detachment_types.values()
        if next(special_problems(state, context.player, type_, instead_of=force.id), None) is None
        and _can_be(type_, kinds := allowed_kinds(state, force.at, orbit=type_.orbit), (*force.units, *inside), maximum)
    }
    usable = [kind for kinds in types.values() for kind in kinds]
    coming = [unit for unit in inside if unit.kind in usable]
    foot = [unit for unit in force.units if not unit.vehicle and unit.mobility == "infantry"]
    changes: dict[str, Any] = {
        "type": force.type,
        "types": {
            id_: {
                "slots": {slot: list(bounds) for slot, bounds in state.ruleset.detachment_types[id_].slots.items()},
                "kinds": list(kinds),
            }
            for id_, kinds in types.items()
        },
        "drop": [unit.id for unit in force.units],
        "to_garrison": [] if garrison is None else [unit.id for unit in foot],
        "from_garrison": [unit.id for unit in coming],
        "mounted": [True, False],
        "units": {
            unit.id: {"slot": unit.slot, "kind": unit.kind, "points": unit.points} for unit in (*force.units, *coming)
        },
        "most_points": maximum,
    }
    if garrison is not None and room is not None:
        changes["garrison"] = {"points": garrison.points, "most_points": room.garrison}
    return changes


def _can_be(type_: DetachmentType, kinds: Sequence[str], units: Iterable[Unit], maximum: int) -> bool:
    """Say whether some of the units make a detachment of a type: the cheapest of each slot tell."""
    points = 0
    for slot, (minimum, _) in type_.slots.items():
        cheapest = sorted(unit.points for unit in units if unit.slot == slot and unit.kind in kinds)[:minimum]
        if len(cheapest) < minimum:
            return False
        points += sum(cheapest)
    return points <= maximum


def _garrison(context: OrderContext, force: Detachment) -> Garrison | None:
    """Return the player's garrison in the hex of a detachment."""
    garrison = context.state.garrison_at.get(force.at)
    return garrison if garrison is not None and garrison.owner == context.player else None


def _without(units: Sequence[Unit], leaving: Sequence[Unit]) -> tuple[Unit, ...]:
    gone = dict.fromkeys(unit.id for unit in leaving)
    return tuple(unit for unit in units if unit.id not in gone)


def _may_mount(force: Detachment) -> bool:
    """D-38: infantry rides where a vehicle of the detachment can carry it."""
    foot = any(unit.mobility == "infantry" for unit in force.units)
    return foot and any(unit.vehicle and unit.mobility != "infantry" for unit in force.units)
