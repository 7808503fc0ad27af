"""What rules, use cases and the API say when they refuse something, in each language.

The English sentence in the code is its key, and part of the hashes of records: it never changes once a record
may hold it. ``texts/messages/<language>.toml`` says how to show it. German has every sentence; English has those
that read better than their key. ``texts/readers/<language>.toml`` replaces, on pages and in emails, those that speak of
the API.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources

from server.core.sentences import Sentence, template_of
from server.render.translations import FALLBACK, LANGUAGES


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return how *language* words each sentence, by the sentence in the code; nothing for an unknown language."""
    return _file(language, "messages")


@cache
def for_readers(language: str) -> Mapping[str, str]:
    """Return how pages and emails word each sentence, by the sentence in the code: without a word of the API."""
    return {**catalogue(language), **_file(language, "readers")}


def _file(language: str, folder: str) -> Mapping[str, str]:
    if language not in LANGUAGES:
        return {}
    file = resources.files(__package__).joinpath("texts", folder, f"{language}.toml")
    return tomllib.loads(file.read_text("utf-8"))


def recognize(
    language: str, text: str, known: Callable[[str], Mapping[str, str]] = for_readers
) -> tuple[str, Mapping[str, str]] | None:
    """Return the wording and the parameters of a sentence that a record holds as plain text, or nothing."""
    for pattern, wording in _patterns(language, known):
        if found := pattern.fullmatch(text):
            return wording, found.groupdict()
    return None


def english(sentence: str) -> str:
    """Return a sentence as English shows it; its template and parameters stay those of the code."""
    wording = catalogue(FALLBACK).get(template_of(sentence))
    if isinstance(sentence, Sentence):
        params = {
            name: english(value) if isinstance(value, Sentence) else value for name, value in sentence.params.items()
        }
        return (wording or sentence.template).format_map(params)
    if wording is None and (found := recognize(FALLBACK, sentence, catalogue)):
        return found[0].format_map(found[1])
    return wording or sentence


@cache
def _patterns(language: str, known: Callable[[str], Mapping[str, str]]) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return patterns of sentences with parameters and their wording, the longest fixed text first."""
    found = []
    every = dict.fromkeys(catalogue(LANGUAGES[-1])) if language == FALLBACK else {}  # English has no entry for each
    for template, wording in ({sentence: sentence for sentence in every} | dict(known(language))).items():
        parts = re.split(r"\{(\w+)\}", template)
        if len(parts) > 1:
            pattern = "".join(f"(?P<{part}>.+)" if place % 2 else re.escape(part) for place, part in enumerate(parts))
            found.append((sum(map(len, parts[::2])), re.compile(pattern, re.DOTALL), wording))
    return tuple((pattern, wording) for _, pattern, wording in sorted(found, key=lambda entry: -entry[0]))
