"""What happened, told in sentences, in any of our languages (``texts``): for pages, mails and the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from string import Formatter
from typing import Any

from server.core.events import Event
from server.render.translations import Translations

GROUPS = ("battles", "movement", "land", "forces", "works", "supply", "diplomacy", "campaign", "dice")
"""Kinds of events, as reports are filtered by."""
GROUP_OF: Mapping[str, str] = {
    "new_turn": "campaign", "new_readings": "campaign", "placed": "campaign", "placement_failed": "campaign",
    "start_sizes": "campaign",
    "capital_captured": "campaign", "eliminated": "campaign", "campaign_over": "campaign",
    "no_effect": "campaign",
    "dice": "dice",
    "alliance_declared": "diplomacy", "alliance_ended": "diplomacy", "allied": "diplomacy",
    "no_longer_allied": "diplomacy",
    "income": "supply", "maintenance": "supply", "convoy_created": "supply", "convoy_unloaded": "supply",
    "convoy_formed": "supply", "convoy_captured": "supply", "convoys_lost": "supply", "carried_home": "supply",
    "spoils": "supply", "raided": "supply",
    "detachment_ordered": "forces", "detachment_ready": "forces", "detachment_waits": "forces",
    "garrison_built": "forces", "units_added": "forces", "models_transferred": "forces", "repaired": "forces",
    "models_bought": "forces", "restructured": "forces", "works_lost": "battles",
    "disbanded": "forces", "recovering": "forces", "recovery_disturbed": "forces",
    "building_built": "works", "building_disbanded": "works", "building_lost": "works", "urban_built": "works",
    "urban_upgraded": "works", "urban_shrunk": "works", "stronghold_built": "works",
    "stronghold_upgraded": "works", "defence_built": "works", "road_built": "works", "road_failed": "works",
    "initiative": "movement", "moved": "movement", "blocked": "movement", "stopped_in_zoc": "movement",
    "claimed": "land", "claim_failed": "land",
    "claim_negated": "land", "cleansed": "land", "corrupted": "land", "discovered": "land",
    "battle": "battles", "supports": "battles", "battle_fought": "battles", "attack_failed": "battles",
    "order_cancelled": "battles", "withdrew": "battles", "retreated": "battles", "destroyed": "battles",
}  # fmt: skip
"""Every type of event there is, and the kind it belongs to."""

_ENDS = ("battle", "lost", "no_way_to_withdraw", "terrain", "hex_lost")
_VARIANTS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "moved": lambda told: ("marched" if len(told["path"]) > 1 else "stepped") + ("_stopped" if told["stop"] else ""),
    "blocked": lambda told: "contact" if told["contact"] else "ground",
    "claimed": lambda told: "taken" if told["before"] else "free",
    "claim_failed": lambda told: told["reason"] if told["reason"] in ("urban", "contested") else "other",
    "battle_fought": lambda told: "table" if told["attacker_damage"] is None else "dice",
    "discovered": lambda told: "bp" if told["bp"] else "thing",
    "placement_failed": lambda told: "somewhere" if told["hex"] else "nowhere",
    "defence_built": lambda told: "armed" if told["weapon"] else "plain",
    "destroyed": lambda told: told["reason"] if told["reason"] in _ENDS else "battle",
    "campaign_over": lambda told: "won" if told["winners"] else "nobody",
    "convoys_lost": lambda told: "one" if told["convoys"] == 1 else "other",
    "detachment_ordered": lambda told: "one" if told["turns"] == 1 else "other",
    "models_transferred": lambda told: "one" if told["models"] == 1 else "other",
    "models_bought": lambda told: "one" if told["models"] == 1 else "other",
}
"""Which of several sentences fits an event."""
VARIANTS: Mapping[str, tuple[str, ...]] = {
    "moved": ("marched", "marched_stopped", "stepped", "stepped_stopped"),
    "blocked": ("contact", "ground"),
    "claimed": ("taken", "free"),
    "claim_failed": ("urban", "contested", "other"),
    "battle_fought": ("table", "dice"),
    "discovered": ("bp", "thing"),
    "placement_failed": ("somewhere", "nowhere"),
    "defence_built": ("armed", "plain"),
    "destroyed": _ENDS,
    "campaign_over": ("won", "nobody"),
    "convoys_lost": ("one", "other"),
    "detachment_ordered": ("one", "other"),
    "models_transferred": ("one", "other"),
    "models_bought": ("one", "other"),
}
"""The sentences each of them chooses from."""

_DID: Mapping[str, str] = {
    "battle_fought": "winner", "placed": "player", "eliminated": "player", "campaign_over": "winners",
    "allied": "players", "no_longer_allied": "players",
}  # fmt: skip
"""Fields with the player who did it, if another than ``by``."""
_DONE_TO: Mapping[str, str] = {"capital_captured": "of", "claimed": "before"}
"""Fields with the player who suffered it, if another than ``other``."""
_TOLD_TO_BOTH = ("raided", "convoy_captured")
"""Events for two players; a field names one of them."""

_HEXES = ("hex", "start", "to", "from", "path")
_PLAYERS = ("player", "players", "by", "of", "other", "winner", "winners", "before")
_FORCES = ("force", "attacker", "defender", "convoy")
_UNITS = ("unit", "from_unit", "to_unit")
_WORDS = ("kind", "size", "what", "building", "defence", "weapon", "stronghold", "find", "stop", "side",
          "order_type", "detachment_type", "reason", "urban", "resources", "label")  # fmt: skip
_OTHERWISE: Mapping[tuple[str, str], str] = {
    ("campaign_over", "by"): "word", ("road_failed", "urban"): "hex", ("initiative", "order"): "player",
    ("order_cancelled", "order"): "word", ("income", "urban"): "sum", ("income", "resources"): "sum",
    ("no_effect", "order"): "place",
}  # fmt: skip
"""Fields that hold something else than the same field of other events."""

WORTH = (
    "battle", "battle_fought", "withdrew", "retreated", "destroyed", "raided", "convoy_captured", "discovered",
    "capital_captured", "eliminated", "corrupted", "claim_negated", "campaign_over", "allied", "no_longer_allied",
)  # fmt: skip
"""Events that a short account mentions."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence, and what it names."""

    text: str
    hex: str = ""
    player: str = ""
    force: str = ""
    owner: str = ""
    """Whose force it is, where the reader knows it: for the owner's chip."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One event, told."""

    type: str
    group: str
    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return "".join(part.text for part in self.parts)

    @property
    def hexes(self) -> tuple[str, ...]:
        """The hexes it names, in order."""
        return tuple(dict.fromkeys(part.hex for part in self.parts if part.hex))


