"""What all orders have in common: each kind reads, checks and previews itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.board import Hex
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields, FormField
from server.rules.scene import Scene
from server.rules.state import BUILD, Battle, Convoy, Detachment, Force, Id, Player

Option = dict[str, Any]
"""What may be ordered: ``order`` has the fixed fields, ``choices`` the values each remaining field may take, ``needs``
what is still made up or chosen (units, changes), ``after`` the orders that must stand before it in the set, ``why``
what it rests on; further keys explain it (costs, limits)."""
Found = Iterator[Problem]
"""What a check yields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One order of one player. Each kind reads, checks and previews itself."""

    TYPE: ClassVar[str]
    PHASE: ClassVar[tuple[str, ...]]
    FIELDS: ClassVar[tuple[FormField, ...]]
    """Its fields, without its type."""
    TEXT: ClassVar[tuple[str, ...]]
    """How it is written as a line of text (:mod:`server.rules.orders.text.patterns`). All are understood; the first one
    that has a place for all that is given is written."""
    SENTENCES: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Which sentence says it (``table.order.<key>``): the key of the first field that is given, of none at the end.
    Empty: the type is the key."""
    FORM: ClassVar[bool] = True
    """It is written in a form like all others; False: the page of the battles has its own."""
    DEFAULT: ClassVar[bool] = False
    """It is what a force does without an order (D-10)."""
    IDLE: ClassVar[bool] = False
    """Nothing is done when it is carried out: it says that its force stays as it is, or holds itself ready."""
    REPEATS: ClassVar[bool] = False
    """It makes sense again in the next phase of its kind, so that it can be repeated until its player cancels that."""
    BY_GM: ClassVar[bool] = False
    """The game master may give it, too."""
    EXPLAINED: ClassVar[tuple[str, ...]] = ("cost", "why")
    """Keys of its options other than ``order`` and ``choices`` (:data:`Option`)."""
    ONCE: ClassVar[tuple[str, str]] = ("", "")
    """Where :meth:`once` says something: the field that names it, and the rule that allows only one."""

    index: int = 0
    """Its place in the player's set."""
    alias: str = ""
    """The name given with ``as`` for what it creates."""

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order, field by field; what is wrong is noted in *fields*, and the result is then of no use."""
        given = [field for field in cls.FIELDS if field.needed or fields.has(field.name)]
        return cls(**{field.name: fields.read(field) for field in given})

    @classmethod
    def description(cls) -> dict[str, Any]:
        """Return what forms and sentences must know of it, as plain JSON."""
        return {
            "type": cls.TYPE,
            "phases": list(cls.PHASE),
            "fields": [field.to_json() for field in cls.FIELDS],
            "sentences": [list(pair) for pair in cls.SENTENCES or (("", cls.TYPE),)],
            "to_force": issubclass(cls, DetachmentOrder),
            "form": cls.FORM,
            "repeats": cls.REPEATS,
        }

    @classmethod
    def sentence(cls, order: Mapping[str, Any]) -> str:
        """Return the key of the sentence that says an order, as it was written."""
        return next((key for name, key in cls.SENTENCES if not name or order.get(name)), cls.TYPE)

    @classmethod
    def flags_told(cls, order: Mapping[str, Any]) -> list[str]:
        """Return the keys of the sentence's additions for the flags that are set."""
        return [field.told for field in cls.FIELDS if field.told and order.get(field.name) is True]

    def numbered(self, index: int, alias: str) -> Self:
        """Return the order with its place and name. It has just been read, so it is changed itself: a copy is dear."""
        object.__setattr__(self, "index", index)
        object.__setattr__(self, "alias", alias)
        return self

    @property
    def subject(self) -> str:
        """What may have only one order of this kind, e.g. a detachment's id; empty: no such limit."""
        return ""

    def once(self, context: OrderContext) -> str:  # noqa: ARG002
        """Name what only one order of a set may do; empty: nothing of the kind."""
        return ""

    def check(self, context: OrderContext) -> Found:
        """Yield what speaks against the order, as far as its player can know (D-07)."""
        raise NotImplementedError

    def preview(self, context: OrderContext) -> dict[str, Any]:
        """Say what the order would do, as far as its player can know; for an order without problems."""
        raise NotImplementedError

    def foresee(self, context: OrderContext, said: Mapping[str, Any]) -> None:
        """Note in *context* what a preview of it (*said*) means for later orders of the set; here: nothing."""

    # --- what may be ordered now: each kind offers itself where it has something to offer ---

    @classmethod
    def offered(cls, context: OrderContext) -> Iterator[Option]:  # noqa: ARG003
        """Offer what is bound to nothing that stands on the map."""
        return iter(())

    @classmethod
    def offered_in(cls, context: OrderContext, at: Hex) -> Iterator[Option]:  # noqa: ARG003
        """Offer what concerns a hex with an urban hex or a stronghold of the player's."""
        return iter(())

    @classmethod
    def offered_to_convoy(cls, context: OrderContext, convoy: Convoy) -> Iterator[Option]:  # noqa: ARG003
        """Offer what concerns a convoy of the player's."""
        return iter(())

    @classmethod
    def offered_to_force(cls, context: OrderContext, force: Force) -> Iterator[Option]:  # noqa: ARG003
        """Offer what concerns a detachment or garrison of the player's."""
        return iter(())

    @classmethod
    def offered_in_battle(cls, context: OrderContext, battle: Battle) -> Iterator[Option]:  # noqa: ARG003
        """Offer what concerns a battle of the player's that is not over."""
        return iter(())

    @classmethod
    def offered_about(cls, context: OrderContext, other: Player) -> Iterator[Option]:  # noqa: ARG003
        """Offer what concerns a living player, the player's own self among them."""
        return iter(())


