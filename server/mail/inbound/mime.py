"""The parts of a message and their text, whatever their charset; text as people see it.

It has one kind of line end, no invisible characters, and soft line breaks are undone.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32

from charset_normalizer import from_bytes

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\x00-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f\U000e0000-\U000e007f]"
)
"""Marks of direction, characters without width, controls."""
_JOINERS = re.compile(r"(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])")
"""Joiners at the side of plain letters; between others they are part of the spelling, or of an emoji."""
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f]")
_LINE_ENDS = re.compile("\r\n?|\x0b|\x0c|\x1c|\x1d|\x1e|\x85|\u2028|\u2029")
_SIGNED, _SIGNATURE, _SIGNATURE_END = (
    f"-----{words}-----" for words in ("BEGIN PGP SIGNED MESSAGE", "BEGIN PGP SIGNATURE", "END PGP SIGNATURE")
)
MAX_BYTES = 400_000
"""Of one part; what is beyond is not read."""
MAX_PARTS = 200
LONGEST_HEADER = 4_000
"""Letters of a header that are read."""


def clean(text: str) -> str:
    """Return the text with ``\\n`` as line end, plain spaces and nothing invisible; lines have no trailing space."""
    return "\n".join(line if line == "-- " else line.rstrip() for line in visible(text).split("\n"))


def visible(text: str) -> str:
    """Return the text with ``\\n`` as line end, plain spaces and nothing invisible."""
    return _JOINERS.sub("", _INVISIBLE.sub("", _SPACES.sub(" ", _LINE_ENDS.sub("\n", text))))


def without_armour(text: str) -> str:
    """Return what was signed in a message with a PGP signature in its text."""
    above, signed, inside = text.partition(f"{_SIGNED}\n")
    inside, signature, below = inside.partition(f"\n{_SIGNATURE}\n")
    if not signed or not signature:
        return text
    while re.match(r"[A-Za-z-]{1,30}: [^\n]*\n", inside):  # which digest was used
        inside = inside.partition("\n")[2]
    below = below.partition(_SIGNATURE_END)[2]
    return above + re.sub(r"^- (?=-)", "", inside.lstrip("\n"), flags=re.MULTILINE) + below


def unflowed(text: str, *, del_sp: bool) -> str:
    """Return ``format=flowed`` text with its paragraphs joined again (RFC 3676)."""
    paragraphs: list[list[str]] = []
    open_depth = -1
    for line in re.split(r"\r\n|\r|\n", text):
        bare = line.lstrip(">")
        depth = len(line) - len(bare)
        content = bare.removeprefix(" ")
        flows = content.endswith(" ") and content != "-- "
        kept = content[:-1] if flows and del_sp else content
        if open_depth == depth and content != "-- ":
            paragraphs[-1].append(kept)
        else:
            paragraphs.append(["> " * depth, kept])
        open_depth = depth if flows else -1
    return "\n".join("".join(pieces) for pieces in paragraphs)


_ALIASES = {
    "unicode-1-1-utf-7": "utf-7",
    "ks_c_5601-1987": "cp949",
    "ks_c_5601": "cp949",
    "x-euc-jp": "euc_jp",
    "x-sjis": "cp932",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso-8859-8-i": "iso-8859-8",
    "x-gbk": "gb18030",
    "us-ascii": "ascii",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "x-mac-roman": "mac_roman",
    "macintosh": "mac_roman",
    "windows-874": "cp874",
    "x-windows-949": "cp949",
    "big5-hkscs": "big5hkscs",
    "x-unknown": "utf-8",
    "unknown-8bit": "utf-8",
    "utf8": "utf-8",
    "utf8mb4": "utf-8",
}
_NO_TEXT = frozenset({"unicode_escape", "raw_unicode_escape", "idna", "punycode", "undefined", "mbcs", "oem"})


@dataclass(frozen=True, slots=True)
class Part:
    """One part with words in it."""

    kind: str
    """``text/plain``, ``text/html``, ``text/calendar`` and so on, in lower case."""
    text: str
    name: str
    """The file's name; empty if it has none."""
    attached: bool
    """A file of its own, not the body."""


