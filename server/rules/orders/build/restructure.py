"""The order ``restructure`` (1.5.1 Strategic HQ, D-35c)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.fields import shown
from server.core.sentences import called, say
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.build.garrisons import field_share, garrison_problems
from server.rules.orders.build.models import find_unit, no_unit
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields, FormField
from server.rules.orders.sites import (
    bill,
    cannot_pay,
    found,
    no_stronghold,
    not_at_headquarters,
    not_raised_here,
    pay,
    space_port,
    stronghold_type,
)
from server.rules.ruleset import DetachmentType
from server.rules.scene import Scene
from server.rules.state import Detachment, Force, Garrison, Id, Unit
from server.rules.structure import (
    allowed_kinds,
    kind_problem,
    max_points,
    points_of,
    slot_problems,
    special_problems,
    too_few_points,
    too_small,
    wrong_units,
)

CHANGES = ("drop", "detachment_type", "mounted", "to_garrison", "from_garrison")


@dataclass(frozen=True, slots=True, kw_only=True)
class Restructure(ImmediateOrder):
    """D-35c: units leave or change places with the garrison, the type changes; legal as if built now."""

    TYPE: ClassVar[str] = "restructure"
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
    EXPLAINED: ClassVar[tuple[str, ...]] = ("needs", "cost", "costs", "why")
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
            fields.refuse("bad_value", say("{unit} is named twice.", unit=shown(twice)), "drop", twice)
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
        label = context.label(force.at)
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
        coming = self._coming(context, force)
        changed, mounted = type_.id != force.type, force.mounted if self.mounted is None else self.mounted
        if state.readings.places_raise_new_units:
            yield from self._place_problems(context, force, type_, coming)
        else:
            yield from found(kind_problem(units, allowed_kinds(state, force.at, orbit=type_.orbit), orbit=type_.orbit))
        yield from slot_problems(type_, units)
        before = ((), False) if changed else (force.units, force.mounted)
        yield from wrong_units(state, type_, units, mounted=mounted, before=before, field=self._field())
        yield from too_few_points(state, coming, "from_garrison")
        yield from too_small(state, units, self._field(), before=None if changed else force.points)
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
        yield from found(cannot_pay(context, force.at, field_share(context, coming), "from_garrison", "D-35d"))

    def _place_problems(
        self, context: OrderContext, force: Detachment, type_: DetachmentType, coming: Sequence[Unit]
    ) -> Found:
        """D-35c, D-35d: the place must be able to raise the units that come; a drop from orbit needs a space port."""
        if coming:
            yield from found(not_raised_here(context, force.at, "from_garrison"))
            yield from found(kind_problem(coming, allowed_kinds(context.state, force.at)))
        if type_.id != force.type and type_.orbit and not space_port(context, force.at):
            label = context.label(force.at)
            message = say("{hex} has no space port.", hex=label)
            yield Problem("needs_building", message, "detachment_type", label, "D-35d")

    def _field(self) -> str:
        """Return the field that changes what the detachment is made of."""
        return next((name for name in CHANGES if getattr(self, name)), "mounted")

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
        return (*_without(force.units, leaving), *self._coming(context, force))

    def _coming(self, context: OrderContext, force: Detachment) -> tuple[Unit, ...]:
        """Return the units that come from the garrison."""
        return self._picked(context, _garrison(context, force), self.from_garrison)

    def _staying(self, context: OrderContext, force: Detachment) -> tuple[Unit, ...]:
        """Return the units of the garrison that stay in it."""
        garrison = _garrison(context, force)
        units = () if garrison is None else garrison.units
        return _without(units, self._picked(context, garrison, self.from_garrison))

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what the detachment is afterwards."""
        force = context.detachment(self.detachment)
        units = self._units(context, force)
        cost = field_share(context, self._coming(context, force))
        why = "D-35c: nothing is paid and nothing refunded; the detachment guards this turn"
        if cost:
            why = "D-35d: half of the points of the living models that leave the garrison, rounded up"
        said = bill(context, force.at, cost) if cost else {"cost": 0}
        return said | {
            "refund": 0,
            "detachment_type": self._type(context, force).id,
            "units": [unit.name for unit in units],
            "points": points_of(units),
            "why": why,
        }

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Change it; it does nothing but guard this turn (D-35). A garrison left without units no longer exists."""
        force = context.detachment(self.detachment)
        garrison = _garrison(context, force)
        units, moved = self._units(context, force), self._picked(context, force, self.to_garrison)
        cost = field_share(context, self._coming(context, force))
        if cost:
            pay(context, force.at, cost)
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
        scene.emit("restructured", [context.player], **told, **({"bp": cost} if cost else {}))

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
            tried = [(value, replace(plain, **{field: value})) for value in values]
            legal = [(value, change) for value, change in tried if next(iter(change.check(context)), None) is None]
            if legal:
                choices = [list(choice) if isinstance(choice, tuple) else choice for choice, _ in legal]
                costs = [field_share(context, change._coming(context, force)) for _, change in legal]
                yield {"order": order, "choices": {field: choices}} | ({"costs": costs} if any(costs) else free)
        changes = _changes(context, force)
        if changes["types"]:
            needs = {"units": {"most_points": changes["most_points"]}, "changes": changes}
            yield {"order": order, "needs": needs} | free | {"why": "D-35c, D-35d"}


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
    """Return the choices for several changes together, and the bounds of the result.

    Whatever keeps to them is accepted, and nothing else is. ``types`` has only those that can be reached.
    """
    state, garrison = context.state, _garrison(context, force)
    inside, room = () if garrison is None else garrison.units, stronghold_type(context, force.at)
    maximum = max_points(state, force.dxp)
    coming = _may_come(context, force, inside)
    types: dict[str, Sequence[str]] = {}
    for type_ in state.ruleset.detachment_types.values():
        kinds = _kinds(context, force, type_, coming)
        legal = next(special_problems(state, context.player, type_, instead_of=force.id), None) is None
        if legal and _can_be(type_, kinds, (*force.units, *coming), maximum):
            types[type_.id] = kinds
    if not state.readings.places_raise_new_units:
        usable = [kind for kinds in types.values() for kind in kinds]
        coming = [unit for unit in coming if unit.kind in usable]
    least = state.settings.least_prices
    foot = [unit for unit in force.units if not unit.vehicle and unit.mobility == "infantry"]
    changes: dict[str, Any] = {
        "type": force.type,
        "types": {
            id_: {
                "slots": {slot: list(bounds) for slot, bounds in state.ruleset.detachment_types[id_].slots.items()},
                "kinds": list(kinds),
                "asks": list(state.ruleset.detachment_types[id_].asks) if least else [],
            }
            for id_, kinds in types.items()
        },
        "drop": [unit.id for unit in force.units],
        "to_garrison": [] if garrison is None else [unit.id for unit in foot],
        "from_garrison": [unit.id for unit in coming],
        "mounted": [True, False],
        "units": {
            unit.id: {
                "slot": unit.slot,
                "kind": unit.kind,
                "points": unit.points,
                "mobility": unit.mobility,
                "flags": list(unit.flags),
                "models": unit.models,
                "living": unit.ready + unit.wounded,
            }
            for unit in (*force.units, *coming)
        },
        "is_mounted": force.mounted,
        "least_points": state.ruleset.least_detachment if least else 0,
        "most_points": maximum,
        "most_bp": state.store.get(force.at, 0) if state.readings.garrison_units_cost else None,
    }
    if garrison is not None and room is not None:
        changes["garrison"] = {"points": garrison.points, "most_points": room.garrison}
    return changes


def _may_come(context: OrderContext, force: Detachment, inside: Sequence[Unit]) -> list[Unit]:
    """Return the units of the garrison that the place can raise for the field (D-35d)."""
    state = context.state
    if not state.readings.places_raise_new_units:
        return list(inside)
    if not_raised_here(context, force.at, "from_garrison") is not None:
        return []
    kinds = allowed_kinds(state, force.at)
    return [unit for unit in inside if unit.kind in kinds and next(too_few_points(state, (unit,)), None) is None]


def _kinds(context: OrderContext, force: Detachment, type_: DetachmentType, coming: Sequence[Unit]) -> Sequence[str]:
    """Return the kinds that units of the type may be of here; none where it cannot be such a detachment."""
    if not context.state.readings.places_raise_new_units:
        return allowed_kinds(context.state, force.at, orbit=type_.orbit)
    if type_.id != force.type and type_.orbit and not space_port(context, force.at):
        return ()
    return tuple(sorted(dict.fromkeys(unit.kind for unit in (*force.units, *coming))))


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
