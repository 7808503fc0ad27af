"""A mail before it is one: what it says, and that as plain text, as HTML, and as a message.

Python's own folding makes encoded words of whatever is longer than a line. In a structured header that is not valid
(RFC 2047, section 5): programs then ignore the header, or mail goes to an address that is none. They are folded here.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.errors import HeaderParseError
from email.header import Header
from email.headerregistry import Address, HeaderRegistry, UniqueAddressHeader, UniqueSingleAddressHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime
from functools import cache
from pathlib import Path
from typing import Any, Protocol, cast

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from server.play.notices.posting import PermanentFailure

_WIDTH = 78
_PLAIN = re.compile(r"[\w!#$%&'*+/=?^`{|}~-]+(?: [\w!#$%&'*+/=?^`{|}~-]+)*", re.ASCII)
"""A name that needs no quotation marks."""
_VERBATIM = (
    "Auto-Submitted", "Content-ID", "Content-Language", "In-Reply-To", "List-Id", "List-Unsubscribe", "Message-ID",
    "References",
)  # fmt: skip
"""Structured headers without words of people: nothing in them may be encoded."""
_TEXT_WIDTH = 72
PICTURE = "map"
"""What the picture is called in ``cid:``."""
CALENDAR = "battle.ics"
"""What the file for calendar programs is called."""


class _Header(Protocol):
    name: str


class Verbatim:
    """A header of words without anything to encode; a line ends before a word that no longer fits."""

    max_count = 1

    @staticmethod
    def parse(value: str, kwds: dict[str, Any]) -> None:
        """Take the value as it is; white space, line ends too, becomes one space."""
        kwds["parse_tree"], kwds["decoded"] = None, " ".join(value.split())

    def fold(self, *, policy: Policy) -> str:
        """Return the whole header, with its name."""
        return _folded(cast("_Header", self).name, str(self).split(), policy)


class _Addresses:
    """Names are encoded where they must be, addresses never."""

    def fold(self, *, policy: Policy) -> str:
        header = cast("UniqueAddressHeader", self)
        words: list[str] = []
        for address in header.addresses:
            name = _phrase(address.display_name)
            words += [*name, f"<{address.addr_spec}>,"] if name else [f"{address.addr_spec},"]
        words[-1:] = [word.removesuffix(",") for word in words[-1:]]
        return _folded(cast("_Header", self).name, words, policy)


class _One(_Addresses, UniqueSingleAddressHeader):
    """``Sender`` and the like."""


class _Some(_Addresses, UniqueAddressHeader):
    """``From``, ``To``, ``Reply-To``."""


def _folded(name: str, words: list[str], policy: Policy) -> str:
    lines, line = [], f"{name}:"
    for word in words:
        if len(line) + 1 + len(word) > _WIDTH and not line.endswith(":"):
            lines.append(line)
            line = ""
        line += f" {word}"
    return policy.linesep.join([*lines, line]) + policy.linesep


def _phrase(name: str) -> list[str]:
    """Return a name as words of a header: quoted, or as encoded words of at most 75 letters."""
    if not name:
        return []
    encoded = "=?" in name or not (name.isascii() and name.isprintable())
    if not encoded and _PLAIN.fullmatch(name):
        return name.split()
    if not encoded:
        return ['"{}"'.format(name.replace("\\", "\\\\").replace('"', '\\"'))]
    return Header(name, "utf-8", maxlinelen=70).encode(linesep="\n").split()


def _registry() -> HeaderRegistry:
    made = HeaderRegistry()
    kinds: Mapping[str, type] = {
        **dict.fromkeys(_VERBATIM, Verbatim),
        **dict.fromkeys(("From", "To", "Reply-To"), _Some),
        "Sender": _One,
    }
    for name, kind in kinds.items():
        made.map_to_type(name, kind)
    return made


POLICY = SMTP.clone(header_factory=_registry())
"""How we build emails."""


_LONG = re.compile(r"\S{24}(?=\S)")


@dataclass(frozen=True, slots=True)
class Part:
    """A paragraph, with *items* a list under it; *quoted*: someone else's words."""

    text: str
    items: tuple[str, ...] = ()
    quoted: bool = False
    code: str = ""
    """Lines that stay as they are: orders, the map as text."""
    picture: bool = False
    """The letter's picture stands here."""


