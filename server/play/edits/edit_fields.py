"""Reading the fields of an edit of the position; everything that is wrong is noted, nothing raised."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Self

from server.core.errors import Problem
from server.core.fields import MISSING, Fields
from server.core.sentences import say
from server.rules.board import NOWHERE, ORBIT, Hex
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS
from server.rules.state import Force, State, Unit


class EditFields(Fields):
    """The fields of one edit, or of a table in it."""

    def __init__(self, state: State, given: object, path: str, problems: list[Problem] | None = None) -> None:
        super().__init__(given, path, problems)
        self.state = state

    def inner(self, name: str | int, given: object) -> Self:
        """Return a reader of a table in the edit."""
        return type(self)(self.state, given, self.at(name), self.problems)

    # --- getters ---

    def text(self, name: str | int, maximum: int = 80, default: Any = MISSING) -> str:
        """Read one line of text, which may be empty."""
        return super().text(name, maximum, default)

    def words(self, name: str, known: Collection[str], default: Any = MISSING) -> tuple[str, ...]:
        """Read a list of words, sorted."""
        expected = say("A list of: {words}.", words=", ".join(known))
        given = self.items(name, expected, default=default)
        if all(isinstance(word, str) and word in known for word in given):
            return tuple(sorted(given))
        self.wrong(name, expected, given)
        return ()

    def player(self, name: str, *, nobody: bool = False) -> str:
        """Return a player; empty for nobody, where that is allowed."""
        return self.one_of(name, [*self.state.players, *([""] if nobody else [])])

    def hex(self, name: str, *, orbit: bool = False) -> Hex:
        """Return a hex of the map."""
        value = self.take(name)
        if orbit and value == "orbit":
            return ORBIT
        found = self.state.board.find(value)
        if found is None:
            self.wrong(name, "A hex of the map.", value)
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
        value = self.take(name)
        found = self.state.force(value) if isinstance(value, str) else None
        if found is None:
            self.refuse("unknown_id", "There is no such force.", name, value)
        return found

    def units(self, name: str, owner: str) -> tuple[Unit, ...]:
        """Read new units of a force."""
        given = self.items(name, "A list of 1 to 60 units.", 1, 60)
        return tuple(self.one_unit(f"{name}.{place}", owner, unit) for place, unit in enumerate(given))

    def one_unit(self, name: str, owner: str, given: object) -> Unit:
        """Read one new unit."""
        fields = self.inner(name, given)
        models = fields.integer("models", 1, 1000)
        unit = Unit(
            id="",
            name=fields.text("name"),
            slot=fields.one_of("slot", SLOTS),
            models=models,
            points=fields.integer("points", 1, 100_000),
            mobility=fields.one_of("mobility", MOBILITIES, default="infantry"),
            flags=fields.words("flags", FLAGS, ()),
            bombardment=fields.integer("bombardment", 0, 2, 0),
            ready=fields.integer("ready", 0, models, models),
            wounded=fields.integer("wounded", 0, models, 0),
            damaged=fields.boolean("damaged"),
        )
        if unit.ready + unit.wounded > unit.models:
            fields.refuse("bad_value", "More models than the unit has.", "wounded", unit.wounded)
        fields.finish()
        if self.problems or owner not in self.state.players:
            return unit
        return replace(unit, id=self.state.new_id(owner))

    # --- what is wrong ---

    def refuse(self, code: str, message: str, name: str | int = "", value: object = None, rule: str = "") -> None:
        """Note a problem with a field, or with the whole edit."""
        value = value if isinstance(value, str | int | bool | None) else "…"
        self.problems.append(Problem(code, message, self.at(name), value, rule))

    def wrong(self, name: str | int, expected: str, value: object) -> None:
        """Say what is expected of a field that is missing, too."""
        missing = name not in self.given
        self.refuse("missing_field" if missing else "bad_value", expected, name, None if missing else value)

    def wrong_word(self, name: str | int, known: Collection[str], what: str, value: object) -> None:  # noqa: ARG002
        """Say which words there are."""
        self.wrong(name, say("One of: {words}.", words=", ".join(map(repr, known))), value)

    def unknown_field(self, name: object) -> None:
        """Say it of an edit."""
        self.refuse("unknown_field", "There is no such field.", str(name)[:40])

    def _is_line(self, text: str, maximum: int) -> bool:
        return len(text) <= maximum and text.isprintable()

    def _must_be_text(self, name: str | int, maximum: int) -> str:  # noqa: ARG002
        return say("One line of at most {most} characters.", most=maximum)

    def _must_be_integer(self, name: str | int, minimum: int, maximum: int) -> str:  # noqa: ARG002
        return say("A whole number from {least} to {most}.", least=minimum, most=maximum)

    def _must_be_boolean(self, name: str | int) -> str:  # noqa: ARG002
        return "True or false."
