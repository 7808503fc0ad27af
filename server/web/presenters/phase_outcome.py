"""What the last phases brought one viewer, as a list to walk through: battles, failures, land, finds, enemies, letters.

Everything comes from views and from the events that were told to the viewer. So nothing here can show more than those.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

from server.core.events import Event
from server.play.messages.messages import MessageInfo
from server.play.records.history import PastPhase
from server.render.story import Part, sentence
from server.rules.board import ORBIT
from server.rules.elimination import held
from server.rules.sight import View
from server.rules.state import Detachment, Force, State
from server.web.translations import Translations

ORDER = ("battle", "failed", "lost", "land", "found", "enemy", "letter", "gained", "news")
"""Kinds of results, in the order in which they are shown."""
_FAILED = frozenset(
    {"attack_failed", "order_cancelled", "claim_failed", "claim_negated", "road_failed", "no_effect",
     "placement_failed", "recovery_disturbed", "detachment_waits", "building_lost"}
)  # fmt: skip
_LOST = frozenset({"destroyed", "retreated", "convoys_lost", "urban_shrunk", "works_lost"})
_GAINED = frozenset({"detachment_ready", "convoy_formed", "income"})
_NEWS = frozenset(
    {"withdrew", "raided", "convoy_captured", "capital_captured", "eliminated", "campaign_over", "corrupted",
     "allied", "no_longer_allied", "alliance_declared", "alliance_ended", "new_readings", "battle"}
)  # fmt: skip
"""Events that are told in the words of every report; all others are no result of their own."""
MAX_LETTER = 90
"""Characters of a letter that are shown."""
MAX_HEXES = 8
"""Hexes that a sentence about land names."""


@dataclass(frozen=True, slots=True)
class Result:
    """One line of what happened."""

    kind: str
    """One of :data:`ORDER`."""
    tone: str
    """``good``, ``bad`` or ``plain`` for the viewer."""
    parts: tuple[Part, ...]
    """The sentence, and the hexes and players it names."""
    hexes: tuple[str, ...] = ()
    """Where it happened; the first is the one to look at."""
    details: tuple[str, ...] = ()
    """More sentences: dice, odds, losses, reasons."""
    dice: tuple[tuple[int, ...], ...] = ()
    """Faces of the viewer's side, then of the other's; empty unless dice decided."""
    link: str = ""
    """The page of the campaign that says more, after its address; empty for none."""
    brief: str = ""
    """A battle in a few words: where, who won, the damage; empty for all else."""

    def __str__(self) -> str:
        return "".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: their language, and what everything is called that they know."""

    t: Translations
    viewer: str
    names: Mapping[str, str]
    places: Mapping[str, str] = field(default_factory=dict)
    """Names of hexes, by label."""

    def line(self, key: str, **filled: Any) -> tuple[Part, ...]:
        """Return a sentence (``results.<key>``); what fills it is text, a number, or parts."""
        found: list[Part] = []
        text = self.t(f"results.{key}" if self.t.has(f"results.{key}") else _of_number(key, filled))
        for literal, name, _, _ in Formatter().parse(text):
            if literal:
                found.append(Part(literal))
            if name is not None:
                value = filled[name]
                found += value if isinstance(value, tuple) else (Part(str(value)),)
        return tuple(found)

    def text(self, key: str, **filled: Any) -> str:
        """Return a sentence as plain text."""
        return "".join(part.text for part in self.line(key, **filled))

    def hex(self, label: str) -> tuple[Part, ...]:
        """Return a hex by its name and label."""
        name = self.places.get(label)
        return (Part(f"{name} ({label})" if name else label, hex=label),)

    def hexes(self, labels: Sequence[str]) -> tuple[Part, ...]:
        """Return hexes by their labels, not more than a sentence can hold."""
        found: list[Part] = []
        for place, label in enumerate(labels[:MAX_HEXES]):
            found += [*([Part(", ")] if place else []), Part(label, hex=label)]
        return (*found, *([Part(" …")] if len(labels) > MAX_HEXES else []))

    def player(self, player: str) -> tuple[Part, ...]:
        """Return a player."""
        return (Part(self.names.get(player) or self.t("results.nobody"), player=player),)

    def force(self, force: str) -> str:
        """Return what a force is called."""
        return self.names.get(force) or self.t("results.a_force")


def _of_number(key: str, filled: Mapping[str, Any]) -> str:
    """Return the key of the sentence for so many."""
    return f"results.{key}.{'one' if filled.get('n') == 1 else 'other'}"


def results(before: View, phases: Sequence[PastPhase], reader: Reader, battles: Iterable[Result]) -> list[Result]:
    """Return what finished phases brought their viewer.

    *before* is the view ahead of the first of them; *battles* are the results of those that were fought.
    """
    found = [*battles]
    fought = {hex_ for result in found for hex_ in result.hexes}
    land: dict[str, list[str]] = {}
    for past in phases:
        found += _failures(past, reader)
        for event in past.events:
            if event.type == "claimed":
                _claimed(event, reader.viewer, land)
            elif not (event.type == "battle" and event.fields["hex"] in fought):
                found += _result_of(event, reader)
    if phases:
        after = phases[-1].view
        found += [*_land(land, after.state, reader), *_enemies(before, after, reader)]
    return sorted(found, key=lambda result: ORDER.index(result.kind))


