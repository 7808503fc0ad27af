"""What a pop-over shows: a section, the statement of a decision, or a word of the rules."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

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