def keys(type_: str) -> list[str]:
    """Return the keys of the sentences of a type of event."""
    return [f"story.{type_}.{variant}" for variant in VARIANTS.get(type_, ())] or [f"story.{type_}"]


def part_in(event: Event, player: str) -> str:
    """Return a player's part in an event: ``by`` if they did it, ``of`` if it was done to them, else empty."""
    fields = event.fields
    did = fields.get(_DID.get(event.type, "by"))
    if not player:
        return ""
    if did == player or (isinstance(did, list | tuple) and player in did):
        return "by"
    done_to = fields.get(_DONE_TO.get(event.type, "other")) == player
    return "of" if done_to or (event.type in _TOLD_TO_BOTH and player in event.to) else ""


def sentence(event: Event, names: Mapping[str, str], language: str = "en", you: str = "") -> Sentence:
    """Return an event as a sentence, addressed to the player *you* if that player reads it.

    *names* are those of players, forces and units that the reader knows, and of the ruleset's things
    (``word/<id>``); of places by their hex (``hex/<label>``), and the owners of forces (``owner/<id>``).
    """
    return _Teller(names, Translations(language), you).sentence(event)


def roll(label: str, names: Mapping[str, str], language: str = "en") -> tuple[Part, ...]:
    """Return in words what dice were rolled for."""
    return _Teller(names, Translations(language)).roll(label)


def summarize(events: Iterable[Event], names: Mapping[str, str], language: str = "en", you: str = "") -> Iterator[str]:
    """Yield a short account: a sentence for each event that changes much; claims are counted player by player."""
    claimed: Counter[str] = Counter()
    t = Translations(language)
    teller = _Teller(names, t, you)
    for event in events:
        if event.type == "claimed":
            claimed[event.fields["by"]] += 1
        elif event.type in WORTH:
            yield str(teller.sentence(event))
    for player, count in claimed.items():
        yield t("story_you.claims" if player == you else "story.claims", n=count, by=names.get(player, player))


