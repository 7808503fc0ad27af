"""Whatever rules, use cases, rulesets and scenarios say in English is said in every other language, too."""

from __future__ import annotations

import string
from collections.abc import Iterator

import pytest

from server import rulesets
from server.core.errors import Problem
from server.core.sentences import Sentence, called, say, small, word, words
from server.http.error_codes import ALL_CODES
from server.play.errors import PlayError, check_revision, fault
from server.play.resolution.engine import problem_to_json
from server.render.messages import catalogue, english
from server.render.translations import FALLBACK, LANGUAGES, names, ruleset_names
from server.rules.orders.build.strongholds import COUNTED
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS, Ruleset
from server.scenarios import library
from server.web.translations import Translations, languages
from tests.web.sentences import everything

OTHERS = [language for language in LANGUAGES if language != FALLBACK]
ELSEWHERE = {
    ("api/bodies.py", "f'Line {error.lineno}, column {error.colno}: {error.msg}.'"),  # the JSON parser's words
    ("api/bodies.py", "str(error)[:200]"),
    ("http/problems.py", "first['message']"),  # pydantic's words
    ("api/routes.py", "str(first['message'])"),
    ("play/game_masters/game_master.py", "done.problems[0]['message']"),  # said in play/game_masters/edits
    ("play/orders/orders.py", "_summary(problems)"),  # said there
    ("referee/refusals.py", "say(message, **filled)"),  # written out where ``refuse`` is called, and found there
    ("play/game_data.py", "told[0]"),  # for who wrote the ruleset
    ("web/route.py", "str(error.detail)"),  # Starlette's words
}
"""What is not written out where it refuses something, and why that is no harm."""
DE = Translations("de")


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_refusal_is_written_out() -> None:
    """Seen to fail: an f-string, or a sentence in a variable from elsewhere, cannot be translated."""
    assert {(each.where, each.code) for each in everything() if not each.template} == ELSEWHERE


def test_sentences_are_filled_with_what_they_have_places_for() -> None:
    wrong = [
        each
        for each in everything()
        if each.given and "**" not in each.given and _places(each.template) != {*each.given}
    ]
    assert wrong == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_refusal_is_translated(language: str) -> None:
    """Seen to fail with one line of ``messages/de.toml`` taken away, and with one place of a sentence left out."""
    known = catalogue(language)
    said = {each.template for each in everything() if each.template}
    titles = {f"{code.title}." for code in ALL_CODES.values()}
    assert sorted(said - known.keys() - titles) == [], "not translated"
    assert sorted(known.keys() - said - titles) == [], "not in the code"
    assert [each for each in sorted(said) if _places(each) != _places(known.get(each, each))] == []


def test_english_rewords_only_what_is_said() -> None:
    known = catalogue(FALLBACK)
    said = {each.template for each in everything() if each.template}
    assert sorted(known.keys() - said) == [], "not in the code"
    assert [each for each, wording in known.items() if _places(each) != _places(wording)] == []
    assert [each for each, wording in known.items() if each == wording] == [], "needs no entry"


def test_every_code_of_a_refusal_has_a_title() -> None:
    known = languages()[FALLBACK]
    assert [code for code in ALL_CODES if f"refusal.{code}" not in known] == []


# --- names ---


def _named(rules: Ruleset) -> Iterator[str]:
    yield rules.name
    for table in (
        rules.terrain,
        rules.buildings,
        rules.defences,
        rules.weapons,
        rules.factions,
        rules.detachment_types,
        rules.strengths,
    ):
        yield from (each.name for each in table.values())
    for several in (rules.urban, rules.resources, rules.strongholds):
        yield from (each.name for each in several)
    yield from (name for _, name, _ in rules.ranks)


@pytest.mark.parametrize("language", OTHERS)
def test_every_name_of_a_ruleset_is_translated(language: str) -> None:
    wanted = {name for id_ in rulesets.names() for name in _named(rulesets.load(id_))}
    assert sorted(wanted - names(language).keys()) == [], "not translated"
    assert sorted(names(language).keys() - wanted) == [], "named no more"


@pytest.mark.parametrize("language", OTHERS)
def test_every_scenario_is_translated(language: str) -> None:
    plans = [library.load(name) for name in library.names()]
    wanted = {f"described.{text}" for plan in plans for text in (plan.title, plan.summary, *plan.briefing)}
    assert {key for key in languages()[language] if key.startswith("described.")} == wanted


