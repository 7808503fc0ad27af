"""Every language has every sentence, with the same places to fill in; templates ask only for sentences there are."""

from __future__ import annotations

import re
import string

import pytest

from server.web import texts
from server.web.site import TEMPLATES
from server.web.texts import FALLBACK, Texts, choose, languages

PACKAGE = TEMPLATES.parent
OTHERS = sorted(set(languages()) - {FALLBACK})
ASKED = re.compile(r"""\bt\(\s*["']([a-z0-9_.]+)["']\s*[,)]""")


def _names(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_there_is_another_language() -> None:
    assert OTHERS


@pytest.mark.parametrize("language", OTHERS)
def test_same_sentences(language: str) -> None:
    english, other = languages()[FALLBACK], languages()[language]
    assert sorted(english.keys() - other.keys()) == [], "not translated"
    assert sorted(other.keys() - english.keys()) == [], "not in English"
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
    t = Texts("en")
    assert [t("time.days", n=n) for n in (0, 1, 2)] == ["0 days", "1 day", "2 days"]
    assert t.name("phase", "build") == "Build"
    assert t.name("phase", "no_such_phase") == "No such phase"
    assert texts.choose("de") == "de"
