"""Checks that what people read is plain English: short sentences, no words that had to be translated first.

``python -m tests.plain_english`` prints every sentence with more than 30 words in the README, the guides, the
rulebooks, the texts of pages and emails, and the titles of errors; in German, too, where there is German. In English it
prints every banned word as well, but for the rulebook's. ``make lint`` runs it.

It prints every phrase of ``phrases.toml`` in what players read as well. Guides and docstrings still have some: their
number may not rise above ``phrase_ceilings.toml``. ``--phrases`` prints those, ``--lower`` writes lower ceilings.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from server.http.error_codes import ALL_CODES
from server.mail import translations as mail_translations
from server.render.messages import catalogue
from server.render.translations import sentences as report_sentences
from server.web import translations as page_translations
from tests.web.sentences import everything as refusals

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
    for where, text in player_texts():
        yield from found_phrases(where, text, "everywhere", "players")


# --- phrases ---


@cache
def phrases(*kinds: str) -> tuple[tuple[str, re.Pattern[str], str], ...]:
    """Return name, pattern and replacement of each phrase of some *kinds* (``everywhere``, ``players``)."""
    known = tomllib.loads((ROOT / "tests" / "phrases.toml").read_text("utf-8"))
    return tuple((name, re.compile(find), use) for kind in kinds for name, (find, use) in known[kind].items())


def found_phrases(where: str, text: str, *kinds: str) -> Iterator[str]:
    """Yield each phrase in an English text, and what to write instead; code and the names of places do not count."""
    text = re.sub(r"\{\w+\}", "{}", re.sub(r"`[^`]*`", "", " ".join(text.split())))
    for name, pattern, use in phrases(*kinds):
        for hit in pattern.finditer(text):
            yield f"{where}: {name}, {hit[0]!r}; write {use}: {text[:120]}"


def player_texts() -> Iterator[tuple[str, str]]:
    """Yield all that players read in English, and where it is: pages, emails, reports, refusals."""
    for key, text in page_translations.languages()["en"].items():
        if not key.startswith(("told.", "name.", "described.")):
            yield f"page {key}", text
    yield from ((f"email {key}", text) for key, text in mail_translations.languages()["en"].items())
    yield from ((f"report {key}", text) for key, text in report_sentences("en").items())
    known = catalogue("en")
    yield from ((f"refusal {each.where}", known.get(each.template, each.template)) for each in refusals())


def docstrings() -> Iterator[tuple[str, str]]:
    """Yield every docstring of the program and the client library, and its file."""
    for file in sorted(file for folder in ("server", "client") for file in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                yield f"{file.relative_to(ROOT)}:{node.lineno}", node.value.value


def guides() -> Iterator[tuple[str, str]]:
    """Yield the paragraphs of the English guides and the rulebook, and their file."""
    for name in (*GUIDES, *(f"docs/{name}.md" for name in RULEBOOKS)):
        if ".de." not in name and (ROOT / name).exists():
            yield from ((name, paragraph) for paragraph in paragraphs((ROOT / name).read_text("utf-8")))


def limited() -> Mapping[str, list[str]]:
    """Return the phrases that are left where their number may only fall."""
    return {
        kind: [hit for where, text in texts for hit in found_phrases(where, text, "everywhere")]
        for kind, texts in (("guides", guides()), ("docstrings", docstrings()))
    }


CEILINGS = ROOT / "tests" / "phrase_ceilings.toml"


def ceilings(text: str = "") -> Mapping[str, int]:
    """Return how many phrases there may be, by kind of text: of a text of that file, else of the file."""
    return tomllib.loads(text or CEILINGS.read_text("utf-8"))


def lower() -> None:
    """Write ceilings as low as they can be; none is raised."""
    now = {kind: min(ceilings()[kind], len(hits)) for kind, hits in limited().items()}
    comment = CEILINGS.read_text("utf-8").partition("\n\n")[0]
    CEILINGS.write_text(f"{comment}\n\n" + "".join(f"{kind} = {count}\n" for kind, count in now.items()), "utf-8")


if __name__ == "__main__":
    if "--lower" in sys.argv:
        lower()
    if "--phrases" in sys.argv:
        print(*(hit for hits in limited().values() for hit in hits), sep="\n")
    found = list(everything())
    print(*found, sep="\n")
    sys.exit(bool(found))