def test_every_word_of_the_rules_has_a_name() -> None:
    tables = {"slot": SLOTS, "mobility": MOBILITIES, "flag": FLAGS, "limit": COUNTED, "place": ("urban", "resource")}
    wanted = {f"word.{table}.{each}" for table, some in tables.items() for each in some}
    assert wanted - languages()[FALLBACK].keys() == set()


# --- what is said ---


@pytest.mark.parametrize(
    ("sentence", "german"),
    [
        ("That is not yours to command.", "Das steht nicht unter deinem Befehl."),
        (say("You do not control {hex}.", hex="0405"), "0405 gehört dir nicht."),
        (say("No road can be built over {terrain}.", terrain=small("Woods")),
         "Hier lässt sich keine Straße bauen. Gelände: Gehölz."),
        (say("{building} can stand only in a {size} or larger.", building=called("Drill hall"), size=small("City")),
         "Drill hall: erst ab der Größe Großstadt."),
        (say("No building in this hex builds units of the kind {kinds}.", kinds=words("slot", ["hq", "heavy"])),
         "Kein Gebäude in diesem Feld kann das aufstellen: HQ, Unterstützung."),
        (say("{type} is an order of the phase {where}, not of {phase}.", type="guard", phase=word("phase", "build"),
             where=words("phase", ["movement", "battle_movement"])),
         "„guard“ ist ein Befehl für Bewegung, Schlachtbewegung, nicht für Bau."),
        (say("Order {number}: {problem}", number=2, problem=say("{unit} is dead for good.", unit="Y{arrick}")),
         "Befehl 2: Y{arrick} ist endgültig tot."),
        ("Nobody ever wrote this.", "Nobody ever wrote this."),
    ],
)  # fmt: skip
def test_told(sentence: str, german: str) -> None:
    assert DE.translate(sentence) == german
    assert Translations(FALLBACK).translate(sentence) == english(sentence)


@pytest.mark.parametrize(
    ("kept", "german"),
    [
        ("That costs 120 BP, and there are 80 BP in 0405.", "Das kostet 120 BP, aber in 0405 liegen nur 80 BP."),
        ("0405 is water: nothing can be built there.", "In 0405 kannst du nicht bauen. Gelände: Wasser."),
        ("Guard {0} is not damaged.", "Guard {0} ist nicht beschädigt."),
        ("No building in this hex builds units of the kind light vehicle, heavy.",
         "Kein Gebäude in diesem Feld kann das aufstellen: leichte Fahrzeuge, Unterstützung."),
    ],
)  # fmt: skip
def test_sentences_of_a_record_are_known_again(kept: str, german: str) -> None:
    assert DE.translate(kept) == german


def test_programs_get_what_a_sentence_is_made_of() -> None:
    message = say("{detachment} cannot enter {terrain}.", detachment="Wolves", terrain=called("Marsh"))
    told = fault(Problem("terrain", message, "target", "0405", "D-50"))
    assert told["message"] == "Wolves cannot enter Marsh."
    assert told["template"] == "{detachment} cannot enter {terrain}."
    assert told["params"] == {"detachment": "Wolves", "terrain": {"name": "Marsh"}}


def test_a_record_keeps_of_a_problem_what_it_always_kept() -> None:
    """What is kept goes into the chain of hashes: campaigns that were recorded verify as before."""
    message = say("You do not control {hex}.", hex="0405")
    assert set(problem_to_json(Problem("not_controlled", message))) == {
        "code",
        "message",
        "field",
        "value",
        "rule",
        "order",
    }


def test_a_revision_is_told() -> None:
    with pytest.raises(PlayError) as refused:
        check_revision(3, 4)
    assert isinstance(refused.value.message, Sentence)
    assert DE.translate(refused.value.message) == "Das hat inzwischen jemand geändert. Lade die Seite neu."


def test_names_within_a_sentence() -> None:
    english, german = (ruleset_names(rulesets.load("wh40k-2001"), each) for each in ("en", "de"))
    assert (english["word/strategic_hq"], german["word/strategic_hq"]) == ("strategic HQ", "Strategisches HQ")
    assert ruleset_names(rulesets.load("frontier"), "en")["word/camp"] == "stockade"
