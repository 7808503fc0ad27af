"""What all orders have in common: reading them from JSON, and the desk they are checked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, ClassVar, Self

from server.rules.board import NOWHERE, Hex
from server.rules.errors import Problem, RulesError
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS
from server.rules.scene import Scene
from server.rules.state import Convoy, Detachment, Garrison, Id, PlayerId, State, Unit

MOST_UNITS = 100
MOST_MODELS = 1000
MOST_POINTS = 100_000
MOST_BP = 10_000_000
MOST_HEXES = 200
MOST_TEXT = 60
MOST_SHOWN = 2**53

Found = Iterator[Problem]


@dataclass(slots=True)
class Desk:
    """Where a player's orders are checked: what he knows, and what his earlier orders have made of it.

    Everything here comes from the player's view, so nothing said about an order can leak.
    """

    state: State
    """The redacted state; for the Build and Setup phases a copy on which earlier orders have been done."""
    player: PlayerId
    aliases: dict[str, Id] = field(default_factory=dict)
    """What earlier orders of the set create, by the name given with ``as``."""
    fresh: dict[Id, None] = field(default_factory=dict)
    """Garrisons that came into being in this phase: they exert no zone of control before it is over,
    so that the order of the players does not matter."""
    gone: dict[Id, Detachment] = field(default_factory=dict)
    """Detachments disbanded in this phase: they exert theirs until it is over, for the same reason."""
    placed: dict[Hex, PlayerId] = field(default_factory=dict)
    """Urban and resource hexes placed in this phase and by whom: a player's own placements do not look
    at those of others, for the same reason."""

    def find(self, name: str) -> Detachment | Garrison | Convoy | None:
        """Return the force or convoy of that id, or of that ``as`` name."""
        id_, state = self.aliases.get(name, name), self.state
        return state.detachments.get(id_) or state.garrisons.get(id_) or state.convoys.get(id_)

    def mine(self, name: str) -> Detachment | Garrison | Convoy | None:
        """Return the player's own force or convoy of that id or ``as`` name."""
        thing = self.find(name)
        return thing if thing is not None and thing.owner == self.player else None

    def knows(self, name: str) -> bool:
        """True when the player has ever seen something of that id (D-07)."""
        me = self.state.players.get(self.player)
        return self.find(name) is not None or (me is not None and name in me.met)

    def detachment(self, name: str) -> Detachment:
        """Return the player's own detachment; the order was read, so there is one."""
        thing = self.find(name)
        if not isinstance(thing, Detachment):
            raise RulesError(f"{name} is not a detachment")
        return thing

    def convoy(self, name: str) -> Convoy:
        """Return the player's own convoy; the order was read, so there is one."""
        thing = self.find(name)
        if not isinstance(thing, Convoy):
            raise RulesError(f"{name} is not a convoy")
        return thing

    def enemy_zoc(self, hex_: Hex) -> bool:
        """True when the hex lies in a zone of control of an enemy force that stood before this phase."""
        state = self.state
        adjacent = state.board.adjacent[hex_]
        return any(
            force.id not in self.fresh and not state.friendly(self.player, force.owner)
            for next_ in adjacent
            for force in state.forces_at(next_)
        ) or any(
            force.at in adjacent and not force.ready_in and not state.friendly(self.player, force.owner)
            for force in self.gone.values()
        )


