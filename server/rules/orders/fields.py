"""What an order's fields may hold, and reading them out of arbitrary JSON.

Whatever arrives becomes values or problems, never an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, cast

from server.core import fields
from server.core.errors import Problem
from server.core.fields import MISSING, is_list, shown
from server.core.sentences import say, word
from server.rules.board import NOWHERE, ORBIT, Hex
from server.rules.orders.context import OrderContext
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS
from server.rules.state import Convoy, Detachment, Garrison, Id, State, Unit

ValueKind = Literal[
    "detachment",
    "convoy",
    "unit",
    "own_units",
    "new_units",
    "casualties",
    "picks",
    "losses",
    "battle_units",
    "works",
    "place",
    "path",
    "hexes",
    "enemy",
    "friend",
    "seen_detachment",
    "battle",
    "player",
    "buildings",
    "defences",
    "weapons",
    "detachment_types",
    "size",
    "choice",
    "text",
    "number",
    "flag",
]
"""The kind of a field. ``detachment`` ``convoy`` ``unit`` are ids of the player's own; ``own_units`` ``casualties``
``picks`` ``battle_units`` lists of units; ``place`` ``battle`` labels of hexes, ``path`` the hexes to enter, ``hexes``
some by preference; ``enemy`` ``friend`` a hex or a force's id; ``buildings`` to ``detachment_types`` ids of the
ruleset; ``size`` that of a placement."""


HALF = ":half"
"""Stands after the id of a unit of which half is meant."""


@dataclass(frozen=True, slots=True)
class FormField:
    """One field of an order."""

    name: str
    kind: ValueKind
    needed: bool = True
    """The order cannot be without it."""
    choices: tuple[str, ...] = ()
    """The words it may hold, of the kind ``choice``."""
    keeps: bool = False
    """A ``flag`` that is left out keeps what is; false is an answer of its own."""
    told: str = ""
    """The key of a sentence's addition if a ``flag`` is set (``table.<told>``)."""

    def to_json(self) -> dict[str, Any]:
        """Return it as pages read it."""
        more: dict[str, Any] = {"choices": list(self.choices)} if self.choices else {}
        if self.keeps:
            more["keeps"] = True
        if self.told:
            more["told"] = self.told
        return {"name": self.name, "kind": self.kind, "needed": self.needed} | more


ALIAS = FormField("as", "text", needed=False)
"""Every order may give what it creates a name, for later orders of the set."""


MAX_UNITS = 100
MAX_MODELS = 1000
MAX_POINTS = 100_000
MAX_BP = 10_000_000
MAX_HEXES = 200
MAX_TEXT_LENGTH = 60
"""Bounds of an order's contents: units of a force, models and points of a unit, BP, hexes of a path, characters of a
text."""


