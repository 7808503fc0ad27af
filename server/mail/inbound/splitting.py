"""A body's lines: the sender's own, and the rest.

Where a line above a quotation, a quoted header or a separator is followed by lines with ``>``, those are quoted and
what comes after them may be the sender's own again; without such lines everything below is quoted. In doubt a line is
quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from server.mail.inbound import borders
from server.mail.inbound.html import END_MARK, SIGNATURE_MARK
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
_LONGEST = 20_000
"""Of a line; what is beyond is not read."""
_WRAPPED = 72
"""A quoted line as long as that may have lost its end to the line below."""


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


_QUOTED = re.compile(r"\s{0,4}(?!>>>\W*+\w.*<<\s*$)[>＞»]|\s?[A-Za-z]{1,3}>(?:\s|>|$)")
_BAR = re.compile(r"\s?[|¦](?:\s|$)")


_LINK = re.compile(r"[(<\[]?https?://[^\s()<>\[\]]+[)>\]]?\s*>?")


def _cut(above: str, line: str) -> bool:
    """Say whether a line is the end of the quoted line above it."""
    if re.search(r"[(<]https?://[^\s()<>]*$", above) and re.match(r"[^\s()<>]*[)>]", line):
        return True
    if line[0].isupper() or above.endswith(("?", "!", ":")):
        return False
    return len(line) <= (90 if len(above) >= _WRAPPED else 30 if len(above) >= _WRAPPED - 12 else 0)


@dataclass(frozen=True, slots=True)
class Split:
    """A body, divided."""

    own: str
    rest: str


def split(lines: Sequence[str], *, forwards: bool = False) -> Split:
    """Divide the lines of a body; of one that *forwards* a mail nothing below a quotation is the sender's."""
    found = _Splitter(list(_one_thing_a_line(lines[: borders.MAX_LINES]))).split(forwards=forwards)
    beyond = "\n".join(lines[borders.MAX_LINES :])
    return Split(found.own, f"{found.rest}\n{beyond}".strip("\n")) if beyond else found


