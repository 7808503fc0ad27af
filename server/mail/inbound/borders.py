"""Where a quotation begins: the line above it, the header of a quoted mail, a separator."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from server.mail.inbound.html import END_MARK
from server.mail.inbound.phrases import FIELDS, marks, phrases
from server.mail.inbound.verbs import is_instruction

LONGEST_LINE = 1_000
"""Letters of a line that are examined."""
_MAX_NOTE_LINES = 7
"""Lines that mail programs wrap one attribution to."""
_LONGEST = 500
_HEAD = 200
"""Letters of a separator that are examined; programs without line ends put a whole header behind it."""
MAX_LINES = 3_000
"""Lines of a body that are examined; the rest counts as quoted."""
_NEAR = 64
"""Lines whose reading is remembered: several places examine their neighbours."""
_SURE, _LIKELY = 4, 3
_ADDRESS = re.compile(
    r"[^\s@<>()\[\]]{1,64}@[^\s@<>()\[\]]{1,255}\.\w|<[^<>\s@]*@[^<>]*>|mailto:|@[\w-]{2,}\s*(?:>|$)|<[^<>]{2,80}>"
)
_PERSON = re.compile(r"\w[^\n]{0,80}?\b[\w.+-]+@[\w-]+\.\w")
"""A name and an address: with a date, a time and a colon that is an attribution in any language."""
_CITING = re.compile(marks("citing") + r"\s.{0,80}<[^<>\s]+@[^<>\s]+>\s*:", re.IGNORECASE)
_DIGITS = {ord(digit): str(value) for digits in ("٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹") for value, digit in enumerate(digits)}
_YEAR = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)\d{1,2}[./-] ?\d{1,2}[./-] ?(?:\d{2}|\d{4})(?!\d)|(?<!\d)[/-]\d\d[/-]\d\d"
)
_TIME = re.compile(r"(?<!\d)\d{1,2}\s?[:.h]\s?\d\d(?!\d)|\d\s*[ap]\.?m\b", re.IGNORECASE)
_ISO_ZONE = re.compile(r"20\d\d-\d\d-\d\d \d\d?:\d\d (?:GMT|UTC|Z)")
_NAMED = re.compile(r"(?:(?:[A-Z][\w.'-]*+|via|of|de|van|von)\s?){1,6}$")
_COLON = re.compile(r"[:：]\s*+(?:[-–—>*_]++\s*+)?$")
_END = re.compile(
    r"[:：)]\s*+[-–—>*_]*+$|>\s++[-–—>*_]*+$|(?<![-–—>*_])(?=[-–—>*_]*>)[-–—>*_]++$|(?<![-–—])[-–—]{2,}+$"
)
_DASHES = re.compile(r"(?<![-–—])[-–—]{2,}+\s*+$")
_INNER = re.compile(
    r"(?:(?<=(?<![\s-])[\s-])-*+\s*+|(?<=[\s-]))(?:On|Am|Le|El|Il|Op|Em|Den|Dnia)\s+(?:\w{2,12}[.,]{0,2}\s+){0,2}\d"
)
_BETWEEN_DASHES = re.compile(r"[-–—]{3,}+\s*+[^-\n]{2,80}?\s*[-–—]{3,}$")
_POSTED = re.compile(r"posted by .{1,80} on \d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}$", re.IGNORECASE)
_REPLY_ABOVE = re.compile(marks("reply_above"), re.IGNORECASE)
_RULE = re.compile(r"[\s>]*(?:[-_=*~–—]\s?){5,}$")


def attribution(lines: Sequence[str], start: int, *, quoted: Sequence[bool]) -> tuple[int, int] | None:
    """Return the first and last line of an attribution ("On ... wrote:") at *start*, or None.

    It may begin below *start*: own words directly above it do not belong to it.
    """
    if (end := _attribution(lines, start, quoted)) is None:
        return None
    begins = [start]
    begins += [
        place for place in range(start + 1, end) if not quoted[place] and _attribution(lines, place, quoted) == end
    ]
    gap = max((place for place in range(start, end - 1) if _closes(lines[place])), default=-1)
    begins = [place for place in begins if place > gap and _dated(lines[place:end])] or begins
    best = max(_begin_quality(lines[place]) for place in begins)
    good = [place for place in begins if _begin_quality(lines[place]) == best]
    if best == _LIKELY:  # "On the 3rd I move" may be such words, where a whole date stands below
        return next(
            (place for place in reversed(begins) if place > good[0] and _dated(lines[place:end])), good[-1]
        ), end
    return (good[0] if best == _SURE else good[-1]), end


def _closes(line: str) -> bool:
    """Say whether a line ends a paragraph or a sentence, so that text above and below do not belong together."""
    return not line.strip() or re.search(r"(?:[^\W\d_]{3}|\d{3}|\))[.!?]$", line) is not None


def _dated(lines: Sequence[str]) -> bool:
    joined = " ".join(lines).translate(_DIGITS)
    return bool(_YEAR.search(joined) or _TIME.search(joined))


def _attribution(lines: Sequence[str], start: int, quoted: Sequence[bool]) -> int | None:
    if not _may_begin(lines[start]):
        return None
    joined = ""
    for place in range(start, min(start + _MAX_NOTE_LINES, len(lines))):
        line = lines[place].strip()
        if (not line and place - start > 3) or (place > start and _begins_else(line)):
            break
        if place > start and quoted[place] and joined.count("<") <= joined.count(">") and not _tail(line):
            break
        joined = f"{joined} {line}".strip()
        if len(joined) > _LONGEST:
            break
        if (
            _may_end(line)
            and not _goes_on(lines, place)
            and _is_attribution(joined, followed=_quote_follows(place + 1, quoted, lines))
        ):
            return place + 1
    return None


def _begins_else(line: str) -> bool:
    """Say whether something other than an attribution begins at a line."""
    return line == END_MARK or bool(_fields(line[:LONGEST_LINE])) or separator(line) or is_instruction(line)


def _goes_on(lines: Sequence[str], place: int) -> bool:
    """Say whether the line below is the attribution's last word, wrapped."""
    below = lines[place + 1].strip() if place + 1 < len(lines) else ""
    if not below or _COLON.search(lines[place]):
        return False
    return _tail(below) or (
        len(below) < 60 and bool(_COLON.search(below)) and phrases().wrote.match(below.lstrip("> ")) is not None
    )


