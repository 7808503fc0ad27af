"""From the bytes of a mail to its sender's own words."""

from __future__ import annotations

from dataclasses import dataclass

from server.mail.inbound import html, kinds, mime
from server.mail.inbound.kinds import Kind
from server.mail.inbound.mime import clean, without_armour
from server.mail.inbound.splitting import Split, split


@dataclass(frozen=True, slots=True)
class Reading:
    """An email as read."""

    kind: Kind
    text: str
    """The sender's own words; empty unless the kind is ``own``."""
    quoted: str
    """The rest: quotations, signatures, footers; of an automatic mail all of it."""
    struck: tuple[str, ...] = ()
    """What the sender wrote and struck out, by lines: it is not said."""


def read(raw: bytes) -> Reading:
    """Read a mail; any bytes are answered, nothing is raised.

    ``own`` is a mail with words of a person, ``auto`` an automatic answer, a receipt or an answer of a calendar,
    ``bounce`` a report of failed delivery, ``empty`` a person's mail without a word of its own.
    """
    message = mime.parse(raw)
    parts = mime.parts_of(message)
    kind = kinds.kind_of(message, parts)
    body = _body(parts, forwards=kinds.forwards(message))
    rest = html.unmarked(body.rest)
    if kind != "own":
        whole = "\n\n".join(text for text in (html.unmarked(body.own), rest) if text)
        return Reading(kind, "", whole)
    own, struck = html.without_struck(body.own)
    if not own:
        own = _attached(parts)
    return Reading("own" if own else "empty", own, rest, struck)


def _body(parts: list[mime.Part], *, forwards: bool) -> Split:
    """Return the body: its plain text, or its HTML where that says nothing, or strikes out what both say."""
    plain = [part.text for part in parts if part.kind == "text/plain" and not part.attached]
    found = split(without_armour(clean("\n".join(plain))).split("\n"), forwards=forwards)
    rich = [part.text for part in parts if part.kind == "text/html" and not part.attached]
    if found.own and not any(map(html.strikes, rich)):
        return found
    if not any(text.strip() for text in rich):
        return found
    from_html = split([line for text in rich for line in html.lines_of(text)], forwards=forwards)
    if found.own:
        return from_html if html.STRUCK in from_html.own else found
    return from_html if from_html.own or not found.rest else found


def _attached(parts: list[mime.Part]) -> str:
    """Return what a person wrote into the first text file that has own words."""
    for part in parts:
        if part.kind == "text/plain" and part.attached and (own := split(clean(part.text).split("\n")).own):
            return own
    return ""
