"""From the bytes of a mail to its sender's own words."""

from __future__ import annotations

from dataclasses import dataclass

from server.mail.inbound import html, kinds, mime
from server.mail.inbound.clean import clean, without_armour
from server.mail.inbound.kinds import Kind
from server.mail.inbound.splitting import Split, split


@dataclass(frozen=True, slots=True)
class Reading:
    """What was understood of a mail."""

    kind: Kind
    text: str
    """The sender's own words; empty unless the kind is ``own``."""
    quoted: str
    """The rest: quotations, signatures, footers; of an automatic mail all of it."""


def read(raw: bytes) -> Reading:
    """Read a mail; any bytes are answered, nothing is raised.

    ``own`` is a mail with words of a person, ``auto`` an automatic answer, a receipt or an answer of a calendar,
    ``bounce`` a report of failed delivery, ``empty`` a person's mail without a word of its own.
    """
    message = mime.parse(raw)
    parts = mime.parts_of(message)
    kind = kinds.kind_of(message, parts)
    body = _body(parts, forwards=kinds.forwards(message))
    if kind != "own":
        whole = "\n\n".join(text for text in (body.own, body.rest) if text)
        return Reading(kind, "", whole)
    own, rest = body.own, body.rest
    if not own:
        own = _attached(parts)
    return Reading("own" if own else "empty", own, rest)


def _body(parts: list[mime.Part], *, forwards: bool) -> Split:
    """Return the body: its plain text, or its HTML where that says nothing."""
    plain = [part.text for part in parts if part.kind == "text/plain" and not part.attached]
    found = split(without_armour(clean("\n".join(plain))).split("\n"), forwards=forwards)
    if found.own:
        return found
    rich = [part.text for part in parts if part.kind == "text/html" and not part.attached]
    if not any(text.strip() for text in rich):
        return found
    from_html = split([line for text in rich for line in html.lines_of(text)], forwards=forwards)
    return from_html if from_html.own or not found.rest else found


def _attached(parts: list[mime.Part]) -> str:
    """Return what a person wrote into the first text file that has own words."""
    for part in parts:
        if part.kind == "text/plain" and part.attached:
            own = split(clean(part.text).split("\n")).own
            if own:
                return own
    return ""