def letters(unread: Iterable[MessageInfo], reader: Reader) -> Iterator[Result]:
    """Yield a line for each letter that waits."""
    for message in unread:
        who = reader.player(message.sender) if message.sender else (Part(reader.t("results.gm")),)
        words = " ".join((message.subject or message.body).split())
        short = words if len(words) <= MAX_LETTER else f"{words[: MAX_LETTER - 1]}…"
        yield Result("letter", "plain", reader.line("letter", who=who, words=short), link="/people")


# --- what failed ---


def _failures(past: PastPhase, reader: Reader) -> Iterator[Result]:
    """Yield marches that did not reach their goal, and orders that were refused."""
    viewer, orders = past.viewer, past.orders.get(past.viewer, [])
    goals = {
        str(order.get("detachment") or order.get("convoy")): str(order["path"][-1])
        for order in orders
        if isinstance(order, Mapping) and isinstance(order.get("path"), list) and order["path"]
    }
    ends = {str(event.fields["force"]): event for event in past.events if event.type == "moved" and _mine(event, past)}
    blocked = {
        str(event.fields["force"]): event for event in past.events if event.type == "blocked" and _mine(event, past)
    }
    for force, goal in goals.items():
        moved, stop = ends.get(force), blocked.get(force)
        at = str(moved.fields["path"][-1]) if moved else str(stop.fields["hex"]) if stop else ""
        if not at or at == goal:
            continue
        why = str(moved.fields["stop"]) if moved else ""
        reason = "contact" if stop is not None and stop.fields["contact"] else why or "blocked"
        parts = reader.line("stopped", who=reader.force(force), goal=reader.hex(goal), hex=reader.hex(at))
        yield Result("failed", "bad", parts, (at, goal), (reader.text(f"stop.{reason}"),))
    for problem in past.problems.get(viewer, []):
        message = reader.t.translate(str(problem.get("message", "")))
        yield Result("failed", "bad", reader.line("refused", why=message))


def _mine(event: Event, past: PastPhase) -> bool:
    """Say whether what moved is the viewer's: nobody else is told of it, but the game master and after the end all."""
    return past.viewer in event.to


def _result_of(event: Event, reader: Reader) -> Iterator[Result]:
    """Yield an event in the words of every report, where it is a result."""
    kind = next(
        (
            kind
            for kind, types in (("failed", _FAILED), ("lost", _LOST), ("gained", _GAINED), ("news", _NEWS))
            if event.type in types
        ),
        "found" if event.type == "discovered" else "",
    )
    if not kind:
        return
    told = sentence(event, reader.names, reader.t.language)
    tone = {"failed": "bad", "lost": "bad", "found": "good", "gained": "good"}.get(kind, "plain")
    if kind == "lost" and str(event.fields.get("force", "")) not in reader.names:
        tone, kind = "plain", "news"  # who it was is not known, or it is no longer there
    yield Result(kind, tone, told.parts, told.hexes)


# --- land ---


def _claimed(event: Event, viewer: str, land: dict[str, list[str]]) -> None:
    """Note a claim: under the viewer what they won, under others what these took from them."""
    by, hex_ = str(event.fields["by"]), str(event.fields["hex"])
    if by == viewer or event.fields["before"] == viewer:
        land.setdefault(by, []).append(hex_)


def _land(land: Mapping[str, Sequence[str]], state: State, reader: Reader) -> Iterator[Result]:
    count = held(state)
    for by, hexes in land.items():
        named = tuple(dict.fromkeys(hexes))
        if by == reader.viewer:
            parts = reader.line("land_won", n=len(named), hexes=reader.hexes(named), count=count.get(by, 0))
            yield Result("land", "good", parts, named)
        else:
            parts = reader.line("land_lost", n=len(named), who=reader.player(by), hexes=reader.hexes(named))
            yield Result("land", "bad", parts, named)


# --- enemies ---


def _enemies(before: View, after: View, reader: Reader) -> Iterator[Result]:
    """Yield the enemies that are in sight now and were not, by player."""
    new: dict[str, list[Force]] = {}
    if reader.viewer not in after.state.players:
        return
    friends = after.state.friends(reader.viewer)
    forces: list[Force] = [*after.state.detachments.values(), *after.state.garrisons.values()]
    for force in forces:
        if force.owner not in friends and before.state.force(force.id) is None and force.at != ORBIT:
            new.setdefault(force.owner, []).append(force)
    for owner, some in new.items():
        hexes = tuple(dict.fromkeys(after.state.board.label(force.at) for force in some))
        only = some[0]
        if len(some) == 1:
            name = only.name if isinstance(only, Detachment) else reader.t("results.a_garrison")
            filled = {"points": after.state.ready_points(only), "hex": reader.hex(hexes[0])}
            parts = reader.line("enemy_one", who=reader.player(owner), name=name, **filled)
        else:
            parts = reader.line("enemies", n=len(some), who=reader.player(owner), hexes=reader.hexes(hexes))
        yield Result("enemy", "plain", parts, hexes)
