"""Every language has every sentence, with the same places to fill in; templates ask only for sentences there are."""

from __future__ import annotations

import re
import string

import pytest

from server.mail import translations as mail
from server.render.translations import FALLBACK, LANGUAGES, choose, sentences
from server.web.templating import TEMPLATES
from server.web.translations import Translations, languages

PACKAGE = TEMPLATES.parent
OTHERS = sorted(set(languages()) - {FALLBACK})
ASKED = re.compile(r"""\bt\(\s*["']([a-z0-9_.]+)["']\s*[,)]""")


def _names(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_there_is_another_language() -> None:
    assert OTHERS


def test_every_room_has_every_language() -> None:
    assert set(LANGUAGES) == set(languages()) == set(mail.languages())
    assert all(sentences(language) for language in LANGUAGES)


@pytest.mark.parametrize("language", OTHERS)
def test_same_sentences(language: str) -> None:
    english, other = languages()[FALLBACK], languages()[language]
    assert sorted(english.keys() - other.keys()) == [], "not translated"
    under_their_english = ("told.", "name.", "described.")
    assert sorted(key for key in other.keys() - english.keys() if not key.startswith(under_their_english)) == []
    differ = [key for key, text in english.items() if _names(text) != _names(other[key])]
    assert differ == []


def test_pages_and_scripts_ask_for_sentences_there_are() -> None:
    known = languages()[FALLBACK]
    files = [*TEMPLATES.rglob("*.html"), *PACKAGE.rglob("*.py"), *(PACKAGE / "static").rglob("*.js")]
    missing = {
        f"{file.name}: {key}"
        for file in files
        for key in ASKED.findall(file.read_text("utf-8"))
        if key not in known and f"{key}.other" not in known
    }
    assert missing == set()


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        ("de", "de"), ("de-AT,de;q=0.9,en;q=0.5", "de"), ("fr,en;q=0.4,de;q=0.6", "de"), ("", "en"), ("*", "en"),
        ("x;q=abc,,;q=1", "en"), ("en_GB", "en"),
    ],
)  # fmt: skip
def test_choose(wanted: str, chosen: str) -> None:
    assert choose(wanted) == chosen


def test_one_and_many() -> None:
    t = Translations("en")
    assert [t("time.days", n=n) for n in (0, 1, 2)] == ["0 days", "1 day", "2 days"]
    assert t.name("phase", "build") == "Build"
    assert t.name("phase", "no_such_phase") == "No such phase"


def test_numbers() -> None:
    assert [Translations(each).number(1296) for each in ("en", "de")] == ["1,296", "1.296"]
    assert [Translations(each).number(2.777, 1) for each in ("en", "de")] == ["2.8", "2,8"]