def option_for(type_: str, thing: Detachment | Convoy, **choices: list[Any]) -> Option:
    """Return an order to a detachment or convoy as an option."""
    name = "convoy" if isinstance(thing, Convoy) else "detachment"
    option: Option = {"order": {"type": type_, name: thing.id}}
    if choices:
        option["choices"] = choices
    return option


@dataclass(frozen=True, slots=True, kw_only=True)
class DetachmentOrder(Order):
    """An order to one detachment, which obeys one of its kind in a phase (D-39a)."""

    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("detachment", "detachment"),)
    detachment: Id

    @property
    def subject(self) -> str:
        """The detachment."""
        return self.detachment

    def under_construction(self, detachment: Detachment) -> Problem:
        """Return the refusal of a detachment that does not stand yet."""
        message = say("{detachment} is still under construction.", detachment=detachment.name)
        return Problem("under_construction", message, "detachment", self.detachment, "D-32")

    @classmethod
    def offered_to_force(cls, context: OrderContext, force: Force) -> Iterator[Option]:
        """Offer it to detachments that stand."""
        return cls.offered_to(context, force) if isinstance(force, Detachment) and not force.ready_in else iter(())

    @classmethod
    def offered_to(cls, context: OrderContext, detachment: Detachment) -> Iterator[Option]:  # noqa: ARG003
        """Offer it to a detachment that stands."""
        yield option_for(cls.TYPE, detachment)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImmediateOrder(Order):
    """An order that is done at once, one after the other (Setup and Build, D-27)."""

    PHASE: ClassVar[tuple[str, ...]] = (BUILD,)
    PLACES: ClassVar[bool] = False
    """In Setup it is done before anything is mustered (D-11)."""

    def offer(self, context: OrderContext, **fields: Any) -> Iterator[Option]:
        """Yield this order, written with *fields*, with its cost, if nothing speaks against it."""
        if next(iter(self.check(context)), None) is None:
            said = self.preview(context)
            why = {"why": said["why"]} if said.get("why") else {}
            yield {"order": {"type": self.TYPE, **fields}, "cost": said["cost"]} | why

    def carry_out(self, scene: Scene, context: OrderContext) -> None:
        """Do it, right after :meth:`check` found nothing in the same context (``context.state is scene.state``).

        Runs twice: when orders are checked, on a copy of the player's view with dice that always
        show their highest face, and when the phase is resolved, on the true state. What it
        creates goes by :attr:`alias` in ``context.aliases``.
        """
        raise NotImplementedError
