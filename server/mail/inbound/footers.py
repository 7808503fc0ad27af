"""What stands below someone's own words without being theirs: signatures, disclaimers, footers of lists."""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.mail.inbound.phrases import marks, phrases

_DEVICE_CUT = re.compile(rf"(?<=\w)[.,;!]?\s+(?={marks('apology')})|(?<=\w)[,;] ", re.IGNORECASE)
_DEVICE_TAIL = re.compile(r"(?:[.,!)\]>»*_ -]*|[.,!;:)\]>-]?\s*" + marks("apology") + r"\b.*)", re.IGNORECASE)
_SENTENCE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|because|which|that|but|I|we|you|it|und|aber|weil|et|mais|car)\b"
)
_MAX_DEVICE = 130
_LIST_FOOTER = re.compile(marks("list_words"), re.IGNORECASE)
_LIST_START = re.compile(marks("list_start"), re.IGNORECASE)
_DISCLAIMER = re.compile(r"(?:<https?://[^<>\s]*>|[\s*_>\[(-])*+" + marks("disclaimer"), re.IGNORECASE)
_DELIMITER = re.compile(r"\s*[-_,=+~#*ᐧ—–]+\s*")
_BANNER = re.compile(r"[\s*_\[(>!⚠️-]*+" + marks("banner"), re.IGNORECASE)


def is_delimiter(line: str) -> bool:
    """Say whether a line is what begins a signature by convention."""
    return line in ("-- ", "--")


def is_ornament(line: str) -> bool:
    """Say whether a line consists of dashes, stars and the like only."""
    return len(line) <= 300 and _DELIMITER.fullmatch(line) is not None


def is_device(line: str) -> bool:
    """Say whether a whole line is what a program signs with: ``Sent from my iPhone``."""
    if len(line) > 300:
        return False
    bare = re.sub(r"\[([^\[\]]+)\]\([^()\s]*\)", r"\1", line)  # a link as Markdown writes it
    bare = re.sub(r"<?https?://[^\s<>]+>?|<mailto:[^<>]*>", "", bare).strip()
    matched = phrases().device.match(bare)
    if matched is None or len(bare) > _MAX_DEVICE:
        return False
    cut = _DEVICE_CUT.split(bare, maxsplit=1)
    tail = cut[1] if len(cut) > 1 else ""
    return (
        not _SENTENCE.search(cut[0])
        and (not tail or bool(_DEVICE_TAIL.fullmatch(tail)))
        and not cut[0].endswith(("?", ":"))
    )


def is_list_footer(lines: Sequence[str], place: int) -> bool:
    """Say whether what a list appends begins here: a rule with the list's words below, or such words at once."""
    line = lines[place][:500]
    if re.fullmatch(r"\s*(?:_{2,}|-{5,}|={5,}|~{5,}|(?:-=){4,}-?|—|--- ?)\s*(?:\*? ?FAQ.*)?", line):
        below = [found for found in lines[place + 1 : place + 8] if found.strip()][:4]
        return any(_LIST_FOOTER.search(found[:500]) for found in below)
    return _LIST_START.match(line.strip(" -—_*")) is not None


def is_disclaimer(paragraph: str) -> bool:
    """Say whether a paragraph is what companies append."""
    return _DISCLAIMER.match(paragraph[:800]) is not None


def is_banner(paragraph: str) -> bool:
    """Say whether a paragraph is what a mail server put above the text: that it comes from outside."""
    return len(paragraph) < 600 and _BANNER.match(paragraph) is not None
