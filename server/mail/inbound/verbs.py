"""Verbs: the first words of a line that is a request and not an order, in English and German; what reads as either."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from server.rules.orders.text.patterns import Word
from server.rules.orders.text.words import without_bullet
from server.rules.text import PATTERNS

_WORDS: dict[str, tuple[str, ...]] = {
    "not_final": ("not final", "nicht (?:endgültig|endgueltig|fertig|final)", "unfinal"),
    "final": ("final", "endgültig", "endgueltig", "fertig"),
    "forecast": ("forecast", "check", "vorschau", "prüfen", "pruefen"),
    "keep": ("keep", "behalten", "aufheben"),
    "report": ("report", "bericht"),
    "orders": ("orders", "befehle"),
    "map": ("map", "karte"),
    "help": ("help", "hilfe", r"\?"),
    "holiday": ("holiday", "urlaub"),
    "message": ("message", "nachricht"),
    "confirm": ("confirm", "bestätige", "bestaetige", "bestätigen"),
    "dispute": ("dispute", "bestreite", "bestreiten"),
    "ally": ("ally with", "bündnis mit", "buendnis mit", "verbünde mit"),
    "end_alliance": ("end alliance(?: with)?", "bündnis (?:beenden|aufkündigen)(?: mit)?", "buendnis beenden(?: mit)?"),
    "luck": ("luck", "glück", "glueck"),
    "mail": ("mails?",),
    "stop": ("stop", "stopp", "abbestellen"),
    "advance": ("advance", "weiter"),
    "extend": ("extend", "verlängern", "verlaengern"),
    "yes": ("yes", "ja"),
    "join": ("join(?: as)?", "beitreten(?: als)?", "mitspielen(?: als)?"),
}
_ALONE = frozenset({"not_final", "final", "forecast", "keep", "map", "help", "stop", "advance", "yes"})
"""Verbs with nothing behind them: a sentence that begins like one is none."""
_NUMBERED = frozenset({"report", "orders"})
MAIL = {
    "phase": r"(?:each |every |jede )?phase",
    "turn": r"(?:each |every |jede )?(?:turn|runde|zug)",
    "reminders": r"(?:only |nur )?(?:reminders?|erinnerungen)(?: only)?",
    "nothing": r"nothing|none|nichts|keine",
}
"""What may stand behind ``MAIL``, by the choice it is (:data:`server.play.notices.webhooks.MAIL_CHOICES`)."""
_PATTERNS = {
    verb: re.compile(rf"(?:{'|'.join(words)})(?P<rest>[\s:!.].*)?", re.IGNORECASE) for verb, words in _WORDS.items()
}
_MAIL = {choice: re.compile(words, re.IGNORECASE) for choice, words in MAIL.items()}
_FIRST_WORDS = {
    word for pattern in PATTERNS for part in pattern.parts[:1] if isinstance(part, Word) for word in part.words
}
_ORDER = re.compile(rf"(?:{'|'.join(sorted(_FIRST_WORDS))})\b(?!\s+\d{{1,2}}\b)", re.IGNORECASE)
"""A line that begins with the verb of an order, but for "March 3, 2026"."""
_LONGEST = 500
"""Letters of a line that are examined."""
_LABEL = re.compile(r"(?P<label>(?:[^:：]|(?<=\d)[:：](?=\d))+)[:：]\s*(?!//)\S")
"""A line with a name before a colon, and more behind it."""
_DAY = re.compile(r"\d{1,2}[./-]\s?\d{1,2}[./-]|\b(?:19|20)\d\d\b|\d[:：.]\d\d")
_END = re.compile(r"\s*(?:end of message|ende der nachricht|\.)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Verb:
    """One line that asks for something."""

    name: str
    rest: str
    """What stands behind the verb."""
    line: int
    """From 1."""
    body: str = ""
    """Of a message: the lines below it."""


@dataclass(frozen=True, slots=True)
class ParsedMail:
    """A mail's lines: its verbs, and the rest as text with the same line numbers."""

    verbs: tuple[Verb, ...]
    orders: str


def part(text: str) -> ParsedMail:
    """Take the verbs out of a mail; a message takes all lines below it, up to a line with a single dot."""
    found: list[Verb] = []
    lines = text.split("\n")
    left = list(lines)
    place = 0
    while place < len(lines):
        if (verb := _verb(lines[place], place + 1)) is None:
            place += 1
            continue
        left[place] = ""
        if verb.name == "message":
            end = next((below for below in range(place + 1, len(lines)) if _END.fullmatch(lines[below])), len(lines))
            body = "\n".join(_unlisted(lines[place], lines[place + 1 : end])).strip()
            left[place : end + 1] = [""] * len(left[place : end + 1])
            verb = Verb(verb.name, verb.rest, verb.line, body)
            place = end
        found.append(verb)
        place += 1
    return ParsedMail(tuple(found), "\n".join(left))


def _unlisted(line: str, below: list[str]) -> list[str]:
    """Return the lines of a message as they were meant: where the whole mail is one list, so is the message in it."""
    bare = [without_bullet(line) for line in below]
    items = [line.strip() != found.strip() for line, found in zip(below, bare, strict=True) if line.strip()]
    return bare if all(items) and without_bullet(line).strip() != line.strip() else below


def _verb(line: str, number: int) -> Verb | None:
    line = without_bullet(line)
    for name, pattern in _PATTERNS.items():
        if (matched := pattern.fullmatch(line)) is None:
            continue
        rest = (matched["rest"] or "").strip(" :!.\t")
        if name in _ALONE and rest:
            continue
        if name in _NUMBERED and rest and not re.fullmatch(r"(?:turn|runde|zug)?\s*\d{1,3}", rest, re.IGNORECASE):
            continue
        if name == "mail" and mail_choice_of(rest) is None:
            continue
        return Verb(name, rest, number)
    return None


def is_instruction(line: str) -> bool:
    """Say whether a line reads as an order or a verb: ``Column 1: guard``, ``build road from 0101 to 0102``, ``FINAL``.

    Lines with an address, or with a colon at their end, are what mail programs write.
    """
    bare = without_bullet(line[:_LONGEST]).strip()
    if not bare or bare.endswith((":", "：")) or re.search(r"@|<[^<>]{2,80}>", bare):
        return False
    label = _LABEL.match(bare)
    named = label is not None and _DAY.search(label["label"]) is None
    return named or _ORDER.match(bare) is not None or _verb(bare, 1) is not None


def mail_choice_of(words: str) -> str | None:
    """Return which choice of mails some words are."""
    return next((choice for choice, pattern in _MAIL.items() if pattern.fullmatch(words)), None)


def names(verbs: Sequence[Verb]) -> tuple[str, ...]:
    """Return the verbs' names."""
    return tuple(verb.name for verb in verbs)
