"""What is written about the text itself: its contents, and where it mentions each decision (D-nn, R-nn)."""

from __future__ import annotations

import re

from server.rulebook.markdown import slug, table

MARKED = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- /table -->)", re.DOTALL)
_HEADING = re.compile(r"^(#{2,4}) (.+)$", re.MULTILINE)
_DECISION = re.compile(r"\b[DRTNP]-\d\d[a-z]?\b")


def contents(text: str) -> str:
    """Return the headings of a Markdown text as a list of links."""
    found = [(len(marks), title) for marks, title in _HEADING.findall(text) if len(marks) < 4 and title != "Contents"]
    return "\n".join(f"{'  ' * (depth - 2)}- [{title}](#{slug(title)})" for depth, title in found)


def decisions(text: str) -> str:
    """Return the sections that mention each decision, tables left out."""
    places: dict[str, dict[str, None]] = {}
    here = ""
    for line in MARKED.sub("", text).splitlines():
        heading = _HEADING.fullmatch(line)
        here = heading[2] if heading else here
        for decision in _DECISION.findall(line):
            places.setdefault(decision, {})[here] = None
    rows = [(each, ", ".join(_link(title) for title in places[each] if title)) for each in sorted(places)]
    return table(("Decision", "Where"), rows)


def _link(title: str) -> str:
    number = title.split(" ")[0]
    return f"[{number if number[0].isdigit() else title}](#{slug(title)})"
