"""Every event of a table game has a sentence in each language, filled from what the event says."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from server import missions
from server.referee.view import events_for, view_for
from server.render.table.sheet import battle_sheet
from server.render.table.story import KEY, sentence
from server.render.translations import LANGUAGES, Translations, sentences
from tests.referee.random_play import new_table, play

REFEREE = Path(__file__).parents[3] / "server" / "referee"


def emitted() -> dict[str, list[set[str] | None]]:
    """Return the events that the referee emits: at each place the names of its fields, None where some are computed."""
    found: dict[str, list[set[str] | None]] = {}
    for path in REFEREE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "emit":
                type_ = node.args[0]
                assert isinstance(type_, ast.Constant)
                assert isinstance(type_.value, str)
                names = [keyword.arg for keyword in node.keywords]
                found.setdefault(type_.value, []).append(None if None in names else {name for name in names if name})
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_a_sentence_that_its_fields_fill(language: str) -> None:
    """Seen to fail with a sentence left out, and with one that asks for a field that the event does not have."""
    known = {
        key.removeprefix(f"{KEY}."): text for key, text in sentences(language).items() if key.startswith(f"{KEY}.")
    }
    events = emitted()
    assert set(events) == set(known) - {"yes", "no", "nobody"}
    for type_, places in events.items():
        wanted = set(re.findall(r"\{(\w+)\}", known[type_]))
        for fields in places:
            assert fields is None or wanted <= fields, type_


@pytest.mark.parametrize("id_", list(missions.library()))
def test_a_whole_game_can_be_told(id_: str) -> None:
    played = play(new_table(missions.load(id_), "story"), "story", 300)
    units = {unit.id: unit.name for unit in played.table.game.units.values()}
    for language in LANGUAGES:
        for event in events_for(played.table.events, "red"):
            text = sentence(event, Translations(language), units)
            assert "{" not in text
            assert not text.startswith(f"{event['type']}:")


@pytest.mark.parametrize("language", LANGUAGES)
def test_sides_are_called_by_their_names(language: str) -> None:
    """A side without a name is called by its colour. Seen to fail where colours were always told."""
    t = Translations(language)
    told = [
        sentence({"type": "over", "result": "victory", "winner": "red"}, t, {"red": "a unit"}, {"red": "Ann"}),
        sentence({"type": "roles", "attacker": "blue"}, t, {}, {"red": "Ann", "blue": ""}),
    ]
    assert "Ann" in told[0]
    assert t.name("table", "blue") in told[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sheet_names_who_has_scored(language: str) -> None:
    """Seen to fail where the lines of the score told colours."""
    played = play(new_table(missions.load("sweeping_raid"), "story"), "story", 2000)
    view = view_for(played.table.game, "red")
    scores = battle_sheet(played.table.game.mission, view, {"red": "Ann", "blue": "Bob"}, "", language).scores
    assert scores
    assert all("Ann" in score or "Bob" in score for score in scores)
    unit = view["units"][0]
    view["vp_log"] = [{"player": "red", "round": 1, "reason": f"destroyed {unit['id']}", "vp": 2}]
    (told,) = battle_sheet(played.table.game.mission, view, {"red": "Ann"}, "", language).scores
    assert unit["name"] in told, "seen to fail with the ids of units"
    assert f" {unit['id']}" not in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sheet_names_the_stratagems_that_scored(language: str) -> None:
    """Seen to fail with the ids of stratagems."""
    game = new_table(missions.load("ambush"), "story").game
    stratagem = game.mission.stratagems[0]
    view = view_for(game, "red")
    view["vp_log"] = [{"player": "red", "round": 1, "reason": stratagem.id, "vp": 2}]
    (told,) = battle_sheet(game.mission, view, {"red": "Ann"}, "", language).scores
    assert stratagem.name.to(language) in told
