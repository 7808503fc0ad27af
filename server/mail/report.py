"""What happened in a phase, in sentences, as its reader saw it then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from server.core.events import Event
from server.mail.translations import Translations
from server.play.views.history import PastPhase
from server.render import translations as names
from server.render.naming import named, place
from server.render.story import sentence
from server.rules.state import Detachment, PlayerId

MAX_COUNT = 16
"""Sentences of one phase; what is more is counted."""
_PLAIN = ("income", "withdrew", "retreated", "discovered", "corrupted", "claim_negated")
"""Events whose sentence depends on nothing but their fields."""
_BY = {"raided": "your_raid", "convoy_captured": "your_capture", "capital_captured": "your_capital"}
"""What a player does to another, and the sentence when the reader did it."""


@dataclass(frozen=True, slots=True)
class Report:
    """A finished phase as one player saw it."""

    past: PastPhase
    reader: PlayerId
    names: Mapping[PlayerId, str]
    t: Translations

    def sentences(self) -> tuple[str, ...]:
        """Return what is worth telling, the most telling first."""
        told = [*self._singly(), *self._counted()]
        if len(told) > MAX_COUNT:
            told[MAX_COUNT - 1 :] = [self.t("happened.more", n=len(told) - MAX_COUNT + 1)]
        return tuple(told) or (self.t("happened.nothing"),)

    def _singly(self) -> Iterator[str]:
        for event in self.past.events:
            if (teller := _TELLERS.get(event.type)) is not None:
                yield teller(self, event)

    def _counted(self) -> Iterator[str]:
        claims = [event.fields for event in self.past.events if event.type == "claimed"]
        lost: dict[PlayerId, list[str]] = {}
        for claim in claims:
            if claim["before"] == self.reader:
                lost.setdefault(claim["by"], []).append(self._named(claim["hex"]))
        for player, hexes in lost.items():
            yield self._say("lost", by=player, hexes=", ".join(hexes))
        if own := [self._named(claim["hex"]) for claim in claims if claim["by"] == self.reader]:
            yield self._say("you_claimed", n=len(own), hexes=", ".join(own))
        for player, n in Counter(claim["by"] for claim in claims if claim["by"] != self.reader).items():
            yield self._say("claimed", n=n, by=player)
        if problems := self.past.problems.get(self.reader, ()):
            yield self._say("problems", n=len(problems))
        yield from self._marches()

    def _marches(self) -> Iterator[str]:
        """Tell of the reader's own forces and convoys: who went from where to where, on all their ways together."""
        ways: dict[str, tuple[str, str]] = {}
        for event in self.past.events:
            if event.type == "moved":
                force, start = event.fields["force"], event.fields["start"]
                ways[force] = (ways.get(force, (start, ""))[0], event.fields["path"][-1])
        for id_, (start, at) in ways.items():
            if name := self._own_name(id_):
                key = "happened.landed" if start == "orbit" else "happened.moved"
                yield self.t(key, name=name, start=self._named(start), hex=self._named(at))

    def _own_name(self, force: str) -> str:
        """Return the name of the reader's force; empty for others' forces and those that no longer exist."""
        state = self.past.view.state
        detachment, convoy = state.detachments.get(force), state.convoys.get(force)
        if detachment is not None and detachment.owner == self.reader:
            return detachment.name
        if convoy is not None and convoy.owner == self.reader:
            return self.t("happened.convoy", bp=convoy.bp)
        return ""

    def _say(self, key: str, **fields: Any) -> str:
        return self.t(f"happened.{key}", **{name: self._display(name, value) for name, value in fields.items()})

    def _display(self, name: str, value: Any) -> Any:
        if name == "find":
            return self._found(value)
        return self._named(value) if isinstance(value, str) else value

    def _named(self, text: str) -> str:
        """Return what the reader calls a hex or a player."""
        return named(self.past.view.state.board, self.names, text)

    def _found(self, what: str) -> str:
        language = self.t.language
        ruled = names.ruleset_names(self.past.view.state.ruleset, language)
        return ruled.get(f"word/{what}") or names.Translations(language).name("word", what)

    # --- events one by one ---

    def plain(self, event: Event) -> str:
        """Tell it by its fields."""
        return self._say(event.type, **event.fields)

    def by(self, event: Event) -> str:
        """Tell what someone did to someone."""
        own = event.fields["by"] == self.reader
        return self._say(_BY[event.type] if own else event.type, **event.fields)

    def battle(self, event: Event) -> str:
        """Tell of a battle that begins."""
        at = self.past.view.state.board.find(event.fields["hex"])
        battle = self.past.view.state.battles.get(at) if at is not None else None
        sides = () if battle is None else (battle.attacking, battle.defended_by)
        if self.reader not in sides:
            return self._say("battle", hex=self._place(event))
        enemy = sides[1 - sides.index(self.reader)]
        return self._say("battle_against", hex=self._place(event), enemy=enemy)

    def fought(self, event: Event) -> str:
        """Tell how a battle ended."""
        winner = event.fields["winner"]
        key = "won" if winner == self.reader else "fought" if winner else "undecided"
        return self._say(key, hex=self._place(event), winner=winner, vp=event.fields["vp"])

    def _place(self, event: Event) -> str:
        """Return where a battle was, by name."""
        board, label = self.past.view.state.board, str(event.fields["hex"])
        at = board.find(label)
        return label if at is None else place(board, at, self.t.language)

    def attack_failed(self, event: Event) -> str:
        """Tell which of the reader's attacks failed, its target and the reason."""
        state = self.past.view.state
        own = state.detachments.get(event.fields["force"])
        reason = names.Translations(self.t.language).name("word", event.fields["reason"])
        if own is None or own.owner != self.reader:
            return self.t("happened.attack_failed_gone", reason=reason)
        at = state.board.label(own.at) if own.at >= 0 else self.t("brief.orbit")
        target = self._target(own.id)
        key = "happened.attack_failed" if target else "happened.attack_failed_somewhere"
        return self.t(key, name=own.name, hex=at, target=target, reason=reason)

    def claim_failed(self, event: Event) -> str:
        """Tell which of the reader's claims failed, and the reason."""
        label, words = str(event.fields["hex"]), names.ruleset_names(self.past.view.state.ruleset, self.t.language)
        known = {**words, f"hex/{label}": self._named(label)}
        return str(sentence(event, known, self.t.language, self.reader))

    def _target(self, attacker: str) -> str:
        """Return what a force of the reader was to attack: a hex, or a force as it is called where it is known."""
        given = self.past.orders.get(self.reader, ())
        orders = given.get("orders", ()) if isinstance(given, Mapping) else given
        own = (order for order in orders if isinstance(order, Mapping) and order.get("detachment") == attacker)
        target = next((str(order["target"]) for order in own if "target" in order), "")
        state = self.past.view.state
        if (force := state.force(target)) is None:
            return self._named(target)
        return force.name if isinstance(force, Detachment) else self._named(state.board.label(force.at))

    def destroyed(self, event: Event) -> str:
        """Report a destroyed force."""
        name = event.fields["name"]
        said = self.t("happened.garrison") if name == "garrison" else name
        return self.t("happened.destroyed", name=said, hex=self._named(event.fields["hex"]))

    def eliminated(self, event: Event) -> str:
        """Tell who is out."""
        key = "you_eliminated" if event.fields["player"] == self.reader else "eliminated"
        return self._say(key, player=event.fields["player"])


_TELLERS: Mapping[str, Callable[[Report, Event], str]] = {
    **dict.fromkeys(_PLAIN, Report.plain),
    **dict.fromkeys(_BY, Report.by),
    "attack_failed": Report.attack_failed,
    "battle": Report.battle,
    "claim_failed": Report.claim_failed,
    "battle_fought": Report.fought,
    "destroyed": Report.destroyed,
    "eliminated": Report.eliminated,
}