def inside(line: str) -> int:
    """Return where an attribution begins behind own words on the same line; 0 where none does."""
    if len(line) > _LONGEST or not _COLON.search(line) or not _YEAR.search(line):
        return 0
    found = [match.start() for match in _INNER.finditer(line) if match.start()]
    return next(
        (at for at in reversed(found[-2:]) if _YEAR.search(line[at:]) and _is_attribution(line[at:], followed=False)), 0
    )


def _begin_quality(line: str) -> int:
    """Rank how well a line begins an attribution: with a language's first word and a date, with a date, with a name."""
    head = line.lstrip(" \t-–—*_<>|")
    opening = phrases().opening.match(head)
    rest = head[opening.end() :] if opening is not None else ""
    if re.match(r"\s+<[^<>]*@", rest):  # In article <...>
        return _SURE
    if re.match(r"[^\x00-\u2e7f]?.{0,45}?\d", rest) and not rest.startswith("-"):
        return _SURE if _YEAR.search(line) or _TIME.search(line) else _LIKELY
    dated = _YEAR.search(line) and _TIME.search(line) and re.match(r"(?:\w{2,14}[.,]{0,2}\s)?\d", head)
    return 2 if dated else 1 if _ADDRESS.search(head) else 0


def header(lines: Sequence[str], start: int) -> int:
    """Return the line after a quoted mail's header ("From: ... Sent: ...") at *start*, or *start* without one."""
    found: dict[str, str] = {}
    place = end = start
    misses = 0
    while place < len(lines) and place - start < 40:
        line = lines[place]
        if fields := _fields(line[:LONGEST_LINE]):
            found = fields | found
            misses = 0
            end = place + 1
        elif (
            place == start or misses >= (3 if line.strip() else 2) or line == END_MARK or separator(line) or rule(line)
        ):
            break
        else:
            misses += 1
        place += 1
    return end if _is_header(found) else start


@lru_cache(_NEAR)
def _fields(line: str) -> dict[str, str]:
    """Return the fields of a quoted header on a line by name; empty if it is not such a line."""
    if (matched := phrases().labels.match(line)) is None:
        return {}
    found = {next(name for name in FIELDS if matched[name]): matched["value"]}
    for inner in phrases().inner_label.finditer(matched["value"]):
        found.setdefault("date", matched["value"][inner.end() :])
    return found


@lru_cache(_NEAR)
def separator(line: str) -> bool:
    """Say whether a line is one that programs put above a quoted or forwarded mail."""
    if len(line) > _LONGEST or not any(letter.isalpha() for letter in line):
        return False
    bare = line.strip()
    wrote = (
        bool(_BETWEEN_DASHES.fullmatch(bare))
        and re.search(r"\w\s*[-–—]+$", bare)
        and _last_verb(bare.rstrip("-–— ")) is not None
    )
    if wrote and phrases().wrote.search(bare.rstrip("-–— ")[-20:]):
        return True
    return phrases().separator.match(line[:_HEAD]) is not None or _POSTED.fullmatch(bare) is not None


def forwards(line: str) -> bool:
    """Say whether a line is the separator above a forwarded mail: what is below it is never an answer."""
    return phrases().forwarded.match(line[:_HEAD]) is not None


def reply_above(line: str) -> bool:
    """Say whether a line asks to write above it."""
    return len(line) <= 300 and _REPLY_ABOVE.search(line) is not None


