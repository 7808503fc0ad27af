"""The book of a ruleset: every section in every language, right figures, links that lead somewhere, words explained."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from server.render.translations import LANGUAGES
from server.rulebook.book import Book, book, file_of, headings, source
from server.rulebook.pieces import piece, search
from server.rulebook.terms import glossary, terms
from server.rulesets import load, names

BOOKS = [book(load(ruleset), language) for ruleset in names() for language in LANGUAGES]
IDS = [f"{each.ruleset.id}-{each.language}" for each in BOOKS]
TABLE_WORDS = re.compile(r"\b(?:Strategic HQ|Medic center|Taxation office|Barracks)\b", re.IGNORECASE)


@pytest.fixture(scope="module", params=BOOKS, ids=IDS)
def shown(request: pytest.FixtureRequest) -> Book:
    found: Book = request.param
    return found


def anchors(shown: Book) -> list[str]:
    html = " ".join(section.html for section in shown.sections)
    return [section.anchor for section in shown.sections] + re.findall(r' id="([^"]+)"', html)


def test_every_section_of_the_file_is_there_once(shown: Book) -> None:
    wanted = len(headings(source("en"))) - 1  # all but the contents
    assert len(shown.sections) == wanted
    assert len(set(anchors(shown))) == len(anchors(shown))


def test_every_link_leads_somewhere(shown: Book) -> None:
    known = {f"#{anchor}" for anchor in anchors(shown)} | {f"/rules/{name}" for name in names()}
    links = {each for section in shown.sections for each in re.findall(r' href="([^"]+)"', section.html)}
    assert links - known == set()


def test_nothing_stands_in_the_page_that_a_policy_forbids_or_a_reader_should_not_see(shown: Book) -> None:
    html = " ".join(section.html for section in shown.sections)
    assert "<!--" not in html
    assert "&lt;!--" not in html
    assert " style=" not in html
    assert "<script" not in html


def test_frontier_has_its_own_figures_and_names() -> None:
    shown = book(load("frontier"), "en")
    rules = {section.anchor: section.text for section in shown.sections}
    assert "150 BP from space" in rules["11-build-points"]
    assert "4000 BP" in rules["starting-conditions"]
    prose = " ".join(text for anchor, text in rules.items() if not anchor.startswith(("refusals", "orders", "events")))
    examples = re.compile(r"Example: .*?another ruleset\.", re.DOTALL)
    assert TABLE_WORDS.findall(examples.sub("", prose)) == []


def test_no_names_of_one_ruleset_are_left_in_the_other() -> None:
    """Army lists of the one are nothing to players of the other, but for the examples."""
    shown = book(load("frontier"), "en")
    foreign = [faction.name for faction in load("wh40k-2001").factions.values() if len(faction.name) > 5]
    kept = [section for section in shown.sections if "xample" not in section.text and section.level > 1]
    assert [
        (name, each.title)
        for each in kept
        for name in foreign
        if name in each.text and name != "No army list" and "Codex" not in each.text
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_files_of_languages_have_the_same_headings(language: str) -> None:
    assert file_of(language).exists(), f"there is no rulebook in {language}"
    english, ours = headings(source("en")), headings(source(language))
    assert [level for level, _ in ours] == [level for level, _ in english]
    numbers = [title.split()[0] if title[0].isdigit() else "" for _, title in english]
    assert [title.split()[0] if title[0].isdigit() else "" for _, title in ours] == numbers


@pytest.mark.parametrize("language", LANGUAGES)
def test_files_of_languages_have_the_same_marks_and_decisions(language: str) -> None:
    english, ours = source("en"), source(language)
    for marks in (r"<!-- = (\w+) -->", r"<!-- table: (\w+) -->", r"<!-- only: (\S+) -->", r"<!-- example: (\S+) -->"):
        assert sorted(re.findall(marks, ours)) == sorted(re.findall(marks, english))
    decision = r"\b[DR]-\d\d[a-z]?\b"
    assert set(re.findall(decision, ours)) == set(re.findall(decision, english))
    code = r"`([a-z_]+)`"
    prose = [re.sub(r"<!-- table: .*?<!-- /table -->", "", each, flags=re.DOTALL) for each in (english, ours)]
    assert set(re.findall(code, prose[1])) == set(re.findall(code, prose[0]))
    assert len(glossary(language)) == len(glossary("en"))


def test_decisions_open_what_states_them(shown: Book) -> None:
    assert "D-43" in shown.passages["D-43"]
    assert shown.places["D-43"] == "31-initiative-and-movement"
    assert shown.places["D-13"] == "victory"


def test_pieces(shown: Book) -> None:
    numbers = [section.number for section in shown.sections if section.number]
    keys = [*numbers, *shown.passages, *(term.key for term in terms(shown))]
    for key in keys:
        found = piece(shown, key)
        assert found is not None, key
        assert found.html or found.meaning or found.facts or found.kind, key
        assert found.anchor in anchors(shown), key
    assert piece(shown, "9.9") is None
    assert piece(shown, "no such word") is None


def test_terms_have_keys_of_their_own_and_a_home(shown: Book) -> None:
    found = terms(shown)
    assert len({each.key for each in found}) == len(found)
    assert {each.anchor for each in found} <= set(anchors(shown))
    keys = {each.key for each in found}
    assert {"word.bp", "word.mv", "word.vp", "word.exhausted", "slot.heavy", "flag.scout"} <= keys
    assert {f"building.{building}" for building in shown.ruleset.buildings} <= keys
    assert {f"terrain.{each}" for each in shown.ruleset.terrain} <= keys


def test_search() -> None:
    shown = book(load("frontier"), "en")
    assert search(shown, "zone of control")[0].key == "word.zone-of-control"
    assert search(shown, "command po")[0].key == "building.command_post"
    assert search(shown, "5.1")[0].anchor == "51-battle-initiative"
    assert any(each.anchor == "36-claims" for each in search(shown, "claims"))
    assert search(shown, "") == search(shown, "  ") == search(shown, '"*') == []
    assert search(shown, 'gibberish" OR "1') == []
    assert any("<mark>" in each.excerpt for each in search(shown, "initiative"))


def test_what_a_ruleset_calls_things_is_only_text() -> None:
    """A group may bring its own ruleset: its names can be no HTML and no pictures from elsewhere."""
    rules = load("frontier")
    nasty = "<b>x</b> ![p](https://example.org/p.png) [l](javascript:alert(1))"
    terrain = rules.terrain["plains"]
    changed = replace(rules, digest="nasty", terrain=dict(rules.terrain) | {"plains": replace(terrain, name=nasty)})
    html = " ".join(section.html for section in book(changed, "en").sections)
    assert "<b>x</b>" not in html
    assert "<img" not in html
    assert 'href="javascript' not in html