@dataclass(frozen=True, slots=True)
class _Teller:
    names: Mapping[str, str]
    t: Translations
    you: str = ""

    def sentence(self, event: Event) -> Sentence:
        if event.type == "dice":
            faces = ", ".join(str(face) for face in event.fields["faces"])
            parts = (*self.roll(event.fields["label"]), Part(f": {faces}."))
            return Sentence(event.type, "dice", parts)
        choose = _VARIANTS.get(event.type)
        key = f"story.{event.type}" + (f".{choose(event.fields)}" if choose else "")
        if not self.t.has(key):  # an event that rules newer than this program tell
            return Sentence(event.type, "campaign", (Part(event.type.replace("_", " ").capitalize() + "."),))
        told = f"{key.replace('story.', 'story_you.', 1)}.{part_in(event, self.you)}"
        first, *others = self._filled(self.t.template(told if self.t.has(told) else key), event)
        nameless = (
            self.t("story.force"),
            self.t("story.unit"),
            *(self.t.name("word", word) for word in ("convoy", "garrison")),
        )
        if first.text in nameless:
            first = replace(first, text=first.text[0].upper() + first.text[1:])
        return Sentence(event.type, GROUP_OF[event.type], (first, *others))

    def roll(self, label: str) -> tuple[Part, ...]:
        what, *about = label.split("/")
        key = f"roll.{what}"
        if not self.t.has(key):
            return (Part(label),)
        places = {"hex": 0, "player": -1, "unit": 0, "from": 0, "to": 0}
        found: list[Part] = []
        for text, name, _, _ in Formatter().parse(self.t.template(key)):
            if text:
                found.append(Part(text))
            if name is not None and about:
                value = about[places[name]]
                if name in ("from", "to"):
                    value = value.split("-")[0 if name == "from" else -1]
                kind = {"player": "player", "unit": "unit"}.get(name, "hex")
                found += self._named(kind, value)
        return tuple(found)

    def _filled(self, template: str, event: Event) -> Iterator[Part]:
        for text, name, _, _ in Formatter().parse(template):
            if text:
                yield Part(text)
            if name is not None:
                yield from self._field(event, name)

    def _field(self, event: Event, name: str) -> Iterator[Part]:
        value = event.fields.get(name)
        if name == "name" and event.fields.get("force") in self.names:
            name, value = "force", event.fields["force"]  # its name says whose it is where two share it
        if name == "others":  # of several players all but the reader
            name, value = "players", [player for player in event.fields["players"] if player != self.you]
        kind = _OTHERWISE.get((event.type, name)) or _kind(name)
        if kind == "sum":
            yield Part(str(sum((value or {}).values())))
        elif kind == "place":
            yield Part(str(value + 1 if isinstance(value, int) else value))
        elif isinstance(value, list | tuple):
            between, last = (self.t("story.then"),) * 2 if name == "path" else (", ", self.t("story.and"))
            for place, item in enumerate(value):
                if place:
                    yield Part(last if place == len(value) - 1 else between)
                yield from self._named(kind, item)
            if not value:
                yield Part(self.t("story.nothing"))
        else:
            yield from self._named(kind, value)

    def _named(self, kind: str, value: Any) -> list[Part]:
        text = "" if value is None else str(value)
        if kind == "hex":
            if text in ("orbit", ""):
                return [Part(self.t("word.orbit"))]
            return [Part(self.names.get(f"hex/{text}", text), hex=text)]
        if kind == "player":
            return [Part(self.names.get(text, text) or self.t("story.nobody"), player=text)]
        if kind == "force":
            owner = self.names.get(f"owner/{text}", "")
            return [Part(self.names.get(text) or self.t("story.force"), force=text, owner=owner)]
        if kind == "unit":
            return [Part(self.names.get(text) or self.t("story.unit"))]
        if kind == "word":
            return [Part(self.names.get(f"word/{text}") or self.t.name("word", text))]
        return [Part(self.t.name("word", text) if text == "garrison" else text)]


def _kind(name: str) -> str:
    for kind, names in (("hex", _HEXES), ("player", _PLAYERS), ("force", _FORCES), ("unit", _UNITS), ("word", _WORDS)):
        if name in names:
            return kind
    return "plain"
