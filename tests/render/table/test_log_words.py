"""What a log says is in words of the reader's language: no ids of the rules, no English in German."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from typing import Any

import pytest

from server import missions
from server.referee.fold import TableGame
from server.referee.view import events_for
from server.render.table.story import KEY, dice_label, sentence, word_for
from server.render.translations import Translations
from tests.referee.random_play import new_table, play, varied

GERMAN = Translations("de")
MISSIONS = list(missions.library())
AN_ID = re.compile(r"[a-z]+_[a-z]+")
A_THING = re.compile(r"[A-Z]|[a-z]{0,2}[\d.]+")
"""Letters of markers, ids of points and pieces: people say those as they are."""
TYPED = "words"
"""What random players type as free text."""


def played(id_: str) -> Iterator[TableGame]:
    """Yield played games of a mission."""
    for seed in ("a", "b", "c"):
        mission = missions.load(id_)
        table = new_table(mission, seed, varied(mission, seed))
        play(table, seed)
        yield table


def names_of(table: TableGame) -> dict[str, str]:
    """Return what the log's page has names for: units, stratagems, missions."""
    names = {id_: missions.load(id_).name.to("de") for id_ in MISSIONS}
    names |= {one.id: one.name.to("de") for one in table.game.mission.stratagems}
    return names | {unit.id: unit.name or "Einheit" for unit in table.game.units.values()}


def said(event: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the words among the values that an event's sentence names."""
    for _, field, _, _ in string.Formatter().parse(GERMAN.template(f"{KEY}.{event['type']}")):
        value = event[field] if field else None
        for part in value if isinstance(value, list | dict) else [value]:
            if field and isinstance(part, str) and part:
                yield field, part


@pytest.mark.parametrize("id_", MISSIONS)
def test_a_german_log_says_everything_in_german(id_: str) -> None:
    """Seen to fail without the words for results, for reasons, and for dice."""
    for table in played(id_):
        names = names_of(table) | {"red": "Anna", "blue": "Bob", "gm": "Spielleitung"}
        for event in events_for(table.events, "red"):
            if event["type"] == "dice":
                label = dice_label(event["label"], GERMAN, names, names)
                what = "_".join(re.findall("[a-z]+", event["label"].partition("/")[0]))
                assert GERMAN.has(f"table_dice.{what}") or GERMAN.has(f"table_word.{what}"), label
                assert not AN_ID.search(label)
                continue
            assert not AN_ID.search(sentence(event, GERMAN, names, names))
            for field, value in said(event):
                if value != TYPED and not A_THING.fullmatch(value):
                    assert word_for(field, value, GERMAN, names), (event["type"], field, value)


def test_every_feature_scenario_and_posture_has_a_word() -> None:
    """Random games need not meet all of them."""
    found: set[str] = set()
    for id_ in ("normal_battle", "posture"):
        for data in missions.load(id_).rules:
            for name in ("features", "scenarios", "postures"):
                found |= {str(getattr(one, "id", "") or one.name) for one in data.values.get(name, ())}
    names = {id_: missions.load(id_).name.to("de") for id_ in MISSIONS}
    assert not [id_ for id_ in sorted(found) if not word_for("", id_, GERMAN, names)]
    assert len(found) > 50


def test_a_reason_names_its_thing() -> None:
    event = {"type": "vp", "player": "red", "vp": 2, "reason": "destroyed b1"}
    assert sentence(event, GERMAN, {"b1": "Sturmtrupp"}, {"red": "Anna"}) == "Anna: 2 SP (zerstört: Sturmtrupp)."
    assert dice_label("initiative/red", GERMAN, {}, {"red": "Ann"}).endswith(" · Ann"), "a name, not a colour"
    assert dice_label("bombard/2/b1", GERMAN, {"b1": "Sturmtrupp"}) == "Bombardement · 2 · Sturmtrupp"