def rule(line: str) -> bool:
    """Say whether a line is only a rule (``-----``, ``_____``)."""
    return len(line) <= 300 and _RULE.fullmatch(line) is not None


def _is_header(found: dict[str, str]) -> bool:
    dated = bool(re.search(r"\d", found.get("date", "")))
    if len(found) >= 3:
        return ("from" in found or "subject" in found) and (dated or "subject" in found)
    if len(found) < 2 or not ("from" in found or ("date" in found and "@" in found.get("to", ""))):
        return False
    if "from" not in found:
        return dated and bool(_YEAR.search(found["date"]))
    addressed = bool(_ADDRESS.search(found["from"]) or "@" in found["from"] or _ADDRESS.search(found.get("to", "")))
    return (dated and bool(_YEAR.search(found["date"]) or addressed)) or ("subject" in found and addressed)


def _may_begin(line: str) -> bool:
    if not (head := line[:LONGEST_LINE].lstrip(" \t-–—*_<>|\"'“")) or is_instruction(line):
        return False
    known = phrases()
    looks = re.match(r".{0,35}?\d", head) or known.opening.match(head) or re.search(r"[<@\"(]", head)
    return bool(looks or known.wrote.search(head) or _NAMED.match(head))


def _may_end(line: str) -> bool:
    if not line or len(line) > _LONGEST:
        return False
    return bool(_END.search(line) or phrases().wrote.search(line[-40:]) or _ISO_ZONE.match(line))


def _tail(line: str) -> bool:
    """Say whether a line that looks quoted is the rest of an address that was wrapped: ``> wrote:``."""
    bare = line.lstrip("> ")
    return (
        len(bare) < 60
        and line.startswith(">")
        and not line.startswith(">>")
        and bool(_COLON.search(bare) and (len(bare) <= 2 or phrases().wrote.match(bare)))
    )


def _quote_follows(place: int, quoted: Sequence[bool], lines: Sequence[str]) -> bool:
    for below in range(place, min(place + 4, len(lines))):
        if lines[below].strip():
            return quoted[below]
    return False


def _is_attribution(joined: str, *, followed: bool) -> bool:
    text = joined.lstrip(" \t-–—*_<>|").replace("：", ":")
    address, year, time = (bool(pattern.search(text.translate(_DIGITS))) for pattern in (_ADDRESS, _YEAR, _TIME))
    colon = bool(_COLON.search(text))
    if colon and ((year and time and _PERSON.search(text)) or _CITING.fullmatch(text)):
        return True
    closed = colon or bool(_DASHES.search(text))
    if _framed(text, address=address, year=year, time=time, closed=closed, followed=followed):
        return True
    dated_begin = bool(re.match(r".{0,30}?\d", text))
    if (verb := _last_verb(text)) is not None:
        ends = len(text) - verb.end() <= 12
        if dated_begin and (colon or ends) and (year or time or address) and (followed or year or address):
            return True
        if address and (colon or (ends and followed)) and _named(text, verb.start()):
            return True
        if colon and year and (time or followed) and _named(text, verb.start()):
            return True
        if colon and ends and verb.start() < 80 and (followed or " via " in text) and _named(text, verb.start()):
            return True
    if dated_begin and year and address and re.search(r">\)?\s*+(?::\s*+)?$|\w\)?\s*+:\s*+$", text):
        return (
            (colon and (time or followed))
            or (time and text.rstrip().endswith(">"))
            or (followed and colon)
            or (followed and text.rstrip().endswith(">"))
        )
    return bool(_ISO_ZONE.match(text)) and len(text) < 120 and not verb


def _framed(text: str, *, address: bool, year: bool, time: bool, closed: bool, followed: bool) -> bool:
    """Say whether one language's first and last word stand around a date or an address."""
    for opening, wrote in phrases().frames:
        if (begin := opening.match(text)) is None:
            continue
        if not (found := list(wrote.finditer(text, begin.end()))):
            continue
        tail = len(text) - found[-1].end()
        ends = tail <= 12
        near = re.match(r".{0,45}?\d", text[begin.end() :]) is not None or address
        certain = (year or (time and address)) and (closed or (ends and not text.rstrip().endswith(("?", "!", "."))))
        if near and (closed or ends) and (certain or (followed and closed) or (address and closed)):
            return True
    return False


def _last_verb(text: str) -> re.Match[str] | None:
    return max(phrases().wrote.finditer(text), key=lambda verb: verb.start(), default=None)


def _named(text: str, verb: int) -> bool:
    """Say whether what is before the verb may be a name: few words, no sentence."""
    before = re.sub(r"<[^<>]*>|\([^()]*\)|\S{1,200}@\S+|\"[^\"]*\"", "", text[:verb]).strip()
    return len(before.split()) <= 14 and not re.search(r"(?<!\d)[.!?]\s+[A-Z]\w+ \w+ \w+", before)
