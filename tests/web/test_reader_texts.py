"""Refusals as people read them, in every language: no word of the API, and places and players by their names."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from functools import cache

import pytest

from server.core.sentences import say
from server.render.messages import catalogue, english, for_readers
from server.render.naming import named
from server.render.translations import FALLBACK, LANGUAGES
from server.rules.board import Board
from server.scenarios import library
from server.web.translations import NAMED, Translations, languages
from tests.web.sentences import everything

API_WORDS = {
    "en": re.compile(
        r"\b([Tt]okens?|[Hh]eaders?|CSRF|JSON|[Bb]ody|ETag|If-Match|ids?|[Cc]ursor|[Ss]cope|[Oo]bject(?! to)|"
        r"[Pp]arameter|[Bb]ytes?|[Rr]evision|UTF-8|ASCII|SHA-256|hexadecimal|[Ff]ields?|true|false|null|[Ss]chema|[Ss]tream|"
        r"[Rr]equest|scenario_data)\b|/api/|`|\b[a-z]+_[a-z_]+\b|= true"
    ),
    "de": re.compile(
        r"\b(Token|Kopfzeile|CSRF|JSON|ETag|If-Match|[Ii]d|Kennung(en)?|Objekt|Parameter|Bytes?|UTF-8|ASCII|SHA-256|"
        r"hexadezimal\w*|true|false|null|Schema|Strom|scenario_data)\b|/api/|`|\b[a-z]+_[a-z_]+\b|= true|Feld „"
    ),
}
"""Words of programs. A person who looks at a map or into their inbox has never met them."""
ABOUT_THEM = {
    "An account has at most {most} tokens.",
    "Bots sign in with tokens only.",
    "The token is not for: {scope}.",
    "The game has started.",
}
"""Sentences of the page on which people create tokens."""


@cache
def all_templates() -> list[str]:
    """Return every sentence of the code that refuses something."""
    return sorted({each.template for each in everything() if each.template})


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def _fixed(text: str) -> str:
    return re.sub(r"\{\w+\}", "", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_refusal_shows_people_a_word_of_the_api(language: str) -> None:
    known = for_readers(language)
    shown = {each: known.get(each, each) for each in all_templates() if each not in ABOUT_THEM}
    found = {each: text for each, text in shown.items() if API_WORDS[language].search(_fixed(text))}
    assert found == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_of_refusals_have_no_word_of_the_api(language: str) -> None:
    titles = {key: text for key, text in languages()[language].items() if key.startswith("refusal.")}
    assert {key: text for key, text in titles.items() if API_WORDS[language].search(text)} == {}


def test_readers_texts_are_of_sentences_in_the_code_and_the_same_in_all_languages() -> None:
    first = for_readers(FALLBACK).keys() - catalogue(FALLBACK).keys()
    for language in LANGUAGES:
        known = for_readers(language)
        assert (
            sorted(
                known.keys()
                - set(all_templates())
                - languages()[language].keys()
                - {f"{one}" for one in catalogue("de")}
            )
            == []
        )
        assert [each for each in first if each not in known] == []
        assert [each for each in all_templates() if not _places(known.get(each, each)) <= _places(each)] == []


def test_the_api_keeps_its_own_words() -> None:
    message = say("The order needs the field {name}.", name="target")
    assert english(message) == "The order is missing the field target."
    assert Translations("en").translate(message) == "The order is incomplete. Open it and fill in what is missing."
    assert Translations("de").translate(str(message)).startswith("Der Befehl ist unvollständig.")


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Ann did not fight in {place}."), ("de", "Ann hat in {place} nicht gekämpft.")],
)
def test_places_and_players_are_called_by_their_names(language: str, said: str, kept: bool) -> None:
    """Also in what a record kept as plain text."""
    board = _board()
    at, name = board.names[0]
    message = say("{player} did not fight in {hex}.", player="p1", hex=board.label(at))
    shown = Translations(language).translate(
        str(message) if kept else message, lambda text: named(board, {"p1": "Ann"}, text)
    )
    assert shown == said.format(place=f"{name} ({board.label(at)})")


def test_a_hex_without_a_name_is_its_number() -> None:
    board = _board()
    plain = next(each for each in range(board.size) if each not in dict(board.names))
    assert named(board, {}, board.label(plain)) == board.label(plain)
    assert named(board, {}, "9999") == "9999"
    assert named(None, {}, "0405") == "0405"


def test_each_hex_in_a_refusal_has_a_place_that_is_named() -> None:
    """Sentences about hexes use the parameters whose values are named."""
    with_hexes = [each for each in all_templates() if _places(each) & {"hex", "other", "a", "b"}]
    assert with_hexes
    assert {"hex", "other", "a", "b", "target", "player"} == NAMED


def _own(language: str) -> Mapping[str, str]:
    known, usual = for_readers(language), catalogue(language)
    return {each: text for each, text in known.items() if usual.get(each) != text}


def _board() -> Board:
    found = library.load("four-corners").board
    assert found.names
    return found
