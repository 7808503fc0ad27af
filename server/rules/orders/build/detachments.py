"""Detachments: raised, reinforced, given up (1.2, D-20a, D-35)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import called, say, small, words
from server.rules.board import NOWHERE, ORBIT, Hex
from server.rules.force_names import free_names, name_for
from server.rules.movement import mobilities
from server.rules.orders.base import Found, ImmediateOrder, Option
from server.rules.orders.build.garrisons import garrison_cost, garrison_needs, garrison_problems, garrison_room
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields, FormField
from server.rules.orders.setup import capital_first, purse
from server.rules.orders.sites import (
    bill,
    cannot_pay,
    enemy_present,
    enlist,
    found,
    muster_problem,
    no_headquarters,
    no_stronghold,
    not_in_town,
    not_raised_here,
    not_urban,
    pay,
    payer,
    price_list,
    space_port,
)
from server.rules.ruleset import MOBILITIES, DetachmentType
from server.rules.scene import Scene
from server.rules.state import BUILD, SETUP, Detachment, Force, Garrison, Id, PlayerId, State, Unit
from server.rules.structure import (
    allowed_kinds,
    character_problems,
    cheapest_model,
    complexity,
    kind_problem,
    lost_characters,
    max_points,
    points_of,
    slot_problems,
    special_problems,
    told_of_prices,
    too_few_points,
    too_small,
    wrong_units,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildDetachment(ImmediateOrder):
    """1.2.1: build a detachment; in Setup, muster one (D-33)."""

    TYPE: ClassVar[str] = "build_detachment"
    REPEATS: ClassVar[bool] = True
    EXPLAINED: ClassVar[tuple[str, ...]] = ("needs", "after", "why")
    PHASE: ClassVar[tuple[str, ...]] = (SETUP, BUILD)
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("at", "place"),
        FormField("name", "text", needed=False),
        FormField("detachment_type", "detachment_types", needed=False),
        FormField("units", "new_units"),
        FormField("mounted", "flag", needed=False, told="mounted"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "raise {name} [type {detachment_type}] at {at} {flags} [as {as}]: {units}",
        "raise detachment [type {detachment_type}] at {at} {flags} [as {as}]: {units}",
        "raise detachment {name} [type {detachment_type}] at {at} {flags} [as {as}]: {units}",
    )
    at: Hex
    name: str
    detachment_type: str
    units: tuple[Unit, ...]
    mounted: bool = False

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order; the standard type and a plain name are understood where none is given."""
        types = fields.context.state.ruleset.detachment_types
        type_ = next((id_ for id_, type_ in types.items() if not type_.share), "")
        if fields.has("detachment_type") or not type_:
            type_ = fields.one_of("detachment_type", types, "detachment type")
        return cls(
            at=fields.hex("at"),
            name=fields.text("name") if fields.has("name") else cls._plain_name(fields.context.state),
            detachment_type=type_,
            units=fields.units(),
            mounted=fields.boolean("mounted"),
        )

    def check(self, context: OrderContext) -> Found:
        """First the place, then what the detachment is made of, then the price."""
        place = self.place_problem(context)
        if place is not None:
            yield place
            return
        state, type_ = context.state, self._type(context)
        if state.phase != SETUP:
            yield from found(
                kind_problem(self.units, allowed_kinds(state, self.at, orbit=type_.orbit), orbit=type_.orbit)
            )
        yield from slot_problems(type_, self.units)
        yield from wrong_units(state, type_, self.units, mounted=self.mounted)
        yield from too_few_points(state, self.units)
        yield from too_small(state, self.units)
        have, maximum = points_of(self.units), max_points(state)
        if have > maximum:
            message = say("A new detachment has at most {most} points, not {have}.", most=maximum, have=have)
            yield Problem("too_many_points", message, "units", have, "6.2.3.7")
        yield from special_problems(state, context.player, type_)
        yield from character_problems(state, context.player, self.units)
        yield from found(cannot_pay(context, payer(context, self.at), points_of(self.units), rule="1.2"))

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what it costs, who pays, when it is ready and why then."""
        muster = context.state.phase == SETUP
        turns = 0 if muster else complexity(self.units)
        why = "D-33: mustered forces stand ready at once" if muster else f"1.2.2: complexity {turns}"
        return bill(
            context,
            payer(context, self.at),
            points_of(self.units),
            prices=price_list(self.units),
            turns=turns,
            ready_turn=context.state.turn + turns,
            where="orbit" if self._type(context).orbit else context.label(self.at),
            why=why,
        )

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay at once; the detachment is ready after as many turns as its complexity (D-32, D-34)."""
        state = scene.state
        pay(context, payer(context, self.at), points_of(self.units))
        ready_in = 0 if state.phase == SETUP else complexity(self.units)
        at = ORBIT if not ready_in and self._type(context).orbit else self.at
        id_ = state.new_id(context.player, self.alias)
        new = Detachment(
            id_,
            context.player,
            self._name(state, context.player, id_),
            self.detachment_type,
            at,
            enlist(context, self.units),
            mounted=self.mounted,
            ready_in=ready_in,
        )
        state.add_detachment(new)
        if self.alias:
            context.aliases[self.alias] = id_
        told = {"force": id_, "name": new.name, "hex": scene.label(self.at), "turns": ready_in, "bp": new.points}
        scene.emit("detachment_ordered" if ready_in else "detachment_ready", [context.player], **told)

    @staticmethod
    def _plain_name(state: State) -> str:
        """Return what an order without a name asks for: one of the seat's pool; before, the same for all."""
        return "" if state.readings.forces_have_own_names else "Detachment"

    def _name(self, state: State, player: PlayerId, id_: Id) -> str:
        return name_for(state, player, id_, self.name) if state.readings.forces_have_own_names else self.name

    def _type(self, context: OrderContext) -> DetachmentType:
        return context.state.ruleset.detachment_types[self.detachment_type]

    def place_problem(self, context: OrderContext) -> Problem | None:
        """Return what is wrong with the place, whatever the units are."""
        return self._muster_place(context) if context.state.phase == SETUP else self._building_place(context)

    def _muster_place(self, context: OrderContext) -> Problem | None:
        problem = muster_problem(context, self.at)
        if problem is not None or self._type(context).orbit:
            return problem
        return self._occupied(context, "D-33") or self._impassable(context)

    def _building_place(self, context: OrderContext) -> Problem | None:
        return (
            not_urban(context, self.at, rule="D-32")
            or self._only_in_capital(context)
            or no_headquarters(context, self.at)
            or self._no_space_port(context)
            or self._occupied(context, "D-32")
        )

    def _only_in_capital(self, context: OrderContext) -> Problem | None:
        faction = context.state.faction(context.player)
        if not faction.detachments_only_in_capital or context.state.capital(context.player) == self.at:
            return None
        message = say(
            "Your army list ({faction}) builds detachments only in the capital.", faction=called(faction.name)
        )
        return Problem("not_allowed", message, "at", context.label(self.at), "D-71")

    def _no_space_port(self, context: OrderContext) -> Problem | None:
        """D-71b: some army lists need one outside their capital."""
        state = context.state
        faction = state.faction(context.player)
        if not faction.detachments_need_space_port or state.capital(context.player) == self.at:
            return None
        if space_port(context, self.at):
            return None
        message = say(
            "Your army list ({faction}) builds detachments only in the capital and in urban hexes with a space port.",
            faction=called(faction.name),
        )
        return Problem("needs_building", message, "at", state.board.label(self.at), "D-71b")

    def _occupied(self, context: OrderContext, rule: str) -> Problem | None:
        if self.at not in context.state.detachment_at and self.at not in context.state.raising_at:
            return None
        label = context.label(self.at)
        return Problem(
            "occupied", say("{hex} already holds a detachment, built or being built.", hex=label), "at", label, rule
        )

    def _impassable(self, context: OrderContext) -> Problem | None:
        """D-38: it may stand only where all its units may go."""
        state = context.state
        terrain = state.ruleset.terrain[state.board.terrain[self.at]]
        body = Detachment("", context.player, "", self.detachment_type, self.at, self.units, mounted=self.mounted)
        stuck = [mobility for mobility in mobilities(body, state.ruleset) if mobility not in terrain.enter]
        if not stuck:
            return None
        message = say(
            "{mobilities} units cannot go into {terrain}.",
            mobilities=words("mobility", stuck, " and ").capitalized(),
            terrain=small(terrain.name),
        )
        return Problem("terrain", message, "at", state.board.label(self.at), "D-38")

    @classmethod
    def offered(cls, context: OrderContext) -> Iterator[Option]:
        """In Setup: offer to muster one in each hex without, paid by the capital, which the set places first (D-33)."""
        state = context.state
        if state.phase != SETUP or not state.settings.muster:
            return
        own = [at for at, owner in enumerate(state.owner) if owner == context.player]
        free = [at for at in own if at not in state.detachment_at]
        ground: dict[tuple[str, ...], list[Hex]] = {}
        for at in free:
            ground.setdefault(state.ruleset.terrain[state.board.terrain[at]].enter, []).append(at)
        for enter, places in ground.items():
            units = cls._units_offered(context, places[0], enter)
            if units["types"]:
                choices = {"at": [state.board.label(at) for at in places]}
                option = {"order": {"type": cls.TYPE}, "choices": choices, "needs": {"units": units}}
                yield option | capital_first(context) | {"why": "D-33"}

    @classmethod
    def offered_in(cls, context: OrderContext, at: Hex) -> Iterator[Option]:
        """In Build: offer each hex that can raise a detachment, with the units allowed there."""
        state = context.state
        if state.phase == SETUP or at not in state.urban:
            return
        standard = next(id_ for id_, type_ in state.ruleset.detachment_types.items() if not type_.share)
        if cls(at=at, name="", detachment_type=standard, units=()).place_problem(context) is not None:
            return
        units = cls._units_offered(context, at)
        if units["types"]:
            order = {"type": cls.TYPE, "at": state.board.label(at)}
            yield {"order": order, "needs": {"units": units}, "why": "1.2.2"}

    @classmethod
    def _units_offered(cls, context: OrderContext, at: Hex, enter: Sequence[str] = MOBILITIES) -> dict[str, Any]:
        """Return what the units of a new detachment may be, per type the player may build here.

        In Setup they stand at once, on ground that only some mobilities *enter* (D-38).
        """
        types: dict[str, dict[str, Any]] = {}
        muster, prices = context.state.phase == SETUP, told_of_prices(context.state)
        for id_, type_ in context.state.ruleset.detachment_types.items():
            kinds = allowed_kinds(context.state, at, orbit=type_.orbit)
            anywhere = type_.orbit or type_.mobility in enter
            stands = anywhere or (enter and not type_.mobility)
            allowed = stands and next(special_problems(context.state, context.player, type_), None) is None
            if (kinds or muster) and allowed:
                types[id_] = (
                    {
                        "slots": {slot: list(span) for slot, span in type_.slots.items()},
                        "mobilities": [mobility for mobility in MOBILITIES if anywhere or mobility in enter],
                    }
                    | ({} if muster else {"kinds": list(kinds)})
                    | ({"asks": list(type_.asks)} if prices else {})
                )
        store = purse(context, at)
        return (
            {
                "types": types,
                "most_points": min(max_points(context.state), store),
                "names": free_names(context.state, context.player),
            }
            | lost_characters(context.state, context.player)
            | (prices | {"least_points": context.state.ruleset.least_detachment} if prices else {})
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AddUnits(ImmediateOrder):
    """1.2, D-35, D-37: new units for a standing detachment or garrison."""

    TYPE: ClassVar[str] = "add_units"
    REPEATS: ClassVar[bool] = True
    EXPLAINED: ClassVar[tuple[str, ...]] = ("needs", "after", "why")
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("detachment", "detachment", needed=False),
        FormField("at", "place", needed=False),
        FormField("units", "new_units"),
    )
    TEXT: ClassVar[tuple[str, ...]] = (
        "add units to {detachment}: {units}",
        "add units at {at}: {units}",
        "add units to garrison at {at}: {units}",
        "add to {detachment}: {units}",
    )
    SENTENCES: ClassVar[tuple[tuple[str, str], ...]] = (("detachment", "add_units"), ("", "add_garrison"))
    detachment: Id = ""
    at: Hex = NOWHERE
    """The hex of the garrison, where no detachment is named."""
    units: tuple[Unit, ...]

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order: for a detachment, or for the garrison of a hex."""
        if not fields.has("detachment") and fields.has("at"):
            fields.has("detachment")
            return cls(at=fields.hex("at"), units=fields.units())
        return cls(detachment=fields.own_detachment(), units=fields.units())

    def check(self, context: OrderContext) -> Found:
        """As for building, on the force as it will be."""
        yield from self._check_detachment(context) if self.detachment else self._check_garrison(context)

    def _check_garrison(self, context: OrderContext) -> Found:
        garrison = context.state.garrison_at.get(self.at)
        if garrison is not None and garrison.owner == context.player:
            enemy = enemy_present(context, self.at)
            yield from found(enemy) if enemy else garrison_problems(context, self.at, self.units, garrison.points)
            return
        label = context.label(self.at)
        none = Problem(
            "not_allowed", say("You have no garrison in {hex}; build one first.", hex=label), "at", label, "D-37"
        )
        yield no_stronghold(context, self.at, "D-37") or none

    def _check_detachment(self, context: OrderContext) -> Found:
        force = context.mine(self.detachment)
        if not isinstance(force, Detachment):
            yield Problem("unknown_id", "That detachment is no more.", "detachment", self.detachment, "D-07")
            return
        place = _wrong_place(context, force)
        if place is not None:
            yield place
            return
        state, units = context.state, (*force.units, *self.units)
        type_, before = state.ruleset.detachment_types[force.type], (force.units, force.mounted)
        yield from found(kind_problem(self.units, allowed_kinds(state, force.at)))
        yield from slot_problems(type_, units, minimum=False)
        yield from wrong_units(state, type_, units, mounted=force.mounted, before=before)
        yield from too_few_points(state, self.units)
        total = force.points + points_of(self.units)
        rank = state.ruleset.rank(force.dxp)[1]
        maximum = max_points(state, force.dxp)
        if total > maximum:
            message = say(
                "A detachment of the rank {rank} has at most {most} points, not {have}.",
                rank=called(rank),
                most=maximum,
                have=total,
            )
            yield Problem("too_many_points", message, "units", total, "6.2.3.7")
        yield from character_problems(state, context.player, self.units)
        yield from found(cannot_pay(context, force.at, points_of(self.units), "detachment", "1.2"))

    def _cost(self, context: OrderContext) -> int:
        added = points_of(self.units)
        if self.detachment:
            return added
        before = context.state.garrison_at[self.at].points
        return garrison_cost(context, before + added) - garrison_cost(context, before)

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what they cost and who pays."""
        at = context.detachment(self.detachment).at if self.detachment else self.at
        why = "D-35: they join at once, and the detachment guards this turn"
        if not self.detachment:
            why = "D-37: half cost of the whole garrison, rounded up, less what is paid"
        prices = price_list(self.units)
        return bill(context, at, self._cost(context), prices=prices, turns=0, ready_turn=context.state.turn, why=why)

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Pay; they join at once. A detachment does nothing else this turn (D-35)."""
        cost = self._cost(context)
        force: Detachment | Garrison
        if self.detachment:
            force = context.detachment(self.detachment)
            force.pinned = True
        else:
            force = scene.state.garrison_at[self.at]
        pay(context, force.at, cost)
        force.units += enlist(context, self.units)
        told = {
            "force": force.id,
            "hex": scene.label(force.at),
            "units": [unit.name for unit in self.units],
            "bp": cost,
        }
        scene.emit("units_added", [context.player], **told)

    @classmethod
    def offered_in(cls, context: OrderContext, at: Hex) -> Iterator[Option]:
        """Offer it for the garrison of a stronghold, with the points that it may have more."""
        garrison = context.state.garrison_at.get(at)
        if at not in context.state.stronghold or garrison is None or garrison.owner != context.player:
            return
        if enemy_present(context, at) is not None:
            return
        maximum = garrison_room(context, at)
        if maximum > 0:
            order = {"type": cls.TYPE, "at": context.label(at)}
            yield {"order": order, "needs": garrison_needs(context, maximum)}

    @classmethod
    def offered_to_force(cls, context: OrderContext, force: Force) -> Iterator[Option]:
        """Offer it for a detachment where it may grow, with the room there is in each slot."""
        if not isinstance(force, Detachment) or force.at == ORBIT:
            return
        if _wrong_place(context, force) is not None:
            return
        state, kinds = context.state, allowed_kinds(context.state, force.at)
        maximum = min(max_points(state, force.dxp) - force.points, state.store.get(force.at, 0))
        if kinds and maximum >= cheapest_model(state, state.ruleset.least_points):
            slots = state.ruleset.detachment_types[force.type].slots
            have = [unit.slot for unit in force.units]
            room = {slot: max(0, span[1] - have.count(slot)) for slot, span in slots.items()}
            units = {"most_of_slot": room, "kinds": list(kinds), "most_points": maximum}
            needs = {"units": units | lost_characters(state, context.player) | told_of_prices(state)}
            yield {"order": {"type": cls.TYPE, "detachment": force.id}, "needs": needs}


def _wrong_place(context: OrderContext, force: Detachment) -> Problem | None:
    """D-35, D-35e: a detachment takes in units at headquarters, where its list may raise them."""
    return (
        not_in_town(context, force, force.id)
        or no_headquarters(context, force.at)
        or not_raised_here(context, force.at, "detachment")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DisbandDetachment(ImmediateOrder):
    """D-20a: give up a detachment, ready or not; nothing is paid back."""

    TYPE: ClassVar[str] = "disband_detachment"
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("detachment", "detachment"),)
    TEXT: ClassVar[tuple[str, ...]] = (
        "disband {detachment}",
        "disband detachment {detachment}",
    )
    detachment: Id

    def check(self, context: OrderContext) -> Found:
        """It must still be there."""
        force = context.mine(self.detachment)
        if not isinstance(force, Detachment):
            yield Problem("unknown_id", "That detachment is no more.", "detachment", self.detachment, "D-07")
        elif force.at != ORBIT:
            yield from found(enemy_present(context, force.at, "detachment"))

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say that nothing is paid back."""
        force = context.detachment(self.detachment)
        return {"cost": 0, "refund": 0, "points": force.points, "why": "D-20a: disbanding brings no refund"}

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Remove it; its zone of control lasts until the end of the phase."""
        force = context.detachment(self.detachment)
        scene.state.remove_force(force)
        context.gone[force.id] = force
        scene.emit("disbanded", [context.player], force=force.id, name=force.name, hex=scene.label(force.at))

    @classmethod
    def offered_to_force(cls, context: OrderContext, force: Force) -> Iterator[Option]:
        """Offer it for every detachment."""
        if isinstance(force, Detachment) and next(iter(cls(detachment=force.id).check(context)), None) is None:
            yield {"order": {"type": cls.TYPE, "detachment": force.id}, "cost": 0}
