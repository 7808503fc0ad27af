"""Reading the fields of an edit of the position; everything that is wrong is noted, nothing raised."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from server.core.sentences import say, taken_apart
from server.rules.board import NOWHERE, ORBIT, Hex
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS
from server.rules.state import Force, State, Unit

_MAX_COUNT = 1_000_000
_MISSING = object()


@dataclass(slots=True)
class EditFields:
    """The fields of one edit. A getter returns something harmless where it has noted a problem."""

    state: State
    given: Mapping[str, Any]
    number: int
    problems: list[dict[str, Any]] = field(default_factory=list)
    _known: set[str] = field(default_factory=lambda: {"do", "what"})

    def refuse(self, code: str, message: str, name: str = "", value: Any = None) -> None:
        """Note a problem."""
        shown = value if isinstance(value, str | int | bool | None) else "…"
        where = f"edits.{self.number}.{name}" if name else f"edits.{self.number}"
        told = {"code": code, "message": message, "field": where, "value": shown, "rule": "", "order": self.number}
        self.problems.append(told | taken_apart(message))

    def has(self, name: str) -> bool:
        """Say whether a field is given."""
        self._known.add(name)
        return name in self.given

    def finish(self) -> None:
        """Note unknown fields."""
        for name in self.given:
            if name not in self._known:
                self.refuse("unknown_field", "There is no such field.", str(name)[:40])

    # --- getters ---

    def text(self, name: str, default: str | None = None, maximum: int = 80) -> str:
        """Return one line of text."""
        value = self._get(name, default)
        if not isinstance(value, str) or len(value) > maximum or not (value.isprintable()):
            self._bad(name, say("One line of at most {most} characters.", most=maximum), value)
            return ""
        return value

    def integer(self, name: str, default: int | None = None, minimum: int = 0, maximum: int = _MAX_COUNT) -> int:
        """Return a whole number."""
        value = self._get(name, default)
        if type(value) is not int or not minimum <= value <= maximum:
            self._bad(name, say("A whole number from {least} to {most}.", least=minimum, most=maximum), value)
            return minimum
        return value

    def boolean(self, name: str, default: bool | None = None) -> bool:
        """Return true or false."""
        value = self._get(name, default)
        if not isinstance(value, bool):
            self._bad(name, "True or false.", value)
            return False
        return value

    def one_of(self, name: str, known: Collection[str], default: str | None = None) -> str:
        """Return one of a few words."""
        value = self._get(name, default)
        if not isinstance(value, str) or value not in known:
            self._bad(name, say("One of: {words}.", words=", ".join(map(repr, known))), value)
            return next(iter(known), "")
        return value

    def words(self, name: str, known: Collection[str], default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Return a list of words, sorted."""
        value = self._get(name, default)
        good = isinstance(value, list | tuple) and all(isinstance(word, str) and word in known for word in value)
        if not good:
            self._bad(name, say("A list of: {words}.", words=", ".join(known)), value)
            return ()
        return tuple(sorted(value))

    def player(self, name: str, *, nobody: bool = False) -> str:
        """Return a player; empty for nobody, where that is allowed."""
        return self.one_of(name, [*self.state.players, *([""] if nobody else [])])

    def hex(self, name: str, *, orbit: bool = False) -> Hex:
        """Return a hex of the map."""
        value = self._get(name, None)
        if orbit and value == "orbit":
            return ORBIT
        found = self.state.board.find(value)
        if found is None:
            self._bad(name, "A hex of the map.", value)
            return NOWHERE
        return found

    def land(self, name: str) -> Hex:
        """Return a hex that can be controlled."""
        at = self.hex(name)
        if at != NOWHERE and not self.state.ruleset.terrain[self.state.board.terrain[at]].land:
            self.refuse("terrain", "That is no land.", name, self.given.get(name))
            return NOWHERE
        return at

    def force(self, name: str = "id") -> Force | None:
        """Return a detachment or garrison."""
        value = self._get(name, None)
        found = self.state.force(value) if isinstance(value, str) else None
        if found is None:
            self.refuse("unknown_id", "There is no such force.", name, value)
        return found

    def units(self, name: str, owner: str) -> tuple[Unit, ...]:
        """Return new units of a force."""
        value = self._get(name, None)
        if not isinstance(value, list) or not 0 < len(value) <= 60:
            self._bad(name, "A list of 1 to 60 units.", None)
            return ()
        return tuple(self._unit(unit, f"{name}.{place}", owner) for place, unit in enumerate(value))

    def one_unit(self, name: str, owner: str) -> Unit:
        """Return one new unit."""
        return self._unit(self._get(name, None), name, owner)

    # --- inside ---

    def _unit(self, given: Any, name: str, owner: str) -> Unit:
        inner = EditFields(self.state, given if isinstance(given, Mapping) else {}, self.number)
        inner._known = set()
        models = inner.integer("models", minimum=1, maximum=1000)
        unit = Unit(
            id="",
            name=inner.text("name"),
            slot=inner.one_of("slot", SLOTS),
            models=models,
            points=inner.integer("points", minimum=1, maximum=100_000),
            mobility=inner.one_of("mobility", MOBILITIES, "infantry"),
            flags=inner.words("flags", FLAGS, ()),
            bombardment=inner.integer("bombardment", 0, 0, 2),
            ready=inner.integer("ready", models, 0, models),
            wounded=inner.integer("wounded", 0, 0, models),
            damaged=inner.boolean("damaged", False),
        )
        if unit.ready + unit.wounded > unit.models:
            inner.refuse("bad_value", "More models than the unit has.", "wounded", unit.wounded)
        inner.finish()
        for problem in inner.problems:
            prefix = f"edits.{self.number}."
            self.problems.append(problem | {"field": f"{prefix}{name}.{problem['field'].removeprefix(prefix)}"})
        if self.problems or owner not in self.state.players:
            return unit
        return with_id(unit, self.state.new_id(owner))

    def _get(self, name: str, default: Any) -> Any:
        self._known.add(name)
        value = self.given.get(name, _MISSING)
        if value is not _MISSING:
            return value
        return default

    def _bad(self, name: str, message: str, value: Any) -> None:
        missing = name not in self.given
        self.refuse("missing_field" if missing else "bad_value", message, name, None if missing else value)


def with_id(unit: Unit, id_: str) -> Unit:
    """Return a unit under an id."""
    return replace(unit, id=id_)
