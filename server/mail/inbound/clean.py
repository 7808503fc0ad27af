"""Text as people see it: one kind of line end, no invisible characters, soft line breaks undone."""

from __future__ import annotations

import re

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