def _one_thing_a_line(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        if at := borders.inside(line):
            yield line[:at].rstrip("- ")
        yield line[at : at + _LONGEST]


class _Splitter:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.quoted = [_QUOTED.match(line) is not None for line in lines]
        self.rest = [False] * len(lines)
        self._mark_bars()
        self._mark_tabs()

    def split(self, *, forwards: bool) -> Split:
        self._mark_wrapped()
        self._mark_borders()
        self._mark_forwarded(whole=forwards)
        for place, line in enumerate(self.lines):
            if self.quoted[place] or line.startswith(SIGNATURE_MARK):
                self.rest[place] = True
        self._mark_footers()
        self._mark_banners()
        own = self._trimmed()
        return Split(own, self._rest())

    # --- quotations ---

    def _mark_bars(self) -> None:
        """Quote lines that begin with a bar if there are several of them."""
        bars = [place for place, line in enumerate(self.lines) if _BAR.match(line)]
        for place in bars:
            if place - 1 in bars or place + 1 in bars:
                self.quoted[place] = True

    def _mark_tabs(self) -> None:
        """Quote lines that begin with a tab below the line above a quotation, as the programs of Unix write them."""
        for place, line in enumerate(self.lines):
            first = self._next(place + 1)
            if not line.rstrip().endswith(":") or first is None or not self.lines[first].startswith("\t"):
                continue
            last = first
            while (below := self._next(last + 1)) is not None and self.lines[below].startswith("\t"):
                last = below
            before = self.quoted[first : last + 1]
            self.quoted[first : last + 1] = [True] * len(before)
            if borders.attribution(self.lines, place, quoted=self.quoted) is None:
                self.quoted[first : last + 1] = before

    def _mark_wrapped(self) -> None:
        """Quote the end of a quoted line that a mail program wrapped without a mark."""
        for place in range(1, len(self.lines) - 1):
            line, above = self.lines[place].strip(), self.lines[place - 1]
            between = self.quoted[place - 1] and self.quoted[place + 1] and not self.quoted[place]
            if line and between and (_cut(above, line) or _LINK.fullmatch(line)):
                self.quoted[place] = True

    def _mark_borders(self) -> None:
        place = 0
        while place < len(self.lines):
            line = self.lines[place]
            if self.quoted[place] or not line.strip():
                place += 1
                continue
            if line.startswith(END_MARK):
                self._quote_from(place)
                return
            if borders.reply_above(line):
                self._quote_from(self._with_line_above(place))
                return
            if (border := self._border(place)) is None:
                place += 1
                continue
            begin, end = self._with_line_above(border[0]), border[1]
            after = self._next(end)
            if after is None or not self.quoted[after] or borders.forwards(line):
                self._quote_from(begin)
                return
            self.rest[begin:end] = [True] * (end - begin)
            place = after

    def _mark_forwarded(self, *, whole: bool) -> None:
        """Quote all from the first quotation on, where that is a forwarded mail."""
        marked = zip(self.quoted, self.rest, strict=True)
        first = next((place for place, (quoted, rest) in enumerate(marked) if quoted or rest), None)
        if first is not None and (whole or borders.forwards(self.lines[first])):
            self._quote_from(first)

    def _border(self, place: int) -> tuple[int, int] | None:
        """Return where a quotation's border begins and ends that is found at a line."""
        if borders.separator(self.lines[place]):
            after = self._next(place + 1)
            if after is None or self.quoted[after]:
                return place, place + 1
            below = borders.attribution(self.lines, after, quoted=self.quoted)
            return place, below[1] if below is not None else max(borders.header(self.lines, after), place + 1)
        end = borders.header(self.lines, place)
        if end > place:
            return place, end
        return borders.attribution(self.lines, place, quoted=self.quoted)

    def _with_line_above(self, place: int) -> int:
        """Return where a border begins: a rule or a separator above it is a part of it."""
        above = place - 1
        while above >= 0 and not self.lines[above].strip():
            above -= 1
        part = above >= 0 and (borders.rule(self.lines[above]) or borders.separator(self.lines[above]))
        return above if part else place

    def _next(self, place: int) -> int | None:
        return next((below for below in range(place, len(self.lines)) if self.lines[below].strip()), None)

    def _quote_from(self, place: int) -> None:
        self.rest[place:] = [True] * (len(self.lines) - place)

    # --- below one's own words ---

    def _mark_footers(self) -> None:
        place = 0
        while place < len(self.lines):
            line = self.lines[place]
            if self.rest[place] or not line.strip():
                place += 1
                continue
            if self._ends_own_words(place):
                place = self._mark_to_quotation(place)
            elif is_device(line) and (self._begins_paragraph(place) or self._ends(place)):
                below = self._is_below_words(place)
                self.rest[place] = True
                place = self._mark_to_quotation(place) if below else place + 1
            else:
                place += 1

    def _ends_own_words(self, place: int) -> bool:
        """Say whether a signature, the footer of a list or a disclaimer begins at a line."""
        if is_delimiter(self.lines[place]) or self._is_underlined_end(place):
            return True
        if is_list_footer(self.lines, place):
            return True
        return self._begins_paragraph(place) and is_disclaimer(self._paragraph(place))

    def _is_below_words(self, place: int) -> bool:
        """Say whether a line is a paragraph of its own below the sender's words: what follows it is not theirs."""
        alone = place + 1 == len(self.lines) or not self.lines[place + 1].strip()
        return alone and self._first_own() != place and self._begins_paragraph(place)

    def _is_underlined_end(self, place: int) -> bool:
        """Say whether a line of underscores has a few lines below it and nothing more: a signature, too."""
        if not re.fullmatch(r"\s*_{10,}\s*", self.lines[place]) or self._first_own() == place:
            return False
        below = [
            line
            for line, rest in zip(self.lines[place + 1 :], self.rest[place + 1 :], strict=True)
            if line.strip() and not rest
        ]
        return len(below) <= 4

    def _mark_to_quotation(self, place: int) -> int:
        while place < len(self.lines) and not self.quoted[place]:
            self.rest[place] = True
            place += 1
        return place

    def _mark_banners(self) -> None:
        first = self._first_own()
        if first is None or not is_banner(self._paragraph(first)):
            return
        while first < len(self.lines) and self.lines[first].strip():
            self.rest[first] = True
            first += 1

    def _first_own(self) -> int | None:
        return next((place for place, line in enumerate(self.lines) if line.strip() and not self.rest[place]), None)

    def _begins_paragraph(self, place: int) -> bool:
        above = place - 1
        return above < 0 or not self.lines[above].strip() or self.rest[above] or is_ornament(self.lines[above])

    def _ends(self, place: int) -> bool:
        below = place + 1
        while below < len(self.lines) and not self.lines[below].strip():
            below += 1
        return below == len(self.lines) or self.rest[below]

    def _paragraph(self, place: int) -> str:
        end = place
        while end < len(self.lines) and self.lines[end].strip() and end - place < 20:
            end += 1
        return " ".join(self.lines[place:end])

    # --- what comes out ---

    def _trimmed(self) -> str:
        own: list[str] = []
        gap = False
        for line, rest in zip(self.lines, self.rest, strict=True):
            if rest:
                gap = bool(own)
                continue
            if gap and not line.strip():
                continue
            if gap:
                while own and not own[-1].strip():
                    own.pop()
                own.append("")
                gap = False
            own.append(line.rstrip())
        while own and (not own[-1].strip() or is_ornament(own[-1])):
            own.pop()
        while own and not own[0].strip():
            own.pop(0)
        return "\n".join(own)

    def _rest(self) -> str:
        found = [
            line.lstrip(SIGNATURE_MARK).rstrip()
            for line, rest in zip(self.lines, self.rest, strict=True)
            if rest and line != END_MARK
        ]
        return "\n".join(found).strip("\n")
