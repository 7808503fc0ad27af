"""What happened, told in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from server.rules.events import Event

SENTENCES: Mapping[str, str] = {
    "battle": "A {kind} on {hex} begins.",
    "battle_fought": "{winner} wins the battle of {hex} ({attacker_damage} against {defender_damage} points of damage) "
    "and {vp} VP.",
    "withdrew": "A detachment gives way from {start} to {hex}.",
    "retreated": "The beaten retreat from {start} to {hex}.",
    "destroyed": "{name} is destroyed in {hex}.",
    "raided": "{by} raids {hex} and carries off {bp} BP.",
    "convoy_captured": "{by} captures a convoy with {bp} BP in {hex}.",
    "discovered": "Something is found in {hex}: {find}.",
    "capital_captured": "{by} takes the capital of {of} in {hex}: {vp} VP.",
    "eliminated": "{player} is out of the campaign.",
    "corrupted": "{hex} is corrupted.",
    "claim_negated": "Claims of {hex} cancel each other out.",
    "campaign_over": "The campaign is over ({by}); the winner: {winners}.",
}
"""Events worth a sentence, with their fields."""


def tell(events: Iterable[Event], names: Mapping[str, str]) -> Iterator[str]:
    """Yield a sentence for each event worth one, in order; claims are counted player by player."""
    claimed: Counter[str] = Counter()
    for event in events:
        if event.type == "claimed":
            claimed[event.fields["by"]] += 1
        elif event.type in SENTENCES:
            yield SENTENCES[event.type].format_map({key: _said(value, names) for key, value in event.fields.items()})
    for player, count in claimed.items():
        yield f"{names.get(player, player)} claims {count} hex{'es' if count > 1 else ''}."


def _said(value: Any, names: Mapping[str, str]) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_said(each, names) for each in value) or "nobody"
    text = str(value).replace("_", " ") if value is not None else "no"
    return names.get(str(value), text)