def parse(raw: bytes) -> Message:
    """Return the message; whatever cannot be understood is left out."""
    line_end = raw.find(b"\n")
    if raw[:5] == b"From " and line_end >= 0:  # the separator line of a mailbox file
        raw = raw[line_end + 1 :]
    raw = raw.lstrip(b"\r\n\xef\xbb\xbf")
    try:
        return message_from_bytes(raw, policy=compat32)
    except RecursionError:  # parts in parts in parts: nobody's words
        return BytesParser(policy=compat32).parsebytes(raw, headersonly=True)


def header(message: Message, name: str) -> str:
    """Return a header's text on one line, or an empty text."""
    found = next((value for key, value in message.raw_items() if key.lower() == name.lower()), "")
    return decoded_header(str(found))


def decoded_header(value: str) -> str:
    """Return a header with its encoded words decoded."""
    value = decoded(value[:LONGEST_HEADER].encode("utf-8", "surrogateescape"), "utf-8")
    if "=?" not in value:
        return " ".join(value.split())
    try:
        found = decode_header(value)
    except Exception:  # the decoder has errors of many kinds for damaged words
        return " ".join(value.split())
    words = [piece if isinstance(piece, str) else decoded(piece, charset or "utf-8") for piece, charset in found]
    return " ".join("".join(words).split())


def parts_of(message: Message) -> list[Part]:
    """Return the parts with words, in their order; those of attached messages are left out."""
    return list(_parts(message))


def decoded(raw: bytes, charset: str) -> str:
    """Return text by its declared charset, else by a guess; undecodable bytes become replacement characters."""
    charset = charset.strip().strip("\"'").lower()
    codec = _codec(_ALIASES.get(charset, charset))
    try:
        if codec == "ascii":
            raise LookupError
        return raw.decode(codec)
    except (LookupError, UnicodeError, ValueError):
        pass
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if codec not in ("ascii", "utf-8", ""):
        return raw.decode(codec, "replace")
    best = from_bytes(raw[:20_000]).best()
    guess = best.encoding if best is not None and len(raw) > 80 else "cp1252"
    return raw.decode(guess, "replace")


def _codec(charset: str) -> str:
    try:
        found = codecs.lookup(charset)
    except (LookupError, ValueError, UnicodeError):
        return ""
    return found.name if found._is_text_encoding and found.name not in _NO_TEXT else ""


def _parts(message: Message) -> Iterator[Part]:
    waiting = [message]
    seen = 0
    while waiting and seen < MAX_PARTS:
        part = waiting.pop(0)
        seen += 1
        kind = part.get_content_type().lower()
        if part.is_multipart():
            inside = [inner for inner in part.get_payload() if isinstance(inner, Message)]
            if kind == "message/delivery-status":
                yield Part(kind, "\n".join(_as_text(inner) for inner in inside)[:MAX_BYTES], "", False)
            elif kind != "message/rfc822":
                waiting[:0] = inside
            continue
        name = _name(part)
        plain_file = kind == "application/octet-stream" and name.lower().endswith((".txt", ".text", ".md", ".orders"))
        if not kind.startswith("text/") and not plain_file:
            continue
        disposition = str(part.get("Content-Disposition", "")).lower().lstrip()
        attached = (
            disposition.startswith("attachment") or (bool(name) and not disposition.startswith("inline")) or plain_file
        )
        if name and disposition.startswith("inline") and kind == "text/plain":
            attached = True
        yield Part("text/plain" if plain_file else kind, _text(part), name, attached)


def _as_text(part: Message) -> str:
    """Return a part with its headers; those alone where the rest cannot be written."""
    try:
        return str(part)
    except (ValueError, LookupError, TypeError):
        return "\n".join(f"{name}: {value}" for name, value in part.raw_items())


def _name(part: Message) -> str:
    try:
        return decoded_header(part.get_filename("") or "")
    except (ValueError, LookupError, TypeError):
        return ""


def _text(part: Message) -> str:
    try:
        raw = part.get_payload(decode=True)
    except (ValueError, LookupError, TypeError):
        raw = None
    if not isinstance(raw, bytes):
        return ""
    text = decoded(raw[:MAX_BYTES], _parameter(part, "charset"))
    if part.get_content_type() == "text/plain" and _parameter(part, "format").lower() == "flowed":
        return unflowed(text, del_sp=_parameter(part, "delsp").lower() == "yes")
    return text


def _parameter(part: Message, name: str) -> str:
    try:
        value = part.get_param(name, "")
    except (ValueError, LookupError, TypeError):
        return ""
    return str(value[2] if isinstance(value, tuple) else value or "")