class Fields:
    """Reads an order's fields out of arbitrary JSON, and collects what is wrong with them."""

    def __init__(self, order: Mapping[Any, Any], desk: Desk) -> None:
        self.order = order
        self.desk = desk
        self.problems: list[Problem] = []
        self._read = {"type", "as"}

    def refuse(self, code: str, message: str, name: str = "", value: object = None, rule: str = "") -> None:
        """Note one problem."""
        self.problems.append(Problem(code, message, name, value, rule))

    def has(self, name: str) -> bool:
        """True when the order has the field, with a value; a missing one is then no problem."""
        return self.optional(name) is not None

    def optional(self, name: str) -> Any:
        """Return a field as it is, None when it is missing; what it holds is the caller's to judge."""
        self._read.add(name)
        return self.order.get(name)

    def _take(self, name: str) -> Any:
        self._read.add(name)
        value = self.order.get(name)
        if value is None:
            self.refuse("missing_field", f"The order needs the field {name}.", name)
        return value

    def _bad(self, name: str, value: object, wanted: str) -> None:
        self.refuse("bad_value", f"{name} must be {wanted}.", name, shown(value))

    def text(self, name: str, most: int = MOST_TEXT) -> str:
        """Read a printable text of 1 to *most* characters."""
        value = self._take(name)
        if value is None:
            return ""
        if not isinstance(value, str) or not 1 <= len(value.strip()) <= most or not value.isprintable():
            self._bad(name, value, f"a printable text of 1 to {most} characters")
            return ""
        return value.strip()

    def integer(self, name: str, least: int, most: int) -> int:
        """Read a whole number."""
        value = self._take(name)
        if value is None:
            return least
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self._bad(name, value, f"a whole number from {least} to {most}")
            return least
        return value

    def boolean(self, name: str) -> bool:
        """Read a truth value; missing means false."""
        self._read.add(name)
        value = self.order.get(name)
        if value is None or isinstance(value, bool):
            return bool(value)
        self._bad(name, value, "true or false")
        return False

    def one_of(self, name: str, known: Mapping[str, Any] | tuple[str, ...], what: str) -> str:
        """Read one of the rulebook's words; another one is ``unknown_id``."""
        value = self._take(name)
        if value is None:
            return ""
        if not isinstance(value, str) or value not in known:
            self.refuse("unknown_id", f"There is no {what} called {shown(value)!s}.", name, shown(value))
            return ""
        return value

    def hex(self, name: str) -> Hex:
        """Read the label of a hex of the map."""
        value = self._take(name)
        return NOWHERE if value is None else self._hex(name, value)

    def _hex(self, name: str, value: object) -> Hex:
        found = self.desk.state.board.find(value)
        if found is None:
            self.refuse("bad_hex", f"The map has no hex {shown(value)!s}.", name, shown(value), "D-01")
            return NOWHERE
        return found

    def hexes(self, name: str) -> tuple[Hex, ...]:
        """Read a list of labels."""
        value = self._take(name)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or len(value) > MOST_HEXES:
            self._bad(name, value, f"a list of at most {MOST_HEXES} hexes")
            return ()
        return tuple(self._hex(name, each) for each in value)

    def ids(self, name: str) -> tuple[str, ...]:
        """Read a list of ids as they are; missing means empty."""
        self._read.add(name)
        value = self.order.get(name)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or len(value) > 2 * MOST_UNITS:
            self._bad(name, value, "a list of ids")
            return ()
        if not all(isinstance(each, str) for each in value):
            self._bad(name, value, "a list of ids")
            return ()
        return tuple(value)

    def id(self, name: str) -> Id:
        """Read an id the player knows, or the ``as`` name of an earlier order of this set."""
        value = self._take(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            self._bad(name, value, "an id")
            return ""
        if not self.desk.knows(value):
            self.unknown(name, value)
            return ""
        return value

    def unknown(self, name: str, value: object) -> None:
        """Note an id the player has never seen (D-07)."""
        self.refuse("unknown_id", f"You know of nothing with the id {shown(value)!s}.", name, shown(value), "D-07")

    def own_detachment(self, name: str = "detachment") -> Id:
        """Read the id of one of the player's detachments, ready or not."""
        return self._own(name, Detachment)

    def own_convoy(self, name: str = "convoy") -> Id:
        """Read the id of one of the player's convoys."""
        return self._own(name, Convoy)

    def _own(self, name: str, kind: type[Detachment] | type[Convoy]) -> Id:
        value = self.optional(name)
        if isinstance(value, str) and isinstance(self.desk.mine(value), kind):
            return value
        id_ = self.id(name)
        if not id_:
            return ""
        thing = self.desk.mine(id_)
        if thing is None:
            self.refuse("not_yours", "That is not yours to command.", name, id_)
        elif kind is Convoy:
            self.refuse("unknown_id", "That is not a convoy.", name, id_)
        elif isinstance(thing, Garrison):
            self.refuse("garrison_cannot_move", "A garrison never moves.", name, id_, "D-37")
        else:
            self.refuse("only_guard_or_path", "A convoy can only guard or follow a path.", name, id_, "2")
        return ""

    def units(self, name: str = "units") -> tuple[Unit, ...]:
        """Read a list of new units (D-30). Their ids are for the order's writer; the game gives its own."""
        value = self._take(name)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or not 1 <= len(value) <= MOST_UNITS:
            self._bad(name, value, f"a list of 1 to {MOST_UNITS} units")
            return ()
        units = tuple(unit for place, each in enumerate(value) if (unit := self._unit(f"{name}.{place}", each)))
        named = [unit.id for unit in units if unit.id]
        if len(named) != len(dict.fromkeys(named)):
            self._bad(name, named, "a list of units with different ids")
        return units

    def _unit(self, where: str, value: object) -> Unit | None:
        if not isinstance(value, Mapping):
            self._bad(where, value, "a unit (an object)")
            return None
        inner = Fields(value, self.desk)
        id_ = inner.text("id") if inner.has("id") else ""
        slot = inner.one_of("slot", SLOTS, "slot")
        name = inner.text("name") if inner.has("name") else slot
        mobility = inner.one_of("mobility", MOBILITIES, "mobility")
        models = inner.integer("models", 1, MOST_MODELS)
        points = inner.integer("points", 1, MOST_POINTS)
        flags = inner.ids("flags")
        for flag in flags:
            if flag not in FLAGS:
                inner.refuse("unknown_id", f"There is no flag called {shown(flag)!s}.", "flags", shown(flag), "D-30")
        bombardment = inner.integer("bombardment", 0, 2) if inner.has("bombardment") else 0
        if "artillery" in flags and not bombardment:
            bombardment = 1
        inner.finish()
        self.problems += [
            Problem(each.code, each.message, f"{where}.{each.field}", each.value, each.rule) for each in inner.problems
        ]
        if inner.problems:
            return None
        return Unit(id_, name, slot, models, points, mobility, tuple(sorted(dict.fromkeys(flags))), bombardment, models)

    def finish(self) -> None:
        """Note fields the order does not have: a typing error must not be taken for an order."""
        for name in self.order:
            if name not in self._read:
                self.refuse("unknown_field", f"This order has no field {shown(name)!s}.", str(shown(name)))


def shown(value: object) -> Any:
    """Return a value as it may be shown in a problem: short, and plain JSON, whatever it is."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -MOST_SHOWN <= value <= MOST_SHOWN else "a number out of all bounds"
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, str):
        text = "".join(each if each.isprintable() else "?" for each in value[:81])
        return text if len(text) <= 80 else text[:79] + "…"
    return "a list" if isinstance(value, list | tuple) else "an object"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One order of one player. Each kind reads, checks and previews itself."""

    TYPE: ClassVar[str]
    PHASE: ClassVar[tuple[str, ...]]

    index: int = 0
    """Its place in the player's set."""
    alias: str = ""
    """The name given with ``as`` for what it creates."""

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order; what is wrong is noted in *fields*, and the result is then of no use."""
        raise NotImplementedError

    def numbered(self, index: int, alias: str) -> Self:
        """Return the order with its place and name. It has just been read, so it is changed itself: a copy is dear."""
        object.__setattr__(self, "index", index)
        object.__setattr__(self, "alias", alias)
        return self

    @property
    def subject(self) -> str:
        """What may have only one order of this kind, e.g. a detachment's id; empty: no such limit."""
        return ""

    def once(self, desk: Desk) -> str:  # noqa: ARG002
        """Name what only one order of a set may do; empty: nothing of the kind."""
        return ""

    def check(self, desk: Desk) -> Found:
        """Yield what speaks against the order, as far as its player can know (D-07)."""
        raise NotImplementedError

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say what the order would do, as far as its player can know; for an order without problems."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class DetachmentOrder(Order):
    """An order to one detachment, which obeys one of its kind in a phase (D-39a)."""

    detachment: Id

    @property
    def subject(self) -> str:
        """The detachment."""
        return self.detachment

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order."""
        return cls(detachment=fields.own_detachment())

    def under_construction(self, desk: Desk) -> Problem | None:
        """Refuse a detachment that does not stand yet."""
        detachment = desk.detachment(self.detachment)
        if not detachment.ready_in:
            return None
        message = f"{detachment.name} is still under construction."
        return Problem("under_construction", message, "detachment", self.detachment, "D-32")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImmediateOrder(Order):
    """An order that is done at once, one after the other (Setup and Build, D-27)."""

    def carry_out(self, scene: Scene, desk: Desk) -> None:
        """Do it, right after :meth:`check` found nothing on the same desk (``desk.state is scene.state``).

        Runs twice: when orders are checked, on a copy of what the player knows with dice that always
        show their highest face, and when the phase is resolved, on the true state. What it
        creates goes by :attr:`alias` in ``desk.aliases``.
        """
        raise NotImplementedError