@dataclass(frozen=True, slots=True)
class Letter:
    """An email to one person."""

    address: str
    name: str
    language: str
    subject: str
    greeting: str
    parts: tuple[Part, ...]
    action: tuple[str, str]
    """What to do now, and where."""
    why: str
    """Why it was mailed."""
    settings: tuple[str, str] = ("", "")
    """The address and the name of the email settings; empty for an email the reader has just requested."""
    id: str = ""
    """The part before the ``@`` of its ``Message-ID``: the same for every try."""
    thread: str = ""
    """The same part of the message it belongs to."""
    answers: str = ""
    """Likewise of the mail it answers."""
    list_id: str = ""
    reply_to: str = ""
    """Where an answer goes; empty: where the operator has said."""
    stop: str = ""
    """Where a mail with ``STOP`` goes."""
    picture: bytes = b""
    """A PNG."""
    calendar: bytes = b""
    """A file for calendar programs."""
    automatic: str = "auto-generated"
    in_reply_to: str = ""
    """The ``Message-ID`` of someone's mail that it answers, with its brackets."""


def text_of(letter: Letter) -> str:
    """Return the letter as plain text."""
    blocks = [letter.greeting]
    for part in letter.parts:
        if part.quoted:
            lines = [
                wrapped for line in part.text.splitlines() for wrapped in textwrap.wrap(line, _TEXT_WIDTH - 2) or [""]
            ]
            blocks.append("\n".join(f"> {line}".rstrip() for line in lines))
        elif part.text and not part.picture:
            blocks.append(_wrapped(part.text))
        if part.code:
            blocks.append("\n".join(f"  {line}".rstrip() for line in part.code.rstrip("\n").split("\n")))
        if part.items:
            blocks.append(
                "\n".join(
                    textwrap.fill(item, _TEXT_WIDTH, initial_indent="- ", subsequent_indent="  ") for item in part.items
                )
            )
    blocks.append("{}:\n{}".format(*letter.action))
    footer = [_wrapped(letter.why)]
    if letter.settings[0]:
        footer.append("{1}:\n{0}".format(*letter.settings))
    return "\n\n".join(blocks) + "\n\n-- \n" + "\n".join(footer) + "\n"


def html_of(letter: Letter) -> str:
    """Return the letter as HTML; everything in it is escaped."""
    return _templates().get_template("letter.html").render(letter=letter)


def message_of(letter: Letter, sender: str, reply_to: str, now: datetime) -> EmailMessage:
    """Return the mail; :class:`PermanentFailure` where the address cannot be written to."""
    message = EmailMessage(POLICY)
    domain = sender.rpartition("@")[2].rstrip("> ")
    try:
        message["To"] = Address(letter.name, addr_spec=letter.address)
    except (HeaderParseError, ValueError, IndexError) as error:
        raise PermanentFailure(f"{letter.address} is no address mail can be sent to") from error
    message["From"] = sender
    message["Subject"] = letter.subject
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<{letter.id}@{domain}>"
    if letter.thread:
        above = [message_id for message_id in (letter.thread, letter.answers) if message_id]
        message["References"] = " ".join(f"<{message_id}@{domain}>" for message_id in above)
        message["In-Reply-To"] = f"<{above[-1]}@{domain}>"
    if letter.in_reply_to and re.fullmatch(r"<[!-;=?-~]{3,300}>", letter.in_reply_to):
        for name in ("References", "In-Reply-To"):
            del message[name]
            message[name] = letter.in_reply_to
    if letter.reply_to or reply_to:
        message["Reply-To"] = letter.reply_to or reply_to
    if letter.list_id:
        message["List-Id"] = f"<{letter.list_id}.{domain}>"
    if letter.settings[0]:
        stop = f"<mailto:{letter.stop}?subject=STOP&body=STOP>, " if letter.stop else ""
        message["List-Unsubscribe"] = f"{stop}<{letter.settings[0]}>"
    message["Auto-Submitted"] = letter.automatic
    message.set_content(text_of(letter), cte="quoted-printable")
    message.add_alternative(html_of(letter), subtype="html", cte="quoted-printable")
    if letter.picture:
        html = message.get_body(("html",))
        assert html is not None
        html.add_related(letter.picture, "image", "png", cid=f"<{PICTURE}>", filename="map.png", disposition="inline")
    if letter.calendar:
        message.add_attachment(letter.calendar, "text", "calendar", filename=CALENDAR)
    message["Content-Language"] = letter.language  # last: setting the content clears all there is about it
    return message


def _wrapped(text: str) -> str:
    return textwrap.fill(text, _TEXT_WIDTH, break_long_words=False, break_on_hyphens=False)


def _breakable(text: str) -> Markup:
    """Return text as HTML; a narrow screen may break its long words (addresses, receipts). Copied, it is unchanged."""
    return escape(_LONG.sub("\\g<0>\0", text.replace("\0", ""))).replace("\0", Markup("<wbr>"))


@cache
def _templates() -> Environment:
    found = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["breakable"] = _breakable
    return found