class Fields(fields.Fields):
    """Reads an order's fields, or those of a table in it, as what they mean in an :class:`OrderContext`.

    Null is as good as nothing. The paths of problems begin in the order.
    """

    NULL_IS_MISSING: ClassVar[bool] = True

    def __init__(
        self, order: object, context: OrderContext, path: str = "", problems: list[Problem] | None = None
    ) -> None:
        super().__init__(order, path, problems)
        self.context = context
        self._asked = {"type", "as"}

    def inner(self, name: str | int, given: object) -> Self:
        """Return a reader of a table in the order."""
        return type(self)(given, self.context, self.at(name), self.problems)

    def text(self, name: str | int, maximum: int = MAX_TEXT_LENGTH, default: Any = MISSING) -> str:
        """Read a printable text without the spaces around it."""
        return super().text(name, maximum, default).strip()

    def read(self, field: FormField) -> Any:
        """Read a field by its kind."""
        return _READERS[field.kind](self, field.name)

    def missing(self, name: str | int) -> None:
        """Say it of an order."""
        self.refuse("missing_field", say("The order needs the field {name}.", name=name), name)

    def wrong_word(self, name: str | int, known: Collection[str], what: str, value: object) -> None:  # noqa: ARG002
        """Another one than the rulebook's words is ``unknown_id``."""
        if value is MISSING:
            self.missing(name)
        else:
            kind = word("kind", what.replace(" ", "_"))
            message = say("There is no {what} called {value}.", what=kind, value=shown(value))
            self.refuse("unknown_id", message, name, value)

    def unknown_field(self, name: object) -> None:
        """Say it of an order."""
        self.refuse("unknown_field", say("This order has no field {name}.", name=shown(name)), str(shown(name)))

    def hex(self, name: str) -> Hex:
        """Read the label of a hex of the map."""
        value = self.take(name)
        if value is MISSING:
            self.missing(name)
            return NOWHERE
        return self._hex(name, value)

    def _hex(self, name: str, value: object) -> Hex:
        found = self.context.state.board.find(value)
        if found is None:
            self.refuse("bad_hex", say("The map has no hex {value}.", value=shown(value)), name, value, "D-01")
            return NOWHERE
        return found

    def hexes(self, name: str) -> tuple[Hex, ...]:
        """Read a list of labels."""
        labels = self.take(name)
        if not is_list(labels, 0, MAX_HEXES):
            self.wrong(name, say("{name} must be a list of at most {most} hexes.", name=name, most=MAX_HEXES), labels)
            return ()
        found = tuple(map(self.context.state.board.find, labels))
        if None in found:
            return tuple([self._hex(name, label) for label in labels])
        return cast(tuple[Hex, ...], found)

    def ids(self, name: str) -> tuple[str, ...]:
        """Read a list of ids as they are; missing means empty."""
        expected = say("{name} must be a list of ids.", name=name)
        labels = self.items(name, expected, 0, 2 * MAX_UNITS, ())
        if all(isinstance(label, str) for label in labels):
            return tuple(labels)
        self.wrong(name, expected, labels)
        return ()

    def id(self, name: str) -> Id:
        """Read an id the player knows, or the ``as`` name of an earlier order of this set."""
        value = self.take(name)
        if not isinstance(value, str):
            self.wrong(name, say("{name} must be an id.", name=name), value)
        elif not self.context.knows(value):
            self.unknown(name, value)
        else:
            return value
        return ""

    def unknown(self, name: str, value: object) -> None:
        """Note an id the player has never seen (D-07)."""
        message = say("You know of nothing with the id {value}.", value=shown(value))
        self.refuse("unknown_id", message, name, value, "D-07")

    def own_detachment(self, name: str = "detachment") -> Id:
        """Read the id of one of the player's detachments, ready or not; a convoy has a refusal of its own."""
        value = self.take(name)
        if value is MISSING and self.has("convoy"):
            convoy = self.own_convoy()
            if convoy:
                self._only_guard_or_path("convoy", convoy)
            return ""
        return self._own(name, value, Detachment)

    def _only_guard_or_path(self, name: str, value: object) -> None:
        self.refuse("only_guard_or_path", "A convoy can only guard or follow a path.", name, value, "2")

    def own_convoy(self, name: str = "convoy") -> Id:
        """Read the id of one of the player's convoys."""
        return self._own(name, self.take(name), Convoy)

    def _own(self, name: str, value: Any, kind: type[Detachment] | type[Convoy]) -> Id:
        if isinstance(value, str) and isinstance(self.context.mine(value), kind):
            return value
        id_ = self.id(name)
        if not id_:
            return ""
        thing = self.context.mine(id_)
        if thing is None:
            self.refuse("not_yours", "That is not yours to command.", name, id_)
        elif kind is Convoy:
            self.refuse("unknown_id", "That is not a convoy.", name, id_)
        elif isinstance(thing, Garrison):
            self.refuse("garrison_cannot_move", "A garrison never moves.", name, id_, "D-37")
        else:
            self._only_guard_or_path(name, id_)
        return ""

    def units(self, name: str = "units") -> tuple[Unit, ...]:
        """Read a list of new units (D-30). Their ids are for the order's writer; the game gives its own.

        A unit whose mobility is left out is infantry, one without a name is called after its slot.
        """
        expected = say("{name} must be a list of 1 to {most} units.", name=name, most=MAX_UNITS)
        items = self.items(name, expected, 1, MAX_UNITS)
        units = tuple(unit for place, item in enumerate(items) if (unit := self._unit(f"{name}.{place}", item)))
        named = [unit.id for unit in units if unit.id]
        if len(named) != len(dict.fromkeys(named)):
            self.wrong(name, say("{name} must be a list of units with different ids.", name=name), named)
        return units

    def _unit(self, where: str, value: object) -> Unit | None:
        if not isinstance(value, Mapping):
            self.wrong(where, say("{name} must be a unit (an object).", name=where), value)
            return None
        before, unit = len(self.problems), self.inner(where, value)
        id_ = unit.text("id") if unit.has("id") else ""
        slot = unit.one_of("slot", SLOTS, "slot")
        name = unit.text("name") if unit.has("name") else slot
        mobility = unit.one_of("mobility", MOBILITIES, "mobility", MOBILITIES[0])
        models = unit.integer("models", 1, MAX_MODELS)
        points = unit.integer("points", 1, MAX_POINTS)
        flags = unit.ids("flags")
        for flag in flags:
            if flag not in FLAGS:
                unit.refuse(
                    "unknown_id", say("There is no flag called {flag}.", flag=shown(flag)), "flags", flag, "D-30"
                )
        bombardment = unit.integer("bombardment", 0, 2, 0)
        if "artillery" in flags and not bombardment:
            bombardment = 1
        unit.finish()
        if len(self.problems) > before:
            return None
        return Unit(id_, name, slot, models, points, mobility, tuple(sorted(dict.fromkeys(flags))), bombardment, models)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A hex, or a force by its id."""

    hex: Hex = ORBIT
    force: Id = ""

    @classmethod
    def read(cls, fields: Fields) -> Target:
        """Read the field ``target``: the label of a hex or the id of a force the player knows of."""
        value = fields.given.get("target")
        board = fields.context.state.board
        if isinstance(value, str) and not fields.context.knows(value):
            looks_like_hex = value.isdecimal() and len(value) == len(board.label(0))
            if looks_like_hex or board.find(value) is not None:
                return cls(hex=fields.hex("target"))
        elif isinstance(value, int):
            return cls(hex=fields.hex("target"))
        return cls(force=fields.id("target"))

    def where(self, state: State) -> Hex:
        """Return the target's hex, :data:`ORBIT` when the force is not on the map."""
        if not self.force:
            return self.hex
        force = state.force(self.force)
        return ORBIT if force is None or (isinstance(force, Detachment) and force.ready_in) else force.at

    def said(self, state: State) -> str:
        """Return what the order said."""
        return self.force or state.board.label(self.hex)


def _of_ruleset(table: str, what: str) -> Callable[[Fields, str], str]:
    return lambda fields, name: fields.one_of(name, getattr(fields.context.state.ruleset, table), what)


_READERS: Mapping[str, Callable[[Fields, str], Any]] = {
    "detachment": Fields.own_detachment,
    "convoy": Fields.own_convoy,
    "unit": Fields.text,
    "new_units": Fields.units,
    "seen_detachment": Fields.id,
    "place": Fields.hex,
    "hexes": Fields.hexes,
    "enemy": lambda fields, _: Target.read(fields),
    "friend": lambda fields, _: Target.read(fields),
    "flag": Fields.boolean,
    "buildings": _of_ruleset("buildings", "building"),
    "defences": _of_ruleset("defences", "defence"),
    "weapons": _of_ruleset("weapons", "turret weapon"),
}
"""How fields are read by their kind; orders with fields of other kinds read themselves."""
