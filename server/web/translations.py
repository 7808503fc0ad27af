"""All sentences of the pages, by language.

``texts/<language>/*.toml``; the tables of all files of a language are one. A sentence may hold ``{names}`` to
be filled in; a table with ``one`` and ``other`` is a sentence that depends on ``n``. English is complete by
definition; a test holds every other language to the same keys and names. What rules, use cases, rulesets and
scenarios say in English is its own key (``told.``, ``name.``, ``described.``); the first of these come from
:mod:`server.render.messages`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from types import MappingProxyType
from zoneinfo import ZoneInfo

import orjson

from server.core.sentences import Sentence, Term, Terms, template_of
from server.http.error_codes import ALL_CODES
from server.render import messages, translations
from server.render.translations import FALLBACK, key_for, read

FOLDER = Path(__file__).parent / "texts"
UTC = ZoneInfo("UTC")


@cache
def languages() -> Mapping[str, Mapping[str, str]]:
    """Return for each language its sentences by key (``table.title``)."""
    found: dict[str, dict[str, str]] = {}
    for folder in sorted(file for file in FOLDER.iterdir() if file.is_dir()):
        flat = found.setdefault(folder.name, {})
        for file in sorted(folder.glob("*.toml")):
            for key, text in read(file.read_text("utf-8")).items():
                if key in flat:
                    raise ValueError(f"{file}: {key} is there twice")
                flat[key] = text
        flat |= {f"told.{sentence}": wording for sentence, wording in messages.for_readers(folder.name).items()}
        flat |= {f"name.{name}": called for name, called in translations.names(folder.name).items()}
    for theirs in found.values():
        theirs |= {
            f"told.{code.title}.": theirs[key]
            for name, code in ALL_CODES.items()
            if (key := f"refusal.{name}") in theirs
        }
    return found


def translation_files() -> dict[str, bytes]:
    """Return for each language what rules and use cases say, as a file for scripts."""
    return {
        f"told/{language}.json": orjson.dumps({key: text for key, text in theirs.items() if key.startswith("told.")})
        for language, theirs in languages().items()
    }


@cache
def _rules_words(language: str) -> Mapping[str, str]:
    """Return words of the rules and names of rulesets by their English form, in lower case."""
    theirs = languages()[language]
    found = {
        key.split(".")[-1].replace("_", " "): text
        for key, text in theirs.items()
        if key.startswith(("phase.", "word.")) and not key.startswith("word.flag.")
    }
    return found | {
        key.removeprefix("name.").casefold(): text for key, text in theirs.items() if key.startswith("name.")
    }


@cache
def _section(language: str, prefixes: tuple[str, ...]) -> Mapping[str, str]:
    """Return the sentences below some keys, found once: there are thousands, and pages ask for the same ones."""
    merged = {**languages()[FALLBACK], **languages()[language]}
    return MappingProxyType({key: text for key, text in merged.items() if key.startswith(prefixes)})


@dataclass(frozen=True, slots=True)
class Translations:
    """The sentences of one language, and how it writes times."""

    language: str
    zone: ZoneInfo = UTC

    def __call__(self, key: str, /, **filled: object) -> str:
        """Return a sentence; with ``n`` its form for that number. An unknown key is a bug: it raises `KeyError`."""
        sentences = languages()[self.language]
        key = key_for(sentences, key, filled)
        text = sentences.get(key)
        if text is None:
            text = languages()[FALLBACK][key]
        return text.format_map(filled) if filled else text

    def has(self, key: str) -> bool:
        """Say whether there is such a sentence: for codes and names that rulesets may add to."""
        return key in languages()[self.language] or key in languages()[FALLBACK]

    def name(self, table: str, word: str) -> str:
        """Return the name of a word of the rules or of a ruleset (``unit.infantry``); the word itself where none is."""
        key = f"{table}.{word}"
        return self(key) if self.has(key) else word.replace("_", " ").capitalize()

    def called(self, name: str) -> str:
        """Return what a thing is called that a ruleset names in English; that name where we have none."""
        return languages()[self.language].get(f"name.{name}", name)

    def described(self, text: str) -> str:
        """Return a text of a scenario that comes with the server; the text itself where it is someone's own."""
        return languages()[self.language].get(f"described.{text}", text)

    def translate(self, sentence: str, known: Callable[[str], str] = str) -> str:
        """Return a sentence of the rules or of a use case in the reader's language; English has its catalogue, too.

        *known* returns what the reader calls a hex or a player.
        """
        template = template_of(sentence)
        text = languages()[self.language].get(f"told.{template}")
        if text is None and self.language == FALLBACK and isinstance(sentence, Sentence):
            text = template
        if text is None:
            return self._recognized(sentence, known) or sentence
        filled = sentence.params if isinstance(sentence, Sentence) else {}
        return text.format_map(
            {name: self._display(_named(name, value, known), known) for name, value in filled.items()}
        )

    def _display(self, value: object, known: Callable[[str], str] = str) -> object:
        """Return the reader's word for a parameter of a sentence."""
        if self.language == FALLBACK and isinstance(value, Term | Terms):
            return value
        if isinstance(value, Terms):
            return ", ".join(str(self._display(term)) for term in value.each)
        if isinstance(value, Term):
            return self.called(value.name) if value.name else self.word(value.word)
        return self.translate(value, known) if isinstance(value, Sentence) else value

    def _recognized(self, sentence: str, known: Callable[[str], str]) -> str:
        """Return a sentence that a record kept: what it was filled with is not kept there, since hashes stand on it."""
        if found := messages.recognize(self.language, sentence):
            wording, filled = found
            return wording.format_map(
                {name: self._kept(str(_named(name, value, known))) for name, value in filled.items()}
            )
        return ""

    def _kept(self, text: str) -> str:
        if self.language == FALLBACK:
            return text
        each = text.split(", ")
        return ", ".join(_rules_words(self.language).get(one.casefold(), one) for one in each)

    def stage(self, turn: int, phase: str, names: str = "phase", between: str = " · ") -> str:
        """Return where in the campaign that is: turn and phase; before the first turn the phase alone."""
        called = self.name(names, phase)
        return f"{self('frame.turn', turn=turn)}{between}{called}" if turn else called

    def word(self, word: str) -> str:
        """Return a word of the rules by its table and itself (``slot.heavy``, ``phase.build``)."""
        return self(f"word.{word}") if self.has(f"word.{word}") else self.name(*word.split(".", 1))

    @property
    def translation_file(self) -> str:
        """The name of the file with what rules and use cases say (:func:`translation_files`)."""
        return f"told/{self.language}.json"

    def section(self, *prefixes: str) -> Mapping[str, str]:
        """Return all sentences whose keys begin with one of *prefixes*: for scripts."""
        return _section(self.language, prefixes)

    def number(self, value: float, digits: int = 0) -> str:
        """Return a number as the language writes it, with so many digits behind the point."""
        marks = {ord(","): self("number.group"), ord("."): self("number.point")}
        return f"{value:,.{digits}f}".translate(marks)

    def when(self, instant: datetime | None) -> str:
        """Return day and time in the reader's zone; a dash for none."""
        if instant is None:
            return "–"
        try:
            local = instant.astimezone(self.zone)
        except OverflowError:  # at the very end of the calendar, kept before dates were bounded
            local = instant
        return self(
            "time.when",
            weekday=self(f"time.weekday.{local.weekday()}"),
            day=local.day,
            month=self(f"time.month.{local.month}"),
            time=f"{local:%H:%M}",
        )


def translate(language: str, sentence: str, known: Callable[[str], str] = str) -> str:
    """Return a sentence of the rules or of a use case in a language of the pages, with the reader's names of things."""
    return Translations(language).translate(sentence, known)


NAMED = frozenset({"hex", "other", "a", "b", "target", "player"})
"""Parameters of sentences that are the number of a hex or the id of a player."""


def _named(param: str, value: object, known: Callable[[str], str]) -> object:
    return known(value) if param in NAMED and isinstance(value, str) and not isinstance(value, Sentence) else value
