"""Checks that what people read is plain English: short sentences, no words that had to be translated first.

``python -m tests.plain_english`` prints every sentence with more than 30 words in the README, the guides, the
rulebooks, the texts of pages and mails, and the titles of errors; in German, too, where there is German. In English it
prints every banned word as well, but for the rulebook's. ``make lint`` runs it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from server.http.error_codes import ALL_CODES
from server.mail import translations as mail_translations
from server.web import translations as page_translations

ROOT = Path(__file__).parents[1]
MAX_WORDS = 30
GUIDES = ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", *(f"docs/{name}.md" for name in (
    "api", "bots", "cli", "computer-players", "dice", "errors", "game-masters", "glossary", "mail", "maps", "missions",
    "operators", "orders", "orders.de", "players", "scaling", "schema", "settings", "table-rules", "tables", "training",
    "translating", "webhooks",
)))  # fmt: skip
RULEBOOKS = ("rulebook", "rulebook.de", "rulebook-frontier-tables")
"""Their lists have semicolons between items, and each item counts for itself. Their tables are made from data."""
MADE = re.compile(r"<!-- table: \w+ -->.*?<!-- /table -->|<!--.*?-->", re.DOTALL)
BANNED = re.compile(
    r"\b(he|she|his|him|himself|hers|whoever|whomever|whosoever|for who|to who|whereof|thereof|wherein|"
    r"puts? out|nobody's)\b",
    re.IGNORECASE,
)
"""Words of a private or old English, and people who are one "he"."""


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a paragraph."""
    for sentence in re.split(r"(?<=[.!?:])[\"')*_]*\s+", text):
        if sentence.strip():
            yield sentence.strip()


def paragraphs(markdown: str) -> Iterator[str]:
    """Yield the running text of a document: no code, no addresses, each row and item for itself."""
    markdown = re.sub(r"^```.*?^```|(?<=\n\n)(?:    [^\n]*\n)+", "", markdown, flags=re.MULTILINE | re.DOTALL)
    markdown = re.sub(r"^(#+ .*|\|.*|\s*[-*] |\s*\d+\. )", r"\n\n\1", markdown, flags=re.MULTILINE)
    markdown = re.sub(r"\]\([^)]*\)", "]", markdown)
    for block in re.split(r"\n\s*\n", markdown):
        yield from (" ".join(cell.split()) for cell in (block.split("|") if block.startswith("|") else [block]))


def too_long(where: str, text: str) -> Iterator[str]:
    """Yield the sentences of a text that have too many words."""
    for sentence in sentences(text):
        count = len(re.findall(r"[\w'’`./{}-]*\w[\w'’`./{}-]*", sentence))
        if count > MAX_WORDS:
            yield f"{where}: {count} words: {sentence}"


def problems(where: str, text: str) -> Iterator[str]:
    """Yield what is not plain in an English text."""
    yield from too_long(where, text)
    if found := BANNED.search(re.sub(r"`[^`]*`", "", text)):
        yield f"{where}: {found[0]!r}: {text[:120]}"


def everything() -> Iterator[str]:
    """Yield what is not plain anywhere."""
    for name in GUIDES:
        if (ROOT / name).exists():
            for paragraph in paragraphs((ROOT / name).read_text("utf-8")):
                yield from problems(name, paragraph)
    for kind, languages in (("page", page_translations.languages()), ("mail", mail_translations.languages())):
        for key, text in languages["en"].items():
            yield from problems(f"{kind} {key}", text)
        for key, text in languages["de"].items():
            yield from too_long(f"{kind} {key}, German", text)
    for name in RULEBOOKS:
        for paragraph in paragraphs(MADE.sub("", (ROOT / f"docs/{name}.md").read_text("utf-8"))):
            for item in paragraph.split("; "):
                yield from too_long(name, item)
    for code, error in ALL_CODES.items():
        yield from problems(f"error {code}", error.title)


if __name__ == "__main__":
    found = list(everything())
    print(*found, sep="\n")
    sys.exit(bool(found))
