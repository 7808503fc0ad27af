"""The rulebook as a book: the Markdown of a language, filled with the data of a ruleset, cut into sections.

A section has the anchor of its English heading in every language, so that an address leads to the same place in all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import escape

from server.render.translations import FALLBACK
from server.rulebook.markdown import TableTranslations, slug
from server.rulebook.rewriting import rewrite
from server.rules.ruleset import Ruleset

_ONLY = re.compile(r"<!-- only: (\S+) -->(.*?)<!-- /only -->\n?", re.DOTALL)
_EXAMPLE = re.compile(r"<!-- example: \S+ -->\n(.*?)<!-- /example -->", re.DOTALL)
_COMMENT = re.compile(r"<!-- .*? -->\n?", re.DOTALL)
_INLINE = re.compile(r"<!-- (?:= \w+|/) -->")
_HEADING = re.compile(r"^(#{1,4}) (.+)$", re.MULTILINE)
_REFERENCE = re.compile(r"(?<![\w.])(?P<section>\d(?:\.\d+)+)(?![\w]|\.\d)|\b(?P<decision>[DR]-\d\d[a-z]?)\b")
_DECISION = re.compile(r"\b[DR]-\d\d[a-z]?\b")
_UNFILED = "contents"
"""The section that only readers of the file need: pages have contents of their own."""
EXAMPLES_OF = "wh40k-2001"
"""The ruleset whose names and figures the examples show."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it, up to the next heading."""

    anchor: str
    number: str
    """Its number in the source (``5.1``), empty for parts without one."""
    title: str
    level: int
    """1 for the book, 2 for a chapter, and so on."""
    html: str
    text: str
    """The words alone, for the search."""


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """The rulebook of a ruleset in a language."""

    ruleset: Ruleset
    language: str
    sections: tuple[Section, ...]
    passages: Mapping[str, str]
    """The paragraph that states a decision (``D-43``, ``R-07``), as HTML."""
    places: Mapping[str, str]
    """The anchor of the section that states a decision."""

    def section(self, anchor: str) -> Section | None:
        """Return the section at an anchor."""
        return next((section for section in self.sections if section.anchor == anchor), None)

    def numbered(self, number: str) -> Section | None:
        """Return the section of a number of the source."""
        return next((section for section in self.sections if section.number == number), None)

    @property
    def chapters(self) -> list[tuple[Section, list[Section]]]:
        """The chapters, each with the sections of the next level, as contents show them."""
        found: list[tuple[Section, list[Section]]] = []
        for section in self.sections:
            if section.level == 2:
                found.append((section, []))
            elif section.level == 3 and found:
                found[-1][1].append(section)
        return found


def file_of(language: str, book: str = "rulebook") -> Path:
    """Return the file of the rulebook or another *book*: in a checkout that of ``docs``, else the one installed."""
    name = f"{book}.md" if language == FALLBACK else f"{book}.{language}.md"
    packed = Path(__file__).parents[1] / "_docs" / name
    return packed if packed.exists() else Path(__file__).parents[2] / "docs" / name


@cache
def source(language: str, book: str = "rulebook") -> str:
    """Return the Markdown of a language, or the English one if it has none."""
    file = file_of(language, book)
    return (file if file.exists() else file_of(FALLBACK, book)).read_text("utf-8")


@cache
def guide_to_orders(language: str) -> str:
    """Return the guide to orders as text (``docs/orders.md``), as HTML."""
    html = str(MarkdownIt("commonmark", {"html": False}).enable("table").render(source(language, "orders")))
    return html.replace("<pre>", '<pre tabindex="0">')  # long lines are scrolled, by keyboard too


