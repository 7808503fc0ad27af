"""The rulebook in pieces: places found by words; a section, a decision or a word as a pop-over shows it.

The search is SQLite's full-text search over sections and terms, kept in memory.
"""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

from markupsafe import Markup, escape

from server.rulebook.book import Book
from server.rulebook.terms import terms


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the rulebook."""

    title: str
    kind: str
    """What a word is; empty for sections and decisions."""
    html: Markup
    meaning: str
    facts: tuple[tuple[str, str], ...]
    anchor: str
    """The section that has it all."""


def piece(book: Book, key: str) -> Piece | None:
    """Return what explains a number (``5.1``), a decision (``D-43``), an anchor or a term; None if nothing does."""
    section = book.numbered(key) or book.section(key)
    if section is not None:
        # a chapter of headings alone shows its first section
        at = book.sections.index(section)
        shown = section if section.html.strip() else book.sections[min(at + 1, len(book.sections) - 1)]
        return Piece(section.title, "", Markup(shown.html), "", (), section.anchor)
    if key in book.passages:
        home = book.section(book.places[key])
        title = f"{key}: {home.title}" if home else key
        return Piece(title, "", Markup(book.passages[key]), "", (), key)
    term = next((term for term in terms(book) if term.key == key), None)
    if term is None:
        return None
    return Piece(term.title, term.kind, Markup(), term.meaning, term.facts, term.anchor)


MAX_HITS = 30
_WORD = re.compile(r"[\w][\w.-]*")
_OPEN, _CLOSE = "\x02", "\x03"


@dataclass(frozen=True, slots=True)
class Hit:
    """A place that a search found."""

    anchor: str
    title: str
    excerpt: Markup
    """Its words around what was found, which is marked."""
    key: str
    """The term it explains; empty for a section."""


class _Index:
    """The words of one book."""

    def __init__(self, book: Book) -> None:
        self.lock = Lock()
        self.base = sqlite3.connect(":memory:", check_same_thread=False)
        stem = "porter unicode61" if book.language == "en" else "unicode61"
        self.base.execute(
            "CREATE VIRTUAL TABLE place USING fts5(names, words, title UNINDEXED, anchor UNINDEXED, key UNINDEXED, "
            f"tokenize='{stem}')"
        )
        rows = [(section.title, section.text, section.title, section.anchor, "") for section in book.sections]
        for term in terms(book):
            facts = "; ".join(f"{label}: {value}" for label, value in term.facts)
            rows.append((", ".join(dict.fromkeys((term.title, *term.words))), term.meaning or f"{term.kind}. {facts}",
                         term.title, term.anchor, term.key))  # fmt: skip
        self.base.executemany("INSERT INTO place VALUES (?, ?, ?, ?, ?)", rows)

    def find(self, wanted: str) -> list[Hit]:
        query = " ".join(f'"{word}"*' for word in _WORD.findall(wanted)[:12])
        if not query:
            return []
        with self.lock:
            rows = self.base.execute(
                "SELECT anchor, title, snippet(place, 1, ?, ?, '…', 26), key FROM place WHERE place MATCH ? "
                "ORDER BY bm25(place, 8.0, 1.0) LIMIT ?",
                (_OPEN, _CLOSE, query, MAX_HITS),
            ).fetchall()
        return [Hit(anchor, title, _marked(text), key) for anchor, title, text, key in rows]


def _marked(text: str) -> Markup:
    return Markup(str(escape(text)).replace(_OPEN, "<mark>").replace(_CLOSE, "</mark>"))


@lru_cache(maxsize=16)
def _index(book: Book) -> _Index:
    return _Index(book)


def search(book: Book, wanted: str) -> list[Hit]:
    """Return the places that have all words of *wanted* (or words that begin so), the best first."""
    return _index(book).find(wanted)
