"""The tables about the text itself: its contents, and its places for each decision (D-nn, R-nn)."""

from __future__ import annotations

import re

from server.rulebook.markdown import slug, table
from server.rulebook.translations import TableTranslations

MARKED = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- /table -->)", re.DOTALL)
_HEADING = re.compile(r"^(#{2,4}) (.+)$", re.MULTILINE)
_CONTENTS = ("Contents", "Inhalt")
_DECISION = re.compile(r"\b[DRTNP]-\d\d[a-z]?\b")


def contents(text: str) -> str:
    """Return the headings of a Markdown text as a list of links."""
    found = [
        (len(marks), title) for marks, title in _HEADING.findall(text) if len(marks) < 4 and title not in _CONTENTS
    ]
    return "\n".join(f"{'  ' * (depth - 2)}- [{title}](#{slug(title)})" for depth, title in found)


def decisions(text: str, t: TableTranslations) -> str:
    """Return the sections that mention each decision, tables left out."""
    places: dict[str, dict[str, None]] = {}
    here = ""
    for line in MARKED.sub("", text).splitlines():
        heading = _HEADING.fullmatch(line)
        here = heading[2] if heading else here
        for decision in _DECISION.findall(line):
            places.setdefault(decision, {})[here] = None
    rows = [(place, ", ".join(_link(title) for title in places[place] if title)) for place in sorted(places)]
    return table((t("Decision"), t("Where")), rows)


def _link(title: str) -> str:
    number = title.split(" ")[0]
    return f"[{number if number[0].isdigit() else title}](#{slug(title)})"