def headings(text: str) -> list[tuple[int, str]]:
    """Return level and words of every heading of a Markdown text."""
    return [(len(marks), title) for marks, title in _HEADING.findall(text)]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A book for the cache, which knows its ruleset by the digest."""

    digest: str
    language: str
    ruleset: Ruleset = field(compare=False)


@lru_cache(maxsize=16)
def _book(wanted: _Wanted) -> Book:
    return _Maker(wanted.ruleset, wanted.language).make()


def book(ruleset: Ruleset, language: str) -> Book:
    """Return the rulebook of a ruleset in a language."""
    return _book(_Wanted(ruleset.digest, language, ruleset))


class _Maker:
    """Makes one book."""

    def __init__(self, ruleset: Ruleset, language: str) -> None:
        self.ruleset, self.language = ruleset, language
        self.t = TableTranslations(language)
        self.md = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "autolink"])
        english, ours = headings(source(FALLBACK)), headings(source(language))
        self.anchors = [slug(title) for _, title in english]
        self.local = {slug(title): anchor for (_, title), anchor in zip(ours, self.anchors, strict=False)}
        self.numbers = dict[str, str]()
        for (_, title), anchor in zip(english, self.anchors, strict=True):
            if title[:1].isdigit():
                self.numbers.setdefault(title.split()[0], anchor)
        self.passages: dict[str, str] = {}
        self.places: dict[str, str] = {}
        self.stated: dict[str, Token] = {}

    def make(self) -> Book:
        tokens = self.md.parse(self._text())
        sections = list(self._sections(tokens))
        return Book(
            self.ruleset,
            self.language,
            tuple(section for section in sections if section.anchor != _UNFILED),
            self.passages,
            self.places,
        )

    def _text(self) -> str:
        """Return the Markdown of this ruleset without any marks."""
        text = rewrite(source(self.language), self.ruleset)
        text = _ONLY.sub(lambda found: found[2] if found[1] == self.ruleset.id else "", text)
        if self.ruleset.id != EXAMPLES_OF:
            note = self.t("Names and figures of this example are those of another ruleset.")
            text = _EXAMPLE.sub(lambda found: f"{found[1].rstrip()}\n>\n> *{note}*\n", text)
        return _COMMENT.sub("", _INLINE.sub("", text))

    def _sections(self, tokens: Sequence[Token]) -> Iterator[Section]:
        starts = [place for place, token in enumerate(tokens) if token.type == "heading_open"]
        spans = list(zip(starts, [*starts[1:], len(tokens)], strict=True))
        self._find_homes([tokens[start + 3 : end] for start, end in spans])
        for order, (start, end) in enumerate(spans):
            title = tokens[start + 1].content
            anchor, inner = self.anchors[order], list(tokens[start + 3 : end])
            self._link(inner, anchor)
            number = title.split()[0] if title[:1].isdigit() else ""
            text = " ".join(token.content for token in inner if token.type == "inline")
            yield Section(
                anchor,
                number,
                title,
                int(tokens[start].tag[1]),
                self._render(inner),
                re.sub(r"[*`]|\]\([^)]*\)|\[", "", text),
            )

    def _find_homes(self, sections: Sequence[Sequence[Token]]) -> None:
        """Find the token that states each decision: the first that says so (in brackets, slanted), else the first."""
        said: dict[str, Token] = {}
        found: dict[str, Token] = {}
        for anchor, tokens in zip(self.anchors[1:], sections[1:], strict=True):
            if anchor == "reference":
                break
            for token in tokens:
                slanted = 0
                for child in token.children or ():
                    slanted += (child.type == "em_open") - (child.type == "em_close")
                    for decision in _DECISION.findall(child.content) if child.type == "text" else ():
                        (said if slanted else found).setdefault(decision, child)
        self.stated = found | said

    def _render(self, tokens: Sequence[Token]) -> str:
        html = str(self.md.renderer.render(tokens, self.md.options, {}))
        table = '<div class="scroll" role="group" tabindex="0" aria-label="{}"><table>'.format(escape(self.t("Table")))
        html = html.replace("<table>", table).replace("</table>", "</table></div>")
        return html.replace("<th></th>", "<td></td>").replace(' style="text-align:right"', ' class="number"')

    def _link(self, tokens: list[Token], anchor: str) -> None:
        """Turn everything the text cites into links: sections, decisions, links of the file."""
        for place, token in enumerate(tokens):
            if token.type != "inline" or token.children is None:
                continue
            linked = 0
            stated: list[str] = []
            children: list[Token] = []
            for child in token.children:
                linked += (child.type == "link_open") - (child.type == "link_close")
                if child.type == "link_open":
                    child.attrSet("href", self._address(str(child.attrGet("href"))))
                if child.type == "text" and not linked:
                    children += self._cited(child, stated)
                else:
                    children.append(child)
            token.children = children
            for decision in stated:
                self.places[decision] = anchor
                self.passages[decision] = self._render(_around(tokens, place))

    def _cited(self, token: Token, stated: list[str]) -> Iterator[Token]:
        at, text = 0, token.content
        for found in _REFERENCE.finditer(text):
            number, decision = found["section"], found["decision"]
            if number and (number not in self.numbers or text[: found.start()].endswith(("version ", "Version "))):
                continue
            yield _plain(text[at : found.start()])
            at = found.end()
            if number:
                yield _raw(f'<a href="#{self.numbers[number]}">{number}</a>')
            elif decision not in self.stated:
                yield _plain(decision)
            elif self.stated[decision] is not token or decision in stated:
                yield _raw(f'<a href="#{decision}">{decision}</a>')
            else:
                stated.append(decision)
                yield _raw(f'<span id="{decision}" class="decision">{decision}</span>')
        yield _plain(text[at:])

    def _address(self, href: str) -> str:
        """Return where a link of the file leads on the pages."""
        if href.startswith("#"):
            anchor = unquote(href[1:])
            return f"#{self.local.get(anchor, anchor)}"
        return "/rules/frontier" if "frontier" in href else href


def _plain(text: str) -> Token:
    return Token("text", "", 0, content=text)


def _raw(html: str) -> Token:
    return Token("html_inline", "", 0, content=html)


def _around(tokens: Sequence[Token], place: int) -> Sequence[Token]:
    """Return the paragraph, the point of a list or the row of a table around an inline token."""
    for open_, close in (("list_item_open", "list_item_close"), ("tr_open", "tr_close")):
        start = next((n for n in range(place, -1, -1) if tokens[n].type in (open_, close)), -1)
        if start >= 0 and tokens[start].type == open_:
            end = next(n for n in range(place, len(tokens)) if tokens[n].type == close)
            inner = tokens[start + 1 : end]
            return [token for token in inner if not token.type.startswith("td_")] if open_ == "tr_open" else inner
    return tokens[place - 1 : place + 2]
