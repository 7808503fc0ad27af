"""Reading an order's fields out of arbitrary JSON: whatever arrives becomes values or problems, never an exception."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from server.core.errors import Problem
from server.core.fields import shown
from server.core.sentences import say, word
from server.rules.board import NOWHERE, Hex
from server.rules.orders.context import OrderContext
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS
from server.rules.state import Convoy, Detachment, Garrison, Id, Unit

MAX_UNITS = 100
MAX_MODELS = 1000
MAX_POINTS = 100_000
MAX_BP = 10_000_000
MAX_HEXES = 200
MAX_TEXT_LENGTH = 60
"""Bounds of an order's contents: units of a force, models and points of a unit, BP, hexes of a path, characters of a
text."""


class Fields:
    """Reads an order's fields out of arbitrary JSON, and collects what is wrong with them."""

    def __init__(self, order: Mapping[Any, Any], context: OrderContext) -> None:
        self.order = order
        self.context = context
        self.problems: list[Problem] = []
        self._read = {"type", "as"}

    def refuse(self, code: str, message: str, name: str = "", value: object = None, rule: str = "") -> None:
        """Note one problem."""
        self.problems.append(Problem(code, message, name, value, rule))

    def has(self, name: str) -> bool:
        """True when the order has the field, with a value; a missing one is then no problem."""
        return self.optional(name) is not None

    def has_read(self, name: str) -> bool:
        """True when the field has been read."""
        return name in self._read

    def optional(self, name: str) -> Any:
        """Return a field as it is, None when it is missing; what it holds is the caller's to judge."""
        self._read.add(name)
        return self.order.get(name)

    def _take(self, name: str) -> Any:
        self._read.add(name)
        value = self.order.get(name)
        if value is None:
            self.refuse("missing_field", say("The order needs the field {name}.", name=name), name)
        return value

    def _bad(self, name: str, message: str, value: object) -> None:
        self.refuse("bad_value", message, name, shown(value))

    def text(self, name: str, maximum: int = MAX_TEXT_LENGTH) -> str:
        """Read a printable text of 1 to *most* characters."""
        value = self._take(name)
        if value is None:
            return ""
        if not isinstance(value, str) or not 1 <= len(value.strip()) <= maximum or not value.isprintable():
            self._bad(
                name, say("{name} must be a printable text of 1 to {most} characters.", name=name, most=maximum), value
            )
            return ""
        return value.strip()

    def integer(self, name: str, minimum: int, maximum: int) -> int:
        """Read a whole number."""
        value = self._take(name)
        if value is None:
            return minimum
        if not isinstance(value, int) or isinstance(value, bool) or not minimum <= value <= maximum:
            message = say(
                "{name} must be a whole number from {least} to {most}.", name=name, least=minimum, most=maximum
            )
            self._bad(name, message, value)
            return minimum
        return value

    def boolean(self, name: str) -> bool:
        """Read a truth value; missing means false."""
        self._read.add(name)
        value = self.order.get(name)
        if value is None or isinstance(value, bool):
            return bool(value)
        self._bad(name, say("{name} must be true or false.", name=name), value)
        return False

    def one_of(self, name: str, known: Mapping[str, Any] | tuple[str, ...], what: str) -> str:
        """Read one of the rulebook's words; another one is ``unknown_id``."""
        value = self._take(name)
        if value is None:
            return ""
        if not isinstance(value, str) or value not in known:
            self.refuse(
                "unknown_id",
                say(
                    "There is no {what} called {value}.", what=word("kind", what.replace(" ", "_")), value=shown(value)
                ),
                name,
                shown(value),
            )
            return ""
        return value

    def hex(self, name: str) -> Hex:
        """Read the label of a hex of the map."""
        value = self._take(name)
        return NOWHERE if value is None else self._hex(name, value)

    def _hex(self, name: str, value: object) -> Hex:
        found = self.context.state.board.find(value)
        if found is None:
            self.refuse("bad_hex", say("The map has no hex {value}.", value=shown(value)), name, shown(value), "D-01")
            return NOWHERE
        return found

    def hexes(self, name: str) -> tuple[Hex, ...]:
        """Read a list of labels."""
        value = self._take(name)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or len(value) > MAX_HEXES:
            self._bad(name, say("{name} must be a list of at most {most} hexes.", name=name, most=MAX_HEXES), value)
            return ()
        found = tuple(map(self.context.state.board.find, value))
        if None in found:
            return tuple([self._hex(name, label) for label in value])
        return cast(tuple[Hex, ...], found)

    def ids(self, name: str) -> tuple[str, ...]:
        """Read a list of ids as they are; missing means empty."""
        self._read.add(name)
        value = self.order.get(name)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or len(value) > 2 * MAX_UNITS:
            self._bad(name, say("{name} must be a list of ids.", name=name), value)
            return ()
        if not all(isinstance(label, str) for label in value):
            self._bad(name, say("{name} must be a list of ids.", name=name), value)
            return ()
        return tuple(value)

    def id(self, name: str) -> Id:
        """Read an id the player knows, or the ``as`` name of an earlier order of this set."""
        value = self._take(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            self._bad(name, say("{name} must be an id.", name=name), value)
            return ""
        if not self.context.knows(value):
            self.unknown(name, value)
            return ""
        return value

    def unknown(self, name: str, value: object) -> None:
        """Note an id the player has never seen (D-07)."""
        self.refuse(
            "unknown_id",
            say("You know of nothing with the id {value}.", value=shown(value)),
            name,
            shown(value),
            "D-07",
        )

    def own_detachment(self, name: str = "detachment") -> Id:
        """Read the id of one of the player's detachments, ready or not; a convoy has a refusal of its own."""
        if self.optional(name) is None and self.optional("convoy") is not None:
            if self._own("convoy", Convoy):
                self._only_guard_or_path("convoy", self.order.get("convoy"))
            return ""
        return self._own(name, Detachment)

    def _only_guard_or_path(self, name: str, value: object) -> None:
        self.refuse("only_guard_or_path", "A convoy can only guard or follow a path.", name, shown(value), "2")

    def own_convoy(self, name: str = "convoy") -> Id:
        """Read the id of one of the player's convoys."""
        return self._own(name, Convoy)

    def _own(self, name: str, kind: type[Detachment] | type[Convoy]) -> Id:
        value = self.optional(name)
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
        value = self._take(name)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or not 1 <= len(value) <= MAX_UNITS:
            self._bad(name, say("{name} must be a list of 1 to {most} units.", name=name, most=MAX_UNITS), value)
            return ()
        units = tuple(unit for place, item in enumerate(value) if (unit := self._unit(f"{name}.{place}", item)))
        named = [unit.id for unit in units if unit.id]
        if len(named) != len(dict.fromkeys(named)):
            self._bad(name, say("{name} must be a list of units with different ids.", name=name), named)
        return units

    def _unit(self, where: str, value: object) -> Unit | None:
        if not isinstance(value, Mapping):
            self._bad(where, say("{name} must be a unit (an object).", name=where), value)
            return None
        inner = Fields(value, self.context)
        id_ = inner.text("id") if inner.has("id") else ""
        slot = inner.one_of("slot", SLOTS, "slot")
        name = inner.text("name") if inner.has("name") else slot
        mobility = inner.one_of("mobility", MOBILITIES, "mobility") if inner.has("mobility") else MOBILITIES[0]
        models = inner.integer("models", 1, MAX_MODELS)
        points = inner.integer("points", 1, MAX_POINTS)
        flags = inner.ids("flags")
        for flag in flags:
            if flag not in FLAGS:
                inner.refuse(
                    "unknown_id", say("There is no flag called {flag}.", flag=shown(flag)), "flags", shown(flag), "D-30"
                )
        bombardment = inner.integer("bombardment", 0, 2) if inner.has("bombardment") else 0
        if "artillery" in flags and not bombardment:
            bombardment = 1
        inner.finish()
        self.problems += [
            Problem(problem.code, problem.message, f"{where}.{problem.field}", problem.value, problem.rule)
            for problem in inner.problems
        ]
        if inner.problems:
            return None
        return Unit(id_, name, slot, models, points, mobility, tuple(sorted(dict.fromkeys(flags))), bombardment, models)

    def finish(self) -> None:
        """Note fields the order does not have: a typing error must not be taken for an order."""
        for name in self.order:
            if name not in self._read:
                self.refuse("unknown_field", say("This order has no field {name}.", name=shown(name)), str(shown(name)))
